// What the verbs of `ros2 param` have in common.
#pragma once

#include <string>
#include <vector>

#include "graph/parameter_node.hpp"
#include "tandem/introspection.hpp"

namespace ros2cli {

struct ParamOptions {
  SessionOptions session;
  std::string node;
  std::string parameter;
  std::vector<std::string> parameters;
  std::string value;
  std::string file;
  bool hidden_nodes = false;
  double timeout = 1;  ///< seconds that the node has to appear
  // Of single verbs.
  std::string filter;
  std::vector<std::string> prefixes;
  bool show_types = false;
  bool hide_type = false;
  bool no_wildcards = false;
  std::string output_folder;
  bool print = false;
};

/// Declares the session's options, the node, which is `required` or may be left out, and --include-hidden-nodes.
CLI::Option * declare_node(Commands & commands, CLI::App & app, ParamOptions & options);
/// Declares these with --timeout, of verbs that are about one node.
void declare_one_node(Commands & commands, CLI::App & app, ParamOptions & options);
/// Declares the name of one parameter.
void declare_parameter(Commands & commands, CLI::App & app, ParamOptions & options);

/// The nodes that are there, sorted, each once; hidden ones if they are asked for.
std::vector<std::string> present_nodes(const Session & session, const ParamOptions & options);

/// When waiting for services of parameters ends.
Deadline service_deadline();

/// The node that is asked for, once it is there. \throws CommandError when the timeout is over.
ParameterNode find_node(Session & session, const ParamOptions & options);

/// "integer array" and the like.
const char * type_name(std::uint8_t type);

/// One value within a message, by its type. \pre it has a type
tandem::Value held_value(const ParameterNode::Value & value);

}  // namespace ros2cli
