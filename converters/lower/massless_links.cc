#include "lower/massless_links.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/model/model_dump.h"
#include "kinemorph/graph/model/references.h"
#include "kinemorph/graph/model/sensor_parts.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// Links without mass are common in URDF (frames, tool points) and refused by others. Two rules: in
// SDFormat and USD they become frames of the rigid body that they are part of (MergeRigid), in MJCF
// the links inside a chain of joints become one body with several joints (MarkChains). Both are
// exact. What remains and moves gets a little inertia (GiveInertia), with a loss that tells how
// much.

// By link: the first link of its group, held together by fixed tree joints; the world is in no
// group, a link welded to it stays. A fixed joint with a sensor that the target takes, a force
// sensor at a flange, stays: only there does the sensor measure the same.
std::vector<LinkId> RigidGroups(const Model& model, const SpanningTree& tree,
                                const PassContext& context) {
  std::vector<bool> holds(model.num_joints(), false);
  const Format* const to = FindFormat(context.traits.native_format);
  const bool has_words = to != nullptr && to->sensors.write != nullptr;
  for (const Sensor& sensor : model.sensors)
    if (const JointId joint = MeasuredJoint(sensor, tree.parent_joint);
        joint != kNoJoint && (sensor.native.format == context.traits.native_format ||
                              (has_words && MeasuresForces(sensor.kind))))
      holds[Index(joint)] = true;
  std::vector<LinkId> group(model.num_links(), kNoLink);
  for (const LinkId link : tree.order) {
    if (link == kWorld) continue;
    const JointId up = tree.parent_joint[Index(link)];
    const LinkId parent = tree.parent[Index(link)];
    const bool fixed = up != kNoJoint && parent != kWorld &&
                       std::holds_alternative<Fixed>(model.joint(up).kind) && !holds[Index(up)];
    group[Index(link)] = fixed ? group[Index(parent)] : link;
  }
  return group;
}

// Massless links on fixed tree joints become frames of the nearest link above with mass. Where
// there is none the group's first link takes the first mass of the group: the root of a robot stays
// a link under its name, as in libsdformat's conversion of URDF.
std::vector<Merger> MergersOf(const Model& model, const SpanningTree& tree,
                              const std::vector<LinkId>& group) {
  // Zero poses give the relative ones within a rigid group in one step.
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  std::vector<LinkId> first_with_mass(model.num_links(), kNoLink),
      above(model.num_links(), kNoLink);
  for (const LinkId link : tree.order) {
    if (link == kWorld || IsMassless(model.link(link))) continue;
    LinkId& first = first_with_mass[Index(group[Index(link)])];
    if (first == kNoLink) first = link;
  }
  std::vector<Merger> mergers;
  for (const LinkId link : tree.order) {
    if (link == kWorld) continue;
    const LinkId head = group[Index(link)];
    above[Index(link)] = link;
    // A link goes into the nearest one above that stays. The first with mass goes into the head of
    // its group, which is then massless itself.
    const bool goes_up = IsMassless(model.link(link)) || first_with_mass[Index(head)] == link;
    if (link == head || !goes_up) continue;
    const LinkId into = above[Index(tree.parent[Index(link)])];
    above[Index(link)] = into;
    mergers.push_back({link, into, X_W[Index(into)].inverse() * X_W[Index(link)]});
  }
  return mergers;
}

// What the merged links leave where they were.
std::vector<Frame> FramesOfMerged(Model& model, const std::vector<Merger>& mergers,
                                  PassContext& context) {
  std::vector<Frame> frames;
  for (const Merger& m : mergers) {
    Link& link = model.link(m.from);
    Frame frame;
    frame.name = link.name;
    frame.link = m.into;
    frame.X_LF = m.X_IF;
    frame.native_type = "frame";
    frame.scope = link.scope;
    frame.where = link.where;
    frames.push_back(std::move(frame));
    context.Lowered(
        Called(IsMassless(link) ? "massless link" : "link", SubjectOf(link)),
        "becomes a frame of '" + model.link(m.into).name + "', with all that was on it");
    if (IsMassless(link) && link.inertial && link.inertial->I_I.isZero(0) &&
        link.inertial->unknown.empty())
      DropInertial(link);  // an inertia without mass joins the neighbour's
  }
  return frames;
}

