#include "crate/values.h"

#include <array>
#include <bit>
#include <cmath>

#include "crate/compression.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph::usd {
namespace {

constexpr int kDeepestCrateValue = 16;     // dictionaries in dictionaries
constexpr std::uint64_t kItemBytes = 32;   // what the reader of the text makes of one in a list
constexpr std::uint64_t kPlainArray = 16;  // shorter ones are never compressed

// A type whose values have a fixed size: its word in the text, its components ('h' half, 'l' int64,
// 's' string, 't' token, 'a' asset ...), in rows of a matrix or of one tuple.
struct CrateType {
  const char* name;
  char kind;
  int rows, columns;
};
constexpr int kVectors = 19, kEndOfPlain = 31, kTimeCode = 56;
constexpr std::array<CrateType, kEndOfPlain> kTypes = {{
    {"", 0, 0, 0},           {"bool", 'b', 1, 1},     {"uchar", 'c', 1, 1},
    {"int", 'i', 1, 1},      {"uint", 'u', 1, 1},     {"int64", 'l', 1, 1},
    {"uint64", 'm', 1, 1},   {"half", 'h', 1, 1},     {"float", 'f', 1, 1},
    {"double", 'd', 1, 1},   {"string", 's', 1, 1},   {"token", 't', 1, 1},
    {"asset", 'a', 1, 1},    {"matrix2d", 'd', 2, 2}, {"matrix3d", 'd', 3, 3},
    {"matrix4d", 'd', 4, 4}, {"quatd", 'd', 1, 4},    {"quatf", 'f', 1, 4},
    {"quath", 'h', 1, 4},    {"double2", 'd', 1, 2},  {"float2", 'f', 1, 2},
    {"half2", 'h', 1, 2},    {"int2", 'i', 1, 2},     {"double3", 'd', 1, 3},
    {"float3", 'f', 1, 3},   {"half3", 'h', 1, 3},    {"int3", 'i', 1, 3},
    {"double4", 'd', 1, 4},  {"float4", 'f', 1, 4},   {"half4", 'h', 1, 4},
    {"int4", 'i', 1, 4},
}};
constexpr CrateType kTimeCodeType = {"timecode", 'd', 1, 1};

// Types that are no plain values.
enum CrateCode : int {
  kDictionary = 31,
  kTokenList = 32,
  kStringList,
  kPathList,
  kReferenceList,
  kIntList,
  kInt64List,
  kUintList,
  kUint64List,
  kPathVector = 40,
  kTokenVector,
  kSpecifier,
  kPermission,
  kVariability,
  kSelections,
  kTimeSamples,
  kPayload,
  kDoubleVector,
  kOffsetVector,
  kStringVector,
  kBlock,
  kValue,
  kUnregistered,
  kUnregisteredList,
  kPayloadList,
  kPathExpression = 57,
  kRelocates,
  kSpline,
  kAnimationBlock
};

bool IsArray(std::uint64_t value) { return value >> 63 != 0; }
bool IsInlined(std::uint64_t value) { return (value >> 62 & 1) != 0; }
bool IsCompressed(std::uint64_t value) { return (value >> 61 & 1) != 0; }
bool IsEdit(std::uint64_t value) { return (value >> 60 & 1) != 0; }
int TypeOf(std::uint64_t value) { return static_cast<int>(value >> 48 & 0xff); }
std::uint64_t PayloadOf(std::uint64_t value) { return value & 0xffffffffffff; }

const CrateType* PlainType(int type) {
  if (type == kTimeCode) return &kTimeCodeType;
  return type > 0 && type < kEndOfPlain ? &kTypes[static_cast<std::size_t>(type)] : nullptr;
}
bool IsQuaternion(int type) { return type >= 16 && type <= 18; }

std::size_t SizeOf(char kind) {
  switch (kind) {
    case 'b':
    case 'c':
      return 1;
    case 'h':
      return 2;
    case 'd':
    case 'l':
    case 'm':
      return 8;
    default:
      return 4;
  }
}
std::size_t SizeOf(const CrateType& type) {
  return SizeOf(type.kind) * static_cast<std::size_t>(type.rows * type.columns);
}

template <typename T>
T Loaded(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

float OfHalf(std::uint16_t half) {
  const int exponent = half >> 10 & 31, digits = half & 1023;
  const float size = exponent == 31  ? (digits != 0 ? NAN : INFINITY)
                     : exponent == 0 ? std::ldexp(static_cast<float>(digits), -24)
                                     : std::ldexp(static_cast<float>(digits + 1024), exponent - 25);
  return half >> 15 != 0 ? -size : size;
}

void AppendReal(double value, std::string& out) {
  if (std::isfinite(value))
    AppendNumber(out, value);
  else
    out += std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}
// The shortest decimal that is this number in single precision.
void AppendReal(float value, std::string& out) {
  std::array<char, 32> text;
  const char* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  double decimal = value;
  if (std::isfinite(value)) ParseDouble(text.data(), end, decimal);
  AppendReal(decimal, out);
}

// The type of a value in a dictionary; empty: the text has no word for it.
std::string WordOfType(std::uint64_t value) {
  const int type = TypeOf(value);
  if (const CrateType* const plain = PlainType(type))
    return std::string(plain->name) + (IsArray(value) ? "[]" : "");
  switch (type) {
    case kDictionary:
      return "dictionary";
    case kTokenVector:
      return "token[]";
    case kStringVector:
      return "string[]";
    case kDoubleVector:
      return "double[]";
    case kPathExpression:
      return "pathExpression";
    default:
      return "";
  }
}

// What a list holds, as a type of its items.
int ItemOfList(int type) {
  switch (type) {
    case kTokenList:
      return 11;
    case kStringList:
      return 10;
    case kIntList:
      return 3;
    case kInt64List:
      return 5;
    case kUintList:
      return 4;
    case kUint64List:
      return 6;
    case kUnregisteredList:
      return kValue;
    case kPathList:
    case kReferenceList:
    case kPayloadList:
      return type;
    default:
      return 0;
  }
}

}  // namespace

void AppendAsset(std::string_view file, std::string& out) {
  if (file.find('@') == std::string_view::npos) {
    out.append("@").append(file).append("@");
    return;
  }
  out += "@@@";
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (file.substr(i).starts_with("@@@")) out += '\\';
    out += file[i];
  }
  out += "@@@";
}

