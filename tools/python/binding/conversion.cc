// Conversion and comparison.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "description.h"
#include "host/mesh_converter.h"
#include "host/reference_library.h"
#include "interruption.h"
#include "kinemorph/converters/json.h"
#include "kinemorph/converters/screen.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/formats/read_whole.h"

namespace kinemorph::python {
namespace {

// Conversion for Python writes no files: texts come back as bytes, meshes too where the caller asks
// for copies (`flat`). The interpreter's lock is given up while the library works, so nothing of
// Python is touched there.

// Names without folders for the files that a conversion finds, each its own.
class FlatNames {
 public:
  explicit FlatNames(std::string folder) : folder_(std::move(folder)) {}
  std::string NameOf(const std::string& path) {
    const auto known = names_.find(path);
    if (known != names_.end()) return known->second;
    const std::filesystem::path file(path);
    std::string name = folder_ + file.filename().string();
    for (int i = 2; !taken_.insert(tools::NameWithoutCase(name)).second; ++i)
      name = folder_ + file.stem().string() + "_" + std::to_string(i) + file.extension().string();
    return names_[path] = name;
  }
  /// Bytes by name, of those that `text` still names.
  // Names of meshes may be in the map that the writer did not take; only what the text names is
  // read.
  [[nodiscard]] std::map<std::string, std::string> FilesIn(const std::string& text,
                                                           const Robot& robot) const {
    std::map<std::string, std::string> files;
    for (const auto& [path, name] : names_) {
      if (text.find(name) == std::string::npos) continue;
      std::string why;
      std::optional<Resource> found;
      if (robot.resolver) found = robot.resolver->Open(path, robot.file, why);
      std::optional<std::string> bytes = found ? found->content : ReadWhole(path, why);
      if (bytes) files[name] = std::move(*bytes);
    }
    return files;
  }

