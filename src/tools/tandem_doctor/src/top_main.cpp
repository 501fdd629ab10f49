// tandem-top: rates, backlogs and losses, live in a terminal or as blocks of text.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <optional>
#include <thread>

#include "rates.hpp"
#include "screen.hpp"
#include "tandem/participant.hpp"
#include "terminal.hpp"

namespace tandem::doctor {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  inspection::Options inspection;
  double interval = 1;  ///< seconds
  std::optional<std::uint64_t> iterations;
  Order order = Order::kMessages;
};

/// Looks again and again, and compares.
class Watch {
 public:
  explicit Watch(const Options & options) : options_(options) { look(); }
  /// Compares with the look before.
  void look() {
    before_ = std::move(view_.report);
    const auto then = time_;
    view_ = View{};
    view_.report = look_at_memory(options_.inspection);
    time_ = Clock::now();
    view_.host.file_system = look_at_file_system(view_.report.directory);
    for (const auto & domain : view_.report.domains) {
      for (const auto & region : domain.regions) {
        view_.activities[region.incarnation] = activity(region);
      }
    }
    const double seconds = std::max(1e-3, std::chrono::duration<double>(time_ - then).count());
    rates_ = compare(looks_++ != 0 ? &before_ : nullptr, view_, seconds);
  }
  const View & view() const { return view_; }
  Rates sorted(Order order) const {
    Rates rates = rates_;
    sort(rates, order);
    return rates;
  }

 private:
  const Options & options_;
  View view_;
  inspection::Report before_;
  Rates rates_;
  Clock::time_point time_;
  std::uint64_t looks_ = 0;
};

Order next(Order order) { return static_cast<Order>((static_cast<int>(order) + 1) % 4); }

/// The lines from `offset` on that fit, between the headline and the keys.
std::string page(const Watch & watch, Order order, const Options & options, std::size_t & offset) {
  const Size size = terminal_size(STDOUT_FILENO);
  const Brush brush(wants_colour(STDOUT_FILENO));
  const Rates rates = watch.sorted(order);
  const std::vector<std::string> lines = tables(rates, size.columns, brush);
  const std::size_t room = size.rows > 4 ? size.rows - 4 : 1;  // headline, two lines; an empty one; keys
  offset = std::min(offset, lines.size() > room ? lines.size() - room : 0);
  std::string text = headline(watch.view(), rates, size.columns, brush) + "\n\n";
  for (std::size_t i = 0; i < room; ++i) {
    text += (offset + i < lines.size() ? lines[offset + i] : std::string()) + '\n';
  }
  std::string keys =
      "q quit   s sort by " + std::string(to_string(order)) + "   j k scroll   every " + count(options.interval) + " s";
  if (lines.size() > room) {
    keys += "   " + std::to_string(offset + 1) + "-" + std::to_string(offset + room) + " of " +
            std::to_string(lines.size());
  }
  return text + brush(Paint::kDim, shorten(keys, size.columns));
}

void show_live(const Options & options) {
  const auto interval = std::chrono::milliseconds(static_cast<std::int64_t>(options.interval * 1000));
  Watch watch(options);
  Terminal terminal;
  Order order = options.order;
  std::size_t offset = 0;
  auto due = Clock::now() + interval;
  for (std::uint64_t shown = 1;;) {
    terminal.show(page(watch, order, options, offset));
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
    const char key = left.count() > 0 ? terminal.key(left) : terminal.key(std::chrono::milliseconds(0));
    if (key == 'q') {
      return;
    }
    order = key == 's' ? next(order) : order;
    offset += key == 'j' ? 1 : key == ' ' ? 10 : 0;
    offset -= std::min<std::size_t>(offset, key == 'k' ? 1 : key == 'b' ? 10 : 0);
    if (Clock::now() >= due) {
      if (options.iterations && shown++ >= *options.iterations) {
        return;
      }
      watch.look();
      due = Clock::now() + interval;
    }
  }
}

void print_blocks(const Options & options) {
  const Brush brush(wants_colour(STDOUT_FILENO));
  const std::size_t width = terminal_size(STDOUT_FILENO).columns;
  Watch watch(options);
  for (std::uint64_t i = 0; !options.iterations || i < *options.iterations; ++i) {
    std::this_thread::sleep_for(std::chrono::duration<double>(options.interval));
    watch.look();
    const Rates rates = watch.sorted(options.order);
    std::cout << headline(watch.view(), rates, width, brush) << '\n';
    for (const std::string & line : tables(rates, width, brush)) {
      std::cout << line << '\n';
    }
    std::cout << std::endl;
    if (!std::cout) {
      return;  // nobody reads any more
    }
  }
}

}  // namespace
}  // namespace tandem::doctor

int main(int argc, char ** argv) {
  using namespace tandem::doctor;
  CLI::App app{
      "Shows what passes through shared memory: rates, backlogs, losses, by topic and by process.\n"
      "Live in a terminal, else as blocks of text."};
  app.name("tandem top");
  app.option_defaults()->always_capture_default(false);
  Options options;
  bool plain = false;
  app.add_option("--domain", options.inspection.domain, "Look at this domain only; all by default")
      ->check(CLI::Range(0U, tandem::kMaxDomain));
  app.add_option("-i,--interval", options.interval, "Seconds between two looks; 1 by default")
      ->check(CLI::Range(0.05, 3600.0));
  app.add_option("-n,--iterations", options.iterations, "End after so many looks");
  app.add_option("-s,--sort", options.order, "messages, bytes, lost or name")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Order>{
          {"messages", Order::kMessages}, {"bytes", Order::kBytes}, {"lost", Order::kLost}, {"name", Order::kName}}));
  app.add_flag("--plain", plain, "Blocks of text on a terminal too");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError & error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const bool is_terminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
  is_terminal && !plain ? show_live(options) : print_blocks(options);
  return 0;
}
