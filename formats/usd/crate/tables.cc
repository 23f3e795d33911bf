#include "crate/tables.h"

#include <algorithm>
#include <array>

#include "crate/compression.h"

namespace kinemorph::usd {
namespace {

constexpr int kOldest = 4, kNewest = 14;       // 0.4 to 0.14
constexpr std::uint64_t kContentsAt = 16;      // behind magic and version
constexpr std::uint32_t kDeepestPath = 256;    // a prim of the reader stands in 100 at most
constexpr std::size_t kSectionName = 16;       // bytes
constexpr std::size_t kLongestElement = 4096;  // bytes
constexpr std::size_t kMostFields = 1024;      // of one prim or property

// A part of a path becomes text between < and >.
bool IsPathElement(std::string_view token) {
  return !token.empty() && token.size() <= kLongestElement &&
         std::none_of(token.begin(), token.end(), [](char c) {
           return static_cast<unsigned char>(c) < ' ' || c == '<' || c == '>' || c == '\x7f';
         });
}

}  // namespace

CrateTables::CrateTables(Decoding& decoding) : decoding_(decoding) {
  Cursor start(decoding, 8);
  const auto version = start.Get<std::array<std::uint8_t, 3>>();
  minor_ = version[1];
  if (version[0] != 0 || minor_ < kOldest || minor_ > kNewest) {
    decoding.Fail(8, "its version is " + std::to_string(version[0]) + "." + std::to_string(minor_) +
                         "." + std::to_string(version[2]) + "; kinemorph reads 0.4 to 0.14");
    return;
  }
  ReadSections();
}

// In the order in which they need each other, whatever their order in the file.
bool CrateTables::ReadSections() {
  Cursor contents(decoding_, kContentsAt);
  contents.GoTo(contents.Get<std::uint64_t>());
  const std::uint64_t table = contents.at(), count = contents.Count(kSectionName + 16);
  using Read = bool (CrateTables::*)(Cursor);
  constexpr std::array<std::pair<std::string_view, Read>, 6> kSections = {
      {{"TOKENS", &CrateTables::ReadTokens},
       {"STRINGS", &CrateTables::ReadStrings},
       {"FIELDS", &CrateTables::ReadFields},
       {"FIELDSETS", &CrateTables::ReadFieldSets},
       {"PATHS", &CrateTables::ReadPaths},
       {"SPECS", &CrateTables::ReadSpecs}}};
  for (const auto& [name, read] : kSections) {
    contents.GoTo(table + 8);
    for (std::uint64_t i = 0; i < count && !decoding_.failed(); ++i) {
      std::string_view title = contents.Bytes(kSectionName);
      title = title.substr(0, title.find('\0'));
      const auto begin = contents.Get<std::uint64_t>(), size = contents.Get<std::uint64_t>();
      if (title != name) continue;
      if (begin > decoding_.file.size() || size > decoding_.file.size() - begin)
        return contents.Fail("section " + std::string(name) + " ends behind the file");
      if (!(this->*read)(Cursor(decoding_, begin))) return false;
      break;  // a second one of this name is none of ours
    }
  }
  return !decoding_.failed();
}

// Words, each ended by a zero.
bool CrateTables::ReadTokens(Cursor from) {
  const std::uint64_t begin = from.at();
  const auto count = from.Get<std::uint64_t>(), size = from.Get<std::uint64_t>();
  if (!decoding_.Take(size, 1, begin)) return false;
  words_ = Unpacked(from, from.Get<std::uint64_t>(), size);
  if (decoding_.failed()) return false;
  const auto ends = static_cast<std::uint64_t>(std::count(words_.begin(), words_.end(), '\0'));
  if (words_.size() != size || ends != count || (size > 0 && words_.back() != '\0'))
    return decoding_.Fail(begin, "the tokens are not as many as is announced");
  if (!decoding_.Take(count, sizeof(std::string_view), begin)) return false;
  tokens_.reserve(Checked(count));
  for (std::size_t at = 0; at < words_.size(); at += tokens_.back().size() + 1)
    tokens_.emplace_back(words_.data() + at);
  return true;
}

bool CrateTables::ReadStrings(Cursor from) {
  const std::uint64_t begin = from.at(), count = from.Count(sizeof(std::uint32_t));
  if (!decoding_.Take(count, sizeof(std::uint32_t), begin)) return false;
  strings_.resize(Checked(count));
  for (std::uint32_t& token : strings_) token = from.Get<std::uint32_t>();
  return !decoding_.failed();
}

bool CrateTables::ReadFields(Cursor from) {
  const std::uint64_t begin = from.at(), count = from.Get<std::uint64_t>();
  std::vector<std::uint32_t> names;
  if (!decoding_.Take(count, sizeof(CrateField), begin) || !ReadIntegers(from, count, names))
    return false;
  const auto packed = from.Get<std::uint64_t>();
  const std::string values = Unpacked(from, packed, count * sizeof(std::uint64_t));
  if (decoding_.failed()) return false;
  if (values.size() != count * sizeof(std::uint64_t))
    return decoding_.Fail(begin, "the values of the fields are cut off");
  fields_.resize(Checked(count));
  for (std::size_t i = 0; i < count; ++i) {
    fields_[i].name = names[i];
    std::memcpy(&fields_[i].value, values.data() + i * sizeof(std::uint64_t),
                sizeof(std::uint64_t));
    if (names[i] >= tokens_.size()) return decoding_.Fail(begin, "a field has a name that is none");
  }
  return true;
}

// Runs of numbers of fields, each ended by kNone.
bool CrateTables::ReadFieldSets(Cursor from) {
  const std::uint64_t begin = from.at(), count = from.Get<std::uint64_t>();
  if (!decoding_.Take(count, sizeof(std::uint32_t), begin) ||
      !ReadIntegers(from, count, field_sets_))
    return false;
  std::size_t length = 0;
  for (const std::uint32_t field : field_sets_) {
    if (field != kNone && field >= fields_.size())
      return decoding_.Fail(begin, "a set of fields names a field that is none");
    length = field == kNone ? 0 : length + 1;
    if (length > kMostFields) return decoding_.Fail(begin, "a set has more than 1024 fields");
  }
  return field_sets_.empty() || field_sets_.back() == kNone ||
         decoding_.Fail(begin, "the last set of fields does not end");
}

// A tree in the order of its walk. Jump > 0: a child comes next, a sibling after so many; 0: a
// sibling next; -1: a child next; -2: neither.
bool CrateTables::ReadPaths(Cursor from) {
  const std::uint64_t begin = from.at();
  const auto size = from.Get<std::uint64_t>(), count = from.Get<std::uint64_t>();
  std::vector<std::uint32_t> paths, elements, jumps;
  if (!decoding_.Take(size, sizeof(CratePath), begin) || !ReadIntegers(from, count, paths) ||
      !ReadIntegers(from, count, elements) || !ReadIntegers(from, count, jumps))
    return false;
  paths_.resize(Checked(size));
  std::vector<bool> seen(Checked(count));
  std::vector<std::pair<std::size_t, std::uint32_t>> open;  // where siblings go on, and of whom
  if (count > 0) open.emplace_back(0, kNone);
  while (!open.empty()) {
    auto [i, parent] = open.back();
    open.pop_back();
    for (bool goes_on = true; goes_on;) {
      if (i >= count || seen[i])
        return decoding_.Fail(begin, "the tree of paths leads out of itself, or in a circle");
      seen[i] = true;
      if (!AddPath(paths[i], parent, elements[i], begin)) return false;
      const auto jump = static_cast<std::int32_t>(jumps[i]);
      if (jump > 0) open.emplace_back(i + static_cast<std::size_t>(jump), parent);
      if (jump > 0 || jump == -1) parent = paths[i];
      goes_on = jump >= -1;
      ++i;
    }
  }
  return true;
}

// A negative element is a property. The root has no name.
bool CrateTables::AddPath(std::uint32_t path, std::uint32_t parent, std::uint32_t element,
                          std::uint64_t at) {
  const auto signed_element = static_cast<std::int32_t>(element);
  const bool property = signed_element < 0;
  const std::uint32_t token = property ? 0 - element : element;
  if (path >= paths_.size() || paths_[path].known)
    return decoding_.Fail(at, "a path stands twice in the tree, or is none");
  CratePath& p = paths_[path];
  p.known = true, p.property = property, p.parent = parent, p.token = token;
  if (parent == kNone) {
    const bool first = root_ == kNone;
    root_ = path;
    return first || decoding_.Fail(at, "the tree of paths has two roots");
  }
  CratePath& above = paths_[parent];
  p.depth = above.depth + 1, p.next = above.first, above.first = path;
  if (token >= tokens_.size() || !IsPathElement(tokens_[token]))
    return decoding_.Fail(at, "a path has a name that is none");
  return p.depth <= kDeepestPath || decoding_.Fail(at, "paths nest more than 256 levels deep");
}

bool CrateTables::ReadSpecs(Cursor from) {
  const std::uint64_t begin = from.at(), count = from.Get<std::uint64_t>();
  std::vector<std::uint32_t> paths, sets, forms;
  if (!decoding_.Take(count, sizeof(CrateSpec), begin) || !ReadIntegers(from, count, paths) ||
      !ReadIntegers(from, count, sets) || !ReadIntegers(from, count, forms))
    return false;
  specs_.resize(Checked(count));
  for (std::uint32_t i = 0; i < count; ++i) {
    specs_[i] = {paths[i], sets[i], static_cast<SpecForm>(forms[i])};
    if (paths[i] >= paths_.size() || !paths_[paths[i]].known || paths_[paths[i]].spec != kNone)
      return decoding_.Fail(begin, "a path is described twice, or is none");
    paths_[paths[i]].spec = i;
    const bool starts =
        sets[i] < field_sets_.size() && (sets[i] == 0 || field_sets_[sets[i] - 1] == kNone);
    if (!starts) return decoding_.Fail(begin, "a path is described by fields that are none");
  }
  return true;
}

std::vector<CrateField> CrateTables::FieldsOf(const CrateSpec& spec) const {
  std::vector<CrateField> fields;
  for (std::size_t i = spec.fields; field_sets_[i] != kNone; ++i)
    fields.push_back(fields_[field_sets_[i]]);
  return fields;
}

std::string_view CrateTables::Token(std::uint64_t index) const {
  if (index < tokens_.size()) return tokens_[Checked(index)];
  decoding_.Fail(decoding_.last,
                 "token " + std::to_string(index) + " is used, and there is none of this number");
  return {};
}

std::string_view CrateTables::String(std::uint64_t index) const {
  if (index < strings_.size()) return Token(strings_[Checked(index)]);
  decoding_.Fail(decoding_.last,
                 "string " + std::to_string(index) + " is used, and there is none of this number");
  return {};
}

// "/r/a.x", "/r{set=variant}child". The root alone is "/"; what the table has and the tree has not
// is the empty path.
std::string CrateTables::PathText(std::uint64_t index) const {
  if (index >= paths_.size()) {
    decoding_.Fail(decoding_.last,
                   "path " + std::to_string(index) + " is used, and there is none of this number");
    return {};
  }
  std::vector<std::uint32_t> up;
  for (auto i = static_cast<std::uint32_t>(index); paths_[i].parent != kNone; i = paths_[i].parent)
    up.push_back(i);
  if (up.empty()) return paths_[Checked(index)].known ? "/" : "";
  std::string text;
  bool joins = false;  // what follows a variant or a target stands right behind it
  for (auto i = up.rbegin(); i != up.rend(); ++i) {
    const std::string_view name = tokens_[paths_[*i].token];
    const bool selects = name[0] == '{' || name[0] == '[';
    if (paths_[*i].property && name[0] != '[')
      text += '.';
    else if (!selects && !joins)
      text += '/';
    text += name;
    joins = selects;
  }
  return text;
}

std::unordered_map<std::string_view, std::uint32_t> CrateTables::Children(std::uint32_t path,
                                                                          bool properties) const {
  std::unordered_map<std::string_view, std::uint32_t> children;
  for (std::uint32_t i = paths_[path].first; i != kNone; i = paths_[i].next)
    if (paths_[i].property == properties) children.emplace(tokens_[paths_[i].token], i);
  return children;
}

}  // namespace kinemorph::usd
