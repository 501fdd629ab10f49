// A message with a buffer alone, and a topic of them.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "endpoints.hpp"
#include "rmw_fixture.hpp"
#include "rosidl_buffer/buffer.hpp"

using Bytes = std::vector<std::uint8_t>;
using Buffer = rosidl::Buffer<std::uint8_t>;

/// It is an Image that has only data to others.
struct Frame {
  Buffer data;
};

inline const tandem_rmw::RosType & frame_type() {
  static const tandem_rmw::RosType & type = *[] {
    const auto * const image = tandem_rmw::find_type(type_support<sensor_msgs::msg::Image>());
    const auto data = std::find_if(image->steps.begin(), image->steps.end(), [](const tandem_rmw::Step & step) {
      return step.kind == tandem_rmw::Step::Kind::kByteSequence;
    });
    auto * const made = new tandem_rmw::RosType;
    made->native = image->native;
    made->name = image->name;
    made->size = sizeof(Frame);
    made->initialize = [](void * memory) { new (memory) Frame; };
    made->finalize = [](void * message) { static_cast<Frame *>(message)->~Frame(); };
    made->has_buffers = true;
    tandem_rmw::Step & step = made->steps.emplace_back(*data);
    step.ros_offset = 0;
    step.is_buffer = true;
    return made;
  }();
  return type;
}

inline Bytes pattern(std::size_t size, std::uint8_t first = 1) {
  Bytes bytes(size);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

class BufferTopics : public Rmw {
 protected:
  using Publisher = tandem_rmw::Publisher;
  struct Destroy {
    void operator()(tandem_rmw::Subscription * subscription) const { destroy(*subscription); }
  };
  using Subscription = std::unique_ptr<tandem_rmw::Subscription, Destroy>;

  /// \param count  subscriptions that the publisher is to have found
  Subscription subscribe(const char * acceptable, const Publisher * publisher, std::size_t count) {
    Subscription made(new tandem_rmw::Subscription(*context_.impl, frame_type(), options_, acceptable));
    EXPECT_TRUE(eventually(
        [&] { return made->native->publisher_count() == 1 && publisher->native->subscription_count() == count; }));
    return made;
  }
  std::unique_ptr<Publisher> advertise() { return std::make_unique<Publisher>(*context_.impl, frame_type(), options_); }

  static void publish(Publisher & publisher, const Frame & frame) {
    ASSERT_EQ(send_converted(
                  *publisher.native, frame_type(), &frame,
                  [&](auto && message) { return publisher.native->publish(std::forward<decltype(message)>(message)); },
                  publisher.buffers.get()),
              tandem_rmw::transport::PublishResult::kOk);
  }
  static bool take(tandem_rmw::Subscription & subscription, Frame & frame, bool in_place = false) {
    tandem_rmw::transport::MessageInfo info;
    return take_converted(*subscription.inbox, frame_type(), &frame, info, in_place, subscription.buffers.get());
  }

  tandem_rmw::transport::TopicOptions options_ = [] {
    tandem_rmw::transport::TopicOptions options;
    options.node = {"node", "/space"};
    options.topic = "/frames";
    options.qos.depth = 4;
    return options;
  }();
};
