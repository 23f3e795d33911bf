// Documents in tests: expand them, and what is left of them without what every document has.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kinemorph/formats/xacro.h"

namespace kinemorph::test {

struct Expanded {
  std::optional<XacroExpansion> expansion;
  Diagnostics diagnostics;
  std::string body;     // without declaration, root tags and indentation
  std::string message;  // the last
};

/// A document without declaration, banner, root tags and indentation.
inline std::string BodyOf(std::string text) {
  const std::size_t root = text.find("<r");
  if (root == std::string::npos) return text;
  text.erase(0, root);
  std::string body;
  bool indentation = false;
  for (const char c : text) {
    indentation = c == '\n' || (indentation && c == ' ');
    if (!indentation) body += c;
  }
  if (body == "<r/>") return {};
  return body.starts_with("<r>") ? body.substr(3, body.size() - 7) : body;
}

inline const std::map<std::string, std::string> kFiles = {
    {"part.xml", "<any><part/></any>"},
    {"pair.xml", "<any><pair/></any>"},
    {"broken.xml", "<any>\n<open></any>"},
    {"space.xacro",
     "<any xmlns:xacro='u'><xacro:property name='p' value='7'/><xacro:macro name='m' params='x'>"
     "<got x='${x}' p='${p}'/></xacro:macro></any>"},
    {"loop.xacro", "<any><xacro:include filename='loop.xacro'/></any>"},
    {"data.yaml",
     "# of an arm\narm: {mass: 2.5, names: [a, 'b c']}\nturn: !degrees 180\nlong: !inches 10\n"
     "on: yes\nold: 010\ntext: 1e-3\nbase: &base\n  k: 1\nmore:\n  <<: *base\n  l: 2\n"},
    {"bad.yaml", "a: 1\n b: 2\n"},
    {"package://arm/package.xml", "<package/>"},
    {"package://arm/urdf/a.xacro", "<any><of_package/></any>"}};

inline Expanded Expand(const std::string& inside,
                       const std::map<std::string, std::string>& args = {}) {
  const MemoryResolver resolver(kFiles);
  XacroOptions options;
  options.file_name = "main.xacro";
  options.resolver = &resolver;
  options.arguments = args;
  options.working_folder = "/here";
  options.names_in = [](const std::string&) {
    return std::vector<std::string>{"part.xml", "pair.xml", "other"};
  };
  options.environment = [](const std::string& name) {
    return name == "HOME_OF" ? std::optional<std::string>("x") : std::nullopt;
  };
  Expanded out;
  out.expansion =
      ExpandXacro("<r xmlns:xacro='u'>\n" + inside + "\n</r>", options, out.diagnostics);
  if (!out.diagnostics.items().empty()) out.message = Render(out.diagnostics.items().back());
  if (!out.expansion) return out;
  out.body = BodyOf(out.expansion->text);
  return out;
}

}  // namespace kinemorph::test
