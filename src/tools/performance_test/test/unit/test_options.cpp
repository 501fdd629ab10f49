// The command line: both spellings, defaults, and one clear line for what is refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "options/message_names.hpp"
#include "options/options.hpp"
#include "options/plugins.hpp"

namespace performance_test {
namespace {

Options accepted(const std::vector<std::string> & arguments) {
  const ParseResult result = parse_options(arguments, "");
  EXPECT_TRUE(result.options) << result.text;
  return result.options.value_or(Options());
}

std::string refused(const std::vector<std::string> & arguments, const std::string & environment = "") {
  const ParseResult result = parse_options(arguments, environment);
  EXPECT_FALSE(result.options);
  EXPECT_EQ(result.exit_status, kUsageError);
  EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), 1) << "one line: " << result.text;
  EXPECT_EQ(result.text.find("perf_test: "), 0U);
  return result.text;
}

bool has(const std::string & text, const std::string & part) { return text.find(part) != std::string::npos; }

TEST(Options, HaveTheKnownDefaults) {
  const Options o = accepted({});
  EXPECT_TRUE(o.to_console && !o.to_csv && !o.to_json);
  EXPECT_EQ(o.rate, 1000U);
  EXPECT_EQ(o.topic, "test_topic");
  EXPECT_EQ(o.message, "Array1k");
  EXPECT_FALSE(o.reliable || o.transient_local || o.keep_last || o.zero_copy);
  EXPECT_EQ(o.history_depth, 1000U);
  EXPECT_EQ(o.publishers, 1U);
  EXPECT_EQ(o.subscribers, 1U);
  EXPECT_EQ(o.max_runtime, 0U);
  EXPECT_EQ(o.matched_timeout, 30U);
  EXPECT_EQ(o.environment, "{}");
  EXPECT_FALSE(o.domain);
}

TEST(Options, UnderstandTheTutorialsCommands) {
  const Options o = accepted({"--zero-copy", "--reliable", "--keep-last", "--history-depth", "10", "-s", "1", "-m",
                              "Array4m", "-r", "100", "--max-runtime", "30"});
  EXPECT_TRUE(o.zero_copy && o.reliable && o.keep_last);
  EXPECT_EQ(o.history_depth, 10U);
  EXPECT_EQ(o.message, "Array4m");
  EXPECT_EQ(o.rate, 100U);
  EXPECT_EQ(o.max_runtime, 30U);
}

TEST(Options, UnderstandTheNewerSpellings) {
  const Options o = accepted({"--reliability", "RELIABLE", "--durability", "TRANSIENT_LOCAL", "--history", "KEEP_LAST",
                              "--loaned-samples", "--shared-memory", "-e", "INTRA_THREAD", "--communication",
                              "rclcpp-single-threaded-executor", "--msg", "Struct16", "--num-sub-threads", "3"});
  EXPECT_TRUE(o.reliable && o.transient_local && o.keep_last && o.zero_copy);
  EXPECT_EQ(o.strategy, Strategy::kIntraThread);
  EXPECT_EQ(o.subscribers, 3U);
  const Options other = accepted(
      {"--reliability", "BEST_EFFORT", "--durability", "VOLATILE", "--history", "KEEP_ALL", "--shared-memory"});
  EXPECT_FALSE(other.reliable || other.transient_local || other.keep_last || other.zero_copy);
}

TEST(Options, ChooseOutputs) {
  EXPECT_FALSE(accepted({"-o", "csv"}).to_console);
  EXPECT_TRUE(accepted({"-o", "csv", "--print-to-console"}).to_console);
  const Options all = accepted({"-o", "csv", "-o", "json", "-o", "stdout"});
  EXPECT_TRUE(all.to_console && all.to_csv && all.to_json);
  EXPECT_FALSE(accepted({"-o", "none"}).to_console);
  EXPECT_TRUE(accepted({"-l", "x.csv"}).to_csv);
  EXPECT_TRUE(accepted({"--json-logfile", "x.json"}).to_json);
}

