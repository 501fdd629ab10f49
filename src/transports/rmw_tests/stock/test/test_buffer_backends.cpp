// Buffers of other back-ends than Tandem's: their descriptors go over, and the bytes stay where they are.
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "buffer_backends.hpp"
#include "buffer_descriptors.hpp"
#include "buffer_fixture.hpp"
#include "message_object.hpp"
#include "native_operations.hpp"
#include "rosidl_buffer_backend_registry/buffer_backend_registry.hpp"
#include "tandem/detail/relative_storage.hpp"

namespace {

using rosidl::BufferImplBase;
using tandem::transport::Gid;

/// Memory that the CPU cannot reach, but by a copy.
struct Device {
  std::map<std::string, Bytes> memory;  ///< by names
  int copies = 0;                       ///< to the CPU
};
Device device;

class RemoteImpl : public BufferImplBase<std::uint8_t> {
 public:
  explicit RemoteImpl(std::string name) : name_(std::move(name)) {}
  const std::string & name() const { return name_; }
  std::string get_backend_type() const override { return "remote"; }
  std::size_t size() const override { return device.memory.at(name_).size(); }
  std::unique_ptr<BufferImplBase> to_cpu() const override {
    ++device.copies;
    auto copy = std::make_unique<rosidl::CpuBufferImpl<std::uint8_t>>();
    copy->get_storage() = device.memory.at(name_);
    return copy;
  }
  std::unique_ptr<BufferImplBase> clone() const override { return std::make_unique<RemoteImpl>(name_); }

 private:
  std::string name_;
};

Gid gid_of(const rmw_topic_endpoint_info_t & info) {
  Gid gid;
  std::memcpy(gid.data(), info.endpoint_gid, gid.size());
  return gid;
}

class RemoteBackend : public rosidl::BufferBackend {
 public:
  using Descriptor = std_msgs::msg::String;

  std::string get_backend_type() const override { return "remote"; }
  std::string get_backend_metadata() const override { return "device=0;name"; }
  const rosidl_message_type_support_t * get_descriptor_type_support() const override {
    return type_support<Descriptor>();
  }
  std::shared_ptr<void> create_empty_descriptor() const override { return std::make_shared<Descriptor>(); }
  std::shared_ptr<void> create_descriptor_with_endpoint(const void * impl,
                                                        const rmw_topic_endpoint_info_t & info) const override {
    EXPECT_EQ(info.endpoint_type, RMW_ENDPOINT_SUBSCRIPTION);
    if (refused.count(gid_of(info)) != 0) return nullptr;
    auto descriptor = std::make_shared<Descriptor>();
    descriptor->data = static_cast<const RemoteImpl *>(static_cast<const BufferImplBase<std::uint8_t> *>(impl))->name();
    descriptor->data.append(padding, ' ');
    return descriptor;
  }
  std::unique_ptr<void, void (*)(void *)> from_descriptor_with_endpoint(
      const void * descriptor, const rmw_topic_endpoint_info_t & info) const override {
    EXPECT_EQ(info.endpoint_type, RMW_ENDPOINT_PUBLISHER);
    EXPECT_EQ(discovered.count(gid_of(info)), 1u);
    const std::string & name = static_cast<const Descriptor *>(descriptor)->data;
    if (device.memory.count(name) == 0) throw std::runtime_error("no memory named " + name);
    BufferImplBase<std::uint8_t> * const made = new RemoteImpl(name);
    return {made, [](void * impl) { delete static_cast<BufferImplBase<std::uint8_t> *>(impl); }};
  }
  void on_creating_endpoint(const rmw_topic_endpoint_info_t & info) const override { created.insert(gid_of(info)); }
  std::pair<bool, std::vector<std::set<std::uint32_t>>> on_discovering_endpoint(
      const rmw_topic_endpoint_info_t & info, const std::vector<rmw_topic_endpoint_info_t> & existing,
      const std::unordered_map<std::string, std::string> & backends) override {
    EXPECT_EQ(backends.at("remote"), "device=0;name");
    for (const auto & known : existing) EXPECT_EQ(discovered.count(gid_of(known)), 1u);
    const bool is_new = discovered.insert(gid_of(info)).second;
    EXPECT_TRUE(is_new || info.endpoint_type == RMW_ENDPOINT_PUBLISHER);  // which each subscription discovers
    return {incompatible.count(gid_of(info)) == 0, {}};
  }

