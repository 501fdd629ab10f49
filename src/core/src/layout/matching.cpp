#include "layout/matching.hpp"

#include "tandem/qos_match.hpp"

namespace tandem {

std::string to_string(const std::array<std::uint8_t, 32> & hash) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "RIHS01_";
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string mismatch(const EndpointInfo & publisher, const EndpointInfo & subscription) {
  const TypeIdentity & theirs = publisher.type;
  const TypeIdentity & ours = subscription.type;
  if (theirs.name != ours.name) {
    return "the publisher's type is " + theirs.name + ", the subscription's is " + ours.name;
  }
  if (theirs.hash != ours.hash) {
    return "both call their type " + ours.name + ", but the definitions differ: the publisher's hash is " +
           to_string(theirs.hash) + ", the subscription's is " + to_string(ours.hash) +
           ". Build both against the same message package";
  }
  if (theirs.abi != ours.abi) {
    return "both use " + ours.name + ", but lay it out differently in memory: the publisher's ABI tag is " +
           std::to_string(theirs.abi) + ", the subscription's is " + std::to_string(ours.abi) +
           ". Build both with the same version of Tandem";
  }
  return describe_misfit(publisher.qos, subscription.qos);
}

bool owes_everything(const Qos & publisher, const Qos & subscription) {
  return publisher.history == History::kKeepAll && subscription.history == History::kKeepAll &&
         publisher.reliability == Reliability::kReliable && subscription.reliability == Reliability::kReliable;
}

}  // namespace tandem