// A fixed joint inside a merged pair's group goes; of those along the path to `into` all but the
// merged ends stay consistent, because every joint that is left between two links keeps its
// frames. A loop joint between two links of one rigid body restrains nothing, and no link joins
// itself.
void TakeJointsInside(Model& model, const SpanningTree& tree, const std::vector<Merger>& mergers,
                      PassContext& context) {
  std::vector<bool> merged(model.num_links(), false);
  // Where each link will be: joints are judged by the links of the model to come.
  std::vector<LinkId> home(model.num_links());
  for (std::uint32_t v = 0; v < model.num_links(); ++v) home[v] = LinkId{v};
  for (const Merger& m : mergers) home[Index(m.from)] = m.into, merged[Index(m.from)] = true;
  const auto inside = [&](JointId id) {
    return home[Index(model.predecessor(id))] == home[Index(model.successor(id))];
  };
  const auto goes = [&](JointId id) {
    return inside(id) && std::holds_alternative<Fixed>(model.joint(id).kind) && !tree.IsLoop(id) &&
           (merged[Index(model.predecessor(id))] || merged[Index(model.successor(id))]);
  };
  const auto idle = [&](JointId id) {
    return inside(id) && tree.IsLoop(id) && model.predecessor(id) != model.successor(id);
  };
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (goes(id)) context.Lowered(SubjectOf(joint), "its links are one");
    if (idle(id))
      context
          .Lose(model, LoopFeature(joint.kind), SubjectOf(joint),
                "the loop joint is not written, because it constrains nothing",
                "both its links are one rigid body")
          .weight = Weight::kInterface;
  }
  Lose(model, TakeJoints(model, [&](JointId id) { return goes(id) || idle(id); }),
       "its joint connects a massless link that becomes a frame", context);
}

void MergeRigid(Model& model, PassContext& context) {
  const SpanningTree tree = TreeOf(model);
  const std::vector<Merger> mergers = MergersOf(model, tree, RigidGroups(model, tree, context));
  if (mergers.empty()) return;
  // Frames and contacts are noted with the old numbers of links, and given back with the new ones.
  std::vector<Frame> frames = FramesOfMerged(model, mergers, context);
  TakeJointsInside(model, tree, mergers, context);
  const std::vector<LinkId> renumbered = MergeLinks(
      model, mergers, "a massless link becomes a frame of the link that it is fixed to", context);
  for (Frame& frame : frames) {
    frame.link = renumbered[Index(frame.link)];
    model.frames.push_back(std::move(frame));
  }
}

