// The equations of motion of a robot as source code.
#include "export/ros2.h"
#include "gateway/did_you_mean.h"
#include "gateway/not_obeyed.h"
#include "kinemorph/export.h"
#include "kinemorph/formats/capability_table.h"
#include "kinemorph/gateway/coordinates.h"

namespace kinemorph {

std::optional<ExportLanguage> ExportLanguageNamed(std::string_view name) {
  if (name == "c") return ExportLanguage::kC;
  if (name == "matlab") return ExportLanguage::kMatlab;
  if (name == "fmu") return ExportLanguage::kFmu;
  if (name == "ros2") return ExportLanguage::kRos2;
  return std::nullopt;
}

// A request in words becomes a mechanism and its equations (kinemorph/graph/emit/equations.h), then
// files in one language. All mistakes of the request are told at once; equations are made only
// where there are none.
namespace {

std::vector<ExportedFile> FilesOf(const Equations& equations, const ExportRequest& request) {
  switch (request.language) {
    case ExportLanguage::kC:
      return ExportC(equations);
    case ExportLanguage::kMatlab:
      return ExportMatlab(equations);
    case ExportLanguage::kRos2:
      return ExportRos2(equations);
    case ExportLanguage::kFmu:
      break;
  }
  return ExportFmu(equations, request.fmi.value_or(FmiVersion::kFmi2));
}

// A link, or a frame of the model.
std::optional<ExportedFrame> FrameNamed(const Model& model, const Mechanism& mechanism,
                                        const std::string& name, std::string& why) {
  // Links first: a body and a site of MJCF may share a name.
  if (const std::optional<LinkId> link = model.FindLink(name))
    return ExportedFrame{name, "", mechanism.body_of[Index(*link)], {}};
  std::vector<std::string> names;
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b)
    names.push_back(mechanism.bodies[b].name);
  for (const Frame& frame : model.frames) {
    if (frame.name == name)
      return ExportedFrame{name, "", mechanism.body_of[Index(frame.link)], frame.X_LF};
    names.push_back(frame.name);
  }
  why = "there is no link and no frame '" + name + "'" + DidYouMean(name, names);
  return std::nullopt;
}

}  // namespace

std::optional<ExportedEquations> ExportEquations(const Robot& robot, const ExportRequest& request,
                                                 Diagnostics& diagnostics) {
  const auto error = [&](const char* code, const std::string& message) {
    diagnostics.Add({Severity::kError, code, robot.file, 0, "", message, {}});
  };
  TellNotObeyed(robot.model, diagnostics);
  Mechanism mechanism = Compile(robot.model);
  mechanism.gravity = GravityMeantBy(robot.model).value_or(mechanism.gravity);
  const std::vector<JointPlace> joints = JointPlaces(robot.model, mechanism);
  for (const std::string& armature : request.armatures) {
    const std::string wrong = SetArmature(armature, joints, mechanism);
    if (!wrong.empty()) error("armature-wrong", "'" + armature + "' of --armature: " + wrong);
  }
  // Only an FMU is a simulation: it has friction, parameters for masses, and outputs of frames.
  EquationOptions how;
  how.simulation = request.language == ExportLanguage::kFmu;

  // Frames and feet are given by name, and stand on bodies of the compiled mechanism: links that
  // fixed joints hold together are one body there.
  std::string why;
  for (const std::string& name : request.output_frames) {
    if (std::optional<ExportedFrame> frame = FrameNamed(robot.model, mechanism, name, why))
      how.frames.push_back(*std::move(frame));
    else
      error("output-frame-unknown", "'" + name + "' of --output-frame: " + why);
  }
  for (const std::string& text : request.feet) {
    if (std::optional<Foot> foot = ParseFoot(text, robot.model, mechanism, why))
      how.feet.push_back(*std::move(foot));
    else
      error("simulate-link", "'" + text + "' of --contact: " + why);
  }
  if (diagnostics.has_errors()) return std::nullopt;
  const std::optional<Equations> equations =
      MakeEquations(mechanism, AnalyseCoordinates(mechanism), robot.model.name, how, why);
  if (!equations) {
    error("export-impossible", "'" + robot.model.name + "' cannot be exported: " + why);
    return std::nullopt;
  }
  return ExportedEquations{equations->name, FilesOf(*equations, request)};
}

}  // namespace kinemorph
