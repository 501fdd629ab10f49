// Writers and readers of messages. Their bus lists them in the graph.
#pragma once

#include "participant.hpp"
#include "tandem/kit/bus.hpp"

namespace rmw_fastrtps {

/// Fast DDS's writer stays for up to 10 s after its last user until its readers have got everything: what a gone one leaves,
/// to readers of shared memory above all, is lost. \throws transport::Error naming the topic.
std::shared_ptr<tandem::transport::Writer> make_writer(std::shared_ptr<Participant> participant,
                                                       const tandem::MessageType & type,
                                                       tandem::transport::EndpointInfo endpoint);

/// \throws transport::Error naming the topic.
std::shared_ptr<tandem::transport::Reader> make_reader(std::shared_ptr<Participant> participant,
                                                       const tandem::MessageType & type,
                                                       tandem::transport::EndpointInfo endpoint, bool ignore_local,
                                                       std::function<void()> on_data);

}  // namespace rmw_fastrtps
