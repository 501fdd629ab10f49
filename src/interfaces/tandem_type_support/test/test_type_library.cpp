// Types by name, from prefixes that the tests make and from an installed package.
#include "tandem/type_library.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "support.hpp"

namespace {

namespace fs = std::filesystem;

/// An install prefix of its own, that AMENT_PREFIX_PATH names before the others.
class Prefix {
 public:
  Prefix() {
    std::string name = (fs::temp_directory_path() / "tandem_type_library_XXXXXX").string();
    path_ = mkdtemp(name.data());
    const char * const old = getenv("AMENT_PREFIX_PATH");
    old_ = old != nullptr ? old : "";
    setenv("AMENT_PREFIX_PATH", (path_.string() + ":/nonexistent:" + old_).c_str(), 1);
  }
  ~Prefix() {
    setenv("AMENT_PREFIX_PATH", old_.c_str(), 1);
    fs::remove_all(path_);
  }

  void write(const std::string & file, const std::string & text) const {
    fs::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file) << text;
  }
  std::string operator/(const std::string & file) const { return (path_ / file).string(); }

 private:
  fs::path path_;
  std::string old_;
};

constexpr const char * kIndex = "share/ament_index/resource_index/";

template <class Type>
std::string error_of(const tl::expected<const Type *, std::string> & result) {
  return result ? "" : result.error();
}

TEST(TypeLibrary, FindsAMessageOfAnInstalledPackage) {
  const auto type = tandem::find_message_type("builtin_interfaces/msg/Time");
  ASSERT_TRUE(type) << type.error();
  EXPECT_STREQ((*type)->name, "builtin_interfaces/msg/Time");
  EXPECT_EQ((*type)->size, 8u);
  EXPECT_EQ(*tandem::find_message_type("builtin_interfaces/msg/Time"), *type);
}

TEST(TypeLibrary, NamesTheFileOfAType) {
  const auto file = tandem::find_type_library("builtin_interfaces/msg/Time");
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(fs::path(*file).filename(), "libbuiltin_interfaces__rosidl_typesupport_cpp.so");
  EXPECT_TRUE(fs::path(*file).is_absolute());
  EXPECT_FALSE(tandem::find_type_library("builtin_interfaces/msg/Nothing"));
}

TEST(TypeLibrary, FindsTheLibraryThatTheIndexNames) {
  const Prefix prefix;
  prefix.write(std::string(kIndex) + "tandem_interfaces/test_pkg", TYPE_LIBRARY "\n");
  const auto type = tandem::find_message_type("test_pkg/msg/Made");
  ASSERT_TRUE(type) << type.error();
  EXPECT_STREQ((*type)->name, "test_pkg/msg/Made");
  EXPECT_TRUE(tandem::find_service_type("test_pkg/srv/Serve"));
  EXPECT_TRUE(tandem::find_action_type("test_pkg/action/Act"));
  EXPECT_EQ(error_of(tandem::find_message_type("test_pkg/msg/Other")),
            "the package 'test_pkg' has no message test_pkg/msg/Other; 'ros2 interface package test_pkg' lists what it "
            "has");
  EXPECT_NE(error_of(tandem::find_service_type("test_pkg/srv/Made")), "");
}

TEST(TypeLibrary, FindsTheLibraryWithTheUsualName) {
  const Prefix prefix;
  fs::create_directories(prefix / "lib");
  fs::copy(TYPE_LIBRARY, prefix / "lib/libtest_usual__rosidl_typesupport_cpp.so");
  EXPECT_EQ(error_of(tandem::find_message_type("test_usual/msg/Other")).substr(0, 41),
            "the package 'test_usual' has no message t");
}

TEST(TypeLibrary, RefusesNamesThatAreNoneOfTypes) {
  EXPECT_EQ(error_of(tandem::find_message_type("std_msgs/String")),
            "'std_msgs/String' is no name of a type: did you mean std_msgs/msg/String?");
  EXPECT_EQ(error_of(tandem::find_message_type("String")),
            "'String' is no name of a type: it has no package; a full name is like std_msgs/msg/String");
  for (const char * const name : {"", "/", "//", "a//b", "../msg/X", "a/msg/", "a/msg/../x", "a/lib/x", "a/msg/b/c"}) {
    EXPECT_NE(error_of(tandem::find_message_type(name)).find("is no name of a type"), std::string::npos) << name;
  }
}

TEST(TypeLibrary, SaysWhereItLookedForAPackage) {
  const Prefix prefix;
  const std::string error = error_of(tandem::find_message_type("no_such_pkg/msg/X"));
  EXPECT_EQ(error.substr(0, 69), "the type no_such_pkg/msg/X is unknown: there is no package 'no_such_p");
  EXPECT_NE(error.find(prefix / ""), 0u);
  EXPECT_NE(error.find("source the setup file"), std::string::npos);
}

TEST(TypeLibrary, SaysThatAPackageHasNoInterfaces) {
  const Prefix prefix;
  prefix.write(std::string(kIndex) + "packages/test_plain", "");
  EXPECT_NE(error_of(tandem::find_message_type("test_plain/msg/X")).find("has no interfaces"), std::string::npos);
}

TEST(TypeLibrary, SaysWhyALibraryCannotBeLoadedAndTriesAgain) {
  const Prefix prefix;
  prefix.write("lib/broken.so", "this is no library");
  prefix.write(std::string(kIndex) + "tandem_interfaces/test_broken", "lib/broken.so\n");
  const std::string error = error_of(tandem::find_message_type("test_broken/msg/X"));
  EXPECT_NE(error.find(prefix / "lib/broken.so"), std::string::npos) << error;
  prefix.write(std::string(kIndex) + "tandem_interfaces/test_broken", TYPE_LIBRARY "\n");
  EXPECT_NE(error_of(tandem::find_message_type("test_broken/msg/X")).find("has no message"), std::string::npos);
}

TEST(TypeLibrary, MayBeAskedByManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 100; ++round) {
        EXPECT_TRUE(tandem::find_message_type("builtin_interfaces/msg/Duration"));
        EXPECT_FALSE(tandem::find_message_type("builtin_interfaces/msg/Never"));
      }
    });
  }
  for (std::thread & thread : threads) {
    thread.join();
  }
}

}  // namespace
