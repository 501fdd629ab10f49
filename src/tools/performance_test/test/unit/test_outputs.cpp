// The tables, to the character, and the logs.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "output/block.hpp"
#include "output/outputs.hpp"

namespace performance_test {
namespace {

std::string read_file(const std::string & path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Statistics statistics(double min, double max, double mean) { return {100, min, max, mean, 0}; }

/// Figures that the tutorial prints; counts are those that give its rates.
Block tutorial_block(bool zero_copy) {
  Block block;
  block.experiment = zero_copy ? 30.554773 : 30.982817;
  block.loop = zero_copy ? 1.000084 : 1.000126;
  Totals & t = block.interval.totals;
  t.received = 100;
  t.sent = zero_copy ? 100 : 101;
  t.bytes_received = static_cast<std::uint64_t>(std::ceil((zero_copy ? 418701472 : 418505326) * block.loop));
  t.latency = zero_copy ? statistics(0.000146, 0.000381, 0.000195) : statistics(0.004327, 0.005605, 0.004546);
  t.publisher_reserve = zero_copy ? statistics(0.009812, 0.009895, 0.009877) : statistics(0.00726, 0.008229, 0.008057);
  t.subscriber_reserve = statistics(0, 0, 0);
  rusage & u = block.usage.self;
  u.ru_utime = zero_copy ? timeval{8, 727113} : timeval{23, 120954};
  u.ru_stime = zero_copy ? timeval{0, 307920} : timeval{0, 121597};
  u.ru_maxrss = zero_copy ? 46224 : 65092;
  u.ru_minflt = zero_copy ? 6440 : 11578;
  u.ru_majflt = zero_copy ? 0 : 2;
  u.ru_nvcsw = zero_copy ? 9734 : 9885;
  u.ru_nivcsw = zero_copy ? 2544 : 7193;
  return block;
}

TEST(Tables, AreThoseOfTheTutorial) {
  EXPECT_EQ(format_tables(tutorial_block(false)), read_file(GOLDEN_FOLDER "/copy.txt"));
  EXPECT_EQ(format_tables(tutorial_block(true)), read_file(GOLDEN_FOLDER "/zero_copy.txt"));
}

TEST(Tables, StayAlignedWhenFiguresAreWideOrMissing) {
  Block block = tutorial_block(false);
  block.interval.totals.bytes_received = 123'456'789'012'345'678;
  block.interval.totals.latency = Statistics();
  const std::string text = format_tables(block);
  EXPECT_NE(text.find("| - "), std::string::npos);
  // In the lines with two tables all second ones begin at the same column.
  std::size_t column = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto gap = line.find("   +---");
    if (gap == std::string::npos) continue;
    const auto start = line.find_first_not_of(' ', gap);
    EXPECT_TRUE(column == 0 || column == start) << line;
    column = start;
  }
  EXPECT_NE(column, 0U);
}

TEST(Tables, MoreTablesShowPercentilesAndTrouble) {
  Block block;
  block.overall.latency.record(195'000, 1000);
  block.overall.totals.failed_borrows = 4711;
  const std::string text = format_more_tables(block);
  EXPECT_NE(text.find("0.000195"), std::string::npos);
  EXPECT_NE(text.find("4711"), std::string::npos);
}

TEST(Block, RelativeLossIsOfWhatWasSentOrShouldHaveArrived) {
  Block block;
  EXPECT_EQ(block.relative_loss(), 0);
  block.interval.totals.lost = 1;
  block.interval.totals.received = 3;
  EXPECT_DOUBLE_EQ(block.relative_loss(), 0.25);
  block.interval.totals.sent = 10;
  EXPECT_DOUBLE_EQ(block.relative_loss(), 0.1);
}

class Logs : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "perf-test-logs-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    header_.options.environment = R"({"board": "x3"})";
    header_.middleware = "rmw_some_cpp";
    header_.message_size = 1040;
    header_.start_time = 86400;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::unique_ptr<Output> & output, const std::string & path) {
    Block block = tutorial_block(true);
    block.interval.latency.record(195'000, 200);
    block.interval.intended_latency.record(200'000, 200);
    block.overall.merge(block.interval);
    output->begin(header_);
    output->add(block);
    output->add(block);
    output->end(block, "Interrupted. Exiting.");
    return read_file(path);
  }

  std::filesystem::path folder_;
  Header header_;
};

TEST_F(Logs, CsvHasAHeaderAndOneLinePerInterval) {
  const std::string path = folder_ / "log.csv";
  std::istringstream text(write(make_csv_output(path), path));
  std::string line, head;
  while (std::getline(text, line) && line != "---EXPERIMENT-START---") head += line + "\n";
  EXPECT_NE(head.find("Middleware: rmw_some_cpp\n"), std::string::npos);
  EXPECT_NE(head.find(R"(Environment: {"board": "x3"})"), std::string::npos);
  std::string names, row;
  ASSERT_TRUE(std::getline(text, names) && std::getline(text, row));
  EXPECT_EQ(names.find("T_experiment,T_loop,received,sent,lost,relative_loss,data_received,latency_min (ms),"), 0U);
  EXPECT_NE(names.find(",sub_loop_res_variance (ms),ru_utime,ru_stime,ru_maxrss,"), std::string::npos);
  EXPECT_NE(names.find(",ru_nivcsw,cpu_usage (%),latency_p50 (ms),"), std::string::npos);
  EXPECT_EQ(row.find("30.554773,1.000084,99,99,0,0.000000,418701472,0.146000,0.381000,0.195000,"), 0U) << row;
  EXPECT_EQ(std::count(names.begin(), names.end(), ','), std::count(row.begin(), row.end(), ','));
  EXPECT_TRUE(std::getline(text, row));
  EXPECT_FALSE(std::getline(text, row));
}

TEST_F(Logs, JsonHasSettingsIntervalsAndSummary) {
  const std::string path = folder_ / "log.json";
  const auto log = nlohmann::json::parse(write(make_json_output(path), path));
  EXPECT_EQ(log.at("id").get<std::string>().size(), 36U);
  EXPECT_EQ(log.at("msg_name"), "Array1k");
  EXPECT_EQ(log.at("qos_reliability"), "BEST_EFFORT");
  EXPECT_EQ(log.at("environment").at("board"), "x3");
  ASSERT_EQ(log.at("analysis_results").size(), 2U);
  const auto & result = log["analysis_results"][0];
  EXPECT_EQ(result.at("num_samples_sent"), 100);
  EXPECT_EQ(result.at("latency_n"), 100);
  EXPECT_NEAR(result.at("latency_mean").get<double>(), 0.000195, 1e-9);
  EXPECT_TRUE(result.contains("latency_M2") && result.contains("pub_loop_time_reserve_mean"));
  EXPECT_EQ(result.at("sys_tracker_ru_utime"), 8'727'113'000);
  EXPECT_GE(result.at("cpu_info_cpu_cores"), 1);
  const auto & summary = log.at("summary");
  EXPECT_EQ(summary.at("num_samples_received"), 100);
  EXPECT_NEAR(summary.at("latency_p99").get<double>(), 0.000195, 1e-6);
  EXPECT_TRUE(summary.at("latency_p99.9").is_null());
  EXPECT_EQ(Histogram::decode(summary.at("latency_histogram").get<std::string>()).count(), 200U);
}

TEST_F(Logs, JsonOfAnEmptyRunIsValid) {
  const std::string path = folder_ / "log.json";
  const auto output = make_json_output(path);
  output->begin(header_);
  output->end(Block(), "Interrupted. Exiting.");
  EXPECT_TRUE(nlohmann::json::parse(read_file(path)).at("summary").at("latency_mean").is_null());
}

TEST_F(Logs, HlogHasBothLatencies) {
  const std::string path = folder_ / "log.hlog";
  std::istringstream text(write(make_hlog_output(path), path));
  const auto entries = read_hlog(text);
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].tag, "latency");
  EXPECT_EQ(entries[1].tag, "intended_latency");
  EXPECT_EQ(entries[1].histogram.count(), 200U);
}

TEST_F(Logs, AreNamedAfterTopicAndTime) {
  header_.options.topic = "/a/b";
  EXPECT_EQ(default_log_name(header_, "csv"), "results__a_b_02-01-1970_00-00-00.csv");
}

TEST_F(Logs, SayWhichFileCannotBeWritten) {
  EXPECT_THROW(make_csv_output("/no/such/folder/x"), std::runtime_error);
  EXPECT_THROW(make_json_output("/no/such/folder/x"), std::runtime_error);
  EXPECT_THROW(make_hlog_output("/no/such/folder/x"), std::runtime_error);
}

}  // namespace
}  // namespace performance_test
