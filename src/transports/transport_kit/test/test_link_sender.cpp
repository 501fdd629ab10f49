// What waits for connections without room, and what is dropped then.
#include <gtest/gtest.h>

#include <vector>

#include "tandem/kit/link_sender.hpp"

namespace tandem::transport {
namespace {

using Result = OutgoingLink::Result;

/// What a connection has got, and what it answers.
struct Wire {
  std::vector<std::uint64_t> sent;
  Result answer = Result::kSent;
};

class FakeLink final : public OutgoingLink {
 public:
  explicit FakeLink(Wire & wire) : wire_(wire) {}
  Result send(const Header & header, const std::shared_ptr<Chunk> &) override {
    if (wire_.answer == Result::kSent) {
      wire_.sent.push_back(header.sequence);
    }
    return wire_.answer;
  }

 private:
  Wire & wire_;
};

class FakeSender final : public LinkSender {
 public:
  using LinkSender::LinkSender;
  std::map<Gid, Wire *> newcomers;

 private:
  std::unique_ptr<OutgoingLink> accept(const Gid & subscription) override {
    const auto found = newcomers.find(subscription);
    return found == newcomers.end() ? nullptr : std::make_unique<FakeLink>(*found->second);
  }
};

Qos qos_of(History history, std::uint32_t depth) {
  Qos qos;
  qos.history = history;
  qos.depth = depth;
  return qos;
}

RosterEntry entry_of(std::uint8_t number, const Qos & qos) {
  RosterEntry entry;
  entry.endpoint.gid[0] = number;
  entry.endpoint.qos = qos;
  return entry;
}

constexpr std::size_t kWindow = 4;

class LinkSenderTest : public testing::Test {
 protected:
  FakeSender & open(const Qos & offered) {
    publisher_ = entry_of(1, offered);
    sender_ = std::make_unique<FakeSender>(SenderOptions{type_, publisher_, kWindow, [] {}});
    return *sender_;
  }
  void admit(Wire & wire, const Qos & wanted) {
    const RosterEntry subscription = entry_of(++last_, wanted);
    EXPECT_FALSE(sender_->admit(subscription)) << "it has not connected yet";
    sender_->newcomers[subscription.endpoint.gid] = &wire;
    EXPECT_TRUE(sender_->admit(subscription));
  }
  void send(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t sequence = first; sequence <= last; ++sequence) {
      EXPECT_EQ(sender_->send({sequence, 0}, make_heap_chunk(1), nullptr), PublishResult::kOk);
    }
  }
  static Gid gid_of(std::uint8_t number) { return entry_of(number, {}).endpoint.gid; }
  static std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t last) {
    std::vector<std::uint64_t> all;
    for (; first <= last; ++first) {
      all.push_back(first);
    }
    return all;
  }

  MessageType type_{};
  RosterEntry publisher_;
  std::unique_ptr<FakeSender> sender_;
  std::uint8_t last_ = 1;
};

TEST_F(LinkSenderTest, KeepsAsManyAsEitherEndWants) {
  FakeSender & sender = open(qos_of(History::kKeepLast, 3));
  Wire modest;
  Wire deep;
  admit(modest, qos_of(History::kKeepLast, 1));
  admit(deep, qos_of(History::kKeepLast, 7));
  modest.answer = deep.answer = Result::kLater;
  send(0, 9);
  EXPECT_FALSE(sender.is_idle());
  modest.answer = deep.answer = Result::kSent;
  sender.flush();
  EXPECT_TRUE(sender.is_idle());
  EXPECT_EQ(modest.sent, range(7, 9));
  EXPECT_EQ(deep.sent, range(3, 9));
}

TEST_F(LinkSenderTest, DropsNothingThatIsOwed) {
  FakeSender & sender = open(qos_of(History::kKeepAll, 0));
  Wire owed;
  Wire last_only;
  admit(owed, qos_of(History::kKeepAll, 0));
  admit(last_only, qos_of(History::kKeepLast, 1));
  owed.answer = last_only.answer = Result::kLater;
  send(0, 9);
  owed.answer = last_only.answer = Result::kSent;
  sender.flush();
  EXPECT_EQ(owed.sent, range(0, 9));
  EXPECT_EQ(last_only.sent, range(10 - kWindow, 9));
}

TEST_F(LinkSenderTest, NeverDropsWhatIsPartlySent) {
  FakeSender & sender = open(qos_of(History::kKeepLast, 1));
  Wire wire;
  admit(wire, qos_of(History::kKeepLast, 1));
  wire.answer = Result::kPartly;
  send(0, 5);
  wire.answer = Result::kSent;
  sender.flush();
  EXPECT_EQ(wire.sent, (std::vector<std::uint64_t>{0, 5}));
}

TEST_F(LinkSenderTest, ABrokenConnectionHoldsUpNobody) {
  FakeSender & sender = open(qos_of(History::kKeepAll, 0));
  Wire broken;
  Wire sound;
  admit(broken, qos_of(History::kKeepAll, 0));
  admit(sound, qos_of(History::kKeepAll, 0));
  broken.answer = Result::kBroken;
  send(0, 5);
  EXPECT_TRUE(sender.is_idle());
  EXPECT_EQ(sound.sent, range(0, 5));
}

TEST_F(LinkSenderTest, HistoryGoesToOneAndWhole) {
  FakeSender & sender = open(qos_of(History::kKeepLast, 2));
  Wire late;
  Wire other;
  admit(late, qos_of(History::kKeepLast, 1));
  admit(other, qos_of(History::kKeepLast, 1));
  late.answer = Result::kLater;
  for (std::uint64_t sequence = 0; sequence < 5; ++sequence) {
    sender.send_to(entry_of(2, {}).endpoint.gid, {sequence, 0}, make_heap_chunk(1));
  }
  late.answer = Result::kSent;
  sender.flush();
  EXPECT_EQ(late.sent, range(0, 4));
  EXPECT_TRUE(other.sent.empty());
  sender.dismiss(entry_of(2, {}).endpoint.gid);
  send(5, 5);
  EXPECT_EQ(late.sent, range(0, 4));
  EXPECT_EQ(other.sent, range(5, 5));
}

TEST_F(LinkSenderTest, AReplyGoesToItsClientAlone) {
  FakeSender & sender = open(qos_of(History::kKeepLast, 2));
  Wire one;
  Wire other;
  admit(one, qos_of(History::kKeepLast, 2));
  const Gid first = gid_of(last_);
  admit(other, qos_of(History::kKeepLast, 2));
  one.answer = Result::kLater;
  for (std::uint64_t sequence = 0; sequence < 5; ++sequence) {
    EXPECT_EQ(sender.send({sequence, 0}, make_heap_chunk(1), &first), PublishResult::kOk);
  }
  const Gid nobody{0xff};
  EXPECT_EQ(sender.send({5, 0}, make_heap_chunk(1), &nobody), PublishResult::kOk);
  one.answer = Result::kSent;
  sender.flush();
  EXPECT_EQ(one.sent, range(3, 4)) << "as many wait as the depth says";
  EXPECT_TRUE(other.sent.empty());
}

}  // namespace
}  // namespace tandem::transport
