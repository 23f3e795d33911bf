#include "lower/massless_links.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <string>
#include <utility>

#include "kinemorph/graph/model_dump.h"
#include "model_edit.h"

namespace kinemorph {
namespace {

// Massless links on fixed tree joints become frames of the nearest neighbour with mass, or of the group's first link.
void MergeRigid(Model& model, PassContext& context) {
  const SpanningTree tree = TreeOf(model);
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  // Groups of links held together by fixed tree joints; the world is in no group, a link welded to it stays.
  std::vector<LinkId> group(model.num_links(), kNoLink);
  std::vector<bool> fixed_above(model.num_links(), false);
  for (const LinkId link : tree.order) {
    if (link == kWorld) continue;
    const JointId up = tree.parent_joint[Index(link)];
    const LinkId parent = tree.parent[Index(link)];
    fixed_above[Index(link)] = up != kNoJoint && parent != kWorld && std::holds_alternative<Fixed>(model.joint(up).kind);
    group[Index(link)] = fixed_above[Index(link)] ? group[Index(parent)] : link;
  }
  // Each massless link goes to its nearest ancestor with mass inside the group, else to the first link with mass of the group.
  std::vector<LinkId> first_with_mass(model.num_links(), kNoLink), above(model.num_links(), kNoLink);
  for (const LinkId link : tree.order) {
    if (link == kWorld || IsMassless(model.link(link))) continue;
    LinkId& first = first_with_mass[Index(group[Index(link)])];
    if (first == kNoLink) first = link;
  }
  std::vector<Merger> mergers;
  std::vector<bool> merged(model.num_links(), false);
  for (const LinkId link : tree.order) {
    if (link == kWorld) continue;
    above[Index(link)] = !IsMassless(model.link(link)) ? link : fixed_above[Index(link)] ? above[Index(tree.parent[Index(link)])] : kNoLink;
    if (!IsMassless(model.link(link))) continue;
    const LinkId head = group[Index(link)];
    LinkId into = above[Index(link)] != kNoLink             ? above[Index(link)]
                  : first_with_mass[Index(head)] != kNoLink ? first_with_mass[Index(head)]
                                                            : head;
    if (into == link) continue;
    merged[Index(link)] = true;
    mergers.push_back({link, into, X_W[Index(into)].inverse() * X_W[Index(link)]});
  }
  if (mergers.empty()) return;

  // A fixed joint inside a merged pair's group goes; of those along the path to `into` all but the merged ends stay consistent,
  // because every joint that is left between two links keeps its frames.
  std::vector<LinkId> home(model.num_links());
  for (std::uint32_t v = 0; v < model.num_links(); ++v) home[v] = LinkId{v};
  for (const Merger& m : mergers) home[Index(m.from)] = m.into;
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
    context.Lowered(Quoted("massless link", link.name), "becomes a frame of '" + model.link(m.into).name + "', with all that was on it");
    if (link.inertial && link.inertial->I_I.isZero(0)) link.inertial.reset();  // an inertia without mass joins the neighbour's
  }
  const std::vector<JointId> kept = model.RemoveJoints([&](JointId id) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    return home[Index(p)] == home[Index(s)] && std::holds_alternative<Fixed>(model.joint(id).kind) && !tree.IsLoop(id) &&
           (merged[Index(p)] || merged[Index(s)]);
  });
  (void)kept;
  const std::vector<LinkId> renumbered = MergeLinks(model, mergers);
  for (Frame& frame : frames) {
    frame.link = renumbered[Index(frame.link)];
    model.frames.push_back(std::move(frame));
  }
}

// A body of MJCF holds a chain of joints: a massless link inside it needs no mass when nothing is on it and one joint leads on.
void MarkChains(Model& model, PassContext& context) {
  const SpanningTree tree = TreeOf(model);
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
  for (const Frame& f : model.frames) used[Index(f.link)] = true;
  for (const Sensor& s : model.sensors)
    if (s.link != kNoLink) used[Index(s.link)] = true;
  for (const ContactExclusion& e : model.contact_exclusions) used[Index(e.a)] = used[Index(e.b)] = true;
  const auto one_axis = [&](JointId id) {
    return id != kNoJoint && !std::holds_alternative<Fixed>(model.joint(id).kind) && !std::holds_alternative<Free>(model.joint(id).kind);
  };
  // From the leaves up: the chain must end at a link that weighs, have 6 coordinates at most, and nothing may turn after a ball.
  std::vector<int> dofs(model.num_links(), 0);
  std::vector<bool> turns(model.num_links(), false);
  for (auto it = tree.order.rbegin(); it != tree.order.rend(); ++it) {
    const LinkId id = *it;
    if (id == kWorld) continue;
    Link& link = model.link(id);
    const bool was_synthetic = std::exchange(link.synthetic, false);
    const JointId up = tree.parent_joint[Index(id)], down = next[Index(id)];
    const bool bare = IsMassless(link) && (!link.inertial || link.inertial->I_I.isZero(0)) && link.visuals.empty() &&
                      link.collisions.empty() && link.native.empty() && !used[Index(id)];
    if (!bare || below[Index(id)] != 1 || !one_axis(up) || !one_axis(down)) continue;
    const LinkId child = model.successor(down);
    const Link& end = model.link(child);
    if (!end.synthetic && IsMassless(end) && !was_synthetic) continue;
    const JointKind &kind_up = model.joint(up).kind, &kind_down = model.joint(down).kind;
    dofs[Index(id)] = NumVelocities(kind_down) + (end.synthetic ? dofs[Index(child)] : 0);
    turns[Index(id)] = !std::holds_alternative<Prismatic>(kind_down) || (end.synthetic && turns[Index(child)]);
    if (dofs[Index(id)] + NumVelocities(kind_up) > 6 || (turns[Index(id)] && std::holds_alternative<Ball>(kind_up))) continue;
    link.synthetic = true;
    link.inertial.reset();
    if (!was_synthetic) context.Lowered(Quoted("massless link", link.name), "vanishes: its joints stand in one body");
  }
}

