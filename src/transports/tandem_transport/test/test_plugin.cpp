// The loader, through ament prefixes made for each test. What load() chooses is remembered for the life of a process,
// so each choice is made in a child process of its own (EXPECT_EXIT).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tandem/plugin.hpp"

namespace fs = std::filesystem;
using tandem::transport::available;
using tandem::transport::Error;
using tandem::transport::load;

namespace {

class Plugin : public testing::Test {
 protected:
  Plugin() {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    std::string pattern = (fs::temp_directory_path() / "tandem_plugin_XXXXXX").string();
    prefix_ = mkdtemp(pattern.data());
    fs::create_directories(prefix_ / kResources);
    setenv("AMENT_PREFIX_PATH", ("/nonexistent::" + prefix_.string()).c_str(), 1);
    unsetenv("RMW_IMPLEMENTATION");
  }
  ~Plugin() override { fs::remove_all(prefix_); }

  void install(const std::string & name, const std::string & library) const {
    fs::create_directories(prefix_ / "lib");
    std::error_code error;
    fs::copy_file(PLUGINS "/libtest_plugin_" + library + ".so", prefix_ / "lib" / (library + ".so"), error);
    std::ofstream(prefix_ / kResources / name) << "lib/" << library << ".so\n";
  }

  /// The message of the Error that loading this name throws.
  static std::string error_of(const std::string & name) {
    try {
      load(name);
    } catch (const Error & error) {
      return error.what();
    }
    return "";
  }

  static bool contains(const std::string & text, const std::string & part) {
    return text.find(part) != std::string::npos;
  }

  /// Ends the (child) process with 0 when load() gives the transport of this name.
  void exit_with_choice(const char * implementation, const char * expected) const {
    setenv("RMW_IMPLEMENTATION", implementation, 1);
    int status = 2;
    try {
      status = std::string(load().name()) == expected && &load() == &load() ? 0 : 1;
    } catch (const Error & error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    fs::remove_all(prefix_);
    std::exit(status);
  }

  static constexpr const char * kResources = "share/ament_index/resource_index/tandem_transport";
  fs::path prefix_;
};

TEST_F(Plugin, LoadsByNameOncePerProcess) {
  install("rmw_good_cpp", "good");
  auto & transport = load("rmw_good_cpp");
  EXPECT_STREQ(transport.name(), "good");
  std::thread other([&] { EXPECT_EQ(&load("rmw_good_cpp"), &transport); });
  other.join();
}

TEST_F(Plugin, ListsWhatIsInstalledSorted) {
  install("rmw_b_cpp", "good");
  install("rmw_a_cpp", "good");
  std::ofstream(prefix_ / kResources / ".hidden") << "x\n";
  const auto names = available();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::count(names.begin(), names.end(), "rmw_a_cpp"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "rmw_b_cpp"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), ".hidden"), 0);
}

TEST_F(Plugin, UnknownNameSaysWhatExists) {
  install("rmw_present_cpp", "good");
  const std::string error = error_of("rmw_absent_cpp");
  EXPECT_TRUE(contains(error, "'rmw_absent_cpp'")) << error;
  EXPECT_TRUE(contains(error, "rmw_present_cpp")) << error;
  EXPECT_TRUE(contains(error_of(""), "no transport named")) << error_of("");
  EXPECT_TRUE(contains(error_of("../tandem_transport/rmw_present_cpp"), "no transport named"));
}

TEST_F(Plugin, OtherInterfaceVersionIsRefused) {
  install("rmw_old_cpp", "old");
  const std::string error = error_of("rmw_old_cpp");
  EXPECT_TRUE(contains(error, "rmw_old_cpp") &&
              contains(error, "version " + std::to_string(TANDEM_TRANSPORT_ABI + 1)) && contains(error, "rebuild"))
      << error;
}

TEST_F(Plugin, LibraryThatIsNoPluginIsRefused) {
  install("rmw_none_cpp", "none");
  EXPECT_TRUE(contains(error_of("rmw_none_cpp"), "no transport plug-in")) << error_of("rmw_none_cpp");
}

TEST_F(Plugin, MissingOrBrokenLibraryIsRefused) {
  std::ofstream(prefix_ / kResources / "rmw_missing_cpp") << "lib/missing.so\n";
  EXPECT_TRUE(contains(error_of("rmw_missing_cpp"), "lib/missing.so")) << error_of("rmw_missing_cpp");
  fs::create_directories(prefix_ / "lib");
  std::ofstream(prefix_ / "lib/garbage.so") << "not a library";
  std::ofstream(prefix_ / kResources / "rmw_garbage_cpp") << "lib/garbage.so\n";
  EXPECT_TRUE(contains(error_of("rmw_garbage_cpp"), "cannot be loaded")) << error_of("rmw_garbage_cpp");
}

TEST_F(Plugin, DefaultWhenUnset) {
  install("rmw_tandem_cpp", "good");
  EXPECT_EXIT(exit_with_choice("", "good"), testing::ExitedWithCode(0), "^$");
}

TEST_F(Plugin, VariableChooses) {
  install("rmw_other_cpp", "good");
  EXPECT_EXIT(exit_with_choice("rmw_other_cpp", "good"), testing::ExitedWithCode(0), "^$");
}

TEST_F(Plugin, WellKnownButNotBuiltWarnsAndUsesDefault) {
  install("rmw_tandem_cpp", "good");
  EXPECT_EXIT(exit_with_choice("rmw_gurumdds_cpp", "good"), testing::ExitedWithCode(0),
              "^\\[WARN\\] .*rmw_gurumdds_cpp is not built here; using rmw_tandem_cpp\n$");
}

TEST_F(Plugin, WellKnownButNotBuiltSaysHowToHaveIt) {
  install("rmw_tandem_cpp", "good");
  EXPECT_EXIT(exit_with_choice("rmw_fastrtps_dynamic_cpp", "good"), testing::ExitedWithCode(0),
              "^\\[WARN\\] .*_dynamic_cpp is not built here .*use that.*; using rmw_tandem_cpp\n$");
  EXPECT_TRUE(contains(error_of("rmw_fastrtps_dynamic_cpp"), "use that")) << error_of("rmw_fastrtps_dynamic_cpp");
}

TEST_F(Plugin, WellKnownAndBuiltIsUsedWithoutAWarning) {
  install("rmw_zeromq_cpp", "good");
  EXPECT_EXIT(exit_with_choice("rmw_zeromq_cpp", "good"), testing::ExitedWithCode(0), "^$");
}

TEST_F(Plugin, UnknownVariableIsAnError) {
  EXPECT_EXIT(exit_with_choice("rmw_nonsense_cpp", ""), testing::ExitedWithCode(2),
              "no transport named 'rmw_nonsense_cpp'");
}

}  // namespace
