// Tables of rosbag2's schema 4; versions 1 to 4 are read.
#include "storage/sqlite.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "storage/sqlite_database.hpp"

namespace tandem::bag {
namespace {

constexpr const char * kTables = R"(
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  BEGIN;
  CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
  CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
  CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
                      serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL,
                      type_description_hash TEXT NOT NULL);
  CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL, encoding TEXT NOT NULL,
                                   encoded_message_definition TEXT NOT NULL, type_description_hash TEXT NOT NULL);
  CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL,
                        data BLOB NOT NULL);
  CREATE INDEX timestamp_idx ON messages (timestamp ASC);
  INSERT INTO schema VALUES (4, '');
  COMMIT;
  BEGIN)";

class SqliteWriter : public FileWriter {
 public:
  explicit SqliteWriter(const std::filesystem::path & path) : database_(path, Database::Mode::kCreate) {
    database_.execute(kTables);
    insert_.emplace(database_, "INSERT INTO messages (timestamp, topic_id, data) VALUES (?, ?, ?)");
  }

  std::uint32_t add_topic(const Topic & topic) override {
    Statement insert(database_,
                     "INSERT INTO topics (id, name, type, serialization_format, offered_qos_profiles, "
                     "type_description_hash) VALUES (?, ?, ?, ?, ?, ?)");
    insert.bind(1, static_cast<std::int64_t>(topics_ + 1)).bind(2, topic.name).bind(3, topic.type);
    insert.bind(4, topic.serialization_format).bind(5, qos_to_yaml(topic.offered_qos)).bind(6, topic.type_hash);
    insert.run();
    Statement define(database_,
                     "INSERT INTO message_definitions (topic_type, encoding, encoded_message_definition, "
                     "type_description_hash) SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS "
                     "(SELECT 1 FROM message_definitions WHERE topic_type = ?1)");
    define.bind(1, topic.type).bind(2, topic.definition_encoding).bind(3, topic.definition).bind(4, topic.type_hash);
    define.run();
    return topics_++;
  }

  void write(const Message & message) override {
    static constexpr char kNothing = 0;  // SQLite takes a null pointer for NULL
    insert_->bind(1, message.log_time).bind(2, static_cast<std::int64_t>(message.topic + 1));
    insert_->bind_blob(3, message.data != nullptr ? message.data : static_cast<const void *>(&kNothing), message.size);
    insert_->run();
    size_ += message.size;
  }

  void flush() override { database_.execute("COMMIT; BEGIN"); }

  void finish(const Metadata & metadata) override {
    Statement insert(database_, "INSERT INTO metadata (metadata_version, metadata) VALUES (8, ?)");
    insert.bind(1, to_stored_yaml(metadata)).run();
    insert_.reset();
    database_.execute("COMMIT");
    database_.try_to_execute("PRAGMA journal_mode = DELETE");  // in vain while somebody reads: then the journal stays
  }

  std::uint64_t size() const override { return size_; }

 private:
  Database database_;
  std::optional<Statement> insert_;
  std::uint32_t topics_ = 0;
  std::uint64_t size_ = 0;
};

class SqliteReader : public FileReader {
 public:
  explicit SqliteReader(const std::filesystem::path & path) : path_(path), database_(path, Database::Mode::kRead) {
    if (has_tables()) {
      read_topics();
      read_counts();
    }
  }

  const std::vector<Topic> & topics() const override { return topics_; }
  const File & info() const override { return info_; }
  const char * storage_id() const override { return "sqlite3"; }
  bool is_complete() const override { return true; }

  std::string metadata() override {
    if (!database_.has_column("metadata", "metadata")) {
      return {};
    }
    Statement last(database_, "SELECT metadata FROM metadata ORDER BY id DESC LIMIT 1");
    return last.step() ? last.text(0) : "";
  }

