// What is said when Connext makes no participant; it needs no SDK.
#include <gtest/gtest.h>

#include <algorithm>

#include "../src/licence.hpp"

namespace {

using connext::no_participant;

TEST(Licence, ItsAbsenceIsSaidInOneSentence) {
  const std::string said = no_participant(5, "Failed to create DomainParticipant\nstack\nof calls", nullptr);
  EXPECT_EQ(said,
            "rmw_connextdds: Connext makes no participant of domain 5 (Failed to create DomainParticipant); it wants a "
            "licence: set RTI_LICENSE_FILE to yours");
  EXPECT_EQ(no_participant(5, "Failed to create DomainParticipant", ""), said);
}

TEST(Licence, AFileThatIsNotThereIsNamed) {
  const std::string said = no_participant(5, "Failed", "/nowhere/rti_license.dat");
  EXPECT_NE(said.find("/nowhere/rti_license.dat, and no such file is there"), std::string::npos) << said;
}

TEST(Licence, AFileThatIsThereMayHaveRunOut) {
  const std::string said = no_participant(5, "Failed", "/proc/self/status");
  EXPECT_NE(said.find("/proc/self/status, may have run out"), std::string::npos) << said;
}

}  // namespace
