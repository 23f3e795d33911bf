// Followers whose limits leave them and their leader one posture, or none.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lint/rules.h"

namespace kinemorph::lint {
namespace {

constexpr double kLeft = 1e-2;  // of the narrower range: less than that is no motion
constexpr double kEndless = std::numeric_limits<double>::infinity();

// A mimic joint has limits of its own, and in many robots they were copied from another joint: the
// follower then leaves its leader less room, or none, and simulators jam. Ranges of the followers
// are carried back to the first leader of a chain, one after the other, and what is left is
// compared with what was there.
struct MotionRange {
  double lower = -kEndless, upper = kEndless;
  [[nodiscard]] double width() const { return upper - lower; }
  [[nodiscard]] MotionRange With(const MotionRange& other) const {
    return {std::max(lower, other.lower), std::min(upper, other.upper)};
  }
};

// q = factor * q of the first leader + offset.
struct MimicLine {
  double factor = 1, offset = 0;
  [[nodiscard]] MotionRange Image(const MotionRange& of) const {
    const double a = factor * of.lower + offset, b = factor * of.upper + offset;
    return {std::min(a, b), std::max(a, b)};
  }
  // What the first leader may do within a range of q.
  [[nodiscard]] MotionRange Preimage(const MotionRange& of) const {
    const double a = (of.lower - offset) / factor, b = (of.upper - offset) / factor;
    return {std::min(a, b), std::max(a, b)};
  }
};

// A coupling as q of a follower by that of one leader.
struct FollowsOne {
  Coordinate follower, leader;
  MimicLine line;
};

// The terms are f q_follower + l q_leader = constant, both of degree one; the follower stands
// first by the order of a mimic.
std::optional<FollowsOne> AsFollower(const Coupling& coupling) {
  if (coupling.terms.size() != 2) return std::nullopt;
  for (const CouplingTerm& term : coupling.terms)
    if (term.coefficients[0] == 0 || term.coefficients[1] != 0 || term.coefficients[2] != 0 ||
        term.coefficients[3] != 0)
      return std::nullopt;
  const CouplingTerm &follower = coupling.terms[0], &leader = coupling.terms[1];
  return FollowsOne{follower.coordinate,
                    leader.coordinate,
                    {-leader.coefficients[0] / follower.coefficients[0],
                     coupling.constant / follower.coefficients[0]}};
}

// Where a coupling holds its follower, if no leader moves it; nothing where one does.
std::optional<double> PlaceHeld(const Coupling& coupling) {
  if (coupling.terms.empty()) return std::nullopt;
  const auto moves = [](const CouplingTerm& term) {
    return std::any_of(term.coefficients.begin(), term.coefficients.end(),
                       [](double c) { return c != 0; });
  };

  // The follower linear, all others without any effect (a multiplier of 0).
  const auto& of_follower = coupling.terms[0].coefficients;
  const bool linear =
      std::all_of(of_follower.begin() + 1, of_follower.end(), [](double c) { return c == 0; });
  if (of_follower[0] == 0 || !linear) return std::nullopt;
  if (std::any_of(coupling.terms.begin() + 1, coupling.terms.end(), moves)) return std::nullopt;
  return coupling.constant / of_follower[0];
}

std::string Between(const MotionRange& range) {
  const auto end = [](double value) {
    return std::abs(value) < kEndless ? Brief(value) : std::string(value < 0 ? "-inf" : "inf");
  };
  return end(range.lower) + " to " + end(range.upper);
}

using Place = std::pair<JointId, int>;  // a coordinate that can be ordered
Place PlaceOf(Coordinate c) { return {c.joint, c.axis}; }
using ByLeader = std::multimap<Place, FollowsOne>;

// The followers that hang on one leader, near ones first, and what they leave it.
// Breadth first, since a follower may lead others. Each is known once: a circle of mimics ends.
class MimicFamily {
 public:
  MimicFamily(const Model& model, const ByLeader& all, Coordinate first, const Words& words)
      : model_(model), all_(all), words_(words), first_(first), left_(RangeOf(first)) {}

  void Judge() {
    std::vector<std::pair<Coordinate, MimicLine>> reached{{first_, MimicLine()}};
    std::set<Place> known{PlaceOf(first_)};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const auto [leader, line] = reached[i];
      const auto [begin, end] = all_.equal_range(PlaceOf(leader));
      for (auto it = begin; it != end; ++it) {
        const FollowsOne& each = it->second;
        if (!known.insert(PlaceOf(each.follower)).second) continue;
        // q = f1 (f2 q0 + o2) + o1, the lines one after the other.
        const MimicLine along{each.line.factor * line.factor,
                              each.line.factor * line.offset + each.line.offset};
        JudgeOne(each, along);
        reached.emplace_back(each.follower, along);
      }
    }
  }

