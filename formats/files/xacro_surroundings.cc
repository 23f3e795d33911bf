#include "kinemorph/formats/xacro_surroundings.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "kinemorph/formats/file_resolver.h"

namespace kinemorph {
namespace {

std::optional<std::string> EnvironmentVariable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

// What xacro's $(env), $(cwd) and wildcards of includes may ask of the machine.
void AddSurroundings(XacroOptions& options, const FileResolver& files) {
  std::error_code error;
  options.environment = EnvironmentVariable;
  options.names_in = [&files](const std::string& folder) { return files.NamesIn(folder); };
  options.working_folder = std::filesystem::current_path(error).generic_string();
}

}  // namespace kinemorph
