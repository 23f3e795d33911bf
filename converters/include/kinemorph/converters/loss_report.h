// What a conversion changed or could not keep: the same report for `check` (predicted) and
// `convert` (done).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kinemorph/graph/checks/feature.h"

namespace kinemorph {

/// Something the target does not hold.
struct Loss {
  Feature feature{};                ///< the row of the capability table
  Subject subject;                  ///< whose it was
  Weight weight = Weight::kMotion;  ///< what the loss of it means
  std::string file;                 ///< of the subject's place; empty for made-up ones
  std::string what;                 ///< what is gone or approximated
  std::string why;                  ///< why, and what a consumer of the output will assume
  std::string pass;                 ///< which pass dropped it
  std::string source,               ///< its value before, with units; empty where there is none
      target;                       ///< its value after, with units; empty where there is none
  /// Of content of one format only: what moves bodies, or else all it says, by name: "gravcomp".
  std::vector<std::string> content = {};
  /// Which fields of the feature are lost, by their keys (model/fields.h); empty: all.
  std::vector<std::string> fields = {};
  /// Of contacts: the links that the subject's link no longer touches, or now does, by name; empty:
  /// any.
  std::vector<std::string> others = {};
  bool asked = false;  ///< by an option that says so; no --strict forbids it
  /// The macro calls that made the subject (xacro), innermost first, as notes of a message.
  std::vector<std::string> calls = {};
};

/// An element that has another name in the target.
struct NameChange {
  SubjectKind kind{};  ///< of the element
  std::string from,    ///< in the source
      to;              ///< in the target
  /// Of the element (SourceLocation::origin), which others of the same name do not share.
  std::uint32_t origin = 0;
};
/// A link frame re-based by a constant transform. Of several for one link the products count, in
/// their order.
struct FrameChange {
  std::string link;          ///< its name before it is renamed for the target
  RigidTransform X_old_new;  ///< pose of the new frame in the old one
};
/// An exact change, e.g. "universal joint 'wrist' split into ...".
struct Lowering {
  std::string pass;                ///< which pass made it
  Subject subject;                 ///< of what
  std::string what;                ///< in words
  std::vector<Subject> into = {};  ///< what stands for it now, where that is something else
};

/// Mass (kg) and principal moments (kg m^2, the same about every axis) that a link is written with
/// and does not have.
struct AddedInertia {
  std::string link;          ///< its name before it is renamed for the target
  double mass = 0,           ///< kg
      moment = 0;            ///< kg m^2
  std::uint32_t origin = 0;  ///< of a link with a mass, or of what it is a half of; else 0
};

/// A joint that follows another one in the target, in place of a loop that is lost:
/// follower = multiplier * leader + offset (rad, m).
struct FittedMimic {
  std::string follower,   ///< joint that depends, by its name before it is renamed for the target
      leader;             ///< joint that is followed, likewise
  double multiplier = 0,  ///< of the leader's coordinate
      offset = 0;         ///< rad or m, as the follower
  /// The offset where both count as in the source (JointAxis::position_offset).
  double source_offset = 0;
};

/// What the target gets where the model has loops or couplings, by the names in the target.
struct CoordinatesReport {
  std::vector<std::string> loop_joints;  ///< joints that close the loops
  /// Joints; with `dependent` empty where the target does not say.
  std::vector<std::string> independent,
      dependent;  ///< joints that follow from them
};

/// All that a conversion changed or lost, in the order of the passes.
struct LossReport {
  std::deque<Loss> losses;          ///< what is gone or approximated; more move none
  std::vector<Lowering> lowerings;  ///< what is written otherwise and means the same
  std::vector<NameChange> names;    ///< what has another name
  std::vector<FrameChange> frames;  ///< links whose frame is another
  /// What the target needs to take a link at all, or the user asked for.
  std::vector<AddedInertia> added;
  std::vector<FittedMimic> fitted;  ///< with a loss of each loop that they stand for
  CoordinatesReport coordinates;    ///< of the target
  /// What must be compiled in beside the file, to do what it only announces (MBS: C functions).
  std::string user_code;
  /// Meshes and textures that have another name in the target, by that name: what they are called
  /// in the source. Several of one content may have become one.
  std::multimap<std::string, std::string> files;
};

/// How much of each weight is lost.
struct LossCounts {
  std::size_t motion = 0,  ///< Weight::kMotion
      interface = 0,       ///< Weight::kInterface
      looks = 0;           ///< Weight::kLooks
};
/// Those asked for count too.
[[nodiscard]] LossCounts CountLosses(const LossReport& report);

/// One line per entry, "FILE:LINE: lost: SUBJECT: what (why) [feature]"; empty where nothing
/// changed.
[[nodiscard]] std::string LossReportText(const LossReport& report);
/// The same as a page with tables.
[[nodiscard]] std::string LossReportMarkdown(const LossReport& report);
/// The same as an object: losses, lowerings, names, frames, loop_joints, independent, dependent,
/// and user_code where there is any. Angles of frames are roll, pitch, yaw (rad).
[[nodiscard]] std::string LossReportJson(const LossReport& report);

}  // namespace kinemorph
