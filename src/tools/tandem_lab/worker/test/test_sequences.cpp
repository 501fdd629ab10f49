// Gaps, duplicates and late messages of several sources.
#include <gtest/gtest.h>

#include "roles/sequences.hpp"

namespace lab {
namespace {

TEST(Sequences, CountsGapsUntilTheyAreFilled) {
  Sequences sequences;
  for (const std::uint64_t n : {5, 6, 9}) EXPECT_TRUE(sequences.add(0, n));
  EXPECT_EQ(sequences.gaps(), 2U);
  EXPECT_TRUE(sequences.add(0, 7));
  EXPECT_EQ(sequences.gaps(), 1U);
  EXPECT_EQ(sequences.received(), 4U);
  EXPECT_EQ(sequences.duplicates(), 0U);
}

TEST(Sequences, KnowsDuplicates) {
  Sequences sequences;
  EXPECT_TRUE(sequences.add(0, 1));
  EXPECT_FALSE(sequences.add(0, 1));
  EXPECT_TRUE(sequences.add(0, 3));
  EXPECT_FALSE(sequences.add(0, 1));
  EXPECT_EQ(sequences.received(), 2U);
  EXPECT_EQ(sequences.duplicates(), 2U);
}

TEST(Sequences, SourcesAreApart) {
  Sequences sequences;
  EXPECT_TRUE(sequences.add(0, 1));
  EXPECT_TRUE(sequences.add(255, 1));
  EXPECT_TRUE(sequences.add(255, 4));
  EXPECT_EQ(sequences.gaps(), 2U);
}

TEST(Sequences, AGapWiderThanTheWindow) {
  Sequences sequences;
  EXPECT_TRUE(sequences.add(0, 1));
  EXPECT_TRUE(sequences.add(0, 1'000'000));
  EXPECT_TRUE(sequences.add(0, 999'999));
  EXPECT_FALSE(sequences.add(0, 999'999));
  EXPECT_EQ(sequences.gaps(), 999'997U);
}

}  // namespace
}  // namespace lab
