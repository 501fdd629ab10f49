// Every call that needs space, descriptors or memory fails once, and every call from some moment on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "sweep.hpp"

namespace tandem::test {
namespace {

struct Case {
  const char * shortage;
  const char * how;
};

void PrintTo(const Case & value, std::ostream * out) { *out << value.shortage << " " << value.how; }

class Faults : public testing::TestWithParam<Case> {};

/// Which calls are made to fail: all in torture, every so many of them else, another choice each time.
unsigned stride() {
  if (const char * text = std::getenv("TANDEM_RESOURCES_STRIDE")) {
    return static_cast<unsigned>(std::strtoul(text, nullptr, 10));
  }
  return is_emulated() ? 12 : TANDEM_SANITIZED ? 6 : 1;
}

TEST_P(Faults, AreErrorsAndNothingIsLost) {
  const Folder folder;
  Observer observer(folder);
  const std::size_t descriptors = std::stoul(observer.process().ask("fds"));
  const std::size_t mappings = std::stoul(observer.process().ask("mappings"));
  const unsigned step = stride();
  const unsigned first = step > 1 ? seed() % step : 0;
  unsigned number = first;
  for (bool is_over = false; !is_over; number += step) {
    Child subject("subject");
    const std::string order = std::string(GetParam().shortage) + " " + std::to_string(number) + " " + GetParam().how;
    SCOPED_TRACE(order);
    ASSERT_EQ(subject.ask("arm " + order), "ok");
    const auto said = live_through(subject, observer, [&] { is_over |= subject.ask("disarm") == "0"; });
    for (const std::string & text : said) {
      EXPECT_TRUE(names_a_remedy(text) || text.rfind("error borrow", 0) == 0 || text.rfind("error publish", 0) == 0)
          << text;
      if (std::getenv("TANDEM_RESOURCES_TELL") != nullptr) {
        std::cout << order << ": " << text << "\n";
      }
    }
    ASSERT_FALSE(HasFailure());
  }
  std::cout << "calls that failed: " << number / step << std::endl;
  EXPECT_TRUE(wait_until([&] { return observer.process().ask("fds") == std::to_string(descriptors); }))
      << observer.process().ask("fds") << " and before " << descriptors;
  EXPECT_TRUE(wait_until([&] { return observer.process().ask("mappings") == std::to_string(mappings); }))
      << observer.process().ask("mappings") << " and before " << mappings;
  observer.check();
}

INSTANTIATE_TEST_SUITE_P(Of, Faults,
                         testing::Values(Case{"space", "one"}, Case{"space", "all"}, Case{"descriptors", "one"},
                                         Case{"descriptors", "all"}, Case{"memory", "one"}, Case{"memory", "all"}),
                         [](const auto & tested) {
                           return std::string(tested.param.shortage) + "_" + tested.param.how;
                         });

}  // namespace
}  // namespace tandem::test
