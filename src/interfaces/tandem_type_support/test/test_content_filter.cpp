// Filter expressions: the language, its errors, hostile input, and random conditions with known truth.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "all_kinds.hpp"
#include "support.hpp"
#include "tandem/content_filter.hpp"

namespace {

using kinds::All;
using tandem::ContentFilter;

bool matches(const All & all, const std::string & expression, const std::vector<std::string> & parameters = {}) {
  const auto filter = ContentFilter::compile(tandem::message_type<All>(), expression, parameters);
  if (!filter) {
    ADD_FAILURE() << expression << ": " << filter.error();
    return false;
  }
  return filter->matches(&all);
}

std::string error_of(const std::string & expression, const std::vector<std::string> & parameters = {}) {
  const auto filter = ContentFilter::compile(tandem::message_type<All>(), expression, parameters);
  return filter ? "" : filter.error();
}

All example() {
  All all;
  all.numbers.a_bool = true;
  all.numbers.a_char = 'x';
  all.numbers.i8 = -5;
  all.numbers.i64 = std::numeric_limits<std::int64_t>::min();
  all.numbers.u64 = std::numeric_limits<std::uint64_t>::max();
  all.numbers.i32 = 7;
  all.numbers.f32 = 0.1F;
  all.numbers.f64 = 2.5;
  all.shapes.shorts = {1, 2, 3};
  all.shapes.strings[0] = "hello world";
  all.shapes.point.x = 1.5;
  all.shapes.points.resize(2);
  all.shapes.points[1].y = 4;
  all.shapes.texts.resize(1);
  all.shapes.texts[0].text = "a%b";
  return all;
}

}  // namespace

TEST(ContentFilter, ComparesNumbers) {
  const All all = example();
  for (const char * const holds : {"numbers.i32 = 7",
                                   "numbers.i32 <> 8",
                                   "numbers.i32 != 8",
                                   "numbers.i32 < 7.5",
                                   "numbers.i32 <= 7",
                                   "numbers.i32 > -1",
                                   "numbers.i32 >= 0x7",
                                   "7 = numbers.i32",
                                   "8 > numbers.i32",
                                   "numbers.i8 < numbers.u64",
                                   "numbers.i64 = -9223372036854775808",
                                   "numbers.u64 = 18446744073709551615",
                                   "numbers.u64 > numbers.i64",
                                   "numbers.u64 < 18446744073709551616",
                                   "numbers.f32 = 0.1",
                                   "numbers.f64 = 25e-1",
                                   "numbers.f64 > numbers.f32",
                                   "numbers.i64 < -9223372036854774784.0",
                                   "numbers.a_bool = TRUE",
                                   "numbers.a_bool <> false",
                                   "numbers.a_char = 'x'",
                                   "numbers.i32 between 7 and 9",
                                   "numbers.i32 NOT BETWEEN 8 AND 9",
                                   "numbers.f64 = +2.5"}) {
    EXPECT_TRUE(matches(all, holds)) << holds;
    EXPECT_FALSE(matches(all, std::string("NOT (") + holds + ")")) << holds;
  }
}

TEST(ContentFilter, ComparesTexts) {
  const All all = example();
  for (const char * const holds :
       {"shapes.strings[0] = 'hello world'", "shapes.strings[0] > 'hello'", "shapes.strings[1] = ''",
        "shapes.strings[0] LIKE 'hello%'", "shapes.strings[0] like '%o_w%'", "shapes.strings[0] LIKE '%'",
        "shapes.strings[0] NOT BETWEEN 'a' AND 'b'", "shapes.strings[0] MATCH 'hel+o (world|moon)'",
        "shapes.strings[1] MATCH 'a*'", "shapes.texts[0].text LIKE 'a_b'", "shapes.strings[0] = `hello world'"}) {
    EXPECT_TRUE(matches(all, holds)) << holds;
  }
  for (const char * const fails : {"shapes.strings[0] LIKE 'hello'", "shapes.strings[0] LIKE '%x%'",
                                   "shapes.strings[0] MATCH 'hello'", "shapes.strings[0] MATCH 'hello|world'"}) {
    EXPECT_FALSE(matches(all, fails)) << fails;
  }
}

TEST(ContentFilter, ReachesNestedFieldsAndElements) {
  const All all = example();
  EXPECT_TRUE(matches(all, "shapes.point.x = 1.5 AND shapes.shorts[2] = 3 AND shapes.points[1].y = 4"));
  EXPECT_FALSE(matches(all, "shapes.points[2].y = 0"));
  EXPECT_TRUE(matches(all, "NOT shapes.points[2].y = 0"));
  EXPECT_FALSE(matches(all, "shapes.points[2].y BETWEEN -1 AND 1 OR more[0].last > 0"));
}

