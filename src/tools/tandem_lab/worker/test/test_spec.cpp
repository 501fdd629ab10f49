// Specs: defaults, every field, and errors that say file and field.
#include <gtest/gtest.h>

#include <fstream>

#include "trial/spec.hpp"

namespace lab {
namespace {

Spec read(const std::string & text) {
  const std::string path = testing::TempDir() + "lab_spec.json";
  std::ofstream(path) << text;
  return read_spec(path);
}

std::string error_of(const std::string & text) {
  try {
    read(text);
  } catch (const std::runtime_error & error) {
    return std::string(error.what()).substr(testing::TempDir().size());
  }
  return "no error";
}

TEST(Spec, HasDefaults) {
  const Spec spec = read("{}");
  EXPECT_EQ(spec.role, Role::kPublish);
  EXPECT_EQ(spec.link_kind, "transport");
  EXPECT_EQ(spec.size, 1024U);
  EXPECT_EQ(spec.check, Check::kSparse);
  EXPECT_TRUE(spec.samples);
}

TEST(Spec, TakesFields) {
  const Spec spec =
      read(R"({"role": "pong", "link": {"kind": "floor", "name": "tcp"}, "rate": 2.5, "history": "keep_all",
    "durability": "transient_local", "reliability": "best_effort", "message": "fixed", "cpus": [0, 1], "hosts": ["10.0.0.1"],
    "wait": "poll", "check": "full", "size": 8388608})");
  EXPECT_EQ(spec.role, Role::kPong);
  EXPECT_EQ(spec.link_name, "tcp");
  EXPECT_EQ(spec.rate, 2.5);
  EXPECT_TRUE(spec.keep_all && spec.transient_local && spec.poll && !spec.reliable);
  EXPECT_EQ(spec.cpus, (std::vector<int>{0, 1}));
  EXPECT_EQ(spec.hosts.at(0), "10.0.0.1");
  EXPECT_EQ(spec.size, 8388608U);
}

TEST(Spec, SaysWhatIsWrong) {
  EXPECT_EQ(error_of(R"({"siez": 1})"), "lab_spec.json: field 'siez': there is no such field");
  EXPECT_EQ(error_of(R"({"size": 8})"), "lab_spec.json: field 'size': 8 is not within 16 to 268435456");
  EXPECT_EQ(error_of(R"({"size": "8"})"), "lab_spec.json: field 'size': not a whole number");
  EXPECT_EQ(error_of(R"({"count": -1})"), "lab_spec.json: field 'count': -1 is not within 0 to 4000000000");
  EXPECT_EQ(error_of(R"({"loan": 1})"), "lab_spec.json: field 'loan': not true or false");
  EXPECT_EQ(error_of(R"({"wait": "spin"})"), "lab_spec.json: field 'wait': \"spin\" is none of block, poll");
  EXPECT_EQ(error_of(R"({"link": {"kin": "floor"}})"), "lab_spec.json: field 'link.kin': there is no such field");
  EXPECT_EQ(error_of(R"({"link": 3})"), "lab_spec.json: field 'link': not an object");
  EXPECT_EQ(error_of(R"({"topic": "lab"})"), "lab_spec.json: field 'topic': 'lab' does not begin with '/'");
  EXPECT_EQ(error_of(R"({"cpus": [-1]})"), "lab_spec.json: field 'cpus': -1 is not the number of a processor");
  EXPECT_EQ(error_of(R"({"hosts": [1]})"), "lab_spec.json: field 'hosts': 1 is not an address");
  EXPECT_EQ(error_of("[]"), "lab_spec.json: not an object");
  EXPECT_NE(error_of("{").find("not JSON"), std::string::npos);
}

TEST(Spec, RefusesWhatCannotGoTogether) {
  EXPECT_NE(error_of(R"({"priority": 10, "wait": "poll"})").find("'priority'"), std::string::npos);
  EXPECT_NE(error_of(R"({"rate": 10, "demand": 5})").find("'demand'"), std::string::npos);
  EXPECT_THROW(read_spec("/nonexistent/spec.json"), std::runtime_error);
}

}  // namespace
}  // namespace lab
