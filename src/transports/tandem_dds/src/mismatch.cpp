#include "mismatch.hpp"

namespace tandem::dds {

std::string mismatch(const transport::EndpointInfo & publisher, const transport::EndpointInfo & subscription) {
  if (publisher.type_name != subscription.type_name) {
    return "no match: the publisher's type is " + publisher.type_name + ", the subscription's is " +
           subscription.type_name;
  }
  if (const std::string misfit = describe_misfit(publisher.qos, subscription.qos); !misfit.empty()) {
    return "no match: " + misfit;
  }
  if (!publisher.type_hash.empty() && !subscription.type_hash.empty() &&
      publisher.type_hash != subscription.type_hash) {
    return "both call their type " + publisher.type_name + ", but the definitions differ: the publisher's hash is " +
           publisher.type_hash + ", the subscription's is " + subscription.type_hash +
           ". Build both against the same message package";
  }
  return {};
}

}  // namespace tandem::dds
