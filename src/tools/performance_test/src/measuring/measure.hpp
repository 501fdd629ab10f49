// What perf_test takes from tandem_measure, under its own names.
#pragma once

#include "tandem/measure/clock.hpp"
#include "tandem/measure/histogram.hpp"
#include "tandem/measure/hlog.hpp"
#include "tandem/measure/message_id.hpp"
#include "tandem/measure/payload.hpp"
#include "tandem/measure/processor_time.hpp"
#include "tandem/measure/statistics.hpp"

namespace performance_test {

using tandem::measure::check_payload;
using tandem::measure::fill_payload;
using tandem::measure::Histogram;
using tandem::measure::HlogEntry;
using tandem::measure::kSecond;
using tandem::measure::kSmallestPayload;
using tandem::measure::late_ns_of;
using tandem::measure::make_id;
using tandem::measure::now_ns;
using tandem::measure::number_of;
using tandem::measure::PayloadState;
using tandem::measure::read_hlog;
using tandem::measure::Statistics;
using tandem::measure::write_hlog_entry;
using tandem::measure::write_hlog_header;

}  // namespace performance_test
