#include "edit/split_link.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace kinemorph {
namespace {

// The saw cut: a loop of any kind becomes a tree joint to half of a link and a fixed loop joint
// between the halves, which every target with a weld holds. A share of the mass goes with the half,
// so that neither is massless (engines reject or ignore such links) and both stay well away from
// the mass ratios at which an iterative solver lets the loop open. The sum of the halves is the link
// that was there, in every posture.

// A link of the same rigid body, and where it stands.
struct Place {
  LinkId link = kNoLink;
  RigidTransform X_AL;  ///< seen from where the search began
};

// The nearest link with mass that fixed joints of the tree hold to `start`.
// Breadth first over the fixed joints, in both directions: the nearest in joints. X_AL grows along
// the way, as the frames of the joint must be expressed in the link that is found.
Place NearestMass(const Model& model, LinkId start) {
  std::vector<std::vector<std::pair<LinkId, RigidTransform>>> fixed(model.num_links());
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.role == JointRole::kLoop || !std::holds_alternative<Fixed>(joint.kind)) continue;
    const RigidTransform X_PS = joint.X_PF * joint.X_SM.inverse();
    fixed[Index(model.predecessor(id))].emplace_back(model.successor(id), X_PS);
    fixed[Index(model.successor(id))].emplace_back(model.predecessor(id), X_PS.inverse());
  }
  std::vector<bool> seen(model.num_links(), false);
  std::vector<Place> queue{{start, {}}};
  seen[Index(start)] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Place here = queue[i];
    if (here.link != kWorld && !IsMassless(model.link(here.link))) return here;
    for (const auto& [next, X] : fixed[Index(here.link)]) {
      if (next == kWorld || seen[Index(next)]) continue;
      seen[Index(next)] = true;
      queue.push_back({next, here.X_AL * X});
    }
  }
  return {};
}

double MassOf(const Model& model, LinkId link) {
  return link == kWorld || IsMassless(model.link(link)) ? 0 : model.link(link).inertial->mass;
}
bool HasMass(const Model& model, LinkId link) { return MassOf(model, link) > 0; }
double MomentsOf(const Model& model, LinkId link) {
  return HasMass(model, link) ? model.link(link).inertial->I_I.trace() : 0;
}

// The joint's ends, after the one that shall be split was moved to where there is mass.
struct Ends {
  LinkId predecessor, successor;
  bool split_successor = true;
};

Ends ChooseEnds(Model& model, JointId loop) {
  Ends ends{model.predecessor(loop), model.successor(loop), true};
  // The successor is preferred, for the joint then keeps its direction, but where it is much the
  // lighter one: the weld of its halves gives way in proportion.
  constexpr double kMuchLighter = 0.3, kMuchSlimmer = 0.3;
  const LinkId p = ends.predecessor, s = ends.successor;
  if (HasMass(model, s) && MassOf(model, s) >= kMuchLighter * MassOf(model, p) &&
      MomentsOf(model, s) >= kMuchSlimmer * MomentsOf(model, p))
    return ends;
  if (HasMass(model, ends.predecessor)) {
    ends.split_successor = false;
    return ends;
  }
  Joint& joint = model.joint(loop);
  if (const Place place = NearestMass(model, ends.successor); place.link != kNoLink) {
    joint.X_SM = place.X_AL.inverse() * joint.X_SM;
    ends.successor = place.link;
  } else if (const Place other = NearestMass(model, ends.predecessor); other.link != kNoLink) {
    joint.X_PF = other.X_AL.inverse() * joint.X_PF;
    ends.predecessor = other.link;
    ends.split_successor = false;
  } else {
    ends.split_successor = ends.successor != kWorld;  // a massless half
  }
  return ends;
}

bool SelfCollides(const Model& model, LinkId id) {
  const Link& link = model.link(id);
  if (link.self_collide || Index(link.scope) >= model.scopes.size())
    return link.self_collide.value_or(false);
  return model.scopes[Index(link.scope)].self_collide.value_or(false);
}

// The joint alone kept them apart.
bool WouldCollide(const Model& model, LinkId a, LinkId b) {
  return model.contact_rule == ContactRule::kUnlessJoined && a != kWorld && b != kWorld &&
         !model.link(a).collisions.empty() && !model.link(b).collisions.empty() &&
         (SelfCollides(model, a) || SelfCollides(model, b));
}

