// What becomes of a topic's messages when they are played.
#pragma once

#include <memory>
#include <string>

#include "tandem/bag/player.hpp"
#include "tandem/bag/storage.hpp"
#include "tandem/transport.hpp"

namespace tandem::bag {

/// A topic of the bag, or a service whose requests are sent. Used by the playing thread.
class PlayedTopic {
 public:
  virtual ~PlayedTopic() = default;
  /// Makes the message ready to be published. \return false if there is nothing to publish in it. \throws Error if its bytes are
  /// no message of the topic's type.
  virtual bool prepare(const Message & message) = 0;
  /// Publishes what is ready.
  virtual void publish() = 0;
  /// Waits until all that was published has arrived, or for so long.
  virtual void wait_for_all_acked(nanoseconds) {}
};

/// Where things are played to.
struct Stage {
  transport::Context & context;
  transport::NodeName node;
  bool sends_cdr = false;  ///< the transport carries CDR: messages are passed on as they are
};

/// \throws Error that says what is missing; transport::Error
std::unique_ptr<PlayedTopic> play_messages(const Topic & topic, const PlayerOptions & options, const Stage & stage);
/// `service` is the topic's, of events. Errors: the same.
std::unique_ptr<PlayedTopic> play_requests(const Topic & topic, const std::string & service,
                                           const PlayerOptions & options, const Stage & stage);

}  // namespace tandem::bag
