// Weighs native content by the tables of the formats.
#include "kinemorph/formats/native_weight.h"

#include <algorithm>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/formats.h"
#include "xml/xml_reader.h"

namespace kinemorph {
namespace {

using Rows = std::vector<ContentWeight>;

const Rows* RowsOf(const std::string& family) {
  for (const Format& format : AllFormats())
    if (format.traits(format.dialects.front().options).native_format == family)
      return format.content_weights();
  return nullptr;
}

// The row of the longest end of `path` ("tendon/fixed@stiffness", "fixed@stiffness", "@stiffness").
const ContentWeight* RowOf(const Rows& rows, std::string_view path) {
  const std::size_t attribute = path.find('@');
  for (;;) {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const ContentWeight& row) { return row.path == path; });
    if (found != rows.end()) return &*found;
    const std::size_t slash = path.substr(0, path.find('@')).find('/');
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  if (attribute == std::string_view::npos || path.starts_with('@')) return nullptr;
  return RowOf(rows, path.substr(path.find('@')));
}

class Weighing {
 public:
  Weighing(const Rows& rows, std::vector<ContentItem>& items) : rows_(rows), items_(items) {}

  void Element(const xml::Element& element, const std::string& path, Weight inherited) {
    const ContentWeight* const row = RowOf(rows_, path);
    const Weight weight = row != nullptr ? row->weight : inherited;
    const auto attributes = element.Attributes();
    for (const auto& [name, value] : attributes) Add(path + "@" + std::string(name), value, weight);
    bool leaf = true;
    for (const xml::Element child : element.Children()) {
      leaf = false;
      Element(child, path + "/" + std::string(child.name()), weight);
    }
    const std::string_view text = element.Text();
    if (!text.empty() || (leaf && attributes.empty())) Add(path, text, weight);
  }

 private:
  void Add(std::string name, std::string_view value, Weight inherited) {
    const ContentWeight* const row = RowOf(rows_, name);
    if (row != nullptr && !row->means_nothing.empty() && row->means_nothing == value) return;
    items_.push_back(
        {std::move(name), std::string(value), row != nullptr ? row->weight : inherited});
  }

  const Rows& rows_;
  std::vector<ContentItem>& items_;
};

// What hangs on a thing that moves nothing moves nothing.
Weight MostOf(SubjectKind owner) {
  using enum SubjectKind;
  if (owner == kVisual || owner == kMaterial) return Weight::kLooks;
  return owner == kSensor || owner == kFrame ? Weight::kInterface : Weight::kMotion;
}

}  // namespace

std::vector<ContentItem> ContentOf(const NativeData& data, SubjectKind owner) {
  std::vector<ContentItem> items;
  const Weight most = MostOf(owner);
  const Rows* const rows = RowsOf(data.format);
  Diagnostics unsaid;
  xml::Context context;
  context.diagnostics = &unsaid;
  const auto document = rows == nullptr || data.element == kTextBetween
                            ? nullptr
                            : xml::Document::Parse(data.xml, context);
  if (document == nullptr) {
    const bool text = data.element == kTextBetween;
    items.push_back({data.element, data.xml, text ? Weight::kLooks : most});
    return items;
  }
  Weighing(*rows, items).Element(document->root(), data.element, most);
  const Weight heaviest = data.idle ? std::min(most, Weight::kInterface) : most;
  for (ContentItem& item : items) item.weight = std::min(item.weight, heaviest);
  return items;
}

std::vector<std::string> NamesOfContent(const NativeData& data, SubjectKind owner) {
  const Weight weight = WeightOfContent(data, owner);
  std::vector<std::string> names;
  for (const ContentItem& item : ContentOf(data, owner)) {
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

}  // namespace kinemorph