 private:
  [[nodiscard]] const Joint& JointOf(Coordinate c) const { return model_.joint(c.joint); }
  [[nodiscard]] MotionRange RangeOf(Coordinate c) const {
    const JointAxis& axis = JointOf(c).axes[static_cast<std::size_t>(c.axis)];
    return {axis.lower.value_or(-kEndless), axis.upper.value_or(kEndless)};
  }

  // A range that is a point is locked by itself, or its limits were left out: told elsewhere.
  void JudgeOne(const FollowsOne& each, const MimicLine& line) {
    const MotionRange own = RangeOf(each.follower), room = line.Preimage(own);

    // As rooms of the first leader: what earlier followers left of it, and what this one allows.
    // Only a room that is almost nothing beside the narrower of the two is a mistake; a partial
    // overlap is usual.
    const MotionRange both = left_.With(room);
    const double narrower = std::min(left_.width(), room.width());
    if (!(narrower > 0)) return;
    if (narrower == kEndless || both.width() > kLeft * narrower) {
      left_ = both;
      return;
    }

    // What to write: the range that the leader as it stands asks of the follower. If the multiplier
    // with the other sign would fit, a sign was forgotten, as for the second finger of a gripper.
    const MotionRange wanted = line.Image(left_);
    const double motion = both.width() * std::abs(line.factor);
    const std::string rest = both.width() < 0 ? "which leave the two no posture"
                             : motion == 0    ? "which leave the two one posture"
                                              : "which leave the two " + Brief(motion) + " of that";
    const MimicLine turned{-line.factor, line.offset};
    const bool sign = left_.With(turned.Preimage(own)).width() > kLeft * narrower;
    std::vector<Quantity> numbers;
    if (own.lower > -kEndless) numbers.push_back({"lower", own.lower});
    if (own.upper < kEndless) numbers.push_back({"upper", own.upper});
    words_.Say(Severity::kWarning, "lint-mimic-locked", JointOf(each.follower).where,
               {"joint", JointOf(each.follower).name,
                "as a follower of '" + JointOf(first_).name + "' it moves from " + Between(wanted) +
                    ", but its limits are " + Between(own) + ", " + rest,
                std::move(numbers)},
               "write limits that hold " + Between(wanted) +
                   (sign ? ", or the multiplier with the other sign" : ""));
  }

  const Model& model_;
  const ByLeader& all_;
  const Words& words_;
  Coordinate first_;
  MotionRange left_;
};

// A follower that stands still, and not within its limits.
void JudgeHeld(const Model& model, const Coupling& coupling, const Words& words) {
  const std::optional<double> held = PlaceHeld(coupling);
  if (!held) return;
  const Coordinate c = coupling.terms[0].coordinate;
  const Joint& joint = model.joint(c.joint);
  const JointAxis& axis = joint.axes[static_cast<std::size_t>(c.axis)];
  const MotionRange own{axis.lower.value_or(-kEndless), axis.upper.value_or(kEndless)};
  if (!(own.width() > 0) || (*held >= own.lower && *held <= own.upper)) return;
  words.Say(Severity::kWarning, "lint-mimic-locked", joint.where,
            {"joint", joint.name,
             "as a follower without a multiplier it stands at " + Brief(*held) +
                 ", but its limits are " + Between(own) + ", which leave it no posture"},
            "write an offset within the limits");
}

}  // namespace

// Families begin at leaders that follow nobody; the multimap keeps the order of joints, and in it
// that of the file.
void LintMimics(const RobotFacts& robot, const Words& words) {
  ByLeader all;
  std::set<Place> followers;
  for (const Coupling& coupling : robot.model.couplings) {
    JudgeHeld(robot.model, coupling, words);
    const auto follows = AsFollower(coupling);
    if (!follows) continue;
    all.emplace(PlaceOf(follows->leader), *follows);
    followers.insert(PlaceOf(follows->follower));
  }
  for (auto it = all.begin(); it != all.end(); it = all.upper_bound(it->first))
    if (!followers.contains(it->first))
      MimicFamily(robot.model, all, it->second.leader, words).Judge();
}

}  // namespace kinemorph::lint
