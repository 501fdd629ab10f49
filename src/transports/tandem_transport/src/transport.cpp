// Words for the results of the interface's calls.
#include "tandem/transport.hpp"

namespace tandem::transport {

const char * to_string(PublishResult result) {
  switch (result) {
    case PublishResult::kOk: return "ok";
    case PublishResult::kInvalidLoan: return "the loan is empty, already published, or of another publisher";
    case PublishResult::kPoolExhausted: return "every message of the pool is on loan, owed to a reader or kept by one";
    case PublishResult::kNoMemory: return "the memory for messages is full";
    case PublishResult::kTimeout: return "a reliable keep-all reader stayed full for max_blocking_time";
    case PublishResult::kClosed: return "the publisher is closed";
  }
  return "unknown result";
}

}  // namespace tandem::transport
