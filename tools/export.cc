// kinemorph export: the equations of motion as C, MATLAB or an FMU.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "cleanup.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/emit/equations.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "motion_names.h"
#include "not_obeyed.h"
#include "outputs.h"
#include "session.h"
#include "zip_archive.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

// Whole or not at all: a new folder is filled beside its place and then moved there; in one that
// exists each file is replaced.
std::string WriteFolder(const std::string& folder, const std::vector<ExportedFile>& files) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (fs::exists(status)) {
    if (!fs::is_directory(status)) return "'" + folder + "' is no folder";
    for (const ExportedFile& file : files) {
      if (fs::is_directory(fs::path(folder) / file.name, error))
        return "'" + (fs::path(folder) / file.name).string() + "' is a folder";
    }
    for (const ExportedFile& file : files) {
      const std::string why = WriteWhole((fs::path(folder) / file.name).string(), file.text);
      if (!why.empty()) return why;
    }
    return {};
  }
  fs::path place(folder);
  if (!place.has_filename()) place = place.parent_path();
  if (place.has_parent_path()) fs::create_directories(place.parent_path(), error);
  const TemporaryFile lock(place.parent_path().string(), "");
  if (lock.handle() < 0) return "'" + folder + "' cannot be made: " + std::strerror(errno);
  const fs::path filled = lock.path() + ".d";
  const Doomed doomed(filled.string());
  if (!fs::create_directory(filled, error))
    return "'" + folder + "' cannot be made: " + error.message();
  std::string why;
  for (const ExportedFile& file : files) {
    if (why.empty()) why = WriteWhole((filled / file.name).string(), file.text);
  }
  if (why.empty()) {
    fs::rename(filled, place, error);
    if (error) why = "'" + folder + "' cannot be made: " + error.message();
  }
  if (!why.empty()) fs::remove_all(filled, error);
  return why;
}

enum class Language { kC, kMatlab, kFmu };

struct ExportOptions {
  Input input;
  std::string out;
  std::optional<Language> language;
  std::vector<std::string> armature;
};

int Export(const ExportOptions& options) {
  Diagnostics diagnostics;
  std::vector<std::string> read;
  const std::optional<Model> model = LoadModel(options.input, diagnostics, &read);
  if (!model) {
    PrintDiagnostics(diagnostics, options.input);
    return kBadInput;
  }
  TellNotObeyed(*model, diagnostics);
  Mechanism mechanism = Compile(*model);
  const std::vector<JointPlace> joints = JointPlaces(*model, mechanism);
  for (const std::string& armature : options.armature) {
    const std::string wrong = SetArmature(armature, joints, mechanism);
    if (!wrong.empty())
      diagnostics.Add({Severity::kError,
                       "armature-wrong",
                       options.input.path,
                       0,
                       "",
                       "'" + armature + "' of --armature: " + wrong,
                       {}});
  }
  if (diagnostics.has_errors()) {
    PrintDiagnostics(diagnostics, options.input);
    return kBadInput;
  }
  EquationOptions how;
  how.simulation = options.language == Language::kFmu;
  std::string why;
  const std::optional<Equations> equations =
      MakeEquations(mechanism, AnalyseCoordinates(mechanism), model->name, how, why);
  if (!equations) {
    diagnostics.Add({Severity::kError,
                     "export-impossible",
                     options.input.path,
                     0,
                     "",
                     "'" + model->name + "' cannot be exported: " + why,
                     {}});
    PrintDiagnostics(diagnostics, options.input);
    return kBadInput;
  }
  PrintDiagnostics(diagnostics, options.input);
  std::vector<ExportedFile> files;
  if (options.language == Language::kC) files = ExportC(*equations);
  if (options.language == Language::kMatlab) files = ExportMatlab(*equations);
  if (options.language == Language::kFmu) {
    std::optional<std::string> archive = ZipArchive(ExportFmu(*equations));
    if (!archive) throw std::runtime_error("the archive could not be made");
    files = {{equations->name + ".fmu", *std::move(archive)}};
  }
  for (const ExportedFile& file : files) {
    const std::string path = (fs::path(options.out) / file.name).string();
    RefuseInputs({path}, read);
    if (!MayReplace(path, file.text, kWrittenMark)) RefuseForeign(path, kWrittenMark);
  }
  why = WriteFolder(options.out, files);
  if (why.empty()) return kDone;
  std::cerr << "kinemorph: " << Printable(why) << '\n';
  return kBadInput;
}

}  // namespace

void AddExport(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "export", "write the equations of motion as C99, MATLAB functions or an FMU");
  auto options = std::make_shared<ExportOptions>();
  AddInputOptions(*command, options->input);
  command->add_option("-o,--output", options->out, "the folder to write to")->required();
  AddChoice<Language>(
      *command, "--language", options->language,
      {{"c", Language::kC}, {"matlab", Language::kMatlab}, {"fmu", Language::kFmu}},
      "c: C99 that needs only <math.h>; matlab: .m functions, for Octave too; fmu: FMU "
      "2.0 for model exchange, with sources")
      ->required();
  command->add_option("--armature", options->armature,
                      "JOINT=VALUE: inertia of the rotor as the joint feels it (kg m^2, kg)");
  command->callback([options, &run] { run = [options] { return Export(*options); }; });
}

}  // namespace kinemorph::tools
