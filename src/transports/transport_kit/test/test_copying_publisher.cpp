// Loans of ordinary memory.
#include <gtest/gtest.h>

#include <string>

#include "tandem/detail/make_message_type.hpp"
#include "tandem/kit/copying_publisher.hpp"

namespace tandem::transport {
namespace {

struct Fixed {
  std::uint64_t value = 7;
};

struct Text {
  std::string words = "blank";
};

template <class T>
const MessageType & type_of() {
  static const MessageType type = tandem::detail::make_message_type<T>({"test/msg/Any", {1}, nullptr, 0});
  return type;
}

template <class T>
class Probe : public CopyingPublisher {
 public:
  Probe() : CopyingPublisher(type_of<T>()) {}
  std::size_t subscription_count() const override { return 0; }
  bool wait_for_all_acked(std::chrono::nanoseconds) override { return true; }
  Gid gid() const override { return {}; }

  const void * sent = nullptr;
  PublishResult result = PublishResult::kOk;

 private:
  PublishResult send(const void * message, RequestId *) override {
    sent = message;
    return result;
  }
};

TEST(CopyingPublisher, LendsAtMostSixteen) {
  Probe<Fixed> publisher;
  std::vector<Loan> loans;
  for (std::size_t i = 0; i < CopyingPublisher::kMaxLoans; ++i) {
    loans.push_back(publisher.borrow());
    ASSERT_TRUE(loans.back());
  }
  EXPECT_FALSE(publisher.borrow());
  EXPECT_EQ(publisher.failed_borrows(), 1u);
  loans.pop_back();
  EXPECT_TRUE(publisher.borrow());
}

TEST(CopyingPublisher, SendsItsLoansOnly) {
  Probe<Fixed> publisher;
  Probe<Fixed> other;
  auto loan = publisher.borrow();
  const void * message = loan.data();
  EXPECT_EQ(static_cast<const Fixed *>(message)->value, 7u);
  EXPECT_EQ(publisher.publish(other.borrow()), PublishResult::kInvalidLoan);
  EXPECT_EQ(publisher.publish(Loan()), PublishResult::kInvalidLoan);
  EXPECT_EQ(publisher.publish(std::move(loan)), PublishResult::kOk);
  EXPECT_EQ(publisher.sent, message);
  EXPECT_EQ(publisher.copied(), 1u);
  EXPECT_EQ(publisher.borrow().data(), message);  // used again
}

TEST(CopyingPublisher, CountsWhatWentOut) {
  Probe<Fixed> publisher;
  Fixed message;
  EXPECT_EQ(publisher.publish(static_cast<const void *>(nullptr)), PublishResult::kInvalidLoan);
  OwnedMessage owned(&message, {&type_of<Fixed>()});
  EXPECT_EQ(publisher.publish(owned), PublishResult::kOk);
  EXPECT_EQ(owned.release(), &message);
  publisher.result = PublishResult::kTimeout;
  EXPECT_EQ(publisher.publish(&message), PublishResult::kTimeout);
  EXPECT_EQ(publisher.copied(), 1u);
}

TEST(CopyingPublisher, LoansOfVariableSizeAreBlank) {
  Probe<Text> publisher;
  auto loan = publisher.borrow();
  static_cast<Text *>(loan.data())->words = "something else";
  publisher.publish(std::move(loan));
  loan = publisher.borrow();
  EXPECT_EQ(static_cast<const Text *>(loan.data())->words, "blank");
}

TEST(CopyingPublisher, LoansOutliveIt) {
  Loan loan;
  {
    Probe<Text> publisher;
    loan = publisher.borrow();
  }
  static_cast<Text *>(loan.data())->words = "still there";
}

}  // namespace
}  // namespace tandem::transport
