// Threads that take no signals.
#pragma once

#include <signal.h>

#include "rclcpp/macros.hpp"

namespace rclcpp::detail {

/// Threads that start while this lives take no signals, so that user code is interrupted as without them.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t every;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &former_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &former_, nullptr); }
  RCLCPP_DISABLE_COPY(SignalsBlocked)

 private:
  sigset_t former_;
};

}  // namespace rclcpp::detail
