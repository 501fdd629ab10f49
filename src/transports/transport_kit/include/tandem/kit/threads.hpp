// Threads of a transport's own.
#pragma once

#include <signal.h>

#include <functional>
#include <string>
#include <thread>

namespace tandem::transport {

/// Threads that are started meanwhile get no signals: those are for the user's.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked &) = delete;
  AllSignalsBlocked & operator=(const AllSignalsBlocked &) = delete;

 private:
  sigset_t before_;
};

/// Without signals. `transport` is for the error's text. \throws Error when there can be no more threads.
std::thread start_thread(const std::string & transport, std::function<void()> run);

}  // namespace tandem::transport
