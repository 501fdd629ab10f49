// All files are open; their messages are merged, and none is looked for before its file's time has come.
#include "tandem/bag/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "storage/decompress.hpp"

namespace tandem::bag {
namespace fs = std::filesystem;

/// A file of the bag.
struct Reader::Source {
  fs::path path;
  File info;
  std::unique_ptr<FileReader> file;
  std::vector<std::uint32_t> numbers;  ///< of the bag's topics, by the file's
  Message message;
  bool has_message = false;
  bool is_due = false;  ///< sought, and not at its end
  bool are_messages_compressed = false;
  std::vector<std::uint8_t> decompressed;

  void open() {
    if (path.extension() != ".zstd") {
      file = FileReader::open(path);
      return;
    }
    const fs::path temporary = decompress_file(path);
    const std::unique_ptr<const fs::path, void (*)(const fs::path *)> removal(
        &temporary, [](const fs::path * name) { fs::remove(*name); });  // it stays open
    file = FileReader::open(temporary);
  }
};

namespace {

bool is_bag_file(const fs::path & path) {
  const fs::path name = path.extension() == ".zstd" ? path.stem() : path.filename();
  return name.extension() == ".mcap" || name.extension() == ".db3";
}

std::string content(const fs::path & path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// "bag_10.mcap" after "bag_9.mcap".
bool comes_before(const fs::path & a, const fs::path & b) {
  const std::string x = a.filename().string();
  const std::string y = b.filename().string();
  return x.size() != y.size() ? x.size() < y.size() : x < y;
}

std::vector<fs::path> bag_files(const fs::path & folder) {
  std::vector<fs::path> files;
  for (const auto & entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && is_bag_file(entry.path())) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end(), comes_before);
  return files;
}

auto find(std::vector<Topic> & topics, const std::string & name) {
  return std::find_if(topics.begin(), topics.end(), [&](const Topic & topic) { return topic.name == name; });
}

}  // namespace

Reader::Reader(const fs::path & path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw Error(fmt::format("there is no bag {}", path.string()));
  }
  const bool is_folder = fs::is_directory(path);
  const fs::path yaml = path / "metadata.yaml";
  const bool has_yaml = is_folder && fs::exists(yaml);
  if (has_yaml) {
    metadata_ = metadata_from_yaml(content(yaml), yaml.string());
  } else if (is_folder) {
    for (const fs::path & file : bag_files(path)) {
      metadata_.files.push_back({file.filename().string()});
    }
    if (metadata_.files.empty()) {
      throw Error(fmt::format("{} has no metadata.yaml, and no files of a bag", path.string()));
    }
  } else {
    metadata_.files.push_back({path.filename().string()});
  }
  open_files(is_folder ? path : path.parent_path());
  complete_metadata(has_yaml);
}

Reader::~Reader() = default;

void Reader::open_files(const fs::path & folder) {
  // Early versions wrote paths from where the recorder was run.
  const auto path_of = [&](const File & file) {
    return fs::exists(folder / file.path) ? folder / file.path : folder / fs::path(file.path).filename();
  };
  // A recorder that was killed when it began a file has left it empty.
  const File & last = metadata_.files.back();
  std::error_code error;
  if (metadata_.files.size() > 1 && last.message_count == 0 && fs::is_empty(path_of(last), error)) {
    empty_file_ = path_of(last).string();
    metadata_.files.pop_back();
  }
  for (const File & file : metadata_.files) {
    auto source = std::make_unique<Source>();
    source->path = path_of(file);
    source->info = file;
    source->are_messages_compressed = metadata_.compression_mode == "MESSAGE";
    source->open();
    sources_.push_back(std::move(source));
  }
}

