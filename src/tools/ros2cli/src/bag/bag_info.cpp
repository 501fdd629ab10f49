// `ros2 bag info`: what is in a bag.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <set>

#include "command/verbs.hpp"
#include "tandem/bag/reader.hpp"
#include "terminal/json.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

namespace bag = tandem::bag;

constexpr std::int64_t kSecond = 1000000000;

struct InfoOptions {
  std::string path;
  std::string storage;
  std::string sort = "name";
  bool names_only = false;
  bool verbose = false;
  bool json = false;
};

void declare(Commands &, CLI::App & app, InfoOptions & options) {
  app.add_option("bag_path", options.path, "The bag: its folder, or a file of it")->required();
  app.add_option("-s,--storage", options.storage, "Accepted for compatibility: the storage is seen in the files");
  app.add_flag("-t,--topic-name", options.names_only, "Print the names of the topics only");
  app.add_flag("-v,--verbose", options.verbose, "Read all messages: sizes, requests and responses");
  app.add_option("--sort", options.sort, "Order of the topics")->check(CLI::IsMember({"name", "type", "count"}));
  app.add_flag("--json", options.json, "Print JSON");
}

/// What only reading the messages tells.
struct Usage {
  std::uint64_t bytes = 0;
  std::set<std::string> requests;  ///< of a service: client and number of each
  std::set<std::string> responses;
};

/// Client and number stand in a service's event behind its kind and its time.
void add_event(const bag::Message & message, Usage & usage) {
  constexpr std::size_t kKind = 4;  // behind the encapsulation
  constexpr std::size_t kClient = 16;
  constexpr std::size_t kEnd = 44;
  if (message.size < kEnd) {
    return;
  }
  const std::string request(reinterpret_cast<const char *>(message.data) + kClient, kEnd - kClient);
  (message.data[kKind] < 2 ? usage.requests : usage.responses).insert(request);  // sent or received
}

std::vector<Usage> read_usage(bag::Reader & reader) {
  const std::vector<bag::Topic> & topics = reader.metadata().topics;
  std::vector<Usage> all(topics.size());
  for (bag::Message message; reader.next(message);) {
    all[message.topic].bytes += message.size;
    if (!bag::service_of_event_topic(topics[message.topic]).empty()) {
      add_event(message, all[message.topic]);
    }
  }
  return all;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char *, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (size >= 1024 && unit + 1 < kUnits.size()) {
    size /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", size, unit == 0 ? 0 : 1, kUnits[unit]);
}

std::string seconds_text(std::int64_t ns) { return fmt::format("{}.{:09}", ns / kSecond, ns % kSecond); }

std::string time_text(std::int64_t ns) {
  const std::time_t seconds = ns / kSecond;
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:%b %e %Y %H:%M:%S}.{:09} ({})", local, ns % kSecond, seconds_text(ns));
}

/// A topic or a service, as the table shows it.
struct Row {
  std::string name;
  std::string type;
  std::uint64_t count = 0;
  std::string text;
};

void sort_rows(std::vector<Row> & rows, const std::string & by) {
  std::stable_sort(rows.begin(), rows.end(), [&](const Row & a, const Row & b) {
    return by == "count" ? a.count < b.count : by == "type" ? a.type < b.type : a.name < b.name;
  });
}

/// The rows behind a title, each below the other.
std::string table(const std::string & title, std::vector<Row> rows, const std::string & by) {
  sort_rows(rows, by);
  std::string text = title;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += (i == 0 ? "" : std::string(title.size(), ' ')) + rows[i].text + '\n';
  }
  return rows.empty() ? title + '\n' : text;
}

struct Contents {
  std::vector<Row> topics;
  std::vector<Row> services;
  std::uint64_t messages = 0;  ///< without events of services
};

Row row_of(const bag::Topic & topic, const Usage * usage) {
  const std::string size = usage == nullptr ? "" : fmt::format("Size Contribution: {} | ", size_text(usage->bytes));
  return {topic.name, topic.type, topic.message_count,
          fmt::format("Topic: {} | Type: {} | Count: {} | {}Serialization Format: {}", topic.name, topic.type,
                      topic.message_count, size, topic.serialization_format)};
}

