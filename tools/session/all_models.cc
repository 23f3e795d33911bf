#include "session/all_models.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "host/files.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/base/printable.h"

namespace kinemorph::tools {
namespace {

// A world with several robots, for formats that hold one: each model is converted as if --model
// named it, into a file of its own in the folder OUT.

namespace fs = std::filesystem;

void CheckAllModels(const ConversionOptions& options) {
  if (options.to.empty()) throw UsageError("--all-models writes files into OUT; name --to too");
  if (options.out == "-" || (fs::exists(options.out) && !fs::is_directory(options.out)))
    throw UsageError("--all-models: OUT is a folder, and '" + options.out + "' is none");
  if (!options.options.model.empty())
    throw UsageError("--all-models and --model exclude each other");
  if (!options.loss_report.empty())
    throw UsageError("--loss-report is of one model; convert it with --model NAME");
}

// The worst of exit codes: kInternal, kBadInput, kWouldLose, kDone.
int Worse(int a, int b) {
  for (const int code : {kInternal, kBadInput, kWouldLose})
    if (a == code || b == code) return code;
  return kDone;
}

// A model may be called anything; with a slash or a leading dot its name would be another file or a
// hidden one.
std::string FileNameOf(const std::string& model) {
  std::string name = model;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return name.empty() || name[0] == '.' ? "_" + name : name;
}

}  // namespace

std::vector<std::string> ModelsIn(const Input& input) {
  Diagnostics quiet;
  const std::optional<Robot> robot = LoadRobot(input, quiet);
  return robot ? ModelNames(robot->model) : std::vector<std::string>();
}

// Models differ in the size of letters alone where a file system may not.
std::vector<std::string> FileNamesOf(const std::vector<std::string>& models) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& model : models) {
    const std::string plain = FileNameOf(model);
    std::string name = plain;
    for (int i = 2; !taken.insert(NameWithoutCase(name)).second; ++i)
      name = plain + "_" + std::to_string(i);
    names.push_back(std::move(name));
  }
  return names;
}

int ConvertAllModels(const ConversionOptions& options) {
  CheckAllModels(options);
  std::string version;
  // The list is made by reading the file once more; its messages come with each conversion.
  const std::string extension(FormatNamed(options.to, version)->extensions.front());
  std::vector<std::string> models = ModelsIn(options.input);
  const bool alone = models.empty();  // one robot, or an error that converting it tells
  if (alone) models.push_back(fs::path(options.input.path).stem().string());
  const std::vector<std::string> files = FileNamesOf(models);
  std::vector<std::string> outs;
  for (const std::string& file : files)
    outs.push_back((fs::path(options.out) / (file + extension)).string());
  // No scene or side-car of one model may be the file of another.
  const auto targets = TargetsOf(outs, options.scene);
  std::error_code error;
  fs::create_directories(options.out, error);  // writing tells
  int end = kDone;
  std::size_t written = 0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const std::string& model = models[i];
    ConversionOptions one = options;
    one.out = outs[i], one.targets = targets;
    if (!alone) one.options.model = model;
    Outcome outcome;
    const int code = ConvertFile(one, outcome);
    PrintConversion(outcome.result, one, code == kDone ? one.out : "");
    if (code != kDone)
      std::cerr << "kinemorph: model '" << Printable(model) << "' is not written\n";
    written += code == kDone ? 1 : 0;
    end = Worse(end, code);
  }
  std::cout << "written " << written << " of " << models.size() << " models\n" << std::flush;
  return end;
}

}  // namespace kinemorph::tools
