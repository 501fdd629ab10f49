#include "storage/sqlite_database.hpp"

#include <fmt/format.h>

namespace tandem::bag {
namespace {

constexpr int kPatience = 5000;  // ms

}  // namespace

Database::Database(const std::filesystem::path & path, Mode mode) : path_(path), mode_(mode) {
  if (mode == Mode::kCreate && std::filesystem::exists(path)) {
    throw Error(fmt::format("cannot make {}: File exists", path.string()));
  }
  sqlite3 * database = nullptr;
  // A file whose writer was killed is mended when it is read: where it may be written.
  const int flags = SQLITE_OPEN_READWRITE | (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0);
  const int result = sqlite3_open_v2(path.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(database);
  if (result != SQLITE_OK) {
    fail();
  }
  if (mode == Mode::kRead) {
    sqlite3_busy_timeout(database, kPatience);  // another reader may be mending it
  }
}

void Database::fail() {
  const std::string reason = sqlite3_errmsg(get());
  const char * const what = mode_ == Mode::kRead ? "read" : "write";
  if (sqlite3_errcode(get()) == SQLITE_FULL) {
    throw DiskFull(fmt::format("there is no room left for {}", path_.string()));
  }
  const bool has_journal = mode_ == Mode::kRead && std::filesystem::exists(path_.string() + "-wal");
  throw Error(fmt::format(
      "cannot {} {}: {}{}", what, path_.string(), reason,
      has_journal ? "; its recorder has not completed it: copy the bag to a folder in which you may write" : ""));
}

void Database::execute(const char * sql) {
  if (sqlite3_exec(get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail();
  }
}

void Database::try_to_execute(const char * sql) {
  const int result = sqlite3_exec(get(), sql, nullptr, nullptr, nullptr);
  if (result != SQLITE_OK && result != SQLITE_BUSY && result != SQLITE_LOCKED) {
    fail();
  }
}

bool Database::has_column(const char * table, const char * column) {
  Statement columns(*this, "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?");
  columns.bind(1, std::string_view(table)).bind(2, std::string_view(column));
  return columns.step() && columns.integer(0) != 0;
}

Statement::Statement(Database & database, const char * sql) : database_(database) {
  sqlite3_stmt * statement = nullptr;
  if (sqlite3_prepare_v2(database.get(), sql, -1, &statement, nullptr) != SQLITE_OK) {
    database.fail();
  }
  statement_.reset(statement);
}

Statement & Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}

Statement & Statement::bind(int index, std::string_view text) {
  sqlite3_bind_text(statement_.get(), index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  return *this;
}

Statement & Statement::bind_blob(int index, const void * data, std::size_t size) {
  if (sqlite3_bind_blob64(statement_.get(), index, data, size, SQLITE_STATIC) != SQLITE_OK) {
    database_.fail();
  }
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result != SQLITE_ROW && result != SQLITE_DONE) {
    database_.fail();
  }
  return result == SQLITE_ROW;
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

void Statement::run() {
  while (step()) {
  }
  reset();
}

std::string Statement::text(int column) const {
  const auto * const text = reinterpret_cast<const char *>(sqlite3_column_text(statement_.get(), column));
  return text != nullptr ? text : "";
}

const void * Statement::blob(int column, std::size_t & size) const {
  const void * const data = sqlite3_column_blob(statement_.get(), column);
  size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return data;
}

}  // namespace tandem::bag
