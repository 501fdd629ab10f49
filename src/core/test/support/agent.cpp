#include "agent.hpp"

#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <tuple>
#include <type_traits>

#include "payload.hpp"
#include "tandem/heap.hpp"

namespace tandem::test {
namespace {

/// The value of `key=` in `word`.
bool value_of(const std::string & word, const char * key, std::string & value) {
  const std::string start = std::string(key) + "=";
  if (word.rfind(start, 0) != 0) {
    return false;
  }
  value = word.substr(start.size());
  return true;
}

template <class Options>
Options parse(const std::string & topic, const std::string & text) {
  Options options;
  options.topic = topic;
  options.type.name = "test/msg/Words";
  options.node = {"/", "node"};
  options.qos.max_blocking_time = std::chrono::seconds(60);
  std::istringstream words(text);
  std::string value;
  for (std::string word; words >> word;) {
    if (word == "keep_all") {
      options.qos.history = History::kKeepAll;
    } else if (word == "best_effort") {
      options.qos.reliability = Reliability::kBestEffort;
    } else if (word == "transient") {
      options.qos.durability = Durability::kTransientLocal;
    } else if (value_of(word, "depth", value)) {
      options.qos.depth = static_cast<std::uint32_t>(std::stoul(value));
    } else if (value_of(word, "block", value)) {
      options.qos.max_blocking_time = std::chrono::milliseconds(std::stol(value));
    } else if (value_of(word, "type", value)) {
      options.type.name = value;
    } else if (value_of(word, "hash", value)) {
      options.type.hash[0] = static_cast<std::uint8_t>(std::stoul(value));
    } else if (value_of(word, "abi", value)) {
      options.type.abi = std::stoull(value);
    } else if (value_of(word, "node", value)) {
      options.node.name = value;
    } else if constexpr (std::is_same_v<Options, PublisherOptions>) {
      if (value_of(word, "loans", value)) {
        options.max_loans = static_cast<std::uint32_t>(std::stoul(value));
      } else if (value_of(word, "samples", value)) {
        options.max_samples = static_cast<std::uint32_t>(std::stoul(value));
      } else if (value_of(word, "first", value)) {
        options.first_sequence = std::stoull(value);
      }
    } else if (value_of(word, "quota", value)) {
      options.held_quota = static_cast<std::uint32_t>(std::stoul(value));
    } else if (word == "others_only") {
      options.ignore_own_process = true;
    } else if (value_of(word, "min", value)) {
      options.min_size = std::stoul(value);
    }
  }
  return options;
}

}  // namespace

PublisherOptions publisher_options(const std::string & topic, const std::string & options) {
  return parse<PublisherOptions>(topic, options);
}

SubscriptionOptions subscription_options(const std::string & topic, const std::string & options) {
  return parse<SubscriptionOptions>(topic, options);
}

struct Agent::State {
  struct Out {
    std::unique_ptr<Publisher> publisher;
    std::uint64_t next = 0;
  };
  std::optional<Participant> participant;
  std::map<std::string, Out> publishers;
  std::map<std::string, std::unique_ptr<Subscription>> subscriptions;
  std::map<std::string, std::unique_ptr<WaitSet>> sets;
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::uint64_t> expected;  ///< next for await
  std::vector<Sample> kept;
  std::vector<Loan> loans;

