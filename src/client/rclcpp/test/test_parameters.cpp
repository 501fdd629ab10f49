// Parameters: values, rules of files and the command line, and those of nodes.
#include "support.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <sstream>

#include "rclcpp/parameter_map.hpp"

using rclcpp::Parameter;
using rclcpp::ParameterValue;
using Strings = std::vector<std::string>;
using Integers = std::vector<std::int64_t>;

namespace {

/// A file that lives as long as this object.
class File {
 public:
  explicit File(const std::string & text) {
    std::string pattern = testing::TempDir() + "/parameters_XXXXXX";
    const int descriptor = mkstemp(pattern.data());
    EXPECT_GE(descriptor, 0);
    close(descriptor);
    path_ = pattern;
    std::ofstream(path_) << text;
  }
  ~File() { std::remove(path_.c_str()); }
  const std::string & path() const { return path_; }

 private:
  std::string path_;
};

/// The parameters that a file gives to "/ns/node".
std::map<std::string, ParameterValue> of_node(const std::string & text, const char * node = "/ns/node") {
  const File file(text);
  const auto map = rclcpp::parameter_map_from_yaml_file(file.path(), node);
  std::map<std::string, ParameterValue> values;
  for (const auto & parameter : rclcpp::parameters_from_map(map, node)) {
    values[parameter.get_name()] = parameter.get_parameter_value();
  }
  return values;
}

/// What is said about a bad file, without its name; the name must be in it.
std::string refusal(const std::string & text) {
  const File file(text);
  try {
    rclcpp::parameter_map_from_yaml_file(file.path());
  } catch (const rclcpp::exceptions::RCLError & error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find(file.path() + ":"), 0u) << what;
    return what.substr(file.path().size());
  }
  return "nothing was thrown";
}

rclcpp::NodeOptions with_arguments(Strings arguments) {
  arguments.insert(arguments.begin(), "--ros-args");
  return rclcpp::NodeOptions().arguments(arguments);
}

}  // namespace

TEST(ParameterValue, HoldsEveryType) {
  EXPECT_EQ(ParameterValue().get_type(), rclcpp::PARAMETER_NOT_SET);
  EXPECT_EQ(ParameterValue(true).get<bool>(), true);
  EXPECT_EQ(ParameterValue(7).get<int>(), 7);
  EXPECT_EQ(ParameterValue(1.5f).get<double>(), 1.5);
  EXPECT_EQ(ParameterValue("text").get<std::string>(), "text");
  EXPECT_EQ(ParameterValue(std::vector<std::uint8_t>{1, 2}).get_type(), rclcpp::ParameterType::PARAMETER_BYTE_ARRAY);
  EXPECT_EQ(ParameterValue(std::vector<bool>{true}).get<std::vector<bool>>().size(), 1u);
  EXPECT_EQ(ParameterValue(std::vector<int>{1, 2}).get<std::vector<int>>(), (Integers{1, 2}));
  EXPECT_EQ(ParameterValue(std::vector<float>{0.5f}).get<std::vector<double>>(), std::vector<double>{0.5});
  EXPECT_EQ(ParameterValue(Strings{"a"}).get<Strings>(), Strings{"a"});
  EXPECT_THROW(ParameterValue(1).get<double>(), rclcpp::ParameterTypeException);
  EXPECT_NE(ParameterValue(1), ParameterValue(1.0));
  EXPECT_EQ(to_string(ParameterValue(1.5)), "1.500000");
  EXPECT_EQ(to_string(ParameterValue(std::vector<std::uint8_t>{255, 1})), "[0xff, 0x1]");
  EXPECT_EQ(to_string(ParameterValue(std::vector<bool>{true, false})), "[true, false]");
  EXPECT_EQ(to_string(rclcpp::PARAMETER_DOUBLE_ARRAY), "double_array");
}

