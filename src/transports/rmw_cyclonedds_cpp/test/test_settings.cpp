// Which settings Cyclone is given, and that it honours them.
#include "participant/settings.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support.hpp"

namespace rmw_cyclonedds {
namespace {

using cyclonedds_test::Environment;
using cyclonedds_test::kDomain;
using cyclonedds_test::Peer;
using cyclonedds_test::transport_under_test;
using testing::AssertionFailure;
using testing::AssertionSuccess;

bool has(const std::string & text, const std::string & part) { return text.find(part) != std::string::npos; }

TEST(Settings, TunedUnlessVendorIsAskedFor) {
  Surroundings here;
  EXPECT_TRUE(has(settings_for(here), "65500 B"));
  EXPECT_TRUE(has(settings_for(here), "<AllowMulticast>spdp<"));
  EXPECT_FALSE(has(settings_for(here), "SharedMemory"));
  here.tuning = tandem::transport::Tuning::kVendor;
  EXPECT_EQ(settings_for(here), "");
}

TEST(Settings, UserComesLast) {
  Surroundings here;
  here.user_uri = "file:///my.xml";
  const std::string all = settings_for(here);
  EXPECT_EQ(all.substr(all.size() - here.user_uri.size() - 1), "," + here.user_uri);
  here.tuning = tandem::transport::Tuning::kVendor;
  EXPECT_EQ(settings_for(here), here.user_uri);
}

TEST(Settings, StaysOnThisHostWhereToldOrNothingElseIs) {
  Surroundings without;
  without.has_multicast = false;
  Surroundings ros1;
  ros1.localhost_only = "1";
  Surroundings ros2;
  ros2.range = "LOCALHOST";
  for (const Surroundings & here : {without, ros1, ros2}) {
    EXPECT_TRUE(has(settings_for(here), "name=\"lo\""));
    EXPECT_TRUE(has(settings_for(here), "<Peer address=\"localhost\"/>"));
  }
  Surroundings off;
  off.range = "OFF";
  EXPECT_FALSE(has(settings_for(off), "Peer"));
  Surroundings subnet;
  subnet.range = "SUBNET";
  EXPECT_FALSE(has(settings_for(subnet), "\"lo\""));
}

TEST(Settings, StaticPeersAreNamesAndAddressesOnly) {
  Surroundings here;
  here.static_peers = "10.0.0.7;robot.local;\"/><Evil/>";
  const std::string all = settings_for(here);
  EXPECT_TRUE(has(all, "<Peer address=\"10.0.0.7\"/><Peer address=\"robot.local\"/></Peers>"));
  EXPECT_FALSE(has(all, "Evil"));
}

TEST(Settings, SharedMemoryIsTurnedOff) {
  Surroundings here;
  here.user_uri = "<CycloneDDS><Domain><SharedMemory><Enable>true</Enable></SharedMemory></Domain></CycloneDDS>";
  for (const auto tuning : {tandem::transport::Tuning::kTuned, tandem::transport::Tuning::kVendor}) {
    here.tuning = tuning;
    const std::string all = settings_for(here);
    EXPECT_GT(all.rfind("<Enable>false</Enable>"), all.rfind("<Enable>true</Enable>"));
  }
}

/// What Cyclone says that it uses, in a process of its own.
std::string honoured(const std::string & tuning, const std::string & extra) {
  const auto file = std::filesystem::temp_directory_path() / ("cyclonedds_config_" + std::to_string(getpid()));
  {
    const Environment environment(
        {{"TANDEM_TRANSPORT_TUNING", tuning},
         {"CYCLONEDDS_URI", "<CycloneDDS><Domain>" + extra + "<Tracing><Category>config</Category><OutputFile>" +
                                file.string() + "</OutputFile></Tracing></Domain></CycloneDDS>"}});
    Peer peer({"config"});
    EXPECT_EQ(peer.wait(), 0);
  }
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  return text.str();
}

TEST(Settings, AreHonoured) {
  EXPECT_TRUE(has(honoured("", ""), "MaxMessageSize/#text: 65500 B"));
  EXPECT_TRUE(has(honoured("vendor", ""), "MaxMessageSize/#text: 14720 B"));
  const std::string users = honoured("", "<General><MaxMessageSize>9000 B</MaxMessageSize></General>");
  EXPECT_TRUE(has(users, "MaxMessageSize/#text: 9000 B"));
  EXPECT_TRUE(has(users, "WhcHigh/#text: 256 MiB"));
}

testing::AssertionResult is_refused(const std::string & uri, std::uint32_t domain, const std::string & reason) {
  const Environment environment({{"CYCLONEDDS_URI", uri}});
  try {
    transport_under_test().create_context(domain);
    return AssertionFailure() << "was taken";
  } catch (const tandem::transport::Error & error) {
    const bool is_said = has(error.what(), reason) && has(error.what(), "domain " + std::to_string(domain));
    return is_said ? AssertionSuccess() : AssertionFailure() << error.what();
  }
}

TEST(Settings, WhatCannotWorkIsAnErrorThatSaysWhy) {
  EXPECT_TRUE(is_refused("<CycloneDDS><Domain><Genral/></Domain></CycloneDDS>", kDomain, "Genral: unknown element"));
  EXPECT_TRUE(is_refused("<CycloneDDS><Domain></Wrong>", kDomain, "CYCLONEDDS_URI"));
  EXPECT_TRUE(is_refused("file:///there/is/none.xml", kDomain, "none.xml"));
  EXPECT_TRUE(
      is_refused("<General><Interfaces><NetworkInterface name=\"none0\"/></Interfaces></General>", kDomain, "none0"));
  EXPECT_TRUE(is_refused("", 233, "0 to 232"));
  // And nothing of it is left.
  EXPECT_NE(transport_under_test().create_context(kDomain), nullptr);
}

}  // namespace
}  // namespace rmw_cyclonedds
