#include "topics/intra_process.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace rclcpp::detail {
namespace {

using tandem::transport::EndpointKind;
using tandem::transport::MessageInfo;
using tandem::transport::PublishResult;
using tandem::transport::Sample;

/// Of one publisher, so that it can borrow others; more are copied.
constexpr int kMostKeptLoans = 8;
/// That a new subscription needs at most to match in the middleware.
constexpr std::chrono::seconds kSettling{1};

bool is_infinite(const Duration & duration) {
  return duration.nanoseconds() == 0 || duration >= Duration::from_rmw_time(RMW_DURATION_INFINITE);
}

bool is_same(const tandem::MessageType & a, const tandem::MessageType & b) {
  return &a == &b || (a.abi == b.abi && a.hash == b.hash && std::string_view(a.name) == b.name);
}

bool is_reached(const QoS & offered, const std::string & topic, const IntraProcess::Reader & reader) {
  return reader.topic == topic && qos_check_compatible(offered, reader.qos).compatibility != QoSCompatibility::Error;
}

/// Sample::own of a message for one taker alone.
tandem::OwnedMessage release_message(const Sample & sample) {
  return std::move(static_cast<Exclusive<tandem::OwnedMessage> *>(const_cast<void *>(sample.keeper.get()))->object);
}

/// To a reader that owns, with what `shared` tells of the message.
template <class Owned>
void give(LocalQueue & queue, Owned object, const Sample & shared) {
  Sample sample;
  sample.message = object.get();
  sample.size = shared.size;
  sample.info = shared.info;
  sample.own = std::is_same_v<Owned, OwnedCustom> ? &custom_sample : &release_message;
  sample.keeper = std::make_shared<Exclusive<Owned>>(Exclusive<Owned>{std::move(object)});
  queue.push(std::move(sample));
}

}  // namespace

tandem::OwnedMessage custom_sample(const Sample &) { return {}; }

// ---- matching -------------------------------------------------------------------------------------------------------

bool IntraProcess::is_plain(const QoS & qos) {
  return qos.durability() == DurabilityPolicy::Volatile && is_infinite(qos.deadline()) && is_infinite(qos.lifespan()) &&
         qos.liveliness() != LivelinessPolicy::ManualByTopic;
}

std::shared_ptr<const void> IntraProcess::add(Reader reader) {
  /// Takes it away again.
  struct Place {
    std::shared_ptr<IntraProcess> registry;
    std::shared_ptr<const Reader> reader;
    Place(std::shared_ptr<IntraProcess> all, std::shared_ptr<const Reader> one)
        : registry(std::move(all)), reader(std::move(one)) {}
    Place(const Place &) = delete;
    ~Place() { registry->remove(reader); }
  };
  auto place = std::make_shared<const Place>(shared_from_this(), std::make_shared<const Reader>(std::move(reader)));
  const std::lock_guard<std::mutex> lock(mutex_);
  readers_.push_back(place->reader);
  if (place->reader->queue) match_topic(place->reader->topic);
  return place;
}

void IntraProcess::remove(const std::shared_ptr<const Reader> & reader) {
  const std::lock_guard<std::mutex> lock(mutex_);
  readers_.erase(std::remove(readers_.begin(), readers_.end(), reader), readers_.end());
  if (reader->queue) match_topic(reader->topic);
}

std::shared_ptr<LocalWriter> IntraProcess::add(const WriterOptions & options) {
  auto writer = std::make_shared<LocalWriter>(options);
  if (!is_plain(options.qos)) return writer;  // nobody ever gets its messages here
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto is_gone = [](const auto & weak) { return weak.expired(); };
  writers_.erase(std::remove_if(writers_.begin(), writers_.end(), is_gone), writers_.end());
  writers_.push_back(writer);
  match(*writer);
  return writer;
}

std::size_t IntraProcess::count(const std::string & topic, const QoS & qos) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<std::size_t>(std::count_if(readers_.begin(), readers_.end(),
                                                [&](const auto & reader) { return is_reached(qos, topic, *reader); }));
}

