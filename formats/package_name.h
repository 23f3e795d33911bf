// The name that a package.xml gives its package.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph {

/// The text of the first `<name>`, without white space around it; empty where there is none.
[[nodiscard]] inline std::string PackageNameIn(std::string_view package_xml) {
  const std::size_t start = package_xml.find("<name>"), end = package_xml.find("</name>");
  if (start == std::string_view::npos || end == std::string_view::npos || end < start) return "";
  std::string name(package_xml.substr(start + 6, end - start - 6));
  name.erase(0, name.find_first_not_of(" \t\r\n"));
  name.erase(name.find_last_not_of(" \t\r\n") + 1);
  return name;
}

}  // namespace kinemorph
