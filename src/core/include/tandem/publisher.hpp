// The writing end of a topic: borrow memory, fill it, publish it. Nothing is copied and nothing depends on its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "tandem/loan.hpp"
#include "tandem/status.hpp"
#include "tandem/types.hpp"

namespace tandem {

class PublisherImpl;

enum class BorrowError : std::uint8_t {
  kPoolExhausted,  ///< every block is on loan, owed to a reader or kept by one
  kNoMemory,       ///< the shared memory is full, or there is none
};

enum class PublishError : std::uint8_t {
  kInvalidLoan,    ///< empty, already published, or of another publisher
  kPoolExhausted,  ///< as BorrowError::kPoolExhausted
  kNoMemory,       ///< as BorrowError::kNoMemory
  kTimeout,        ///< a reliable kKeepAll reader was too far behind for max_blocking_time: last_timeout() says which
  kNotShared,      ///< the message refers to memory outside of this process's region: it must be copied
};

const char * to_string(BorrowError error);
const char * to_string(PublishError error);

/// How a message came into its loan.
enum class Content : std::uint8_t {
  kWritten,  ///< in place
  kCopied,   ///< the caller has it elsewhere as well, and copied it: Publisher::copied() counts it
};

struct PublisherOptions {
  NodeName node;
  std::string topic;
  TypeIdentity type;
  Qos qos;
  /// What others see of it in EndpointInfo; at most kMaxUserData bytes.
  std::string user_data;
  /// For messages that own further memory. They are destroyed by their publisher's process alone, in a call or by the
  /// housekeeping thread, before memory that holds one is given back to the heap. Memory that is used again keeps its
  /// message: a fresh loan must hold one by the time that it is published or dropped, any other loan does from the
  /// beginning.
  MessageFunctions functions;
  /// Loans that may be out at once; further ones are refused with kPoolExhausted.
  std::uint32_t max_loans = 16;
  /// Messages that a kKeepAll publisher has at most that are not taken by all or are history; 1 .. kKeepAllDepth. Ignored
  /// with kKeepLast. DDS calls it so.
  std::uint32_t max_samples = kKeepAllDepth;
  /// The same for all endpoints of the topic.
  Addressing addressing = Addressing::kNone;
  /// The publisher elsewhere whose messages it passes on. A subscription that has had them from a predecessor with the same origin is
  /// not given again what is not newer than those: the predecessor's history, that is, and no more messages than history has.
  OriginId origin{};
  /// When the message that goes next was first published, ns of CLOCK_REALTIME; 0: now. Called by each publish. Null: now.
  std::function<std::int64_t()> source_timestamp;
  /// The number of the first message. Numbers wrap around past the greatest.
  std::uint64_t first_sequence = 0;
};

/// Thread-safe: any call from any thread; calls of one publisher exclude each other by a process-local mutex.
class Publisher {
 public:
  explicit Publisher(std::shared_ptr<PublisherImpl> impl);
  /// Stops publishing. What is owed or held stays readable until each matched reader has drained it or left.
  ~Publisher();
  Publisher(const Publisher &) = delete;
  Publisher & operator=(const Publisher &) = delete;

  /// Memory for a message of `size` bytes, aligned to kHeapAlignment. Never waits. Steady state: no system call, no
  /// allocation, independent of `size`.
  tl::expected<Loan, BorrowError> borrow(std::size_t size);

  /// Publishes a loan of this publisher. \return the message's sequence number, from PublisherOptions::first_sequence.
  /// On error the loan is dropped, except with kNotShared. Waits only as Qos::max_blocking_time says. Steady state: no
  /// system call unless a reader sleeps. `address` is for topics with Addressing, here and below. With kDelivered a message
  /// waits for room like a keep-all publisher's, but then goes at the cost of a subscription that has not taken its own.
  tl::expected<std::uint64_t, PublishError> publish(Loan && loan, Content content = Content::kWritten,
                                                    const Address & address = {});

  /// Copies `size` bytes into a borrowed block and publishes that.
  tl::expected<std::uint64_t, PublishError> publish_copy(const void * data, std::size_t size,
                                                         const Address & address = {});

  /// Publishes memory of allocate() without a copy. Ownership passes to the publisher only on success. `memory` must
  /// satisfy is_shared_allocation(memory, size), else kInvalidLoan; what it refers to must be shared as well, else
  /// kNotShared. Once nobody reads it, one of the next borrows or
  /// publishes destroys the message and frees its memory: a few per call.
  tl::expected<std::uint64_t, PublishError> publish_allocation(void * memory, std::size_t size,
                                                               const Address & address = {});

  /// With Liveliness::kManualByTopic: it lives for another lease, as it does after each publish.
  void assert_liveliness();
  /// Matches and misfits; deadlines and leases are not looked at here.
  Status status() const;
  /// Is called after status() has changed, from any thread, without a lock. Null: nobody.
  void set_status_listener(StatusBoard::Listener listener);

  std::size_t matched_count() const;
  /// borrow() calls (and publishes that borrow) that failed.
  std::uint64_t failed_borrows() const;
  /// Messages that transient-local kKeepAll history has forgotten to stay within kKeepAllDepth.
  std::uint64_t forgotten() const;
  /// Published messages that were copied first: publish_copy() and the like.
  std::uint64_t copied() const;
  /// After kTimeout: a sentence that says how long the last such publish waited, for which process, and what to do.
  std::string last_timeout() const;
  const EndpointInfo & info() const;

 private:
  std::shared_ptr<PublisherImpl> impl_;
};

}  // namespace tandem
