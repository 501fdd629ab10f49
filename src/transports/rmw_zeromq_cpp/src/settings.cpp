#include "settings.hpp"

#include <cstdio>
#include <cstdlib>

#include "tandem/kit/tuning.hpp"
#include "tandem/transport.hpp"

namespace rmw_zeromq {
namespace {

std::string environment(const char * name) {
  const char * value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

Settings Settings::read() {
  using tandem::transport::Error;
  Settings settings;
  settings.is_vendor = tandem::transport::tuning() == tandem::transport::Tuning::kVendor;
  if (const std::string word = environment("TANDEM_ZEROMQ_TRANSPORT"); word == "tcp") {
    settings.is_tcp = true;
  } else if (!word.empty() && word != "ipc") {
    throw Error(std::string(kName) + ": TANDEM_ZEROMQ_TRANSPORT=" + word + " is unknown; use `ipc` or `tcp`");
  }
  if (const std::string word = environment("TANDEM_ZEROMQ_ADDRESS"); !word.empty()) {
    settings.address = word;
  }
  if (const std::string word = environment("TANDEM_ZEROMQ_PORTS"); !word.empty()) {
    int end = 0;
    const int count = std::sscanf(word.c_str(), "%5u-%5u%n", &settings.first_port, &settings.last_port, &end);
    if (count != 2 || word[static_cast<std::size_t>(end)] != '\0' || settings.first_port == 0 ||
        settings.first_port > settings.last_port || settings.last_port > 65535) {
      throw Error(std::string(kName) + ": TANDEM_ZEROMQ_PORTS=" + word +
                  " is no range; write it as first-last, for example 7600-7699");
    }
  }
  return settings;
}

}  // namespace rmw_zeromq