TEST(ContentFilter, TakesParameters) {
  const All all = example();
  EXPECT_TRUE(matches(all, "numbers.i32 = %0 AND shapes.strings[0] = %1 AND numbers.a_bool = %10",
                      {"7", "'hello world'", "", "", "", "", "", "", "", "", " TRUE "}));
  EXPECT_TRUE(matches(all, "numbers.f64 BETWEEN %1 AND %0", {"3", "-1.0e1"}));
}

TEST(ContentFilter, BindsNotBeforeAndBeforeOr) {
  All all;
  for (int bits = 0; bits < 8; ++bits) {
    const bool a = (bits & 1) != 0;
    const bool b = (bits & 2) != 0;
    const bool c = (bits & 4) != 0;
    all.numbers.i8 = a ? 1 : 0;
    all.numbers.i16 = b ? 1 : 0;
    all.numbers.i32 = c ? 1 : 0;
    EXPECT_EQ(matches(all, "numbers.i8 = 1 OR numbers.i16 = 1 AND NOT numbers.i32 = 1"), a || (b && !c));
    EXPECT_EQ(matches(all, "(numbers.i8 = 1 OR numbers.i16 = 1) AND NOT NOT numbers.i32 = 1"), (a || b) && c);
    EXPECT_EQ(matches(all, "NOT (numbers.i8=1 AND NOT(numbers.i16=1 OR numbers.i32=1))"), !(a && !(b || c)));
  }
}

TEST(ContentFilter, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("numbers.i32 = 7 numbers"), "at character 17: expected AND, OR or the end, but found 'numbers'");
  EXPECT_EQ(error_of("numbers.i33 = 7").substr(0, 60), "at character 1: kinds/msg/Numbers has no field 'i33'; its fi");
  EXPECT_EQ(error_of("numbers.i32 = "), "at character 15: expected a field or a value, but found the end");
  for (const char * const wrong : {"",
                                   "   ",
                                   "numbers.i32",
                                   "numbers.i32 =",
                                   "= 7",
                                   "numbers.i32 == 7",
                                   "7 = 7",
                                   "numbers = 7",
                                   "numbers.i32 = 'text'",
                                   "shapes.strings[0] = 7",
                                   "numbers.a_bool = 1",
                                   "numbers.i32 = TRUE",
                                   "shapes.shorts = 1",
                                   "shapes.shorts[3] = 1",
                                   "shapes.shorts[-1] = 1",
                                   "shapes.shorts[x] = 1",
                                   "shapes.shorts[1",
                                   "shapes.shorts[1]x = 1",
                                   "shapes..point = 1",
                                   "shapes.point.x. = 1",
                                   "numbers.i32.x = 1",
                                   "shapes.wide = 'a'",
                                   "numbers.i32 = 1 AND",
                                   "(numbers.i32 = 1",
                                   "numbers.i32 = 1)",
                                   "NOT",
                                   "numbers.i32 NOT = 1",
                                   "numbers.i32 BETWEEN 1",
                                   "numbers.i32 BETWEEN 1 OR 2",
                                   "1 BETWEEN numbers.i32 AND 2",
                                   "numbers.i32 = %0",
                                   "numbers.i32 = %",
                                   "numbers.i32 = %100",
                                   "numbers.i32 = 1x",
                                   "numbers.i32 = 99999999999999999999e999",
                                   "numbers.i32 LIKE '%'",
                                   "shapes.strings[0] LIKE shapes.strings[1]",
                                   "shapes.strings[0] MATCH '['",
                                   "shapes.strings[0] = 'open",
                                   "numbers.i32 = $",
                                   "few[0] = 1",
                                   "shapes.few[99] = 1",
                                   "\xff"}) {
    EXPECT_NE(error_of(wrong), "") << wrong;
  }
  EXPECT_NE(error_of("numbers.i32 = %0", {"seven"}), "");
  EXPECT_NE(error_of("numbers.i32 = %0", {"7 OR 1 = 1"}), "");
  EXPECT_NE(error_of("numbers.i32 = %0", {""}), "");
}

TEST(ContentFilter, SurvivesHostileInput) {
  const std::string condition = "numbers.i32 = 0";
  const auto nested = [&](std::size_t depth) { return std::string(depth, '(') + condition + std::string(depth, ')'); };
  EXPECT_EQ(error_of(nested(200)), "");
  EXPECT_NE(error_of(nested(10000)), "");
  EXPECT_NE(error_of(std::string(1000000, '(')), "");
  std::string long_one = condition;
  std::string nots;
  for (int i = 0; i < 10000; ++i) {
    long_one += i % 2 == 0 ? " AND numbers.i8 = 0" : " OR numbers.i8 = 1";
    nots += "NOT ";
  }
  EXPECT_EQ(error_of(long_one), "");
  EXPECT_EQ(error_of(nots + condition), "");
  EXPECT_TRUE(matches(All(), long_one));
  EXPECT_TRUE(matches(All(), nots + condition));
  EXPECT_NE(error_of("shapes.strings[0] MATCH '" + std::string(100000, '(') + "'"), "");
  All all;
  all.shapes.strings[0] = std::string(20000, 'a');
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "%a";
  EXPECT_FALSE(matches(all, "shapes.strings[0] LIKE '" + pattern + "b'"));
}

