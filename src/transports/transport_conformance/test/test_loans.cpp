// Loans, moved messages, and samples that are kept.
#include <cstring>

#include "conformance.hpp"

namespace conformance {
namespace {

/// Far more than any pool has.
constexpr int kPlenty = 100'000;

TEST_F(Conformance, LoanIsConstructedAndArrives) {
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  auto loan = pub->borrow();
  ASSERT_TRUE(loan);
  EXPECT_TRUE(holds(*static_cast<Small *>(loan.data()), kDefaultValue));
  for (std::uint64_t value = 0; value < 100; ++value) {
    fill(*static_cast<Small *>(loan.data()), value);
    ASSERT_EQ(pub->publish(std::move(loan)), PublishResult::kOk);
    ASSERT_EQ(take_values(*sub, 1), range(value, value));
    loan = pub->borrow();
    ASSERT_TRUE(loan);
  }
}

TEST_F(Conformance, LoansAreNotCopied) {
  NEEDS(Feature::kLoans);
  const auto pub = publisher(topic(), keep_last(10));
  const auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  EXPECT_TRUE(pub->can_loan());
  for (std::uint64_t value = 0; value < 100; ++value) {
    auto loan = pub->borrow();
    ASSERT_TRUE(loan);
    fill(*static_cast<Small *>(loan.data()), value);
    ASSERT_EQ(pub->publish(std::move(loan)), PublishResult::kOk);
    ASSERT_EQ(take_values(*sub, 1), range(value, value));
  }
  EXPECT_EQ(pub->copied() + sub->copied(), 0u);
}

TEST_F(Conformance, DroppedLoanIsFreeAtOnce) {
  const auto pub = publisher<Large>(topic(), keep_last(1));
  for (int i = 0; i < 200; ++i) {
    const auto loan = pub->borrow();
    ASSERT_TRUE(loan) << "after " << i;
  }
  EXPECT_EQ(pub->failed_borrows(), 0u);
}

TEST_F(Conformance, ExhaustedPoolIsANullAtOnce) {
  const auto pub = publisher(topic(), keep_last(1));
  const auto sub = subscription(topic(), keep_last(1));
  ASSERT_TRUE(matched(*pub, *sub));
  std::vector<Loan> loans;
  while (loans.size() < kPlenty) {
    auto loan = pub->borrow();
    if (!loan) {
      break;
    }
    loans.push_back(std::move(loan));
  }
  ASSERT_LT(loans.size(), static_cast<std::size_t>(kPlenty));
  ASSERT_GE(loans.size(), 1u);
  EXPECT_EQ(pub->failed_borrows(), 1u);
  EXPECT_FALSE(pub->borrow());
  EXPECT_EQ(pub->failed_borrows(), 2u);
  loans.pop_back();
  EXPECT_TRUE(pub->borrow());
  // The exhausted pool does no harm to what is out.
  fill(*static_cast<Small *>(loans.back().data()), 9);
  ASSERT_EQ(pub->publish(std::move(loans.back())), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(9, 9));
}

TEST_F(Conformance, InvalidLoansAreRefused) {
  const auto pub = publisher(topic(), keep_last(5));
  const auto other = publisher(topic(), keep_last(5));
  const auto sub = subscription(topic(), keep_last(5));
  ASSERT_TRUE(eventually([&] { return sub->publisher_count() == 2; }));
  EXPECT_EQ(pub->publish(Loan()), PublishResult::kInvalidLoan);
  EXPECT_EQ(pub->publish(other->borrow()), PublishResult::kInvalidLoan);
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 1; }));
  ASSERT_EQ(publish(*pub, 1), PublishResult::kOk);
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
  EXPECT_FALSE(sub->take());
}

TEST_F(Conformance, LoanMayOutliveItsPublisher) {
  auto pub = publisher(topic(), keep_last(5));
  const auto loan = pub->borrow();
  ASSERT_TRUE(loan);
  pub.reset();
  fill(*static_cast<Small *>(loan.data()), 1);
  const auto next = publisher(topic(), keep_last(5));
  EXPECT_EQ(next->publish(static_cast<const void *>(nullptr)), PublishResult::kInvalidLoan);
}

