// See records.hpp.
#include "measures/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tandem/measure/hlog.hpp"
#include "trial/measure.hpp"

namespace lab {
namespace {

constexpr double kMostRows = 2'000'000;
constexpr double kUsualRows = 1'000'000;

std::ofstream open(const std::string & path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
  return file;
}

void close(std::ofstream & file, const std::string & path) {
  file.close();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

}  // namespace

Samples::Samples(std::string columns, std::size_t capacity) : columns_(std::move(columns)), rows_(capacity) {}

void Samples::add(const Row & row) noexcept {
  if (used_ == rows_.size()) {
    ++dropped_;
    return;
  }
  rows_[used_++] = row;
}

void Samples::write(const std::string & path) const {
  const auto columns = static_cast<std::size_t>(std::count(columns_.begin(), columns_.end(), ',')) + 1;
  std::ofstream file = open(path);
  file << columns_ << '\n';
  fmt::memory_buffer text;
  for (std::size_t i = 0; i < used_; ++i) {
    text.clear();
    fmt::format_to(std::back_inserter(text), "{}\n", fmt::join(rows_[i].begin(), rows_[i].begin() + columns, ","));
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  close(file, path);
}

std::size_t sample_capacity(const Spec & spec) {
  if (!spec.samples || spec.output.empty()) return 0;
  double rows = kUsualRows;
  if (spec.count > 0) {
    rows = static_cast<double>(spec.count);
  } else if (spec.seconds > 0 && spec.rate > 0) {
    rows = std::ceil(spec.seconds * spec.rate * 1.1);
  }
  if (spec.role == Role::kSubscribe) rows *= static_cast<double>(std::max<std::size_t>(spec.peers, 1));
  return static_cast<std::size_t>(std::min(rows, kMostRows));
}

void write_records(const Spec & spec, std::int64_t start_ns, const std::vector<TaggedHistogram> & histograms,
                   const Samples & samples) {
  if (spec.output.empty()) return;
  const double length = static_cast<double>(now_ns() - start_ns) / 1e9;
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const std::string path = spec.output + ".hlog";
  std::ofstream file = open(path);
  tandem::measure::write_hlog_header(file, std::chrono::duration<double>(wall).count() - length, "lab_peer");
  for (const TaggedHistogram & histogram : histograms) {
    tandem::measure::write_hlog_entry(file, {histogram.tag, 0, length, histogram.values});
  }
  close(file, path);
  if (!spec.samples) return;
  samples.write(spec.output + ".csv");
  if (samples.dropped() > 0) {
    fmt::print(stderr, "lab_peer: {}.csv: {} samples had no room; the histograms have all\n", spec.output,
               samples.dropped());
  }
}

}  // namespace lab