TEST(ParameterValue, SurvivesBeingAMessage) {
  for (const auto & value :
       {ParameterValue(), ParameterValue(true), ParameterValue(std::numeric_limits<std::int64_t>::min()),
        ParameterValue(-0.5), ParameterValue("text"), ParameterValue(std::vector<std::uint8_t>{0, 255}),
        ParameterValue(std::vector<bool>{true, false}), ParameterValue(Integers{-1, 1}),
        ParameterValue(std::vector<double>{1e300}), ParameterValue(Strings{"", "b"})}) {
    const auto message = value.to_value_msg();
    EXPECT_EQ(message.type, value.get_type());
    EXPECT_EQ(ParameterValue(message), value) << to_string(value);
    EXPECT_EQ(Parameter::from_parameter_msg(Parameter("p", value).to_parameter_msg()), Parameter("p", value));
  }
  rcl_interfaces::msg::ParameterValue bad;
  bad.type = 10;
  EXPECT_THROW(ParameterValue{bad}, rclcpp::exceptions::UnknownTypeError);
}

TEST(Parameter, HasAccessorsAndText) {
  const Parameter parameter("p", 5);
  EXPECT_EQ(parameter.as_int(), 5);
  EXPECT_EQ(parameter.get_value<int>(), 5);
  EXPECT_EQ(parameter.get_value<rclcpp::PARAMETER_INTEGER>(), 5);
  EXPECT_EQ(parameter.get_value<ParameterValue>(), ParameterValue(5));
  EXPECT_EQ(parameter.get_value<Parameter>(), parameter);
  EXPECT_THROW(parameter.as_string(), rclcpp::ParameterTypeException);
  EXPECT_THROW(parameter.get_value<bool>(), rclcpp::exceptions::InvalidParameterTypeException);
  std::ostringstream text;
  text << parameter << std::vector<Parameter>{parameter, Parameter("q", "x")};
  EXPECT_EQ(text.str(), R"({"name": "p", "type": "integer", "value": "5"})"
                        R"({"p": {"type": "integer", "value": "5"}, "q": {"type": "string", "value": "x"}})");
}

TEST(ParameterFile, GivesScalarsTheTypesOfRos) {
  const std::map<std::string, ParameterValue> expected{
      {"true", ParameterValue(true)},
      {"yes", ParameterValue(true)},
      {"Off", ParameterValue(false)},
      {"n", ParameterValue(false)},
      {"12", ParameterValue(12)},
      {"-0x1F", ParameterValue(-31)},
      {"+3", ParameterValue(3)},
      {"010", ParameterValue(8)},
      {"1.0", ParameterValue(1.0)},
      {"-2.5e3", ParameterValue(-2500.0)},
      {"+.5", ParameterValue(0.5)},
      {"99999999999999999999", ParameterValue(1e20)},
      {".inf", ParameterValue(HUGE_VAL)},
      {"-.INF", ParameterValue(-HUGE_VAL)},
      {"text", ParameterValue("text")},
      {"'12'", ParameterValue("12")},
      {"\"true\"", ParameterValue("true")},
      {"!!str 1.5", ParameterValue("1.5")},
      {"''", ParameterValue("")},
      {"1e999", ParameterValue("1e999")},
      {"--1", ParameterValue("--1")},
      {"/a/topic", ParameterValue("/a/topic")},
      {"[1, 2]", ParameterValue(Integers{1, 2})},
      {"[1.0, .inf]", ParameterValue(std::vector<double>{1.0, HUGE_VAL})},
      {"[true, no]", ParameterValue(std::vector<bool>{true, false})},
      {"[a, 'b', \"1\"]", ParameterValue(Strings{"a", "b", "1"})},
  };
  for (const auto & [text, value] : expected) {
    EXPECT_EQ(of_node("node:\n  ros__parameters:\n    p: " + text + "\n", "/node")["p"], value) << text;
  }
  EXPECT_TRUE(std::isnan(of_node("node: {ros__parameters: {p: .nan}}", "/node")["p"].get<double>()));
}