Row service_row_of(const bag::Topic & topic, const std::string & name, const Usage * usage) {
  const std::string type = topic.type.substr(0, topic.type.rfind("_Event"));
  const std::string counts =
      usage == nullptr ? fmt::format("Event Count: {} | ", topic.message_count)
                       : fmt::format("Request Count: {} | Response Count: {} | Size Contribution: {} | ",
                                     usage->requests.size(), usage->responses.size(), size_text(usage->bytes));
  return {name, type, topic.message_count,
          fmt::format("Service: {} | Type: {} | {}Serialization Format: {}", name, type, counts,
                      topic.serialization_format)};
}

Contents contents_of(const bag::Metadata & metadata, const std::vector<Usage> & usage) {
  Contents contents;
  for (std::size_t i = 0; i < metadata.topics.size(); ++i) {
    const bag::Topic & topic = metadata.topics[i];
    const Usage * const used = usage.empty() ? nullptr : &usage[i];
    if (const std::string service = bag::service_of_event_topic(topic); !service.empty()) {
      contents.services.push_back(service_row_of(topic, service, used));
    } else {
      contents.topics.push_back(row_of(topic, used));
      contents.messages += topic.message_count;
    }
  }
  return contents;
}

std::string summary(const bag::Reader & reader, const Contents & contents, const InfoOptions & options) {
  const bag::Metadata & metadata = reader.metadata();
  std::string files;
  for (const bag::File & file : metadata.files) {
    files += (files.empty() ? "" : std::string(19, ' ')) + file.path + '\n';
  }
  return fmt::format("\nFiles:             {}Bag size:          {}\nStorage id:        {}\nROS Distro:        {}\n",
                     files, size_text(reader.size()), metadata.storage_id,
                     metadata.ros_distro.empty() ? "unknown" : metadata.ros_distro) +
         fmt::format("Duration:          {}s\nStart:             {}\nEnd:               {}\nMessages:          {}\n",
                     seconds_text(metadata.duration), time_text(metadata.start_time), time_text(metadata.end_time()),
                     contents.messages) +
         table("Topic information: ", contents.topics, options.sort) +
         fmt::format("Service:           {}\n", contents.services.size()) +
         table("Service information: ", contents.services, options.sort);
}

Json json_of(const bag::Reader & reader, const std::vector<Usage> & usage) {
  const bag::Metadata & metadata = reader.metadata();
  Json json = {{"storage", metadata.storage_id},     {"size", reader.size()},
               {"start", metadata.start_time},       {"duration", metadata.duration},
               {"messages", metadata.message_count}, {"incomplete_files", reader.incomplete_files()}};
  for (const bag::File & file : metadata.files) {
    json["files"].push_back({{"path", file.path},
                             {"start", file.start_time},
                             {"duration", file.duration},
                             {"messages", file.message_count}});
  }
  json["topics"] = Json::array();
  for (std::size_t i = 0; i < metadata.topics.size(); ++i) {
    const bag::Topic & topic = metadata.topics[i];
    Json row = {
        {"name", topic.name}, {"type", topic.type}, {"messages", topic.message_count}, {"type_hash", topic.type_hash}};
    if (!usage.empty()) {
      row["bytes"] = usage[i].bytes;
    }
    json["topics"].push_back(row);
  }
  json["custom_data"] = metadata.custom_data;
  return json;
}

int info(InfoOptions & options) {
  bag::Reader reader(options.path);
  for (const std::string & file : reader.incomplete_files()) {
    fmt::print(stderr, "WARNING: {} was not completed by its recorder; shown is what is whole\n", file);
  }
  const std::vector<Usage> usage = options.verbose ? read_usage(reader) : std::vector<Usage>();
  if (options.json) {
    print_json(json_of(reader, usage));
    return 0;
  }
  const Contents contents = contents_of(reader.metadata(), usage);
  if (!options.names_only || options.verbose) {
    print(summary(reader, contents, options));
    return 0;
  }
  std::vector<Row> rows = contents.topics;
  sort_rows(rows, options.sort);
  for (const Row & row : rows) {
    print(row.name + '\n');
  }
  return 0;
}

}  // namespace

void add_bag_info(Commands & commands, CLI::App & parent) {
  commands.verb<InfoOptions>(parent, "info", "Show what is in a bag", declare, info);
}

}  // namespace ros2cli
