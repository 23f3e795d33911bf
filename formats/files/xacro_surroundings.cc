#include "kinemorph/formats/xacro_surroundings.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace kinemorph {
namespace {

std::optional<std::string> EnvironmentVariable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    names.push_back(it->path().filename().string());
  return names;
}

}  // namespace

void AddSurroundings(XacroOptions& options) {
  std::error_code error;
  options.environment = EnvironmentVariable;
  options.names_in = NamesIn;
  options.working_folder = std::filesystem::current_path(error).string();
}

}  // namespace kinemorph
