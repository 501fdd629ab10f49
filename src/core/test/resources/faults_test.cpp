// Every call that needs space, descriptors or memory fails once, and every call from some moment on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "subject.hpp"
#include "sweep.hpp"

namespace tandem::test {
namespace {

struct Case {
  const char * name;
  Shortage shortage;
  bool lasting;
};

void PrintTo(const Case & value, std::ostream * out) { *out << value.name; }

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
  const std::size_t descriptors_before = observer.process().call<descriptors>();
  const std::size_t mappings_before = observer.process().call<mappings>();
  const unsigned step = stride();
  const unsigned first = step > 1 ? seed() % step : 0;
  unsigned number = first;
  for (bool is_over = false; !is_over; number += step) {
    Station subject(Place::kElsewhere);
    const std::string order = std::string(GetParam().name) + " " + std::to_string(number);
    SCOPED_TRACE(order);
    subject.call<arm>(GetParam().shortage, number, GetParam().lasting);
    const auto said = live_through(subject, observer, [&] { is_over |= subject.call<disarm>() == 0; });
    for (const std::string & text : said) {
      EXPECT_TRUE(names_a_remedy(text) || is_of_a_message(text)) << text;
      if (std::getenv("TANDEM_RESOURCES_TELL") != nullptr) {
        std::cout << order << ": " << text << "\n";
      }
    }
    ASSERT_FALSE(HasFailure());
  }
  std::cout << "calls that failed: " << number / step << std::endl;
  EXPECT_TRUE(wait_until([&] { return observer.process().call<descriptors>() == descriptors_before; }))
      << observer.process().call<descriptors>() << " and before " << descriptors_before;
  EXPECT_TRUE(wait_until([&] { return observer.process().call<mappings>() == mappings_before; }))
      << observer.process().call<mappings>() << " and before " << mappings_before;
  observer.check();
}

INSTANTIATE_TEST_SUITE_P(Of, Faults,
                         testing::Values(Case{"space_one", Shortage::kSpace, false},
                                         Case{"space_all", Shortage::kSpace, true},
                                         Case{"descriptors_one", Shortage::kDescriptors, false},
                                         Case{"descriptors_all", Shortage::kDescriptors, true},
                                         Case{"memory_one", Shortage::kMemory, false},
                                         Case{"memory_all", Shortage::kMemory, true}),
                         [](const auto & tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace tandem::test
