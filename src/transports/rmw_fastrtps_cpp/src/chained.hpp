// Transports of ours that lie before Fast DDS's own.
#pragma once

#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/ChainingTransportDescriptor.h>
#include <fastdds/rtps/common/LocatorsIterator.hpp>

#include <memory>

namespace rmw_fastrtps {

/// The addresses of another iterator, each as `map` makes it of the other's when it is asked for.
template <class Map>
class MappedLocators final : public eprosima::fastdds::rtps::LocatorsIterator {
 public:
  MappedLocators(eprosima::fastdds::rtps::LocatorsIterator & from, const Map & map) : from_(from), map_(map) {}
  LocatorsIterator & operator++() override {
    ++from_;
    return *this;
  }
  bool operator==(const LocatorsIterator & other) const override {
    return from_ == static_cast<const MappedLocators &>(other).from_;
  }
  bool operator!=(const LocatorsIterator & other) const override { return !(*this == other); }
  const eprosima::fastdds::rtps::Locator & operator*() const override {
    mapped_ = map_(*from_);
    return mapped_;
  }

 private:
  LocatorsIterator & from_;
  const Map & map_;
  mutable eprosima::fastdds::rtps::Locator mapped_;
};

/// Makes a Transport, which is a ChainingTransport, before the one that `below` describes.
template <class Transport>
std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> chain(
    std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> below) {
  struct Descriptor final : eprosima::fastdds::rtps::ChainingTransportDescriptor {
    using ChainingTransportDescriptor::ChainingTransportDescriptor;
    eprosima::fastdds::rtps::TransportInterface * create_transport() const override { return new Transport(*this); }
  };
  return std::make_shared<Descriptor>(std::move(below));
}

}  // namespace rmw_fastrtps