// A body of MJCF holds a chain of joints: a massless link inside it needs no mass when nothing is
// on it and one joint leads on.
void MarkChains(Model& model, PassContext& context) {
  const SpanningTree tree = TreeOf(model);
  // How many tree joints lead on from each link, and whether a loop joint or anything else stands
  // on it.
  std::vector<std::uint32_t> below(model.num_links(), 0);
  std::vector<JointId> next(model.num_links(), kNoJoint);
  std::vector<bool> used(model.num_links(), false);
  for (const JointId id : Joints(model)) {
    if (tree.IsLoop(id)) {
      used[Index(model.predecessor(id))] = used[Index(model.successor(id))] = true;
    } else {
      ++below[Index(model.predecessor(id))];
      next[Index(model.predecessor(id))] = id;
    }
  }
  VisitAllLinks(model, [&](LinkId id, const RigidTransform*) { used[Index(id)] = true; });
  const auto one_axis = [&](JointId id) {
    return id != kNoJoint && !std::holds_alternative<Fixed>(model.joint(id).kind) &&
           !std::holds_alternative<Free>(model.joint(id).kind);
  };
  // From the leaves up: the chain must end at a link that weighs, have 6 coordinates at most, and
  // nothing may turn after a ball.
  std::vector<int> dofs(model.num_links(), 0);
  std::vector<bool> turns(model.num_links(), false);
  for (auto it = tree.order.rbegin(); it != tree.order.rend(); ++it) {
    const LinkId id = *it;
    if (id == kWorld) continue;
    Link& link = model.link(id);
    const bool was_synthetic = std::exchange(link.synthetic, false);
    const JointId up = tree.parent_joint[Index(id)], down = next[Index(id)];
    // `synthetic` marks the links inside a chain for the writer. It is taken from all at first: a
    // link that a pass made needs the same proof as one of the author's.
    const bool bare =
        IsMassless(link) &&
        (!link.inertial || (link.inertial->I_I.isZero(0) && link.inertial->unknown.empty())) &&
        link.visuals.empty() && link.collisions.empty() && link.native.empty() && !used[Index(id)];
    if (!bare || below[Index(id)] != 1 || !one_axis(up) || !one_axis(down)) continue;
    const LinkId child = model.successor(down);
    const Link& end = model.link(child);
    if (!end.synthetic && IsMassless(end) && !was_synthetic) continue;
    const JointKind &kind_up = model.joint(up).kind, &kind_down = model.joint(down).kind;
    // Coordinates of the joints below within this body; MuJoCo takes six for a body, and no
    // rotation after a ball.
    dofs[Index(id)] = NumVelocities(kind_down) + (end.synthetic ? dofs[Index(child)] : 0);
    turns[Index(id)] =
        !std::holds_alternative<Prismatic>(kind_down) || (end.synthetic && turns[Index(child)]);
    if (dofs[Index(id)] + NumVelocities(kind_up) > 6 ||
        (turns[Index(id)] && std::holds_alternative<Ball>(kind_up)))
      continue;
    link.synthetic = true;
    DropInertial(link);
    if (!was_synthetic)
      context.Lowered(Called("massless link", SubjectOf(link)),
                      "is removed: its joints belong to one body");
  }
}

bool HasMoments(const Link& link, double least) {
  return link.inertial && !link.inertial->I_I.isZero(0) &&
         PrincipalMoments(link.inertial->I_I)[0] >= least;
}
double MassOf(const Link& link) { return link.inertial ? link.inertial->mass : 0; }
bool Weighs(const Link& link, const LeastInertia& least) {
  return HasMoments(link, least.moment) && MassOf(link) >= least.mass;
}

// MuJoCo asks for mass and moments of inertia of a body that has joints, counting the bodies welded
// to it (the nearest ones, in old versions).
std::vector<bool> HasWeldedMass(const Model& model, const SpanningTree& tree,
                                const LeastInertia& least) {
  std::vector<bool> has(model.num_links(), false);
  for (auto it = tree.order.rbegin(); it != tree.order.rend(); ++it) {
    const LinkId link = *it;
    if (link == kWorld) continue;
    const bool weighs = Weighs(model.link(link), least);
    if (weighs) has[Index(link)] = true;
    const JointId up = tree.parent_joint[Index(link)];
    if (weighs && up != kNoJoint && std::holds_alternative<Fixed>(model.joint(up).kind))
      has[Index(tree.parent[Index(link)])] = true;
  }
  return has;
}

// Links that the target does not take as they are. In a chain-of-joints target, bodies welded to
// the world or to a heavier one need nothing, nor do the inner links of one body's chain.
std::vector<LinkId> LinksInNeed(const Model& model, const MasslessLinks& asked) {
  std::vector<LinkId> need;
  const LeastInertia& least = asked.least;
  // After the merger, every link that is left without mass needs some: such targets read none as a
  // default of their own.
  if (asked.become == MasslessRule::kFrames) {
    for (const LinkId id : Links(model))
      if (IsMassless(model.link(id)) || (least.mass > 0 && !Weighs(model.link(id), least)))
        need.push_back(id);
    return need;
  }
  const SpanningTree tree = TreeOf(model);
  const std::vector<bool> welded = WeldedToWorld(model, tree),
                          carried = HasWeldedMass(model, tree, least);
  for (const LinkId id : Links(model)) {
    const JointId up = tree.parent_joint[Index(id)];
    const bool held = up != kNoJoint && std::holds_alternative<Fixed>(model.joint(up).kind);
    if (!model.link(id).synthetic && !welded[Index(id)] && !carried[Index(id)] && !held)
      need.push_back(id);
  }
  return need;
}

