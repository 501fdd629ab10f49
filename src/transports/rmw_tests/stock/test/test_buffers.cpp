// rosidl::Buffer, in which Lyrical has the bytes of `uint8[]` fields: in the CPU's vector, in shared memory, elsewhere.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "buffer_fixture.hpp"
#include "buffers.hpp"
#include "message_object.hpp"
#include "tandem/detail/relative_storage.hpp"
#include "tandem/heap.hpp"
#include "tandem_buffer_backend/tandem_buffer_impl.hpp"

namespace {

using tandem::detail::RawContainer;
using tandem::oracle::MessageObject;
using tandem_buffer_backend::TandemBufferImpl;

RawContainer native_bytes(const MessageObject & native) {
  return RawContainer(static_cast<const char *>(native.get()) + frame_type().steps.front().native_offset);
}

/// What a sequence of a message in Tandem's layout has.
Bytes content(const RawContainer & bytes) {
  const auto * const first = static_cast<const std::uint8_t *>(bytes.data());
  return bytes.used_bytes() != 0 ? Bytes(first, first + bytes.used_bytes()) : Bytes();
}

TandemBufferImpl * shared(Buffer & buffer) { return dynamic_cast<TandemBufferImpl *>(buffer.get_impl()); }

Buffer shared_buffer(const Bytes & content) {
  Buffer buffer(
      std::make_unique<TandemBufferImpl>(tandem_buffer_backend::allocate(content.size()), content.size(), false));
  std::copy(content.begin(), content.end(), shared(buffer)->write());
  return buffer;
}

/// Memory that the CPU cannot reach, but by a copy.
class RemoteImpl : public rosidl::BufferImplBase<std::uint8_t> {
 public:
  explicit RemoteImpl(Bytes bytes) : bytes_(std::move(bytes)) {}
  std::string get_backend_type() const override { return "remote"; }
  std::size_t size() const override { return bytes_.size(); }
  std::unique_ptr<BufferImplBase> to_cpu() const override {
    auto copy = std::make_unique<rosidl::CpuBufferImpl<std::uint8_t>>();
    copy->get_storage() = bytes_;
    return copy;
  }
  std::unique_ptr<BufferImplBase> clone() const override { return std::make_unique<RemoteImpl>(bytes_); }

