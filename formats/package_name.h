// The name that a package.xml gives its package.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinemorph/formats/xml_tags.h"

namespace kinemorph {

/// The text of the first `<name>`, without white space around it; empty where there is none.
[[nodiscard]] inline std::string PackageNameIn(std::string_view package_xml) {
  const std::optional<XmlTag> name = NextTag(package_xml, "name");
  return name ? std::string(TextBehind(package_xml, *name)) : "";
}

}  // namespace kinemorph
