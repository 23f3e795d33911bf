#include "side_cars.h"

#include <algorithm>
#include <filesystem>

#include "kinemorph/formats/submechanisms.h"

namespace kinemorph::tools {
namespace {

void Say(Diagnostics& diagnostics, Severity severity, const char* code, const std::string& file,
         const std::string& what) {
  diagnostics.Add({severity, code, file, 0, "", "'" + file + "': " + what, {}});
}

bool AskedFor(const ResourceResolver& resolver, const std::string& path, Model& model,
              Diagnostics& diagnostics) {
  std::string why;
  const std::optional<std::string> text = ReadWhole(path, why);
  if (!text) {
    Say(diagnostics, Severity::kError, "file-unreadable", path, "cannot be read: " + why);
    return false;
  }
  if (!LooksLikeSubmechanisms(*text)) {
    Say(diagnostics, Severity::kError, "side-car-unknown", path,
        "is no side-car that kinemorph knows; HyRoDyn's has a line 'submechanisms:'");
    return false;
  }
  const auto file = ParseSubmechanisms(*text, path, diagnostics);
  return file && AddSubmechanisms(*file, &resolver, model, diagnostics);
}

// robot.yml beside robot.urdf, or submechanisms.yml.
std::vector<std::string> NamesBeside(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return {stem + ".yml", stem + ".yaml", "submechanisms.yml", "submechanisms.yaml"};
}

bool Found(const Input& input, const ResourceResolver& resolver, Model& model,
           Diagnostics& diagnostics) {
  for (const std::string& name : NamesBeside(input.path)) {
    std::string why;
    const std::optional<Resource> found = resolver.Open(name, input.path, why);
    if (!found || !LooksLikeSubmechanisms(found->content)) continue;
    const std::string path = (std::filesystem::path(input.path).parent_path() / name).string();
    Diagnostics reading;
    const auto file = ParseSubmechanisms(found->content, path, reading);
    if (!file) {
      Say(diagnostics, Severity::kWarning, "side-car-unusable", path,
          "stands beside '" + input.path + "' and cannot be read (--with none leaves it)");
      diagnostics.Append(reading);
      return false;
    }
    const std::vector<std::string> unknown = UnknownJoints(*file, model, 1);
    if (!unknown.empty()) {
      Say(diagnostics, Severity::kNote, "side-car-foreign", path,
          "stands beside '" + input.path + "' and is of another robot: it has no joint '" +
              unknown.front() + "'; it is not read");
      continue;
    }
    diagnostics.Append(reading);
    Say(diagnostics, Severity::kNote, "side-car-found", path,
        "is read with '" + input.path + "', beside which it stands (--with none leaves it)");
    return AddSubmechanisms(*file, &resolver, model, diagnostics);
  }
  return true;
}

}  // namespace

bool AddSideCars(const Input& input, const ResourceResolver& resolver, Model& model,
                 Diagnostics& diagnostics) {
  for (const std::string& path : input.with)
    if (path != "none" && !AskedFor(resolver, path, model, diagnostics)) return false;
  const bool takes_them = model.format == "urdf" || model.format == "urdf+";
  if (!input.with.empty() || !takes_them || input.path == "-") return true;
  return Found(input, resolver, model, diagnostics);
}

bool AddWrittenSideCars(Model& model, const std::vector<SideFile>& files,
                        Diagnostics& diagnostics) {
  for (const SideFile& file : files) {
    if (!file.beside || !LooksLikeSubmechanisms(file.text)) continue;
    const auto read = ParseSubmechanisms(file.text, file.name, diagnostics);
    if (!read || !AddSubmechanisms(*read, nullptr, model, diagnostics)) return false;
  }
  return true;
}

}  // namespace kinemorph::tools