void AppendQuoted(std::string_view text, std::string& out) {
  constexpr const char* kHexDigits = "0123456789abcdef";
  const bool single =
      text.find('"') != std::string_view::npos && text.find('\'') == std::string_view::npos;
  const char mark = single ? '\'' : '"';
  const bool lines = text.find('\n') != std::string_view::npos;
  out.append(lines ? 3 : 1, mark);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == mark || c == '\\')
      out.append({'\\', c});
    else if (c == '\t' || c == '\r')
      out.append(c == '\t' ? "\\t" : "\\r");
    else if ((byte < ' ' && c != '\n') || byte == 0x7f)
      out.append({'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]});
    else
      out += c;
  }
  out.append(lines ? 3 : 1, mark);
}

bool CrateValues::Grown(const std::string& out) {
  return !decoding_.failed() && decoding_.Fits(out.size(), 1, decoding_.last);
}

bool CrateValues::Append(std::uint64_t value, std::string& out, int depth) {
  const int type = TypeOf(value);
  if (depth > kDeepestCrateValue)
    return decoding_.Fail(PayloadOf(value), "values nest more than 16 levels deep");
  if (IsEdit(value)) return decoding_.Fail(PayloadOf(value), "edits of arrays are not read");
  if (IsArray(value)) return Elements(value, out);
  if (IsInlined(value)) return Inlined(value, out);
  Cursor from(decoding_, PayloadOf(value));
  if (const CrateType* const plain = PlainType(type))
    return Element(type, from.Bytes(SizeOf(*plain)).data(), out);
  switch (type) {
    case kDictionary:
      return Dictionary(from, out, depth);
    case kPathVector:
      return Vector(kPathList, from, out, depth);
    case kTokenVector:
      return Vector(11, from, out, depth);
    case kStringVector:
      return Vector(10, from, out, depth);
    case kDoubleVector:
      return Vector(9, from, out, depth);
    case kSelections:
    case kRelocates:
      return Pairs(type, from, out);
    case kPayload:
      return Item(kPayloadList, from, out, depth);
    case kValue:
    case kUnregistered:
      return Pointed(from, out, depth);
    case kPathExpression:
      AppendQuoted(tables_.String(from.Get<std::uint32_t>()), out);
      return Grown(out);
    case kBlock:
    case kAnimationBlock:
      out += type == kBlock ? "None" : "AnimationBlock";
      return Grown(out);
    default:
      return decoding_.Fail(PayloadOf(value), "a value is of type " + std::to_string(type) +
                                                  ", which is not read here");
  }
}

