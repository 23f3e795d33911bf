// Pass `fold_chains`: the reverse of `split_joints`.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "edit/whole_joint.h"
#include "kinemorph/graph/model/references.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

constexpr double kExact = 1e-9;  // rad or m

// Folding looks for two or three joints in a row through links that are nothing but places, and
// makes one joint of them: three hinges across each other through one point are a ball, two a
// universal joint, a hinge and a slide along one line a cylindrical joint or, coupled, a screw, two
// slides and a hinge across them a planar one. All is measured at q = 0; the chain must be exact to
// 1e-9 rad or m, since the joint will stand for it at every posture.

struct AxisLine {
  Vector3 point, direction;
};

// The joint's axis in its own frame F; every axis passes the joint frame's origin.
std::optional<Vector3> AxisOf(const Joint& joint) {
  if (const auto* k = std::get_if<Revolute>(&joint.kind)) return k->axis;
  if (const auto* k = std::get_if<Prismatic>(&joint.kind)) return k->axis;
  return std::nullopt;
}
bool Turns(const Joint& joint) { return std::holds_alternative<Revolute>(joint.kind); }

// The point nearest to both lines, when they meet.
std::optional<Vector3> Meeting(const AxisLine& a, const AxisLine& b) {
  const Vector3 n = a.direction.cross(b.direction);
  const double nn = n.squaredNorm();
  if (nn < 1e-12) return std::nullopt;  // parallel
  const Vector3 d = b.point - a.point;
  if (std::abs(d.dot(n)) / std::sqrt(nn) > kExact) return std::nullopt;
  // Where the first line is nearest to the second.
  const double t = d.cross(b.direction).dot(n) / nn;
  return Vector3(a.point + t * a.direction);
}

double Away(const AxisLine& line, const Vector3& point) {
  return (point - line.point).cross(line.direction).norm();
}
bool Parallel(const Vector3& a, const Vector3& b) { return a.cross(b).norm() < kExact; }
bool Perpendicular(const Vector3& a, const Vector3& b) { return std::abs(a.dot(b)) < kExact; }

class Folding {
 public:
  Folding(Model& model, const WholeJoints& held, PassContext& context)
      : model_(model),
        held_(held),
        context_(context),
        tree_(TreeOf(model)),
        names_(JointNames(model)) {
    FindInner();
    coupled_.assign(model.num_joints(), false);
    for (const Coupling& c : model.couplings)
      for (const CouplingTerm& t : c.terms) coupled_[Index(t.coordinate.joint)] = true;
    gone_link_.assign(model.num_links(), false);
    gone_joint_.assign(model.num_joints(), false);
    new_successor_.assign(model.num_joints(), kNoLink);
  }

  void Run() {
    for (const LinkId link : tree_.order) {
      if (!inner_[Index(link)] || gone_link_[Index(link)]) continue;
      if (gone_joint_[Index(tree_.parent_joint[Index(link)])])
        continue;  // a fold above took the joint that leads here
      // The chain starts at the first inner link below one that is not.
      std::vector<JointId> chain{tree_.parent_joint[Index(link)]};
      for (LinkId at = link; inner_[Index(at)] && !gone_link_[Index(at)] && chain.size() < 3;) {
        chain.push_back(below_[Index(at)]);
        at = model_.successor(chain.back());
      }
      if (chain.size() >= 3 && FoldThree({chain[0], chain[1], chain[2]})) continue;
      FoldTwo({chain[0], chain[1]});
    }
    Apply();
  }

