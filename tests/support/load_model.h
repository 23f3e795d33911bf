// Reads model files in tests, through the registry like the command does.
#pragma once

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "kinemorph/converters/convert.h"
#include "kinemorph/formats/file_resolver.h"
#include "paths.h"

namespace kinemorph::test {

inline std::optional<std::string> ReadText(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Nothing when the file is missing or has errors; the first error goes to `why`.
inline std::optional<Model> LoadModel(const std::string& path, std::string& why) {
  const std::optional<std::string> text = ReadText(path);
  if (!text) {
    why = path + ": not found";
    return std::nullopt;
  }
  const FileResolver resolver(path, {});
  ReadOptions options;
  options.file_name = path;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  std::optional<Model> model = ReadModel(*text, nullptr, options, diagnostics);
  for (const Diagnostic& item : diagnostics.items()) {
    if (item.severity == Severity::kError && why.empty()) why = Render(item);
  }
  return model;
}

inline std::string Fixture(const std::string& path) {
  return kinemorph::test::SourceDir() + "/fixtures/" + path;
}
inline std::string Shared(const std::string& path) {
  return kinemorph::test::SharedDir() + "/" + path;
}

}  // namespace kinemorph::test
