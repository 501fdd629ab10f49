// What a peer does in a trial. Each returns when it was told to stop, after it has said `finished`.
#pragma once

#include <cstdint>

#include "links/link.hpp"
#include "trial/control.hpp"
#include "trial/spec.hpp"

namespace lab {

/// What a role is given; it lives longer than the role.
struct Trial {
  const Spec & spec;
  Control & control;
  Link & link;
};

void publish(const Trial & trial);
void subscribe(const Trial & trial);
void ping(const Trial & trial);
void pong(const Trial & trial);
void join(const Trial & trial);

/// Whom a role waits for: the spec's number of subscriptions, where it has an outlet; of publishers, where it has an
/// inlet.
struct Counterparts {
  const Outlet * outlet = nullptr;
  const Inlet * inlet = nullptr;
  std::size_t publishers = 1;
};

/// Says `joined`, waits until they are there, says `matched`.
/// \return false when told to stop before; then stderr says who is absent.
bool await_matched(const Trial & trial, const Counterparts & counterparts);

/// A subscriber's wait for the next message: sleeps, or returns at once when it polls. Words wake it.
void await_arrival(const Trial & trial, Inlet & inlet, std::int64_t timeout_ns);

/// A peer that polls looks at what it has used when nothing came for so long, ns: what it burns afterwards is no
/// message's.
constexpr std::int64_t kIdle = 10'000'000;

/// Keeps an inlet woken by words while it is in use.
class WakesInlet {
 public:
  WakesInlet(Control & control, Inlet & inlet) : control_(control) { control_.wake_with(&inlet); }
  ~WakesInlet() { control_.wake_with(nullptr); }
  WakesInlet(const WakesInlet &) = delete;
  WakesInlet & operator=(const WakesInlet &) = delete;

 private:
  Control & control_;
};

}  // namespace lab
