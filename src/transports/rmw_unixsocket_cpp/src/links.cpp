#include "links.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace unixsocket {
namespace {

constexpr std::uint64_t kMagic = 0x746e6d6573736b32;
constexpr std::uint64_t kQuestion = ~std::uint64_t{0};

struct Greeting {
  std::uint64_t magic;
  Gid publisher;
  Gid subscription;
  std::uint64_t first;
};

struct Header {
  std::uint64_t size;
  std::uint64_t sequence;
  std::int64_t stamp;
};

}  // namespace

Payload::Payload(std::size_t size, std::size_t alignment)
    : data_(static_cast<std::byte *>(::operator new(size, std::align_val_t(alignment)))),
      size_(size),
      alignment_(alignment) {}

Payload::~Payload() { ::operator delete(data_, std::align_val_t(alignment_)); }

bool Outgoing::greet() {
  const Greeting greeting{kMagic, setup_.publisher, setup_.subscription, setup_.first};
  // A fresh socket has room for it.
  return send(fd(), &greeting, sizeof greeting, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof greeting;
}

void Outgoing::push(const Message & message) {
  queue_.push_back(message);
  const std::size_t half_sent = sent_ > 0 ? 1 : 0;
  if (!setup_.owes_everything && queue_.size() > setup_.bound + half_sent) {
    queue_.erase(std::find_if(queue_.begin() + static_cast<std::ptrdiff_t>(half_sent), queue_.end(),
                              [](const Message & waiting) { return waiting.payload != nullptr; }));
  }
}

void Outgoing::ask(std::uint64_t sequence) {
  if (asked_ < sequence) {
    asked_ = sequence;
    queue_.push_back({sequence, 0, nullptr});
  }
}

bool Outgoing::flush() {
  while (!queue_.empty()) {
    const Message & message = queue_.front();
    const std::size_t size = message.payload ? message.payload->size() : 0;
    Header header{message.payload ? size : kQuestion, message.sequence, message.stamp};
    const std::size_t head = sent_ < sizeof header ? sizeof header - sent_ : 0;
    const std::size_t skip = head > 0 ? 0 : sent_ - sizeof header;
    iovec parts[2] = {{reinterpret_cast<std::byte *>(&header) + sizeof header - head, head},
                      {message.payload ? message.payload->data() + skip : nullptr, size - skip}};
    msghdr whole{};
    whole.msg_iov = parts;
    whole.msg_iovlen = 2;
    const ssize_t sent = sendmsg(fd(), &whole, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno == EAGAIN || errno == ENOBUFS;
    }
    sent_ += static_cast<std::size_t>(sent);
    if (sent_ == sizeof header + size) {
      queue_.pop_front();
      sent_ = 0;
    }
  }
  return true;
}

bool Outgoing::listen() {
  for (;;) {
    const ssize_t part = recv(fd(), answer_ + got_, sizeof answer_ - got_, MSG_DONTWAIT);
    if (part <= 0) {
      return part < 0 && (errno == EAGAIN || errno == EINTR);
    }
    got_ += static_cast<std::size_t>(part);
    if (got_ == sizeof answer_) {
      got_ = 0;
      std::memcpy(&acked_, answer_, sizeof acked_);
    }
  }
}

Incoming::Status Incoming::fill(void * memory, std::size_t size) {
  while (got_ < size) {
    const ssize_t part = recv(fd(), static_cast<std::byte *>(memory) + got_, size - got_, MSG_DONTWAIT);
    if (part > 0) {
      got_ += static_cast<std::size_t>(part);
    } else if (part == 0 || (errno != EAGAIN && errno != EINTR)) {
      return Status::kBroken;
    } else if (errno == EAGAIN) {
      return Status::kNothing;
    }
  }
  got_ = 0;
  return Status::kMessage;
}

Incoming::Status Incoming::read_greeting() {
  static_assert(sizeof(Greeting) <= sizeof head_);
  if (const Status status = fill(head_, sizeof(Greeting)); status != Status::kMessage) {
    return status;
  }
  Greeting greeting{};
  std::memcpy(&greeting, head_, sizeof greeting);
  if (greeting.magic != kMagic) {
    return Status::kBroken;
  }
  publisher_ = greeting.publisher;
  subscription_ = greeting.subscription;
  next = greeting.first;
  greeted_ = true;
  return Status::kGreeting;
}

Incoming::Status Incoming::read(Message & message) {
  if (!greeted_) {
    return read_greeting();
  }
  if (!payload_) {
    if (const Status status = fill(head_, sizeof(Header)); status != Status::kMessage) {
      return status;
    }
    Header header{};
    std::memcpy(&header, head_, sizeof header);
    if (header.size == kQuestion) {
      message.sequence = header.sequence;
      return Status::kQuestion;
    }
    if (type_ == nullptr || (type_->is_fixed_size ? header.size != type_->size : header.size > kMaxPayload)) {
      return Status::kBroken;
    }
    message_.sequence = header.sequence;
    message_.stamp = header.stamp;
    payload_ = std::make_shared<Payload>(header.size, type_->is_fixed_size ? type_->alignment : 1);
  }
  if (const Status status = fill(payload_->data(), payload_->size()); status != Status::kMessage) {
    return status;
  }
  message_.payload = std::move(payload_);
  payload_.reset();
  message = std::move(message_);
  message_ = {};
  return Status::kMessage;
}

void Incoming::answer(std::uint64_t sequence) const {
  // There is room: answers are as rare as questions. A publisher that reads none for minutes may wait.
  [[maybe_unused]] const ssize_t sent = send(fd(), &sequence, sizeof sequence, MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace unixsocket
