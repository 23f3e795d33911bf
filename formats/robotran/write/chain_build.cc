#include "write/chain_build.h"

#include "joint_chain.h"
#include "kinemorph/graph/base/overloaded.h"
#include "rotation_chain.h"
#include "user_data.h"

namespace kinemorph::mbs {
namespace {

// Which coordinate of which joint a motion of the chain is.
struct MotionSource {
  const Joint* joint = nullptr;
  std::string name;
  double initial = 0;
  Nature nature = Nature::kIndependent;
};

// The chain before it is spelt with coordinate axes: constants and motions in turn.
struct Plan {
  std::vector<RigidTransform> constants = {RigidTransform()};
  std::vector<AxisMotion> motions;
  std::vector<MotionSource> coordinates;

  void Constant(const RigidTransform& X) { constants.back() = constants.back() * X; }
  void Motion(const AxisMotion& motion, MotionSource coordinate) {
    motions.push_back(motion);
    coordinates.push_back(std::move(coordinate));
    constants.emplace_back();
  }
};

// Robotran has no drawn pose beside the initial values.
void AppendFree(const Joint& joint, Nature nature, Plan& plan) {
  // The joint absorbs every constant before it: its six coordinates start at the pose it is drawn
  // at.
  const RigidTransform X = plan.constants.back();
  plan.constants.back() = {};
  const Vector3 angles = CurrentFrameAngles(X.R);
  for (int i = 0; i < 6; ++i) {
    const double initial = i < 3 ? Snapped(X.p[i]) : angles[i - 3];
    plan.Motion({i >= 3, Vector3::Unit(i % 3)},
                {&joint, CoordinateName(joint, i), initial, nature});
  }
}

// A ball joint turns about any axes, so that all constant rotation can follow it in one piece.
void AppendBall(const Joint& joint, Nature nature, Plan& plan) {
  const RigidTransform X = plan.constants.back();
  plan.constants.back() = RigidTransform::Translation(X.p);
  for (int i = 0; i < 3; ++i)
    plan.Motion({true, Vector3::Unit(i)}, {&joint, CoordinateName(joint, i), 0, nature});
  plan.constants.back() = RigidTransform::Rotation(X.R);
}

void AppendKind(const Joint& joint, Plan& plan) {
  const Nature nature = joint.independent == false ? Nature::kDependent : Nature::kIndependent;
  const auto motion = [&](bool rotation, const Vector3& axis, int i) {
    const auto at = static_cast<std::size_t>(i);
    plan.Motion({rotation, Snapped(axis)},
                {&joint, CoordinateName(joint, i),
                 at < joint.axes.size() ? joint.axes[at].initial_position.value_or(0) : 0, nature});
  };
  // The order of the motions is that of the kind's coordinates, so the reader's `kind_` mark finds
  // them.
  std::visit(Overloaded{[](const Fixed&) {}, [&](const Revolute& k) { motion(true, k.axis, 0); },
                        [&](const Prismatic& k) { motion(false, k.axis, 0); },
                        [&](const Screw& k) {  // the slide follows the angle by a user constraint
                          motion(true, k.axis, 0);
                          plan.Motion({false, Snapped(k.axis)},
                                      {&joint, CoordinateName(joint, 1),
                                       k.pitch * joint.axes[0].initial_position.value_or(0),
                                       Nature::kDependent});
                        },
                        [&](const Universal& k) {
                          motion(true, k.axis1, 0);
                          motion(true, k.axis2, 1);
                        },
                        [&](const Cylindrical& k) {
                          motion(true, k.axis, 0);
                          motion(false, k.axis, 1);
                        },
                        [&](const Planar& k) {
                          const Matrix3 basis = PlanarBasis(k.normal);
                          motion(false, basis.col(0), 0);
                          motion(false, basis.col(1), 1);
                          motion(true, k.normal, 2);
                        },
                        [&](const Ball&) { AppendBall(joint, nature, plan); },
                        [&](const Free&) { AppendFree(joint, nature, plan); }},
             joint.kind);
}

FileJoint Driven(const ChainJoint& joint) {
  // Held at its value, and the generator is told that it has no velocity.
  FileJoint out;
  out.rotation = joint.rotation;
  out.k = joint.k;
  out.nature = Nature::kDriven;
  out.q = joint.value;
  out.symbols = out.symbol_q = true;
  return out;
}

// hip_rz, hip_tx: what turns or shifts the frame for joint 'hip'.
std::string HelperName(const std::string& stem, const ChainJoint& joint) {
  return stem + (joint.rotation ? "_r" : "_t") + std::string(1, static_cast<char>('x' + joint.k));
}

}  // namespace

BuiltChain BuildChain(const std::vector<const Joint*>& path, const RigidTransform& after,
                      const std::string& fallback, UniqueNames& names) {
  Plan plan;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Joint& joint = *path[i];
    // X_PF, the motion, and the way from M to the link's frame. A free joint swallows that way,
    // too: its six coordinates are of the link's frame.
    plan.Constant(joint.X_PF);
    if (std::holds_alternative<Free>(joint.kind)) plan.Constant(joint.X_SM.inverse());
    AppendKind(joint, plan);
    if (!std::holds_alternative<Free>(joint.kind)) plan.Constant(joint.X_SM.inverse());
  }
  plan.Constant(after);

  BuiltChain built;
  built.p_PA = Snapped(plan.constants[0].p);
  // The position before the first motion is the anchor's point and needs no joint; its rotation and
  // all other constants do.
  const std::vector<ChainJoint> chain = ShortestChain(plan.motions, plan.constants);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (chain[i].motion >= 0) {
      const MotionSource& coordinate = plan.coordinates[static_cast<std::size_t>(chain[i].motion)];
      FileJoint joint;
      joint.name = coordinate.name;
      joint.rotation = chain[i].rotation;
      joint.k = chain[i].k;
      joint.nature = coordinate.nature;
      joint.q = coordinate.initial;
      built.joints.push_back(std::move(joint));
      continue;
    }
    // A driven joint is named after the joint it serves: the next one with a coordinate, else the
    // last.
    const Joint* serves = path.empty() ? nullptr : path.back();
    for (std::size_t j = i + 1; j < chain.size(); ++j) {
      if (chain[j].motion < 0) continue;
      serves = plan.coordinates[static_cast<std::size_t>(chain[j].motion)].joint;
      break;
    }
    FileJoint joint = Driven(chain[i]);
    const bool is_the_joint = plan.motions.empty() && i + 1 == chain.size() &&
                              serves;  // of a fixed joint the last one is the joint itself
    joint.name = is_the_joint ? CoordinateName(*serves, 0)
                              : names.Take(HelperName(serves ? serves->name : fallback, chain[i]));
    built.joints.push_back(std::move(joint));
  }
  if (built.joints.empty()) {  // a body needs a joint
    built.joints.push_back(Driven({false, 2, -1, 0}));
    built.joints.back().name =
        path.empty() ? names.Take(fallback) : CoordinateName(*path.back(), 0);
  }
  return built;
}

}  // namespace kinemorph::mbs
