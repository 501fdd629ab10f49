// `ros2 bag reindex`: metadata.yaml for a bag whose recorder was killed.
#include <fstream>

#include "command/verbs.hpp"
#include "tandem/bag/reader.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

namespace bag = tandem::bag;

struct ReindexOptions {
  std::string path;
  std::string storage;
};

void declare(Commands &, CLI::App & app, ReindexOptions & options) {
  app.add_option("bag_path", options.path, "The bag's folder")->required()->check(CLI::ExistingDirectory);
  app.add_option("-s,--storage", options.storage, "Accepted for compatibility: the storage is seen in the files");
}

int reindex(ReindexOptions & options) {
  const std::filesystem::path file = std::filesystem::path(options.path) / "metadata.yaml";
  std::string text;
  {
    std::error_code error;
    std::filesystem::rename(file, std::filesystem::path(options.path) / "metadata.yaml.old", error);  // if there is one
    text = bag::to_yaml(bag::Reader(options.path).metadata());
  }
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) {
    throw CommandError("cannot write " + file.string());
  }
  print("Reindexing complete.\n");
  return 0;
}

}  // namespace

void add_bag_reindex(Commands & commands, CLI::App & parent) {
  commands.verb<ReindexOptions>(parent, "reindex", "Write metadata.yaml for a bag that has none", declare, reindex);
}

}  // namespace ros2cli