  void seek(std::int64_t start, const std::vector<std::uint32_t> & topics) override {
    if (topics_.empty()) {
      return;
    }
    wanted_.assign(topics_.size(), topics.empty());
    for (const std::uint32_t topic : topics) {
      wanted_.at(topic) = true;
    }
    messages_.emplace(database_,
                      "SELECT timestamp, topic_id, data FROM messages WHERE timestamp >= ? ORDER BY timestamp, id");
    messages_->bind(1, start);
  }

  bool next(Message & message) override {
    if (!messages_) {
      seek(0, {});
    }
    while (messages_ && messages_->step()) {
      const auto topic = numbers_.find(messages_->integer(1));
      if (topic == numbers_.end() || !wanted_[topic->second]) {
        continue;
      }
      message = {topic->second, 0, messages_->integer(0), messages_->integer(0)};
      message.data = static_cast<const std::uint8_t *>(messages_->blob(2, message.size));
      return true;
    }
    return false;
  }

 private:
  /// False: its writer was killed before it had made them.
  bool has_tables() {
    Statement tables(database_, "SELECT count(*) FROM sqlite_master");
    return tables.step() && tables.integer(0) != 0;
  }

  void read_topics() {
    const bool has_qos = database_.has_column("topics", "offered_qos_profiles");
    const bool has_hash = database_.has_column("topics", "type_description_hash");
    const std::string columns =
        std::string(has_qos ? "offered_qos_profiles" : "''") + ", " + (has_hash ? "type_description_hash" : "''");
    Statement rows(database_,
                   ("SELECT id, name, type, serialization_format, " + columns + " FROM topics ORDER BY id").c_str());
    while (rows.step()) {
      Topic topic;
      topic.name = rows.text(1);
      topic.type = rows.text(2);
      topic.serialization_format = rows.text(3);
      topic.offered_qos = qos_from_yaml(rows.text(4), path_.string());
      topic.type_hash = rows.text(5);
      numbers_.emplace(rows.integer(0), static_cast<std::uint32_t>(topics_.size()));
      topics_.push_back(std::move(topic));
    }
    if (database_.has_column("message_definitions", "topic_type")) {
      read_definitions();
    }
  }

  /// In one pass over the messages.
  void read_counts() {
    Statement rows(database_,
                   "SELECT topic_id, count(*), min(timestamp), max(timestamp) FROM messages GROUP BY topic_id");
    std::int64_t end = 0;
    while (rows.step()) {
      const auto count = static_cast<std::uint64_t>(rows.integer(1));
      if (const auto topic = numbers_.find(rows.integer(0)); topic != numbers_.end()) {
        topics_[topic->second].message_count = count;
      }
      const bool is_first = info_.message_count == 0;
      info_.start_time = is_first ? rows.integer(2) : std::min(info_.start_time, rows.integer(2));
      end = is_first ? rows.integer(3) : std::max(end, rows.integer(3));
      info_.message_count += count;
    }
    info_.duration = end - info_.start_time;
  }

  void read_definitions() {
    Statement rows(database_, "SELECT topic_type, encoding, encoded_message_definition FROM message_definitions");
    while (rows.step()) {
      for (Topic & topic : topics_) {
        if (topic.type == rows.text(0)) {
          topic.definition_encoding = rows.text(1);
          topic.definition = rows.text(2);
        }
      }
    }
  }

  const std::filesystem::path path_;
  Database database_;
  std::vector<Topic> topics_;
  std::unordered_map<std::int64_t, std::uint32_t> numbers_;  // of topics, by their ids
  File info_;
  std::vector<bool> wanted_;
  std::optional<Statement> messages_;
};

}  // namespace

std::unique_ptr<FileWriter> create_sqlite(const std::filesystem::path & path, const StorageOptions &) {
  return std::make_unique<SqliteWriter>(path);
}

std::unique_ptr<FileReader> open_sqlite(const std::filesystem::path & path) {
  return std::make_unique<SqliteReader>(path);
}

}  // namespace tandem::bag
