#include "dynamic_type.hpp"

#include "tandem/dds/names.hpp"
#include "tandem/transport.hpp"

namespace connext {

namespace xt = dds::core::xtypes;
using tandem::Field;
using tandem::FieldKind;
using tandem::FieldShape;

namespace {

constexpr std::uint32_t kUnbounded = 0x7fff'ffff;  // what Connext says of a string without a bound

xt::DynamicType element_type(const Field & field) {
  switch (field.kind) {
    case FieldKind::kBool: return xt::primitive_type<bool>();
    case FieldKind::kOctet:
    case FieldKind::kChar:
    case FieldKind::kInt8:
    case FieldKind::kUint8: return xt::primitive_type<std::uint8_t>();
    case FieldKind::kInt16: return xt::primitive_type<std::int16_t>();
    case FieldKind::kUint16: return xt::primitive_type<std::uint16_t>();
    case FieldKind::kInt32: return xt::primitive_type<std::int32_t>();
    case FieldKind::kUint32: return xt::primitive_type<std::uint32_t>();
    case FieldKind::kInt64: return xt::primitive_type<std::int64_t>();
    case FieldKind::kUint64: return xt::primitive_type<std::uint64_t>();
    case FieldKind::kFloat32: return xt::primitive_type<float>();
    case FieldKind::kFloat64: return xt::primitive_type<double>();
    case FieldKind::kString:
      return xt::StringType(field.string_bound == tandem::kUnbounded ? kUnbounded
                                                                     : static_cast<std::uint32_t>(field.string_bound));
    case FieldKind::kMessage: return struct_type(tandem::dds::to_dds_type(field.message().name), field.message());
    default: break;  // of wide characters and long double the CDR of Connext is another one
  }
  throw tandem::transport::Error("rmw_connextdds: the field '" + std::string(field.name) +
                                 "' is of wide characters or long double, which this transport cannot carry");
}

xt::DynamicType field_type(const Field & field) {
  const xt::DynamicType element = element_type(field);
  switch (field.shape) {
    case FieldShape::kArray: return xt::ArrayType(element, static_cast<std::uint32_t>(field.count));
    case FieldShape::kSequence:
      return field.count == tandem::kUnbounded ? xt::SequenceType(element)
                                               : xt::SequenceType(element, static_cast<std::uint32_t>(field.count));
    default: return element;
  }
}

}  // namespace

xt::StructType struct_type(const std::string & name, const tandem::MessageType & shape) {
  xt::StructType type(name);
  type.extensibility_kind(xt::ExtensibilityKind::FINAL);
  if (shape.field_count == 0) {
    type.add_member(xt::Member("structure_needs_at_least_one_member_", xt::primitive_type<std::uint8_t>()));
  }
  for (std::size_t i = 0; i < shape.field_count; ++i) {
    type.add_member(xt::Member(std::string(shape.fields[i].name) + "_", field_type(shape.fields[i])));
  }
  return type;
}

}  // namespace connext