// What fits into 32 bits: the value, a float in place of a double, small integers in place of the
// numbers of a vector or of the diagonal of a matrix.
bool CrateValues::Inlined(std::uint64_t value, std::string& out) {
  const int type = TypeOf(value);
  const auto bits = static_cast<std::uint32_t>(value);
  const CrateType* const plain = PlainType(type);
  const auto small = [&](int i) {
    return std::to_string(static_cast<std::int8_t>(bits >> (8 * i)));
  };
  if (type == 5)
    out += std::to_string(static_cast<std::int32_t>(bits));
  else if (type == 6)
    out += std::to_string(bits);
  else if (type == 9)
    AppendReal(static_cast<double>(std::bit_cast<float>(bits)), out);
  else if (type == 12)
    AppendAsset(tables_.Token(bits), out);
  else if (plain != nullptr && SizeOf(*plain) <= sizeof(bits))
    return Element(type, reinterpret_cast<const char*>(&bits), out);
  else if (type == kDictionary)
    out += "{}";
  else if (type == kBlock || type == kAnimationBlock)
    out += type == kBlock ? "None" : "AnimationBlock";
  else if (type == kPermission)
    out += bits == 0 ? "public" : "private";
  else if (plain != nullptr && plain->rows > 1) {
    for (int i = 0; i < plain->rows; ++i) {
      out += i == 0 ? "( " : ", ";
      for (int k = 0; k < plain->columns; ++k)
        out.append(k == 0 ? "(" : ", ").append(i == k ? small(i) : "0");
      out += ')';
    }
    out += " )";
  } else if (plain != nullptr && type >= kVectors && type != kTimeCode) {
    for (int i = 0; i < plain->columns; ++i) out.append(i == 0 ? "(" : ", ").append(small(i));
    out += ')';
  } else {
    return decoding_.Fail(decoding_.last, "a value of type " + std::to_string(type) +
                                              " is inlined, which it cannot be");
  }
  return Grown(out);
}

void CrateValues::Component(char kind, const char* bytes, std::string& out) {
  switch (kind) {
    case 'b':
      out += *bytes != 0 ? '1' : '0';
      return;
    case 'c':
      out += std::to_string(static_cast<unsigned char>(*bytes));
      return;
    case 'i':
      out += std::to_string(Loaded<std::int32_t>(bytes));
      return;
    case 'u':
      out += std::to_string(Loaded<std::uint32_t>(bytes));
      return;
    case 'l':
      out += std::to_string(Loaded<std::int64_t>(bytes));
      return;
    case 'm':
      out += std::to_string(Loaded<std::uint64_t>(bytes));
      return;
    case 'h':
      return AppendReal(OfHalf(Loaded<std::uint16_t>(bytes)), out);
    case 'f':
      return AppendReal(Loaded<float>(bytes), out);
    case 'd':
      return AppendReal(Loaded<double>(bytes), out);
    case 's':
      return AppendQuoted(tables_.String(Loaded<std::uint32_t>(bytes)), out);
    case 't':
      return AppendQuoted(tables_.Token(Loaded<std::uint32_t>(bytes)), out);
    default:  // in arrays a string; alone it is inlined
      return AppendAsset(tables_.String(Loaded<std::uint32_t>(bytes)), out);
  }
}

