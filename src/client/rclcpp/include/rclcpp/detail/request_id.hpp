// Between rmw's name of a request and the transport's.
#ifndef RCLCPP__DETAIL__REQUEST_ID_HPP_
#define RCLCPP__DETAIL__REQUEST_ID_HPP_

#include <algorithm>

#include "rmw/types.h"
#include "tandem/transport.hpp"

namespace rclcpp::detail {

inline rmw_request_id_t to_rmw(const tandem::transport::RequestId & id) {
  rmw_request_id_t result{};
  std::copy(id.client.begin(), id.client.end(), result.writer_guid);
  result.sequence_number = id.sequence;
  return result;
}

inline tandem::transport::RequestId from_rmw(const rmw_request_id_t & id) {
  tandem::transport::RequestId result;
  std::copy(std::begin(id.writer_guid), std::end(id.writer_guid), result.client.begin());
  result.sequence = id.sequence_number;
  return result;
}

}  // namespace rclcpp::detail

#endif  // RCLCPP__DETAIL__REQUEST_ID_HPP_
