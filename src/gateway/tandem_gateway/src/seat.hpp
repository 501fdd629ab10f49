// The one gateway of a host and domain: a lock that ends with its process, and a socket that tells how it is doing.
//
//   <shared-memory folder>/gateway-<domain>.lock   locked (F_OFD_SETLK) by the gateway; its process id
//   <shared-memory folder>/gateway-<domain>.sock   whoever connects is sent the status as JSON
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "tandem/transport.hpp"

namespace tandem::gateway {

/// TANDEM_SHM_DIR, or where it is by default.
std::string shared_memory_folder();

/// Another gateway has the seat.
class Taken : public transport::Error {
 public:
  using Error::Error;
};

class Seat {
 public:
  /// \throws Taken; transport::Error when the folder cannot be written.
  explicit Seat(std::uint32_t domain);
  ~Seat();
  Seat(const Seat &) = delete;
  Seat & operator=(const Seat &) = delete;

  /// Answers whoever connects with `status()`, in a thread of its own. Once.
  void answer(std::function<std::string()> status);

 private:
  void serve(const std::function<std::string()> & status) const;

  const std::string folder_;
  const std::string name_;
  int lock_ = -1;
  int listener_ = -1;
  int end_ = -1;
  std::thread thread_;
};

/// What the running gateway answers. \throws transport::Error when none runs.
std::string ask(std::uint32_t domain);

}  // namespace tandem::gateway
