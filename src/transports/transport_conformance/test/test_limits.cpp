// What a transport declares to lack does no harm: what is asked for is refused with a sentence that names the topic, or
// is done as well as it goes, but never half.
#include <algorithm>
#include <optional>
#include <set>

#include "conformance.hpp"

namespace conformance {
namespace {

class Limits : public Conformance {
 protected:
  /// What `make` makes, or nothing when that is refused properly.
  template <class Make>
  static auto unless_refused(const Make & make) -> decltype(make()) {
    try {
      return make();
    } catch (const transport::Error & error) {
      EXPECT_NE(std::string(error.what()).find(topic()), std::string::npos) << error.what();
      return nullptr;
    }
  }

  /// A pair that the transport may refuse. \return whether it is there.
  bool make_pair(const Qos & offered, const Qos & requested) {
    pub_ = unless_refused([&] { return publisher(topic(), offered); });
    sub_ = unless_refused([&] { return subscription(topic(), requested); });
    return pub_ != nullptr && sub_ != nullptr;
  }

  std::shared_ptr<Publisher> pub_;
  std::shared_ptr<Subscription> sub_;
};

/// Where the transport has the feature, other tests look at it.
#define ONLY_WITHOUT(feature) \
  if (has(feature)) {         \
    return;                   \
  }

TEST_F(Limits, AreSane) {
  std::set<Feature> seen;
  for (const transport::Limit & limit : transport_under_test().limits()) {
    EXPECT_TRUE(seen.insert(limit.feature).second) << "twice: " << limit.reason;
    const std::string reason = limit.reason;
    EXPECT_GE(reason.size(), 10u);
    EXPECT_EQ(reason.find_first_of("\n|"), std::string::npos) << "it becomes a line of a table: " << reason;
    EXPECT_NE(reason.back(), '.') << "a half sentence: " << reason;
  }
  EXPECT_TRUE(has(Feature::kLoans) || !has(Feature::kVariableLoans));
  EXPECT_TRUE(has(Feature::kReliable) || !has(Feature::kKeepAll));
  EXPECT_TRUE(has(Feature::kOtherHosts) || !has(Feature::kRosWire));
}

TEST_F(Limits, WithoutLoansALoanIsCopied) {
  ONLY_WITHOUT(Feature::kLoans);
  ASSERT_TRUE(make_pair(keep_last(5), keep_last(5)));
  EXPECT_FALSE(pub_->can_loan());
  ASSERT_TRUE(matched(*pub_, *sub_));
  auto loan = pub_->borrow();
  ASSERT_TRUE(loan);
  fill(*static_cast<Small *>(loan.data()), 3);
  ASSERT_EQ(pub_->publish(std::move(loan)), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub_, 1), range(3, 3));
  EXPECT_GT(pub_->copied() + sub_->copied(), 0u) << "a copy that is not counted";
}

TEST_F(Limits, WithoutVariableLoansOnlyFixedSizesAreLent) {
  ONLY_WITHOUT(Feature::kVariableLoans);
  EXPECT_FALSE(publisher<Report>(topic(), keep_last(5))->can_loan());
}

/// Whole, in order and without repetition.
void expect_sound(const std::vector<std::uint64_t> & values) {
  EXPECT_EQ(std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()), values.end());
}

TEST_F(Limits, WithoutReliabilityWhatComesIsSound) {
  ONLY_WITHOUT(Feature::kReliable);
  if (!make_pair(keep_last(10), keep_last(10))) {
    return;
  }
  ASSERT_TRUE(matched(*pub_, *sub_));
  std::vector<std::uint64_t> values;
  std::uint64_t next = 0;
  EXPECT_TRUE(eventually([&] {
    EXPECT_EQ(publish(*pub_, next++), PublishResult::kOk);
    while (const Sample sample = sub_->take()) {
      values.push_back(value_of(sample));
    }
    return values.size() > 100;
  }));
  expect_sound(values);
}

TEST_F(Limits, WithoutKeepAllNobodyHangsAndLossesAreCounted) {
  ONLY_WITHOUT(Feature::kKeepAll);
  if (!make_pair(keep_all(std::chrono::milliseconds(1)), keep_all())) {
    return;
  }
  ASSERT_TRUE(matched(*pub_, *sub_));
  std::uint64_t count = 0;
  for (int i = 0; i < 5000; ++i) {
    const PublishResult result = publish(*pub_, count);
    ASSERT_TRUE(result == PublishResult::kOk || result == PublishResult::kTimeout) << to_string(result);
    count += result == PublishResult::kOk ? 1 : 0;
  }
  std::vector<std::uint64_t> values;
  const auto take_all = [&] {
    while (const Sample sample = sub_->take()) {
      values.push_back(value_of(sample));
    }
    return values.size() + sub_->lost() == count;
  };
  if (has(Feature::kAttribution)) {
    EXPECT_TRUE(eventually(take_all)) << values.size() << " taken, " << sub_->lost() << " lost of " << count;
  } else {
    take_all();
  }
  expect_sound(values);
}

