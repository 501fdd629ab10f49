// A subscription: deserializes straight out of Fast DDS's history, or reads data-sharing samples in place.
#pragma once

#include <memory>

#include "participant.hpp"

namespace rmw_fastrtps {

/// \throws transport::Error naming the topic.
std::shared_ptr<tandem::transport::Subscription> make_subscription(std::shared_ptr<Participant> participant,
                                                                   const tandem::MessageType & type,
                                                                   const tandem::transport::TopicOptions & options);

}  // namespace rmw_fastrtps
