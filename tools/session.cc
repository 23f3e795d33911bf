#include "session.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/json.h"

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
  AddMessageOptions(command, input);
}

void AddMessageOptions(CLI::App& command, Input& input) {
  command
      .add_option("--diagnostics", input.diagnostics,
                  "how messages are printed on standard error: for people, as JSON lines, as "
                  "SARIF, or as annotations for GitHub")
      ->check(CLI::IsMember({"text", "json", "sarif", "github"}))
      ->capture_default_str();
  command.add_flag("--verbose", input.verbose, "print every message, not one line per code");
  command.add_flag("-q,--quiet", input.quiet, "print errors only");
}

ScreenOptions ScreenFor(const Input& input) {
  ScreenOptions options;
  options.verbose = input.verbose;
  options.errors_only = input.quiet;
  const char* const no_colour = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (!isatty(STDERR_FILENO) || (terminal != nullptr && std::string(terminal) == "dumb"))
    return options;
  options.colour = no_colour == nullptr || *no_colour == '\0';
  options.source_line = [](const std::string& file, unsigned line) -> std::optional<std::string> {
    std::ifstream stream(file);
    std::string text;
    for (unsigned i = 0; i < line; ++i)
      if (!std::getline(stream, text)) return std::nullopt;
    return text;
  };
  return options;
}

void PrintMessages(const std::vector<Diagnostic>& messages, const Input& input) {
  std::vector<Diagnostic> told;
  for (const Diagnostic& message : messages)
    if (!input.quiet || message.severity == Severity::kError) told.push_back(message);
  if (input.diagnostics == "sarif") {
    std::cerr << MessagesSarif(told, KINEMORPH_VERSION) << '\n';
  } else if (input.diagnostics == "github") {
    std::cerr << MessagesGithub(told);
  } else {
    for (const Diagnostic& message : told) std::cerr << MessageJson(message) << '\n';
  }
}

void PrintDiagnostics(const Diagnostics& diagnostics, const Input& input) {
  if (input.diagnostics == "text")
    std::cerr << MessagesScreen(diagnostics, ScreenFor(input));
  else
    PrintMessages(diagnostics.items(), input);
}

const Format* FormatNamed(const std::string& name, std::string& version) {
  std::string why;
  const Format* format = kinemorph::FormatNamed(name, version, why);
  if (format == nullptr) throw UsageError(why);
  return format;
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

std::optional<std::string> ReadInput(const Input& input, Diagnostics& diagnostics) {
  std::string why;
  std::optional<std::string> text = ReadWhole(input.path, why);
  if (!text)
    diagnostics.Add({Severity::kError,
                     "file-unreadable",
                     input.path,
                     0,
                     "",
                     "'" + input.path + "' cannot be read: " + why,
                     {}});
  return text;
}

std::optional<Model> LoadModel(const Input& input, Diagnostics& diagnostics) {
  std::string version;
  const Format* format = input.from.empty() ? nullptr : FormatNamed(input.from, version);
  const std::optional<std::string> text = ReadInput(input, diagnostics);
  if (!text) return std::nullopt;
  const FileResolver resolver = ResolverFor(input);
  ReadOptions options;
  options.file_name = input.path == "-" ? "<stdin>" : input.path;
  options.resolver = &resolver;
  return ReadModel(*text, format, options, diagnostics);
}

}  // namespace kinemorph::tools
