#include "roster.hpp"

#include <fcntl.h>

#include <cstdlib>
#include <string>

#include "layout/layout.hpp"
#include "system/file.hpp"

namespace tandem::test {

void announce(unsigned domain) {
  const std::string path = std::string(std::getenv("TANDEM_SHM_DIR")) + "/" + std::to_string(domain) + "/roster";
  const File file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (const Mapping roster(file, sizeof(Roster), Mapping::Access::kWrite); roster) {
    reinterpret_cast<Roster *>(roster.base())->population.fetch_add(1);
  }
}

}  // namespace tandem::test
