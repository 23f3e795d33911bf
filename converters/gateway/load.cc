// Reading a robot, converting and inspecting it.
#include <unordered_set>

#include "gateway/side_cars.h"
#include "kinemorph/converters/convert.h"
#include "kinemorph/gateway.h"

namespace kinemorph {
namespace {

// Loading, converting and inspecting go through one struct, Robot: the model beside its text, its
// resolver and the files that were read. Nothing here opens a file by itself; without a resolver,
// there are no files.

// Passes questions on and keeps what was found: the text, includes and side-cars, each once. A
// program that watches the files of a robot must know them all.
class Recorder : public ResourceResolver {
 public:
  Recorder(const ResourceResolver* files, std::vector<std::string>& read)
      : files_(files), read_(read) {}
  [[nodiscard]] std::optional<Resource> Open(std::string_view uri, std::string_view from,
                                             std::string& why) const override {
    std::optional<Resource> found = files_->Open(uri, from, why);
    if (found) Keep(found->path);
    return found;
  }
  [[nodiscard]] std::optional<Resource> OpenStart(std::string_view uri, std::string_view from,
                                                  std::string& why) const override {
    std::optional<Resource> found = files_->OpenStart(uri, from, why);
    if (found) Keep(found->path);
    return found;
  }
  [[nodiscard]] std::optional<std::string> Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const override {
    std::optional<std::string> path = files_->Locate(uri, from, why);
    if (path) Keep(*path);
    return path;
  }

 private:
  void Keep(const std::string& path) const {
    if (kept_.insert(path).second) read_.push_back(path);
  }

  const ResourceResolver* files_;
  std::vector<std::string>& read_;
  mutable std::unordered_set<std::string> kept_;
};

}  // namespace

Loaded LoadText(std::string text, std::string file,
                std::shared_ptr<const ResourceResolver> resolver, const LoadOptions& options) {
  Loaded out;
  std::string version, why;

  // Only the family of a named format is used: its version is in the file.
  const Format* format = nullptr;
  if (!options.from.empty()) {
    format = FormatNamed(options.from, version, why);
    if (format == nullptr) {
      out.diagnostics.Add({Severity::kError, "wrong-use", file, 0, "", why, {}});
      return out;
    }
  }
  std::vector<std::string> read{file};
  const Recorder recorder(resolver.get(), read);
  ReadOptions how;
  how.file_name = file;
  how.resolver = resolver ? &recorder : nullptr;
  std::optional<Model> model = ReadModel(text, format, how, out.diagnostics);
  if (!model || !AddSideCars(file, options, how.resolver, *model, out.diagnostics)) return out;
  out.robot.emplace();
  out.robot->model = std::move(*model);
  out.robot->file = std::move(file), out.robot->text = std::move(text);
  out.robot->resolver = std::move(resolver), out.robot->read = std::move(read);
  return out;
}

ConversionResult ConvertRobot(Robot robot, ConversionRequest request) {
  request.in = robot.file;
  // Loops may stand in a side-car instead of the text (HyRoDyn, Gepetto, SRDF): the proof must then
  // read both back, and formats know nothing of side-cars.
  request.resolver = robot.resolver.get();
  if (!request.options.target.options.side_cars.empty())
    request.written_side_cars = AddWrittenSideCars;
  ConversionResult result = ConvertModel(std::move(robot.model), request);
  // Places of the expanded text mean nothing to who wrote the xacro.
  if (robot.expansion) TranslateResult(*robot.expansion, result);
  return result;
}

VerifyResult VerifyRobots(const Robot& a, const Robot& b, VerifyOptions options) {
  options.mesh_file = [&](const std::string& uri) {
    std::optional<std::string> file = BytesOf(a.resolver.get(), uri, a.file);
    return file ? std::move(file) : BytesOf(b.resolver.get(), uri, b.file);
  };
  return VerifyEquivalent(a.model, b.model, options);
}

std::optional<Inspection> InspectRobot(const Robot& robot, const InspectOptions& options,
                                       Diagnostics& diagnostics) {
  SpanningTreeOptions how;
  how.cut = options.cut;
  if (options.independent.empty()) {
    const SpanningTree tree = ChooseSpanningTree(robot.model, how, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return Inspect(robot.model, tree, options.compare_closures);
  }

  // Asked for other independent coordinates, the inspection is of a model that declares them: the
  // tree's choice of cuts depends on it.
  Model declared = robot.model;
  if (!DeclareIndependent(declared, options.independent, diagnostics)) return std::nullopt;
  const SpanningTree tree = ChooseSpanningTree(declared, how, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  Inspection inspection = Inspect(declared, tree, options.compare_closures);
  // What was asked for is possible, and the rest is chosen; a joint cannot declare one coordinate of
  // several.
  Coordinates& found = inspection.coordinates;
  found.independent_ok = true, found.at_fault.clear();
  found.independent_declared = static_cast<int>(inspection.independent.size());
  return inspection;
}

void TranslateResult(const XacroExpansion& expansion, ConversionResult& result) {
  result.diagnostics = expansion.Translated(result.diagnostics);
  for (Loss& loss : result.report.losses) {
    // A place in an expansion is a stack: the line that wrote the element, and the calls that led
    // to it.
    Diagnostic place = expansion.Translated(
        Diagnostic{Severity::kNote, "", loss.file, loss.subject.where.line, "", "", {}});
    loss.file = place.file;
    loss.subject.where.line = place.line;
    loss.calls = std::move(place.notes);
  }
}

}  // namespace kinemorph
