// Writers and readers of DynamicData that deal in CDR.
#pragma once

#include <dds/dds.hpp>
#include <functional>
#include <memory>

#include "tandem/cdr_bus/bus.hpp"
#include "tandem/cdr_bus/deaf_readers.hpp"

namespace connext {

/// What endpoints keep of their participant.
struct Entities {
  explicit Entities(dds::domain::DomainParticipant of) : participant(of), publisher(of), subscriber(of) {}
  ~Entities() { participant.close(); }
  Entities(const Entities &) = delete;
  Entities & operator=(const Entities &) = delete;

  tandem::cdr_bus::DeafReaders deaf_readers;
  dds::domain::DomainParticipant participant;
  dds::pub::Publisher publisher;
  dds::sub::Subscriber subscriber;
};

tandem::cdr_bus::Gid gid_of(const dds::core::InstanceHandle & handle);

std::unique_ptr<tandem::cdr_bus::Writer> make_writer(std::shared_ptr<Entities> entities,
                                                     const tandem::cdr_bus::Request & request);
std::unique_ptr<tandem::cdr_bus::Reader> make_reader(std::shared_ptr<Entities> entities,
                                                     const tandem::cdr_bus::Request & request,
                                                     std::function<void()> on_data);

}  // namespace connext