TEST(ParameterFile, JoinsNamesAndMatchesNodes) {
  const auto values = of_node(R"(
/**: {ros__parameters: {everywhere: 1, same: 1}}
/*/node: {ros__parameters: {one_token: 1}}
/*: {ros__parameters: {root_only: 1}}
ns:
  node:
    ros__parameters: {nested: 1, same: 2, a.b: 3, a: {c: {d: 4}}}
  other: {ros__parameters: {other: 1}}
/ns/node: {ros__parameters: {full: 1}}
node: {ros__parameters: {in_the_root: 1}}
/**/node: {ros__parameters: {any_namespace: 1}}
/ns/**: {ros__parameters: {below: 1}}
/ns/empty: {ros__parameters: }
)");
  Strings names;
  for (const auto & [name, value] : values) names.push_back(name);
  EXPECT_EQ(names,
            (Strings{"a.b", "a.c.d", "any_namespace", "below", "everywhere", "full", "nested", "one_token", "same"}));
  EXPECT_EQ(values.at("same"), ParameterValue(2));
  EXPECT_EQ(values.at("a.c.d"), ParameterValue(4));
  EXPECT_TRUE(of_node("").empty());
  // Patterns that could make a matcher try everything.
  std::string stars, deep;
  for (int i = 0; i < 40; ++i) stars += "/**/a", deep += "/a";
  EXPECT_TRUE(of_node(stars + "/b: {ros__parameters: {p: 1}}", (deep + deep).c_str()).empty());
  EXPECT_FALSE(of_node(stars + ": {ros__parameters: {p: 1}}", (deep + deep).c_str()).empty());
}

TEST(ParameterFile, ThatIsBadIsNamedWithLineAndReason) {
  const std::map<std::string, std::string> expected{
      {"a: 1", ":1: there is no ros__parameters"},
      {"- a", ":1: there is no ros__parameters"},
      {"ros__parameters:\n  a: 1", ":1: there is no name of a node"},
      {"node:\n  ros__parameters:\n    a: [1, 2.5]", ":3: the elements of an array must be of one type"},
      {"node:\n  ros__parameters:\n    a: [[1]]", ":3: an array has elements that are no scalars"},
      {"node:\n  ros__parameters:\n    a: []", ":3: an empty array has no type"},
      {"node:\n  ros__parameters:\n    a:", ":3: parameter 'a' has no value"},
      {"node:\n  ros__parameters: 5", ":2: parameters must be a mapping"},
      {"node:\n  ros__parameters:\n    [a]: 5", ":3: a key is missing"},
      {"node:\n  ros__parameters:\n    a: &x 1\n    b: *x", ":4: aliases are not supported"},
      {"a: &a\n  b: *a", ":2: aliases are not supported"},
      {"no de:\n  ros__parameters: {a: 1}", ":2: 'no de' is no name of a node"},
      {"/ns/n*:\n  ros__parameters: {a: 1}", ":2: '/ns/n*' is no name of a node"},
      {"a//b:\n  ros__parameters: {a: 1}", ":2: 'a//b' is no name of a node"},
      {"node:\n  ros__parameters: {a: 1", ":"},
      {std::string(5000, '['), ":1: "},
      {"node:\n\tros__parameters:", ":"},
      {",**:\n  a: 1", ":1: "},
      {"---\n/**: {ros__parameters: {a: 1}}\n---\n/**: {ros__parameters: {a: 2}}", ":3: there must be one document"},
  };
  for (const auto & [text, reason] : expected) {
    const std::string what = refusal(text);
    EXPECT_EQ(what.find(reason), 0u) << text.substr(0, 80) << "\ngives " << what;
  }
  EXPECT_THROW(rclcpp::parameter_map_from_yaml_file("/does/not/exist"), rclcpp::exceptions::RCLError);
  EXPECT_THROW(rclcpp::parameter_map_from_yaml_file("/"), rclcpp::exceptions::RCLError);
  EXPECT_THROW(rclcpp::parameter_map_from_yaml_file("/dev/zero"), rclcpp::exceptions::RCLError);
}

TEST(ParameterFile, OfRubbishIsRefusedOrRead) {
  std::mt19937 random(1);
  const std::string good = "/**:\n  ros__parameters:\n    a: [1, 2]\n    b: {c: 'x', d: !!str 1}\n    e: -1.5\n";
  const std::string characters = " \n\t:-[]{}'\"!&*#%@`|>?,.0aZ/\\\x80\xff";
  for (int i = 0; i < 500; ++i) {
    std::string text = good;
    for (int changes = static_cast<int>(random() % 6); changes >= 0; --changes) {
      text[random() % text.size()] = characters[random() % characters.size()];
    }
    const File file(text);
    try {
      rclcpp::parameter_map_from_yaml_file(file.path());
    } catch (const rclcpp::exceptions::RCLError &) {
    }
  }
}

TEST(ParameterArguments, ThatAreBadAreNamed) {
  for (const std::string bad :
       {"x", ":=1", "a:=", "n:a:=[1, b]", ":a:=1", "n::=1", "a:={b: 1}", "a:=[", "a:=*x", "n o:a:=1"}) {
    const char * arguments[] = {"p", "--ros-args", "-p", bad.c_str()};
    try {
      rclcpp::remove_ros_arguments(4, arguments);
      FAIL() << bad;
    } catch (const rclcpp::exceptions::RCLInvalidROSArgsError & error) {
      EXPECT_NE(std::string(error.what()).find("-p " + bad + "': "), std::string::npos) << error.what();
    }
  }
  const char * missing[] = {"p", "--ros-args", "--params-file", "/does/not/exist.yaml"};
  try {
    rclcpp::remove_ros_arguments(4, missing);
    FAIL();
  } catch (const rclcpp::exceptions::RCLInvalidROSArgsError & error) {
    EXPECT_NE(std::string(error.what()).find("/does/not/exist.yaml: the file cannot be read: No such file"),
              std::string::npos)
        << error.what();
  }
}

namespace {

class Parameters : public test::Rclcpp {
 protected:
  std::shared_ptr<rclcpp::Node> make_node(const rclcpp::NodeOptions & options = rclcpp::NodeOptions()) {
    return std::make_shared<rclcpp::Node>("node", "/ns", options);
  }
};

rcl_interfaces::msg::SetParametersResult result_of(bool successful, const std::string & reason = "") {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = successful;
  result.reason = reason;
  return result;
}

}  // namespace

TEST_F(Parameters, AreDeclaredInEveryForm) {
  const auto node = make_node(with_arguments({"-p", "given:=5", "-p", "text:=hello"}));
  EXPECT_EQ(node->declare_parameter("int", 3), 3);
  EXPECT_EQ(node->declare_parameter<double>("double", 2), 2.0);
  EXPECT_EQ(node->declare_parameter("string", "text"), "text");
  EXPECT_EQ(node->declare_parameter("strings", Strings{"a"}), Strings{"a"});
  EXPECT_EQ(node->declare_parameter("value", ParameterValue(true)).get<bool>(), true);
  EXPECT_EQ(node->declare_parameter<int>("given"), 5);
  EXPECT_EQ(node->declare_parameter("text", rclcpp::PARAMETER_STRING).get<std::string>(), "hello");
  EXPECT_EQ(node->declare_parameter("without", rclcpp::PARAMETER_DOUBLE).get_type(), rclcpp::PARAMETER_NOT_SET);
  EXPECT_EQ((node->declare_parameters<int>("group", {{"a", 1}, {"b", 2}})), (std::vector<int>{1, 2}));
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = "described";
  EXPECT_EQ((node->declare_parameters<bool>("", {{"flag", {true, descriptor}}})), std::vector<bool>{true});
  EXPECT_EQ(node->describe_parameter("flag").description, "described");
  EXPECT_FALSE(node->get_parameter("use_sim_time").as_bool());

  namespace exceptions = rclcpp::exceptions;
  EXPECT_THROW(node->declare_parameter("int", 4), exceptions::ParameterAlreadyDeclaredException);
  EXPECT_THROW(node->declare_parameter("", 4), exceptions::InvalidParametersException);
  EXPECT_THROW(node->declare_parameter("nothing", ParameterValue()), exceptions::InvalidParameterTypeException);
  EXPECT_THROW(node->declare_parameter("nothing", rclcpp::PARAMETER_NOT_SET), std::invalid_argument);
  EXPECT_THROW(node->declare_parameter<int>("no_override"), exceptions::UninitializedStaticallyTypedParameterException);
  EXPECT_THROW(node->get_parameter("without"), exceptions::ParameterUninitializedException);
  EXPECT_THROW(node->get_parameter("unknown"), exceptions::ParameterNotDeclaredException);
}

TEST_F(Parameters, AreGotInEveryForm) {
  const auto node = make_node();
  node->declare_parameter("a.x", 1);
  node->declare_parameter("a.b.y", 2);
  node->declare_parameter("z", "text");
  int number = 0;
  std::string text;
  Parameter parameter;
  EXPECT_TRUE(node->get_parameter("a.x", number));
  EXPECT_EQ(number, 1);
  EXPECT_TRUE(node->get_parameter("z", text));
  EXPECT_TRUE(node->get_parameter("z", parameter));
  EXPECT_EQ(parameter, Parameter("z", "text"));
  EXPECT_FALSE(node->get_parameter("unknown", number));
  EXPECT_THROW(node->get_parameter("z", number), rclcpp::exceptions::InvalidParameterTypeException);
  EXPECT_EQ(node->get_parameter_or("unknown", 7), 7);
  EXPECT_FALSE(node->get_parameter_or("unknown", text, std::string("other")));
  EXPECT_EQ(text, "other");
  std::map<std::string, int> group;
  EXPECT_TRUE(node->get_parameters("a", group));
  EXPECT_EQ(group, (std::map<std::string, int>{{"x", 1}, {"b.y", 2}}));
  EXPECT_FALSE(node->get_parameters("nothing", group));
  EXPECT_EQ(node->get_parameters({"z", "a.x"})[1].as_int(), 1);
  EXPECT_EQ(node->get_parameter_types({"z"}), std::vector<std::uint8_t>{rclcpp::PARAMETER_STRING});
  const auto listed = [&](const Strings & prefixes, std::uint64_t depth) {
    return Strings(node->list_parameters(prefixes, depth).names);
  };
  EXPECT_EQ(listed({}, 0), (Strings{"a.b.y", "a.x", "start_type_description_service", "use_sim_time", "z"}));
  EXPECT_EQ(listed({}, 1), (Strings{"start_type_description_service", "use_sim_time", "z"}));
  EXPECT_EQ(listed({"a"}, 1), Strings{"a.x"});
  EXPECT_EQ(listed({"a", "z"}, 0), (Strings{"a.b.y", "a.x", "z"}));
  EXPECT_EQ(Strings(node->list_parameters({}, 0).prefixes), (Strings{"a.b", "a"}));
  EXPECT_TRUE(node->get_node_parameters_interface()->has_parameter("z"));
}

TEST_F(Parameters, AreSetUnlessTypeRangeOrDescriptorForbid) {
  const auto node = make_node();
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.integer_range.resize(1);
  descriptor.integer_range[0].from_value = -10;
  descriptor.integer_range[0].to_value = 11;
  descriptor.integer_range[0].step = 5;
  node->declare_parameter("int", 0, descriptor);
  const auto set = [&](const Parameter & parameter) { return bool{node->set_parameter(parameter).successful}; };
  for (const int good : {-10, -5, 10, 11}) EXPECT_TRUE(set({"int", good})) << good;
  for (const int bad : {-11, 1, 12}) EXPECT_FALSE(set({"int", bad})) << bad;
  EXPECT_FALSE(set({"int", "text"}));
  EXPECT_EQ(node->get_parameter("int").as_int(), 11);
  EXPECT_THROW(node->declare_parameter("bad", 1, descriptor), rclcpp::exceptions::InvalidParameterValueException);

  rcl_interfaces::msg::ParameterDescriptor real;
  real.floating_point_range.resize(1);
  real.floating_point_range[0].from_value = 0.0;
  real.floating_point_range[0].to_value = 1.0;
  real.floating_point_range[0].step = 0.1;
  node->declare_parameter("real", 0.0, real);
  for (const double good : {0.3, 0.7, 1.0}) EXPECT_TRUE(set({"real", good})) << good;
  for (const double bad : {-0.1, 0.35, 1.1, std::nan("")}) EXPECT_FALSE(set({"real", bad})) << bad;

  rcl_interfaces::msg::ParameterDescriptor constant;
  constant.read_only = true;
  node->declare_parameter("constant", 1, constant);
  EXPECT_NE(std::string(node->set_parameter({"constant", 2}).reason).find("read-only"), std::string::npos);
  EXPECT_THROW(node->undeclare_parameter("constant"), rclcpp::exceptions::ParameterImmutableException);
  EXPECT_THROW(node->undeclare_parameter("int"), rclcpp::exceptions::InvalidParameterTypeException);
  EXPECT_THROW(node->undeclare_parameter("unknown"), rclcpp::exceptions::ParameterNotDeclaredException);
  EXPECT_THROW(set({"unknown", 1}), rclcpp::exceptions::ParameterNotDeclaredException);

  EXPECT_FALSE(node->set_parameters_atomically({{"int", 5}, {"real", 5.0}}).successful);
  EXPECT_EQ(node->get_parameter("int").as_int(), 11);
  const auto results = node->set_parameters({{"int", 5}, {"real", 5.0}});
  EXPECT_TRUE(results[0].successful);
  EXPECT_FALSE(results[1].successful);
  EXPECT_EQ(node->get_parameter("int").as_int(), 5);
}

TEST_F(Parameters, TypedDynamicallyChangeTypeAndGo) {
  const auto node = make_node();
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.dynamic_typing = true;
  node->declare_parameter("any", ParameterValue(), descriptor);
  EXPECT_EQ(node->get_parameter("any").get_type(), rclcpp::PARAMETER_NOT_SET);
  EXPECT_TRUE(node->set_parameter({"any", 1}).successful);
  EXPECT_TRUE(node->set_parameter({"any", "text"}).successful);
  EXPECT_EQ(node->describe_parameter("any").type, rclcpp::PARAMETER_STRING);
  EXPECT_TRUE(node->set_parameter(Parameter("any")).successful);
  EXPECT_FALSE(node->has_parameter("any"));
  node->declare_parameter("any", ParameterValue(1), descriptor);
  node->undeclare_parameter("any");
  EXPECT_FALSE(node->has_parameter("any"));
}

TEST_F(Parameters, UndeclaredMayBeAllowed) {
  auto options = with_arguments({"-p", "given:=[1, 2]"});
  const auto node = make_node(options.allow_undeclared_parameters(true));
  EXPECT_EQ(node->get_parameter("unknown").get_type(), rclcpp::PARAMETER_NOT_SET);
  EXPECT_TRUE(node->set_parameter({"unknown", 1}).successful);
  EXPECT_TRUE(node->set_parameter({"unknown", "text"}).successful);
  EXPECT_EQ(node->get_parameter("unknown").as_string(), "text");
  EXPECT_FALSE(node->has_parameter("given"));
  const auto automatic = make_node(options.automatically_declare_parameters_from_overrides(true));
  EXPECT_EQ(automatic->get_parameter("given").as_integer_array(), (Integers{1, 2}));
}

TEST_F(Parameters, ComeFromFilesArgumentsAndOptions) {
  const File first("/**: {ros__parameters: {a: 1, b: 1, c: 1, d: 1, e: 1}}");
  const File second("/ns/node: {ros__parameters: {b: 2, c: 2, d: 2}}\nelse: {ros__parameters: {e: 2}}");
  rclcpp::shutdown();
  const char * global[] = {
      "p",  "--ros-args",    "--params-file", first.path().c_str(),  "-p", "global:=1", "-p", "node:named:=1",
      "-p", "else:other:=1", "--params-file", second.path().c_str(), "-p", "c:=3",      "-p", "d:=3"};
  rclcpp::init(static_cast<int>(std::size(global)), global);
  auto options = with_arguments({"-p", "d:=4", "-p", "e:=4"});
  options.append_parameter_override("e", 5);
  const auto node = make_node(options);
  for (const auto & [name, value] : std::map<std::string, int>{
           {"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}, {"e", 5}, {"global", 1}, {"named", 1}, {"other", 0}}) {
    EXPECT_EQ(node->declare_parameter(name, 0), value) << name;
  }
  EXPECT_EQ(node->get_node_parameters_interface()->get_parameter_overrides().count("other"), 0u);
  const auto alone = make_node(rclcpp::NodeOptions().use_global_arguments(false));
  EXPECT_EQ(alone->declare_parameter("a", 0), 0);
  EXPECT_EQ(make_node()->declare_parameter("a", 0, rcl_interfaces::msg::ParameterDescriptor(), true), 0);
  EXPECT_THROW(make_node()->declare_parameter("a", "text"), rclcpp::exceptions::InvalidParameterTypeException);
}

TEST_F(Parameters, CallbacksChangeRefuseAndWatch) {
  const auto node = make_node();
  node->declare_parameter("a", 1);
  node->declare_parameter("twice_a", 2);
  std::vector<std::string> calls;
  const auto pre = node->add_pre_set_parameters_callback([&](std::vector<Parameter> & parameters) {
    calls.push_back("pre");
    if (parameters[0].get_name() == "a") parameters.emplace_back("twice_a", 2 * parameters[0].as_int());
  });
  const auto first = node->add_on_set_parameters_callback([&](const std::vector<Parameter> & parameters) {
    calls.push_back("on");
    return result_of(parameters[0].as_int() >= 0, "it must not be negative");
  });
  auto on = node->add_on_set_parameters_callback([&](const std::vector<Parameter> &) {
    calls.push_back("on, the last");
    EXPECT_EQ(node->get_parameter("a").as_int(), 1);
    EXPECT_THROW(node->set_parameter({"a", 9}), rclcpp::exceptions::ParameterModifiedInCallbackException);
    return result_of(true);
  });
  const auto post = node->add_post_set_parameters_callback(
      [&](const std::vector<Parameter> & parameters) { calls.push_back("post " + std::to_string(parameters.size())); });
  EXPECT_EQ(node->set_parameter({"a", -1}).reason, "it must not be negative");
  EXPECT_EQ(calls, (Strings{"pre", "on, the last", "on"}));
  calls.clear();
  EXPECT_TRUE(node->set_parameter({"a", 4}).successful);
  EXPECT_EQ(calls, (Strings{"pre", "on, the last", "on", "post 2"}));
  EXPECT_EQ(node->get_parameter("twice_a").as_int(), 8);
  on.reset();
  node->remove_pre_set_parameters_callback(pre.get());
  EXPECT_THROW(node->remove_pre_set_parameters_callback(pre.get()), std::runtime_error);
  calls.clear();
  EXPECT_TRUE(node->set_parameter({"a", 5}).successful);
  EXPECT_EQ(calls, (Strings{"on", "post 1"}));
  EXPECT_THROW(node->declare_parameter("negative", -1), rclcpp::exceptions::InvalidParameterValueException);
}

TEST_F(Parameters, ChangesArePublished) {
  using Event = rcl_interfaces::msg::ParameterEvent;
  const auto node = make_node();
  auto quiet = std::make_shared<rclcpp::Node>("quiet", rclcpp::NodeOptions().start_parameter_event_publisher(false));
  Strings seen;
  bool matched = false;
  const auto subscription =
      quiet->create_subscription<Event>("/parameter_events", rclcpp::ParameterEventsQoS(), [&](const Event & event) {
        const auto add = [&](const char * what, const auto & parameters) {
          for (const auto & p : parameters) {
            if (p.name == "probe") {
              matched = true;
            } else {
              seen.push_back(event.node + what + p.name);
            }
          }
        };
        add(" new ", event.new_parameters);
        add(" changed ", event.changed_parameters);
        add(" deleted ", event.deleted_parameters);
      });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(quiet);
  node->declare_parameter("probe", 0);
  ASSERT_TRUE(test::spin_until(executor, [&] { return node->set_parameter({"probe", 1}), matched; }));
  rcl_interfaces::msg::ParameterDescriptor dynamic;
  dynamic.dynamic_typing = true;
  node->declare_parameter("a", ParameterValue(1), dynamic);
  node->set_parameter({"a", 2});
  node->set_parameter(Parameter("a"));
  quiet->declare_parameter("b", 1);
  ASSERT_TRUE(test::spin_until(executor, [&] { return seen.size() >= 3; }));
  EXPECT_EQ(seen, (Strings{"/ns/node new a", "/ns/node changed a", "/ns/node deleted a"}));
}
