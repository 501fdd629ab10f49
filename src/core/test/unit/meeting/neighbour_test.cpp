// What a process believes of a peer whose directory is being written, or has another tag for a while.
#include "meeting/neighbour.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "folder/folder.hpp"
#include "harness.hpp"
#include "options.hpp"
#include "process/process.hpp"

namespace tandem::test {
namespace {

/// A neighbour of this process's own region with a node, a publisher, a subscription and the lane between them.
class NeighbourTest : public testing::Test {
 protected:
  void SetUp() override {
    out_ = std::move(*participant_->create_publisher(publisher_options("topic")));
    in_ = std::move(*participant_->create_subscription(subscription_options("topic")));
    node_ = *participant_->add_node({"/", "node"});
    ASSERT_TRUE(wait_until([&] { return in_->matched_count() == 1; }));
    const auto root = RootFolder::open();
    ASSERT_TRUE(root);
    folder_of_domain_.emplace(*tandem::Folder::open(*root, 0));
    std::string reason;
    const std::uint64_t self = Process::instance().incarnation();
    neighbour_.peer = Peer::open(*folder_of_domain_, self, reason);
    ASSERT_TRUE(neighbour_.peer) << reason;
    Region & region = Process::instance().region();
    const auto end = region.directory() + region.header().directory_used;
    const auto ours = std::find_if(region.directory(), end,
                                   [&](const DirectoryEntry & line) { return line.number == out_->info().id.number; });
    tag_ = ours->domain;
    for (auto line = region.directory(); line != end; ++line) {  // earlier tests have left lines of other homes
      if (line->domain == tag_) {
        lines_.push_back(line);
      }
    }
  }
  void TearDown() override { participant_->remove_node(node_); }

  /// Reads the directory after `change` was done to each of our lines.
  template <class Change>
  void refresh_after(Change change) {
    Region & region = Process::instance().region();
    for (DirectoryEntry * line : lines_) {
      change(*line);
    }
    region.header().directory_version += 1;
    changes_ = {};
    neighbour_.refresh(tag_, Process::instance().incarnation(), changes_);
  }
  std::vector<std::size_t> counts() const {
    return {neighbour_.nodes.size(), neighbour_.publishers.size(), neighbour_.subscriptions.size(),
            neighbour_.lanes.size()};
  }

  const std::vector<std::size_t> everything_ = {1, 1, 1, 1};
  Folder folder_;
  Result<Participant, JoinError> participant_ = Participant::join(0);
  std::unique_ptr<Publisher> out_;
  std::unique_ptr<Subscription> in_;
  std::optional<tandem::Folder> folder_of_domain_;
  Neighbour neighbour_;
  Changes changes_;  ///< of the last refresh
  std::uint32_t tag_ = 0;
  std::vector<DirectoryEntry *> lines_;  ///< of this test
  std::uint64_t node_ = 0;
};

// A reader that was believed gone would lose what it holds: its blocks would be written again while it reads them.
TEST_F(NeighbourTest, KeepsWhatItKnowsWhileItIsBeingWritten) {
  refresh_after([](DirectoryEntry &) {});
  ASSERT_EQ(counts(), everything_);
  refresh_after([](DirectoryEntry & line) { line.version += 1; });
  EXPECT_EQ(counts(), everything_);
  refresh_after([](DirectoryEntry & line) { line.version += 1; });
  EXPECT_EQ(counts(), everything_);
}

TEST_F(NeighbourTest, KeepsWhatItKnowsWhileTheFolderIsMadeAnew) {
  refresh_after([](DirectoryEntry &) {});
  refresh_after([this](DirectoryEntry & line) {
    line.domain = tag_ ^ 0x100;
    line.version += 2;
  });
  EXPECT_EQ(counts(), everything_);
  refresh_after([this](DirectoryEntry & line) {
    line.domain = tag_;
    line.version += 2;
  });
  EXPECT_EQ(counts(), everything_);
}

TEST_F(NeighbourTest, BelievesNothingNewBeforeItIsWhole) {
  refresh_after([](DirectoryEntry & line) { line.version += 1; });
  EXPECT_EQ(counts(), std::vector<std::size_t>(4, 0));
  refresh_after([](DirectoryEntry & line) { line.version += 1; });
  EXPECT_EQ(counts(), everything_);
}

TEST_F(NeighbourTest, ForgetsWhatHasGone) {
  refresh_after([](DirectoryEntry &) {});
  out_.reset();
  in_.reset();
  ASSERT_TRUE(wait_until([&] {
    refresh_after([](DirectoryEntry &) {});
    return neighbour_.publishers.empty() && neighbour_.subscriptions.empty() && neighbour_.lanes.empty();
  }));
}

TEST_F(NeighbourTest, TellsWhatHasChanged) {
  refresh_after([](DirectoryEntry &) {});
  EXPECT_EQ(changes_.topics, std::set<std::string>{"topic"});
  EXPECT_EQ(changes_.publishers, std::set<std::uint64_t>{out_->info().id.number});
  refresh_after([](DirectoryEntry & line) { line.version += 2; });
  EXPECT_TRUE(changes_.topics.empty() && changes_.publishers.empty()) << "they are the same as before";
  refresh_after([](DirectoryEntry & line) {
    if (static_cast<EntryKind>(line.kind.load()) == EntryKind::kPublisher) {
      line.closed = 1;
      line.version += 2;
    }
  });
  EXPECT_EQ(changes_.topics, std::set<std::string>{"topic"});
  EXPECT_TRUE(changes_.publishers.empty());
  EXPECT_TRUE(neighbour_.publishers.begin()->second.entry.closed);
}

// A faulty owner may repeat a number. What the one line says must not go with the other.
TEST_F(NeighbourTest, KeepsTheFirstOfTwoLinesOfOneNumber) {
  refresh_after([](DirectoryEntry &) {});
  DirectoryEntry & twin =
      Process::instance().region().directory()[Process::instance().region().header().directory_used];
  const auto copy = [&](std::uint32_t kind) {
    const DirectoryEntry & line = **std::find_if(lines_.begin(), lines_.end(), [&](const DirectoryEntry * each) {
      return each->number == out_->info().id.number;
    });
    twin.domain = line.domain.load();
    twin.number = line.number.load();
    twin.description = line.description.load();
    twin.description_size = line.description_size.load();
    twin.kind = kind;
    twin.version += 2;
  };
  Process::instance().region().header().directory_used += 1;
  copy(static_cast<std::uint32_t>(EntryKind::kPublisher));
  refresh_after([](DirectoryEntry &) {});
  EXPECT_EQ(counts(), everything_);
  copy(static_cast<std::uint32_t>(EntryKind::kFree));
  refresh_after([](DirectoryEntry &) {});
  EXPECT_EQ(counts(), everything_);
}

}  // namespace
}  // namespace tandem::test
