// Parameters of all nodes, for one client. A parameter's name is its node's, a dot, and its own: "/camera.rate".
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "connection/sender.hpp"
#include "rcl_interfaces/msg/parameter_value.hpp"
#include "world/world.hpp"

namespace tandem::view {

class Parameters {
 public:
  Parameters(World & world, std::shared_ptr<Sender> sender)
      : body_(std::make_shared<Body>(Body{world, std::move(sender), {}, false, nullptr})) {}

  /// All \throw BadRequest. What nodes answer comes later.
  void get(const Json & request);
  void set(const Json & request);
  void subscribe(const Json & request);
  void unsubscribe(const Json & request);

 private:
  struct Body {
    World & world;
    std::shared_ptr<Sender> sender;
    std::set<std::string> wanted;  ///< to be told of when they change
    bool wants_all = false;
    Look events;
  };
  explicit Parameters(std::shared_ptr<Body> body) : body_(std::move(body)) {}
  struct Gathering;
  struct Change {
    std::string name;
    Json value;
    std::string type;
  };
  void get_all(const std::shared_ptr<Gathering> & gathering);
  void get_of(const std::string & node, std::vector<std::string> names, const std::shared_ptr<Gathering> & gathering);
  void set_of(const std::string & node, const std::vector<Change> & changes,
              const std::shared_ptr<Gathering> & gathering);
  void look_for_events();

  const std::shared_ptr<Body> body_;  // replies come when this object may be gone
};

/// One value for a client: {"name", "value"} and, where the protocol wants it, {"type"}.
Json parameter_json(const std::string & name, const rcl_interfaces::msg::ParameterValue & value);

/// The other way. Numbers become what `present` is, if that is a number. \throws BadRequest
rcl_interfaces::msg::ParameterValue parameter_of(const Json & value, const std::string & type,
                                                 const rcl_interfaces::msg::ParameterValue & present);

}  // namespace tandem::view