  mutable std::set<Gid> created;
  std::set<Gid> discovered;
  std::set<Gid> incompatible;
  std::set<Gid> refused;
  std::size_t padding = 0;
};

std::shared_ptr<RemoteBackend> remote;

// The tests are their own plug-ins: one that works, and two that do not.
const bool are_installed = [] {
  auto & plugins = rosidl_buffer_backend_registry::BufferBackendRegistry::plugins();
  plugins["a plug-in that throws"] = []() -> std::shared_ptr<rosidl::BufferBackend> {
    throw std::runtime_error("its library is missing");
  };
  plugins["a plug-in without an instance"] = [] { return nullptr; };
  plugins["the remote one"] = [] { return remote = std::make_shared<RemoteBackend>(); };
  return true;
}();

Frame remote_frame(const std::string & name, const Bytes & bytes) {
  device.memory[name] = bytes;
  return {Buffer(std::make_unique<RemoteImpl>(name))};
}

class BufferBackends : public BufferTopics {
 protected:
  void SetUp() override {
    ASSERT_TRUE(are_installed);
    BufferTopics::SetUp();
    device = {};
    publisher_ = advertise();
    remote->incompatible.clear();
    remote->refused.clear();
    remote->padding = 0;
  }
  void TearDown() override {
    publisher_.reset();
    BufferTopics::TearDown();
  }
  void publish(const std::string & name, std::size_t size = 1'000) {
    BufferTopics::publish(*publisher_, remote_frame(name, pattern(size)));
  }
  /// The next message has the bytes in this back-end's memory.
  void expect_taken(tandem_rmw::Subscription & subscription, const char * backend, std::size_t size = 1'000) {
    Frame frame;
    ASSERT_TRUE(eventually([&] { return take(subscription, frame); }));
    EXPECT_EQ(frame.data.get_backend_type(), backend);
    const int copies = device.copies;
    EXPECT_EQ(frame.data.to_vector(), pattern(size));
    device.copies = copies;
  }

