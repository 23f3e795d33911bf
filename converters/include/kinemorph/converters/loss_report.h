// What a conversion changed or could not keep: the same report for `check` (predicted) and
// `convert` (done).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kinemorph/graph/checks/feature.h"

namespace kinemorph {

/// Something the target does not hold.
struct Loss {
  Feature feature{};
  Subject subject;
  Weight weight = Weight::kMotion;
  std::string file;  ///< of the subject's place; empty for made-up ones
  std::string what;  ///< what is gone or approximated
  std::string why;   ///< why, and what a consumer of the output will assume
  std::string pass;  ///< which pass dropped it
  std::string source,
      target;          ///< its value before and after, with units; empty where there is none
  bool asked = false;  ///< by an option that says so; no --strict forbids it
};

struct NameChange {
  SubjectKind kind{};
  std::string from, to;
};
struct FrameChange {
  std::string link;
  RigidTransform X_old_new;
};  ///< link frame re-based by a constant transform
struct Lowering {
  std::string pass;
  Subject subject;
  std::string what;
  std::vector<std::string> into =
      {};  ///< names of the joints or links that stand for it now, where they are others
};         ///< an exact change, e.g. "universal joint 'wrist' split into ..."

/// Mass (kg) and principal moments (kg m^2, the same about every axis) that a link is written with
/// and does not have.
struct AddedInertia {
  std::string link;
  double mass = 0, moment = 0;
};

/// A joint that follows another one in the target, in place of a loop that is lost:
/// follower = multiplier * leader + offset (rad, m).
struct FittedMimic {
  std::string follower, leader;
  double multiplier = 0, offset = 0;
};

/// What the target gets where the model has loops or couplings, by the names in the target.
struct CoordinatesReport {
  std::vector<std::string> loop_joints;
  std::vector<std::string> independent,
      dependent;  ///< joints; both empty where the target does not say
};

struct LossReport {
  std::vector<Loss> losses;
  std::vector<Lowering> lowerings;
  std::vector<NameChange> names;
  std::vector<FrameChange> frames;
  std::vector<AddedInertia>
      added;  ///< what the target needs to take a link at all, or the user asked for
  std::vector<FittedMimic> fitted;  ///< with a loss of each loop that they stand for
  CoordinatesReport coordinates;
  std::string user_code;  ///< what must be compiled in beside the file, to do what it only
                          ///< announces (MBS: C functions)
};

/// How much of each weight is lost.
struct LossCounts {
  std::size_t motion = 0, interface = 0, looks = 0;
};
[[nodiscard]] LossCounts CountLosses(const LossReport& report);

[[nodiscard]] std::string LossReportText(const LossReport& report);
[[nodiscard]] std::string LossReportMarkdown(const LossReport& report);
[[nodiscard]] std::string LossReportJson(const LossReport& report);

}  // namespace kinemorph
