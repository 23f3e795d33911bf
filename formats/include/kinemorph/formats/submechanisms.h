// HyRoDyn's submechanisms.yml, the side-car that says which loops were cut in a URDF (Kumar et al.,
// "Modular and hybrid numerical-analytical approach", 2022; keys as its public parser reads them).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/base/spatial.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// HyRoDyn's type of a `<transmission>` whose joints are sums of others: multiplier * joint + offset.
inline constexpr std::string_view kLinearTransmission = "MultiJointLinearTransmission";

/// One row of a loop constraint: the relative velocity along `axis` is zero.
struct SubmechanismRow {
  std::string name;                ///< may be empty
  Vector6 axis = Vector6::Zero();  ///< [rx ry rz tx ty tz] in the frame of the child link of the
                                   ///< cut joint, as it stands at zero
  std::uint32_t line = 0;          ///< of the side-car, as below
};

/// Both bodies carry the frame of the child link of the cut joint, as it stands at zero.
struct SubmechanismLoop {
  std::string cut_joint,  ///< a joint of the URDF: it leads to the link whose frame counts
      predecessor,        ///< a link of the URDF
      successor;          ///< a link of the URDF
  std::vector<SubmechanismRow> rows;  ///< in order of the file
  std::uint32_t line = 0;             ///< where it begins
};

/// One entry of the list: joints by name, in the order of the vectors of HyRoDyn.
struct Submechanism {
  std::string type,     ///< HyRoDyn's own word: "rrPr", "6UPS", "NUMERICAL" ...
      name,             ///< may be empty
      contextual_name;  ///< of this one in the robot; empty: HyRoDyn would stop, a warning says so
  std::string file_path;                ///< its own URDF, relative to the side-car
  std::vector<std::string> spanning,    ///< all joints of its spanning tree
      independent,                      ///< of those, by which it is described
      active;                           ///< of those, which have a drive
  std::vector<SubmechanismLoop> loops;  ///< empty: the type or couplings close it, or nothing does
  std::uint32_t line = 0;               ///< where it begins
};

/// A side-car as it was read.
struct Submechanisms {
  std::string file;                 ///< for messages, and the base of `file_path`
  std::vector<Submechanism> parts;  ///< in order of the file
};

/// Whether a text claims to be one: a line begins with "submechanisms:".
[[nodiscard]] bool LooksLikeSubmechanisms(std::string_view text);

/// Reads the YAML (library kinemorph::side_cars). Nothing, with errors of file and line, where it is
/// no such file. Linear: 16 MiB of text, 32 levels and a million values are the most; an anchor may
/// be used again, a circle of them is refused. What is not kept is said in warnings and notes.
[[nodiscard]] std::optional<Submechanisms> ParseSubmechanisms(std::string_view text,
                                                              const std::string& file,
                                                              Diagnostics& diagnostics);

/// Adds loop joints, declarations of independent joints, and drives of active joints to a model
/// that was read from URDF. False, with errors, where names do not fit; the model is then not to be
/// used. `resolver` (may be null) finds the URDF of parts whose couplings stand there.
///
/// Rows tx ty tz are a ball; with two rotations a hinge about the third; with three, fixed. Two
/// translations in a planar loop are a hinge across them. Three rotations and two translations are
/// a slide, two and the same two translations a cylinder, one translation and the rotations across
/// it a plane. What else there is, is reported and left out. The types rrPr, 2SPU+1U and 6UPS imply
/// their loops: the tip of every slide stands on the last link of the others.
[[nodiscard]] bool AddSubmechanisms(const Submechanisms& file, const ResourceResolver* resolver,
                                    Model& model, Diagnostics& diagnostics);

/// Joints that the file names and the model does not have, at most `most`.
[[nodiscard]] std::vector<std::string> UnknownJoints(const Submechanisms& file, const Model& model,
                                                     std::size_t most);

}  // namespace kinemorph
