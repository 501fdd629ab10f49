#include "tandem/bag/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "bag/qos_yaml.hpp"

namespace tandem::bag {
namespace fs = std::filesystem;
namespace {

/// Of a message at `time`: first and last times that include it. T is a Metadata or a File.
template <class T>
void include(T & all, std::int64_t time) {
  if (all.message_count++ == 0) {
    all.start_time = time;
    all.duration = 0;
    return;
  }
  const std::int64_t end = std::max(all.start_time + all.duration, time);
  all.start_time = std::min(all.start_time, time);
  all.duration = end - all.start_time;
}

}  // namespace

Writer::Writer(const WriterOptions & options) : options_(options) {
  std::error_code error;
  if (fs::exists(options.folder, error)) {
    throw Error(fmt::format("Output folder '{}' already exists.", options.folder.string()));
  }
  if (!fs::create_directories(options.folder, error)) {
    throw Error(fmt::format("cannot make the folder {}: {}", options.folder.string(), error.message()));
  }
  metadata_.storage_id = options.storage_id;
  metadata_.custom_data = options.custom_data;
  metadata_.ros_distro = options.ros_distro;
  try {
    open_file();
  } catch (const Error &) {
    fs::remove(options.folder, error);  // empty
    throw;
  }
  is_open_ = true;
}

Writer::~Writer() {
  try {
    close();
  } catch (const std::exception &) {  // NOLINT: said so
  }
}

std::uint32_t Writer::add_topic(const Topic & topic) {
  metadata_.topics.push_back(topic);
  metadata_.topics.back().message_count = 0;
  if (file_) {
    numbers_.push_back(file_->add_topic(topic));
  }
  return static_cast<std::uint32_t>(metadata_.topics.size() - 1);
}

void Writer::add_offered_qos(std::uint32_t topic, const Qos & qos) {
  std::vector<Qos> & all = metadata_.topics.at(topic).offered_qos;
  if (std::none_of(all.begin(), all.end(), [&](const Qos & known) { return are_equal(known, qos); })) {
    all.push_back(qos);
  }
}

void Writer::write(const Message & message) {
  if (!file_) {
    open_file();
    write_yaml();
  } else if (is_split_due(message)) {
    split();
  }
  Message numbered = message;
  numbered.topic = numbers_.at(message.topic);
  file_->write(numbered);
  ++metadata_.topics[message.topic].message_count;
  include(metadata_, message.log_time);
  include(metadata_.files.back(), message.log_time);
}

bool Writer::is_split_due(const Message & message) const {
  const File & file = metadata_.files.back();
  if (file.message_count == 0) {
    return false;
  }
  const bool is_large = options_.max_file_size != 0 && file_->size() >= options_.max_file_size;
  const bool is_long =
      options_.max_file_duration != 0 && message.log_time - file.start_time >= options_.max_file_duration;
  return is_large || is_long;
}

void Writer::finish_file() {
  if (file_ && metadata_.files.back().message_count != 0) {
    close_file();
    write_yaml();
  }
}

void Writer::split() {
  if (!file_) {
    return;
  }
  const std::string closed = (options_.folder / metadata_.files.back().path).string();
  close_file();
  open_file();
  write_yaml();
  if (split_listener_) {
    split_listener_(closed, (options_.folder / metadata_.files.back().path).string());
  }
}

void Writer::flush() {
  if (file_) {
    file_->flush();
  }
}

void Writer::open_file() {
  // As rosbag2 names them: after the folder, also where it is given as "." or with a slash at its end.
  const fs::path folder = fs::absolute(options_.folder / "").lexically_normal().parent_path();
  const std::string name = fmt::format("{}_{}{}", folder.filename().string(), metadata_.files.size(),
                                       FileWriter::extension(options_.storage_id));
  file_ = FileWriter::create(options_.storage_id, options_.folder / name, options_.storage);
  metadata_.files.push_back({name});
  numbers_.clear();
  for (const Topic & topic : metadata_.topics) {
    numbers_.push_back(file_->add_topic(topic));
  }
}

void Writer::close_file() {
  file_->finish(metadata_);
  file_.reset();
}

void Writer::close() {
  if (!is_open_) {
    return;
  }
  is_open_ = false;
  std::string problem;
  try {
    if (file_) {
      close_file();
    }
  } catch (const Error & error) {  // metadata.yaml is of use all the same
    problem = error.what();
    file_.reset();
  }
  write_yaml();
  if (!problem.empty()) {
    throw Error(problem);
  }
}

void Writer::write_yaml() const {
  const fs::path path = options_.folder / "metadata.yaml";
  const fs::path unfinished = options_.folder / ".metadata.yaml";
  std::ofstream file(unfinished);
  file << to_yaml(metadata_);
  file.close();
  std::error_code error;
  if (file) {
    fs::rename(unfinished, path, error);
  }
  if (!file || error) {
    const std::string why = error ? error.message() : std::strerror(errno);
    fs::remove(unfinished, error);
    throw Error(fmt::format("cannot write {}: {}", path.string(), why));
  }
}

}  // namespace tandem::bag
