// Passes `world_link` and `world_content`: the world as a link, for targets whose world is nothing
// but a frame, or not even that.
#include <algorithm>

#include "edit/model_edit.h"
#include "edit/roots.h"
#include "kinemorph/graph/model/references.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

std::vector<JointId> LoopsOnTheWorld(const Model& model) {
  std::vector<JointId> loops;
  for (const JointId id : Joints(model))
    if (model.joint(id).role == JointRole::kLoop &&
        (model.predecessor(id) == kWorld || model.successor(id) == kWorld))
      loops.push_back(id);
  return loops;
}

}  // namespace

void WorldLink(Model& model, PassContext& context) {
  // A free base is left unsaid beside loops that stand apart from the tree.
  const auto on_it = [&](JointId id) {
    const Joint& joint = model.joint(id);
    const bool unsaid = joint.implicit && std::holds_alternative<Free>(joint.kind);
    return !unsaid && (model.predecessor(id) == kWorld || model.successor(id) == kWorld);
  };
  bool has_joints = false;
  for (const JointId id : Joints(model)) has_joints = has_joints || on_it(id);
  Link& world = model.link(kWorld);
  // What the target has no shape for needs no link.
  const auto held = [&](const auto& part) { return !context.Lost(ShapeFeature(part.shape)); };
  const bool on_world = std::any_of(world.visuals.begin(), world.visuals.end(), held) ||
                        std::any_of(world.collisions.begin(), world.collisions.end(), held) ||
                        std::any_of(model.frames.begin(), model.frames.end(),
                                    [](const Frame& f) { return f.link == kWorld; });
  if (!has_joints && !on_world) return;
  UniqueNames names = LinkNames(model);
  // The link stands where the world stands, so that no pose changes: only the ends are renamed.
  Link link = world;
  link.name = names.Take("world");
  link.inertial.reset();
  link.scope = model.scopes.empty() ? kNoScope : ScopeId{0};
  link.synthetic = false;
  world.visuals.clear();
  world.collisions.clear();
  world.native.clear();
  const LinkId id = model.AddLink(std::move(link));
  const auto move = [&](LinkId& at) {
    if (at == kWorld) at = id;
  };
  model.Reconnect([&](JointId joint) {
    LinkId p = model.predecessor(joint), s = model.successor(joint);
    move(p);
    move(s);
    return std::pair(p, s);
  });
  VisitAllLinks(model, [&](LinkId& at, const RigidTransform*) { move(at); });
  // A root that nothing ties would be a second root beside "world".
  UniqueNames joints = JointNames(model);
  for (const LinkId root : UntiedRoots(TreeOf(model))) {
    if (root == id) continue;
    Joint joint;
    joint.name = joints.Take(model.link(root).name + "_to_world");
    joint.kind = Free{};
    joint.role = JointRole::kTree;
    model.AddJoint(id, root, std::move(joint));
  }
  context.Lowered(TheWorld(), "becomes the massless root link '" + model.link(id).name +
                                  "' (--root base makes a fixed base the root itself)");
}

void WorldContent::operator()(Model& model, PassContext& context) const {
  Link& world = model.link(kWorld);
  // A frame beside the models of a world needs no link to stand on.
  const bool is_world = !model.scopes.empty() && model.scopes.front().is_world;
  const auto needs_link = [&](const Frame& frame) {
    return frame.link == kWorld && !(is_world && frame.scope == ScopeId{0});
  };
  // Where a target asks for it, points that hold a loop to the world move as its geometry does.
  const bool frames = std::any_of(model.frames.begin(), model.frames.end(), needs_link);
  const std::vector<JointId> loops = loops_too ? LoopsOnTheWorld(model) : std::vector<JointId>();
  const auto names_world = [](const auto& pair) { return pair.a == kWorld || pair.b == kWorld; };
  if (only_for_pairs && loops.empty() &&
      std::ranges::none_of(model.contact_exclusions, names_world) &&
      std::ranges::none_of(model.contact_pairs, names_world))
    return;
  if (world.visuals.empty() && world.collisions.empty() && !frames && loops.empty()) return;
  UniqueNames links = LinkNames(model), joints = JointNames(model);
  Link link;
  link.name = links.Take("world_geometry");
  link.visuals = std::move(world.visuals);
  link.collisions = std::move(world.collisions);
  link.native = std::move(world.native);
  link.scope = model.scopes.empty() ? kNoScope : ScopeId{0};
  link.where = world.where;
  world.visuals.clear();
  world.collisions.clear();
  world.native.clear();
  Joint joint;
  joint.name = joints.Take(link.name + "_joint");
  joint.kind = Fixed{};
  joint.role = JointRole::kTree;
  joint.scope = link.scope;
  context.Lowered(TheWorld(),
                  "its shapes and frames move to link '" + link.name + "', which is fixed to it");
  if (!link.visuals.empty() || !link.collisions.empty())
    context.Renamed(SubjectKind::kWorldModel, link.where, model.link(kWorld).name, link.name);
  const LinkId id = model.AddLink(std::move(link));
  model.AddJoint(kWorld, id, std::move(joint));
  for (Frame& frame : model.frames)
    if (needs_link(frame)) frame.link = id;
  model.Reconnect([&](JointId j) {
    LinkId p = model.predecessor(j), s = model.successor(j);
    if (std::find(loops.begin(), loops.end(), j) != loops.end()) (p == kWorld ? p : s) = id;
    return std::pair(p, s);
  });
  const auto move = [&](LinkId& at) {
    if (at == kWorld) at = id;
  };
  for (ContactExclusion& pair : model.contact_exclusions) move(pair.a), move(pair.b);
  for (ContactPair& pair : model.contact_pairs) move(pair.a), move(pair.b);
}

}  // namespace kinemorph
