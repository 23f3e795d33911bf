// Weighs native content by the tables of the formats.
#include "kinemorph/formats/native_weight.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/native_canonical.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph {
namespace {

// The table of a family.
// A table gives weights to paths like "physics/ode@type". A path is looked up by its longest end;
// an attribute without a row of its own falls back on one of that name anywhere. What has no row
// has the weight of what it stands in, and in the end that of its owner.
struct Rows {
  std::unordered_map<std::string_view, const ContentWeight*> by_path;
  std::unordered_set<std::string_view> wraps;  // elements that name the owner of what is in them

  explicit Rows(const std::vector<ContentWeight>& table) {
    for (const ContentWeight& row : table) {
      by_path.emplace(row.path, &row);
      if (row.role == ContentRole::kOwner) wraps.insert(row.path.substr(0, row.path.find('@')));
    }
  }
};

const Rows* RowsOf(const std::string& family) {
  static const std::map<std::string, Rows, std::less<>> kRowsOf = [] {
    std::map<std::string, Rows, std::less<>> all;
    for (const Format& format : AllFormats())
      all.emplace(format.traits(format.dialects.front().options).native_format,
                  *format.content_weights());
    return all;
  }();
  const auto found = kRowsOf.find(family);
  return found == kRowsOf.end() ? nullptr : &found->second;
}

// The row of the longest end of `path` ("tendon/fixed@stiffness", "fixed@stiffness", "@stiffness").
const ContentWeight* RowOf(const Rows& rows, std::string_view path) {
  const std::size_t attribute = path.find('@');
  for (;;) {
    if (const auto found = rows.by_path.find(path); found != rows.by_path.end())
      return found->second;
    const std::size_t slash = path.substr(0, path.find('@')).find('/');
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  // The attribute alone, whatever element it is in.
  if (attribute == std::string_view::npos || path.starts_with('@')) return nullptr;
  return RowOf(rows, path.substr(path.find('@')));
}

bool IsFiniteNumber(std::string_view text) {
  double number = 0;
  return ParseDouble(text.data(), text.data() + text.size(), number).ec == std::errc() &&
         std::isfinite(number);
}

class Weighing {
 public:
  Weighing(const Rows& rows, std::vector<ContentItem>& items) : rows_(rows), items_(items) {}

  // Attributes, children, then the text: a leaf without anything is an item by itself, since its
  // being there says something.
  void Element(const NativeElement& element, const std::string& path, Weight inherited) {
    const ContentWeight* row = RowOf(rows_, path);
    if (const std::string* file = element.Attribute("filename"))
      if (const auto library = rows_.by_path.find(element.name + "=" + PluginLibrary(*file));
          library != rows_.by_path.end())
        row = library->second;
    const Weight weight = WeightOf(row, inherited);
    for (const auto& [name, value] : element.attributes) Add(path + "@" + name, value, weight);
    bool leaf = true;
    for (const NativeElement& child : element.children) {
      if (!child.IsElement()) continue;
      leaf = false;
      Element(child, path + "/" + child.name, weight);
    }
    const std::string_view text = element.Text();
    if (!text.empty() || (leaf && element.attributes.empty())) Add(path, text, weight);
  }

 private:
  static Weight WeightOf(const ContentWeight* row, Weight inherited) {
    return row == nullptr ? inherited : row->weight.value_or(inherited);
  }
  void Add(std::string name, std::string_view value, Weight inherited) {
    const ContentWeight* const row = RowOf(rows_, name);
    // A value that means nothing (a default) is no content, nor is where the owner stands.
    if (row != nullptr &&
        (row->role == ContentRole::kPlace ||
         (!row->means_nothing.empty() && row->means_nothing == CanonicalWords(value))))
      return;
    // A number that the model has too is lost there or not at all; an infinite one it has not.
    const bool held = row != nullptr && row->role == ContentRole::kInField && IsFiniteNumber(value);
    items_.push_back(
        {std::move(name), std::string(value), held ? Weight::kLooks : WeightOf(row, inherited)});
  }

  const Rows& rows_;
  std::vector<ContentItem>& items_;
};

bool HasRole(const Rows& rows, const std::string& path, ContentRole role) {
  const ContentWeight* const row = RowOf(rows, path);
  return row != nullptr && row->role == role;
}

class Leaving {
 public:
  Leaving(const Rows& rows, ContentRole role, std::vector<std::string>* gone)
      : rows_(rows), role_(role), gone_(gone) {}

  // Removes what the model holds too, such as names and places, before two texts are compared.
  void From(NativeElement& element, const std::string& path) const {
    std::erase_if(element.attributes,
                  [&](const auto& a) { return Goes(path + "@" + a.first, a.first, a.second); });
    std::erase_if(element.children, [&](const NativeElement& child) {
      return child.IsElement() && Goes(path + "/" + child.name, child.name, child.Text());
    });
    for (NativeElement& child : element.children)
      if (child.IsElement()) From(child, path + "/" + child.name);
  }

 private:
  [[nodiscard]] bool Goes(const std::string& path, const std::string& name,
                          std::string_view value) const {
    if (!HasRole(rows_, path, role_)) return false;
    if (role_ == ContentRole::kInField && !IsFiniteNumber(value)) return false;
    if (gone_ != nullptr) gone_->push_back(name);
    return true;
  }

  const Rows& rows_;
  const ContentRole role_;
  std::vector<std::string>* const gone_;
};

// What hangs on a thing that moves nothing moves nothing.
Weight MostOf(SubjectKind owner) {
  using enum SubjectKind;
  if (owner == kVisual || owner == kMaterial) return Weight::kLooks;
  return owner == kSensor || owner == kFrame ? Weight::kInterface : Weight::kMotion;
}

}  // namespace

std::string PluginLibrary(std::string_view filename) {
  std::string library(filename.substr(filename.find_last_of('/') + 1));
  if (library.starts_with("lib")) library.erase(0, 3);
  if (library.ends_with(".so")) library.resize(library.size() - 3);
  // The former name of gz sim, and its version.
  constexpr std::string_view kGzSim = "gz-sim";
  for (const std::string_view prefix : {std::string_view("ignition-gazebo"), kGzSim})
    if (library.starts_with(prefix)) {
      const std::size_t end = library.find_first_not_of("0123456789", prefix.size());
      return library.replace(0, std::min(end, library.size()), kGzSim);
    }
  return library;
}

bool NamesFile(std::string_view format, std::string_view attribute) {
  const Rows* const rows = RowsOf(std::string(format));
  return rows != nullptr && HasRole(*rows, "@" + std::string(attribute), ContentRole::kNamesFile);
}

std::vector<ContentItem> ContentOf(const NativeData& data, SubjectKind owner) {
  std::vector<ContentItem> items;
  const Weight most = MostOf(owner);
  const Rows* const rows = RowsOf(data.format);
  const bool text = data.element == kTextBetween;
  // Without a table the whole is one item; text between elements only looks wrong.
  if (rows == nullptr || text || data.content.empty()) {
    const Weight weight = data.idle ? std::min(most, Weight::kInterface) : most;
    items.push_back({data.element, data.content.text, text ? Weight::kLooks : weight});
    return items;
  }
  Weighing(*rows, items).Element(data.content, data.element, most);
  // What acts on nothing (a plugin that the couplings say already) loses at most an interface.
  const Weight heaviest = data.idle ? std::min(most, Weight::kInterface) : most;
  for (ContentItem& item : items) item.weight = std::min(item.weight, heaviest);
  return items;
}

std::vector<std::string> NamesOfContent(const NativeData& data, SubjectKind owner) {
  const Weight weight = WeightOfContent(data, owner);
  std::vector<std::string> names;
  for (const ContentItem& item : ContentOf(data, owner)) {
    // The heaviest items are named, by the last word of each path.
    if (item.weight != weight) continue;
    std::string_view path = item.name;
    for (const std::string_view label : {"@name", "@filename", "@reference", "@class"})
      if (path.ends_with(label)) path.remove_suffix(label.size());  // of a thing, and none itself
    std::string name(path.substr(path.find_last_of("/@") + 1));
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

Weight WeightOfContent(const NativeData& data, SubjectKind owner) {
  Weight weight = Weight::kLooks;
  for (const ContentItem& item : ContentOf(data, owner)) weight = std::max(weight, item.weight);
  return weight;
}

NativeElement Without(const NativeData& data, ContentRole role, std::vector<std::string>* gone) {
  NativeElement content = data.content;
  if (const Rows* const rows = RowsOf(data.format))
    Leaving(*rows, role, gone).From(content, data.element);
  return content;
}

bool IsSource(const NativeData& data) {
  const Rows* const rows = RowsOf(data.format);
  return rows != nullptr && HasRole(*rows, data.element, ContentRole::kSource);
}

bool OnlyWraps(const NativeData& data) {
  const Rows* const rows = RowsOf(data.format);
  return rows != nullptr && rows->wraps.contains(data.element);
}

std::string ActsOnMotion(const NativeData& data) {
  const Rows* const rows = RowsOf(data.format);
  if (rows == nullptr || data.idle) return "";
  // Content that moves the robot in a way that the dynamics here do not obey, by name: the whole
  // element, or attributes that are not at their neutral value.
  if (HasRole(*rows, data.element, ContentRole::kActs)) return "<" + data.element + ">";
  std::string names;
  for (const auto& [name, value] : data.content.attributes) {
    const ContentWeight* const row = RowOf(*rows, data.element + "@" + name);
    if (row == nullptr || row->role != ContentRole::kActs || value == row->means_nothing) continue;
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

}  // namespace kinemorph
