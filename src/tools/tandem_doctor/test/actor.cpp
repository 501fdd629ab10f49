// A process that does as it is told: one command a line, one answer a line.
//   join DOMAIN | pub NAME TOPIC OPTION... | sub NAME TOPIC OPTION... | matched NAME COUNT | publish NAME COUNT SIZE
//   copy NAME COUNT SIZE | keep NAME COUNT | take NAME COUNT | borrow NAME COUNT
//   ask PUBLISHER SUBSCRIPTION COUNT: requests, to be replied to the subscription
//   answer SUBSCRIPTION PUBLISHER: a reply to each request that is there
// Options: keep_all best_effort transient depth=N loans=N block=MS type=NAME node=NAME
#include <chrono>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tandem/participant.hpp"

namespace {

using namespace tandem;

struct Actor {
  std::optional<Participant> participant;
  std::map<std::string, std::unique_ptr<Publisher>> publishers;
  std::map<std::string, std::unique_ptr<Subscription>> subscriptions;
  std::vector<Sample> kept;
  std::vector<Loan> loans;

  std::string execute(const std::string & line);
  std::string create(bool publishes, std::istringstream & words);
  std::string publish(const std::string & verb, std::istringstream & words);
  std::string read(const std::string & verb, std::istringstream & words);
  std::string ask(std::istringstream & words);
  std::string answer(std::istringstream & words);
};

Addressing addressing_of(const std::string & topic) {
  const std::string start = topic.substr(0, 3);
  return start == "rq/" ? Addressing::kAttached : start == "rr/" ? Addressing::kDelivered : Addressing::kNone;
}

template <class Options>
void set(Options & options, const std::string & word) {
  const std::string value = word.substr(std::min(word.size(), word.find('=') + 1));
  if (word == "keep_all") {
    options.qos.history = History::kKeepAll;
  } else if (word == "best_effort") {
    options.qos.reliability = Reliability::kBestEffort;
  } else if (word == "transient") {
    options.qos.durability = Durability::kTransientLocal;
  } else if (word.rfind("depth=", 0) == 0) {
    options.qos.depth = static_cast<std::uint32_t>(std::stoul(value));
  } else if (word.rfind("block=", 0) == 0) {
    options.qos.max_blocking_time = std::chrono::milliseconds(std::stol(value));
  } else if (word.rfind("type=", 0) == 0) {
    options.type.name = value;
  } else if (word.rfind("node=", 0) == 0) {
    options.node.name = value;
  }
}

std::string Actor::create(bool publishes, std::istringstream & words) {
  std::string name;
  PublisherOptions out;
  out.type.name = "test/msg/Bytes";
  out.node = {"/", "actor"};
  words >> name >> out.topic;
  SubscriptionOptions in;
  out.addressing = addressing_of(out.topic);
  in.topic = out.topic;
  in.addressing = out.addressing;
  in.type = out.type;
  in.node = out.node;
  for (std::string word; words >> word;) {
    set(out, word);
    set(in, word);
    if (word.rfind("loans=", 0) == 0) {
      out.max_loans = static_cast<std::uint32_t>(std::stoul(word.substr(6)));
    }
  }
  if (publishes) {
    publishers[name] = participant->create_publisher(out).value();
  } else {
    subscriptions[name] = participant->create_subscription(in).value();
  }
  return "ok";
}

std::string Actor::publish(const std::string & verb, std::istringstream & words) {
  std::string name;
  std::uint64_t count = 0;
  std::size_t size = 64;
  words >> name >> count >> size;
  Publisher & publisher = *publishers.at(name);
  const std::vector<char> content(size, 'x');
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (verb == "copy") {
      done += publisher.publish_copy(content.data(), size) ? 1U : 0U;
    } else if (auto loan = publisher.borrow(size)) {
      if (verb == "borrow") {
        loans.push_back(std::move(*loan));
        ++done;
      } else {
        done += publisher.publish(std::move(*loan)) ? 1U : 0U;
      }
    }
  }
  return std::to_string(done);
}

std::string Actor::read(const std::string & verb, std::istringstream & words) {
  std::string name;
  std::uint64_t count = 0;
  words >> name >> count;
  std::uint64_t done = 0;
  while (done < count) {
    Sample sample = subscriptions.at(name)->take();
    if (!sample) {
      break;
    }
    ++done;
    if (verb == "keep") {
      kept.push_back(std::move(sample));
    }
  }
  return std::to_string(done);
}

std::string Actor::ask(std::istringstream & words) {
  std::string publisher;
  std::string subscription;
  std::uint64_t count = 0;
  words >> publisher >> subscription >> count;
  const EndpointId self = subscriptions.at(subscription)->info().id;
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    done += publishers.at(publisher)->publish_copy(&i, sizeof i, {self, i}) ? 1U : 0U;
  }
  return std::to_string(done);
}

std::string Actor::answer(std::istringstream & words) {
  std::string subscription;
  std::string publisher;
  words >> subscription >> publisher;
  std::uint64_t done = 0;
  while (const Sample request = subscriptions.at(subscription)->take()) {
    done += publishers.at(publisher)->publish_copy(request.data(), request.size(), request.address()) ? 1U : 0U;
  }
  return std::to_string(done);
}

std::string Actor::execute(const std::string & line) {
  std::istringstream words(line);
  std::string verb;
  words >> verb;
  if (verb == "join") {
    std::uint32_t domain = 0;
    words >> domain;
    participant = Participant::join(domain).value();
    return "ok";
  }
  if (verb == "pub" || verb == "sub") {
    return create(verb == "pub", words);
  }
  if (verb == "matched") {
    std::string name;
    std::size_t count = 0;
    words >> name >> count;
    for (int i = 0; i < 6000; ++i) {
      const bool publishes = publishers.count(name) != 0;
      if ((publishes ? publishers.at(name)->matched_count() : subscriptions.at(name)->matched_count()) == count) {
        return "ok";
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // between two looks
    }
    return "timeout";
  }
  if (verb == "ask" || verb == "answer") {
    return verb == "ask" ? ask(words) : answer(words);
  }
  return verb == "take" || verb == "keep" ? read(verb, words) : publish(verb, words);
}

}  // namespace

int main() {
  Actor actor;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << actor.execute(line) << std::endl;
  }
}
