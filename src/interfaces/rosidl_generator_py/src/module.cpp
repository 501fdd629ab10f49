// The extension behind Python's messages: rosidl_generator_py._messages.
#include <string>

#include "tandem/cdr.hpp"
#include "tandem/owned_message.hpp"
#include "tandem/type_library.hpp"
#include "tandem_py/memory.hpp"
#include "tandem_py/message.hpp"

namespace tandem_py {
namespace {

const tandem::MessageType & find_type(const std::string & name) {
  const auto found = tandem::find_message_type(name);
  if (!found) throw py::import_error(found.error());
  return **found;
}

/// What fields are checked by: (name, kind as .idl files have it, shape, elements or bound or None, bound of strings or None,
/// typecode or '').
py::tuple describe(const tandem::Field & field) {
  static const char * const kinds[] = {"boolean", "octet",  "char",        "wchar",  "int8",   "uint8",
                                       "int16",   "uint16", "int32",       "uint32", "int64",  "uint64",
                                       "float",   "double", "long double", "string", "wstring"};
  static const char * const shapes[] = {"single", "array", "sequence"};
  const auto number = [](std::size_t bound) -> py::object {
    return bound != tandem::kUnbounded ? py::object(py::int_(bound)) : py::object(py::none());
  };
  const char * const kind =
      field.kind == tandem::FieldKind::kMessage ? field.message().name : kinds[static_cast<std::size_t>(field.kind)];
  return py::make_tuple(field.name, kind, shapes[static_cast<std::size_t>(field.shape)], number(field.count),
                        number(field.string_bound), std::string(typecode_of(field) != 0 ? 1 : 0, typecode_of(field)));
}

py::list describe_fields(const std::string & type_name) {
  const tandem::MessageType & type = find_type(type_name);
  py::list fields;
  for (std::size_t i = 0; i < type.field_count; ++i) fields.append(describe(type.fields[i]));
  return fields;
}

py::bytes serialize(py::object message) {
  MessageClass & message_class = class_of(py::type::handle_of(message));
  const tandem::OwnedMessage native = tandem::make_message(*message_class.type);
  write_message(message, message_class, native.get());
  const auto bytes = tandem::serialize(*message_class.type, native.get());
  if (bytes.empty()) throw py::value_error("a message of " + std::string(message_class.type->name) + " is too long");
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

py::object deserialize(py::object bytes, py::type python) {
  MessageClass & message_class = class_of(python);
  const Buffer given(bytes);
  if (!given.has_bytes()) throw py::type_error("bytes that follow each other are wanted");
  std::shared_ptr<void> native = tandem::make_message(*message_class.type);
  const auto read = tandem::deserialize(*message_class.type, given.data(), given.size(), native.get());
  if (!read) throw py::value_error("a serialized " + std::string(message_class.type->name) + ": " + read.error());
  const void * const memory = native.get();
  return make_message(message_class, memory, make_keeper(std::move(native)));
}

}  // namespace
}  // namespace tandem_py

PYBIND11_MODULE(_messages, module) {
  using namespace tandem_py;
  module.doc() = "Messages of ROS 2 in memory, as Python sees them.";
  add_memory_types(module);
  add_types(module);
  module.def("register_class",
             [](py::type python, const std::string & name) { register_class(python, find_type(name)); });
  module.def("describe_fields", describe_fields);
  module.def("serialize", serialize);
  module.def("deserialize", deserialize);
}