 private:
  std::string folder_;  // with its "/", or empty
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

// What Python gets of a conversion.
struct Outcome {
  ConversionResult result;
  std::string screen;
  std::map<std::string, std::string> assets;
};

// How files go with it, and who judges it.
struct Surroundings {
  std::optional<std::string> flat;  // what the names of copied meshes begin with; none: none are
  bool convert_meshes = false;
  std::optional<std::string> judge;  // the program kinemorph-judge; none: nobody is asked
  std::vector<std::string> fence;    // folders that the description may reach
};

// The judge opens meshes by relative names. Where copies exist in memory only, a temporary folder
// holds them for it.
// Asked beside the file to be, or in a folder where the text finds its copies.
bool Accepted(const Surroundings& around, const std::map<std::string, std::string>& assets,
              const Target& target, const std::string& out, const Bundle& written,
              Diagnostics& messages) {
  const auto asked_in = [&](const std::string& folder) {
    std::vector<std::string> fence = around.fence;
    fence.push_back(tools::RealPath(folder).string());
    return tools::ReferenceLibraryAccepts(*around.judge, target, out, folder, fence, written,
                                          messages);
  };
  const std::filesystem::path beside = std::filesystem::path(out).parent_path();
  if (!around.flat) return asked_in(beside.empty() ? tools::TemporaryRoot() : beside.string());
  const tools::TemporaryFolder folder;
  const std::filesystem::path root(folder.path());
  if (root.empty()) return true;
  for (const auto& [name, bytes] : assets) {
    const std::filesystem::path place = root / name;
    // A name that leads out of the folder is judged as missing.
    if (!tools::Inside(place.lexically_normal(), root)) continue;
    std::error_code error;
    std::filesystem::create_directories(place.parent_path(), error);
    if (!tools::WriteWhole(place.string(), bytes).empty()) return true;
  }
  return asked_in(root.string());
}

Outcome ConvertedBy(const Description& description, ConversionRequest request,
                    const std::string& out, Surroundings around) {
  const Robot& robot = description.robot();
  const std::optional<std::string>& flat = around.flat;
  request.out = out;
  const std::filesystem::path target(out);
  const std::string stem = target.stem().string();
  request.options.target.options.stem = stem.empty() ? "robot" : stem;
  FlatNames names(flat.value_or(""));
  const auto* disk = dynamic_cast<const FileResolver*>(robot.resolver.get());
  // A robot from memory has no fence: there is nothing that it could reach.
  if (disk != nullptr) around.fence = disk->Fence();
  if (flat) {
    request.asset_name = [&](const std::string& path) { return names.NameOf(path); };
  } else if (disk != nullptr && !target.parent_path().empty()) {
    // Meshes stay where they are; the text names them as seen from the folder of `out`.
    request.source_folder = disk->FolderOf(robot.file);
    request.target_folder = disk->FolderOf(out);
  }
  // Proof reads the text back as if it stood at `out`, and may open what the source may.
  FileAccess beside;
  beside.also.push_back(robot.file);
  std::optional<FileResolver> target_files;
  if (request.verify && disk != nullptr && !flat)
    request.target_resolver = &target_files.emplace(out, std::move(beside));
  const std::vector<Feature> dropped = request.options.drop;
  Diagnostics of_meshes;
  tools::ObjConverter meshes(of_meshes);
  if (around.convert_meshes) {
    request.convert_mesh = [&](const std::string& path, bool by_colour) {
      std::vector<MadeMesh> made;
      for (const tools::ColouredFile& file : meshes.FilesOf(path, by_colour)) {
        std::string why;
        made.push_back(
            {{names.NameOf(file.path), ReadWhole(file.path, why).value_or("")}, file.colour});
      }
      return made;
    };
  }
  if (around.judge) {
    request.judge = [&](const Target& target_format, const Bundle& written, Diagnostics& said) {
      const auto assets =
          flat ? names.FilesIn(written.text, robot) : std::map<std::string, std::string>();
      return Accepted(around, assets, target_format, out, written, said);
    };
  }
  Outcome outcome;
  outcome.result = ConvertRobot(robot, std::move(request));
  outcome.result.diagnostics.Append(of_meshes);
  ScreenOptions screen;
  // The screen's messages are those of the command.
  screen.silent = dropped;
  outcome.screen = ConversionScreen(outcome.result, robot.file, "", screen);
  if (flat) outcome.assets = names.FilesIn(outcome.result.files.text, robot);
  return outcome;
}

py::dict Convert(const Description& robot, const std::string& options, const std::string& out,
                 const std::optional<std::string>& flat, bool convert_meshes,
                 const std::optional<std::string>& judge) {
  std::string json, markdown;
  ConversionRequest request = RequestOf<ConversionRequest>(options);
  Outcome outcome;
  Bundle files;
  {
    // A large text must not be held twice while Python objects are made of it.
    const py::gil_scoped_release unlocked;
    outcome = ConvertedBy(robot, std::move(request), out, {flat, convert_meshes, judge, {}});
    files = std::move(outcome.result.files);
    outcome.result.files = {};
    json = ConversionJson(outcome.result);
    markdown = LossReportMarkdown(outcome.result.report);
  }
  py::dict said;
  said["json"] = json, said["screen"] = outcome.screen, said["markdown"] = markdown;
  said["text"] = py::bytes(files.text);
  py::list beside;
  for (const SideFile& file : files.side_files)
    beside.append(py::make_tuple(file.name, py::bytes(file.text)));
  said["files"] = beside;
  py::dict assets;
  for (const auto& [name, bytes] : outcome.assets) assets[py::str(name)] = py::bytes(bytes);
  said["assets"] = assets;
  return said;
}

// The same robot, whose joints start at `q`, as the file counts; balls and free joints start as
// before.
std::shared_ptr<Description> StartingAt(const Description& description, const Vector& q) {
  const std::shared_ptr<const Mechanics> mechanics = MechanicsFor(description, q.size());
  Robot robot = description.robot();
  for (const Body& body : mechanics->mechanism().bodies) {
    if (body.joint == kNoJoint || body.nq != body.nv) continue;
    std::vector<JointAxis>& axes = robot.model.joint(body.joint).axes;
    axes.resize(std::max(axes.size(), static_cast<std::size_t>(body.nv)));
    for (int i = 0; i < body.nv; ++i) {
      JointAxis& axis = axes[static_cast<std::size_t>(i)];
      axis.initial_position = q[body.q + i] - axis.position_offset;
    }
  }
  return std::make_shared<Description>(std::move(robot), description.reading());
}

using Comparison = std::tuple<std::string, std::vector<std::string>, std::string>;

// Python's signals are asked for in between (Interruption): CTRL-C ends a long comparison.
Comparison Compare(const Description& a, const Description& b, const std::string& asked,
                   const std::vector<std::string>& accepted) {
  VerifyOptions options = RequestOf<VerifyOptions>(asked);
  options.accepted = accepted;
  Interruption interruption;
  options.interrupted = [&] { return !interruption.Asked().empty(); };
  const VerifyResult result = VerifyRobots(a.robot(), b.robot(), options);
  if (interruption.pressed()) {
    const py::gil_scoped_acquire locked;
    throw py::error_already_set();
  }
  return {VerdictJson(result), DifferenceLines(result), MessagesJson(result.diagnostics)};
}

}  // namespace

void BindConversion(py::module_& module, DescriptionClass& type) {
  type.def("convert", &Convert, py::arg("options"), py::arg("out"), py::arg("flat"),
           py::arg("convert_meshes"), py::arg("judge"));
  type.def("starting_at", &StartingAt, py::arg("q").noconvert(), WithoutLock());
  module.def("compare", &Compare, py::arg("a"), py::arg("b"), py::arg("options"),
             py::arg("accepted"), WithoutLock());
  type.def("models", [](const Description& robot) { return ModelNames(robot.model()); });
  module.def("formats", &FormatsJson);
  module.def("codes", &CodesJson);
  module.def("options", &OptionsJson);
}

}  // namespace kinemorph::python
