#include "participant/domain.hpp"

#include <dds/dds.h>
#include <dds/ddsrt/log.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "entity/entity.hpp"
#include "internals/receivers.h"
#include "participant/settings.hpp"
#include "tandem/kit/endpoint.hpp"
#include "tandem/kit/fork_generation.hpp"

namespace rmw_cyclonedds {
namespace {

constexpr std::size_t kMostReceivers = 8;  // Cyclone has three

struct Joined {
  dds_entity_t entity = 0;  ///< 0: some other part of this program has joined with its own settings, and we share them
  unsigned users = 0;
  std::vector<int> receivers;  ///< copies of the sockets that its threads wait at
};

/// Never destroyed: contexts may be members of static objects, and Cyclone's threads speak while the process ends.
struct Process {
  const std::uint32_t generation = transport::fork_generation();
  std::mutex joining;  ///< held while a domain is made or ended, so that the next one finds it done
  std::map<std::uint32_t, Joined> domains;
  std::atomic<int> waiting{0};      ///< domains without the secured participant that is being made
  std::atomic<bool> ending{false};  ///< a domain ends
  std::mutex speaking;
  std::set<std::string> said;
};

Process & process() {
  static auto * const instance = new Process;
  return *instance;
}

/// What is said meanwhile is kept here instead of printed.
thread_local std::vector<std::string> * capturing = nullptr;

void hear(void * /*unused*/, const dds_log_data_t * said) {
  if ((said->priority & (DDS_LC_FATAL | DDS_LC_ERROR | DDS_LC_WARNING)) == 0) {
    return;
  }
  try {
    std::string line = said->message;
    line.erase(line.find_last_not_of(" \n") + 1);
    if (process().waiting != 0 && line.rfind("Remote secure participant", 0) == 0) {
      return;  // it will be heard again
    }
    if (process().ending && line.rfind("UDP recvmsg sock", 0) == 0) {
      return;  // a socket that end() has shut
    }
    if (capturing != nullptr) {
      capturing->push_back(line);
      return;
    }
    const std::lock_guard lock(process().speaking);
    constexpr std::size_t kMost = 100;  // a peer that provokes ever new complaints fills neither terminal nor memory
    if (process().said.size() < kMost && process().said.insert(line).second) {
      transport::warn(kName, "", line);
    }
  } catch (const std::bad_alloc &) {
  }
}

transport::Error failure(std::uint32_t number, const Surroundings & here, const std::string & why) {
  std::string advice = "Is the network up, and the ports of this domain (UDP from 7400 + 250 x domain) free?";
  if (number > 232) {
    advice = "A domain is a number from 0 to 232 (ROS_DOMAIN_ID)";
  } else if (!here.user_uri.empty()) {
    advice = "Correct or unset CYCLONEDDS_URI='" + here.user_uri + "'. If it is right: " + advice;
  }
  return transport::Error(std::string(kName) + ": domain " + std::to_string(number) + " cannot be joined: " + why +
                          ". " + advice);
}

dds_entity_t make_domain(std::uint32_t number) {
  dds_set_log_sink(hear, nullptr);
  const Surroundings here = look_around();
  const std::string settings = settings_for(here);
  if (number > 232) {
    throw failure(number, here, "there is no such domain");
  }
  std::vector<std::string> lines;
  capturing = &lines;
  const dds_entity_t entity = dds_create_domain(number, settings.c_str());
  capturing = nullptr;
  if (entity < 0 && entity != DDS_RETCODE_PRECONDITION_NOT_MET) {
    std::string reason;
    for (const std::string & line : lines) {
      reason += (reason.empty() ? "" : "; ") + line;
    }
    throw failure(number, here, reason.empty() ? dds_strretcode(entity) : reason);
  }
  for (const std::string & line : lines) {
    transport::warn(kName, "", line);
  }
  return std::max(entity, 0);
}

/// Cyclone's threads that receive end when a datagram comes, which Cyclone sends to its own address. Without an interface that
/// has this address none comes: then their sockets are shut.
void end(Joined & joined) {
  process().ending = true;
  std::promise<void> done;
  std::thread watch;
  try {
    watch = std::thread([&joined, over = done.get_future()] {
      if (over.wait_for(std::chrono::milliseconds(200)) == std::future_status::timeout) {
        for (const int receiver : joined.receivers) {
          shutdown(receiver, SHUT_RD);  // wakes whoever reads, although it says ENOTCONN
        }
      }
    });
  } catch (const std::system_error &) {  // no thread is left: it may hang
  }
  dds_delete(joined.entity);
  done.set_value();
  if (watch.joinable()) {
    watch.join();
  }
  for (const int receiver : joined.receivers) {
    close(receiver);
  }
  joined.receivers.clear();
  process().ending = false;
}

}  // namespace

Domain::Domain(std::uint32_t number, bool is_secured) : number_(number), is_waiting_(is_secured) {
  if (process().generation != transport::fork_generation()) {
    throw transport::Error(std::string(kName) +
                           ": this process was forked from one that uses Cyclone DDS, whose threads " +
                           "it does not have; start it as another program, or fork before the first context is made");
  }
  const std::lock_guard lock(process().joining);
  Joined & joined = process().domains[number];
  process().waiting += is_waiting_ ? 1 : 0;
  try {
    if (joined.users == 0) {
      joined.entity = make_domain(number);
    }
  } catch (...) {
    has_participant();
    throw;
  }
  ++joined.users;
}

void Domain::has_participant() { process().waiting -= std::exchange(is_waiting_, false) ? 1 : 0; }

Domain::~Domain() {
  has_participant();
  const std::lock_guard lock(process().joining);
  Joined & joined = process().domains[number_];
  if (--joined.users == 0 && joined.entity > 0) {
    end(joined);
  }
}

void Domain::note_receivers(const ddsi_sertype & type) const {
  const std::lock_guard lock(process().joining);
  Joined & joined = process().domains[number_];
  if (joined.receivers.empty()) {
    joined.receivers.resize(kMostReceivers);
    joined.receivers.resize(rmw_cyclonedds_copy_receivers(&type, joined.receivers.data(), kMostReceivers));
  }
}

}  // namespace rmw_cyclonedds
