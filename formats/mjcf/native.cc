#include "native.h"

#include <algorithm>
#include <array>

#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// What xml::Escaped wrote, back to plain text.
std::string Unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 8> kEntities = {{{"&amp;", '&'},
                                                                           {"&lt;", '<'},
                                                                           {"&gt;", '>'},
                                                                           {"&quot;", '"'},
                                                                           {"&apos;", '\''},
                                                                           {"&#10;", '\n'},
                                                                           {"&#13;", '\r'},
                                                                           {"&#9;", '\t'}}};
  std::string plain;
  while (!text.empty()) {
    std::size_t length = 1;
    char c = text.front();
    for (const auto& [entity, meaning] : kEntities) {
      if (text.substr(0, entity.size()) == entity) length = entity.size(), c = meaning;
    }
    plain += c;
    text.remove_prefix(length);
  }
  return plain;
}

}  // namespace

AttributeList AttributesOf(const NativeData& native) {
  AttributeList attributes;
  std::string_view text = native.xml;
  text = text.substr(0, text.find('>'));  // '>' is escaped inside values
  text.remove_prefix(std::min(text.find(' '), text.size()));
  while (true) {
    const std::size_t equal = text.find("=\"");
    if (equal == std::string_view::npos) return attributes;
    const std::size_t end = text.find('"', equal + 2);
    if (end == std::string_view::npos) return attributes;
    attributes.emplace_back(xml::Trimmed(text.substr(0, equal)),
                            Unescaped(text.substr(equal + 2, end - equal - 2)));
    text.remove_prefix(end + 1);
  }
}

AttributeList NativeAttributes(const std::vector<NativeData>& natives, std::string_view element) {
  for (const NativeData& native : natives)
    if (native.format == "mjcf" && native.element == element) return AttributesOf(native);
  return {};
}

std::string ChildrenOf(const NativeData& native) {
  const std::string_view text = native.xml;
  const std::size_t open = text.find('>'),
                    close = text.rfind("</");  // '>' is escaped inside values
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return "";
  return std::string(xml::Trimmed(text.substr(open + 1, close - open - 1)));
}

NativeData MakeNative(const xml::Element& origin, std::string_view kind,
                      const AttributeList& attributes, bool with_children) {
  xml::Writer writer(false);
  writer.Open(kind);
  for (const auto& [name, value] : attributes) writer.Attribute(name, value);
  if (with_children)
    for (const xml::Element child : origin.Children()) writer.Raw(child.Native().xml);
  writer.Close();
  std::string text = std::move(writer).text();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return {"mjcf", std::string(kind), std::move(text), origin.where()};
}

NativeData Unread(const xml::Element& element) {
  NativeData data = element.Native();
  data.format.clear();
  return data;
}

AttributeList AttributesExcept(const Attributes& attributes,
                               std::initializer_list<std::string_view> without) {
  AttributeList all = attributes.All();
  std::erase_if(all, [&](const auto& a) {
    return std::find(without.begin(), without.end(), a.first) != without.end();
  });
  return all;
}

AttributeList AttributesOnly(const Attributes& attributes,
                             std::initializer_list<std::string_view> only) {
  AttributeList some;
  for (const std::string_view name : only)
    if (const auto value = attributes.Copy(name)) some.emplace_back(name, *value);
  return some;
}

std::string QuaternionText(const Matrix3& R) {
  const Eigen::Vector4d q = QuaternionFromRotation(R);
  std::string text;
  for (int i = 0; i < 4; ++i) text += (i > 0 ? " " : "") + xml::NumberText(q[i]);
  return text;
}

void SetAttribute(AttributeList& attributes, std::string_view name, std::string value) {
  for (auto& [key, old] : attributes)
    if (key == name) {
      old = std::move(value);
      return;
    }
  attributes.emplace_back(std::string(name), std::move(value));
}

}  // namespace kinemorph::mjcf
