#include "command/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "installed/programs.hpp"
#include "terminal/errors.hpp"
#include "terminal/output.hpp"

namespace ros2cli {
namespace {

constexpr int kWrongUsage = 2;

/// Refuses what is no finite number from 0, or beyond it.
CLI::Validator number_check(const char * name, bool beyond) {
  const auto check = [beyond](const std::string & text) -> std::string {
    double number = 0;
    if (CLI::detail::lexical_cast(text, number) && std::isfinite(number) && (beyond ? number > 0 : number >= 0)) {
      return {};
    }
    return fmt::format("'{}' is no number {}", text, beyond ? "above 0" : "of 0 or more");
  };
  return {check, name};
}

bool is_option(const std::string & word) { return word.size() > 1 && word[0] == '-'; }

const CLI::App * find_verb(const CLI::App & app, const std::string & name) {
  for (const CLI::App * verb : app.get_subcommands(nullptr)) {
    if (verb->get_name() == name && !name.empty()) {
      return verb;
    }
  }
  return nullptr;
}

const CLI::Option * find_option(const CLI::App & app, const std::string & word) {
  const std::string name = word.substr(0, word.find('='));
  return app.get_option_no_throw(name);
}

bool takes_value(const CLI::Option * option) { return option != nullptr && option->get_items_expected_max() > 0; }

/// The option whose name is the last word before the one that is completed; null if that one is no value.
/// Leaves the verb in `app` and the positional arguments so far in `before`.
const CLI::Option * walk(const CLI::App *& app, const std::vector<std::string> & words,
                         std::vector<std::string> & before) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string & word = words[i];
    if (is_option(word)) {
      const CLI::Option * option = find_option(*app, word);
      if (takes_value(option) && word.find('=') == std::string::npos) {
        if (i + 2 == words.size()) {
          return option;
        }
        ++i;
      }
    } else if (const CLI::App * verb = before.empty() ? find_verb(*app, word) : nullptr) {
      app = verb;
    } else {
      before.push_back(word);
    }
  }
  return nullptr;
}

/// The positional argument that comes after `number` others; the last one may repeat.
const CLI::Option * positional(const CLI::App & app, std::size_t number) {
  const CLI::Option * last = nullptr;
  for (const CLI::Option * option : app.get_options()) {
    if (option->get_positional()) {
      last = option;
      if (number-- == 0) {
        return option;
      }
    }
  }
  return last != nullptr && last->get_items_expected_max() > 1 ? last : nullptr;
}

std::vector<std::string> option_names(const CLI::App & app) {
  std::vector<std::string> names;
  for (const CLI::Option * option : app.get_options()) {
    for (const std::string & name : option->get_lnames()) {
      names.push_back("--" + name);
    }
    for (const std::string & name : option->get_snames()) {
      names.push_back("-" + name);
    }
  }
  return names;
}

/// Where the arguments of the program begin in `run [--prefix COMMAND] PACKAGE EXECUTABLE arguments`.
std::size_t end_of_run(const std::vector<std::string> & words) {
  std::size_t positionals = 0;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--prefix") {
      ++i;
    } else if (!is_option(words[i]) && ++positionals == 2) {
      return i + 1;
    }
  }
  return words.size();
}

}  // namespace

std::vector<std::string> verbs_of(const CLI::App & app) {
  std::vector<std::string> names;
  for (const CLI::App * verb : app.get_subcommands(nullptr)) {
    names.push_back(verb->get_name());
  }
  return names;
}

Commands::Commands() : root_("Command line of an installed Tandem workspace.", "ros2") {
  root_.require_subcommand(0, 1);
  root_.add_flag("--use-python-default-buffering")
      ->description("Accepted for compatibility: output is never kept back");
  root_.footer([this] {
    const auto others = other_commands();
    return others.empty() ? std::string() : "Commands of other packages: " + listing(others);
  });
}

CLI::App & Commands::group(const std::string & name, const std::string & summary) {
  CLI::App & app = *root_.add_subcommand(name, summary);
  app.require_subcommand(0, 1);
  return app;
}

int Commands::run(const std::vector<std::string> & words) {
  const bool is_command = !words.empty() && !is_option(words[0]);
  if (is_command && (find_verb(root_, words[0]) == nullptr || words[0] == "launch")) {
    become_external(words);
  }
  if (is_command && words[0] == "run") {
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(end_of_run(words));
    passed_on_.assign(end, words.end());
    return run_verb({words.begin(), end});
  }
  return run_verb(words);
}

int Commands::run_verb(const std::vector<std::string> & words) {
  refuse_unknown_verb(words);
  try {
    root_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp &) {
    print(root_.help());
    return 0;
  } catch (const CLI::ParseError & error) {
    fmt::print(stderr, "ros2: {}\nTry '{} --help'\n", error.what(), chosen_path());
    return kWrongUsage;
  }
  if (!chosen_) {
    print(root_.help());
    return 0;
  }
  return chosen_();
}

/// A mistyped command or verb is answered with those that there are.
void Commands::refuse_unknown_verb(const std::vector<std::string> & words) const {
  const CLI::App * app = &root_;
  std::string path = "ros2 command";
  for (const std::string & word : words) {
    if (is_option(word)) {
      continue;
    }
    const std::vector<std::string> verbs = verbs_of(*app);
    if (verbs.empty()) {
      return;
    }
    const CLI::App * verb = find_verb(*app, word);
    if (verb == nullptr) {
      std::vector<std::string> existing = verbs;
      if (app == &root_) {
        const auto others = other_commands();
        existing.insert(existing.end(), others.begin(), others.end());
      }
      throw unknown(path, word, existing);
    }
    app = verb;
    path = "verb of ros2 " + word;
  }
}

/// "ros2 topic hz": what was understood before the arguments turned out wrong.
std::string Commands::chosen_path() const {
  std::string path = "ros2";
  for (const CLI::App * app = &root_; !app->get_subcommands().empty();) {
    app = app->get_subcommands().front();
    path += " " + app->get_name();
  }
  return path;
}

/// Commands that other packages bring and that are not known here.
std::vector<std::string> Commands::other_commands() const {
  std::vector<std::string> names = external_commands();
  std::erase_if(names, [this](const std::string & name) { return find_verb(root_, name) != nullptr; });
  return names;
}

std::vector<std::string> Commands::candidates(const std::vector<std::string> & words) const {
  const std::string typed = words.empty() ? "" : words.back();
  const CLI::App * app = &root_;
  std::vector<std::string> before;
  const CLI::Option * argument = walk(app, words, before);
  std::vector<std::string> all;
  if (argument == nullptr && typed.starts_with('-')) {
    all = option_names(*app);
  } else if (argument == nullptr && !verbs_of(*app).empty()) {
    all = verbs_of(*app);
    if (app == &root_) {
      const auto others = other_commands();
      all.insert(all.end(), others.begin(), others.end());
    }
  } else {
    argument = argument != nullptr ? argument : positional(*app, before.size());
    const auto completer = completers_.find(argument);
    all = completer != completers_.end() ? completer->second(before) : all;
  }
  std::erase_if(all, [&](const std::string & candidate) { return !candidate.starts_with(typed); });
  std::sort(all.begin(), all.end());
  return all;
}

CLI::Validator positive_number() { return number_check("POSITIVE", true); }

CLI::Validator non_negative_number() { return number_check("NONNEGATIVE", false); }

}  // namespace ros2cli
