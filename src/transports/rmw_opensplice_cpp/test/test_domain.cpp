// The domain of a process and the file of settings; it needs no SDK.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "../src/domain.hpp"
#include "tandem/transport.hpp"

namespace {

using opensplice::configuration;
using opensplice::DomainLease;
using opensplice::network_interface;
using tandem::transport::Error;

constexpr const char * kHome = "/opt/opensplice";
constexpr const char * kOurs = "/install/share/rmw_opensplice_cpp/opensplice.xml";

/// What is said of it.
std::string refused(const std::function<void()> & what) {
  try {
    what();
  } catch (const Error & error) {
    return error.what();
  }
  return "";
}

TEST(Configuration, IsOursWhereTheUserNamesNone) {
  const std::string ours = std::string("file://") + kOurs;
  EXPECT_EQ(configuration(nullptr, nullptr, kOurs), ours);
  EXPECT_EQ(configuration("", kHome, kOurs), ours);
  EXPECT_EQ(configuration("file:///opt/opensplice/etc/config/ospl.xml", kHome, kOurs), ours);
  EXPECT_EQ(configuration("file:///opt/opensplice/etc/config/ospl_sp_no_network.xml", kHome, kOurs),
            "file:///opt/opensplice/etc/config/ospl_sp_no_network.xml");
  EXPECT_EQ(configuration("file:///home/me/ospl.xml", nullptr, kOurs), "file:///home/me/ospl.xml");
}

TEST(Configuration, KeepsToThisHostWhereRos2SaysSo) {
  EXPECT_EQ(network_interface(nullptr, nullptr), "auto");
  EXPECT_EQ(network_interface("0", "SUBNET"), "auto");
  EXPECT_EQ(network_interface("", ""), "auto");
  EXPECT_EQ(network_interface("1", nullptr), "127.0.0.1");
  EXPECT_EQ(network_interface(nullptr, "LOCALHOST"), "127.0.0.1");
  EXPECT_EQ(network_interface(nullptr, "OFF"), "127.0.0.1");
}

TEST(Domain, OneAtATime) {
  unsetenv("OSPL_URI");
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  {
    const DomainLease first(7);
    EXPECT_STREQ(std::getenv("TANDEM_OPENSPLICE_DOMAIN"), "7");
    EXPECT_STREQ(std::getenv("TANDEM_OPENSPLICE_INTERFACE"), "127.0.0.1");
    EXPECT_NE(std::string(std::getenv("OSPL_URI")).find("/share/rmw_opensplice_cpp/opensplice.xml"), std::string::npos);
    const DomainLease again(7);
    const std::string said = refused([] { const DomainLease other(8); });
    EXPECT_NE(said.find("domain 8"), std::string::npos) << said;
    EXPECT_NE(said.find("domain 7"), std::string::npos) << said;
  }
  const DomainLease other(8);
  EXPECT_STREQ(std::getenv("TANDEM_OPENSPLICE_DOMAIN"), "8");
}

TEST(Domain, NumbersThatThereAreNotAreRefused) {
  EXPECT_NE(refused([] { const DomainLease none(231); }).find("230"), std::string::npos);
  const DomainLease last(230);
}

TEST(Domain, SettingsOfAnotherDomainAreSaid) {
  setenv("OSPL_URI", "file:///home/me/ospl.xml", 1);
  opensplice::check_domain(3, 3);
  const std::string said = refused([] { opensplice::check_domain(3, 0); });
  EXPECT_NE(said.find("domain 3"), std::string::npos) << said;
  EXPECT_NE(said.find("file:///home/me/ospl.xml"), std::string::npos) << said;
  EXPECT_NE(said.find("ROS_DOMAIN_ID=0"), std::string::npos) << said;
}

}  // namespace
