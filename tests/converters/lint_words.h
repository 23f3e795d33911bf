// What the lint says of texts.
#pragma once

#include <map>
#include <string>

#include "kinemorph/converters/lint.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/xacro.h"

namespace kinemorph::test {

/// Reads a text in memory, expanded where its name ends in .xacro, and says all that `lint` does.
inline Diagnostics LintText(std::string text, const std::string& name,
                            const std::map<std::string, std::string>& files = {}) {
  const MemoryResolver resolver(files);
  Diagnostics said;
  ReadOptions options;
  options.file_name = name;
  options.resolver = &resolver;
  std::optional<XacroExpansion> expansion;
  if (name.ends_with(".xacro")) {
    XacroOptions how;
    how.file_name = name;
    how.resolver = &resolver;
    expansion = ExpandXacro(text, how, said);
    if (!expansion) return said;
    text = expansion->text;
    options.file_name = expansion->name;
  }
  const std::optional<Model> model = ReadModel(text, nullptr, options, said);
  if (model) said = Lint(*model, said, &resolver);
  return expansion ? expansion->Translated(said) : said;
}

/// `text` with the first `from` replaced by `to`.
inline std::string With(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? "no '" + from + "'" : text.replace(at, from.size(), to);
}

}  // namespace kinemorph::test
