// Joints, links and quantities as they are spelled on the command line and in controller files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/graph/closures/posture.h"
#include "kinemorph/graph/mechanics/foot.h"

namespace kinemorph {

/// A joint of the tree, as it stands in the state.
struct JointPlace {
  std::string name;  ///< the joint's
  int body = 0;      ///< index into Mechanism::bodies
  /// By coordinate: what the file's own coordinate is more than q (MuJoCo's ref).
  std::vector<double> offset;
};

/// By tree order: joints with coordinates, those that are held too.
[[nodiscard]] std::vector<JointPlace> JointPlaces(const Model& model, const Mechanism& mechanism);

/// "name", or "name.0" .. where a joint has several: headers of columns.
[[nodiscard]] std::string ColumnName(const std::string& joint, int index, int count);

/// A number with a unit or without: rad, deg, m, cm, mm, and these per s. `linear`: what is wanted
/// is a length. Nothing, and why, where it is no such number.
[[nodiscard]] std::optional<double> ParseQuantity(const std::string& text, bool linear,
                                                  std::string& why);

/// Whether a coordinate is a length: of a position (`velocity` false) or of a velocity.
[[nodiscard]] bool IsLength(const Mechanism& mechanism, int body, int index, bool velocity);

/// JOINT=VALUE, JOINT.I=VALUE. `velocity`: of its velocities. Nothing, and why, where it does not
/// name one.
[[nodiscard]] std::optional<GivenCoordinate> ParseCoordinate(const std::string& text,
                                                             const std::vector<JointPlace>& joints,
                                                             const Mechanism& mechanism,
                                                             bool velocity, std::string& why);
/// The place of JOINT or JOINT.I among the velocities (or positions) of its joint.
[[nodiscard]] std::optional<GivenCoordinate> FindCoordinate(const std::string& name,
                                                            const std::vector<JointPlace>& joints,
                                                            const Mechanism& mechanism,
                                                            bool velocity, std::string& why);
/// JOINT=VALUE of --armature (kg m^2, kg): sets it. Why not, or nothing.
[[nodiscard]] std::string SetArmature(const std::string& option,
                                      const std::vector<JointPlace>& joints, Mechanism& mechanism);
/// LINK:X,Y,Z, in metres.
[[nodiscard]] std::optional<Foot> ParseFoot(const std::string& text, const Model& model,
                                            const Mechanism& mechanism, std::string& why);
/// X,Y,Z.
[[nodiscard]] std::optional<Vector3> ParseVector(const std::string& text);

}  // namespace kinemorph
