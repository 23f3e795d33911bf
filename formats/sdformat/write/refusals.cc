// What libsdformat refuses a file for, in elements that we keep as they are.
#include <algorithm>
#include <string>

#include "kinemorph/graph/base/number.h"
#include "sdformat.h"

namespace kinemorph {
namespace {

// The text without its <plugin> elements, whose content libsdformat does not look at.
std::string OutsidePlugins(std::string xml) {
  for (std::size_t begin = xml.find("<plugin "); begin != std::string::npos;
       begin = xml.find("<plugin ", begin)) {
    const std::size_t tag = xml.find('>', begin), close = xml.find("</plugin>", begin);
    const bool empty = tag != std::string::npos && xml[tag - 1] == '/';
    const std::size_t end = empty ? tag + 1
                            : close == std::string::npos
                                ? xml.size()
                                : close + std::string_view("</plugin>").size();
    xml.erase(begin, end - begin);
  }
  return xml;
}

// libsdformat refuses a file in which a name attribute holds "::" ...
bool HasScopedName(const std::string& xml) {
  for (std::size_t at = xml.find(" name=\""); at != std::string::npos;
       at = xml.find(" name=\"", at + 1)) {
    const std::size_t value = at + std::string_view(" name=\"").size();
    if (xml.substr(value, xml.find('"', value) - value).find("::") != std::string::npos)
      return true;
  }
  return false;
}

// ... or in which a colour has a part that is not within 0 and 1.
bool HasBadColor(const std::string& xml) {
  for (const std::string_view tag : {"<diffuse>", "<specular>", "<ambient>", "<emissive>"}) {
    for (std::size_t at = xml.find(tag); at != std::string::npos; at = xml.find(tag, at + 1)) {
      const char* text = xml.data() + at + tag.size();
      const char* const end = xml.data() + std::min(xml.find('<', at + 1), xml.size());
      while (text < end) {
        double value = 0;
        const auto [next, error] = ParseDouble(text, end, value);
        if (error == std::errc() && !(value >= 0 && value <= 1)) return true;
        text = error == std::errc() ? next : text + 1;
      }
    }
  }
  return false;
}

}  // namespace

std::string SdfRefuses(const Model&, const NativeData& native, const Joint*) {
  const std::string xml = OutsidePlugins(native.xml);
  if (HasScopedName(xml)) return "libsdformat refuses a file with '::' in a name";
  if (HasBadColor(xml)) return "libsdformat refuses a file with a colour beyond 1";
  return "";
}

}  // namespace kinemorph
