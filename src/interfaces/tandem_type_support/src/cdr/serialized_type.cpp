#include "tandem/serialized_type.hpp"

#include <deque>
#include <mutex>

#include "tandem/detail/make_message_type.hpp"

namespace tandem {
namespace {

constexpr Field kBytes[] = {{"bytes", FieldKind::kUint8, FieldShape::kSequence, offsetof(SerializedMessage, bytes),
                             kUnbounded, kUnbounded, nullptr, &detail::resize_sequence<Vector<std::uint8_t>>}};

}  // namespace

const MessageType & serialized_type(const std::string & name, const std::array<std::uint8_t, 32> & hash) {
  static std::mutex mutex;
  static auto & names = *new std::deque<std::string>;
  static auto & types = *new std::deque<MessageType>;
  const std::lock_guard lock(mutex);
  for (const MessageType & known : types) {
    if (name == known.name && hash == known.hash) {
      return known;
    }
  }
  const char * const kept = names.emplace_back(name).c_str();
  return types.emplace_back(detail::make_message_type<SerializedMessage>({kept, hash, kBytes, 1}));
}

bool is_serialized(const MessageType & type) noexcept { return type.fields == kBytes; }

}  // namespace tandem