  std::unique_ptr<Publisher> publisher_;
};

TEST_F(BufferBackends, GiveDescriptorsToThoseWhoAcceptThem) {
  const auto subscription = subscribe("cpu, remote", publisher_.get(), 1);
  for (const std::size_t size : {1'000, 0, 100'000, 7}) {
    publish("frame", size);
    expect_taken(*subscription, "remote", size);
  }
  EXPECT_EQ(device.copies, 0);
  const Gid own = publisher_->native->gid();
  const Gid other = subscription->native->gid();
  EXPECT_EQ(remote->created.count(own) + remote->created.count(other), 2u);
  EXPECT_EQ(remote->discovered.count(own) + remote->discovered.count(other), 2u);
}

TEST_F(BufferBackends, GiveBytesToTheOthers) {
  const auto accepting = subscribe("any", publisher_.get(), 1);
  const auto native = subscribe(nullptr, publisher_.get(), 2);
  publish("first");
  expect_taken(*accepting, "remote");
  expect_taken(*native, "cpu");
  EXPECT_EQ(device.copies, 1);
}

TEST_F(BufferBackends, OfAnotherNameGetBytes) {
  const auto subscription = subscribe("tandem,cuda", publisher_.get(), 1);
  publish("frame");
  expect_taken(*subscription, "cpu");
}

TEST_F(BufferBackends, MayRefuseASubscription) {
  const auto first = subscribe("remote", publisher_.get(), 1);
  const auto second = subscribe("remote", publisher_.get(), 2);
  remote->refused.insert(first->native->gid());
  publish("one");
  expect_taken(*first, "cpu");
  expect_taken(*second, "remote");
  remote->refused.clear();
  publish("two");
  expect_taken(*first, "remote");
  expect_taken(*second, "remote");
  EXPECT_EQ(device.copies, 1);
}

TEST_F(BufferBackends, MayBeIncompatibleWithASubscription) {
  tandem_rmw::Subscription * made = nullptr;
  const auto subscription = subscribe("remote", publisher_.get(), 1);
  made = subscription.get();
  remote->incompatible.insert(made->native->gid());
  publish("one");
  expect_taken(*made, "cpu");
}

TEST_F(BufferBackends, SubscriptionsComeAndGo) {
  auto first = subscribe("remote", publisher_.get(), 1);
  publish("one");
  expect_taken(*first, "remote");
  auto native = subscribe(nullptr, publisher_.get(), 2);
  publish("two");
  expect_taken(*first, "remote");
  expect_taken(*native, "cpu");
  native.reset();
  ASSERT_TRUE(eventually([&] { return publisher_->native->subscription_count() == 1; }));
  device.copies = 0;
  publish("three");
  expect_taken(*first, "remote");
  EXPECT_EQ(device.copies, 0);
  first.reset();
  ASSERT_TRUE(eventually([&] { return publisher_->native->subscription_count() == 0; }));
  publish("nobody reads it");
  EXPECT_EQ(device.copies, 0);
}

TEST_F(BufferBackends, HistoryHasBytes) {
  publisher_.reset();
  options_.qos.durability = tandem::Durability::kTransientLocal;
  publisher_ = advertise();
  const auto early = subscribe("remote", publisher_.get(), 1);
  publish("frame");
  expect_taken(*early, "remote");
  const auto late = subscribe("remote", publisher_.get(), 2);
  expect_taken(*late, "cpu");
}

TEST_F(BufferBackends, MessagesForOthersAreLeftOut) {
  const auto subscription = subscribe("remote", publisher_.get(), 1);
  const auto loan = [&](bool has_bytes, const Gid & whose) {
    auto message = publisher_->native->borrow();
    void * const sequence = static_cast<char *>(message.data()) + frame_type().steps.front().native_offset;
    std::string descriptors = tandem_rmw::begin_descriptors(has_bytes);
    tandem_rmw::add(descriptors, {whose, "remote", "\0\1\0\0\0\0\0\0"});
    tandem_rmw::set_bytes(sequence, "abc", has_bytes ? 3 : 0, descriptors);
    return message;
  };
  publisher_->native->publish(loan(false, Gid{1}));
  publisher_->native->publish(loan(true, Gid{1}));
  Frame frame;
  ASSERT_TRUE(eventually([&] { return take(*subscription, frame); }));
  EXPECT_EQ(frame.data.to_vector(), (Bytes{'a', 'b', 'c'}));
  EXPECT_FALSE(take(*subscription, frame));
}

TEST_F(BufferBackends, ErrorsOfABackEndAreTold) {
  const auto subscription = subscribe("remote", publisher_.get(), 1);
  publish("gone");
  device.memory.clear();
  Frame frame;
  try {
    eventually([&] { return take(*subscription, frame); });
    FAIL() << "no error";
  } catch (const std::runtime_error & error) {
    EXPECT_STREQ(error.what(), "no memory named gone");
  }
  remote->padding = rosidl::kMaxBufferDescriptorSize;
  try {
    publish("too long");
    FAIL() << "no error";
  } catch (const std::runtime_error & error) {
    EXPECT_NE(std::string(error.what()).find("of at most 4096"), std::string::npos) << error.what();
  }
  remote->padding = 0;
  publish("good");
  expect_taken(*subscription, "remote");
}

TEST_F(BufferBackends, AreReadForSerializedMessages) {
  const auto subscription = subscribe("remote", publisher_.get(), 1);
  publish("frame", 5);
  rmw_subscription_t handle{};
  handle.implementation_identifier = rmw_get_implementation_identifier();
  handle.data = static_cast<tandem_rmw::HasInbox *>(subscription.get());
  rmw_serialized_message_t serialized = rmw_get_zero_initialized_serialized_message();
  const rcutils_allocator_t allocator = rcutils_get_default_allocator();
  ASSERT_OK(rmw_serialized_message_init(&serialized, 0, &allocator));
  bool taken = false;
  ASSERT_TRUE(eventually([&] {
    EXPECT_OK(rmw_take_serialized_message(&handle, &serialized, &taken, nullptr));
    return taken;
  }));
  const std::string cdr(reinterpret_cast<const char *>(serialized.buffer), serialized.buffer_length);
  EXPECT_NE(cdr.find("\1\2\3\4\5"), std::string::npos);
  EXPECT_OK(rmw_serialized_message_fini(&serialized));
}

// ---- descriptors in messages ---------------------------------------------------------------------------------------

TEST(BufferDescriptors, AreFoundByTheirSubscription) {
  std::string text = tandem_rmw::begin_descriptors(false);
  EXPECT_FALSE(tandem_rmw::has_bytes(text));
  EXPECT_TRUE(tandem_rmw::has_bytes(tandem_rmw::begin_descriptors(true)));
  EXPECT_TRUE(tandem_rmw::has_bytes(""));
  tandem_rmw::add(text, {Gid{1}, "remote", "one"});
  tandem_rmw::add(text, {Gid{2}, "", ""});
  tandem_rmw::add(text, {Gid{3}, "cuda", std::string_view("\0three", 6)});
  EXPECT_EQ(tandem_rmw::find(text, Gid{1})->message, "one");
  EXPECT_EQ(tandem_rmw::find(text, Gid{2})->backend, "");
  EXPECT_EQ(tandem_rmw::find(text, Gid{3})->message, std::string_view("\0three", 6));
  EXPECT_FALSE(tandem_rmw::find(text, Gid{4}));
  EXPECT_FALSE(tandem_rmw::find("", Gid{1}));
}

TEST(BufferDescriptors, OfAnyLengthAreReadWithinTheirText) {
  std::string text = tandem_rmw::begin_descriptors(false);
  tandem_rmw::add(text, {Gid{1}, "remote", "one"});
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string part = text.substr(0, size);  // of its own, so that sanitizers see what is read behind it
    EXPECT_FALSE(tandem_rmw::find(part, Gid{1})) << size;
  }
  for (std::size_t at = 1; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = '\xff';
    static_cast<void>(tandem_rmw::find(damaged, Gid{1}));
  }
}

