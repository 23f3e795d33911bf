// kinemorph export: the equations of motion as C, MATLAB, an FMU or a package of ROS 2.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "cleanup.h"
#include "fmu_binary.h"
#include "kinemorph/graph/base/printable.h"
#include "outputs.h"
#include "session.h"
#include "working.h"
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
  std::optional<ExportLanguage> language;
  ExportRequest request;
  std::optional<FmiVersion> fmi;
  std::vector<std::string> binaries;
};

// Options of FMUs are no options of other languages, and FMUs have no contacts.
void RefuseOptionsOfOthers(const ExportOptions& options) {
  if (*options.language == ExportLanguage::kFmu) {
    if (!options.request.feet.empty()) throw UsageError("--contact is not of --language fmu");
    return;
  }
  for (const auto& [given, name] : {std::pair(options.fmi.has_value(), "--fmi"),
                                    {!options.binaries.empty(), "--binary"},
                                    {!options.request.output_frames.empty(), "--output-frame"}}) {
    if (given) throw UsageError(std::string(name) + " is of --language fmu alone");
  }
}

int Export(const ExportOptions& options) {
  RefuseOptionsOfOthers(options);
  Diagnostics diagnostics;
  std::vector<std::string> read;
  const std::optional<Robot> robot = LoadRobot(options.input, diagnostics, &read);
  std::optional<ExportedEquations> made;
  ExportRequest request = options.request;
  request.language = *options.language;
  request.fmi = options.fmi.value_or(FmiVersion::kFmi2);
  if (robot) {
    const Working working("writing equations of '" + options.input.path + "'",
                          ShowsWork(options.input));
    made = ExportEquations(*robot, request, diagnostics);
    if (made && request.language == ExportLanguage::kFmu)
      AddBinaries(*made, request.fmi, options.binaries, robot->file, diagnostics);
  }
  PrintDiagnostics(diagnostics, options.input);
  if (!made || diagnostics.has_errors()) return kBadInput;
  std::vector<ExportedFile>& files = made->files;
  if (request.language == ExportLanguage::kFmu) {
    std::optional<std::string> archive = ZipArchive(files);
    if (!archive) throw std::runtime_error("the archive could not be made");
    files = {{made->name + ".fmu", *std::move(archive)}};
  }
  for (const ExportedFile& file : files) {
    const std::string path = (fs::path(options.out) / file.name).string();
    RefuseInputs({path}, read);
    if (!MayReplace(path, file.text, kWrittenMark)) RefuseForeign(path, kWrittenMark);
  }
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
  AddChoice<ExportLanguage>(
      *command, "--language", options->language,
      {{"c", ExportLanguage::kC},
       {"matlab", ExportLanguage::kMatlab},
       {"fmu", ExportLanguage::kFmu},
       {"ros2", ExportLanguage::kRos2}},
      "the output. c: C99 functions that need only <math.h>. matlab: .m functions, for Octave "
      "too. fmu: an FMU for co-simulation and model exchange, with sources and binaries. ros2: a "
      "package whose node closes the loops and publishes all joints from the independent ones")
      ->required();
  StartGroup(*command, kMechanismGroup);
  command
      ->add_option("--armature", options->request.armatures,
                   "the rotor inertia of a joint, seen at the joint (kg m^2 or kg)")
      ->type_name("JOINT=VALUE");
  command
      ->add_option("--contact", options->request.feet,
                   "a point foot, given in the frame of the link (m): adds the functions feet and "
                   "impact")
      ->type_name("LINK:X,Y,Z");
  StartGroup(*command, kOutputGroup);
  AddChoice<FmiVersion>(*command, "--fmi", options->fmi,
                        {{"2", FmiVersion::kFmi2}, {"3", FmiVersion::kFmi3}},
                        "the FMI standard of an FMU: 2.0 (the default) or 3.0");
  command
      ->add_option("--binary", options->binaries,
                   "the compiled libraries of an FMU. auto (the default): one for each platform "
                   "that an installed compiler can build. none: sources only. linux64, win64: for "
                   "this platform, or an error")
      ->type_name("WORD")
      ->check(OneOf({"auto", "none", "linux64", "win64"}));
  command
      ->add_option("--output-frame", options->request.output_frames,
                   "a link or frame whose pose in the world becomes an output of the FMU")
      ->type_name("NAME");
  command->callback([options, &run] { run = [options] { return Export(*options); }; });
}

}  // namespace kinemorph::tools
