#include "bag/bag_recording.hpp"

#include <filesystem>

#include "bag/bag_disk.hpp"
#include "common/processors.hpp"
#include "common/ros.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;
using namespace tandem::bag;  // NOLINT: what is measured

RecorderOptions options_for(const std::string & folder, const std::string & topic, const std::string & profile) {
  RecorderOptions options;
  options.writer.folder = folder;
  options.selection.topics = {topic};
  if (profile == "lz4") {
    options.writer.storage.compression = Compression::kLz4;
  } else {
    options.writer.storage = storage_options(profile, {});
  }
  return options;
}

}  // namespace

void expect_mcap() {
  const fs::path folder = disk_folder() + "/probe_" + std::to_string(getpid());
  {
    WriterOptions options;
    options.folder = folder;
    Writer writer(options);
  }
  fs::remove_all(folder);
}

Recording::Recording(const std::string & topic, const std::string & profile) : folder_(disk_folder() + "/recorded") {
  unpin();
  ros();
  recorder_ =
      std::make_unique<Recorder>(options_for(folder_, topic, profile), rclcpp::contexts::get_global_default_context());
}

Recording::~Recording() {
  recorder_.reset();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::uint64_t Recording::stop() {
  recorder_->stop();
  for (const Lost & lost : recorder_->lost()) {
    throw std::runtime_error("the recorder lost " + std::to_string(lost.in_transport) + " messages in the transport, " +
                             std::to_string(lost.in_recorder) + " for want of room");
  }
  return recorder_->message_count();
}

void Recording::sync() const {
  for (const auto & entry : fs::directory_iterator(folder_)) {
    sync_file(entry.path());
  }
}

void Recording::remove() const { clear_disk(folder_); }

}  // namespace bench
