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

/// A YAML file of a few thousand values, and one whose values are all ten of the one before.
inline std::string LargeYaml() {
  std::string text = "m: 1.5\nl:\n";
  for (int i = 0; i < 5000; ++i) text += "- {a: " + std::to_string(i) + ", b: [x, y]}\n";
  return text;
}
inline std::string AliasesYaml() {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) text += ", " + before;
    text += "]\n";
  }
  return text;
}

inline const std::map<std::string, std::string> kFiles = {
    {"large.yaml", LargeYaml()},
    {"laughs.yaml", AliasesYaml()},
    {"twice.xacro",
     "<any><xacro:include filename='twice.xacro'/><xacro:include filename='twice.xacro'/></any>"},
    {"part.xml", "<any><part/></any>"},
    {"pair.xml", "<any><pair/></any>"},
    {"other/deep.xml", "<any><deep/></any>"},
    {"broken.xml", "<any>\n<open></any>"},
    {"space.xacro",
     "<any xmlns:xacro='u'><xacro:property name='p' value='7'/><xacro:macro name='m' params='x'>"
     "<got x='${x}' p='${p}'/></xacro:macro></any>"},
    {"lib.xacro",
     "<any xmlns:xacro='u'><xacro:property name='p' value='lib'/><xacro:property name='own' "
     "value='1'/><xacro:property name='same' value='5'/>"
     "<xacro:macro name='n' params='x'><n>${x}</n></xacro:macro>"
     "<xacro:macro name='f' params='p:=^'><f>${p}</f></xacro:macro>"
     "<xacro:macro name='d' params='x:=${p}'><d>${x}</d></xacro:macro>"
     "<xacro:macro name='k' params='*b'><xacro:insert_block name='b'/></xacro:macro>"
     "<xacro:macro name='body'><y>${p}</y></xacro:macro></any>"},
    {"prefix.xacro", "<any xmlns:k='uri'><k/></any>"},
    {"loop.xacro", "<any><xacro:include filename='loop.xacro'/></any>"},
    {"data.yaml",
     "# of an arm\narm: {mass: 2.5, names: [a, 'b c']}\nturn: !degrees 180\nlong: !inches 10\n"
     "on: yes\nold: 010\ntext: 1e-3\nbase: &base\n  k: 1\nmore:\n  <<: *base\n  l: 2\n"},
    {"bad.yaml", "a: 1\n b: 2\n"},
    {"surrogate.yaml", "a: 1\nb: \"\\uD800\"\n"},
    {"sign.yaml", "a: 1\nb: \"\\x+1\"\n"},
    {"prefix.yaml", "a: 1\nb: \"\\u0x41\"\n"},
    {"latin.yaml", "a: 1\nb: \xE9\n"},
    {"control.yaml", "a: 1\nb: \x01\n"},
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
  options.names_in = [](const std::string& folder) {
    std::vector<std::string> names = {"part.xml", "pair.xml", "other"};
    if (folder.find("/other/") != std::string::npos) names.emplace_back("deep.xml");
    return names;
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
