#include "tandem/inspect.hpp"

#include "input.hpp"
#include "targets.hpp"

namespace tandem::fuzz {
namespace {

constexpr std::uint32_t kDomain = 7;

void check(const test::ForgedRegion & forged) {
  inspection::Options options;
  options.domain = kDomain;
  const auto report = inspection::inspect(options);
  require(report.domains.size() == 1, "a domain is there");
  const inspection::Region * region = report.domains.front().region(forged.incarnation());
  require(region != nullptr, "a region is in the report, whatever it holds");
  require(region->path == forged.path(), "a region has its name");
}

}  // namespace

/// Tools that look at a region while its owner writes garbage.
int inspection(const std::uint8_t * data, std::size_t size) {
  Input input(data, size);
  const Log log;
  test::ForgedRegion forged({fresh_incarnation(), kDomain, "topic", {0x5e1f, 1}, 2048, {}});
  for (int looks = 0; !input.empty() && looks < 20;) {
    switch (input.byte() % 8) {
      case 0:
      case 1:
      case 2:
      case 3: input.poke(forged); break;
      case 4: forged.publish(input.byte()); break;
      case 5: forged.resize(input.length()); break;
      case 6: forged.resize_bells(input.byte() * 32U); break;
      default:
        check(forged);
        ++looks;
        break;
    }
  }
  check(forged);
  return 0;
}

}  // namespace tandem::fuzz
