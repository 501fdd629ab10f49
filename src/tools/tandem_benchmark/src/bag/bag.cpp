// bag: recording and playing. The first process of the other side hosts the recorder or the player, the second one is a
// subscriber where one is wanted.
#include "plan/bag.hpp"

namespace bench {
namespace {

class Bystander : public Contestant {
 public:
  Samples ping(const Burst &) override { return {}; }
};

}  // namespace

std::unique_ptr<Contestant> make_bag(const std::string & name, const Role & role) {
  if (name.rfind("bag.publish.", 0) == 0) {
    return make_bag_publish(name, role);
  }
  if (!role.ping && role.index != kBagHost) {
    return std::make_unique<Bystander>();
  }
  return name == "bag.pace" ? make_bag_pace(role) : make_bag_write(name, role);
}

}  // namespace bench
