// What a peer sends and receives through: a transport's plug-in, a floor, a library without our code. Measuring knows neither.
#pragma once

#include <memory>

#include "trial/measure.hpp"

namespace lab {

struct Spec;

// Where a link cannot do what the spec asks (lend, such a size), Unsupported is thrown: the process ends with status 3.

/// The one that spec.link names. \throws Unsupported, std::runtime_error with a sentence that says what to do.
std::unique_ptr<Link> make_link(const Spec & spec);
std::unique_ptr<Link> make_transport_link(const Spec & spec);
std::unique_ptr<Link> make_floor_link(const Spec & spec);
std::unique_ptr<Link> make_zeromq_link(const Spec & spec);
std::unique_ptr<Link> make_connector_link(const Spec & spec);
/// For tests: links that misbehave ("copies", "reuses", "stalls").
std::unique_ptr<Link> make_faulty_link(const Spec & spec);

}  // namespace lab
