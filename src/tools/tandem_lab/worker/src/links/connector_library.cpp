// See connector_library.hpp.
#include "links/connector_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace lab {

ConnectorLibrary::ConnectorLibrary(const std::string & path) {
  void * const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw std::runtime_error(
        fmt::format("RTI's Connector cannot be loaded: {}; 'make connext' installs it", dlerror()));
  const auto load = [&](auto & function, const char * name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (function == nullptr)
      throw std::runtime_error(
          fmt::format("{}: there is no {} in it; 'make connext' installs the right one", path, name));
  };
  load(create, "RTI_Connector_new");
  load(destroy, "RTI_Connector_delete");
  load(get_writer, "RTI_Connector_get_datawriter");
  load(get_reader, "RTI_Connector_get_datareader");
  load(get_instance, "RTI_Connector_get_native_instance");
  load(write, "RTI_Connector_write");
  load(wait_for_acknowledgments, "RTI_Connector_wait_for_acknowledgments");
  load(take, "RTI_Connector_take");
  load(return_loan, "RTI_Connector_return_loan");
  load(get_sample_count, "RTI_Connector_get_sample_count");
  load(get_sample, "RTI_Connector_get_native_sample");
  load(wait_for_data, "RTI_Connector_wait_for_data_on_reader");
  load(get_matched_subscriptions, "RTI_Connector_get_matched_subscriptions");
  load(get_matched_publications, "RTI_Connector_get_matched_publications");
  load(get_last_error, "RTI_Connector_get_last_error_message");
  load(free_string, "RTI_Connector_free_string");
  load(set_octets, "DDS_DynamicData_set_octet_array");
  load(get_octets, "DDS_DynamicData_get_octet_array");
}

std::string ConnectorLibrary::last_error() const {
  char * const said = get_last_error();
  std::string text = said != nullptr ? said : "no reason given";
  if (said != nullptr) free_string(said);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace lab
