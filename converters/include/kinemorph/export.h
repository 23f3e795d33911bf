// The equations of motion of a robot as source code: what `kinemorph export` does, as values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/gateway.h"
#include "kinemorph/graph/emit/equations.h"

namespace kinemorph {

/// Code in one of these languages.
enum class ExportLanguage {
  kC,       ///< C99 that needs only <math.h>
  kMatlab,  ///< functions for MATLAB and Octave
  kFmu,     ///< what stands in an FMU but for binaries, to be zipped
  kRos2,    ///< kC, and a package of ROS 2 that publishes all joints from the independent ones
};
/// "c", "matlab", "fmu", "ros2"; nothing for another name.
[[nodiscard]] std::optional<ExportLanguage> ExportLanguageNamed(std::string_view name);
/// Equations of motion as source code.
struct ExportedEquations {
  std::string name;                 ///< of the robot, as an identifier
  std::vector<ExportedFile> files;  ///< to be written, or of an FMU to be zipped into NAME.fmu
};
/// How equations of motion shall be written.
struct ExportRequest {
  ExportLanguage language = ExportLanguage::kC;  ///< which
  std::vector<std::string> armatures = {};       ///< "JOINT=VALUE", kg m^2 or kg
  std::optional<FmiVersion> fmi = {};            ///< of kFmu; none: kFmi2
  std::vector<std::string> binaries = {};        ///< of kFmu, for those who compile: platforms
  std::vector<std::string> output_frames = {};   ///< of kFmu: links and frames, outputs then
  std::vector<std::string> feet = {};            ///< "LINK:X,Y,Z" (m), not of kFmu: feet, impact
};
/// Nothing, with errors, where a robot has no equations of motion, or not what is asked of.
[[nodiscard]] std::optional<ExportedEquations> ExportEquations(const Robot& robot,
                                                               const ExportRequest& request,
                                                               Diagnostics& diagnostics);

}  // namespace kinemorph
