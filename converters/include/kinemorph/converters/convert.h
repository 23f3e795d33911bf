// The conversion as a library: text -> Model -> lowering for a target -> text, with a loss report.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kinemorph/converters/loss_report.h"
#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// How the root links of the target stand in the world.
enum class BaseChoice {
  kAuto,   ///< as the source says; where it does not, left so if the target can, else fixed or free
           ///< as the target means it, with a note where it is fixed
  kFixed,  ///< fixed to the world; a loss where the source says otherwise
  kFloating,  ///< free; a loss where the source says otherwise
};

/// A mesh that the target can open.
struct ConvertedMesh {
  std::string name;            ///< of its file, as the target names it
  std::optional<Rgba> colour;  ///< of all of it; none: it has several, or nobody knows
};

/// Makes meshes that the target can open of the one named, of one colour each if `by_colour`, else
/// one; none where it cannot.
using MeshConverter =
    std::function<std::vector<ConvertedMesh>(const std::string& mesh, bool by_colour)>;

/// Where the target holds linear couplings and no loops: which loops become couplings.
enum class MimicChoice {
  kExact,  ///< those in which every dependent joint is linear in one independent joint
  kFit,    ///< others too, by the line of least error over the limits; a loss with that error
};

/// The moment of inertia (kg m^2, about every axis) of 1 kg that ConvertOptions::massless gives a
/// link: of a ball of about 16 mm.
inline constexpr double kMomentOfGiven = 1e-4;

/// What Convert is asked for.
struct ConvertOptions {
  Target target;              ///< its format must be set
  std::vector<Feature> drop;  ///< left out on request: reported as losses, allowed under --strict
  std::vector<std::string> cut;  ///< joints that shall be loop joints
  /// Joints whose coordinates shall be independent; the rest is chosen. Empty: as the author says.
  std::vector<std::string> independent;
  BaseChoice base = BaseChoice::kAuto;  ///< how the root links stand
  /// URDF: a base that stands still is the root link, instead of a link 'world'.
  bool base_as_root = false;
  std::string model;        ///< which model of a world, for one-robot targets
  bool keep_frames = true;  ///< false: named frames that the target has not are lost, not lowered
  std::optional<double> massless;  ///< kg for links that stay massless
  bool merge_fixed = false;        ///< MBS --fixed merge
  bool motors = false;             ///< a drive for every joint with an effort limit
  /// "KP,KD" (N m/rad and N m s/rad, N/m and N s/m) for every motor, and for every joint with an effort
  /// limit that nothing drives; "JOINT:KP,KD" for that joint. They become servos of positions.
  std::vector<std::string> gains;
  MeshConverter convert_mesh;  ///< for meshes that the target cannot open; none: they are left out
  MimicChoice mimic = MimicChoice::kExact;  ///< which loops become linear couplings
  bool balls_as_hinges = false;             ///< ball joints of trees, in every target
};

/// A model that is legal for the target, and what became of it.
struct Lowered {
  Model model;        ///< what the writer transcribes
  LossReport report;  ///< of all passes
  /// Of the target's format, where the request names none and another than the default loses less;
  /// else empty.
  std::string version = {};
};

/// Runs the passes of the target's recipe; the capability table judges what comes out. Where the
/// target's version is not given, it is the lowest one, from the default on, that loses the least of
/// motion. Nothing on errors (in `diagnostics`).
[[nodiscard]] std::optional<Lowered> Lower(Model source, const ConvertOptions& options,
                                           Diagnostics& diagnostics);

/// A written model.
struct Converted : Bundle {
  Lowered lowered;  ///< what it was written from
};

/// Writes what was lowered; null with errors when the writer refuses.
[[nodiscard]] std::optional<Converted> Write(Lowered lowered, const ConvertOptions& options,
                                             Diagnostics& diagnostics);

/// Lower, then write.
[[nodiscard]] std::optional<Converted> Convert(Model source, const ConvertOptions& options,
                                               Diagnostics& diagnostics);

/// The loss report that Convert would give; writes nothing (one engine: it runs the same passes and
/// discards the model).
[[nodiscard]] std::optional<LossReport> Check(Model source, const ConvertOptions& options,
                                              Diagnostics& diagnostics);

/// Declares the coordinates of `joints` independent, chooses the rest, and declares all others
/// dependent. False, with errors, where a joint is unknown or has no coordinate of its own, or
/// where they cannot all be independent.
bool DeclareIndependent(Model& model, const std::vector<std::string>& joints,
                        Diagnostics& diagnostics);

/// Reads a description: detects the format when `format` is null, reads, validates. Nothing on
/// errors.
[[nodiscard]] std::optional<Model> ReadModel(std::string_view text, const Format* format,
                                             const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace kinemorph
