// The fields of a service's messages on the wire, for systems that must know them.
#pragma once

#include <string>
#include <vector>

#include "tandem/kit/request_header.hpp"
#include "tandem/service.hpp"

namespace tandem::cdr_bus {

/// Of a message on a topic: its own. On a channel: RequestHeader::kWhole as fields, then its own.
class ChannelShape {
 public:
  ChannelShape(const std::string & topic, const MessageType & message) : shape_(message) {
    if (transport::channel_of(topic) == transport::Channel::kTopic) {
      return;
    }
    fields_ = {number("client", FieldKind::kOctet, FieldShape::kArray, sizeof(transport::Gid)),
               number("sequence", FieldKind::kInt64, FieldShape::kSingle, 1)};
    fields_.insert(fields_.end(), message.fields, message.fields + message.field_count);
    if (message.field_count == 0) {
      fields_.push_back(number("structure_needs_at_least_one_member", FieldKind::kUint8, FieldShape::kSingle, 1));
    }
    shape_.fields = fields_.data();
    shape_.field_count = fields_.size();
  }
  ChannelShape(const ChannelShape &) = delete;
  ChannelShape & operator=(const ChannelShape &) = delete;

  const MessageType & get() const { return shape_; }

 private:
  static Field number(const char * name, FieldKind kind, FieldShape shape, std::size_t count) {
    return {name, kind, shape, 0, count, kUnbounded, nullptr, nullptr};
  }

  std::vector<Field> fields_;
  MessageType shape_;
};

}  // namespace tandem::cdr_bus
