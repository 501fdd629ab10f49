// tandem-doctor: looks at shared memory, says what it finds, and cleans up when asked.
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "findings.hpp"
#include "json.hpp"
#include "page.hpp"
#include "tandem/participant.hpp"
#include "terminal.hpp"

namespace tandem::doctor {
namespace {

/// A connection takes some milliseconds to come about: what is still pending after this time is a finding.
constexpr auto kPatience = std::chrono::milliseconds(2000);

View look_patiently(const inspection::Options & options) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  View view = look(options);
  while (has_pending(view) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    view = look(options);
  }
  return view;
}

int run(const inspection::Options & options, bool clean, bool json) {
  inspection::Cleaned cleaned;
  if (clean) {
    cleaned = inspection::clean(options);
  }
  const View view = look_patiently(options);
  const auto findings = examine(view);
  if (json) {
    std::cout << to_json(view, findings, clean ? &cleaned : nullptr);
  } else {
    if (clean) {
      std::cout << to_text(cleaned) << '\n';
    }
    std::cout << to_text(view, findings, std::max<std::size_t>(60, terminal_size(STDOUT_FILENO).columns),
                         Brush(wants_colour(STDOUT_FILENO)));
  }
  std::cout.flush();
  return findings.empty() ? 0 : 1;
}

}  // namespace
}  // namespace tandem::doctor

int main(int argc, char ** argv) {
  CLI::App app{
      "Tells who is in shared memory, who is connected to whom and by what means, and what is wrong.\n"
      "Joins nothing and writes nothing, but with --clean. Exit status: 0 healthy, 1 findings, 2 wrong usage."};
  app.name("tandem doctor");
  app.option_defaults()->always_capture_default(false);
  tandem::inspection::Options options;
  bool clean = false;
  bool json = false;
  app.add_option("--domain", options.domain, "Look at this domain only; all by default")
      ->check(CLI::Range(0U, tandem::kMaxDomain));
  app.add_flag("--clean", clean, "First remove what dead processes left; says what, and how many bytes");
  app.add_flag("--json", json, "For programs; see doctor.schema.json");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError & error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return tandem::doctor::run(options, clean, json);
}
