// What a peer is asked to do: the JSON of docs/reference/lab.md, read and checked once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trial/measure.hpp"

namespace lab {

enum class Role : std::uint8_t { kPublish, kSubscribe, kPing, kPong, kJoin };
enum class Content : std::uint8_t { kBytes, kFixed, kImage, kPointCloud };

/// Fields as in docs/reference/lab.md.
struct Spec {
  Role role = Role::kPublish;
  std::string link_kind = "transport";
  std::string link_name = "rmw_tandem_cpp";
  std::string topic = "/lab";
  std::string reply_topic = "/lab/reply";
  std::uint32_t domain = 70;

  Content content = Content::kBytes;
  std::size_t size = 1024;
  bool loan = false;

  bool keep_all = false;
  std::uint32_t depth = 10;
  bool reliable = true;
  bool transient_local = false;

  std::uint64_t source = 0;
  std::size_t peers = 1;
  std::uint64_t count = 0;
  double seconds = 0;
  std::uint64_t warm_up = 0;
  double rate = 0;
  std::uint64_t demand = 0;
  std::int64_t recovery_us = 0;
  std::size_t outstanding = 1;

  bool poll = false;
  std::int64_t delay_us = 0;
  std::size_t hold = 0;
  Check check = Check::kSparse;
  std::uint64_t die_at = 0;

  std::vector<int> cpus;
  int priority = 0;
  std::vector<std::string> hosts;
  std::string output;
  bool samples = true;
  std::uint64_t attest = 0;
};

/// \throws std::runtime_error "FILE: field 'x': what is wrong".
Spec read_spec(const std::string & path);

}  // namespace lab
