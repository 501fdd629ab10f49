#include "type_description.hpp"

#include <list>
#include <mutex>
#include <set>

#include "tandem/dds/names.hpp"
#include "tandem/transport.hpp"

namespace opensplice {
namespace {

using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;

const char * primitive(const Field & field) {
  switch (field.kind) {
    case FieldKind::kBool: return "<Boolean/>";
    case FieldKind::kOctet:
    case FieldKind::kChar:
    case FieldKind::kInt8:
    case FieldKind::kUint8: return "<Octet/>";
    case FieldKind::kInt16: return "<Short/>";
    case FieldKind::kUint16: return "<UShort/>";
    case FieldKind::kInt32: return "<Long/>";
    case FieldKind::kUint32: return "<ULong/>";
    case FieldKind::kInt64: return "<LongLong/>";
    case FieldKind::kUint64: return "<ULongLong/>";
    case FieldKind::kFloat32: return "<Float/>";
    case FieldKind::kFloat64: return "<Double/>";
    default: return nullptr;
  }
}

std::string element(const Field & field) {
  if (const char * known = primitive(field); known != nullptr) {
    return known;
  }
  if (field.kind == FieldKind::kString) {
    return field.string_bound == tandem::kUnbounded ? "<String/>"
                                                    : "<String length=\"" + std::to_string(field.string_bound) + "\"/>";
  }
  if (field.kind == FieldKind::kMessage) {
    return "<Type name=\"::" + tandem::dds::to_dds_type(field.message().name) + "\"/>";
  }
  throw tandem::transport::Error("rmw_opensplice_cpp: the field '" + std::string(field.name) +
                                 "' is of wide characters or long double, which OpenSplice does not have");
}

std::string member(const Field & field) {
  std::string type = element(field);
  if (field.shape == FieldShape::kArray) {
    type = "<Array size=\"" + std::to_string(field.count) + "\">" + type + "</Array>";
  } else if (field.shape == FieldShape::kSequence) {
    const std::string bound = field.count == tandem::kUnbounded ? "" : " size=\"" + std::to_string(field.count) + "\"";
    type = "<Sequence" + bound + ">" + type + "</Sequence>";
  }
  return "<Member name=\"" + std::string(field.name) + "_\">" + type + "</Member>";
}

/// "a::b::C" around the members: <Module name="a"><Module name="b"><Struct name="C">...
std::string in_modules(const std::string & name, const std::string & members) {
  const std::size_t end = name.find("::");
  if (end == std::string::npos) {
    return "<Struct name=\"" + name + "\">" + members + "</Struct>";
  }
  return "<Module name=\"" + name.substr(0, end) + "\">" + in_modules(name.substr(end + 2), members) + "</Module>";
}

/// What it consists of comes first, each once.
void describe(const std::string & name, const tandem::MessageType & shape, std::set<std::string> & done,
              std::string & text) {
  if (!done.insert(name).second) {
    return;
  }
  std::string members;
  for (std::size_t i = 0; i < shape.field_count; ++i) {
    const Field & field = shape.fields[i];
    if (field.kind == FieldKind::kMessage) {
      describe(tandem::dds::to_dds_type(field.message().name), field.message(), done, text);
    }
    members += member(field);
  }
  if (shape.field_count == 0) {
    members = "<Member name=\"structure_needs_at_least_one_member_\"><Octet/></Member>";
  }
  text += in_modules(name, members);
}

}  // namespace

std::string type_description(const std::string & name, const tandem::MessageType & shape) {
  std::string text;
  std::set<std::string> done;
  describe(name, shape, done, text);
  return "<MetaData version=\"1.0.0\">" + text + "</MetaData>";
}

const Type & type_of(const std::string & name, const tandem::MessageType & shape) {
  static std::mutex mutex;
  static std::list<Type> & known = *new std::list<Type>;  // OpenSplice's threads may outlive static objects
  std::string description = type_description(name, shape);
  const std::lock_guard<std::mutex> lock(mutex);
  for (const Type & type : known) {
    if (type.name == name && type.description == description) {
      return type;
    }
  }
  return known.emplace_back(Type{name, std::move(description)});
}

}  // namespace opensplice
