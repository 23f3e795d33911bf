#include "session.h"

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

namespace kinemorph::tools {
void AddResourceOptions(CLI::App& command, Input& input) {
  command
      .add_option("--package", input.packages,
                  "where a package:// or model:// name lives (NAME=DIR), repeatable")
      ->type_name("NAME=DIR")
      ->allow_extra_args(false);
}

void AddInputOptions(CLI::App& command, Input& input) {
  command.add_option("IN", input.path, "the description to read; - is standard input")->required();
  command.add_option("--from", input.from,
                     "its format, when its content does not tell: urdf, urdf+, sdf, mjcf, mbs");
  AddResourceOptions(command, input);
  command
      .add_option("--diagnostics", input.diagnostics, "how messages are printed on standard error")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command.add_flag("-q,--quiet", input.quiet, "print errors only");
}

void PrintDiagnostics(const Diagnostics& diagnostics, const Input& input) {
  for (const Diagnostic& item : diagnostics.items()) {
    if (input.quiet && item.severity != Severity::kError) continue;
    if (input.diagnostics == "json") {
      nlohmann::ordered_json line = {{"severity", Name(item.severity)},
                                     {"code", item.code},
                                     {"file", item.file},
                                     {"line", item.line},
                                     {"element", item.element},
                                     {"message", item.message}};
      if (!item.notes.empty()) line["notes"] = item.notes;
      std::cerr << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    } else {
      std::cerr << Render(item) << '\n';
    }
  }
}

const Format* FormatNamed(const std::string& name, std::string& version) {
  const Format* format = FindFormat(name, version);
  if (format) return format;
  std::string known;
  for (const Format& each : AllFormats()) {
    known += (known.empty() ? "" : ", ") + std::string(each.name);
    if (!each.versions.empty()) {
      known += " (or";
      for (const std::string_view v : each.versions)
        known += " " + std::string(each.name) + "@" + std::string(v);
      known += ")";
    }
  }
  throw UsageError("'" + name + "' is no format; known: " + known);
}

std::map<std::string, std::string> PackageFolders(const std::vector<std::string>& packages) {
  std::map<std::string, std::string> folders;
  for (const std::string& package : packages) {
    const std::size_t equals = package.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == package.size()) {
      throw UsageError("--package: '" + package + "' is not of the form NAME=DIR");
    }
    folders[package.substr(0, equals)] = package.substr(equals + 1);
  }
  return folders;
}

FileResolver ResolverFor(const Input& input) {
  return FileResolver(input.path, PackageFolders(input.packages));
}

std::optional<Model> LoadModel(const Input& input, Diagnostics& diagnostics) {
  std::string text;
  return LoadModel(input, ResolverFor(input), text, diagnostics);
}

std::optional<Model> LoadModel(const Input& input, const ResourceResolver& resolver,
                               std::string& text, Diagnostics& diagnostics) {
  std::string version, why;
  const Format* format = input.from.empty() ? nullptr : FormatNamed(input.from, version);
  std::optional<std::string> read = ReadWhole(input.path, why);
  if (!read) {
    diagnostics.Add({Severity::kError,
                     "file-unreadable",
                     input.path,
                     0,
                     "",
                     "'" + input.path + "' cannot be read: " + why,
                     {}});
    return std::nullopt;
  }
  text = std::move(*read);
  ReadOptions options;
  options.file_name = input.path == "-" ? "<stdin>" : input.path;
  options.resolver = &resolver;
  return ReadModel(text, format, options, diagnostics);
}

}  // namespace kinemorph::tools
