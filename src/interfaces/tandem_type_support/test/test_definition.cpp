// Definitions as text: of installed types their .msg files, of others what the table tells.
#include "tandem/definition.hpp"

#include <gtest/gtest.h>

#include <string>

#include "all_kinds.hpp"
#include "tandem/type_library.hpp"

namespace {

std::string definition_of(const char * name) {
  const auto type = tandem::find_message_type(name);
  return type ? tandem::definition_of(**type) : type.error();
}

const std::string kLine(80, '=');

TEST(Definition, OfAnInstalledTypeIsItsFile) {
  EXPECT_NE(definition_of("builtin_interfaces/msg/Time").find("# "), std::string::npos) << "comments are kept";
  EXPECT_NE(definition_of("builtin_interfaces/msg/Time").find("int32 sec"), std::string::npos);
}

TEST(Definition, NamesEachTypeWithinOnce) {
  const std::string text = tandem::definition_of(tandem::message_type<kinds::All>());
  std::size_t count = 0;
  for (std::size_t at = text.find(kLine); at != std::string::npos; at = text.find(kLine, at + 1)) {
    ++count;
  }
  EXPECT_EQ(count, 6U) << text;
  EXPECT_NE(text.find(kLine + "\nMSG: kinds/Point\n"), std::string::npos) << text;
}

TEST(Definition, WithoutAFileIsMadeOfTheFields) {
  EXPECT_EQ(tandem::definition_of(tandem::message_type<kinds::Point>()), "float64 x\nfloat64 y\n");
  EXPECT_EQ(tandem::definition_of(tandem::message_type<kinds::Nothing>()), "");
}

}  // namespace