void Give(Link& link, double mass, double moment, PassContext& context) {
  if (!link.inertial) link.inertial.emplace().where = link.where;
  // Only halves of a link have a mass and the link's origin under another name.
  const std::uint32_t origin = link.inertial->mass > 0 ? link.where.origin : 0;
  link.inertial->mass += mass;
  link.inertial->I_I += moment * Matrix3::Identity();
  link.synthetic = false;
  context.report.added.push_back({link.name, mass, moment, origin});
}

// All links in need together weigh this part of their robot, far below what anyone measures and far
// above rounding.
constexpr double kPart = 1e-7;
constexpr double kNoRobot = 1;  // kg: what stands for the robot's mass where it has none

// By link: the robot it is part of (links that joints connect, not through the world).
DisjointSets Robots(const Model& model) {
  DisjointSets robots(model.num_links());
  for (const JointId id : Joints(model)) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    if (p != kWorld && s != kWorld) robots.Unite(Index(p), Index(s));
  }
  return robots;
}

// Mean distance of a joint from the frames of its links (m); 1 where nothing has an extent.
double SizeOf(const Model& model) {
  double sum = 0;
  int count = 0;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    const double length =
        model.predecessor(id) == kWorld ? 0 : joint.X_PF.p.norm() + joint.X_SM.p.norm();
    if (length > 0 && std::isfinite(length)) sum += length, ++count;
  }
  return count > 0 ? sum / count : 1;
}

// 1.2345e-09: figures of a message, not of a file.
std::string Figure(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3)
          .ptr;
  return {text.data(), end};
}

// What stands still moves as before, however heavy it is: what is fixed to the world, and a root
// that nobody holds, which without mass cannot be meant to float.
std::vector<bool> StandsStill(const Model& model, const SpanningTree& tree) {
  std::vector<bool> still = WeldedToWorld(model, tree);
  for (const LinkId link : tree.order) {
    const JointId up = tree.parent_joint[Index(link)];
    const LinkId parent = tree.parent[Index(link)];
    const bool is_root = up == kNoJoint || (parent == kWorld && model.joint(up).implicit);
    const bool held = up != kNoJoint && std::holds_alternative<Fixed>(model.joint(up).kind);
    if (is_root || (held && still[Index(parent)])) still[Index(link)] = true;
  }
  return still;
}

// One loss for all links that are alike: what they get, what part that is of the whole, and what
// it means.
struct Given {
  Weight weight = Weight::kMotion;
  std::string_view without;
  std::vector<LinkId> links = {};
  double most = 0, most_moment = 0, sum = 0;  // kg, kg m^2, kg

  void Tell(const Model& model, double whole, const LeastInertia& least,
            PassContext& context) const {
    if (links.empty()) return;
    const std::string given = (most > 0 ? Figure(most) + " kg and " : "") + Figure(most_moment) +
                              " kg m^2 are written for each";
    const std::string part =
        sum == 0    ? ""
        : whole > 0 ? ", " + Figure(sum) + " kg in all where the model has " + Figure(whole) + " kg"
                    : std::string("; nothing in the model has a mass");
    Subject subject = SubjectOf(model);
    subject.where = model.link(links.front()).where;
    const std::string have = links.size() == 1 ? " link has no " : " links have no ";
    context
        .Lose(model, Feature::kMasslessLink, std::move(subject),
              std::to_string(links.size()) + have + std::string(without) + " (" +
                  SomeNames(model, links) + "): " + given + part,
              std::string(least.why))
        .weight = weight;
  }
};