TEST(Options, KnowThePlugins) {
  EXPECT_EQ(accepted({}).communication, "rclcpp-single-threaded-executor");
  for (const Plugin & plugin : kPlugins) {
    EXPECT_EQ(accepted({"-c", std::string(plugin.name)}).communication, plugin.name);
  }
  EXPECT_TRUE(accepted({"-c", "help"}).list_plugins);
}

TEST(Options, LastOneOfARepeatedOptionCounts) { EXPECT_EQ(accepted({"-r", "1", "-r", "2"}).rate, 2U); }

TEST(Options, NameTheTopicsOfARoundTrip) {
  const Options main = accepted({"-t", "a", "--roundtrip-mode", "Main"});
  EXPECT_EQ(main.publish_topic(), "amain");
  EXPECT_EQ(main.subscribe_topic(), "arelay");
  const Options relay = accepted({"-t", "a", "--roundtrip-mode", "Relay"});
  EXPECT_EQ(relay.publish_topic(), "arelay");
  EXPECT_EQ(relay.subscribe_topic(), "amain");
  EXPECT_EQ(accepted({"-t", "a"}).publish_topic(), "a");
}

TEST(Options, AcceptEveryListedMessage) {
  EXPECT_EQ(message_names().size(), 36U);
  for (const std::string & name : message_names()) EXPECT_EQ(accepted({"-m", name}).message, name);
}

TEST(Options, GiveUnboundedMessagesTheirSize) {
  EXPECT_EQ(accepted({"-m", "UnboundedString", "--unbounded-msg-size", "100000"}).unbounded_size, 100000U);
  EXPECT_EQ(accepted({"-m", "UnboundedSequence"}).unbounded_size, 0U);
}

TEST(Options, RefuseWhatIsNotThereYet) {
  EXPECT_TRUE(has(refused({"--unbounded-msg-size", "5"}), "Array1k has a size of its own"));
  EXPECT_TRUE(has(refused({"-m", "UnboundedString", "--unbounded-msg-size", "-5"}), "--unbounded-msg-size"));
  EXPECT_TRUE(has(refused({"-m", "UnboundedString", "--check-payload"}), "--unbounded-msg-size 16 or more"));
  EXPECT_TRUE(has(refused({"-c", "CycloneDDS-CXX"}), "take CycloneDDS"));
  EXPECT_TRUE(has(refused({"--with-security"}), "--with-security"));
  EXPECT_TRUE(has(refused({"--disable-async"}), "--disable-async"));
}

TEST(Options, RefuseWhatIsWrong) {
  EXPECT_TRUE(has(refused({"--nonsense"}), "--nonsense"));
  EXPECT_TRUE(has(refused({"surplus"}), "surplus"));
  EXPECT_TRUE(has(refused({"-m", "Array5k"}), "Array5k"));
  EXPECT_TRUE(has(refused({"-c", "telepathy"}), "unknown"));
  refused({"-r", "-1"});
  refused({"-r", "fast"});
  refused({"-r"});
  refused({"--history-depth", "0"});
  refused({"--history-depth", "99999999999999999999"});
  refused({"-p", "0", "-s", "0"});
  refused({"-p", "100000"});
  refused({"--dds-domain_id", "233"});
  refused({"-o", "paper"});
  refused({"--reliability", "MAYBE"});
  refused({"--roundtrip-mode", "Sideways"});
  refused({"--roundtrip-mode", "Main", "-p", "2"});
  refused({"--roundtrip-mode", "Main", "-e", "INTRA_THREAD"});
  refused({"-e", "INTRA_THREAD", "-s", "0"});
  refused({"-t", ""});
  EXPECT_TRUE(has(refused({}, "{not json"), "APEX_PERFORMANCE_TEST"));
}

TEST(Options, HelpAndVersionSucceed) {
  for (const char * option : {"--help", "--version"}) {
    const ParseResult result = parse_options({option}, "");
    EXPECT_FALSE(result.options);
    EXPECT_EQ(result.exit_status, 0);
    EXPECT_TRUE(has(result.text, "perf_test"));
  }
}

}  // namespace
}  // namespace performance_test