 private:
  // Inner: massless, nothing on it, one tree joint in and one out, both pointing down.
  void FindInner() {
    const std::size_t n = model_.num_links();
    std::vector<std::uint32_t> degree(n, 0), out(n, 0);
    below_.assign(n, kNoJoint);
    for (const JointId id : Joints(model_)) {
      const LinkId p = model_.predecessor(id), s = model_.successor(id);
      ++degree[Index(p)];
      ++degree[Index(s)];
      if (!tree_.IsLoop(id) && tree_.parent_joint[Index(s)] == id) {
        ++out[Index(p)];
        below_[Index(p)] = id;
      }
    }
    std::vector<bool> used(n, false);
    VisitAllLinks(model_, [&](LinkId id, const RigidTransform*) { used[Index(id)] = true; });
    // A sensor of the target's own kind measures at one joint of the chain.
    for (const Sensor& s : model_.sensors) {
      if (s.joint == kNoJoint || s.native.format != context_.traits.native_format) continue;
      used[Index(model_.predecessor(s.joint))] = used[Index(model_.successor(s.joint))] = true;
    }
    inner_.assign(n, false);
    for (const LinkId id : Links(model_)) {
      const Link& link = model_.link(id);
      const JointId up = tree_.parent_joint[Index(id)];
      inner_[Index(id)] = (!link.inertial || (IsMassless(link) && link.inertial->I_I.isZero(0))) &&
                          link.visuals.empty() && link.collisions.empty() && link.native.empty() &&
                          (!link.inertial || link.inertial->native.empty()) && !used[Index(id)] &&
                          degree[Index(id)] == 2 && out[Index(id)] == 1 && up != kNoJoint &&
                          !tree_.reversed[Index(id)];
    }
  }

  // Pose of the next joint's frame F in this joint's frame F at q = 0.
  RigidTransform Step(JointId a, JointId b) const {
    return model_.joint(a).X_SM.inverse() * model_.joint(b).X_PF;
  }

  bool FoldThree(std::array<JointId, 3> chain) {
    const Joint &a = model_.joint(chain[0]), &b = model_.joint(chain[1]),
                &c = model_.joint(chain[2]);
    const auto ea = AxisOf(a), eb = AxisOf(b), ec = AxisOf(c);
    if (!ea || !eb || !ec) return false;
    const RigidTransform X_AB = Step(chain[0], chain[1]), X_AC = X_AB * Step(chain[1], chain[2]);
    const AxisLine la{Vector3::Zero(), *ea}, lb{X_AB.p, X_AB.R * *eb}, lc{X_AC.p, X_AC.R * *ec};
    // All in the first joint's frame, at zero. Three perpendicular axes through one point make
    // every rotation; two perpendicular slides and their normal every motion in a plane.
    const bool square = Perpendicular(la.direction, lb.direction) &&
                        Perpendicular(lb.direction, lc.direction) &&
                        Perpendicular(la.direction, lc.direction);
    if (!square) return false;
    if (Turns(a) && Turns(b) && Turns(c)) {
      // Angles of a ball are no coordinates: limits, couplings or a declaration of one of them keep
      // the chain.
      if (!context_.Native(Feature::kJointBall) || !IsPassive(a) || !IsPassive(b) || !IsPassive(c))
        return false;
      for (const JointId id : chain)
        if (coupled_[Index(id)] || model_.joint(id).independent.value_or(false)) return false;
      const auto centre = Meeting(la, lb);
      if (!centre || Away(lc, *centre) > kExact) return false;
      // As asked they stay hinges, and no two of them are a universal joint.
      if (context_.options.balls_as_hinges) {
        for (const JointId id : {chain[0], chain[1]}) inner_[Index(model_.successor(id))] = false;
        return true;
      }
      Fold({chain.begin(), chain.end()}, Ball{}, *centre, X_AC);
      return true;
    }
    // x and y slide, then the normal turns; a planar joint knows x and y only by its own basis, so
    // the axes must be that basis.
    if (!Turns(a) && !Turns(b) && Turns(c) && context_.Native(Feature::kJointPlanar)) {
      const Matrix3 basis = PlanarBasis(lc.direction);
      if ((basis.col(0) - la.direction).norm() > kExact ||
          (basis.col(1) - lb.direction).norm() > kExact)
        return false;
      return Fold({chain.begin(), chain.end()}, Planar{lc.direction}, X_AC.p, X_AC);
    }
    return false;
  }

