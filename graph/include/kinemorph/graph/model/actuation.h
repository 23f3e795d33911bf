// What the model says of who moves a coordinate. It decides which coordinates are independent where
// nobody declares them: those that a program may command, and never one that only follows another.
#pragma once

#include <cstdint>
#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Of one coordinate; the greater, the rather it is independent.
enum class Actuation : std::uint8_t {
  kFollows,         ///< a mimic or another coupling says which one leads it
  kIdle,            ///< its effort limit is 0, or it has none and is one of several of its joint
  kUnsaid,          ///< nothing is known
  kBase,            ///< of a free joint
  kLimited,         ///< its effort limit is above 0
  kDrivenFollower,  ///< driven, and the later one of a linear coupling that can be read both ways
  kDriven,          ///< an actuator, a transmission or a command interface is on it
};

/// Of all coordinates of a model.
class Actuations {
 public:
  /// The model stays alive, and as it is, while this is asked.
  explicit Actuations(const Model& model);
  /// Of the coordinate (by velocity) of a joint.
  [[nodiscard]] Actuation Of(JointId id, int coordinate) const;
  /// Something drives the joint.
  [[nodiscard]] bool IsDriven(JointId id) const { return driven_[Index(id)]; }

 private:
  enum class Follows : std::uint8_t {
    kNothing,  ///< no coupling names it as the follower
    kInWords,  ///< of an equation that can be read both ways
    kAlways,   ///< of a mimic, or of a coupling that is not linear
  };
  const Model& model_;
  std::vector<bool> driven_;                   // by joint
  std::vector<std::vector<Follows>> follows_;  // by joint and axis; empty: it leads
};

/// The term of a coupling whose coordinate follows the others; none where it has no direction: a
/// plain sum (kTendon, kUser).
[[nodiscard]] const CouplingTerm* FollowerOf(const Model& model, const Coupling& coupling);

}  // namespace kinemorph
