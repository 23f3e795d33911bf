// Single small damages of a model, and changes that damage nothing.
#pragma once

#include <string>
#include <vector>

#include "random_mechanism.h"

namespace kinemorph::test {

struct Mutation {
  std::string what, element;
};

/// Changes one number of the model by `relative`, or one joint's kind; says which.
inline Mutation Mutate(Model& model, Random& random, double relative = 1e-6) {
  const auto scale = [&](double& x) { x *= 1 + relative; };
  const auto tilt = [&](Matrix3& R) {
    R = R * RotationFromAxisAngle(RandomAxis(random), relative);
  };
  const auto tilt_axis = [&](Vector3& axis) {
    const Vector3 side = axis.cross(RandomAxis(random)).normalized();
    axis = (axis + relative * side).normalized();
  };
  for (;;) {
    Link& link = model.link(LinkId{
        1 + static_cast<std::uint32_t>(random.Below(static_cast<int>(model.num_links()) - 1))});
    const JointId id{
        static_cast<std::uint32_t>(random.Below(static_cast<int>(model.num_joints())))};
    Joint& joint = model.joint(id);
    const bool loop = joint.role == JointRole::kLoop;
    switch (random.Below(14)) {
      case 0:
        if (!link.inertial) break;
        scale(link.inertial->mass);
        return {"mass", link.name};
      case 1: {
        if (!link.inertial) break;
        const int i = random.Below(3);
        scale(link.inertial->I_I(i, i));
        return {"inertia entry", link.name};
      }
      case 2:
        if (!link.inertial) break;
        scale(link.inertial->X_LI.p[random.Below(3)]);
        return {"centre of mass", link.name};
      case 3:
        if (!link.inertial) break;
        tilt(link.inertial->X_LI.R);
        return {"axes of inertia", link.name};
      case 4:
        joint.X_PF.p += relative * RandomAxis(random);
        return {"anchor on the predecessor", joint.name};
      case 5:
        joint.X_SM.p += relative * RandomAxis(random);
        return {"anchor on the successor", joint.name};
      case 6:
        if (loop && std::holds_alternative<Ball>(joint.kind)) break;  // has no axes to turn
        tilt(joint.X_PF.R);
        return {"frame on the predecessor", joint.name};
      case 7:
        if (loop && std::holds_alternative<Ball>(joint.kind)) break;
        tilt(joint.X_SM.R);
        return {"frame on the successor", joint.name};
      case 8: {
        bool done = true;
        if (auto* k = std::get_if<Revolute>(&joint.kind))
          tilt_axis(k->axis);
        else if (auto* k1 = std::get_if<Prismatic>(&joint.kind))
          tilt_axis(k1->axis);
        else if (auto* k2 = std::get_if<Screw>(&joint.kind))
          tilt_axis(k2->axis);
        else if (auto* k3 = std::get_if<Universal>(&joint.kind))
          tilt_axis(random.Below(2) == 0 ? k3->axis1 : k3->axis2);
        else if (auto* k4 = std::get_if<Planar>(&joint.kind))
          tilt_axis(k4->normal);
        else if (auto* k5 = std::get_if<Cylindrical>(&joint.kind))
          tilt_axis(k5->axis);
        else
          done = false;
        if (!done) break;
        return {"axis", joint.name};
      }
      case 9: {
        auto* screw = std::get_if<Screw>(&joint.kind);
        if (screw == nullptr) break;
        scale(screw->pitch);
        return {"pitch", joint.name};
      }
      case 10: {
        if (joint.axes.empty()) break;
        JointAxis& axis =
            joint.axes[static_cast<std::size_t>(random.Below(static_cast<int>(joint.axes.size())))];
        if (axis.lower && random.Below(2) == 0) {
          scale(*axis.lower);
          return {"limit", joint.name};
        }
        if (axis.upper) {
          scale(*axis.upper);
          return {"limit", joint.name};
        }
        break;
      }
      case 11: {
        if (joint.axes.empty()) break;
        JointAxis& axis = joint.axes.front();
        if (axis.damping && random.Below(2) == 0) {
          scale(*axis.damping);
          return {"damping", joint.name};
        }
        if (axis.effort) {
          scale(*axis.effort);
          return {"effort", joint.name};
        }
        break;
      }
      case 12: {
        if (model.couplings.empty()) break;
        Coupling& coupling = model.couplings[static_cast<std::size_t>(
            random.Below(static_cast<int>(model.couplings.size())))];
        if (random.Below(2) == 0) {
          scale(coupling.terms.back().coefficients[0]);
          return {"ratio", coupling.name};
        }
        coupling.constant += relative;
        return {"offset", coupling.name};
      }
      default:
        if (std::holds_alternative<Revolute>(joint.kind)) {
          joint.kind = Prismatic{std::get<Revolute>(joint.kind).axis};
        } else if (std::holds_alternative<Prismatic>(joint.kind)) {
          joint.kind = Revolute{std::get<Prismatic>(joint.kind).axis};
        } else if (std::holds_alternative<Ball>(joint.kind) && loop) {
          joint.kind = Fixed{};
          joint.axes.clear();
        } else {
          break;
        }
        return {"joint type", joint.name};
    }
  }
}

/// The same mechanism with other link frames: every link but the first gets a new frame at random.
inline Model WithOtherLinkFrames(const Model& source, Random& random) {
  Model model = source;
  for (const LinkId id : Links(model)) {
    if (random.Below(2) == 0) continue;
    const RigidTransform X_new_old = RandomTransform(random, 0.2).inverse();
    Link& link = model.link(id);
    if (link.inertial) link.inertial->X_LI = X_new_old * link.inertial->X_LI;
    for (const JointId j : Joints(model)) {
      if (model.predecessor(j) == id) model.joint(j).X_PF = X_new_old * model.joint(j).X_PF;
      if (model.successor(j) == id) model.joint(j).X_SM = X_new_old * model.joint(j).X_SM;
    }
  }
  return model;
}

/// The same mechanism cut at other joints: the loop joint becomes a tree joint, and a joint on its
/// way becomes the loop joint.
inline Model CutElsewhere(const Model& source, Random& random) {
  Model model = source;
  const SpanningTree tree = ChooseSpanningTree(model);
  std::vector<bool> coupled(model.num_joints(), false);
  for (const Coupling& coupling : model.couplings) {
    for (const CouplingTerm& term : coupling.terms) coupled[Index(term.coordinate.joint)] = true;
  }
  for (const JointId loop : tree.loop_joints) {
    const LinkId p = model.predecessor(loop), s = model.successor(loop),
                 top = NearestCommonAncestor(tree, p, s);
    std::vector<LinkId> path = PathSubchain(tree, top, s);
    for (const LinkId link : PathSubchain(tree, top, p)) path.push_back(link);
    std::vector<JointId> candidates;
    for (const LinkId link : path) {
      const JointId j = tree.parent_joint[Index(link)];
      const bool scalar = NumVelocities(model.joint(j).kind) == 1;
      if (!coupled[Index(j)] && scalar) candidates.push_back(j);
    }
    if (candidates.empty()) continue;
    const JointId cut =
        candidates[static_cast<std::size_t>(random.Below(static_cast<int>(candidates.size())))];
    model.joint(cut).role = JointRole::kLoop;
    model.joint(loop).role = JointRole::kTree;
    return model;  // one is enough: another loop's way may have changed
  }
  return model;
}

}  // namespace kinemorph::test
