// kinemorph export: the equations of motion as C, MATLAB, an FMU or a package of ROS 2.
#include "kinemorph/export.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "command/fmu_binary.h"
#include "command/zip_archive.h"
#include "host/cleanup.h"
#include "host/working.h"
#include "kinemorph/graph/base/printable.h"
#include "session/outputs.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

// An export is several files that belong together. They are made in memory, then written as one
// folder: a reader finds either all of them or none.

// Whole or not at all: a new folder is filled beside its place and then moved there; in one that
// exists each file is replaced.
std::string WriteFolder(const std::string& folder, const std::vector<ExportedFile>& files) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (fs::exists(status)) {
    // All are looked at before the first is written.
    if (!fs::is_directory(status)) return "'" + folder + "' is not a folder";
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
  // In the folder that takes the new one, so that the last step is a rename, and named after a
  // temporary file, since nobody else has such a name.
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

struct ExportOptions {
  Input input;
  std::string out;
  ExportRequest request;
};

// Options of FMUs are no options of other languages, and FMUs have no contacts.
void RefuseOptionsOfOthers(const ExportRequest& request) {
  if (request.language == ExportLanguage::kFmu) {
    if (!request.feet.empty()) throw UsageError("--contact is not of --language fmu");
    return;
  }
  for (const auto& [given, name] : {std::pair(request.fmi.has_value(), "--fmi"),
                                    {!request.binaries.empty(), "--binary"},
                                    {!request.output_frames.empty(), "--output-frame"}}) {
    if (given) throw UsageError(std::string(name) + " is of --language fmu alone");
  }
}

int Export(const ExportOptions& options) {
  RefuseOptionsOfOthers(options.request);
  Diagnostics diagnostics;
  std::vector<std::string> read;
  const std::optional<Robot> robot = LoadRobot(options.input, diagnostics, &read);
  std::optional<ExportedEquations> made;
  const ExportRequest& request = options.request;
  if (robot) {
    const Working working("writing equations of '" + options.input.path + "'",
                          ShowsWork(options.input));
    made = ExportEquations(*robot, request, diagnostics);
    if (made && request.language == ExportLanguage::kFmu)
      AddBinaries(*made, request.fmi.value_or(FmiVersion::kFmi2), request.binaries, robot->file,
                  diagnostics);
  }
  PrintDiagnostics(diagnostics, options.input);
  if (!made || diagnostics.has_errors()) return kBadInput;
  std::vector<ExportedFile>& files = made->files;
  // An importer takes an FMU as one archive.
  if (request.language == ExportLanguage::kFmu) {
    std::optional<std::string> archive = ZipArchive(files);
    if (!archive) throw std::runtime_error("the archive could not be made");
    files = {{made->name + ".fmu", *std::move(archive)}};
  }
  // Names are known only now. Nothing that is read, nothing that somebody wrote, no two to one
  // name.
  std::vector<std::string> paths;
  for (const ExportedFile& file : files) {
    const std::string& path = paths.emplace_back((fs::path(options.out) / file.name).string());
    RefuseInputs({path}, read);
    if (!MayReplace(path, file.text, kWrittenMark)) RefuseForeign(path, kWrittenMark);
  }
  RefuseClashes(paths);
  const std::string why = WriteFolder(options.out, files);
  if (why.empty()) return kDone;
  std::cerr << "kinemorph: " << Printable(why) << '\n';
  return kBadInput;
}

}  // namespace

void AddExport(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "export",
      "Write the equations of motion as C or MATLAB functions, an FMU or a ROS 2 package.");
  auto options = std::make_shared<ExportOptions>();
  AddInputOptions(*command, options->input);
  StartGroup(*command, kOutputGroup);
  command->add_option("-o,--output", options->out, "the folder to write")
      ->type_name("DIR")
      ->required();
  AddOptions(*command, options->request);
  command->get_option("--language")->required()->default_str("");
  command->callback([options, &run] { run = [options] { return Export(*options); }; });
}

}  // namespace kinemorph::tools
