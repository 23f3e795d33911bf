#include "read/builder.h"

#include <algorithm>
#include <unordered_map>

#include "kinemorph/graph/base/disjoint_sets.h"
#include "words.h"

namespace kinemorph::usd {
namespace {

constexpr double kEarth = 9.81;  // m/s^2, where a scene does not say

}  // namespace

// Bodies first, as everything hangs on them; shapes before masses, since a mass that is not written
// is that of the shapes; joints before roles, roles before free bases.
Model Builder::Build() {
  const std::size_t n = layer_.prims.size(), errors = stage_.report().diagnostics.num_errors();
  link_of_.assign(n, kNoLink), joint_of_.assign(n, kNoJoint);
  guide_.assign(n, false), hidden_.assign(n, false), told_.assign(n, false);
  model_.format = "usda";
  model_.unsaid = UnsaidIndependence::kNothing;
  for (const Source& source : stage_.report().sources) model_.files.push_back(source.file);
  NameModel();
  AddBodies();
  ReadScenes();
  AddShapes();
  ReadMasses();
  AddFrames();
  AddJoints();
  StackJoints();
  ReadMimics();
  // What a joint that failed leaves behind is no news.
  if (stage_.report().diagnostics.num_errors() > errors) return std::move(model_);
  DecideRoles();
  ReadStart();
  AddFreeBases();
  ReadContacts();
  KeepLeftovers();
  return std::move(model_);
}

// The default prim, else the first one with a body in it, else the file.
void Builder::NameModel() {
  model_.scopes.emplace_back();
  PrimId named = layer_.FindChild(kNoPrim, layer_.default_prim);
  for (PrimId i = 0; i < stage_.num_prims() && named == kNoPrim; ++i)
    if (layer_.prims[i].parent == kNoPrim && stage_.Stands(i) && stage_.IsPhysical(i)) named = i;
  if (named != kNoPrim) {
    const Prim& prim = layer_.prims[named];
    model_.name = prim.display_name.empty() ? std::string(prim.name) : prim.display_name;
    model_.scopes[0].where = Where(named);
  }
  model_.scopes[0].name = model_.name;
}

// What a user is shown, where no other of them is called so; else the prim's own name.
std::vector<std::string> Builder::Names(const std::vector<PrimId>& prims) {
  std::unordered_map<std::string, int> times;
  for (const PrimId prim : prims) {
    const Prim& p = layer_.prims[prim];
    ++times[std::string(p.name)];
    if (!p.display_name.empty() && p.display_name != p.name) ++times[p.display_name];
  }
  UniqueNames taken;
  std::vector<std::string> names(prims.size());
  for (std::size_t i = 0; i < prims.size(); ++i) {
    const Prim& p = layer_.prims[prims[i]];
    const bool shown = !p.display_name.empty() && times[p.display_name] == 1;
    const std::string wanted = shown ? p.display_name : std::string(p.name);
    names[i] = taken.Take(wanted);
    if (names[i] != wanted)
      Say(Severity::kNote, "usd-name-shared", p.line,
          {stage_.Named(prims[i]),
           "'" + wanted + "' is used already; the element is called '" + names[i] + "'"});
  }
  return names;
}

void Builder::AddBodies() {
  std::vector<PrimId> bodies;
  for (PrimId i = 0; i < stage_.num_prims(); ++i)
    if (stage_.Stands(i) && stage_.IsBody(i)) bodies.push_back(i);
  const std::vector<std::string> names = Names(bodies);
  model_.Reserve(bodies.size(), bodies.size());
  placed_.emplace_back();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    // Where the drawn posture puts the link. A scale of its frame goes into the shapes and points
    // in it.
    const PrimId i = bodies[k];
    Link link;
    link.name = names[k];
    link.scope = ScopeId{0};
    link.where = Where(i);
    if (stage_.Boolean(i, "physxRigidBody:disableGravity") == true) link.gravity = false;
    placed_.push_back(Split(stage_.InWorld(i)));
    if (placed_.back().flat)
      Say(Severity::kError, "usd-transform", link.where,
          {"link", link.name, "its frame has no size, or one without end"});
    if (placed_.back().sheared)
      Say(Severity::kWarning, "usd-shear", link.where,
          {"link", link.name,
           "is in a sheared frame, which a rigid body cannot have; kinemorph uses the nearest "
           "rigid frame"});
    link_of_[i] = model_.AddLink(std::move(link));
  }
  const bool simulated = std::any_of(layer_.prims.begin(), layer_.prims.end(),
                                     [](const Prim& p) { return p.type == "PhysicsScene"; });
  if (!bodies.empty() || simulated) return;  // a scene may hold what stands still alone
  Say(Severity::kError, "usd-no-bodies", 1,
      {"", stage_.report().file, "no prim is a rigid body (PhysicsRigidBodyAPI)"});
}

