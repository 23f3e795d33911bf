// Reading files and converting models in tests, with every message collected.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "kinemorph/converters/convert.h"
#include "kinemorph/formats/file_resolver.h"
#include "paths.h"

namespace kinemorph::test {

inline std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline std::string Rendered(const Diagnostics& diagnostics, Severity least = Severity::kError) {
  std::string out;
  for (const Diagnostic& d : diagnostics.items())
    if (d.severity >= least) out += Render(d) + "\n";
  return out;
}

/// "urdf+", "sdf@1.11", "urdf+ paper", "urdf+ grbda", "usda physx", "urdf none".
inline Target TargetNamed(std::string name) {
  Target target;
  if (const std::size_t space = name.find(' '); space != std::string::npos) {
    target.options.profile = ProfileNamed(name.substr(space + 1));
    target.options.physx = name.substr(space + 1) == "physx";
    if (name.ends_with(" none")) target.options.loops = LoopChoice::kNone;
    if (name.ends_with(" detachable")) target.options.loops = LoopChoice::kDetachable;
    name.resize(space);
  }
  target.format = FindFormat(name, target.options.version);
  return target;
}

inline std::optional<Model> ReadText(const std::string& text, const std::string& file_name,
                                     Diagnostics& diagnostics) {
  FileResolver resolver(file_name, {});
  ReadOptions options;
  options.file_name = file_name;
  options.resolver = &resolver;
  return ReadModel(text, nullptr, options, diagnostics);
}

inline std::optional<Model> ReadFile(const std::filesystem::path& path, Diagnostics& diagnostics) {
  return ReadText(ReadAll(path), path.string(), diagnostics);
}

inline std::string Extension(std::string_view format) {
  return format == "urdf+" ? ".urdf" : format == "mjcf" ? ".xml" : "." + std::string(format);
}

/// Files below `folder` with one of the extensions, sorted.
inline std::vector<std::string> FilesBelow(const std::filesystem::path& folder,
                                           const std::vector<std::string>& extensions) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator it(folder, error), end; it != end;
       it.increment(error)) {
    if (error) break;
    if (it->is_regular_file() && std::find(extensions.begin(), extensions.end(),
                                           it->path().extension().string()) != extensions.end())
      files.push_back(it->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::string Fixtures() { return kinemorph::test::SourceDir() + "/fixtures"; }
inline std::string Shared() { return kinemorph::test::SharedDir() + "/data"; }

}  // namespace kinemorph::test
