// Who shares a topic must share its type: its name, its definition, and where memory is shared its layout. Each side is
// in a context of its own, as a middleware may know only one type per topic within one.
#include "conformance.hpp"

namespace conformance {
namespace {

class Types : public Conformance {
 protected:
  /// Two that agree deliver beside `stranger`, which is of another type and hears nothing of it; while they are there
  /// somebody says these words.
  void expect_apart(Subscription & stranger, const std::vector<std::string> & words) {
    const std::string name = topic();
    const auto pub = publisher(name, keep_last(1));
    const auto right = subscription(name, keep_last(1));
    ASSERT_TRUE(matched(*pub, *right));
    ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
    EXPECT_EQ(take_values(*right, 1), range(1, 1));
    EXPECT_EQ(stranger.publisher_count(), 0u);
    EXPECT_FALSE(
        stranger.take());  // it may be woken for nothing, where the middleware delivers and the adapter refuses
    EXPECT_TRUE(says(words));
  }

  std::shared_ptr<Subscription> stranger(const tandem::MessageType & type) {
    return other_context_->create_subscription(type, options_of(topic(), keep_last(1)));
  }

  /// Whether all of these words come to be said.
  testing::AssertionResult says(const std::vector<std::string> & words) {
    for (const std::string & word : words) {
      if (!eventually([&] { return said_.text().find(word) != std::string::npos; })) {
        return testing::AssertionFailure() << '\'' << word << "' was not said, but: " << said_.text();
      }
    }
    return testing::AssertionSuccess();
  }

  std::shared_ptr<Context> other_context_ = new_context();
  CapturedStderr said_;
};

TEST_F(Types, OtherNameIsNoMatch) {
  const auto sub = stranger(small_with_other_name());
  expect_apart(*sub, {topic(), "conformance/msg/Small", "conformance/msg/Tiny"});
}

TEST_F(Types, OtherDefinitionIsNoMatch) {
  NEEDS(Feature::kTypeHash);
  const auto sub = stranger(small_with_other_hash());
  expect_apart(*sub, {topic(), "conformance/msg/Small", "RIHS01_0102030", "RIHS01_0102040"});
}

// Where messages travel as CDR, the layout in memory does not matter.
TEST_F(Types, OtherLayoutIsNoMatchOrIsConverted) {
  const auto sub = stranger(small_with_other_abi());
  if (has(Feature::kVariableLoans)) {
    expect_apart(*sub, {topic(), "ABI"});
    return;
  }
  const auto pub = publisher(topic(), keep_last(1));
  const auto right = subscription(topic(), keep_last(1));
  ASSERT_TRUE(eventually([&] { return right->publisher_count() == 1; }));
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 1 + sub->publisher_count(); }));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_EQ(take_values(*right, 1), range(1, 1));
  while (const Sample sample = sub->take()) {
    EXPECT_EQ(value_of(sample), 1u);
  }
}

}  // namespace
}  // namespace conformance