// A number, a tuple, or tuples in a tuple. Quaternions lie as x, y, z, w.
bool CrateValues::Element(int type, const char* bytes, std::string& out) {
  if (decoding_.failed()) return false;
  const CrateType& plain = *PlainType(type);
  const std::size_t size = SizeOf(plain.kind);
  const auto columns = static_cast<std::size_t>(plain.columns),
             rows = static_cast<std::size_t>(plain.rows);
  const auto row = [&](const char* at) {
    if (columns > 1) out += '(';
    for (std::size_t i = 0; i < columns; ++i) {
      if (i > 0) out += ", ";
      Component(plain.kind, at + size * (IsQuaternion(type) ? (i + 3) % 4 : i), out);
    }
    if (columns > 1) out += ')';
  };
  if (rows > 1) out += "( ";
  for (std::size_t i = 0; i < rows; ++i) {
    if (i > 0) out += ", ";
    row(bytes + i * columns * size);
  }
  if (rows > 1) out += " )";
  return Grown(out);
}

bool CrateValues::Elements(std::uint64_t value, std::string& out) {
  const int type = TypeOf(value);
  const CrateType* const plain = PlainType(type);
  if (plain == nullptr && type != kPathExpression)
    return decoding_.Fail(PayloadOf(value), "an array is of type " + std::to_string(type) +
                                                ", of which there are none");
  out += '[';
  if (PayloadOf(value) != 0) {
    Cursor from(decoding_, PayloadOf(value));
    if (tables_.minor() < 5) from.Get<std::uint32_t>();  // the rank
    const std::uint64_t count =
        tables_.minor() < 7 ? from.Get<std::uint32_t>() : from.Get<std::uint64_t>();
    if (IsCompressed(value) && count >= kPlainArray) {
      if (!PackedElements(from, type, count, out)) return false;
    } else {
      const std::size_t size = plain != nullptr ? SizeOf(*plain) : sizeof(std::uint32_t);
      if (count > from.left() / size)
        return from.Fail("an array of " + std::to_string(count) +
                         " items does not end in the file");
      for (std::uint64_t i = 0; i < count; ++i) {
        if (i > 0) out += ", ";
        if (!Element(plain != nullptr ? type : 10, from.Bytes(size).data(), out)) return false;
      }
    }
  }
  out += ']';
  return Grown(out);
}

// Integers are differences. Other numbers are integers ('i'), or indices into a table ('t').
bool CrateValues::PackedElements(Cursor& from, int type, std::uint64_t count, std::string& out) {
  if (type < 3 || type > 9) return from.Fail("an array is compressed that cannot be");
  const auto append = [&](auto numbers, int as, std::string_view table) {
    if (!ReadIntegers(from, count, numbers)) return false;
    const std::size_t size = SizeOf(*PlainType(type));
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out += ", ";
      if (!table.empty() && numbers[i] >= table.size() / size)
        return from.Fail("an index into a table of numbers is too large");
      const char* const bytes = table.empty() ? reinterpret_cast<const char*>(&numbers[i])
                                              : table.data() + numbers[i] * size;
      if (!Element(as, bytes, out)) return false;
    }
    return true;
  };
  if (type == 5 || type == 6) return append(std::vector<std::uint64_t>(), type, "");
  if (type < 5) return append(std::vector<std::uint32_t>(), type, "");
  const char how = from.Get<char>();
  if (how == 'i') return append(std::vector<std::uint32_t>(), 3, "");
  if (how != 't') return from.Fail("an array is compressed in a way that is not known");
  const std::string_view table = from.Bytes(from.Get<std::uint32_t>() * SizeOf(*PlainType(type)));
  if (table.empty()) return from.Fail("the table of an array is empty");
  return append(std::vector<std::uint32_t>(), type, table);
}

// The representation lies so many bytes from the place of this number, and what follows behind it.
bool CrateValues::Pointed(Cursor& from, std::string& out, int depth) {
  const std::uint64_t place = from.at();
  from.GoTo(place + from.Get<std::uint64_t>());
  return Append(from.Get<std::uint64_t>(), out, depth + 1);
}

