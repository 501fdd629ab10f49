// ros_discovery_info: hears of others' nodes, and tells of ours, to each reader in the form that it reads.
//
// There is a writer for each form that somebody reads, each in a partition of its own beside the common one. Readers
// that are found tell no partition; in what Fast DDS knows of them here, each is put into the one of the writer that
// serves it, or into one of no writer's while it is not known how it reads. So it is matched with that writer only.
// With TANDEM_ROS_DISTRO there is one writer for all.
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

#include "settings.hpp"
#include "tandem/dds/audience.hpp"
#include "tandem/dds/graph.hpp"

namespace rmw_fastrtps {

/// Thread-safe.
class Announcer final : private dds::DataReaderListener {
 public:
  using Gid = tandem::transport::Gid;
  using GidWidth = tandem::dds::GidWidth;

  /// `making` is held while an endpoint is made. All of it outlives this.
  Announcer(dds::DomainParticipant & participant, tandem::dds::Graph & graph, std::mutex & making);
  Announcer(const Announcer &) = delete;
  Announcer & operator=(const Announcer &) = delete;

  /// Begins to hear and to tell, the former with a reader of this subscriber. \throws Error
  void open(dds::Subscriber & subscriber);
  /// No more news of the network from here on.
  void end() { audience_.end(); }
  /// Tells nobody from here on. After end().
  void close();
  /// Tells of the graph as it is now, unless that has been done.
  void announce();

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
  void follow();
  void make_writer_locked(GidWidth width);
  std::set<GidWidth> misplaced();

  dds::DomainParticipant & participant_;
  tandem::dds::Graph & graph_;
  std::mutex & making_;
  const std::optional<GidWidth> chosen_ = tandem::dds::chosen_width();

  std::mutex announcing_;  ///< taken after making_
  dds::Topic * topic_ = nullptr;
  std::uint64_t announced_ = 0;
  std::map<GidWidth, dds::DataWriter *> writers_;

  std::mutex readers_mutex_;  ///< taken last, but for the audience's
  std::map<Gid, Reader> readers_;
  bool is_mixture_said_ = false;  ///< of the audience's thread
  tandem::dds::Audience audience_;
};

}  // namespace rmw_fastrtps
