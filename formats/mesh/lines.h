// Files of meshes that are text, line by line.
#pragma once

#include <algorithm>
#include <string_view>

#include "xml_reader.h"

namespace kinemorph {

/// Calls `line` for every line until it says false; whether none did.
template <class Function>
bool ForEachLine(std::string_view text, const Function& line) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!line(xml::Trimmed(text.substr(0, end)))) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

}  // namespace kinemorph
