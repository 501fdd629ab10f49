#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "plan/transports.hpp"

namespace bench {
namespace {

using Row = std::vector<std::string>;
using Table = std::vector<Row>;  // the first row is the header; the first column is text, all others are figures

constexpr std::string_view kBegin = "<!-- tables: begin -->\n";
constexpr std::string_view kEnd = "<!-- tables: end -->\n";

/// Three digits and a unit: "212 ns", "1.95 us", "27.3 us".
std::string time_text(double nanoseconds) {
  const char * unit = "ns";
  double value = nanoseconds;
  for (const char * larger : {"us", "ms", "s"}) {
    if (std::abs(value) < 999.5) {
      break;
    }
    value /= 1000;
    unit = larger;
  }
  const double size = std::abs(value);
  return fmt::format("{:.{}f} {}", value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0, unit);
}

std::string figure(const nlohmann::json & verdict, const char * key) {
  const double value = verdict.at(key).get<double>();
  return verdict.at("unit") == "ns" ? time_text(value) : fmt::format("{:.2f}", value);
}

Table series_table(const nlohmann::json & result) {
  Table table = {{"time", "p50", "95 % interval", "p90", "p99", "p99.9", "max"}};
  for (const nlohmann::json & series : result.at("series")) {
    if (is_of_transports(series.at("name").get<std::string>())) {
      continue;  // they have tables of their own
    }
    const nlohmann::json & p50 = series.at("p50");
    table.push_back({series.at("what").get<std::string>(), time_text(p50.at("value").get<double>()),
                     time_text(p50.at("low").get<double>()) + " .. " + time_text(p50.at("high").get<double>()),
                     time_text(series.at("p90").get<double>()), time_text(series.at("p99").get<double>()),
                     time_text(series.at("p999").get<double>()), time_text(series.at("max").get<double>())});
  }
  return table;
}

Table target_table(const nlohmann::json & result) {
  Table table = {{"ratio or difference of p50s, or slope", "measured", "95 % interval", "at most", "verdict"}};
  for (const nlohmann::json & verdict : result.at("targets")) {
    Row row = {verdict.at("what").get<std::string>(), figure(verdict, "value"),
               figure(verdict, "low") + " .. " + figure(verdict, "high"), "", ""};
    if (verdict.contains("limit")) {
      row[3] = figure(verdict, "limit");
      row[4] = verdict.at("met").get<bool>() ? "met" : "missed";
    }
    table.push_back(row);
  }
  return table;
}

/// "cpu: …" lines about the machine and the run.
std::vector<std::string> facts(const nlohmann::json & result) {
  const auto text = [](const nlohmann::json & value) {
    return value.is_string()         ? value.get<std::string>()
           : value.is_number_float() ? fmt::format("{:.2f}", value.get<double>())
                                     : value.dump();
  };
  const nlohmann::json & machine = result.at("machine");
  const nlohmann::json & settings = result.at("settings");
  const auto of = [&](const char * key) { return text(machine.at(key)); };
  return {fmt::format("{} processors of {}, virtualised: {}, frequency governor: {}", of("processors"), of("cpu"),
                      of("virtualised"), of("governor")),
          fmt::format("{}, clock source {}", of("kernel"), of("clock_source")),
          fmt::format("load average before the run {}, time taken by the hypervisor during it {} %", of("load_before"),
                      of("stolen_percent")),
          fmt::format("revision {}, compiler {}, started {}, {} rounds in {:.0f} s", of("revision"), of("compiler"),
                      text(result.at("started")), text(settings.at("rounds")), result.at("seconds").get<double>()),
          fmt::format("processors {}, {}, {}, TANDEM_SPIN_US={}", text(settings.at("cpus")), text(settings.at("qos")),
                      text(settings.at("middleware")), text(settings.at("TANDEM_SPIN_US")))};
}

std::string plain(const Table & table) {
  std::vector<std::size_t> widths(table.front().size());
  for (const Row & row : table) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const Row & row : table) {
    text += fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) {
      text += fmt::format("  {:>{}}", row[i], widths[i]);
    }
    text += "\n";
  }
  return text;
}

std::string markdown(const Table & table) {
  std::string text;
  for (const Row & row : table) {
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
    if (&row == &table.front()) {
      text += "| --- |";
      for (std::size_t i = 1; i < row.size(); ++i) {
        text += " ---: |";
      }
      text += "\n";
    }
  }
  return text;
}

std::vector<Table> all_tables(const nlohmann::json & result) {
  std::vector<Table> tables;
  for (const TransportTable & table : transport_tables(result)) {
    tables.emplace_back();
    tables.back().push_back(table.header);
    for (const auto & [title, values] : table.rows) {
      Row row = {title};
      for (const double value : values) {
        row.push_back(std::isnan(value) ? "" : time_text(value));
      }
      tables.back().push_back(row);
    }
  }
  tables.push_back(target_table(result));
  tables.push_back(series_table(result));
  tables.erase(std::remove_if(tables.begin(), tables.end(), [](const Table & table) { return table.size() < 2; }),
               tables.end());
  return tables;
}

}  // namespace

std::string render_terminal(const nlohmann::json & result) {
  std::string text = "\n";
  for (const Table & table : all_tables(result)) {
    text += plain(table) + "\n";
  }
  for (const std::string & fact : facts(result)) {
    text += fact + "\n";
  }
  if (result.at("settings").at("quick").get<bool>()) {
    text += "quick: these figures show that everything works, not how fast it is\n";
  }
  return text;
}

std::string render_markdown(const nlohmann::json & result) {
  std::string text;
  for (const std::string & fact : facts(result)) {
    text += "* " + fact + "\n";
  }
  for (const Table & table : all_tables(result)) {
    text += "\n" + markdown(table);
  }
  return text;
}

void write_markdown(const std::string & file, const std::string & tables) {
  std::string text = std::filesystem::exists(file) ? read_file(file) : "";
  const std::string section = std::string(kBegin) + "\n" + tables + "\n" + std::string(kEnd);
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    text += section;
  } else {
    text.replace(begin, end + kEnd.size() - begin, section);
  }
  write_file(file, text);
}

void write_file(const std::string & file, const std::string & text) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code ignored;  // what is wrong shows below
  if (!folder.empty()) {
    std::filesystem::create_directories(folder, ignored);
  }
  std::ofstream stream(file, std::ios::trunc);
  if (!(stream << text << std::flush)) {
    throw std::runtime_error(fmt::format("cannot write {}: {}", file, std::strerror(errno)));
  }
}

std::string read_file(const std::string & file) {
  std::ifstream stream(file);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    throw std::runtime_error(fmt::format("cannot read {}: {}", file, std::strerror(errno)));
  }
  return text.str();
}

}  // namespace bench
