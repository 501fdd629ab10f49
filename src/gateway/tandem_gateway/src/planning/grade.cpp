#include "planning/grade.hpp"

#include <algorithm>

namespace tandem::gateway {

Grade grade_of(const transport::Qos & qos) { return {qos.reliability, qos.durability}; }

bool keeps_all(const transport::Qos & qos) {
  return qos.history == transport::History::kKeepAll && qos.reliability == transport::Reliability::kReliable;
}

bool serves(Grade offered, Grade requested) {
  return offered.reliability >= requested.reliability && offered.durability >= requested.durability;
}

std::set<Grade> closure(const std::set<Grade> & grades) {
  std::set<Grade> result = grades;
  for (const Grade & a : grades) {
    for (const Grade & b : grades) {
      result.insert({std::max(a.reliability, b.reliability), std::max(a.durability, b.durability)});
    }
  }
  return result;
}

std::optional<Grade> best(const std::set<Grade> & grades, Grade offered) {
  std::optional<Grade> found;
  for (const Grade & grade : grades) {
    if (serves(offered, grade) && (!found || serves(grade, *found))) {
      found = grade;
    }
  }
  return found;
}

std::uint32_t round_up_depth(std::uint32_t depth) {
  for (const std::uint32_t level : {16U, 128U, 1024U}) {
    if (depth <= level) {
      return level;
    }
  }
  return 16000;
}

}  // namespace tandem::gateway
