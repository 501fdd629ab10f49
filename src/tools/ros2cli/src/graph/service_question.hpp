// One request to a service of another node, and its response.
#pragma once

#include <chrono>
#include <string>

#include "graph/session.hpp"
#include "tandem/service.hpp"

namespace ros2cli {

using Deadline = std::chrono::steady_clock::time_point;

struct ServiceQuestion {
  transport::NodeName self;  ///< who asks
  std::string node;          ///< full name of the one that is asked
  std::string service;       ///< the service's name below that
  std::string absent;        ///< what to say if it does not come
  Deadline deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);  ///< of the service
  std::string late = {};  ///< what to say if the reply does not come
  Deadline reply_by = Deadline::max();
};

/// Waits for the service until its deadline, then for the reply as long as the server is there.
/// \throws CommandError if one of them does not come or the server goes, or if the request cannot be sent.
transport::Sample reply_to(const Session & session, const ServiceQuestion & question, transport::ServiceClient & client,
                           const void * request);

/// The same by type.
template <class Service>
typename Service::Response ask(const Session & session, const ServiceQuestion & question,
                               const typename Service::Request & request) {
  transport::ServiceOptions options;
  options.node = question.self;
  options.service = question.node + '/' + question.service;
  transport::ServiceClient client(session.context(), tandem::service_type<Service>(), options);
  const transport::Sample reply = reply_to(session, question, client, &request);
  return *static_cast<const typename Service::Response *>(reply.message);
}

}  // namespace ros2cli
