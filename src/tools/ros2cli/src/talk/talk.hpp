// `ros2 __talk NODE_NAME`: calls services and watches topics for another program, such as a launch, until its standard
// input ends. Not for people: one JSON object a line.
//
//   in   {"watch": "/topic", "type": "std_msgs/msg/String"}
//        {"call": "/service", "type": "std_srvs/srv/Trigger", "id": 1, "request": {}}
//        {"cancel": 1}
//   out  {"topic": "/topic", "message": {"data": "hi"}}
//        {"id": 1, "response": {"success": true, "message": ""}}
//        {"id": 1, "error": "node of /service went away before it replied"}
//        {"error": "what was wrong with a line"}
//
// A request may also be a text, in YAML. A call waits for its service, however long, and then for the response as long as
// the server is there. With "after": "/topic" it also waits until that watched topic has a publisher, so that nothing is
// missed of what follows from the call.
#pragma once

#include <string>
#include <vector>

namespace ros2cli {

/// \return the exit status.
int talk(const std::vector<std::string> & arguments);

}  // namespace ros2cli
