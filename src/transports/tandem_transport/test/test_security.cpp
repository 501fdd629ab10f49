// What the environment asks for, where an enclave's files are, and who is refused a context. The files are empty here;
// wire_tests has real ones.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "tandem/plugin.hpp"
#include "tandem/security.hpp"

namespace fs = std::filesystem;
using namespace tandem::transport;  // NOLINT: what is tested

namespace {

constexpr const char * kFiles[] = {"identity_ca.cert.pem",    "cert.pem",       "key.pem",
                                   "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s"};
constexpr const char * kVariables[] = {"ROS_SECURITY_ENABLE", "ROS_SECURITY_STRATEGY", "ROS_SECURITY_KEYSTORE",
                                       "ROS_SECURITY_ENCLAVE_OVERRIDE", "AMENT_PREFIX_PATH"};

bool contains(const std::string & text, const std::string & part) { return text.find(part) != std::string::npos; }

/// The message of the Error; empty: there was none.
std::string error_of(const std::function<void()> & call) {
  try {
    call();
  } catch (const Error & error) {
    return error.what();
  }
  return "";
}

/// What is said on stderr.
std::string said(const std::function<void()> & call) {
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

/// Whether it says who it is within create_context().
class Curious final : public Transport {
 public:
  const char * name() const override { return "curious"; }
  std::vector<Limit> limits() const override { return {}; }
  std::shared_ptr<Context> create_context(std::uint32_t) override {
    enclave_ = enclave();
    std::thread([this] { enclave_of_other_thread_ = enclave(); }).join();
    files_ = enclave_files(name());
    return nullptr;
  }
  std::string enclave_;
  std::string enclave_of_other_thread_;
  std::optional<EnclaveFiles> files_;
};

class Security : public testing::Test {
 protected:
  Security() {
    std::string pattern = (fs::temp_directory_path() / "tandem_security_XXXXXX").string();
    keystore_ = mkdtemp(pattern.data());
    for (const char * const name : kVariables) {
      unsetenv(name);
    }
    make_enclave("/robot/arm");
    set("ROS_SECURITY_ENABLE", "true");
    set("ROS_SECURITY_STRATEGY", "Enforce");
    set("ROS_SECURITY_KEYSTORE", keystore_.string());
  }
  ~Security() override { fs::remove_all(keystore_); }

  static void set(const char * name, const std::string & value) { setenv(name, value.c_str(), 1); }
  fs::path folder_of(const std::string & name) const { return keystore_ / "enclaves" / name.substr(1); }
  void make_enclave(const std::string & name) const {
    fs::create_directories(folder_of(name));
    for (const char * const file : kFiles) {
      std::ofstream{folder_of(name) / file};
    }
  }
  static std::string error_in(const std::string & name) {
    Curious transport;
    return error_of([&] { create_context(transport, 0, name); });
  }

  fs::path keystore_;
};

TEST_F(Security, FilesOfTheEnclaveAreFound) {
  Curious transport;
  create_context(transport, 0, "/robot/arm");
  EXPECT_EQ(transport.enclave_, "/robot/arm");
  EXPECT_EQ(transport.enclave_of_other_thread_, "/") << "another context may be made at the same time";
  EXPECT_EQ(enclave(), "/");
  ASSERT_TRUE(transport.files_);
  EXPECT_EQ(transport.files_->folder, folder_of("/robot/arm"));
  EXPECT_EQ(transport.files_->identity_ca, folder_of("/robot/arm") / "identity_ca.cert.pem");
  EXPECT_EQ(transport.files_->certificate, folder_of("/robot/arm") / "cert.pem");
  EXPECT_EQ(transport.files_->private_key, folder_of("/robot/arm") / "key.pem");
  EXPECT_EQ(transport.files_->permissions_ca, folder_of("/robot/arm") / "permissions_ca.cert.pem");
  EXPECT_EQ(transport.files_->governance, folder_of("/robot/arm") / "governance.p7s");
  EXPECT_EQ(transport.files_->permissions, folder_of("/robot/arm") / "permissions.p7s");
  EXPECT_EQ(transport.files_->revoked, "");
  std::ofstream{folder_of("/robot/arm") / "crl.pem"};
  create_context(transport, 0, "/robot/arm");
  EXPECT_EQ(transport.files_->revoked, folder_of("/robot/arm") / "crl.pem");
}

TEST_F(Security, OverrideWinsButIsNotTold) {
  set("ROS_SECURITY_ENCLAVE_OVERRIDE", "/robot/arm");
  Curious transport;
  create_context(transport, 0, "/other");
  EXPECT_EQ(transport.files_->folder, folder_of("/robot/arm"));
  EXPECT_EQ(transport.enclave_, "/other");
}

TEST_F(Security, RootEnclaveIsTheFolderOfEnclaves) {
  Curious transport;
  make_enclave("/");
  transport.create_context(0);
  EXPECT_EQ(fs::path(transport.files_->folder), keystore_ / "enclaves");
}

TEST_F(Security, EachMissingFileIsNamed) {
  for (const char * const file : kFiles) {
    const fs::path path = folder_of("/robot/arm") / file;
    fs::remove(path);
    const std::string error = error_in("/robot/arm");
    EXPECT_TRUE(contains(error, path.string() + " cannot be read: No such file")) << error;
    EXPECT_TRUE(contains(error, "curious") && contains(error, "Enforce")) << error;
    fs::create_directory(path);
    EXPECT_TRUE(contains(error_in("/robot/arm"), path.string() + " is no file"));
    fs::remove(path);
    std::ofstream{path};
  }
  EXPECT_EQ(error_in("/robot/arm"), "");
}

TEST_F(Security, MissingFolderIsNamed) {
  EXPECT_TRUE(contains(error_in("/robot/leg"), folder_of("/robot/leg").string())) << error_in("/robot/leg");
  unsetenv("ROS_SECURITY_KEYSTORE");
  EXPECT_TRUE(contains(error_in("/robot/arm"), "ROS_SECURITY_KEYSTORE is unset")) << error_in("/robot/arm");
}

TEST_F(Security, EnclaveCannotLeaveTheKeystore) {
  for (const char * const name :
       {"", "robot/arm", "/robot/../robot/arm", "/robot//arm", "/robot/arm/", "//", "/1", "/a b"}) {
    EXPECT_TRUE(contains(error_in(name), std::string("'") + name + "' is no enclave")) << name << error_in(name);
  }
}

TEST_F(Security, PermissiveGoesOnWithALine) {
  Curious transport;
  for (const char * const strategy : {"", "Permissive"}) {
    set("ROS_SECURITY_STRATEGY", strategy);
    create_context(transport, 0, "/robot/arm");
    EXPECT_TRUE(transport.files_) << "what can be secured is";
  }
  fs::remove(folder_of("/robot/arm") / "key.pem");
  const auto make = [&] { create_context(transport, 0, "/robot/arm"); };
  const std::string line = said(make);
  EXPECT_TRUE(contains(line, "[WARN] [curious]") && contains(line, "key.pem cannot be read")) << line;
  EXPECT_FALSE(transport.files_);
  EXPECT_EQ(said(make), "") << "once is enough";
}

TEST_F(Security, MisspeltStrategyIsRefused) {
  set("ROS_SECURITY_STRATEGY", "enforce");
  EXPECT_TRUE(contains(error_in("/robot/arm"), "'enforce'; it is Enforce or Permissive")) << error_in("/robot/arm");
}

TEST_F(Security, OffUnlessEnableIsTrue) {
  Curious transport;
  const auto make = [&] { create_context(transport, 0, "/nowhere"); };
  for (const char * const off : {"", "false"}) {
    set("ROS_SECURITY_ENABLE", off);
    EXPECT_EQ(said(make), "");
    EXPECT_FALSE(transport.files_);
  }
  set("ROS_SECURITY_ENABLE", "1");
  EXPECT_TRUE(contains(said(make), "ROS_SECURITY_ENABLE is '1', which is not 'true'"));
  EXPECT_FALSE(transport.files_);
}

TEST_F(Security, ExemptContextHasNone) {
  Curious transport;
  make_enclave("/");
  create_exempt_context(transport, 0);
  EXPECT_FALSE(transport.files_);
  transport.create_context(0);
  EXPECT_TRUE(transport.files_);
}

/// Through the loader.
class LoadedSecurity : public Security {
 protected:
  LoadedSecurity() {
    const fs::path resources = keystore_ / "share/ament_index/resource_index/tandem_transport";
    fs::create_directories(resources);
    for (const char * const name : {"good", "secured"}) {
      std::ofstream(resources / name) << PLUGINS "/libtest_plugin_" << name << ".so\n";
    }
    set("AMENT_PREFIX_PATH", keystore_.string());
  }
};

TEST_F(LoadedSecurity, TransportWithoutItIsRefusedWhereItIsEnforced) {
  Transport & plug_in = load("good");
  EXPECT_STREQ(plug_in.name(), "good");
  const std::string error = error_of([&] { plug_in.create_context(0); });
  EXPECT_TRUE(contains(error, "good") && contains(error, "has no security")) << error;
  create_exempt_context(plug_in, 0);
  set("ROS_SECURITY_STRATEGY", "Permissive");
  EXPECT_TRUE(contains(said([&] { plug_in.create_context(0); }), "has no security"));
  set("ROS_SECURITY_ENABLE", "false");
  plug_in.create_context(0);
}

TEST_F(LoadedSecurity, TransportWithItIsLeftToItself) {
  Transport & plug_in = load("secured");
  create_context(plug_in, 0, "/robot/arm");
  EXPECT_TRUE(contains(error_of([&] { create_context(plug_in, 0, "/none"); }), "/none"));
}

}  // namespace
