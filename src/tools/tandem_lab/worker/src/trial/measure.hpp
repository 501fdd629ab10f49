// What the worker takes from tandem_measure, under its own names.
#pragma once

#include "tandem/measure/clock.hpp"
#include "tandem/measure/link.hpp"
#include "tandem/measure/payload.hpp"

namespace lab {

using tandem::measure::Arrival;
using tandem::measure::Check;
using tandem::measure::Fill;
using tandem::measure::Inlet;
using tandem::measure::kSecond;
using tandem::measure::Link;
using tandem::measure::now_ns;
using tandem::measure::Outlet;
using tandem::measure::Sent;
using tandem::measure::Unsupported;

}  // namespace lab