bool CrateValues::Dictionary(Cursor& from, std::string& out, int depth) {
  const std::uint64_t count = from.Count(sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t));
  out += '{';
  for (std::uint64_t i = 0; i < count && Grown(out); ++i) {
    const std::string_view key = tables_.String(from.Get<std::uint32_t>());
    const std::uint64_t place = from.at();
    from.GoTo(place + from.Get<std::uint64_t>());
    auto value = from.Get<std::uint64_t>();
    for (int k = 0; TypeOf(value) == kValue && k < kDeepestCrateValue; ++k) {
      Cursor inner(decoding_, PayloadOf(value));
      inner.GoTo(inner.at() + inner.Get<std::uint64_t>());
      value = inner.Get<std::uint64_t>();
    }
    const std::string type = WordOfType(value);
    out += '\n';
    if (type.empty()) continue;  // the text cannot say it either
    out.append(type).append(" ");
    AppendQuoted(key, out);
    out += " = ";
    if (!Append(value, out, depth + 1)) return false;
  }
  out += "\n}";
  return Grown(out);
}

// An item of a list, which may be more than a plain value.
bool CrateValues::Item(int type, Cursor& from, std::string& out, int depth) {
  if (const CrateType* const plain = PlainType(type))
    return Element(type, from.Bytes(SizeOf(*plain)).data(), out);
  if (type == kValue) return Pointed(from, out, depth);
  if (type == kPathList) {
    out.append("<").append(tables_.PathText(from.Get<std::uint32_t>())).append(">");
    return Grown(out);
  }
  const std::string_view file = tables_.String(from.Get<std::uint32_t>());
  const std::string path = tables_.PathText(from.Get<std::uint32_t>());
  if (!file.empty()) AppendAsset(file, out);
  if (file.empty() || !path.empty()) out.append("<").append(path).append(">");
  if (type == kPayloadList && tables_.minor() < 8) return Grown(out);
  const auto offset = from.Get<double>(), scale = from.Get<double>();
  if (offset != 0 || scale != 1) {
    out += " (offset = ";
    AppendReal(offset, out);
    out += "; scale = ";
    AppendReal(scale, out);
    out += ')';
  }
  if (type == kPayloadList) return Grown(out);
  std::string unused;  // a reference's own data is for programs
  return Dictionary(from, unused, depth + 1) && decoding_.Take(unused.size(), 1, from.at());
}

bool CrateValues::Vector(int item, Cursor& from, std::string& out, int depth, bool brackets) {
  const std::uint64_t count = from.Count(sizeof(std::uint32_t));
  if (!decoding_.Take(count, kItemBytes, from.at())) return false;
  if (brackets || count != 1) out += '[';
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i > 0) out += ", ";
    if (!Item(item, from, out, depth)) return false;
  }
  if (brackets || count != 1) out += ']';
  return Grown(out);
}

// Variants that are selected, and paths that move.
bool CrateValues::Pairs(int type, Cursor& from, std::string& out) {
  const std::uint64_t count = from.Count(2 * sizeof(std::uint32_t));
  out += "{\n";
  for (std::uint64_t i = 0; i < count && Grown(out); ++i) {
    const auto a = from.Get<std::uint32_t>(), b = from.Get<std::uint32_t>();
    if (type == kRelocates) {
      out.append("<").append(tables_.PathText(a)).append(">: <");
      out.append(tables_.PathText(b)).append(">,\n");
      continue;
    }
    out += "string ";
    AppendQuoted(tables_.String(a), out);
    out += " = ";
    AppendQuoted(tables_.String(b), out);
    out += '\n';
  }
  out += '}';
  return Grown(out);
}

