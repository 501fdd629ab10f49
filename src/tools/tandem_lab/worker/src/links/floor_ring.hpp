// A publisher's slots in memory that its subscribers map: the floor of any transport on one host.
#pragma once

#include <memory>
#include <string>

#include "links/link.hpp"
#include "trial/spec.hpp"

namespace lab {

struct RingKind {
  bool copies = false;          ///< into the slot and out of it again; else both sides work in place
  bool polls = false;           ///< nobody sleeps in the kernel
  bool releases_early = false;  ///< a mistake: one slot, written again as soon as the reader asks for the next message
};

class Meeting;

struct RingPlan {
  RingKind kind;
  Spec spec;
  std::shared_ptr<Meeting> meeting;
};

std::unique_ptr<Outlet> make_ring_outlet(const RingPlan & plan, const std::string & topic);
/// \throws Unsupported when a subscriber wants to hold more messages than there are slots.
std::unique_ptr<Inlet> make_ring_inlet(const RingPlan & plan, const std::string & topic);

std::unique_ptr<Link> make_ring_link(const Spec & spec, const RingKind & kind);

}  // namespace lab