TEST_F(Conformance, OwnedMessageIsTakenOrLeft) {
  const auto pub = publisher(topic(), keep_last(5));
  const auto sub = subscription(topic(), keep_last(5));
  ASSERT_TRUE(matched(*pub, *sub));
  for (std::uint64_t value = 0; value < 100; ++value) {
    auto message = tandem::make_message(type_of<Small>());
    fill(*static_cast<Small *>(message.get()), value);
    ASSERT_EQ(pub->publish(message), PublishResult::kOk);
    EXPECT_TRUE(!message || !has(Feature::kVariableLoans)) << "a transport that shares every message takes this one";
    ASSERT_EQ(take_values(*sub, 1), range(value, value));
  }
}

TEST_F(Conformance, OwnedMessageFromElsewhereIsCopied) {
  const auto pub = publisher(topic(), keep_last(5));
  const auto sub = subscription(topic(), keep_last(5));
  ASSERT_TRUE(matched(*pub, *sub));
  Small on_the_stack;
  fill(on_the_stack, 4);
  tandem::OwnedMessage message(&on_the_stack, {&type_of<Small>()});
  EXPECT_EQ(pub->publish(message), PublishResult::kOk);
  ASSERT_EQ(message.release(), &on_the_stack);
  EXPECT_EQ(take_values(*sub, 1), range(4, 4));
}

TEST_F(Conformance, PublishedMessageIsApartFromTheCallersCopy) {
  const auto pub = publisher(topic(), keep_last(5));
  const auto sub = subscription(topic(), keep_last(5));
  ASSERT_TRUE(matched(*pub, *sub));
  Small message;
  fill(message, 1);
  ASSERT_EQ(pub->publish(&message), PublishResult::kOk);
  fill(message, 2);
  EXPECT_EQ(take_values(*sub, 1), range(1, 1));
}

TEST_F(Conformance, KeptSamplesOutliveEverything) {
  auto pub = publisher(topic(), keep_last(10));
  auto sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*pub, *sub));
  std::vector<Sample> kept;
  for (std::uint64_t value = 0; value < 5; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk);
    kept.push_back(take_one(*sub));
    ASSERT_TRUE(kept.back());
  }
  sub.reset();
  pub.reset();
  // Others use the memory meanwhile.
  const auto next_pub = publisher(topic(), keep_last(10));
  const auto next_sub = subscription(topic(), keep_last(10));
  ASSERT_TRUE(matched(*next_pub, *next_sub));
  for (std::uint64_t value = 100; value < 200; ++value) {
    ASSERT_EQ(publish(*next_pub, value), PublishResult::kOk);
    ASSERT_EQ(take_values(*next_sub, 1), range(value, value));
  }
  for (std::uint64_t value = 0; value < kept.size(); ++value) {
    EXPECT_EQ(value_of(kept[value]), value);
  }
  const std::shared_ptr<const Small> alias(kept[3].keeper, static_cast<const Small *>(kept[3].message));
  kept.clear();
  EXPECT_TRUE(holds(*alias, 3));
}

TEST_F(Conformance, KeepingManySamplesCostsOthersNothing) {
  constexpr std::uint64_t kKept = 300;
  const auto pub = publisher(topic(), keep_last(5));
  const auto greedy = subscription(topic(), keep_last(5));
  const auto other = subscription(topic(), keep_last(5));
  ASSERT_TRUE(eventually([&] { return pub->subscription_count() == 2; }));
  ASSERT_TRUE(eventually([&] { return greedy->publisher_count() == 1 && other->publisher_count() == 1; }));
  std::vector<Sample> kept;
  for (std::uint64_t value = 0; value < kKept; ++value) {
    ASSERT_EQ(publish(*pub, value), PublishResult::kOk) << "after " << value;
    kept.push_back(take_one(*greedy));
    ASSERT_TRUE(kept.back());
    ASSERT_EQ(take_values(*other, 1), range(value, value));
  }
  for (std::uint64_t value = 0; value < kKept; ++value) {
    EXPECT_EQ(value_of(kept[value]), value);
  }
}

}  // namespace
}  // namespace conformance
