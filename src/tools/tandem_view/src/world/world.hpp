// All that clients share, on the data thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tandem/transport.hpp"
#include "world/asker.hpp"
#include "world/catalogue.hpp"
#include "world/readers.hpp"
#include "world/statistics.hpp"

namespace tandem::view {

struct World {
  World(std::shared_ptr<transport::Context> the_context, transport::NodeName self, std::uint32_t domain,
        bool is_in_shared_memory)
      : context(std::move(the_context)),
        node(std::move(self)),
        is_shared_memory(is_in_shared_memory),
        catalogue(node),
        readers(*context, node, is_in_shared_memory),
        asker(*context, node),
        statistics(domain) {}

  const std::shared_ptr<transport::Context> context;
  const transport::NodeName node;
  const bool is_shared_memory;  ///< else nothing is known of topics that nobody looks at
  Catalogue catalogue;
  Readers readers;
  Asker asker;
  Statistics statistics;
};

}  // namespace tandem::view