TEST_F(Limits, WithoutTransientLocalALateJoinerGetsAtLeastTheNew) {
  ONLY_WITHOUT(Feature::kTransientLocal);
  pub_ = unless_refused([&] { return publisher(topic(), transient_local(keep_last(5))); });
  if (pub_ == nullptr) {
    return;
  }
  ASSERT_EQ(publish(*pub_, 0), PublishResult::kOk);
  sub_ = unless_refused([&] { return subscription(topic(), transient_local(keep_last(5))); });
  if (sub_ == nullptr) {
    return;
  }
  ASSERT_TRUE(matched(*pub_, *sub_));
  ASSERT_EQ(publish(*pub_, 1), PublishResult::kOk);
  const auto values = take_until(*sub_, 1);
  ASSERT_FALSE(values.empty());
  EXPECT_EQ(values.back(), 1u);
  expect_sound(values);
}

TEST_F(Limits, WithoutQosMatchingAllQosMeet) {
  ONLY_WITHOUT(Feature::kQosMatching);
  if (make_pair(best_effort(keep_last(5)), keep_last(5))) {
    ASSERT_TRUE(matched(*pub_, *sub_));
    ASSERT_EQ(publish(*pub_, 1), PublishResult::kOk);
    EXPECT_EQ(take_values(*sub_, 1), range(1, 1));
  }
}

// The other definition is of the same size, so that what arrives can be looked at.
TEST_F(Limits, WithoutTypeHashAnotherDefinitionDoesNoHarm) {
  ONLY_WITHOUT(Feature::kTypeHash);
  const auto other_context = new_context();
  const auto other = unless_refused(
      [&] { return other_context->create_subscription(small_with_other_hash(), options_of(topic(), keep_last(5))); });
  ASSERT_TRUE(make_pair(keep_last(5), keep_last(5)));
  ASSERT_TRUE(eventually([&] { return pub_->subscription_count() >= 1 && sub_->publisher_count() == 1; }));
  ASSERT_EQ(publish(*pub_, 1), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub_, 1), range(1, 1));
  if (other != nullptr) {
    while (const Sample sample = other->take()) {
      value_of(sample);
    }
  }
}

TEST_F(Limits, WithoutAGraphTheSnapshotIsThereAllTheSame) {
  ONLY_WITHOUT(Feature::kGraph);
  const auto node = context_->create_node({"/", "alone"});
  ASSERT_TRUE(make_pair(keep_last(5), keep_last(5)));
  for (const transport::EndpointInfo & endpoint : context_->graph().endpoints) {
    EXPECT_FALSE(endpoint.topic.empty());
  }
}

TEST_F(Limits, WithoutAttributionMessagesArriveAllTheSame) {
  ONLY_WITHOUT(Feature::kAttribution);
  ASSERT_TRUE(make_pair(keep_last(5), keep_last(5)));
  ASSERT_TRUE(matched(*pub_, *sub_));
  EXPECT_NE(pub_->gid(), sub_->gid());
  ASSERT_EQ(publish(*pub_, 1), PublishResult::kOk);
  const Sample sample = take_one(*sub_);
  ASSERT_TRUE(sample);
  EXPECT_EQ(value_of(sample), 1u);
  EXPECT_LE(sample.info.source_timestamp,
            (std::chrono::system_clock::now().time_since_epoch() + std::chrono::seconds(1)).count());
}

TEST_F(Limits, WithoutDomainsASecondOneIsRefused) {
  ONLY_WITHOUT(Feature::kDomains);
  try {
    new_context(kOtherDomain);
    ADD_FAILURE() << "a second domain was taken";
  } catch (const transport::Error & error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(kDomain)), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(std::to_string(kOtherDomain)), std::string::npos) << error.what();
  }
  ASSERT_TRUE(make_pair(keep_last(5), keep_last(5)));
  ASSERT_TRUE(matched(*pub_, *sub_));
  ASSERT_EQ(publish(*pub_, 1), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub_, 1), range(1, 1));
}

}  // namespace
}  // namespace conformance