// The parts lie in this order, and a byte of bits tells which there are; a path alone is not in
// brackets.
bool CrateValues::AppendEdits(std::uint64_t value, std::string_view what, std::string& out) {
  const int item = IsArray(value) || IsInlined(value) ? 0 : ItemOfList(TypeOf(value));
  if (item == 0) {
    out.append(what).append(" = ");
    if (!Append(value, out)) return false;
    out += '\n';
    return true;
  }
  constexpr std::array<std::pair<int, const char*>, 6> kParts = {
      {{2, ""}, {4, "add "}, {32, "prepend "}, {64, "append "}, {8, "delete "}, {16, "reorder "}}};
  Cursor from(decoding_, PayloadOf(value));
  const int bits = from.Get<std::uint8_t>();
  if ((bits & 3) == 1) out.append(what).append(" = None\n");
  for (const auto& [bit, word] : kParts) {
    if ((bits & bit) == 0) continue;
    out.append(word).append(what).append(" = ");
    const bool paths = item == kPathList || item == kReferenceList || item == kPayloadList;
    if (!Vector(item, from, out, 0, !paths)) return false;
    out += '\n';
  }
  return Grown(out);
}

// Times and values lie apart: each begins with where the other is.
bool CrateValues::AppendFirstSample(std::uint64_t value, std::string& out) {
  Cursor from(decoding_, PayloadOf(value));
  if (TypeOf(value) != kTimeSamples || IsInlined(value))
    return from.Fail("time samples are of another type");
  std::uint64_t place = from.at();
  from.GoTo(place + from.Get<std::uint64_t>());
  const auto times = from.Get<std::uint64_t>();
  place = from.at();
  from.GoTo(place + from.Get<std::uint64_t>());
  const std::uint64_t count = from.Count(sizeof(std::uint64_t));
  Cursor first(decoding_, PayloadOf(times));
  out += "{\n";
  if (count > 0 && TypeOf(times) == kDoubleVector && first.Count(sizeof(double)) > 0) {
    AppendReal(first.Get<double>(), out);
    out += ": ";
    if (!Append(from.Get<std::uint64_t>(), out, 1)) return false;
    out += ",\n";
  }
  out += '}';
  return Grown(out);
}

bool CrateValues::AppendSublayers(std::uint64_t names, std::uint64_t offsets, std::string& out) {
  const std::vector<std::string_view> files = Words(names);
  Cursor times(decoding_, PayloadOf(offsets));
  const std::uint64_t count =
      TypeOf(offsets) == kOffsetVector && !IsInlined(offsets) ? times.Count(2 * sizeof(double)) : 0;
  out += '[';
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0) out += ", ";
    AppendAsset(files[i], out);
    if (i >= count) continue;
    const auto offset = times.Get<double>(), scale = times.Get<double>();
    if (offset == 0 && scale == 1) continue;
    out += " (offset = ";
    AppendReal(offset, out);
    out += "; scale = ";
    AppendReal(scale, out);
    out += ')';
  }
  out += ']';
  return Grown(out);
}

std::vector<std::string_view> CrateValues::Words(std::uint64_t value) {
  const int type = TypeOf(value);
  std::vector<std::string_view> words;
  if ((type != kTokenVector && type != kStringVector) || IsInlined(value)) return words;
  Cursor from(decoding_, PayloadOf(value));
  const std::uint64_t count = from.Count(sizeof(std::uint32_t));
  if (!decoding_.Fits(count, sizeof(std::string_view), from.at())) return words;
  words.reserve(Checked(count));
  for (std::uint64_t i = 0; i < count && !decoding_.failed(); ++i) {
    const auto index = from.Get<std::uint32_t>();
    words.push_back(type == kTokenVector ? tables_.Token(index) : tables_.String(index));
  }
  return words;
}

std::string_view CrateValues::Word(std::uint64_t value) {
  const int type = TypeOf(value);
  if (IsArray(value) || !IsInlined(value) || (type != 10 && type != 11)) return {};
  return type == 10 ? tables_.String(PayloadOf(value)) : tables_.Token(PayloadOf(value));
}

std::uint32_t CrateValues::Choice(std::uint64_t value) const {
  return IsInlined(value) && !IsArray(value) ? static_cast<std::uint32_t>(value) : 0;
}

}  // namespace kinemorph::usd
