// The joints that no file names: what holds static models still, and what lets the others float.
#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/base/unique_names.h"
#include "sdf_model/builder.h"

namespace kinemorph::sdformat {

// A link without a joint to the world falls, in SDFormat by being there, in the model by a free
// joint. These joints have no element: they are marked, and a writer of SDFormat leaves them out
// again.
void Builder::AddImplicitJoints() {
  const std::size_t n = model_.num_links();
  UniqueNames names;
  for (const JointId joint : Joints(model_)) names.Add(model_.joint(joint).name);
  const auto add = [&](std::size_t link, JointKind kind) {
    const LinkId id{static_cast<std::uint32_t>(link)};
    Joint joint;
    joint.name = names.Take("world_to_" + model_.link(id).name);
    joint.kind = kind;
    joint.X_PF = frames_.InWorld(frames_.of_link(link - 1));
    joint.implicit = true;
    joint.scope = model_.link(id).scope;
    joint.where = model_.link(id).where;
    model_.AddJoint(kWorld, id, std::move(joint));
  };

  // Two partitions: links that are rigidly together, and links that any joints connect.
  DisjointSets rigid(n), joined(n);
  for (const JointId joint : Joints(model_)) {
    const std::size_t p = Index(model_.predecessor(joint)), s = Index(model_.successor(joint));
    if (std::holds_alternative<Fixed>(model_.joint(joint).kind)) rigid.Unite(p, s);
    joined.Unite(p, s);
  }
  // Static: every rigid group of links is held by one fixed joint.
  for (std::size_t i = 1; i < n; ++i) {
    if (!IsStatic(description_.links[i - 1].model) || rigid.Find(i) == rigid.Find(0)) continue;
    add(i, Fixed{});
    rigid.Unite(i, 0);
    joined.Unite(i, 0);
  }
  // Floating: each part that does not hang on the world gets one free joint, at the link that is
  // nobody's child. Where several are, or none, the canonical link of a model speaks, if it is one
  // of them.
  std::vector<bool> is_child(n, false);
  for (const JointId joint : Joints(model_)) is_child[Index(model_.successor(joint))] = true;
  std::vector<std::size_t> base(n, 0), tops(n, 0);  // by part
  for (std::size_t i = 1; i < n; ++i) {
    // Any link that no joint has for a child can carry the part: the first one in the file, for a
    // start.
    const std::size_t part = joined.Find(i);
    if (is_child[i]) continue;
    ++tops[part];
    if (base[part] == 0) base[part] = i;
  }
  for (std::size_t m = description_.models.size(); m-- > 0;) {  // the first model is heard last
    const int parent = description_.models[m].parent;
    const bool top =
        parent < 0 ? !description_.models[m].is_world : description_.model(parent).is_world;
    const int canonical = frames_.CanonicalLink(static_cast<int>(m));
    if (!top || canonical < 0) continue;
    const std::size_t link = static_cast<std::size_t>(canonical) + 1, part = joined.Find(link);
    if (tops[part] == 0 || (tops[part] > 1 && !is_child[link])) base[part] = link;
  }
  std::vector<bool> held(n, false);
  held[joined.Find(0)] = true;
  for (std::size_t i = 1; i < n; ++i) {
    // Where a part of loops has no top at all, its first link stands for it.
    const std::size_t part = joined.Find(i), link = base[part] ? base[part] : i;
    if (held[part]) continue;
    held[part] = true;
    if (description_.links[link - 1].element) add(link, Free{});  // else it is not ours to say
  }
}

void Builder::Build() {
  // A world with one model and nothing else to name shows the model's names without its prefix.
  // Otherwise names begin with the model's, as soon as the world has anything of its own.
  if (description_.models[0].is_world) {
    int only = -1, count = 0;
    for (std::size_t m = 1; m < description_.models.size(); ++m) {
      if (description_.models[m].parent == 0) only = static_cast<int>(m), ++count;
    }
    bool own = false;
    for (const JointItem& joint : description_.joints) own = own || joint.model == 0;
    for (const FrameItem& frame : description_.frames) own = own || frame.model == 0;
    if (count == 1 && !own && !description_.model(only).merged)
      hidden_prefix_ = description_.model(only).prefix;
    model_.name = count == 1 && !hidden_prefix_.empty() ? description_.model(only).name
                                                        : description_.models[0].name;
  } else {
    model_.name = description_.models[0].name;
  }
  model_.gravity = description_.gravity;
  model_.native = description_.native;
  // Gearboxes need all joints, Drake's tendons and the plugins too. Links that float are told apart
  // when all other joints are known, and Drake's points come last: they hold bodies that are held
  // already.
  BuildScopes();
  BuildLinks();
  CheckModels();
  BuildFrames();
  BuildJoints();
  BuildMimics();
  BuildGearboxes();
  BuildDrakeTendons();
  BuildDrakeGroups();
  BuildPlugins();
  AddImplicitJoints();
  BuildBallConstraints();
  // Those that our writer makes: what others write stays as it is.
  std::vector<RigidTransform> X_WL(model_.num_links());
  for (std::size_t i = 1; i < X_WL.size(); ++i) X_WL[i] = frames_.InWorld(frames_.of_link(i - 1));
  JoinHalves(model_, X_WL, [](const Link& link, const Link& part) {
    return link.name.ends_with("_tip") && part.name.ends_with("_half");
  });
}

// As Build, for elements beside a URDF: scopes and the world are there.
void Builder::BuildPart() {
  scope_ids_ = {ScopeId{0}};
  BuildLinks();
  BuildFrames();
  BuildJoints();
  BuildMimics();
  BuildGearboxes();
  BuildPlugins();
  AddImplicitJoints();
}

}  // namespace kinemorph::sdformat
