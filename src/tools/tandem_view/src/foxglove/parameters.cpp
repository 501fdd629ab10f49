#include "foxglove/parameters.hpp"

#include <fmt/format.h>

#include <utility>

#include "connection/fields.hpp"
#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"

namespace tandem::view {
namespace {

using namespace rcl_interfaces::srv;  // NOLINT: of parameters
using rcl_interfaces::msg::ParameterEvent;
using rcl_interfaces::msg::ParameterValue;

constexpr const char * kEvents = "/parameter_events";
constexpr std::size_t kMostNames = 10000;

struct FullName {
  std::string node;
  std::string parameter;
};

FullName split(const std::string & name) {
  const std::size_t dot = name.find('.');  // names of nodes have none
  if (dot == std::string::npos || dot + 1 == name.size() || !name.starts_with('/')) {
    throw BadRequest(fmt::format("'{}' is no parameter: write its node, a dot and its name, as /camera.rate", name));
  }
  return {name.substr(0, dot), name.substr(dot + 1)};
}

/// `use(response)` or `fail(why)` is called later, once.
template <class Service, class Use, class Fail>
void ask(World & world, const std::string & service, std::unique_ptr<typename Service::Request> request, Use use,
         Fail fail) {
  world.asker.ask(service, service_type<Service>(), erase_type(std::move(request)),
                  [use, fail](const void * response, const std::string & why) {
                    if (response != nullptr) {
                      use(*static_cast<const typename Service::Response *>(response));
                    } else {
                      fail(why);
                    }
                  });
}

}  // namespace

/// Answers of several nodes for one request of the client; it is sent when the last is there.
struct Parameters::Gathering {
  Gathering(std::shared_ptr<Sender> the_sender, std::string the_id)
      : sender(std::move(the_sender)), id(std::move(the_id)) {}
  ~Gathering() {
    Json message = {{"op", "parameterValues"}, {"parameters", std::move(values)}};
    if (!id.empty()) {
      message["id"] = id;
    }
    sender->json(message);
  }
  Gathering(const Gathering &) = delete;
  Gathering & operator=(const Gathering &) = delete;

  void fail(const std::string & why) const { sender->status(Level::kError, why); }

  const std::shared_ptr<Sender> sender;
  const std::string id;
  Json values = Json::array();
};

void Parameters::get(const Json & request) {
  const std::vector<std::string> names = texts_field(request, "parameterNames");
  std::map<std::string, std::vector<std::string>> by_node;
  for (const std::string & each : names) {
    const FullName name = split(each);
    by_node[name.node].push_back(name.parameter);
  }
  const auto gathering = std::make_shared<Gathering>(body_->sender, text_field(request, "id", ""));
  for (auto & [node, own] : by_node) {
    get_of(node, std::move(own), gathering);
  }
  if (names.empty()) {
    get_all(gathering);
  }
}

void Parameters::get_all(const std::shared_ptr<Gathering> & gathering) {
  constexpr std::string_view kService = "/list_parameters";
  for (const auto & [name, service] : body_->world.catalogue.servers()) {
    if (service.servers.empty() || !name.ends_with(kService)) {
      continue;
    }
    const std::string node = name.substr(0, name.size() - kService.size());
    ask<ListParameters>(
        body_->world, node + "/list_parameters", std::make_unique<ListParameters::Request>(),
        [body = body_, node, gathering](const ListParameters::Response & response) {
          std::vector<std::string> names;
          for (const auto & each : response.result.names) names.emplace_back(each);
          names.resize(std::min(names.size(), kMostNames));
          Parameters(body).get_of(node, std::move(names), gathering);
        },
        [gathering](const std::string & why) { gathering->fail(why); });
  }
}

void Parameters::get_of(const std::string & node, std::vector<std::string> names,
                        const std::shared_ptr<Gathering> & gathering) {
  auto request = std::make_unique<GetParameters::Request>();
  request->names.assign(names.begin(), names.end());
  ask<GetParameters>(
      body_->world, node + "/get_parameters", std::move(request),
      [node, names, gathering](const GetParameters::Response & response) {
        for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), response.values.size()); ++i) {
          gathering->values.push_back(parameter_json(node + "." + names[i], response.values[i]));
        }
      },
      [gathering](const std::string & why) { gathering->fail(why); });
}