void IntraProcess::match_topic(const std::string & topic) {
  for (const auto & weak : writers_) {
    const auto writer = weak.lock();
    if (writer && writer->options_.topic == topic) match(*writer);
  }
}

void IntraProcess::match(LocalWriter & writer) {
  Readers found;
  for (const auto & reader : readers_) {
    if (!reader->queue || !is_reached(writer.options_.qos, writer.options_.topic, *reader) ||
        !is_same(writer.type(), *reader->type)) {
      continue;
    }
    reader->queue->add_publisher(writer.gid_);
    found.push_back(reader);
  }
  writer.set_readers(std::move(found));
}

// ---- handing over ---------------------------------------------------------------------------------------------------

void LocalWriter::set_readers(Readers && readers) {
  std::shared_ptr<const Readers> former;  // ends without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  former = std::exchange(readers_, readers.empty() ? nullptr : std::make_shared<const Readers>(std::move(readers)));
  settles_at_ = Clock::now() + kSettling;
  is_settled_ = false;
  has_readers_.store(readers_ != nullptr, std::memory_order_release);
}

std::shared_ptr<const IntraProcess::Readers> LocalWriter::readers() const {
  if (!has_readers_.load(std::memory_order_acquire)) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  return readers_;
}

/// The middleware counts the readers of this process too, once they have matched there. Until then the graph says who is
/// none of them.
bool LocalWriter::has_others(const Readers & readers) const {
  const std::size_t matched = options_.transport->subscription_count();
  if (matched > readers.size()) return true;
  if (matched == 0 || is_settled_.load(std::memory_order_relaxed)) return false;
  if (has_foreign_readers(readers)) return true;
  const std::lock_guard<std::mutex> lock(mutex_);
  // Those that have matched are the readers here, or the graph has had its time to list others.
  if (matched == readers.size() || Clock::now() > settles_at_) is_settled_ = &readers == readers_.get();
  return false;
}

bool LocalWriter::has_foreign_readers(const Readers & readers) const {
  const auto graph = options_.context->graph();
  return std::any_of(graph.endpoints.begin(), graph.endpoints.end(), [&](const auto & endpoint) {
    return endpoint.kind == EndpointKind::kSubscription && endpoint.topic == options_.topic &&
           std::none_of(readers.begin(), readers.end(), [&](const auto & own) { return own->gid == endpoint.gid; });
  });
}

MessageInfo LocalWriter::next_info() {
  MessageInfo info;
  info.source_timestamp =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  info.sequence = sequence_.fetch_add(1, std::memory_order_relaxed);
  info.publisher = gid_;
  info.from_intra_process = true;
  return info;
}

tandem::OwnedMessage LocalWriter::copy(const void * message) {
  auto result = tandem::make_message(type());
  type().assign(result.get(), message);
  copied_.fetch_add(1, std::memory_order_relaxed);
  return result;
}

/// To those who do not own.
void LocalWriter::share(const Readers & readers, Sample && sample) {
  LocalQueue * last = nullptr;
  for (const auto & reader : readers) {
    if (reader->queue->taker().owns) continue;
    if (last != nullptr) last->push(Sample(sample));
    last = reader->queue.get();
  }
  if (last != nullptr) last->push(std::move(sample));
}

template <class Owned, class Copy>
void LocalWriter::hand_over(const Readers & readers, Owned object, Copy copy) {
  constexpr bool kCustom = std::is_same_v<Owned, OwnedCustom>;
  Sample shared;
  shared.info = next_info();
  shared.size = kCustom ? 0 : type().size;
  shared.own = kCustom ? &custom_sample : nullptr;
  auto owners =
      std::count_if(readers.begin(), readers.end(), [](const auto & one) { return one->queue->taker().owns; });
  if (static_cast<std::size_t>(owners) != readers.size()) {
    shared.keeper = std::shared_ptr<const void>(owners == 0 ? std::move(object) : copy(object.get()));
    shared.message = shared.keeper.get();
  }
  for (const auto & reader : readers) {
    if (!reader->queue->taker().owns) continue;
    const bool is_last = --owners == 0;
    give(*reader->queue, is_last ? std::move(object) : copy(object.get()), shared);
  }
  if (shared.keeper) share(readers, std::move(shared));
}

