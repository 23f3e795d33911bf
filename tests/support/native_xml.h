// Kept content as text, and back.
#pragma once

#include <string>
#include <string_view>

#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph::test {

/// A well-formed element.
inline NativeElement Tree(std::string_view text) {
  Diagnostics diagnostics;
  xml::Context context;
  context.diagnostics = &diagnostics;
  const auto document = xml::Document::Parse("<around>" + std::string(text) + "</around>", context);
  if (!document) return {};
  for (const xml::Element child : document->root().Children()) return child.Tree();
  return {};
}

inline std::string Xml(const NativeData& data) { return xml::TextOf(data.content); }

/// Another content, where there is any.
inline bool Longer(NativeElement& content) {
  if (content.empty()) return false;
  content.Add("more");
  return true;
}

}  // namespace kinemorph::test
