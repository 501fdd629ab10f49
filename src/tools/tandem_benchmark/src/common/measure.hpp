// What the benchmarks take from tandem_measure, under their own names.
#pragma once

#include "tandem/measure/clock.hpp"
#include "tandem/measure/statistics.hpp"

namespace bench {

using tandem::measure::Clock;
using tandem::measure::nanoseconds_between;
using tandem::measure::summarise;
using tandem::measure::Summary;

}  // namespace bench