// From the centre of one half to that of the other, in the axes of the inertial frame: small beside
// the link, and along none of its principal axes, but for a rod. Engines weigh a constraint between two points by
// how freely the centres of mass move (MuJoCo's body_invweight0, Drake's SAP), and that of a cardan
// shaft lies where the axes of all its joints meet: nothing would weigh a constraint between two such
// halves.
Vector3 BetweenHalves(const Inertial& whole) {
  constexpr double kApart = 0.1;
  const Matrix3 second_moments =
      0.5 * whole.I_I.trace() * Matrix3::Identity() - whole.I_I;  // sum of m r r^T
  const Eigen::SelfAdjointEigenSolver<Matrix3> axes(second_moments);
  const Vector3& moments = axes.eigenvalues();
  if (moments[0] < -1e-9 * moments[2]) return Vector3::Zero();  // of no body
  const Vector3 extents = (moments.cwiseMax(0) / whole.mass).cwiseSqrt();
  const Vector3 d = kApart * (axes.eigenvectors() * extents) / std::sqrt(3.0);
  return d.allFinite() ? d : Vector3::Zero();  // no mass, or numbers beyond all
}

// Two halves are one body to the eye: whatever belongs to the outside of the link stays on the
// original, or it would be drawn and hit twice.
LinkId AddHalf(Model& model, LinkId whole_id, UniqueNames& links, double share) {
  Link& whole = model.link(whole_id);
  Link half;
  half.name = links.Take(whole.name + "_half");
  half.scope = whole.scope;
  half.gravity = whole.gravity;
  half.where = whole.where;
  if (whole.inertial) {
    ForgetComputedInertia(whole);
    half.inertial = whole.inertial;
    half.inertial->native.clear();
    const Vector3 d = BetweenHalves(*whole.inertial);
    // What the distance takes from the tensors about the own centres (Steiner).
    const double reduced = whole.inertial->mass * share * (1 - share);  // kg
    whole.inertial->I_I -= reduced * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
    half.inertial->mass *= share;
    half.inertial->I_I = share * whole.inertial->I_I;
    half.inertial->X_LI.p += half.inertial->X_LI.R * ((1 - share) * d);
    // By subtraction, so that the two sum to the old numbers without a rounding of 1 - share.
    whole.inertial->mass -= half.inertial->mass;
    whole.inertial->I_I -= half.inertial->I_I;
    whole.inertial->X_LI.p -= whole.inertial->X_LI.R * (share * d);
  }
  return model.AddLink(std::move(half));
}

}  // namespace

SplitHalf SplitLink(Model& model, JointId loop, UniqueNames& links, UniqueNames& joints,
                    double share) {
  const Ends ends = ChooseEnds(model, loop);
  SplitHalf made;
  made.at_successor = ends.split_successor;
  made.whole = ends.split_successor ? ends.successor : ends.predecessor;

  // As a loop joint it was a joint between the two links, and formats that except joined links from
  // contact excepted them. The new joint leads to the half only.
  if (WouldCollide(model, ends.predecessor, ends.successor))
    model.contact_exclusions.push_back({ends.predecessor, ends.successor, {}});
  made.half = AddHalf(model, made.whole, links, share);
  Joint& joint = model.joint(loop);
  joint.role = JointRole::kTree;
  Joint weld;
  weld.name = joints.Take(joint.name + "_weld");
  weld.kind = Fixed{};
  weld.role = JointRole::kLoop;
  weld.scope = joint.scope;
  weld.where = joint.where;
  made.weld = model.AddJoint(made.half, made.whole, std::move(weld));

  // The joint takes the place of an edge to the half; the weld then closes the loop as a joint of
  // its own, at the same frame on both (X_PF = X_SM = 1), which is closed at zero exactly.
  model.Reconnect([&](JointId id) {
    if (id != loop) return std::pair(model.predecessor(id), model.successor(id));
    return ends.split_successor ? std::pair(ends.predecessor, made.half)
                                : std::pair(made.half, ends.successor);
  });
  return made;
}

void WeldHalf(Model& model, JointId loop, UniqueNames& links, UniqueNames& joints,
              PassContext& context) {
  const Subject subject = SubjectOf(model.joint(loop));
  const std::string kind(KindName(model.joint(loop).kind));
  const SplitHalf made = SplitLink(model, loop, links, joints);
  context.authored_loops.insert(model.joint(made.weld).where.origin);  // no cut is chosen
  context.Lowered(Called(kind + " loop joint", subject),
                  "becomes a tree joint to '" + model.link(made.half).name +
                      "', which has half of '" +
                      (made.whole == kWorld ? "world" : model.link(made.whole).name) +
                      "', and a weld of the two");
}

SplitHalf SplitLink(Model& model, JointId loop) {
  UniqueNames links = LinkNames(model), joints = JointNames(model);
  return SplitLink(model, loop, links, joints);
}

}  // namespace kinemorph
