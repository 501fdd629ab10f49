// See spec.hpp.
#include "trial/spec.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

namespace lab {
namespace {

using nlohmann::json;

/// Takes fields out of an object and remembers which ones there are.
class Fields {
 public:
  Fields(const json & object, std::string prefix) : object_(object), prefix_(std::move(prefix)) {
    if (!object.is_object())
      throw std::runtime_error(prefix_.empty() ? "not an object" : "field 'link': not an object");
  }

  const json * find(const char * name) {
    known_.insert(name);
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }

  template <class Number>
  void number(const char * name, Number & target, double least, double most) {
    const json * const value = find(name);
    if (value == nullptr) return;
    const bool fits = std::is_floating_point_v<Number> ? value->is_number() : value->is_number_integer();
    if (!fits) refuse(name, std::is_floating_point_v<Number> ? "not a number" : "not a whole number");
    const double given = value->get<double>();
    if (!(given >= least && given <= most)) refuse(name, fmt::format("{} is not within {} to {}", given, least, most));
    target = value->get<Number>();
  }

  void flag(const char * name, bool & target) {
    const json * const value = find(name);
    if (value == nullptr) return;
    if (!value->is_boolean()) refuse(name, "not true or false");
    target = value->get<bool>();
  }

  void text(const char * name, std::string & target) {
    const json * const value = find(name);
    if (value == nullptr) return;
    if (!value->is_string()) refuse(name, "not a text");
    target = value->get<std::string>();
  }

  template <class Value>
  void choice(const char * name, Value & target, const std::vector<std::pair<const char *, Value>> & choices) {
    const json * const value = find(name);
    if (value == nullptr) return;
    std::string all;
    for (const auto & [word, meaning] : choices) {
      if (*value == word) {
        target = meaning;
        return;
      }
      all += fmt::format("{}{}", all.empty() ? "" : ", ", word);
    }
    refuse(name, fmt::format("{} is none of {}", value->dump(), all));
  }

  void refuse_others() const {
    for (const auto & item : object_.items()) {
      if (known_.count(item.key()) == 0) refuse(item.key(), "there is no such field");
    }
  }

  [[noreturn]] void refuse(const std::string & name, const std::string & what) const {
    throw std::runtime_error(wrong(name, what));
  }

 private:
  std::string wrong(const std::string & name, const std::string & what) const {
    return fmt::format("field '{}{}': {}", prefix_, name, what);
  }

  const json & object_;
  const std::string prefix_;
  std::set<std::string> known_;
};

void read_link(Fields & fields, Spec & spec) {
  const json * const link = fields.find("link");
  if (link == nullptr) return;
  Fields of_link(*link, "link.");
  of_link.choice<std::string>("kind", spec.link_kind,
                              {{"transport", "transport"},
                               {"floor", "floor"},
                               {"zeromq", "zeromq"},
                               {"connector", "connector"},
                               {"faulty", "faulty"}});
  of_link.text("name", spec.link_name);
  of_link.refuse_others();
}

void read_topics(Fields & fields, Spec & spec) {
  fields.choice<Role>("role", spec.role,
                      {{"publish", Role::kPublish},
                       {"subscribe", Role::kSubscribe},
                       {"ping", Role::kPing},
                       {"pong", Role::kPong},
                       {"join", Role::kJoin}});
  read_link(fields, spec);
  fields.text("topic", spec.topic);
  fields.text("reply_topic", spec.reply_topic);
  for (const auto & [name, topic] : {std::pair("topic", spec.topic), std::pair("reply_topic", spec.reply_topic)}) {
    if (topic.size() < 2 || topic.front() != '/')
      fields.refuse(name, fmt::format("'{}' does not begin with '/'", topic));
  }
  fields.number("domain", spec.domain, 0, 232);
  fields.choice<bool>("history", spec.keep_all, {{"keep_last", false}, {"keep_all", true}});
  fields.number("depth", spec.depth, 1, 1'000'000);
  fields.choice<bool>("reliability", spec.reliable, {{"reliable", true}, {"best_effort", false}});
  fields.choice<bool>("durability", spec.transient_local, {{"volatile", false}, {"transient_local", true}});
}

void read_messages(Fields & fields, Spec & spec) {
  fields.choice<Content>("message", spec.content,
                         {{"bytes", Content::kBytes},
                          {"fixed", Content::kFixed},
                          {"image", Content::kImage},
                          {"point_cloud", Content::kPointCloud}});
  fields.number("size", spec.size, 16, 1 << 28);
  fields.flag("loan", spec.loan);
  fields.number("source", spec.source, 0, 255);
  fields.number("peers", spec.peers, 0, 10'000);
  fields.number("count", spec.count, 0, 4e9);
  fields.number("warm_up", spec.warm_up, 0, 1e9);
  fields.number("seconds", spec.seconds, 0, 1e6);
  fields.number("rate", spec.rate, 0, 1e9);
  fields.number("demand", spec.demand, 0, 1e9);
  fields.number("recovery_us", spec.recovery_us, 0, 1e12);
  fields.number("outstanding", spec.outstanding, 1, 10'000);
  fields.number("die_at", spec.die_at, 0, 4e9);
  if (spec.rate > 0 && spec.demand > 0) fields.refuse("demand", "bursts are not sent at a rate; leave one of them 0");
}

void read_receiving(Fields & fields, Spec & spec) {
  fields.choice<bool>("wait", spec.poll, {{"block", false}, {"poll", true}});
  fields.number("delay_us", spec.delay_us, 0, 1e9);
  fields.number("hold", spec.hold, 0, 1e6);
  fields.choice<Check>("check", spec.check,
                       {{"none", Check::kNone}, {"sparse", Check::kSparse}, {"full", Check::kFull}});
  fields.text("output", spec.output);
  fields.flag("samples", spec.samples);
  fields.number("attest", spec.attest, 0, 1e6);
}

void read_placement(Fields & fields, Spec & spec) {
  fields.number("priority", spec.priority, 0, 99);
  const bool spins = spec.poll || (spec.link_kind == "floor" && spec.link_name == "cache_line");
  if (spec.priority > 0 && spins) fields.refuse("priority", "a peer that polls would stop the machine with SCHED_FIFO");
  if (const json * const cpus = fields.find("cpus")) {
    if (!cpus->is_array()) fields.refuse("cpus", "not a list");
    for (const json & cpu : *cpus) {
      const bool fits =
          cpu.is_number_integer() && cpu.get<std::int64_t>() >= 0 && cpu.get<std::int64_t>() < CPU_SETSIZE;
      if (!fits) fields.refuse("cpus", fmt::format("{} is not the number of a processor", cpu.dump()));
      spec.cpus.push_back(cpu.get<int>());
    }
  }
  if (const json * const hosts = fields.find("hosts")) {
    if (!hosts->is_array()) fields.refuse("hosts", "not a list");
    for (const json & host : *hosts) {
      if (!host.is_string()) fields.refuse("hosts", fmt::format("{} is not an address", host.dump()));
      spec.hosts.push_back(host.get<std::string>());
    }
  }
}

Spec parse(std::istream & file) {
  const json document = json::parse(file);
  Fields fields(document, "");
  Spec spec;
  read_topics(fields, spec);
  read_messages(fields, spec);
  read_receiving(fields, spec);
  read_placement(fields, spec);
  fields.refuse_others();
  return spec;
}

}  // namespace

Spec read_spec(const std::string & path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  try {
    return parse(file);
  } catch (const json::exception & error) {
    throw std::runtime_error(fmt::format("{}: not JSON: {}", path, error.what()));
  } catch (const std::runtime_error & error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace lab