void Parameters::set(const Json & request) {
  std::map<std::string, std::vector<Change>> by_node;
  for (const Json & each : array_field(request, "parameters")) {
    const FullName name = split(text_field(each, "name"));
    by_node[name.node].push_back({name.parameter, each.value("value", Json()), text_field(each, "type", "")});
  }
  const auto gathering = std::make_shared<Gathering>(body_->sender, text_field(request, "id", ""));
  for (const auto & [node, changes] : by_node) {
    set_of(node, changes, gathering);
  }
}

void Parameters::set_of(const std::string & node, const std::vector<Change> & changes,
                        const std::shared_ptr<Gathering> & gathering) {
  // What they are now tells whether 3 means 3.0.
  std::vector<std::string> names;
  for (const Change & each : changes) names.push_back(each.name);
  auto question = std::make_unique<GetParameters::Request>();
  question->names.assign(names.begin(), names.end());
  const auto fail = [gathering](const std::string & why) { gathering->fail(why); };
  const auto told = [body = body_, node, names, gathering](const SetParameters::Response & response) {
    for (std::size_t i = 0; i < response.results.size(); ++i) {
      if (!response.results[i].successful) {
        gathering->fail(fmt::format("{}.{} was not set: {}", node, i < names.size() ? names[i] : "",
                                    std::string(response.results[i].reason)));
      }
    }
    Parameters(body).get_of(node, names, gathering);
  };
  ask<GetParameters>(
      body_->world, node + "/get_parameters", std::move(question),
      [body = body_, node, changes, gathering, told, fail](const GetParameters::Response & present) {
        auto request = std::make_unique<SetParameters::Request>();
        request->parameters.resize(changes.size());
        try {
          for (std::size_t i = 0; i < changes.size(); ++i) {
            request->parameters[i].name = changes[i].name;
            request->parameters[i].value = parameter_of(
                changes[i].value, changes[i].type, i < present.values.size() ? present.values[i] : ParameterValue());
          }
        } catch (const BadRequest & error) {
          fail(error.what());
          return;
        }
        ask<SetParameters>(body->world, node + "/set_parameters", std::move(request), told, fail);
      },
      fail);
}

void Parameters::subscribe(const Json & request) {
  const std::vector<std::string> names = texts_field(request, "parameterNames");
  body_->wants_all = body_->wants_all || names.empty();
  if (body_->wanted.size() + names.size() > kMostNames) {
    throw BadRequest(fmt::format("one client may subscribe to {} parameters at most", kMostNames));
  }
  body_->wanted.insert(names.begin(), names.end());
  look_for_events();
}

void Parameters::unsubscribe(const Json & request) {
  const std::vector<std::string> names = texts_field(request, "parameterNames");
  for (const std::string & name : names) {
    body_->wanted.erase(name);
  }
  if (names.empty()) {
    body_->wanted.clear();
    body_->wants_all = false;
  }
  if (body_->wanted.empty() && !body_->wants_all) {
    body_->events.reset();
  }
}

void Parameters::look_for_events() {
  if (body_->events) {
    return;
  }
  Channel channel;
  channel.topic = kEvents;
  channel.type = &message_type<ParameterEvent>();
  channel.type_name = channel.type->name;
  body_->events = body_->world.readers.look(channel, [weak = std::weak_ptr(body_)](Delivery & delivery) {
    const auto body = weak.lock();
    if (!body) {
      return;
    }
    const auto & event = *static_cast<const ParameterEvent *>(delivery.message());
    Json values = Json::array();
    for (const auto * list : {&event.new_parameters, &event.changed_parameters, &event.deleted_parameters}) {
      for (const auto & each : *list) {
        const std::string name = std::string(event.node) + "." + std::string(each.name);
        if (body->wants_all || body->wanted.count(name) != 0) {
          values.push_back(parameter_json(name, list == &event.deleted_parameters ? ParameterValue() : each.value));
        }
      }
    }
    if (!values.empty()) {
      body->sender->json({{"op", "parameterValues"}, {"parameters", std::move(values)}});
    }
  });
}

}  // namespace tandem::view