void Reader::complete_metadata(bool has_yaml) {
  std::vector<Topic> topics;
  Metadata seen;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    Source & source = *sources_[i];
    const File & info = source.file->info();
    source.info.start_time = info.start_time;
    source.info.duration = info.duration;
    source.info.message_count = info.message_count;
    for (const Topic & topic : source.file->topics()) {
      const auto known = find(topics, topic.name);
      source.numbers.push_back(static_cast<std::uint32_t>(known - topics.begin()));
      if (known == topics.end()) {
        topics.push_back(topic);
      } else {
        known->message_count += topic.message_count;
      }
    }
    if (info.message_count != 0) {
      const std::int64_t end = info.start_time + info.duration;
      const bool is_first = seen.message_count == 0;
      const std::int64_t start = is_first ? info.start_time : std::min(seen.start_time, info.start_time);
      seen.duration = std::max(is_first ? end : seen.end_time(), end) - start;
      seen.start_time = start;
      seen.message_count += info.message_count;
    }
    metadata_.files[i] = source.info;
    metadata_.storage_id = source.file->storage_id();
  }
  if (!has_yaml) {
    const std::string stored = sources_.back()->file->metadata();
    if (!stored.empty()) {
      const Metadata known = metadata_from_yaml(stored, sources_.back()->path.string());
      metadata_.ros_distro = known.ros_distro;
      metadata_.custom_data = known.custom_data;
    }
  }
  // metadata.yaml knows topics without messages, which a file may lack.
  for (const Topic & topic : metadata_.topics) {
    const auto known = find(topics, topic.name);
    if (known == topics.end()) {
      topics.push_back(topic);
      topics.back().message_count = 0;
    } else if (known->type_hash.empty()) {
      known->type_hash = topic.type_hash;
    }
  }
  metadata_.topics = std::move(topics);
  metadata_.start_time = seen.start_time;
  metadata_.duration = seen.duration;
  metadata_.message_count = seen.message_count;
}

std::uint64_t Reader::size() const {
  std::uint64_t size = 0;
  for (const auto & source : sources_) {
    std::error_code error;
    const std::uintmax_t one = fs::file_size(source->path, error);
    size += error ? 0 : one;
  }
  return size;
}

std::vector<std::string> Reader::incomplete_files() const {
  std::vector<std::string> names;
  for (const auto & source : sources_) {
    if (!source->file->is_complete()) {
      names.push_back(source->path.string());
    }
  }
  if (!empty_file_.empty()) {
    names.push_back(empty_file_);
  }
  return names;
}

void Reader::seek(std::int64_t start, const std::vector<std::uint32_t> & topics) {
  is_sought_ = true;
  last_ = nullptr;
  for (const auto & source : sources_) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < source->numbers.size(); ++i) {
      if (std::find(topics.begin(), topics.end(), source->numbers[i]) != topics.end()) {
        wanted.push_back(i);
      }
    }
    source->has_message = false;
    source->is_due = topics.empty() || !wanted.empty();
    if (source->is_due) {
      source->file->seek(start, wanted);
    }
  }
}

bool Reader::advance(Source & source) {
  source.has_message = source.is_due && source.file->next(source.message);
  source.is_due = source.has_message;
  if (!source.has_message) {
    return false;
  }
  Message & message = source.message;
  message.topic = source.numbers.at(message.topic);
  if (source.are_messages_compressed) {
    decompress(message.data, message.size, source.decompressed, source.path);
    message.data = source.decompressed.data();
    message.size = source.decompressed.size();
  }
  return true;
}

bool Reader::next(Message & message) {
  if (!is_sought_) {
    seek(0);
  }
  if (last_ != nullptr) {
    advance(*last_);
    last_ = nullptr;
  }
  for (const auto & source : sources_) {
    // A later file's message is not looked for as long as earlier ones are due.
    const bool is_near = last_ == nullptr || source->info.start_time <= last_->message.log_time;
    if (!source->has_message && (!source->is_due || !is_near || !advance(*source))) {
      continue;
    }
    if (last_ == nullptr || source->message.log_time < last_->message.log_time) {
      last_ = source.get();
    }
  }
  if (last_ == nullptr) {
    return false;
  }
  message = last_->message;
  return true;
}

const std::string & Reader::current_file() const {
  static const std::string none;
  return last_ != nullptr ? last_->info.path : none;
}

}  // namespace tandem::bag
