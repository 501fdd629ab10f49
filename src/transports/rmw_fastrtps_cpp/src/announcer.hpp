// ros_discovery_info over Fast DDS.
//
// What is known of a reader may be changed in callbacks of discovery only: Fast DDS holds its lock of discovery there,
// and matches the reader after the callback. When it is learnt later how a reader reads, the writer is made, or its QoS
// set again as it is: that too calls back, and matches the writer afterwards.
#pragma once

#include <fastdds/rtps/builtin/data/ReaderProxyData.h>
#include <fastdds/rtps/builtin/data/WriterProxyData.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/topic/Topic.hpp>

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "settings.hpp"
#include "tandem/dds/announcer.hpp"

namespace rmw_fastrtps {

/// Thread-safe.
class Announcer final : public tandem::dds::Announcer, private dds::DataReaderListener {
 public:
  using Gid = tandem::transport::Gid;
  using GidWidth = tandem::dds::GidWidth;

  /// `making` is held while an endpoint is made. All of it outlives this.
  Announcer(dds::DomainParticipant & participant, tandem::dds::Graph & graph, bool is_secured, std::mutex & making)
      : tandem::dds::Announcer(graph, is_secured, &making), participant_(participant), making_(making) {}
  ~Announcer() override { end(); }

  /// Begins to hear and to tell, the former with a reader of this subscriber. \throws Error
  void open(dds::Subscriber & subscriber);
  using tandem::dds::Announcer::end;
  /// Tells nobody from here on. After end().
  void close();

  // From callbacks of discovery, of other participants.
  void found(const rtps::ReaderProxyData & reader, const std::string & user_data);
  void found(const rtps::WriterProxyData & writer, const std::string & user_data);
  void lost(const Gid & endpoint);
  void lost_participant(const Gid & participant);
  /// From the callback of discovery of an own writer.
  void found_own(const rtps::WriterProxyData & writer);

 private:
  struct Reader {
    rtps::ReaderProxyData * known;  ///< Fast DDS's, until it says that the reader is lost
    std::optional<GidWidth> form;   ///< whose writer it is put to
  };

  void on_data_available(dds::DataReader * reader) override;
  void make_writer(GidWidth form, const char * partition) override;
  void write(GidWidth form, const std::vector<std::uint8_t> & cdr) override;
  void place_readers() override;
  void place_locked(const Gid & gid, Reader & reader);
  std::set<GidWidth> misplaced();

  dds::DomainParticipant & participant_;
  std::mutex & making_;
  dds::Topic * topic_ = nullptr;
  std::map<GidWidth, dds::DataWriter *> writers_;

  std::mutex readers_mutex_;  ///< taken last, but for the audience's
  std::map<Gid, Reader> readers_;
};

}  // namespace rmw_fastrtps