  bool FoldTwo(std::array<JointId, 2> chain) {
    const Joint &a = model_.joint(chain[0]), &b = model_.joint(chain[1]);
    const auto ea = AxisOf(a), eb = AxisOf(b);
    if (!ea || !eb) return false;
    const RigidTransform X_AB = Step(chain[0], chain[1]);
    const AxisLine la{Vector3::Zero(), *ea}, lb{X_AB.p, X_AB.R * *eb};
    // The axes of a universal joint meet; they need not be perpendicular here.
    if (Turns(a) && Turns(b)) {
      if (!context_.Native(Feature::kJointUniversal)) return false;
      const auto centre = Meeting(la, lb);
      if (!centre) return false;
      return Fold({chain.begin(), chain.end()}, Universal{la.direction, lb.direction}, *centre,
                  X_AB);
    }
    if (Turns(a) == Turns(b) || !Parallel(la.direction, lb.direction)) return false;
    // Turning about the revolute joint's line, sliding along it: the order does not matter.
    const AxisLine line = Turns(a) ? la : lb;
    // Antiparallel axes are one line, with the slide counted the other way.
    const double sign = la.direction.dot(lb.direction) > 0 ? 1 : -1;
    const JointId turn = Turns(a) ? chain[0] : chain[1], slide = Turns(a) ? chain[1] : chain[0];
    if (const Coupling* pitch = PitchOf(turn, slide); pitch != nullptr &&
                                                      context_.Native(Feature::kJointScrew) &&
                                                      IsPassive(model_.joint(slide))) {
      // Metres per radian, along the hinge's axis.
      const double p = PitchValue(*pitch, slide) * sign;
      const std::size_t index = static_cast<std::size_t>(pitch - model_.couplings.data());
      const Subject coupling = SubjectOf(model_, *pitch);
      if (!Fold({chain.begin(), chain.end()}, Screw{line.direction, p}, line.point, X_AB, {turn}))
        return false;
      context_.Lowered(coupling, "becomes the pitch of a screw joint");
      model_.couplings.erase(model_.couplings.begin() + static_cast<std::ptrdiff_t>(index));
      return true;
    }
    if (!context_.Native(Feature::kJointCylindrical) || sign < 0) return false;
    return Fold({chain.begin(), chain.end()}, Cylindrical{line.direction}, line.point, X_AB,
                {turn, slide});
  }

  // displacement = pitch * angle, and nothing else couples the two.
  const Coupling* PitchOf(JointId turn, JointId slide) const {
    const Coupling* found = nullptr;
    for (const Coupling& c : model_.couplings) {
      const bool touches_slide =
          std::any_of(c.terms.begin(), c.terms.end(),
                      [&](const CouplingTerm& t) { return t.coordinate.joint == slide; });
      if (!touches_slide) continue;
      const bool both = c.terms.size() == 2 && c.constant == 0 &&
                        std::all_of(c.terms.begin(), c.terms.end(), [&](const CouplingTerm& t) {
                          return (t.coordinate.joint == slide || t.coordinate.joint == turn) &&
                                 t.coefficients[0] != 0 && t.coefficients[1] == 0 &&
                                 t.coefficients[2] == 0 && t.coefficients[3] == 0;
                        });
      // A second coupling of the slide would be left without its coordinate.
      if (!both || found != nullptr) return nullptr;
      found = &c;
    }
    return found;
  }
  static double PitchValue(const Coupling& c, JointId slide) {
    const bool first = c.terms[0].coordinate.joint == slide;
    return -c.terms[first ? 1 : 0].coefficients[0] / c.terms[first ? 0 : 1].coefficients[0];
  }

