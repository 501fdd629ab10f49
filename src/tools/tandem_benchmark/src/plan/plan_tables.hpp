// The names that several lists of the plan are made of.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Numbers of subscriptions of `fan_out`.
inline const std::vector<std::size_t> kReaders = {1, 2, 4, 8, 16, 64};

/// The series messages.HOW.WHAT: how a message is published, and which one. Each has a name and its words.
inline const std::vector<std::pair<std::string, std::string>> kWays = {{"unique", "unique_ptr"}, {"loan", "loan"}};
inline const std::vector<std::pair<std::string, std::string>> kMessages = {{"64", "64 B"},
                                                                           {"image", "Image 6.2 MB"},
                                                                           {"image_64", "64 B after writing 6.2 MB"},
                                                                           {"cloud", "PointCloud2 16 MB"},
                                                                           {"cloud_64", "64 B after writing 16 MB"}};

/// The series of `waking` in which messages follow each other so closely that a wait should never sleep.
inline const std::vector<std::pair<std::string, std::string>> kAwake = {
    {"waking.ping_pong.0", "round trips"},
    {"waking.flow.20000", "20,000 messages a second"},
    {"waking.flow.200000", "200,000 messages a second"}};

/// The series idle.WHAT.COUNT: a wait beside so many of these. It should cost what it costs beside none.
inline const std::vector<std::pair<std::string, std::string>> kIdle = {{"core", "idle subscriptions of a wait-set"},
                                                                       {"publishers", "idle publishers of the topic"},
                                                                       {"rclcpp", "idle subscriptions of an executor"}};
inline const std::vector<std::size_t> kIdleCounts = {0, 1000};

/// The series bag.processor.PROFILE.HOW, and bag.publish.SIZE.
inline const std::string kUncompressed = "none";
inline const std::vector<std::pair<std::string, std::string>> kBagProfiles = {
    {kUncompressed, "uncompressed"}, {"lz4", "lz4"}, {"zstd_fast", "zstd_fast"}};
inline const std::vector<std::size_t> kBagSizes = {64, 1024, std::size_t{1} << 20};

template <class T>
void append(std::vector<T> & list, const std::vector<T> & more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace bench