// As little inertia as changes no one's result: spheres whose size is a tenth of a link's.
void GiveLittle(Model& model, const std::vector<LinkId>& need, const LeastInertia& least,
                PassContext& context) {
  const double radius = SizeOf(model) / 10;
  DisjointSets robots = Robots(model);
  std::vector<double> robot_mass(model.num_links(), 0);
  std::vector<std::size_t> in_need(model.num_links(), 0);
  double whole = 0;
  for (const LinkId id : Links(model))
    whole += MassOf(model.link(id)), robot_mass[robots.Find(Index(id))] += MassOf(model.link(id));
  // What is part of no robot with a mass is measured by the whole model.
  const auto robot_of = [&](LinkId id) {
    return robots.Find(robot_mass[robots.Find(Index(id))] > 0 ? Index(id) : Index(kWorld));
  };
  // The world's entry stands for the whole model.
  robot_mass[robots.Find(Index(kWorld))] = whole > 0 ? whole : kNoRobot;
  for (const LinkId id : need) ++in_need[robot_of(id)];
  const SpanningTree tree = TreeOf(model);
  const std::vector<bool> stands = StandsStill(model, tree);
  // A rotor with moments of inertia turns as before with a ten-millionth of the robot's mass.
  Given moving{Weight::kMotion, "inertia"}, still{Weight::kInterface, "inertia"},
      rotors{Weight::kInterface, "mass"};
  for (const LinkId id : need) {
    Link& link = model.link(id);
    const std::size_t robot = robot_of(id);
    // Shared among all in need of one robot, so that their number does not change its mass.
    const double little =
        std::max(kPart * robot_mass[robot] / static_cast<double>(in_need[robot]), least.mass);
    const double mass = MassOf(link) > 0 && MassOf(link) >= least.mass ? 0 : little;
    // Of a sphere of mass m and radius of gyration r: m r^2, well above zero and well below the
    // others.
    const double moment =
        HasMoments(link, least.moment) ? 0 : std::max(little * radius * radius, least.moment);
    const JointId up = tree.parent_joint[Index(id)];
    const bool turns_as_before = moment == 0 && mass <= kPart * robot_mass[robot] &&
                                 up != kNoJoint &&
                                 std::holds_alternative<Revolute>(model.joint(up).kind);
    Given& given = stands[Index(id)] ? still : turns_as_before ? rotors : moving;
    given.links.push_back(id);
    given.most = std::max(given.most, mass), given.sum += mass;
    given.most_moment = std::max(given.most_moment, moment);
    Give(link, mass, moment, context);
  }
  for (const Given& given : {moving, still, rotors}) given.Tell(model, whole, least, context);
}

}  // namespace

std::string SomeNames(const Model& model, const std::vector<LinkId>& links) {
  constexpr std::size_t kShown = 5;
  std::string names;
  for (std::size_t i = 0; i < links.size() && i < kShown; ++i)
    names += (i > 0 ? ", '" : "'") + model.link(links[i]).name + "'";
  return links.size() > kShown ? names + " and " + std::to_string(links.size() - kShown) + " more"
                               : names;
}

void GiveInertia(Model& model, const std::vector<LinkId>& links, const LeastInertia& least,
                 PassContext& context) {
  std::vector<LinkId> need;
  for (const LinkId id : links) {
    Link& link = model.link(id);
    if (!IsMassless(link) || !context.options.massless) {
      need.push_back(id);
      continue;
    }
    const double mass = *context.options.massless;
    const bool has_inertia = link.inertial && !link.inertial->I_I.isZero(0);
    Give(link, mass, has_inertia ? 0 : mass * kMomentOfGiven, context);
    Loss& loss = context.Lose(model, Feature::kMasslessLink, SubjectOf(link),
                              "it has no mass and is written with " + FormatNumber(mass) + " kg",
                              "that was asked for");
    loss.target = FormatNumber(mass) + " kg", loss.content = {loss.target}, loss.asked = true;
  }
  if (!need.empty()) GiveLittle(model, need, least, context);
}

void MasslessLinks::operator()(Model& model, PassContext& context) const {
  if (become == MasslessRule::kFrames)
    MergeRigid(model, context);
  else
    MarkChains(model, context);
  GiveInertia(model, LinksInNeed(model, *this), least, context);
}

}  // namespace kinemorph
