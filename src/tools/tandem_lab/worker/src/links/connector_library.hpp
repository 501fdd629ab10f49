// The functions of RTI's Connector and of RTI Connext that a link needs, from the library that the user has installed. Nothing of
// RTI is needed to build this: the signatures are those that Connector's Python package calls.
#pragma once

#include <cstddef>
#include <string>

namespace lab {

/// What the functions below return.
enum ConnectorResult : int { kConnectorOk = 0, kConnectorTimeout = 10, kConnectorNoData = 11 };

/// As RTI_Connector_new() takes it.
struct ConnectorOptions {
  int enable_on_data_event = 1;
  int one_based_sequence_indexing = 0;
};

/// Loaded once, never unloaded. A Connector is used by one thread at a time, but for the waits. Times in ms; names are
/// those of the configuration, "Publisher::Writer". Indices of samples count from 1.
struct ConnectorLibrary {
  /// \throws std::runtime_error when it cannot be loaded, with what to do.
  explicit ConnectorLibrary(const std::string & path);

  void * (*create)(const char * participant, const char * url, const ConnectorOptions *);
  void (*destroy)(void * connector);
  void * (*get_writer)(void * connector, const char * name);
  void * (*get_reader)(void * connector, const char * name);
  int (*get_instance)(void * connector, const char * writer, void ** dynamic_data);
  int (*write)(void * connector, const char * writer, const char * options);
  int (*wait_for_acknowledgments)(void * writer, int timeout);
  int (*take)(void * connector, const char * reader);
  int (*return_loan)(void * connector, const char * reader);
  int (*get_sample_count)(void * connector, const char * reader, double * count);
  void * (*get_sample)(void * connector, const char * reader, int index);
  int (*wait_for_data)(void * reader, int timeout);
  /// JSON, to be freed with free_string().
  int (*get_matched_subscriptions)(void * writer, char ** names);
  int (*get_matched_publications)(void * reader, char ** names);
  char * (*get_last_error)();
  void (*free_string)(char * text);

  /// Of RTI Connext's dynamic data: the bytes of a member.
  int (*set_octets)(void * dynamic_data, const char * member, int id, unsigned int length, const std::byte * from);
  int (*get_octets)(const void * dynamic_data, std::byte * to, unsigned int * length, const char * member, int id);

  /// What went wrong last in this thread, as one line.
  std::string last_error() const;
};

}  // namespace lab
