#include "conformance.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "../../tandem_transport/test/transport_test.hpp"
#include "tandem/plugin.hpp"

namespace conformance {
namespace {

transport::Transport * chosen = nullptr;

constexpr std::array<std::uint8_t, 32> kSmallHash = {1, 2, 3};
constexpr std::array<std::uint8_t, 32> kOtherHash = {1, 2, 4};

using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;
using tandem::kUnbounded;

constexpr Field number(const char * name, std::size_t offset) {
  return {name, FieldKind::kUint64, FieldShape::kSingle, offset, 1, kUnbounded, nullptr, nullptr};
}
constexpr Field kSmallFields[] = {number("value", offsetof(Small, value)), number("inverse", offsetof(Small, inverse))};
constexpr Field kLargeFields[] = {
    {"words", FieldKind::kUint64, FieldShape::kArray, 0, Large{}.words.size(), kUnbounded, nullptr, nullptr}};

tandem::MessageType small_type(const char * name, const std::array<std::uint8_t, 32> & hash, std::uint64_t abi_change) {
  tandem::MessageType type = tandem::detail::make_message_type<Small>({name, hash, kSmallFields, 2});
  type.abi ^= abi_change;
  return type;
}

}  // namespace

template <>
const tandem::MessageType & type_of<Small>() {
  static const auto type = small_type("conformance/msg/Small", kSmallHash, 0);
  return type;
}

template <>
const tandem::MessageType & type_of<Large>() {
  static const auto type = tandem::detail::make_message_type<Large>({"conformance/msg/Large", {9}, kLargeFields, 1});
  return type;
}

const tandem::MessageType & small_with_other_name() {
  static const auto type = small_type("conformance/msg/Tiny", kSmallHash, 0);
  return type;
}
const tandem::MessageType & small_with_other_hash() {
  static const auto type = small_type("conformance/msg/Small", kOtherHash, 0);
  return type;
}
const tandem::MessageType & small_with_other_abi() {
  static const auto type = small_type("conformance/msg/Small", kSmallHash, 1);
  return type;
}

template <>
const tandem::MessageType & type_of<Report>() {
  return tandem::message_type<Report>();
}

void fill(Small & message, std::uint64_t value) {
  message.value = value;
  message.inverse = ~value;
}
void fill(Large & message, std::uint64_t value) { std::iota(message.words.begin(), message.words.end(), value); }
bool holds(const Small & message, std::uint64_t value) { return message.value == value && message.inverse == ~value; }
bool holds(const Large & message, std::uint64_t value) {
  return std::all_of(message.words.begin(), message.words.end(),
                     [&value](std::uint64_t word) { return word == value++; });
}

// What a report holds, and how much of it, follows from its value; it shrinks and grows from one to the next.
void fill(Report & message, std::uint64_t value) {
  message.header.stamp.sec = static_cast<std::int32_t>(value);
  message.header.frame_id = "frame " + std::to_string(value);
  message.status.resize(value * 7 % 5);
  for (std::size_t i = 0; i < message.status.size(); ++i) {
    auto & status = message.status[i];
    status.name = "component " + std::to_string(value + i);
    status.message = std::string((value * 37 + i) % 200, 'm');
    status.values.resize((value + i) % 4);
    for (std::size_t j = 0; j < status.values.size(); ++j) {
      status.values[j].key = std::string(j * 20, 'k');
      status.values[j].value = std::to_string(value * j);
    }
  }
}
bool holds(const Report & message, std::uint64_t value) {
  Report expected;
  fill(expected, value);
  return message == expected;
}

bool eventually(const std::function<bool()> & condition) { return tandem::test::eventually(condition, patience); }

Qos keep_last(std::uint32_t depth) {
  Qos qos;
  qos.depth = depth;
  return qos;
}
Qos keep_all(std::chrono::nanoseconds max_blocking_time) {
  Qos qos;
  qos.history = History::kKeepAll;
  qos.max_blocking_time = max_blocking_time;
  return qos;
}
Qos transient_local(Qos qos) {
  qos.durability = Durability::kTransientLocal;
  return qos;
}
Qos best_effort(Qos qos) {
  qos.reliability = Reliability::kBestEffort;
  return qos;
}

transport::TopicOptions options_of(const std::string & topic, const Qos & qos) {
  return {{"/", "conformance"}, topic, qos};
}

transport::Transport & transport_under_test() { return *chosen; }
void choose_transport(const std::string & name) { chosen = &transport::load(name); }
std::shared_ptr<Context> new_context(std::uint32_t domain) { return chosen->create_context(domain); }

CapturedStderr::CapturedStderr() : file_(std::tmpfile()), saved_(dup(2)) { dup2(fileno(file_), 2); }
CapturedStderr::~CapturedStderr() {
  dup2(saved_, 2);
  close(saved_);
  if (testing::Test::HasFailure()) {
    std::fputs(text().c_str(), stderr);
  }
  std::fclose(file_);
}
std::string CapturedStderr::text() const {
  std::string text;
  char part[4096];
  ssize_t size = 0;
  while ((size = pread(fileno(file_), part, sizeof part, static_cast<off_t>(text.size()))) > 0) {
    text.append(part, static_cast<std::size_t>(size));
  }
  return text;
}

std::string Conformance::topic(const std::string & name) {
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  return "/" + test + "/" + name;
}

testing::AssertionResult matched(const Publisher & publisher, const Subscription & subscription) {
  if (eventually([&] { return publisher.subscription_count() == 1 && subscription.publisher_count() == 1; })) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "the publisher has " << publisher.subscription_count()
                                     << " subscriptions, the subscription " << subscription.publisher_count()
                                     << " publishers";
}

Sample take_one(Subscription & subscription) {
  Sample sample;
  EXPECT_TRUE(eventually([&] { return static_cast<bool>(sample = subscription.take()); })) << "no message came";
  return sample;
}

std::vector<std::uint64_t> take_values(Subscription & subscription, std::size_t count) {
  std::vector<std::uint64_t> values;
  eventually([&] {
    while (values.size() < count) {
      const Sample sample = subscription.take();
      if (!sample) {
        return false;
      }
      values.push_back(value_of(sample));
    }
    return true;
  });
  return values;
}

std::vector<std::uint64_t> take_until(Subscription & subscription, std::uint64_t last) {
  std::vector<std::uint64_t> values;
  eventually([&] {
    while (const Sample sample = subscription.take()) {
      values.push_back(value_of(sample));
    }
    return !values.empty() && values.back() == last;
  });
  return values;
}

std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> values(last + 1 - first);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace conformance