TEST(BufferDescriptors, EndWithTheBytes) {
  tandem::oracle::MessageObject native(frame_type().native);
  void * const sequence = static_cast<char *>(native.get()) + frame_type().steps.front().native_offset;
  const tandem::Field & field = *frame_type().steps.front().field;
  EXPECT_EQ(tandem_rmw::attachment_of(sequence), "");
  const auto attach = [&](std::size_t size) {
    const Bytes bytes = pattern(size);
    tandem_rmw::set_bytes(sequence, bytes.data(), size, "attachment");
    EXPECT_EQ(tandem_rmw::attachment_of(sequence), "attachment");
    const tandem::detail::RawContainer own(sequence);
    ASSERT_EQ(own.used_bytes(), size);
    EXPECT_TRUE(size == 0 || std::memcmp(own.data(), bytes.data(), size) == 0);
  };
  for (const std::size_t size : {0, 1, 7, 8, 9, 100'000}) {
    attach(size);
    tandem_rmw::set_size(sequence, size, 1);
    EXPECT_EQ(tandem_rmw::attachment_of(sequence), "") << size;
    attach(size);
    field.resize(sequence, size);
    EXPECT_EQ(tandem_rmw::attachment_of(sequence), "") << size;
    attach(size);
    // A copy has it, too: a reader may copy what it keeps for long.
    tandem::oracle::MessageObject copy(frame_type().native);
    frame_type().native.assign(copy.get(), native.get());
    void * const copied = static_cast<char *>(copy.get()) + frame_type().steps.front().native_offset;
    EXPECT_EQ(tandem_rmw::attachment_of(copied), "attachment");
    EXPECT_EQ(tandem::detail::RawContainer(copied).used_bytes(), size);
  }
}

}  // namespace
