// Joints: what they join, where their frames stand, what they leave free.
#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/graph/base/disjoint_sets.h"
#include "read/builder.h"
#include "words.h"

namespace kinemorph::usd {
namespace {

constexpr std::array<const char*, 6> kTokens = {"transX", "transY", "transZ",
                                                "rotX",   "rotY",   "rotZ"};

// A joint of UsdPhysics names two prims and a frame on each; what it leaves free is said by its
// type, or (PhysicsJoint, of six motions) by limits whose low is above their high. Here the frames
// go into the bodies that carry the prims, and the motions into a kind of joint. USD does not know
// which joint closes a loop unless it is excluded from the articulation: roles are decided when all
// joints are known.

RigidTransform Turned(const RigidTransform& X, const Matrix3& R) { return {X.R * R, X.p}; }

// Columns: the axes of those numbers, 0 to 2, in the joint's frame; a right-handed basis.
Matrix3 Basis(int x, int y, int z) {
  Matrix3 R;
  R << Vector3::Unit(x), Vector3::Unit(y), Vector3::Unit(z);
  return R;
}

// How far from each other the two frames of a joint may be drawn (m; rad), in single precision.
constexpr double kDrawnApart = 1e-4;

bool HoldsAPoint(const JointKind& kind) {
  return std::holds_alternative<Fixed>(kind) || std::holds_alternative<Ball>(kind) ||
         std::holds_alternative<Revolute>(kind) || std::holds_alternative<Universal>(kind);
}

Freedom OfToken(int motion) {
  return {
      kTokens[static_cast<std::size_t>(motion)],
      "limit:" + std::string(kTokens[static_cast<std::size_t>(motion)]) + ":physics:", motion >= 3};
}

}  // namespace

std::string Builder::NearestBody(const std::string& path) const {
  // For messages only, and only for some: a broken file may have very many of them.
  if (!hints_left_ || --hints_left_ == 0) return {};
  std::vector<std::string> bodies;
  for (PrimId i = 0; i < stage_.num_prims(); ++i)
    if (stage_.IsBody(i)) bodies.push_back(layer_.PathOf(i));
  return NearestName(path, bodies);
}

// A relationship without a target, and one to a prim that moves with no body, is to the world.
// The frame is written in the named prim, which may stand anywhere in a body, with a scale: S takes
// local positions along (UsdPhysics multiplies them by the world's scale), the rotation is free of
// it.
Builder::End Builder::ReadEnd(PrimId prim, const char* body, const char* position,
                              const char* rotation) const {
  End end;
  const std::vector<std::string> targets = stage_.Targets(prim, body);
  Affine in_world = stage_.Root();
  RigidTransform frame;
  Matrix3 S = in_world.A;
  // An absent target is the world, and not an error: both ends are allowed to have none.
  const std::uint32_t line = stage_.LineOf(prim, body);
  if (targets.size() > 1) {
    Say(Severity::kError, "usd-target", line,
        {stage_.Named(prim), std::string("'") + body + "' names more than one prim"});
    end.known = false;
  } else if (!targets.empty()) {
    const PrimId target = layer_.FindPath(targets[0], prim);
    if (target == kNoPrim || !stage_.Stands(target)) {
      Diagnostic& error =
          Say(Severity::kError, "usd-target", line,
              {stage_.Named(prim), std::string("'") + body + "' names '" + targets[0] +
                                       "', which is not a defined and active prim of this file"});
      error.suggestion = NearestBody(targets[0]);
      end.known = false;
      return end;
    }
    end.link = LinkOf(target);
    Placed placed;
    frame = InLink(target, &placed);
    S = frame.R * placed.S;
  } else {
    // The default frame is that of the stage: its axes and its unit.
    const Placed placed = Split(in_world);
    frame = placed.X, S = in_world.A;
  }
  const Vector3 p = stage_.Vector(prim, position).value_or(Vector3::Zero());
  const Matrix3 R = stage_.Rotation(prim, rotation).value_or(Matrix3::Identity());
  end.X_LJ = {frame.R * R, S * p + frame.p};
  return end;
}

void Builder::AddJoints() {
  std::vector<PrimId> prims;
  for (PrimId i = 0; i < stage_.num_prims(); ++i)
    if (stage_.Stands(i) && stage_.IsJoint(i)) prims.push_back(i);
  const std::vector<std::string> names = Names(prims);
  for (std::size_t k = 0; k < prims.size(); ++k) AddJoint(prims[k], names[k]);
}

void Builder::AddJoint(PrimId prim, const std::string& name) {
  const std::string subject = About("joint", name);
  const std::uint32_t line = layer_.prims[prim].line;
  if (stage_.Boolean(prim, "physics:jointEnabled") == false) {
    Say(Severity::kWarning, "usd-joint-off", line,
        {subject, "is switched off (physics:jointEnabled) and left out"});
    return;
  }
  Joint joint;
  joint.name = name;
  joint.native_type = layer_.prims[prim].type;
  joint.scope = ScopeId{0};
  joint.where = Where(prim);
  std::vector<Freedom> free;
  const End P = ReadEnd(prim, "physics:body0", "physics:localPos0", "physics:localRot0");
  const End S = ReadEnd(prim, "physics:body1", "physics:localPos1", "physics:localRot1");
  if (!P.known || !S.known) return;
  // Two prims of one body, or twice the world: such a joint holds nothing.
  if (P.link == S.link) {
    Say(Severity::kWarning, "usd-joint-loose", line,
        {subject, "both its bodies are " +
                      (P.link == kWorld ? "the world" : "'" + model_.link(P.link).name + "'") +
                      "; kinemorph leaves it out"});
    return;
  }
  joint.X_PF = P.X_LJ, joint.X_SM = S.X_LJ;
  if (stage_.Boolean(prim, "physics:excludeFromArticulation") == true)
    joint.role = JointRole::kLoop;
  LinkId from = P.link, to = S.link;
  ReadKind(prim, joint, free);
  if (joint.native_type.empty()) return;
  if (std::holds_alternative<Free>(joint.kind)) {
    Say(Severity::kNote, "usd-joint-free", line,
        {subject, "leaves all motions free, constrains nothing and is left out"});
    told_[prim] = true;
    return;
  }
  // Bodies of a joint do not collide unless it says so.
  if (stage_.Boolean(prim, "physics:collisionEnabled") == true && from != kWorld && to != kWorld)
    model_.contact_pairs.push_back({from, to, joint.where});
  if (free.size() > 1 && NumAxes(joint.kind) == 0) {
    AddChain(prim, joint, from, to, free);
    return;
  }
  joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
  ReadAxes(prim, joint, free);
  const bool single = NumVelocities(joint.kind) == 1;
  const JointId id = model_.AddJoint(from, to, std::move(joint));
  if (single) joint_of_[prim] = id;
  joints_.emplace_back(prim, id);
}

// An empty native type: it is no joint that is read here.
// Axes are tokens; no other axis can be said but by turning the frames.
void Builder::ReadKind(PrimId prim, Joint& joint, std::vector<Freedom>& free) {
  const std::string_view type = layer_.prims[prim].type;
  Vector3 axis = Vector3::UnitX();
  const std::string word = stage_.Word(prim, "physics:axis").value_or("X");
  if (word.size() == 1 && word[0] >= 'X' && word[0] <= 'Z')
    axis = Vector3::Unit(word[0] - 'X');
  else
    Say(Severity::kError, "bad-keyword", stage_.LineOf(prim, "physics:axis"),
        {"joint", joint.name,
         "its axis is '" + word.substr(0, 40) + "', expected \"X\", \"Y\" or \"Z\""});
  if (type == "PhysicsFixedJoint") {
    // A weld of MuJoCo whose torques count nothing holds a point alone.
    if (stage_.Number(prim, "mjc:torqueScale") == 0)
      joint.kind = Ball{};
    else
      joint.kind = Fixed{};
  } else if (type == "PhysicsRevoluteJoint") {
    joint.kind = Revolute{axis};
    free = {{"angular", "physics:", true}};
  } else if (type == "PhysicsPrismaticJoint") {
    joint.kind = Prismatic{axis};
    free = {{"linear", "physics:", false}};
  } else if (type == "PhysicsSphericalJoint") {
    joint.kind = Ball{};
  } else if (type == "PhysicsJoint") {
    ReadGeneral(prim, joint, free);
  } else {
    // What is no joint of ours is told, and its bodies left to move, which is what a simulator
    // without the schema does.
    joint.native_type.clear();
    Say(Severity::kWarning, "usd-joint-type", joint.where,
        "joint '" + joint.name + "' is a " + std::string(type) +
            ", which kinemorph does not read; its bodies are free");
  }
}

// A joint of six motions: those whose low is above their high are locked; where none is, those
// between 0 and 0, as some write it.
// The second form, 0 to 0, counts only where no motion is locked by crossed limits: then 0 to 0 is
// a limit like any other.
void Builder::ReadGeneral(PrimId prim, Joint& joint, std::vector<Freedom>& free) {
  std::array<bool, 6> open{};
  std::vector<int> slides, turns;
  const auto limit = [&](int i, const char* side) {
    return stage_.Number(prim, OfToken(i).limits + side);
  };
  bool crossed = false;
  for (int i = 0; i < 6; ++i) {
    const std::optional<double> low = limit(i, "low"), high = limit(i, "high");
    crossed = crossed || (low && high && *low > *high);
  }
  for (int i = 0; i < 6; ++i) {
    const std::optional<double> low = limit(i, "low"), high = limit(i, "high");
    const bool locked = low && high && (*low > *high || (!crossed && *low == 0 && *high == 0));
    open[static_cast<std::size_t>(i)] = !locked;
    if (!locked) (i < 3 ? slides : turns).push_back(i % 3);
  }
  // One whole joint has no place for limits of its turns.
  // Limits that have no place are marked as unread again, so that the leftovers tell them.
  const auto leave_limits = [&] {
    for (int i = 0; i < 6; ++i)
      for (const char* side : {"low", "high"})
        if (const Property* p = layer_.prims[prim].Find(OfToken(i).limits + side);
            p != nullptr && open[static_cast<std::size_t>(i)])
          p->used = false;
  };
  const auto turn_frames = [&](const Matrix3& R) {
    joint.X_PF = Turned(joint.X_PF, R), joint.X_SM = Turned(joint.X_SM, R);
  };
  if (slides.empty() && turns.empty()) {
    joint.kind = Fixed{};
  } else if (slides.empty() && turns.size() == 1) {
    joint.kind = Revolute{Vector3::Unit(turns[0])};
    free = {OfToken(3 + turns[0])};
  } else if (turns.empty() && slides.size() == 1) {
    joint.kind = Prismatic{Vector3::Unit(slides[0])};
    free = {OfToken(slides[0])};
  } else if (slides.empty() && turns.size() == 3) {
    joint.kind = Ball{};
    leave_limits();
  } else if (slides.size() == 3 && turns.size() == 3) {
    joint.kind = Free{};
    leave_limits();
  } else if (slides.size() == 1 && turns == slides) {
    joint.kind = Cylindrical{Vector3::Unit(turns[0])};
    free = {OfToken(3 + turns[0]), OfToken(slides[0])};
    // The model's planar joint slides along x and y and turns about z.
  } else if (slides.size() == 2 && turns.size() == 1 && turns[0] == 3 - slides[0] - slides[1]) {
    const int z = turns[0], x = (z + 1) % 3, y = (z + 2) % 3;
    joint.kind = Planar{};
    turn_frames(Basis(x, y, z));
    free = {OfToken(x), OfToken(y), OfToken(3 + z)};
  } else if (slides.empty() && turns.size() == 2) {
    // Newton turns about them in their order; PhysX swings about y or z, then twists about x.
    const bool twist = stage_.physx() && turns[0] == 0;
    const int first = twist ? turns[1] : turns[0], second = twist ? turns[0] : turns[1];
    joint.kind = Universal{Vector3::Unit(first), Vector3::Unit(second)};
    free = {OfToken(3 + first), OfToken(3 + second)};
    if (stage_.physx() && !twist)
      Say(Severity::kWarning, "usd-joint-order", joint.where,
          {"joint", joint.name, "PhysX turns about y and z together; kinemorph reads y, then z"});
  } else {
    joint.kind = Fixed{};  // a chain of joints, one for each
    for (const int i : slides) free.push_back(OfToken(i));
    for (const int i : turns) free.push_back(OfToken(3 + i));
  }
}

// Slides before turns, each in the order x, y, z: as Newton has them.
// `joint` has the frames of both ends; in the chain the first joint has that of the predecessor,
// the last that of the successor. Only the last may be the loop joint.
void Builder::AddChain(PrimId prim, const Joint& joint, LinkId from, LinkId to,
                       const std::vector<Freedom>& free) {
  Say(Severity::kNote, "usd-joint-chain", joint.where,
      {"joint", joint.name,
       "no joint has its " + std::to_string(free.size()) +
           " motions in one piece; kinemorph writes a chain of joints, slides first"});
  for (std::size_t i = 0; i < free.size(); ++i) {
    const bool last = i + 1 == free.size();
    Joint one = joint;
    one.name = joint.name + "_" + free[i].token;
    const Vector3 axis = Vector3::Unit(free[i].token.back() - 'X');
    one.kind = free[i].angular ? JointKind(Revolute{axis}) : JointKind(Prismatic{axis});
    one.X_PF = i == 0 ? joint.X_PF : RigidTransform();
    one.X_SM = last ? joint.X_SM : RigidTransform();
    if (!last) one.role = JointRole::kTree;
    one.axes.resize(1);
    ReadAxes(prim, one, {free[i]});
    LinkId next = to;
    if (!last) {
      Link between;
      between.name = one.name + "_link";
      between.synthetic = true;
      between.scope = ScopeId{0};
      between.where = joint.where;
      next = model_.AddLink(std::move(between));
      placed_.push_back(placed_[Index(to)]);
    }
    joints_.emplace_back(prim, model_.AddJoint(from, next, std::move(one)));
    from = next;
  }
}

// Joints of one coordinate between the same two bodies add up to a chain, in their order, where
// Newton's articulation says so and where all are MuJoCo's; else each holds the bodies further.
void Builder::StackJoints() {
  bool add = false;
  for (PrimId i = 0; i < stage_.num_prims(); ++i)
    add = add || (stage_.Stands(i) && stage_.Boolean(i, "newton:jointsAddMobility") == true);
  using Ends = std::pair<LinkId, LinkId>;
  std::map<Ends, std::vector<JointId>> stacks;
  for (const auto& [prim, id] : joints_)
    if (joint_of_[prim] == id && model_.joint(id).role != JointRole::kLoop &&
        (add || layer_.prims[prim].Has("MjcJointAPI")))
      stacks[{model_.predecessor(id), model_.successor(id)}].push_back(id);
  std::map<JointId, Ends> ends;
  for (const auto& entry : stacks) {
    const Ends& bodies = entry.first;
    const std::vector<JointId>& stack = entry.second;
    LinkId from = bodies.first;
    for (std::size_t i = 0; i + 1 < stack.size(); ++i) {
      const Joint& joint = model_.joint(stack[i]);
      Link between;
      between.name = joint.name + "_link", between.synthetic = true;
      between.scope = ScopeId{0}, between.where = joint.where;
      const LinkId to = model_.AddLink(std::move(between));
      placed_.push_back(placed_[Index(bodies.second)]);
      ends[stack[i]] = {from, to}, ends[stack[i + 1]] = {to, bodies.second};
      // All bodies between stand at zero as the last one does.
      Joint& next = model_.joint(stack[i + 1]);
      next.X_PF = next.X_SM;
      from = to;
    }
    const bool touch = std::any_of(
        model_.contact_pairs.begin(), model_.contact_pairs.end(),
        [&](const auto& pair) { return pair.a == bodies.first && pair.b == bodies.second; });
    if (stack.size() > 1 && bodies.first != kWorld && !touch)
      model_.contact_exclusions.push_back(
          {bodies.first, bodies.second, model_.joint(stack[0]).where});
  }
  if (ends.empty()) return;
  model_.Reconnect([&](JointId id) {
    const auto moved = ends.find(id);
    return moved == ends.end() ? Ends{model_.predecessor(id), model_.successor(id)} : moved->second;
  });
}

// Where what is not excluded from the articulation makes loops, or leaves out what nothing else
// ties, a later pass chooses the tree.
void Builder::DecideRoles() {
  // Joints that are not excluded are united first: a circle among them means that no tree can be
  // read off the file, and the later choice has all joints.
  DisjointSets sets(model_.num_links());
  bool loops = false;
  for (const JointId id : Joints(model_)) {
    if (model_.joint(id).role == JointRole::kLoop) continue;
    loops = !sets.Unite(Index(model_.predecessor(id)), Index(model_.successor(id))) || loops;
  }
  for (const JointId id : Joints(model_)) {
    Joint& joint = model_.joint(id);
    if (joint.role != JointRole::kLoop) {
      joint.role = loops ? JointRole::kUndecided : JointRole::kTree;
      continue;
    }
    // What is drawn apart stays so, and is pulled together.
    // The frames of a loop joint need not coincide in the drawn posture. If they do, and nothing
    // else ties the two bodies, it was excluded for other reasons and belongs to the tree. A ball
    // joint counts its quaternion from the drawn posture then.
    const RigidTransform X_MF = (placed_[Index(model_.successor(id))].X * joint.X_SM).inverse() *
                                (placed_[Index(model_.predecessor(id))].X * joint.X_PF);
    const bool apart = HoldsAPoint(joint.kind) && X_MF.p.norm() > kDrawnApart;
    const bool turned = std::holds_alternative<Fixed>(joint.kind) &&
                        !(X_MF.R - Matrix3::Identity()).isZero(kDrawnApart);
    if (!apart && !turned &&
        sets.Unite(Index(model_.predecessor(id)), Index(model_.successor(id)))) {
      Say(Severity::kNote, "usd-excluded-tree", joint.where,
          {"joint", joint.name,
           "is excluded from the articulation but closes no loop; kinemorph reads the joint as "
           "part of the tree"});
      joint.role = loops ? JointRole::kUndecided : JointRole::kTree;
      if (std::holds_alternative<Ball>(joint.kind)) joint.X_SM.R = joint.X_SM.R * X_MF.R;
    }
  }
}

// Where bodies stand is where their joints start, unless these say it.
void Builder::ReadStart() {
  bool chosen = false;
  for (PrimId i = 0; i < stage_.num_prims(); ++i)
    chosen = chosen || (stage_.Stands(i) && stage_.Boolean(i, kStartIsChosen) == true);
  for (const JointId id : Joints(model_)) {
    Joint& joint = model_.joint(id);
    for (JointAxis& axis : joint.axes)
      if (chosen) axis.initial_position.reset();
    if (chosen || joint.role == JointRole::kLoop || joint.axes.size() != 1 ||
        joint.axes[0].initial_position)
      continue;
    const RigidTransform X_FM = (placed_[Index(model_.predecessor(id))].X * joint.X_PF).inverse() *
                                (placed_[Index(model_.successor(id))].X * joint.X_SM);
    double q = 0;
    if (const auto* hinge = std::get_if<Revolute>(&joint.kind)) {
      const Eigen::AngleAxisd turn(X_FM.R);
      q = turn.angle() * (turn.axis().dot(hinge->axis) < 0 ? -1 : 1);
    } else if (const auto* slide = std::get_if<Prismatic>(&joint.kind)) {
      q = X_FM.p.dot(slide->axis);
    }
    if (std::abs(q) > kDrawnApart) joint.axes[0].initial_position = q;
  }
}

void Builder::ReadMimics() {
  for (PrimId i = 0; i < stage_.num_prims(); ++i)
    if (joint_of_[i] != kNoJoint) ReadMimic(i);
}

// Newton: q = coef0 + coef1 l (+ MuJoCo's powers); PhysX: q + gearing l + offset = 0. Offsets in
// the unit of the joint, all else in radians and metres.
void Builder::ReadMimic(PrimId prim) {
  const auto leader = [&](const std::string& relation) {
    const std::vector<std::string> targets = stage_.Targets(prim, relation);
    // PhysX passes over a mimic that names nobody.
    if (targets.empty()) {
      Say(Severity::kWarning, "usd-mimic-alone", stage_.LineOf(prim, relation),
          {stage_.Named(prim), "'" + relation + "' names no joint; the joint follows nothing"});
      return kNoPrim;
    }
    const PrimId target = targets.size() == 1 ? layer_.FindPath(targets[0], prim) : kNoPrim;
    if (target != kNoPrim && joint_of_[target] != kNoJoint && target != prim) return target;
    Say(Severity::kError, "usd-target", stage_.LineOf(prim, relation),
        {stage_.Named(prim), "'" + relation + "' names no other joint of one coordinate"});
    return kNoPrim;
  };
  const Prim& p = layer_.prims[prim];
  const bool newton = p.Has("NewtonMimicAPI");
  const bool mujoco = !newton && !stage_.Targets(prim, "mjc:target").empty();
  if (mujoco || (newton && stage_.Boolean(prim, "newton:mimicEnabled").value_or(true))) {
    const PrimId leads = leader(newton ? "newton:mimicJoint" : "mjc:target");
    std::array<double, 4> factors{};
    // Coefficients are zero or one where nothing is written, as the schemas say.
    factors[0] = stage_.Number(prim, newton ? "newton:mimicCoef1" : "mjc:coef1").value_or(1);
    for (std::size_t k = 2; k <= 4; ++k)
      factors[k - 1] = stage_.Number(prim, "mjc:coef" + std::to_string(k)).value_or(0);
    // MuJoCo's constant counts in radians and metres.
    const bool angular = std::holds_alternative<Revolute>(model_.joint(joint_of_[prim]).kind);
    const double constant =
        stage_.Number(prim, newton ? "newton:mimicCoef0" : "mjc:coef0").value_or(0);
    if (leads != kNoPrim)
      AddMimic(prim, leads, newton ? constant : constant / Length(angular), factors);
    return;
  }
  for (const std::string& api : p.apis) {
    // The instance's name says an axis that plays no part on joints of one coordinate.
    if (!api.starts_with("PhysxMimicJointAPI:")) continue;
    const std::string of = "physxMimicJoint:" + api.substr(19) + ":";
    const PrimId leads = leader(of + "referenceJoint");
    static_cast<void>(stage_.Word(prim, of + "referenceJointAxis"));
    if (leads != kNoPrim)
      AddMimic(prim, leads, -stage_.Number(prim, of + "offset").value_or(0),
               {-stage_.Number(prim, of + "gearing").value_or(0)});
    return;
  }
}

void Builder::AddMimic(PrimId prim, PrimId leader, double offset,
                       const std::array<double, 4>& factors) {
  const JointId follows = joint_of_[prim], leads = joint_of_[leader];
  const auto angular = [&](JointId id) {
    return std::holds_alternative<Revolute>(model_.joint(id).kind);
  };
  // The factor of l^k has the unit of q over that of l^k: degrees never occur in it.
  const double metres = stage_.metres(), of_leader = angular(leads) ? 1 : metres;
  Coupling mimic;
  mimic.name = model_.joint(follows).name;
  mimic.where = model_.joint(follows).where;
  mimic.constant = offset * Length(angular(follows));
  CouplingTerm one{{follows, 0}, {1}}, other{{leads, 0}, {}};
  double scale = angular(follows) ? 1 : metres;
  for (std::size_t k = 0; k < 4; ++k) {
    scale /= of_leader;
    other.coefficients[k] = factors[k] == 0 ? 0 : -factors[k] * scale;
  }
  const bool curved =
      std::any_of(factors.begin() + 1, factors.end(), [](double c) { return c != 0; });
  mimic.form = curved ? CouplingForm::kPolynomial : CouplingForm::kMimic;
  mimic.terms = {one, other};
  model_.couplings.push_back(std::move(mimic));
}

}  // namespace kinemorph::usd
