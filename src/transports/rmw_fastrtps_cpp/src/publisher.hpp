// A publisher: serializes into Fast DDS's history, or lends its data-sharing samples.
#pragma once

#include <memory>

#include "participant.hpp"

namespace rmw_fastrtps {

/// \throws transport::Error naming the topic.
std::shared_ptr<tandem::transport::Publisher> make_publisher(std::shared_ptr<Participant> participant,
                                                             const tandem::MessageType & type,
                                                             const tandem::transport::TopicOptions & options);

}  // namespace rmw_fastrtps