TEST(ContentFilter, AnyBytesAreAnErrorOrAFilter) {
  std::mt19937_64 random(test::seed_of_this_run());
  const std::vector<std::string> words{"numbers.i32",
                                       "numbers.f32",
                                       "shapes.strings[0]",
                                       "shapes.points[0].x",
                                       "=",
                                       "<",
                                       ">=",
                                       "<>",
                                       "LIKE",
                                       "MATCH",
                                       "BETWEEN",
                                       "AND",
                                       "OR",
                                       "NOT",
                                       "(",
                                       ")",
                                       "'a%'",
                                       "1",
                                       "-2.5",
                                       "%0",
                                       "TRUE"};
  const All all = example();
  for (int i = 0; i < 20000; ++i) {
    std::string expression;
    for (std::size_t n = random() % 12; n > 0; --n) {
      expression += words[random() % words.size()];
      if (random() % 8 != 0) expression += ' ';
      if (random() % 16 == 0) expression += static_cast<char>(random());
    }
    const auto filter = ContentFilter::compile(tandem::message_type<All>(), expression, {"3"});
    if (filter) filter->matches(&all);
  }
}

namespace {

/// A condition and its truth, made together.
class Maker {
 public:
  Maker(const All & all, std::uint64_t seed) : all_(all), random_(seed) {}

  bool condition(std::ostream & out, int depth) {
    const auto kind = depth == 0 ? 0 : random_() % 4;
    if (kind == 0) return comparison(out);
    if (kind == 1) {
      out << "NOT (";
      const bool value = !condition(out, depth - 1);
      out << ')';
      return value;
    }
    out << '(';
    const bool left = condition(out, depth - 1);
    out << (kind == 2 ? ") AND (" : ") or (");
    const bool right = condition(out, depth - 1);
    out << ')';
    return kind == 2 ? left && right : left || right;
  }

 private:
  bool comparison(std::ostream & out) {
    const auto value = static_cast<std::int64_t>(random_() % 7) - 3;
    switch (random_() % 6) {
      case 0: return related(out, "numbers.i8", static_cast<long double>(all_.numbers.i8), value);
      case 1: return related(out, "numbers.u64", static_cast<long double>(all_.numbers.u64), value);
      case 2: return related(out, "shapes.shorts[1]", static_cast<long double>(all_.shapes.shorts[1]), value);
      case 3: return related(out, "numbers.f64", static_cast<long double>(all_.numbers.f64), value);
      case 4: {
        const auto & points = all_.shapes.points;
        if (points.size() > 1) return related(out, "shapes.points[1].x", static_cast<long double>(points[1].x), value);
        out << "shapes.points[1].x <> 99";
        return false;
      }
      default: {
        const auto upper = static_cast<std::int64_t>(random_() % 7) - 3;
        out << "numbers.i32 BETWEEN " << value << " AND " << upper;
        return all_.numbers.i32 >= value && all_.numbers.i32 <= upper;
      }
    }
  }

  bool related(std::ostream & out, const char * field, long double left, std::int64_t right) {
    const bool turned = random_() % 3 == 0;
    const auto value = static_cast<long double>(right);
    const auto write = [&](const char * relation) {
      if (turned) {
        out << right << ' ' << relation << ' ' << field;
      } else {
        out << field << ' ' << relation << ' ' << right;
      }
    };
    switch (random_() % 6) {
      case 0: return write("="), left == value;
      case 1: return write("<>"), left != value;
      case 2: return write("<"), turned ? value < left : left < value;
      case 3: return write("<="), turned ? value <= left : left <= value;
      case 4: return write(">"), turned ? value > left : left > value;
      default: return write(">="), turned ? value >= left : left >= value;
    }
  }

  const All & all_;
  std::mt19937_64 random_;
};

}  // namespace

TEST(ContentFilter, AgreesWithWhatRandomConditionsSay) {
  const std::uint64_t seed = test::seed_of_this_run();
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20000; ++i) {
    All all;
    all.numbers.i8 = static_cast<std::int8_t>(random() % 5) - 2;
    all.numbers.u64 = random() % 4 == 0 ? random() : random() % 4;
    all.numbers.i32 = static_cast<std::int32_t>(random() % 5) - 2;
    all.numbers.f64 = static_cast<double>(random() % 9) / 2 - 2;
    all.shapes.shorts[1] = static_cast<std::int16_t>(static_cast<int>(random() % 5) - 2);
    all.shapes.points.resize(random() % 3);
    for (auto & point : all.shapes.points) point.x = static_cast<double>(random() % 5) - 2;
    std::ostringstream expression;
    const bool truth = Maker(all, random()).condition(expression, static_cast<int>(random() % 6));
    ASSERT_EQ(matches(all, expression.str()), truth) << expression.str();
  }
}
