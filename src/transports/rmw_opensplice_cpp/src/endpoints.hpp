// Writers and readers of CDR on OpenSplice's topics.
#pragma once

#include <functional>
#include <memory>

#include "participant.hpp"
#include "tandem/cdr_bus/bus.hpp"

namespace opensplice {

/// \throws Error
std::unique_ptr<tandem::cdr_bus::Writer> make_writer(std::shared_ptr<Participant> participant,
                                                     const tandem::cdr_bus::Request & request);
std::unique_ptr<tandem::cdr_bus::Reader> make_reader(std::shared_ptr<Participant> participant,
                                                     const tandem::cdr_bus::Request & request,
                                                     std::function<void()> on_data);

}  // namespace opensplice
