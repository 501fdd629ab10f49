// What the transport under test says it cannot do, and what the tests make of it.
//
// A test that needs a feature begins with NEEDS(...). Where the transport declares that it lacks it, the test is left
// out and says why, and test_limits.cpp looks instead whether what is asked for is refused or at least does no harm.
#pragma once

#include <gtest/gtest.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "tandem/transport.hpp"

namespace conformance {

struct FeatureText {
  tandem::transport::Feature feature;
  const char * name;  ///< "loans"
  const char * what;  ///< for users: what works
};

/// Every feature, in the order of the table for users.
const std::vector<FeatureText> & features();

/// Whether the transport under test does this, by its own declaration.
bool has(tandem::transport::Feature feature);

/// "declared: rmw_x_cpp has no loans: <reason>" when a test that needs the feature is to be left out, else empty.
std::string left_out(tandem::transport::Feature feature);

/// With --check-limits no test is left out, and a limit that no test bears out is told of.
void check_limits();
/// After the tests. \return how many limits were declared in vain: all tests that need the feature passed.
int report_limits_in_vain();

/// What the transport under test declares, and the texts of all features, as JSON: for docs/reference/transports.md.
void describe(std::ostream & out);

}  // namespace conformance

#define NEEDS(feature) \
  if (const std::string why_not = conformance::left_out(feature); !why_not.empty()) GTEST_SKIP() << why_not
