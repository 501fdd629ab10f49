// The ros2 command: chooses the verb, and prints errors for people.
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "command/commands.hpp"
#include "command/verbs.hpp"
#include "talk/talk.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace {

using ros2cli::Commands;

/// `ros2 __complete WORD...`, which the shells' completions call: candidates for the last word, one a line.
int complete(const Commands & commands, std::vector<std::string> words) {
  words.erase(words.begin());
  std::string lines;
  try {
    for (const std::string & candidate : commands.candidates(words)) {
      lines += candidate + '\n';
    }
  } catch (const std::exception &) {
    return 1;  // while somebody types is no time for messages
  }
  ros2cli::print(lines);
  return 0;
}

int run(const std::vector<std::string> & words) {
  if (!words.empty() && words[0] == "__talk") {
    return ros2cli::talk({words.begin() + 1, words.end()});
  }
  Commands commands;
  ros2cli::add_run(commands);
  ros2cli::add_launch(commands);
  ros2cli::add_topic(commands);
  ros2cli::add_service(commands);
  ros2cli::add_action(commands);
  ros2cli::add_param(commands);
  ros2cli::add_bag(commands);
  ros2cli::add_node(commands);
  ros2cli::add_component(commands);
  ros2cli::add_lifecycle(commands);
  ros2cli::add_interface(commands);
  ros2cli::add_pkg(commands);
  ros2cli::add_daemon(commands);
  ros2cli::add_doctor(commands);
  return !words.empty() && words[0] == "__complete" ? complete(commands, words) : commands.run(words);
}

}  // namespace

int main(int argc, char ** argv) {
  ros2cli::ignore_broken_pipes();
  try {
    return run({argv + 1, argv + argc});
  } catch (const ros2cli::BrokenPipe &) {
    return 0;
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "ros2: there is no memory left; is the shared memory (/dev/shm or TANDEM_SHM_DIR) full?\n");
    return 1;
  } catch (const std::exception & error) {
    std::fprintf(stderr, "ros2: %s\n", error.what());
    return 1;
  }
}
