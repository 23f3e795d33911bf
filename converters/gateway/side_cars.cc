#include "gateway/side_cars.h"

#include <algorithm>

#include "kinemorph/formats/submechanisms.h"

namespace kinemorph {
namespace {

void Say(Diagnostics& diagnostics, Severity severity, const char* code, const std::string& file,
         const std::string& what) {
  diagnostics.Add({severity, code, file, 0, "", "'" + file + "': " + what, {}});
}

bool AddNamed(const SideCarText& file, const ResourceResolver* resolver, Model& model,
              Diagnostics& diagnostics) {
  if (!LooksLikeSubmechanisms(file.text)) {
    Say(diagnostics, Severity::kError, "side-car-unknown", file.name,
        "is no side-car that kinemorph knows; HyRoDyn's has a line 'submechanisms:'");
    return false;
  }
  const auto parts = ParseSubmechanisms(file.text, file.name, diagnostics);
  return parts && AddSubmechanisms(*parts, resolver, model, diagnostics);
}

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// robot.yml beside robot.urdf, or submechanisms.yml.
std::vector<std::string> NamesBeside(const std::string& path) {
  const std::string name = path.substr(FolderOf(path).size());
  const std::string stem = name.substr(0, name.rfind('.'));
  return {stem + ".yml", stem + ".yaml", "submechanisms.yml", "submechanisms.yaml"};
}

bool AddFound(const std::string& in, const ResourceResolver& resolver, Model& model,
              Diagnostics& diagnostics) {
  for (const std::string& name : NamesBeside(in)) {
    std::string why;
    const std::optional<Resource> found = resolver.Open(name, in, why);
    if (!found || !LooksLikeSubmechanisms(found->content)) continue;
    const std::string path = FolderOf(in) + name;
    Diagnostics reading;
    const auto file = ParseSubmechanisms(found->content, path, reading);
    if (!file) {
      Say(diagnostics, Severity::kWarning, "side-car-unusable", path,
          "stands beside '" + in + "' and cannot be read (--with none leaves it)");
      diagnostics.Append(reading);
      return false;
    }
    const std::vector<std::string> unknown = UnknownJoints(*file, model, 1);
    if (!unknown.empty()) {
      Say(diagnostics, Severity::kNote, "side-car-foreign", path,
          "stands beside '" + in + "' and is of another robot: it has no joint '" +
              unknown.front() + "'; it is not read");
      continue;
    }
    diagnostics.Append(reading);
    Say(diagnostics, Severity::kNote, "side-car-found", path,
        "is read with '" + in + "', beside which it stands (--with none leaves it)");
    return AddSubmechanisms(*file, &resolver, model, diagnostics);
  }
  return true;
}

}  // namespace

bool AddSideCars(const std::string& in, const LoadOptions& options,
                 const ResourceResolver* resolver, Model& model, Diagnostics& diagnostics) {
  for (const SideCarText& file : options.with)
    if (!AddNamed(file, resolver, model, diagnostics)) return false;
  const bool takes_them = model.format == "urdf" || model.format == "urdf+";
  const bool look = options.with.empty() && options.look_beside && resolver != nullptr;
  return !look || !takes_them || in == "-" || AddFound(in, *resolver, model, diagnostics);
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

}  // namespace kinemorph
