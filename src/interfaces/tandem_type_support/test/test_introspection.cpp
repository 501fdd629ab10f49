// Values by field, element and path.
#include "tandem/introspection.hpp"

#include <gtest/gtest.h>

#include "all_kinds.hpp"
#include "support.hpp"

namespace {

using test::type_of;

class Introspection : public testing::Test {
 protected:
  Introspection() {
    all_.numbers.i64 = INT64_MIN;
    all_.numbers.u64 = UINT64_MAX;
    all_.numbers.f64 = 2.5;
    all_.shapes.data = {1, 2, 3};
    all_.shapes.texts.resize(2);
    all_.shapes.texts[1].text = "second";
    all_.shapes.wide = u"wide";
    all_.more.resize(3);
    all_.more[2].point.y = 7;
  }

  tandem::Value at(const char * path) {
    const auto value = tandem::find_value(type_of(all_), &all_, path);
    EXPECT_TRUE(value) << value.error();
    return *value;
  }
  std::string refusal(const char * path) {
    const auto value = tandem::find_value(type_of(all_), &all_, path);
    return value ? "" : value.error();
  }

  kinds::All all_;
};

TEST_F(Introspection, FindsValuesByPath) {
  EXPECT_EQ(at("").memory, &all_);
  EXPECT_EQ(tandem::as_int64(at("numbers.i64")), INT64_MIN);
  EXPECT_EQ(tandem::as_uint64(at("numbers.u64")), UINT64_MAX);
  EXPECT_EQ(tandem::as_double(at("numbers.f64")), 2.5);
  EXPECT_EQ(tandem::as_string(at("shapes.texts[1].text")), "second");
  EXPECT_EQ(tandem::as_wstring(at("shapes.wide")), u"wide");
  EXPECT_EQ(tandem::as_uint64(at("shapes.data[2]")), 3u);
  EXPECT_EQ(tandem::as_double(at("more[2].point.y")), 7);
  EXPECT_EQ(tandem::element_count(at("shapes.data")), 3u);
  EXPECT_EQ(tandem::element_count(at("shapes.bools")), 3u);
}

TEST_F(Introspection, NamesKinds) {
  EXPECT_EQ(tandem::kind_name(at("")), "kinds/msg/All");
  EXPECT_EQ(tandem::kind_name(at("shapes.texts")), "kinds/msg/Text[]");
  EXPECT_EQ(tandem::kind_name(at("shapes.few")), "int32[<=3]");
  EXPECT_EQ(tandem::kind_name(at("shapes.bools")), "bool[3]");
  EXPECT_EQ(tandem::kind_name(at("shapes.bools[1]")), "bool");
  EXPECT_EQ(tandem::kind_name(at("numbers.a_byte")), "byte");
}

TEST_F(Introspection, SaysWhichPartOfAPathThereIsNot) {
  EXPECT_EQ(refusal("numbers.nope").substr(0, 56), "kinds/msg/Numbers has no field 'nope'; its fields are: a");
  EXPECT_EQ(refusal("numbers.i64.x"), "'numbers.i64' is of type int64 and has no field 'x'");
  EXPECT_EQ(refusal("numbers[0]"), "'numbers' is of type kinds/msg/Numbers, not an array");
  EXPECT_EQ(refusal("shapes.data[3]"), "'shapes.data' has 3 elements, none at 3");
  EXPECT_EQ(refusal("shapes.data[x]"), "'x' is no index of 'shapes.data'");
  EXPECT_EQ(refusal("shapes.data[-1]"), "'-1' is no index of 'shapes.data'");
  EXPECT_EQ(refusal("shapes.data[1"), "'shapes.data[1' has a '[' without ']'");
  EXPECT_EQ(refusal("shapes.data.x"), "'shapes.data' is of type uint8[] and has no field 'x'");
  for (const char * const path : {".", "numbers.", "numbers..i64", "[0]", "shapes.data[]", "shapes.data[1]x[", " "}) {
    EXPECT_NE(refusal(path), "") << path;
  }
}

TEST_F(Introspection, TakesFloatsOutOfRangeForZero) {
  all_.numbers.f64 = 1e300;
  EXPECT_EQ(tandem::as_int64(at("numbers.f64")), 0);
  all_.numbers.f64 = -3.75;
  EXPECT_EQ(tandem::as_int64(at("numbers.f64")), -3);
  EXPECT_EQ(tandem::as_uint64(at("numbers.f64")), 0u);
}

}  // namespace
