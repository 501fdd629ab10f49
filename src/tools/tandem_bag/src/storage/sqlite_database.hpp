// SQLite with destructors and exceptions.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "tandem/bag/metadata.hpp"

namespace tandem::bag {

class Database;

/// A prepared statement. Values are bound from 1 and read from 0.
class Statement {
 public:
  Statement(Database & database, const char * sql);

  Statement & bind(int index, std::int64_t value);
  Statement & bind(int index, std::string_view text);
  /// Not copied: valid until the statement has run.
  Statement & bind_blob(int index, const void * data, std::size_t size);
  /// \return whether there is a row. \throws Error
  bool step();
  /// Makes it run anew with other values.
  void reset();
  /// Runs it to its end, and makes it ready for the next time.
  void run();

  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  std::string text(int column) const;
  const void * blob(int column, std::size_t & size) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt * statement) const { sqlite3_finalize(statement); }
  };
  Database & database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Mode : std::uint8_t { kRead, kCreate };
  /// \throws Error
  Database(const std::filesystem::path & path, Mode mode);

  /// \throws Error, DiskFull
  void execute(const char * sql);
  /// As execute(), but what is locked by others stays as it is. \throws Error, DiskFull
  void try_to_execute(const char * sql);
  bool has_column(const char * table, const char * column);
  [[noreturn]] void fail();
  sqlite3 * get() const { return database_.get(); }

 private:
  struct Close {
    void operator()(sqlite3 * database) const { sqlite3_close(database); }
  };
  const std::filesystem::path path_;
  const Mode mode_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace tandem::bag