/// \return false when too many are kept already: then the loan is left as it is.
bool LocalWriter::hand_over_loan(const Readers & readers, tandem::Loan & loan) {
  /// One of those that readers here keep.
  struct Kept {
    Kept(tandem::Loan && one, std::shared_ptr<std::atomic<int>> all) : loan(std::move(one)), count(std::move(all)) {}
    Kept(const Kept &) = delete;
    ~Kept() {
      loan.drop();
      --*count;
    }
    tandem::Loan loan;
    std::shared_ptr<std::atomic<int>> count;
  };
  if (++*kept_loans_ > kMostKeptLoans) {
    --*kept_loans_;
    return false;
  }
  const auto kept = std::make_shared<Kept>(std::move(loan), kept_loans_);
  Sample shared;
  shared.info = next_info();
  shared.size = type().size;
  shared.message = kept->loan.data();
  for (const auto & reader : readers) {
    if (reader->queue->taker().owns) give(*reader->queue, copy(shared.message), shared);
  }
  shared.keeper = kept;
  share(readers, std::move(shared));
  return true;
}

PublishResult LocalWriter::publish(const Readers & readers, const void * message) {
  try {
    return publish(readers, copy(message));
  } catch (const std::bad_alloc &) {
    return PublishResult::kNoMemory;
  }
}

PublishResult LocalWriter::publish(const Readers & readers, tandem::OwnedMessage message) {
  try {
    return publish_to(readers, std::move(message), has_others(readers));
  } catch (const std::bad_alloc &) {
    return PublishResult::kNoMemory;
  }
}

PublishResult LocalWriter::publish_to(const Readers & readers, tandem::OwnedMessage message, bool others) {
  PublishResult result = PublishResult::kOk;
  if (others) result = options_.transport->publish(static_cast<const void *>(message.get()));
  hand_over(readers, std::move(message), [this](const void * object) { return copy(object); });
  return result;
}

PublishResult LocalWriter::publish(const Readers & readers, tandem::Loan && loan) {
  try {
    const bool others = has_others(readers);
    if (!others && hand_over_loan(readers, loan)) return PublishResult::kOk;
    auto message = copy(loan.data());
    const PublishResult result = others ? options_.transport->publish(std::move(loan)) : PublishResult::kOk;
    hand_over(readers, std::move(message), [this](const void * object) { return copy(object); });
    return result;
  } catch (const std::bad_alloc &) {
    return PublishResult::kNoMemory;
  }
}

PublishResult LocalWriter::publish(const Readers & readers, OwnedCustom custom, const CustomType & type) {
  try {
    Readers takers;
    Readers rest;
    for (const auto & reader : readers) (takes(*reader, type) ? takers : rest).push_back(reader);
    const bool others = has_others(readers);
    PublishResult result = PublishResult::kOk;
    if (!rest.empty()) {
      result = publish_to(rest, type.to_message(custom.get()), others);
    } else if (others) {
      auto message = type.to_message(custom.get());
      result = options_.transport->publish(message);
    }
    if (!takers.empty()) {
      hand_over(takers, std::move(custom), [&](const void * object) {
        copied_.fetch_add(1, std::memory_order_relaxed);
        return type.copy(object);
      });
    }
    return result;
  } catch (const std::bad_alloc &) {
    return PublishResult::kNoMemory;
  }
}

bool LocalWriter::takes(const Reader & reader, const CustomType & type) {
  const IntraProcessTaker & taker = reader.queue->taker();
  return taker.custom && *taker.custom->type == *type.type && (type.copy || !taker.owns);
}

}  // namespace rclcpp::detail