  // One joint instead of the chain: frame F stands at `centre` (in the first joint's frame),
  // parallel to it; X_AZ is the last joint's frame there. `coordinates`: the joints whose
  // coordinate each axis takes over, in order; by default the chain's. False, and nothing done,
  // where the target does not hold in one piece what is said of them.
  bool Fold(std::vector<JointId> chain, JointKind kind, const Vector3& centre,
            const RigidTransform& X_AZ, std::vector<JointId> coordinates = {}) {
    if (coordinates.empty()) coordinates = chain;
    const RigidTransform X_AF = RigidTransform::Translation(centre);
    Joint whole = model_.joint(chain[0]);
    const std::vector<RigidTransform> last{model_.joint(chain.back()).X_SM};
    whole.kind = kind;
    whole.native_type.clear();
    whole.X_PF = whole.X_PF * X_AF;
    whole.X_SM = last[0] * X_AZ.inverse() * X_AF;  // S at zero, seen through the chain
    const std::size_t axes = static_cast<std::size_t>(NumAxes(kind));
    std::vector<JointAxis> data(axes);
    for (std::size_t i = 0; i < axes && i < coordinates.size() && axes == coordinates.size(); ++i)
      data[i] = model_.joint(coordinates[i]).axes[0];
    const bool coupled =
        std::any_of(chain.begin(), chain.end(), [this](JointId id) { return coupled_[Index(id)]; });
    // The target may hold less of a joint of several coordinates than of each joint alone: then the
    // chain stays.
    if (!IsHeldInOnePiece(kind, data, coupled, held_)) return false;
    whole.axes = std::move(data);
    if (axes != coordinates.size())
      for (const JointId id : coordinates)
        LoseOffsets(model_, id, "a " + std::string(KindName(kind)) + " joint",
                    "the joint that stands for the chain has other coordinates", context_);
    for (const JointId id : chain) {
      const Joint& piece = model_.joint(id);
      whole.commanded = whole.commanded || piece.commanded;
      if (piece.independent)
        whole.independent = whole.independent.value_or(false) || *piece.independent;
    }
    whole.name = Stem(chain);
    if (axes == coordinates.size()) {
      // In two steps, as the first joint's own coordinate may move too.
      for (Coupling& c : model_.couplings) {
        for (CouplingTerm& t : c.terms) {
          const auto at = std::find(coordinates.begin(), coordinates.end(), t.coordinate.joint);
          if (at != coordinates.end())
            t.coordinate = {chain[0], static_cast<int>(at - coordinates.begin())};
        }
      }
    }
    std::string parts;
    for (const JointId id : chain)
      parts += (parts.empty() ? "'" : ", '") + model_.joint(id).name + "'";
    context_.Lowered(Called(std::string(KindName(kind)) + " joint", SubjectOf(whole)),
                     "folded from " + parts);
    for (const JointId id : chain)
      if (model_.joint(id).name != whole.name)
        Became(SubjectOf(model_.joint(id)), "folded into " + Quoted("joint", whole.name),
               {SubjectOf(whole)}, context_);
    for (std::size_t i = 1; i < chain.size(); ++i) {
      std::vector<NativeData>& native = model_.joint(chain[i]).native;
      std::move(native.begin(), native.end(), std::back_inserter(whole.native));
      native.clear();
      MoveJointContent(model_, chain[i], chain[0]);
    }
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
      const LinkId inner = model_.successor(chain[i]);
      gone_link_[Index(inner)] = true;
      if (!model_.link(inner).synthetic)
        context_.Lowered(SubjectOf(model_.link(inner)), "is inside " + Quoted("joint", whole.name));
      gone_joint_[Index(chain[i + 1])] = true;
    }
    // The first joint of the chain becomes the whole, and leads to the link below the last.
    new_successor_[Index(chain[0])] = model_.successor(chain.back());
    model_.joint(chain[0]) = std::move(whole);
    any_ = true;
    return true;
  }

  // "hip_1", "hip_2" fold into "hip" when that is free; else the first joint's name stays.
  std::string Stem(const std::vector<JointId>& chain) {
    const std::string& first = model_.joint(chain[0]).name;
    if (first.size() < 3 || first.substr(first.size() - 2) != "_1") return first;
    const std::string stem = first.substr(0, first.size() - 2);
    for (std::size_t i = 1; i < chain.size(); ++i)
      if (model_.joint(chain[i]).name != stem + "_" + std::to_string(i + 1)) return first;
    if (names_.Has(stem)) return first;
    names_.Add(stem);
    return stem;
  }

  void Apply() {
    if (!any_) return;
    model_.Reconnect([&](JointId id) {
      return std::pair(model_.predecessor(id), new_successor_[Index(id)] == kNoLink
                                                   ? model_.successor(id)
                                                   : new_successor_[Index(id)]);
    });
    Lose(model_, TakeJoints(model_, [&](JointId id) { return gone_joint_[Index(id)]; }),
         "its joint is part of another one", context_);
    Lose(model_, TakeLinks(model_, [&](LinkId id) { return gone_link_[Index(id)]; }),
         "its link is inside a joint", context_);
  }

  Model& model_;
  const WholeJoints& held_;
  PassContext& context_;
  const SpanningTree tree_;
  UniqueNames names_;
  std::vector<bool> inner_, coupled_, gone_link_, gone_joint_;
  std::vector<JointId> below_;
  std::vector<LinkId> new_successor_;
  bool any_ = false;
};

}  // namespace

void FoldChains::operator()(Model& model, PassContext& context) const {
  Folding(model, whole, context).Run();
}

}  // namespace kinemorph
