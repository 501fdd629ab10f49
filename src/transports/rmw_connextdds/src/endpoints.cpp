#include "endpoints.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "dynamic_type.hpp"
#include "qos.hpp"

namespace connext {

namespace {

using dds::core::xtypes::DynamicData;
using tandem::cdr_bus::Bytes;
using tandem::cdr_bus::Gid;
using tandem::cdr_bus::Message;
using tandem::cdr_bus::Request;
using tandem::transport::PublishResult;
using Topic = dds::topic::Topic<DynamicData>;

constexpr std::size_t kPrefix = 12;  // bytes of a gid that name the participant

/// A topic may exist: several endpoints of a participant share it.
Topic topic_of(Entities & entities, const Request & request, const dds::core::xtypes::StructType & type) {
  const Topic existing = dds::topic::find<Topic>(entities.participant, request.topic);
  return existing != dds::core::null ? existing : Topic(entities.participant, request.topic, type);
}

class ConnextWriter final : public tandem::cdr_bus::Writer {
 public:
  ConnextWriter(std::shared_ptr<Entities> entities, const Request & request)
      : entities_(std::move(entities)),
        type_(struct_type(request.type, *request.shape)),
        sample_(type_),
        writer_(entities_->publisher, topic_of(*entities_, request, type_), writer_qos(request)) {}
  ~ConnextWriter() override { writer_.close(); }

  PublishResult write(const Bytes & cdr) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
      buffer_.assign(cdr.begin(), cdr.end());
      rti::core::xtypes::from_cdr_buffer(sample_, buffer_);
      writer_.write(sample_);
      return PublishResult::kOk;
    } catch (const dds::core::TimeoutError &) {
      return PublishResult::kTimeout;
    } catch (const dds::core::OutOfResourcesError &) {
      return PublishResult::kPoolExhausted;
    } catch (const std::exception &) {
      return PublishResult::kClosed;
    }
  }
  std::size_t matched() const override {
    const auto readers = dds::pub::matched_subscriptions(writer());
    return static_cast<std::size_t>(std::count_if(readers.begin(), readers.end(), [this](const auto & reader) {
      return !entities_->deaf_readers.contains(gid_of(reader));
    }));
  }
  bool wait_for_all_acked(std::chrono::nanoseconds timeout) override {
    try {
      const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(timeout).count();
      writer_.wait_for_acknowledgments(
          microseconds < 0 ? dds::core::Duration::infinite()
                           : dds::core::Duration::from_microsecs(static_cast<std::uint64_t>(microseconds)));
      return true;
    } catch (const dds::core::TimeoutError &) {
      return false;
    }
  }
  Gid gid() const override { return gid_of(writer().instance_handle()); }

 private:
  /// Connext's objects are references; what they refer to may be asked though the reference is constant.
  dds::pub::DataWriter<DynamicData> writer() const { return writer_; }

  const std::shared_ptr<Entities> entities_;
  const dds::core::xtypes::StructType type_;
  std::mutex mutex_;
  std::vector<char> buffer_;  ///< guarded by mutex_
  DynamicData sample_;        ///< guarded by mutex_
  dds::pub::DataWriter<DynamicData> writer_;
};

class DataListener final : public dds::sub::NoOpDataReaderListener<DynamicData> {
 public:
  explicit DataListener(std::function<void()> on_data) : on_data_(std::move(on_data)) {}
  void on_data_available(dds::sub::DataReader<DynamicData> &) override {
    has_news = true;
    on_data_();
  }

  std::atomic<bool> has_news{true};  ///< since the last look; what was there before the listener counts

 private:
  const std::function<void()> on_data_;
};

class ConnextReader final : public tandem::cdr_bus::Reader {
 public:
  ConnextReader(std::shared_ptr<Entities> entities, const Request & request, std::function<void()> on_data)
      : entities_(std::move(entities)),
        ignores_local_(request.ignore_local),
        listener_(std::make_shared<DataListener>(std::move(on_data))),
        reader_(entities_->subscriber, topic_of(*entities_, request, struct_type(request.type, *request.shape)),
                reader_qos(request)) {
    if (ignores_local_) {
      entities_->deaf_readers.add(gid());
    }
    reader_.set_listener(listener_, dds::core::status::StatusMask::data_available());
  }
  ~ConnextReader() override {
    entities_->deaf_readers.remove(gid());
    reader_.set_listener(nullptr);
    reader_.close();
  }

  bool take(Message & message) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    listener_->has_news = false;
    for (;;) {
      const auto samples = reader_.select().max_samples(1).take();
      if (samples.length() == 0) {
        return false;
      }
      listener_->has_news = true;  // there may be more
      const auto & sample = *samples.begin();
      const Gid writer = gid_of(sample.info().publication_handle());
      if (!sample.info().valid() || (ignores_local_ && is_own(writer))) {
        continue;
      }
      rti::core::xtypes::to_cdr_buffer(buffer_, sample.data(), dds::core::policy::DataRepresentation::xcdr());
      message.cdr.assign(buffer_.begin(), buffer_.end());
      const dds::core::Time stamp = sample.info().source_timestamp();
      message.stamp = stamp.sec() * 1'000'000'000LL + stamp.nanosec();
      message.sequence =
          static_cast<std::uint64_t>(sample.info().extensions().publication_sequence_number().value()) - 1;
      message.writer = writer;
      return true;
    }
  }
  bool has_data() const override {
    if (!listener_->has_news) {
      return false;
    }
    auto reader = reader_;
    return reader.select().max_samples(1).read().length() > 0;
  }
  std::size_t matched() const override {
    const auto writers = dds::sub::matched_publications(reader_);
    return static_cast<std::size_t>(std::count_if(writers.begin(), writers.end(), [this](const auto & writer) {
      return !ignores_local_ || !is_own(gid_of(writer));
    }));
  }
  std::uint64_t lost() const override {
    auto reader = reader_;
    return static_cast<std::uint64_t>(reader.sample_lost_status().total_count());
  }
  Gid gid() const override { return gid_of(reader_.instance_handle()); }

 private:
  bool is_own(const Gid & writer) const {
    const Gid own = gid();
    return std::equal(own.begin(), own.begin() + kPrefix, writer.begin());
  }

  const std::shared_ptr<Entities> entities_;
  const bool ignores_local_;
  const std::shared_ptr<DataListener> listener_;
  std::mutex mutex_;
  std::vector<char> buffer_;  ///< guarded by mutex_
  dds::sub::DataReader<DynamicData> reader_;
};

}  // namespace

Gid gid_of(const dds::core::InstanceHandle & handle) {
  Gid gid{};
  std::copy_n(handle->native().keyHash.value, gid.size(), gid.begin());
  return gid;
}

std::unique_ptr<tandem::cdr_bus::Writer> make_writer(std::shared_ptr<Entities> entities, const Request & request) {
  return std::make_unique<ConnextWriter>(std::move(entities), request);
}

std::unique_ptr<tandem::cdr_bus::Reader> make_reader(std::shared_ptr<Entities> entities, const Request & request,
                                                     std::function<void()> on_data) {
  return std::make_unique<ConnextReader>(std::move(entities), request, std::move(on_data));
}

}  // namespace connext
