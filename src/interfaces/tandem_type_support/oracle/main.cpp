// type_support_oracle: answers what this type support makes of messages, for tests against other implementations.
//
// A request is a line on stdin, the answer a line of JSON on stdout: an object with the keys below, or with "error".
//   hash TYPE                            hash
//   random TYPE SEED [MOST_ELEMENTS]     cdr, yaml    of a message with random values
//   cdr2cdr TYPE HEX                     cdr          read and written again
//   cdr2yaml TYPE HEX                    yaml
//   yaml2cdr TYPE TEXT                   cdr          TEXT is a JSON string; fields not named have their defaults
//   equal TYPE HEX HEX                   equal
// HEX and "cdr" are CDR with its encapsulation, in hexadecimal digits.
#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "message_object.hpp"
#include "random_message.hpp"
#include "tandem/cdr.hpp"
#include "tandem/equality.hpp"
#include "tandem/type_library.hpp"
#include "tandem/yaml.hpp"

namespace {

using nlohmann::json;
using tandem::MessageType;
using tandem::oracle::MessageObject;

template <class T>
T must(tl::expected<T, std::string> result) {
  if (!result) {
    throw std::runtime_error(result.error());
  }
  if constexpr (!std::is_void_v<T>) {
    return *result;
  }
}

template <class Bytes>
std::string to_hex(const Bytes & bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

std::vector<std::uint8_t> from_hex(const std::string & text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::string rest_of(std::istringstream & words) {
  std::string text;
  std::getline(words >> std::ws, text);
  return text;
}

void read_cdr(const MessageType & type, const std::string & hex, MessageObject & message) {
  const std::vector<std::uint8_t> bytes = from_hex(hex);
  must(tandem::deserialize(type, bytes.data(), bytes.size(), message.get()));
}

std::string cdr_of(const MessageType & type, const MessageObject & message) {
  return to_hex(tandem::serialize(type, message.get()));
}

json hash(const std::string & name) {
  const auto answer = [](const auto & type) { return json{{"hash", "RIHS01_" + to_hex(type->hash)}}; };
  if (const auto type = tandem::find_service_type(name)) {
    return answer(*type);
  }
  if (const auto type = tandem::find_action_type(name)) {
    return answer(*type);
  }
  return answer(must(tandem::find_message_type(name)));
}

json random(const MessageType & type, std::istringstream & words) {
  std::uint64_t seed = 0;
  tandem::oracle::RandomLimits limits;
  words >> seed >> limits.elements;
  limits.elements = words ? limits.elements : tandem::oracle::RandomLimits{}.elements;
  std::mt19937_64 generator(seed);
  MessageObject message(type);
  tandem::oracle::randomize(type, message.get(), generator, limits);
  return {{"cdr", cdr_of(type, message)}, {"yaml", tandem::to_yaml(type, message.get())}};
}

json answer(const std::string & request) {
  std::istringstream words(request);
  std::string command;
  std::string name;
  words >> command >> name;
  if (command == "hash") {
    return hash(name);
  }
  const MessageType & type = *must(tandem::find_message_type(name));
  MessageObject message(type);
  if (command == "random") {
    return random(type, words);
  }
  if (command == "yaml2cdr") {
    must(tandem::from_yaml(type, json::parse(rest_of(words)).get<std::string>(), message.get()));
    return {{"cdr", cdr_of(type, message)}};
  }
  std::string hex;
  words >> hex;
  read_cdr(type, hex, message);
  if (command == "cdr2cdr") {
    return {{"cdr", cdr_of(type, message)}};
  }
  if (command == "cdr2yaml") {
    return {{"yaml", tandem::to_yaml(type, message.get())}};
  }
  if (command == "equal") {
    MessageObject other(type);
    read_cdr(type, rest_of(words), other);
    return {{"equal", tandem::equal(type, message.get(), other.get())}};
  }
  throw std::runtime_error("there is no command '" + command + "'");
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string request; std::getline(std::cin, request);) {
    json reply;
    try {
      reply = answer(request);
    } catch (const std::exception & error) {
      reply = {{"error", error.what()}};
    }
    std::cout << reply.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
  }
  return 0;
}
