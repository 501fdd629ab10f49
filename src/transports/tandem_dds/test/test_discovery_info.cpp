// ros_discovery_info against bytes written down by hand, and against noise.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>

#include "tandem/dds/discovery_info.hpp"

namespace tandem::dds {
namespace {

using Bytes = std::vector<std::uint8_t>;

Gid gid_of(std::uint8_t first, std::uint8_t entity, std::uint8_t kind) {
  return {first, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0, 0xb0, 0, 0, entity, kind};
}

/// Node "talker" in "/" with one writer, as a participant of Iron or later tells it.
const Bytes kNarrow = {
    0, 1,    0,    0,                                                                    // encapsulation
    1, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0, 0xb0, 0, 0, 1, 0xc1,  // participant
    1, 0,    0,    0,                                                                    // nodes
    2, 0,    0,    0,    '/',  0,    0,    0,                                            // name space, aligned
    7, 0,    0,    0,    't',  'a',  'l',  'k',  'e',  'r',  0,    0,                    // name, aligned
    0, 0,    0,    0,                                                                    // readers
    1, 0,    0,    0,                                                                    // writers
    1, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0, 0xb0, 0, 0, 3, 0x03,
};

/// The same from Humble, and big-endian.
const Bytes kWideBig = {
    0, 0,    0,    0,                                                                    //
    1, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0, 0xb0, 0, 0, 1, 0xc1,  //
    0, 0,    0,    0,    0,    0,    0,    0,                                            //
    0, 0,    0,    1,                                                                    //
    0, 0,    0,    2,    '/',  0,    0,    0,                                            //
    0, 0,    0,    7,    't',  'a',  'l',  'k',  'e',  'r',  0,    0,                    //
    0, 0,    0,    0,                                                                    //
    0, 0,    0,    1,                                                                    //
    1, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90, 0xa0, 0xb0, 0, 0, 3, 0x03,  //
    0, 0,    0,    0,    0,    0,    0,    0,
};

ParticipantEntities talker() { return {gid_of(1, 1, 0xc1), {{{"/", "talker"}, {}, {gid_of(1, 3, 0x03)}}}}; }

std::string text_of(const ParticipantEntities & entities) {
  const Bytes bytes = encode(entities, GidWidth::k16);
  return {bytes.begin(), bytes.end()};
}

void expect_decodes(const Bytes & bytes, const ParticipantEntities & expected) {
  const auto decoded = decode(bytes.data(), bytes.size());
  ASSERT_TRUE(decoded) << decoded.error();
  EXPECT_EQ(text_of(*decoded), text_of(expected));
}

TEST(DiscoveryInfo, KnownBytes) {
  EXPECT_EQ(encode(talker(), GidWidth::k16), kNarrow);
  expect_decodes(kNarrow, talker());
  expect_decodes(kWideBig, talker());
}

TEST(DiscoveryInfo, WithoutNodes) {
  const ParticipantEntities none{gid_of(9, 1, 0xc1), {}};
  for (const GidWidth width : {GidWidth::k16, GidWidth::k24}) {
    const Bytes bytes = encode(none, width);
    EXPECT_EQ(bytes.size(), 4u + static_cast<std::size_t>(width) + 4u);
    expect_decodes(bytes, none);
  }
}

TEST(DiscoveryInfo, ErrorsSayWhatIsWrong) {
  const auto error_of = [](Bytes bytes) {
    const auto decoded = decode(bytes.data(), bytes.size());
    return decoded ? std::string("none") : decoded.error();
  };
  EXPECT_EQ(error_of({}), "it is truncated");
  EXPECT_EQ(error_of({0, 1, 0, 0}), "it is truncated");
  Bytes bytes = kNarrow;
  bytes[1] = 7;
  EXPECT_EQ(error_of(bytes), "its encapsulation is not PLAIN_CDR");
  bytes = kNarrow;
  bytes[23] = 0xff;  // nodes
  EXPECT_EQ(error_of(bytes), "a length goes beyond the data");
  bytes = kNarrow;
  bytes[28] = '\x1b';  // name space
  EXPECT_EQ(error_of(bytes), "a name is too long, unprintable or not terminated");
  bytes = kNarrow;
  bytes.resize(bytes.size() + 4);
  EXPECT_EQ(error_of(bytes), "there are bytes behind its end");
  const ParticipantEntities long_name{gid_of(1, 1, 0xc1), {{{"/", std::string(257, 'a')}, {}, {}}}};
  EXPECT_EQ(error_of(encode(long_name, GidWidth::k24)).find("none"), std::string::npos);
}

TEST(DiscoveryInfo, EveryTruncationIsRefused) {
  for (const Bytes & whole : {kNarrow, kWideBig}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes cut(whole.begin(),
                      whole.begin() + static_cast<std::ptrdiff_t>(size));  // its own block, for sanitizers
      // The head of a wide one, cut in the padding of its Gid, is a narrow one without nodes.
      const bool is_narrow = whole == kWideBig && size >= 24 && size < 28;
      EXPECT_EQ(decode(cut.data(), cut.size()).has_value(), is_narrow) << size;
    }
  }
}

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t end) { return engine_() % end; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(engine_()); }

  Gid gid() {
    Gid gid;
    for (std::uint8_t & one : gid) {
      one = byte();
    }
    return gid;
  }

  std::vector<Gid> gids() {
    std::vector<Gid> all(below(5));
    for (Gid & one : all) {
      one = gid();
    }
    return all;
  }

  std::string name() {
    std::string text(below(12), 'a');
    for (char & c : text) {
      c = static_cast<char>('a' + below(26));
    }
    return text;
  }

  ParticipantEntities entities() {
    ParticipantEntities all{gid(), {}};
    all.nodes.resize(below(5));
    for (NodeEntities & node : all.nodes) {
      node = {{"/" + name(), name()}, gids(), gids()};
    }
    return all;
  }

 private:
  std::mt19937 engine_;
};

TEST(DiscoveryInfo, RandomMessagesComeBackAndMutatedOnesAreHarmless) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::printf("seed %u\n", seed);
  Dice dice(seed);
  for (int round = 0; round < 20000; ++round) {
    const ParticipantEntities entities = dice.entities();
    Bytes bytes = encode(entities, dice.below(2) == 0 ? GidWidth::k16 : GidWidth::k24);
    expect_decodes(bytes, entities);
    for (std::size_t changes = dice.below(4); changes > 0; --changes) {
      bytes[dice.below(bytes.size())] = dice.byte();
    }
    bytes.resize(dice.below(4) == 0 ? dice.below(bytes.size()) : bytes.size());
    bytes.shrink_to_fit();
    if (const auto decoded = decode(bytes.data(), bytes.size())) {
      // What is taken for good holds no more than the bytes could say.
      ASSERT_LE(encode(*decoded, GidWidth::k16).size(), 2 * bytes.size() + 16);
    }
  }
}

TEST(DiscoveryInfo, NoiseIsHarmless) {
  const unsigned seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  Dice dice(seed);
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes(dice.below(200));
    for (std::uint8_t & byte : bytes) {
      byte = dice.below(3) == 0 ? dice.byte() : 0;
    }
    if (bytes.size() > 1) {
      bytes[0] = 0;
      bytes[1] = static_cast<std::uint8_t>(dice.below(2));
    }
    (void)decode(bytes.data(), bytes.size());
  }
}

}  // namespace
}  // namespace tandem::dds
