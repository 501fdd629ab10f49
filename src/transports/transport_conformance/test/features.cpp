#include "features.hpp"

#include <algorithm>
#include <iostream>
#include <map>

#include "conformance.hpp"

namespace conformance {
namespace {

bool checking = false;
/// Whether the tests that need a feature, declared as lacking, have passed so far.
std::map<Feature, bool> all_passed;
std::vector<Feature> needed_now;

const FeatureText & text_of(Feature feature) {
  return *std::find_if(features().begin(), features().end(),
                       [feature](const FeatureText & text) { return text.feature == feature; });
}

const char * reason_against(Feature feature) {
  for (const transport::Limit & limit : transport_under_test().limits()) {
    if (limit.feature == feature) {
      return limit.reason;
    }
  }
  return nullptr;
}

class Verdicts : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo & /*test*/) override { needed_now.clear(); }
  void OnTestEnd(const testing::TestInfo & test) override {
    for (const Feature feature : needed_now) {
      const auto verdict = all_passed.emplace(feature, true).first;
      verdict->second = verdict->second && test.result()->Passed();
    }
  }
};

std::string quoted(const std::string & text) {
  std::string out = "\"";
  for (const char letter : text) {
    out += letter == '"' || letter == '\\' ? std::string("\\") + letter : std::string(1, letter);
  }
  return out + '"';
}

}  // namespace

const std::vector<FeatureText> & features() {
  static const std::vector<FeatureText> all = {
      {Feature::kLoans, "loans", "messages of fixed size reach subscribers of this host without a copy"},
      {Feature::kVariableLoans, "variable loans", "so do messages with strings and sequences"},
      {Feature::kReliable, "reliable", "a reliable subscription misses nothing within its depth"},
      {Feature::kKeepAll, "keep all", "a reliable keep-all publisher waits for its slowest reader"},
      {Feature::kTransientLocal, "transient local", "late joiners get the last messages"},
      {Feature::kQosMatching, "QoS matching", "incompatible QoS is no match, and said"},
      {Feature::kTypeHash, "type hash", "another definition of a type is no match, and said"},
      {Feature::kGraph, "graph", "nodes and topics of other processes are listed"},
      {Feature::kAttribution, "attribution", "a message tells its publisher and its number; losses are counted"},
      {Feature::kDomains, "domains", "one process can be in several domains at a time"},
      {Feature::kKills, "kills", "a process that was killed never keeps later ones from meeting"},
      {Feature::kDeadline, "deadline", "deadlines are offered and requested; each end notices what it misses"},
      {Feature::kLifespan, "lifespan", "messages beyond their lifespan are not taken"},
      {Feature::kLiveliness, "manual liveliness",
       "a publisher asserts that it lives, and it is noticed when it does not"},
      {Feature::kEvents, "events", "matches, incompatible QoS and publishers that are killed are told"},
      {Feature::kTypeEvents, "type events", "incompatible types are told"},
      {Feature::kOtherHosts, "other hosts", "reaches other hosts by itself"},
      {Feature::kRosWire, "ROS 2 wire", "talks to stock ROS 2 nodes by itself"},
  };
  return all;
}

bool has(Feature feature) { return reason_against(feature) == nullptr; }

std::string left_out(Feature feature) {
  const char * reason = reason_against(feature);
  if (reason == nullptr) {
    return "";
  }
  if (checking) {
    needed_now.push_back(feature);
    return "";
  }
  return std::string("declared: ") + transport_under_test().name() + " has no " + text_of(feature).name + ": " + reason;
}

void check_limits() {
  checking = true;
  patience = std::chrono::seconds(5);
  testing::UnitTest::GetInstance()->listeners().Append(new Verdicts);
}

int report_limits_in_vain() {
  int count = 0;
  for (const auto & [feature, passed] : all_passed) {
    std::cout << "limit '" << text_of(feature).name << "' (" << reason_against(feature)
              << "): " << (passed ? "declared in vain, all tests that need it pass\n" : "borne out\n");
    count += passed ? 1 : 0;
  }
  return count;
}

void describe(std::ostream & out) {
  out << "{\"transport\": " << quoted(transport_under_test().name()) << ", \"features\": [";
  const char * separator = "";
  for (const FeatureText & text : features()) {
    const char * reason = reason_against(text.feature);
    out << separator << "\n  {\"name\": " << quoted(text.name) << ", \"what\": " << quoted(text.what)
        << ", \"lacking\": " << (reason == nullptr ? "null" : quoted(reason)) << '}';
    separator = ",";
  }
  out << "\n]}\n";
}

}  // namespace conformance