 private:
  Bytes bytes_;
};

TEST(Buffers, OfTheCpuAreCopied) {
  MessageObject native(frame_type().native);
  Frame to;
  for (const std::size_t size : {5, 0, 100'000, 100'000, 3}) {
    const Bytes bytes = pattern(size);
    Frame from;
    from.data.assign(bytes.begin(), bytes.end());
    tandem_rmw::to_native(frame_type(), &from, native.get());
    EXPECT_EQ(content(native_bytes(native)), bytes);
    tandem_rmw::to_ros(frame_type(), native.get(), &to);
    EXPECT_EQ(to.data.to_vector(), bytes);
  }
}

TEST(Buffers, OfOtherBackEndsTravelAsBytes) {
  MessageObject native(frame_type().native);
  Frame to{Buffer(std::make_unique<RemoteImpl>(pattern(9)))};  // replaced, since it cannot be written
  for (const std::size_t size : {100'000, 0, 3}) {
    const Frame from{Buffer(std::make_unique<RemoteImpl>(pattern(size)))};
    tandem_rmw::to_native(frame_type(), &from, native.get());
    EXPECT_EQ(content(native_bytes(native)), pattern(size));
    tandem_rmw::to_ros(frame_type(), native.get(), &to);
    EXPECT_EQ(to.data.get_backend_type(), "cpu");
    EXPECT_EQ(to.data.to_vector(), pattern(size));
  }
}

TEST(Buffers, InSharedMemoryAreNotCopied) {
  MessageObject native(frame_type().native);
  Frame from{shared_buffer(pattern(100'000))};
  const void * const bytes = shared(from.data)->data();
  tandem_rmw::to_native(frame_type(), &from, native.get());
  EXPECT_EQ(native_bytes(native).data(), bytes);
  EXPECT_EQ(content(native_bytes(native)), pattern(100'000));

  // Whoever writes it now, or a copy of it, writes elsewhere.
  Frame copy = from;
  EXPECT_EQ(shared(copy.data)->data(), bytes);
  shared(copy.data)->write()[0] = 99;
  shared(from.data)->write()[0] = 77;
  EXPECT_EQ(content(native_bytes(native)), pattern(100'000));
  EXPECT_EQ(shared(from.data)->to_cpu()->size(), 100'000u);
  EXPECT_EQ(shared(copy.data)->data()[0], 99);
}

TEST(Buffers, ThatAMessageSharesAreNeitherWrittenNorFreedByIt) {
  const auto before = tandem::heap_statistics().in_use;
  {
    MessageObject native(frame_type().native);
    Frame from{shared_buffer(pattern(100'000))};
    Frame small;
    const Bytes other = pattern(1'000, 50);
    small.data.assign(other.begin(), other.end());
    const tandem::Field & field = *frame_type().steps.front().field;
    void * const sequence = static_cast<char *>(native.get()) + field.offset;
    const auto expect_untouched = [&] { EXPECT_EQ(from.data.to_vector(), pattern(100'000)); };

    for (int round = 0; round < 3; ++round) {  // what is there before is let go of
      tandem_rmw::to_native(frame_type(), &from, native.get());
      expect_untouched();
    }
    tandem_rmw::to_native(frame_type(), &small, native.get());  // its block would have had room
    EXPECT_EQ(content(native_bytes(native)), other);
    expect_untouched();

    tandem_rmw::to_native(frame_type(), &from, native.get());
    field.resize(sequence, 10);  // as reading CDR does
    std::memset(const_cast<void *>(native_bytes(native).data()), 0, 10);
    expect_untouched();
    tandem_rmw::to_native(frame_type(), &from, native.get());
    field.resize(sequence, 200'000);
    Bytes grown = pattern(100'000);
    grown.resize(200'000);
    EXPECT_EQ(content(native_bytes(native)), grown);
    expect_untouched();

    MessageObject second(frame_type().native);
    tandem_rmw::to_native(frame_type(), &from, native.get());
    tandem_rmw::to_native(frame_type(), &from, second.get());  // two messages have it
    frame_type().native.assign(native.get(), second.get());
    EXPECT_NE(native_bytes(native).data(), native_bytes(second).data());
    EXPECT_EQ(content(native_bytes(native)), pattern(100'000));
    expect_untouched();
  }
  EXPECT_EQ(tandem::heap_statistics().in_use, before);
}

TEST(Buffers, AreAcceptedByName) {
  for (const char * const yes : {"tandem", "any", "cuda, tandem", " tandem ,cpu", "cpu,any"}) {
    EXPECT_TRUE(tandem_rmw::accepts_shared_memory(yes)) << yes;
  }
  for (const char * const no : {"", "cpu", "cuda", "tandemx", "cuda,", ",", " , ,", "tan,dem"}) {
    EXPECT_FALSE(tandem_rmw::accepts_shared_memory(no)) << no;
  }
  EXPECT_FALSE(tandem_rmw::accepts_shared_memory(nullptr));
}

class SharedBuffers : public BufferTopics {
 protected:
  void SetUp() override {
    BufferTopics::SetUp();
    publisher_ = advertise();
    subscription_ = subscribe("tandem", publisher_.get(), 1);
  }
  void TearDown() override {
    publisher_.reset();
    subscription_.reset();
    BufferTopics::TearDown();
  }
  void publish(const Frame & frame) { BufferTopics::publish(*publisher_, frame); }
  void take(Frame & frame, bool in_place) {
    ASSERT_TRUE(eventually([&] { return BufferTopics::take(*subscription_, frame, in_place); }));
  }

  std::unique_ptr<Publisher> publisher_;
  Subscription subscription_;
};

TEST_F(SharedBuffers, AreFilledPublishedAndReadWithoutACopy) {
  Frame sent{shared_buffer(pattern(100'000))};
  publish(sent);
  Frame taken;
  take(taken, true);
  ASSERT_NE(shared(taken.data), nullptr);
  EXPECT_TRUE(shared(taken.data)->is_read_only());
  EXPECT_EQ(taken.data.to_vector(), pattern(100'000));
  shared(sent.data)->write()[0] = 99;
  EXPECT_EQ(taken.data.to_vector(), pattern(100'000));
  shared(taken.data)->write()[0] = 88;  // its own copy from here on
  EXPECT_EQ(shared(taken.data)->data()[0], 88);
  EXPECT_EQ(shared(taken.data)->data()[1], pattern(2)[1]);

  publish(taken);  // on to the next
  Frame next;
  take(next, true);
  publish(next);  // as it was received
  take(taken, false);
  EXPECT_EQ(taken.data.get_backend_type(), "cpu");
  Bytes expected = pattern(100'000);
  expected[0] = 88;
  EXPECT_EQ(taken.data.to_vector(), expected);
}

TEST_F(SharedBuffers, WhatWasTakenStaysWhateverElseGoes) {
  Frame kept;
  publish(Frame{shared_buffer(pattern(100'000))});
  take(kept, true);
  Frame cpu;
  for (int i = 0; i < 20; ++i) {
    const Bytes bytes = pattern(100'000, static_cast<std::uint8_t>(i));
    if (i % 2 == 0) {
      publish(Frame{shared_buffer(bytes)});
    } else {
      cpu.data.assign(bytes.begin(), bytes.end());
      publish(cpu);
    }
    Frame taken;
    take(taken, i % 3 != 0);
    EXPECT_EQ(taken.data.to_vector(), bytes);
  }
  EXPECT_EQ(kept.data.to_vector(), pattern(100'000));
  publisher_.reset();
  subscription_.reset();
  EXPECT_EQ(kept.data.to_vector(), pattern(100'000));
}

}  // namespace
