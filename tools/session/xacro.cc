#include "session/xacro.h"

#include <algorithm>
#include <filesystem>

#include "host/files.h"
#include "host/plain_text.h"
#include "host/program.h"
#include "kinemorph/converters/conversion.h"
#include "kinemorph/formats/xacro_surroundings.h"

namespace kinemorph::tools {

// Two ways to expand. The library does it itself, without running anything; --xacro=program runs
// the program xacro, which executes Python that stands in the file, and is only done when asked
// for.

bool IsToBeExpanded(const Input& input) {
  return !input.no_xacro && (!input.xacro.empty() || input.path.ends_with(".xacro"));
}

std::map<std::string, std::string> XacroArguments(const Input& input) {
  std::map<std::string, std::string> arguments;
  for (const std::string& argument : input.xacro_args) {
    const std::size_t at = argument.find(":=");
    if (at == std::string::npos || at == 0)
      throw UsageError("--xacro-arg: '" + argument + "' is not of the form K:=V");
    std::string value = argument.substr(at + 2);
    // As the program xacro has it, an empty value leaves the default of the file in force.
    if (!value.empty()) arguments[argument.substr(0, at)] = std::move(value);
  }
  return arguments;
}

bool ExpandHere(const Input& input, const std::string& text, Diagnostics& diagnostics,
                std::vector<Asked>* asked) {
  // Names are found as for descriptions, through the same fence.
  const InputRecorder resolver(ResolverFor(input));
  XacroOptions options;
  options.file_name = input.path == "-" ? "<stdin>" : input.path;
  options.resolver = &resolver;
  options.arguments = XacroArguments(input);
  for (const auto& [name, folder] : PackageFolders(input.packages))
    options.packages[name] = std::filesystem::weakly_canonical(folder).generic_string();
  AddSurroundings(options, resolver.files());
  // Without an environment $(env) is an error and $(optenv) its default.
  if (input.no_env) options.environment = nullptr;
  std::optional<XacroExpansion> expansion = ExpandXacro(text, options, diagnostics);
  if (asked != nullptr) *asked = resolver.asked();
  if (!expansion) return false;
  input.expansion = std::make_shared<const XacroExpansion>(std::move(*expansion));
  return true;
}

std::optional<std::string> ExpandedByProgram(const Input& input, Diagnostics& diagnostics) {
  constexpr double kSeconds = 120;
  const auto say = [&](Severity severity, const char* code, const std::string& message) {
    diagnostics.Add(MakeDiagnostic(severity, code, input.path, 0, "", {"", input.path, message}));
  };
  if (input.no_env) {
    say(Severity::kError, "xacro-failed",
        "--no-env: the program xacro reads the environment: leave --xacro=program out");
    return std::nullopt;
  }
  // To a file, since the program prints warnings among its output.
  const TemporaryFile out(TemporaryRoot(), ".urdf");
  std::optional<ProgramResult> run;
  if (out.handle() >= 0) {
    std::vector<std::string> command = {"xacro", AsArgument(input.path), "-o", out.path()};
    command.insert(command.end(), input.xacro_args.begin(), input.xacro_args.end());
    run = RunProgram(command, "", kSeconds);
  }
  if (!run || run->exit_code == 127) {
    say(Severity::kError, "xacro-failed",
        "the program xacro is not installed: leave --xacro=program out, and kinemorph expands the "
        "file");
    return std::nullopt;
  }
  std::string why;
  std::optional<std::string> text;
  if (run->exit_code == 0) text = ReadWhole(out.path(), why);
  // Lines of its output cannot be traced to the source.
  if (text)
    say(Severity::kNote, "xacro-expanded",
        "the program xacro was run, which executes what the file says, and expanded it; lines are "
        "those of its output (without --xacro=program nothing is run)");
  else
    say(Severity::kError, "xacro-failed",
        "xacro does not expand it" + std::string(run->timed_out ? " in time" : "") + ": " +
            (run->exit_code == 0 ? why : PlainText(run->output)));
  return text;
}

void TranslateResult(const Input& input, ConversionResult& result) {
  if (input.expansion) TranslateResult(*input.expansion, result);
}

}  // namespace kinemorph::tools