bool HasMoments(const Link& link, double least) {
  return link.inertial &&
         Eigen::SelfAdjointEigenSolver<Matrix3>(link.inertial->I_I, Eigen::EigenvaluesOnly).eigenvalues().minCoeff() >= least;
}
bool Weighs(const Link& link, double least) { return HasMoments(link, least) && link.inertial->mass >= least; }

// MuJoCo asks for mass and moments of inertia of a body that has joints, counting the bodies welded to it (the nearest ones, in old
// versions).
std::vector<bool> HasWeldedMass(const Model& model, const SpanningTree& tree, double least) {
  std::vector<bool> has(model.num_links(), false);
  for (auto it = tree.order.rbegin(); it != tree.order.rend(); ++it) {
    const LinkId link = *it;
    if (link == kWorld) continue;
    const bool weighs = Weighs(model.link(link), least);
    if (weighs) has[Index(link)] = true;
    const JointId up = tree.parent_joint[Index(link)];
    if (weighs && up != kNoJoint && std::holds_alternative<Fixed>(model.joint(up).kind)) has[Index(tree.parent[Index(link)])] = true;
  }
  return has;
}

void Give(Link& link, double mass, double moment, PassContext& context) {
  if (!link.inertial) link.inertial.emplace().where = link.where;
  link.inertial->mass += mass;
  link.inertial->I_I += moment * Matrix3::Identity();
  link.synthetic = false;
  context.report.added.push_back({link.name, mass, moment});
}

}  // namespace

void MasslessLinks(Model& model, PassContext& context) {
  const MasslessRule rule = context.traits.massless;
  if (rule == MasslessRule::kFrames) MergeRigid(model, context);
  if (rule == MasslessRule::kChains) MarkChains(model, context);
  const SpanningTree tree = TreeOf(model);
  const std::vector<bool> welded = WeldedToWorld(model, tree);
  const double least = context.traits.least_inertia;
  const std::vector<bool> carried =
      rule == MasslessRule::kChains ? HasWeldedMass(model, tree, least) : std::vector<bool>(model.num_links(), false);
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    const bool massless = IsMassless(link);
    if (!massless && rule != MasslessRule::kChains) continue;
    const JointId up = tree.parent_joint[Index(id)];
    // Welded bodies need no mass in either family, nor do the inner links of one body's chain, nor links welded to their parent there.
    if (rule == MasslessRule::kChains && (link.synthetic || welded[Index(id)] || carried[Index(id)] ||
                                          (up != kNoJoint && std::holds_alternative<Fixed>(model.joint(up).kind))))
      continue;
    if (massless && context.options.massless) {
      const double mass = *context.options.massless;
      const bool has_inertia = link.inertial && !link.inertial->I_I.isZero(0);
      Give(link, mass, has_inertia ? 0 : mass * 1e-4, context);  // a sphere of about 16 mm
      context.Lowered(Quoted("massless link", link.name), "given " + FormatNumber(mass) + " kg as asked");
      continue;
    }
    if (rule == MasslessRule::kChains) {
      const bool heavy_enough = link.inertial && link.inertial->mass >= least;
      Give(link, heavy_enough ? 0 : least - (link.inertial ? link.inertial->mass : 0), HasMoments(link, least) ? 0 : least, context);
      context.Lose(model, Feature::kMasslessLink, Quoted("link", link.name), link.where,
                   std::string(heavy_enough ? "the link has no inertia, " : "the link has no mass, ") + FormatNumber(least) +
                       (heavy_enough ? " kg m^2 are written" : " kg and kg m^2 are written"),
                   std::string(context.traits.massless_consequence));
      continue;
    }
    if (rule == MasslessRule::kFrames && welded[Index(id)]) {
      context.Lowered(Quoted("massless link", link.name), "written without inertial: it is welded to the world, where mass has no effect");
      context.report.without_inertial.push_back(link.name);
      link.inertial.reset();
      continue;
    }
    const bool has_inertia = link.inertial && !link.inertial->I_I.isZero(0);
    context.Lose(model, Feature::kMasslessLink, Quoted("link", link.name), link.where,
                 has_inertia ? "the link has an inertia but no mass, and neither is written" : "the link has no mass, and none is written",
                 std::string(context.traits.massless_consequence));
    context.report.without_inertial.push_back(link.name);
    link.inertial.reset();
  }
}

}  // namespace kinemorph