  std::string create(const std::string & verb, std::istringstream & words);
  std::string publish(const std::string & verb, std::istringstream & words);
  std::string borrow(std::istringstream & words);
  std::string publish_loans(Out & out);
  std::string take(const std::string & verb, std::istringstream & words);
  std::string wait(const std::string & verb, std::istringstream & words);
  std::string count(const std::string & verb, const std::string & name);
  std::string other(const std::string & verb, std::istringstream & words);
  std::string processes() const;
};

std::string Agent::State::create(const std::string & verb, std::istringstream & words) {
  std::string name;
  std::string topic;
  std::string options;
  words >> name >> topic;
  std::getline(words, options);
  const auto answer = [](const auto & result) {
    return result ? std::string("ok")
                  : "error " + std::to_string(static_cast<int>(result.error().code)) + " " + result.error().message;
  };
  if (verb == "pub") {
    auto made = participant->create_publisher(publisher_options(topic, options));
    const std::string text = answer(made);
    if (made) {
      publishers[name].publisher = std::move(*made);
    }
    return text;
  }
  if (verb == "sub") {
    auto made = participant->create_subscription(subscription_options(topic, options));
    const std::string text = answer(made);
    if (made) {
      subscriptions[name] = std::move(*made);
    }
    return text;
  }
  auto made = participant->create_wait_set();
  const std::string text = answer(made);
  if (made) {
    sets[name] = std::move(*made);
  }
  return text;
}

std::string Agent::State::publish(const std::string & verb, std::istringstream & words) {
  std::string name;
  std::uint64_t count = 0;
  std::size_t size = 0;
  words >> name >> count >> size;
  Out & out = publishers.at(name);
  Publisher & publisher = *out.publisher;
  std::vector<std::byte> buffer(verb == "copy" ? size : 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    tl::expected<std::uint64_t, PublishError> result;
    if (verb == "copy") {
      fill(buffer.data(), size, publisher.info().id.number, out.next);
      result = publisher.publish_copy(buffer.data(), size);
    } else if (verb == "adopt") {
      void * memory = allocate(size);
      if (memory == nullptr) {
        return "error publish: no memory after " + std::to_string(i);
      }
      fill(memory, size, publisher.info().id.number, out.next);
      result = publisher.publish_allocation(memory, size);
      if (!result) {
        deallocate(memory);
      }
    } else {
      auto loan = publisher.borrow(size);
      if (!loan) {
        return "error borrow " + std::string(to_string(loan.error())) + " after " + std::to_string(i);
      }
      fill(loan->data(), size, publisher.info().id.number, out.next);
      result = publisher.publish(std::move(*loan));
    }
    if (!result) {
      return "error publish " + std::string(to_string(result.error())) + " after " + std::to_string(i);
    }
    ++out.next;
  }
  return "ok";
}

std::string Agent::State::borrow(std::istringstream & words) {
  std::string name;
  int count = 0;
  std::size_t size = 0;
  words >> name >> count >> size;
  int got = 0;
  for (; got < count; ++got) {
    auto loan = publishers.at(name).publisher->borrow(size);
    if (!loan) {
      break;
    }
    loans.push_back(std::move(*loan));
  }
  return std::to_string(got);
}

std::string Agent::State::publish_loans(Out & out) {
  std::string answer = "ok";
  for (Loan & loan : loans) {
    fill(loan.data(), loan.size(), 0, out.next);
    if (const auto result = out.publisher->publish(std::move(loan))) {
      ++out.next;
    } else {
      answer = std::string("error ") + to_string(result.error());
    }
  }
  loans.clear();
  return answer;
}

std::string Agent::State::take(const std::string & verb, std::istringstream & words) {
  std::string name;
  std::uint64_t limit = 0;
  words >> name >> limit;
  Subscription & subscription = *subscriptions.at(name);
  std::ostringstream answer;
  std::uint64_t got = 0;
  const auto take_one = [&] {
    Sample sample = subscription.take();
    if (!sample) {
      return false;
    }
    const bool whole = is_whole(sample.data(), sample.size());
    const std::uint64_t counter = counter_of(sample.data(), sample.size());
    if (verb != "await") {
      answer << (got == 0 ? "" : " ") << (whole ? std::to_string(counter) : "torn");
    } else if (std::uint64_t & next = expected[{name, sample.publisher().incarnation, sample.publisher().number}];
               !whole || counter != next++) {
      answer << "message " << next - 1 << " is " << (whole ? std::to_string(counter) : "torn") << "; ";
    }
    if (verb == "keep") {
      kept.push_back(std::move(sample));
    }
    ++got;
    return true;
  };
  if (verb == "await") {
    const bool all = wait_until([&] {
      while (got < limit && take_one()) {
      }
      return got >= limit;
    });
    const std::string wrong = answer.str();
    return !all ? "error only " + std::to_string(got) : !wrong.empty() ? "error " + wrong.substr(0, 200) : "ok";
  }
  while (got < limit && take_one()) {
  }
  return got == 0 ? "nothing" : answer.str();
}

std::string Agent::State::wait(const std::string & verb, std::istringstream & words) {
  std::string set;
  std::string name;
  words >> set >> name;
  WaitSet & waiter = *sets.at(set);
  if (verb == "attach") {
    waiter.attach(*subscriptions.at(name));
  } else if (verb == "detach") {
    waiter.detach(*subscriptions.at(name));
  } else if (verb == "wake") {
    waiter.wake();
  } else {
    return waiter.wait(std::chrono::milliseconds(std::stol(name))) ? "ready" : "timeout";
  }
  return "ok";
}

std::string Agent::State::count(const std::string & verb, const std::string & name) {
  const auto out = publishers.find(name);
  if (verb == "matched") {
    return std::to_string(out != publishers.end() ? out->second.publisher->matched_count()
                                                  : subscriptions.at(name)->matched_count());
  }
  if (verb == "lost") {
    return std::to_string(subscriptions.at(name)->lost());
  }
  if (verb == "has_data") {
    return subscriptions.at(name)->has_data() ? "yes" : "no";
  }
  return std::to_string(verb == "failed" ? out->second.publisher->failed_borrows()
                                         : out->second.publisher->forgotten());
}

std::string Agent::State::processes() const {
  std::size_t processes = 0;
  std::size_t endpoints = 0;
  std::size_t nodes = 0;
  for (const ProcessInfo & process : participant->graph().processes) {
    ++processes;
    endpoints += process.endpoints.size();
    nodes += process.nodes.size();
  }
  return std::to_string(processes) + " " + std::to_string(endpoints) + " " + std::to_string(nodes);
}

std::string Agent::State::other(const std::string & verb, std::istringstream & words) {
  std::string name;
  words >> name;
  if (verb == "join") {
    auto joined = Participant::join(static_cast<std::uint32_t>(std::stoul(name)));
    if (!joined) {
      return "error " + std::to_string(static_cast<int>(joined.error().code)) + " " + joined.error().message;
    }
    participant = *joined;
  } else if (verb == "leave") {
    publishers.clear();
    subscriptions.clear();
    sets.clear();
    participant.reset();
  } else if (verb == "settle") {
    return participant->settle(std::chrono::seconds(60)) ? "ok" : "error not settled";
  } else if (verb == "close") {
    publishers.erase(name);
    subscriptions.erase(name);
    sets.erase(name);
  } else if (verb == "drop_loans") {
    loans.clear();
  } else if (verb == "publish_loans") {
    return publish_loans(publishers.at(name));
  } else if (verb == "drop") {
    kept.clear();
  } else if (verb == "check") {
    for (const Sample & sample : kept) {
      if (!is_whole(sample.data(), sample.size())) {
        return "error torn " + std::to_string(sample.sequence());
      }
    }
    return std::to_string(kept.size());
  } else if (verb == "in_use") {
    return std::to_string(heap_statistics().in_use);
  } else if (verb == "processes") {
    return processes();
  } else {
    return count(verb, name);
  }
  return "ok";
}

Agent::Agent() : state_(new State) {}
Agent::~Agent() = default;

std::string Agent::execute(const std::string & line) {
  std::istringstream words(line);
  std::string verb;
  words >> verb;
  if (verb == "pub" || verb == "sub" || verb == "set") {
    return state_->create(verb, words);
  }
  if (verb == "publish" || verb == "copy" || verb == "adopt") {
    return state_->publish(verb, words);
  }
  if (verb == "borrow") {
    return state_->borrow(words);
  }
  if (verb == "take" || verb == "keep" || verb == "await") {
    return state_->take(verb, words);
  }
  if (verb == "attach" || verb == "detach" || verb == "wait" || verb == "wake") {
    return state_->wait(verb, words);
  }
  return state_->other(verb, words);
}

int run_agent() {
  LogCapture log;
  Agent agent;
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "log") {
      std::string all;
      for (const std::string & entry : log.lines()) {
        all += entry + " | ";
      }
      std::cout << (all.empty() ? "none" : all) << std::endl;
    } else {
      std::cout << agent.execute(line) << std::endl;
    }
  }
  return 0;
}

}  // namespace tandem::test
