// MJCF (MuJoCo's XML) to and from the connectivity model.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "kinemorph/formats/drive_law.h"
#include "kinemorph/formats/format.h"

namespace kinemorph {

namespace mjcf {
/// The profile that other readers of MJCF than MuJoCo read too.
inline constexpr std::string_view kPortable = "portable";
/// @{
/// SensorWords of an element of `<sensor>`, or of a `<camera>`.
[[nodiscard]] NativeElement ReadSensorWords(NativeElement element, Sensor& sensor);
[[nodiscard]] std::optional<NativeElement> WriteSensorWords(const Sensor& sensor,
                                                            const WriteOptions& options);
/// @}
/// The axes that a sensor of the model has, in those of the site or camera that MuJoCo has for it.
[[nodiscard]] Matrix3 ModelAxes(SensorKind kind);
/// @{
/// DriveWords of an element of `<actuator>`. A servo in words of MuJoCo; motors are written on request.
[[nodiscard]] NativeElement RestOfDrive(NativeElement element);
[[nodiscard]] std::optional<Actuator> WriteDriveWords(const Model& model, const Actuator& drive,
                                                      const WriteOptions& options);
/// @}
/// Fills the fields of a drive of one coordinate from its words. `inertia`: what the joint moves at
/// qpos0 (kg m^2, kg), of which MuJoCo's dampratio is a share; 0 where that is not known.
void TakeDriveLaw(const Model& model, Actuator& drive, const std::function<double()>& inertia);
}  // namespace mjcf

/// Reads today's MJCF (through MuJoCo 3.14): includes, compiler settings, default classes, frames
/// and replicates are resolved here. Zero is qpos0. Equality connects and welds become loop joints,
/// joint and fixed-tendon equalities couplings. Meshes are opened only where a mass or a fitted
/// shape hangs on them. See formats/mjcf/README.md for what becomes of each element.
[[nodiscard]] std::optional<Model> ReadMjcf(std::string_view text, const ReadOptions& options,
                                            Diagnostics& diagnostics);

/// Writes a model that MuJoCo compiles to the same numbers. Legal: tree joints Fixed, Revolute,
/// Prismatic, Ball, and Free at the top; loop joints Ball, Revolute, Fixed, closed at q = 0 (MuJoCo
/// takes the second anchor from qpos0). Anything else is an error.
[[nodiscard]] Bundle WriteMjcf(const Model& model, const WriteOptions& options,
                               Diagnostics& diagnostics);

/// Why WriteMjcf cannot put back a kept MJCF element (a keyframe of other joints); empty: it can.
[[nodiscard]] std::string MjcfRefuses(const Model& model, const NativeData& native,
                                      const Joint* owner, const WriteOptions& options);

/// DriveLawOf, of an element of `<actuator>`.
[[nodiscard]] std::optional<DriveLaw> MjcfDriveLaw(const Model& model, const Actuator& actuator,
                                                   std::string& why);

/// Format::start.
[[nodiscard]] std::vector<std::pair<JointId, std::variant<double, RigidTransform>>> MjcfStart(
    const Model& model);

/// Its profile.
[[nodiscard]] Format MjcfFormat();

/// What losing its content means: of its schema.
[[nodiscard]] const std::vector<ContentWeight>* MjcfContentWeights();

}  // namespace kinemorph
