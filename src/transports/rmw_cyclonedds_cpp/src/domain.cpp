#include "domain.hpp"

#include <dds/dds.h>

#include <map>
#include <mutex>
#include <string>

#include "log.hpp"
#include "settings.hpp"
#include "shared_memory.hpp"
#include "tandem/kit/endpoint.hpp"

namespace rmw_cyclonedds {
namespace {

struct Joined {
  std::mutex mutex;  ///< held while a domain is made or ended, so that the next one finds it done
  std::map<std::uint32_t, std::weak_ptr<const Domain>> domains;
};

/// Never destroyed: contexts may be members of static objects.
Joined & joined() {
  static auto * const instance = new Joined;
  return *instance;
}

std::string reason(const LogCapture & log, dds_return_t code) {
  std::string text;
  for (const std::string & line : log.lines()) {
    text += (text.empty() ? "" : "; ") + line;
  }
  return text.empty() ? dds_strretcode(code) : text;
}

transport::Error failure(std::uint32_t number, const Surroundings & here, const std::string & why) {
  std::string advice = "Is the network up, and the ports of this domain (UDP from 7400 + 250 x domain) free?";
  if (number > 232) {
    advice = "A domain is a number from 0 to 232 (ROS_DOMAIN_ID)";
  } else if (!here.user_uri.empty()) {
    advice = "Correct or unset CYCLONEDDS_URI='" + here.user_uri + "'. If it is right: " + advice;
  }
  return transport::Error("rmw_cyclonedds_cpp: domain " + std::to_string(number) + " cannot be joined: " + why + ". " +
                          advice);
}

}  // namespace

std::shared_ptr<const Domain> Domain::join(std::uint32_t number) {
  Joined & all = joined();
  const std::lock_guard lock(all.mutex);
  std::weak_ptr<const Domain> & known = all.domains[number];
  if (auto domain = known.lock()) {
    return domain;
  }
  std::shared_ptr<const Domain> domain(new Domain(number), [](const Domain * ended) {
    const std::lock_guard ending(joined().mutex);
    delete ended;
  });
  known = domain;
  return domain;
}

Domain::Domain(std::uint32_t number) : number_(number) {
  catch_log();
  const Surroundings here = look_around();
  if (here.has_shared_memory) {
    tame_iceoryx();
  }
  const std::string settings = settings_for(number, here);
  const LogCapture log;
  if (number > 232) {
    throw failure(number, here, "there is no such domain");
  }
  entity_ = dds_create_domain(number, settings.c_str());
  if (entity_ == DDS_RETCODE_PRECONDITION_NOT_MET) {
    entity_ = 0;  // some other part of this program has joined with its own settings: we share them
  } else if (entity_ < 0) {
    throw failure(number, here, reason(log, entity_));
  }
  shares_memory_ = entity_ > 0 && here.has_shared_memory && here.tuning == transport::Tuning::kTuned;
  for (const std::string & line : log.lines()) {
    transport::warn("rmw_cyclonedds_cpp", "", line);
  }
}

/// Looked at each time: iceoryx asks RouDi for each new endpoint, and waits for the answer.
bool Domain::shares_memory() const { return shares_memory_ && roudi_runs(); }

Domain::~Domain() {
  if (entity_ > 0) {
    dds_delete(entity_);
  }
}

}  // namespace rmw_cyclonedds
