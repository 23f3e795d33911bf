// Facts beyond motion, compared as numbers: what is said of joint coordinates; and what may be
// missing.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verify/excuses.h"

namespace kinemorph::verify {

/// A coordinate of A and the one of B that means the same.
struct CoordinatePair {
  JointId joint_a = kNoJoint, joint_b = kNoJoint;
  int axis_a = 0, axis_b = 0;
  int q_a = -1, q_b = -1;  ///< index into the states; -1 for loop joints and where no single number
                           ///< tells (ball, free, parallel axes)
  int v_a = -1, v_b = -1;  ///< index into the velocities; -1 as above
  bool angle = false;      ///< in radians
  bool whole = true;       ///< false: one joint is only a part of what the other is
  double shift = 0;        ///< q_b - q_a, as the files say it, then as measured
  std::string name;
};

/// Zero of the file's own count in that of the mechanism (MJCF ref); rad or m.
[[nodiscard]] double CountsFrom(const Model& model, JointId joint, int axis);

/// By joint: the body that it moves; -1 for loop joints.
[[nodiscard]] std::vector<int> BodyOfJoint(const Side& side);

/// By name, then in order along the chain between the same two links.
[[nodiscard]] std::vector<CoordinatePair> PairCoordinates(const Side& a, const Side& b,
                                                          const Correspondence& match);

/// Joints whose zero the report says has moved, by their names in A or, where A's were split, in B.
[[nodiscard]] std::set<std::string> MovedZeros(const VerifyOptions& options);

/// A loop joint of A that a report gives up is no longer in it; what was said of its coordinates
/// goes with it.
void CompareJointValues(const Side& a, const Side& b, const std::vector<CoordinatePair>& pairs,
                        const Correspondence& match, const VerifyOptions& options, Excuses& excuses,
                        std::vector<Worst>& checks);

}  // namespace kinemorph::verify