LinkId Builder::LinkOf(PrimId prim) const {
  const PrimId body = stage_.BodyOf(prim);
  return body == kNoPrim ? kWorld : link_of_[body];
}

// Its frame in the link that it moves with.
// The frame of a prim within its link has the link's scale taken out of it, and `scaled` tells what
// is left.
RigidTransform Builder::InLink(PrimId prim, Placed* scaled) const {
  const LinkId link = LinkOf(prim);
  if (link != kWorld && stage_.IsBody(prim)) {
    if (scaled) *scaled = placed_[Index(link)], scaled->X = {};
    return {};
  }
  const RigidTransform X_LW = placed_[Index(link)].X.inverse();
  const Affine& a = stage_.InWorld(prim);
  const Placed placed = Split(link == kWorld ? a : Affine{X_LW.R * a.A, X_LW * a.p});
  if (scaled) *scaled = placed;
  return placed.X;
}

void Builder::ReadScenes() {
  bool first = true;
  for (PrimId i = 0; i < stage_.num_prims(); ++i) {
    if (!stage_.Stands(i) || layer_.prims[i].type != "PhysicsScene" || !first) continue;
    first = false;
    const std::optional<double> size = stage_.Number(i, "physics:gravityMagnitude");
    const std::optional<Vector3> towards = stage_.Vector(i, "physics:gravityDirection");
    // Directions of the stage turn to those of the model, z up. Without one, gravity is against the
    // stage's up.
    if (!size && !towards) continue;
    const Vector3 down = towards.value_or(Vector3::Zero());
    const Matrix3 up = stage_.Root().A / stage_.metres();
    const double g = size && *size >= 0 ? *size * stage_.metres() : kEarth;
    model_.gravity = down.norm() > 0 ? Vector3(g * (up * down.normalized())) : Vector3(0, 0, -g);
  }
}

// An Xform that nothing stands in is there for its place.
void Builder::AddFrames() {
  std::vector<PrimId> frames;
  for (PrimId i = 0; i < stage_.num_prims(); ++i) {
    const Prim& p = layer_.prims[i];
    if (stage_.Stands(i) && !stage_.IsBody(i) && p.type == "Xform" && p.first == kNoPrim &&
        p.arcs.empty() && p.parent != kNoPrim && !p.Find(kCollisionFile) && !p.Find(kVisualFile))
      frames.push_back(i);
  }
  const std::vector<std::string> names = Names(frames);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    Frame frame;
    frame.name = names[k];
    frame.link = LinkOf(frames[k]);
    frame.X_LF = InLink(frames[k]);
    frame.native_type = "frame";
    frame.scope = ScopeId{0};
    frame.where = Where(frames[k]);
    frame_of_[frames[k]] = model_.frames.size();
    model_.frames.push_back(std::move(frame));
  }
}

// A body that no joint of the tree ties to the world is free; of several that hang together the
// first that no joint leads to.
// Twice: the first of a group that no joint leads to, and only then any of a circle of joints.
void Builder::AddFreeBases() {
  DisjointSets sets(model_.num_links());
  std::vector<bool> led_to(model_.num_links());
  UniqueNames names;
  for (const JointId id : Joints(model_)) {
    names.Add(model_.joint(id).name);
    if (model_.joint(id).role == JointRole::kLoop) continue;
    sets.Unite(Index(model_.predecessor(id)), Index(model_.successor(id)));
    led_to[Index(model_.successor(id))] = true;
  }
  for (const bool any : {false, true}) {
    for (const LinkId id : Links(model_)) {
      if (sets.Find(Index(id)) == sets.Find(0) || (!any && led_to[Index(id)])) continue;
      Joint joint;
      joint.name = names.Take("world_to_" + model_.link(id).name);
      joint.kind = Free{};
      joint.axes.resize(1);
      joint.X_PF = placed_[Index(id)].X;
      joint.implicit = true;
      joint.role = JointRole::kTree;
      joint.scope = ScopeId{0};
      joint.where = model_.link(id).where;
      model_.AddJoint(kWorld, id, std::move(joint));
      sets.Unite(0, Index(id));
    }
  }
}

}  // namespace kinemorph::usd
