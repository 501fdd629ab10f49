// The tree of commands and verbs: what each is called, which arguments it takes, and what completes them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ros2cli {

/// Candidates for an argument, whatever was typed of it so far; `before` has the positional arguments before it.
using Completer = std::vector<std::string> (*)(const std::vector<std::string> & before);

class Commands {
 public:
  Commands();

  CLI::App & root() { return root_; }

  /// A command that only has verbs, such as `topic`.
  CLI::App & group(const std::string & name, const std::string & summary);

  /// A verb with its own struct of options: `declare` binds arguments to a new T; `action` gets it and returns the exit
  /// status.
  template <class T>
  CLI::App & verb(CLI::App & parent, const std::string & name, const std::string & summary,
                  void (*declare)(Commands &, CLI::App &, T &), int (*action)(T &)) {
    CLI::App & app = *parent.add_subcommand(name, summary);
    auto options = std::make_shared<T>();
    declare(*this, app, *options);
    app.callback([this, options, action] { chosen_ = [options, action] { return action(*options); }; });
    return app;
  }

  /// Of `run`: the words behind package and executable, which are the program's own.
  const std::vector<std::string> & passed_on() const { return passed_on_; }

  void complete(CLI::Option * option, Completer completer) { completers_[option] = completer; }

  /// Runs what the words (those after `ros2`) ask for. \return the exit status. \throws CommandError and others.
  int run(const std::vector<std::string> & words);

  /// What the last of the words (those after `ros2`) may become: every candidate that begins with it.
  std::vector<std::string> candidates(const std::vector<std::string> & words) const;

 private:
  int run_verb(const std::vector<std::string> & words);
  void refuse_unknown_verb(const std::vector<std::string> & words) const;
  std::string chosen_path() const;
  std::vector<std::string> other_commands() const;

  CLI::App root_;
  std::map<const CLI::Option *, Completer> completers_;
  std::function<int()> chosen_;
  std::vector<std::string> passed_on_;
};

/// Checks of an option that is a finite number. CLI11's own spell out the greatest double when they refuse.
CLI::Validator positive_number();
CLI::Validator non_negative_number();

/// Subcommands and verbs directly below.
std::vector<std::string> verbs_of(const CLI::App & app);

}  // namespace ros2cli
