// The equations of motion of a robot as source code.
#include "gateway/export_ros2.h"
#include "gateway/not_obeyed.h"
#include "kinemorph/gateway.h"

namespace kinemorph {

std::optional<ExportLanguage> ExportLanguageNamed(std::string_view name) {
  if (name == "c") return ExportLanguage::kC;
  if (name == "matlab") return ExportLanguage::kMatlab;
  if (name == "fmu") return ExportLanguage::kFmu;
  if (name == "ros2") return ExportLanguage::kRos2;
  return std::nullopt;
}

namespace {

std::vector<ExportedFile> FilesOf(const Equations& equations, ExportLanguage language) {
  switch (language) {
    case ExportLanguage::kC:
      return ExportC(equations);
    case ExportLanguage::kMatlab:
      return ExportMatlab(equations);
    case ExportLanguage::kRos2:
      return ExportRos2(equations);
    case ExportLanguage::kFmu:
      break;
  }
  return ExportFmu(equations);
}

}  // namespace

std::optional<ExportedEquations> ExportEquations(const Robot& robot, ExportLanguage language,
                                                 const std::vector<std::string>& armatures,
                                                 Diagnostics& diagnostics) {
  const auto error = [&](const char* code, const std::string& message) {
    diagnostics.Add({Severity::kError, code, robot.file, 0, "", message, {}});
  };
  TellNotObeyed(robot.model, diagnostics);
  Mechanism mechanism = Compile(robot.model);
  const std::vector<JointPlace> joints = JointPlaces(robot.model, mechanism);
  for (const std::string& armature : armatures) {
    const std::string wrong = SetArmature(armature, joints, mechanism);
    if (!wrong.empty()) error("armature-wrong", "'" + armature + "' of --armature: " + wrong);
  }
  if (diagnostics.has_errors()) return std::nullopt;
  EquationOptions how;
  how.simulation = language == ExportLanguage::kFmu;
  std::string why;
  const std::optional<Equations> equations =
      MakeEquations(mechanism, AnalyseCoordinates(mechanism), robot.model.name, how, why);
  if (!equations) {
    error("export-impossible", "'" + robot.model.name + "' cannot be exported: " + why);
    return std::nullopt;
  }
  return ExportedEquations{equations->name, FilesOf(*equations, language)};
}

}  // namespace kinemorph
