// metadata.yaml of every version, and QoS.
#include "support.hpp"

namespace {

using tandem::Durability;
using tandem::History;
using tandem::Reliability;

constexpr const char * kVersion9 = R"(rosbag2_bagfile_information:
  version: 9
  storage_identifier: mcap
  duration:
    nanoseconds: 5
  starting_time:
    nanoseconds_since_epoch: 7
  message_count: 1
  topics_with_message_count:
    - topic_metadata:
        name: /a
        type: std_msgs/msg/String
        serialization_format: cdr
        offered_qos_profiles:
          - history: keep_all
            depth: 0
            reliability: best_effort
            durability: transient_local
            deadline: {sec: 9223372036, nsec: 854775807}
            lifespan: {sec: 1, nsec: 500000000}
            liveliness: automatic
            liveliness_lease_duration: {sec: 0, nsec: 0}
            avoid_ros_namespace_conventions: false
        type_description_hash: RIHS01_0
      message_count: 1
  compression_format: ""
  compression_mode: ""
  relative_file_paths: [a.mcap]
  files:
    - path: a.mcap
      starting_time: {nanoseconds_since_epoch: 7}
      duration: {nanoseconds: 5}
      message_count: 1
  custom_data: ~
  ros_distro: jazzy
)";

constexpr const char * kVersion4 = R"(rosbag2_bagfile_information:
  version: 4
  storage_identifier: sqlite3
  relative_file_paths: [a.db3, b.db3]
  duration:
    nanoseconds: 0
  starting_time:
    nanoseconds_since_epoch: 0
  message_count: 0
  topics_with_message_count:
    - topic_metadata:
        name: /a
        type: std_msgs/msg/String
        serialization_format: cdr
        offered_qos_profiles: "- history: 3\n  depth: 0\n  reliability: 1\n  durability: 2\n  deadline:\n    sec: 2147483647\n    nsec: 4294967295\n  lifespan:\n    sec: 2147483647\n    nsec: 4294967295\n  liveliness: 1\n  liveliness_lease_duration:\n    sec: 2147483647\n    nsec: 4294967295\n  avoid_ros_namespace_conventions: false"
      message_count: 0
  compression_format: zstd
  compression_mode: file
)";

TEST(Metadata, OfVersion9IsRead) {
  const bag::Metadata metadata = bag::metadata_from_yaml(kVersion9, "m");
  EXPECT_EQ(metadata.ros_distro, "jazzy");
  EXPECT_EQ(metadata.files.at(0).duration, 5);
  ASSERT_EQ(metadata.topics.at(0).offered_qos.size(), 1u);
  const tandem::Qos & qos = metadata.topics[0].offered_qos[0];
  EXPECT_EQ(qos.history, History::kKeepAll);
  EXPECT_EQ(qos.reliability, Reliability::kBestEffort);
  EXPECT_EQ(qos.durability, Durability::kTransientLocal);
  EXPECT_EQ(qos.deadline, tandem::kInfinite);
  EXPECT_EQ(qos.lifespan, std::chrono::milliseconds(1500));
  EXPECT_EQ(qos.lease, tandem::kInfinite);
}

TEST(Metadata, OfVersion4IsRead) {
  const bag::Metadata metadata = bag::metadata_from_yaml(kVersion4, "m");
  EXPECT_EQ(metadata.compression_mode, "FILE");
  ASSERT_EQ(metadata.files.size(), 2u);
  EXPECT_EQ(metadata.files[1].path, "b.db3");
  const tandem::Qos & qos = metadata.topics.at(0).offered_qos.at(0);
  EXPECT_EQ(qos.history, History::kKeepLast);
  EXPECT_EQ(qos.depth, tandem::Qos().depth);
  EXPECT_EQ(qos.reliability, Reliability::kReliable);
  EXPECT_EQ(qos.durability, Durability::kVolatile);
}

TEST(Metadata, IsReadAsItIsWritten) {
  const bag::Metadata metadata = bag::metadata_from_yaml(kVersion9, "m");
  const std::string text = bag::to_yaml(metadata);
  EXPECT_EQ(bag::to_yaml(bag::metadata_from_yaml(text, "m")), text);
  EXPECT_EQ(bag::to_yaml(bag::metadata_from_yaml(bag::to_stored_yaml(metadata), "m")), text);
  EXPECT_NE(text.find("version: 8"), std::string::npos);
}

TEST(Metadata, ThatIsBadNamesItsFile) {
  for (const char * const text : {"", "a", "[", "rosbag2_bagfile_information: 3", "rosbag2_bagfile_information: {}",
                                  "rosbag2_bagfile_information: {version: 10}"}) {
    try {
      bag::metadata_from_yaml(text, "the/file");
      FAIL() << text;
    } catch (const bag::Error & error) {
      EXPECT_NE(std::string(error.what()).find("the/file"), std::string::npos) << error.what();
    }
  }
}

TEST(QosOverrides, AreReadByTopic) {
  const Folder folder;
  write(folder / "q.yaml", "/a:\n  reliability: best_effort\n  depth: 7\n/b:\n  durability: transient_local\n");
  const auto all = bag::read_qos_overrides(folder / "q.yaml");
  EXPECT_EQ(all.at("/a").reliability, Reliability::kBestEffort);
  EXPECT_EQ(all.at("/a").depth, 7u);
  EXPECT_EQ(all.at("/b").durability, Durability::kTransientLocal);
  EXPECT_EQ(all.at("/b").depth, tandem::Qos().depth);
  write(folder / "q.yaml", "/a:\n  reliability: sometimes\n");
  try {
    bag::read_qos_overrides(folder / "q.yaml");
    FAIL();
  } catch (const bag::Error & error) {
    EXPECT_NE(std::string(error.what()).find("'/a'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("sometimes"), std::string::npos) << error.what();
  }
}

}  // namespace
