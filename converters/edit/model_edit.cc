// Exact edits of a Model that several passes share.
#include "edit/model_edit.h"

#include <algorithm>

#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/model/references.h"

namespace kinemorph {

SpanningTree TreeOf(const Model& model) { return ChooseSpanningTree(model); }

Flipped FlipJoint(Joint& joint) {
  Flipped result;
  std::swap(joint.X_PF, joint.X_SM);
  // X_MF(q) = X_FM(q)^-1 is the same motion with the axis negated, so that q keeps its value, sign
  // and limits.
  joint.kind = std::visit(
      Overloaded{[](Fixed k) -> JointKind { return k; }, [](Ball k) -> JointKind { return k; },
                 [](Free k) -> JointKind { return k; },
                 [](Revolute k) -> JointKind {
                   k.axis = -k.axis;
                   return k;
                 },
                 [](Prismatic k) -> JointKind {
                   k.axis = -k.axis;
                   return k;
                 },
                 [](Screw k) -> JointKind {
                   k.axis = -k.axis;
                   return k;
                 },
                 [](Cylindrical k) -> JointKind {
                   k.axis = -k.axis;
                   return k;
                 },
                 // (Rot(a1, q0) Rot(a2, q1))^-1 = Rot(-a2, q1) Rot(-a1, q0)
                 [&](Universal k) -> JointKind {
                   result.swapped = true;
                   return Universal{-k.axis2, -k.axis1};
                 },
                 // The motions are the same set; only x and y are measured in other axes.
                 [](Planar k) -> JointKind {
                   k.normal = -k.normal;
                   return k;
                 }},
      joint.kind);
  if (result.swapped && joint.axes.size() == 2) std::swap(joint.axes[0], joint.axes[1]);
  if (std::holds_alternative<Planar>(joint.kind) && joint.axes.size() == 3) {
    result.exact = IsPassive(joint.axes[0]) && IsPassive(joint.axes[1]);
  }
  return result;
}

void RebaseInertial(Inertial& inertial, const RigidTransform& X_NL) {
  // The tensor is about the centre of mass in axes of the inertial frame I: only the pose of I
  // changes.
  inertial.X_LI = X_NL * inertial.X_LI;
}

void RebaseLinkContent(Link& link, const RigidTransform& X_NL) {
  if (link.inertial) RebaseInertial(*link.inertial, X_NL);
  for (Visual& visual : link.visuals) visual.X_LG = X_NL * visual.X_LG;
  for (Collision& collision : link.collisions) collision.X_LG = X_NL * collision.X_LG;
}

bool IsComputed(const Inertial& inertial, std::string_view format) {
  // The writer of a format with computed inertias (SDFormat's `auto`) puts the word back instead of
  // the numbers, and its readers compute them from the shapes that they find. The mark must go as
  // soon as shapes or mass of the link change, or they compute others.
  return std::any_of(inertial.native.begin(), inertial.native.end(), [&](const NativeData& data) {
    return data.element == kComputedInertia && data.format == format;
  });
}

void ForgetComputedInertia(Link& link) {
  const auto forget = [](std::vector<NativeData>& native) {
    std::erase_if(native, [](const NativeData& d) { return d.element == kComputedInertia; });
  };
  if (link.inertial) forget(link.inertial->native);
  for (Collision& collision : link.collisions) forget(collision.native);
}

void DropInertial(Link& link) {
  if (!link.inertial) return;
  ForgetComputedInertia(link);
  for (NativeData& native : link.inertial->native) link.native.push_back(std::move(native));
  link.inertial.reset();
}

Inertial Together(const Inertial& a, const Inertial& b) {
  // Both about the origin of the link, where spatial inertias add up; back to the centre of mass of
  // the sum. The axes of the tensor become those of the link.
  const SpatialInertia sum = a.InLink() + b.InLink();
  Inertial result = a;
  result.mass = sum.mass;
  result.X_LI = RigidTransform::Translation(sum.p_BoBcm);
  result.I_I = sum.I_BBcm;
  if (result.unknown.empty()) result.unknown = b.unknown;
  // An unknown number of one makes the sum unknown, and native text of both stands on the result.
  result.native.insert(result.native.end(), b.native.begin(), b.native.end());
  return result;
}

std::vector<LinkId> MergeLinks(Model& model, const std::vector<Merger>& mergers) {
  std::vector<const Merger*> by_link(model.num_links(), nullptr);
  for (const Merger& m : mergers) by_link[Index(m.from)] = &m;
  // What stands on a link that goes: the link that it goes into, and the pose there. One step is
  // enough, because `into` is never itself merged (the callers name the head of a group of links).
  const auto home = [&](LinkId& link, RigidTransform* X) {
    if (link == kNoLink || by_link[Index(link)] == nullptr) return;
    const Merger& m = *by_link[Index(link)];
    if (X != nullptr) *X = m.X_IF * *X;
    link = m.into;
  };

  // In the order of `mergers`, so that what is drawn and kept on the links keeps the order of the
  // tree.
  for (const Merger& m : mergers) {
    Link& from = model.link(m.from);
    Link& into = model.link(m.into);
    if (!from.collisions.empty() || from.inertial) {
      ForgetComputedInertia(from);
      ForgetComputedInertia(into);
    }
    RebaseLinkContent(from, m.X_IF);
    for (Visual& visual : from.visuals) into.visuals.push_back(std::move(visual));
    for (Collision& collision : from.collisions) into.collisions.push_back(std::move(collision));
    from.visuals.clear();
    from.collisions.clear();
    // Of what has no mass nothing is said.
    if (IsMassless(into) && !IsMassless(from)) into.gravity = from.gravity;
    if (!into.self_collide) into.self_collide = from.self_collide;
    if (from.inertial)
      into.inertial = into.inertial ? Together(*into.inertial, *from.inertial) : *from.inertial;
    for (NativeData& native : from.native) into.native.push_back(std::move(native));
  }

  // Frames of joints first, while the graph still says on which links they stand; then the ends of
  // all edges at once, since Reconnect builds the graph anew.
  for (const JointId id : Joints(model)) {
    LinkId p = model.predecessor(id), s = model.successor(id);
    home(p, &model.joint(id).X_PF);
    home(s, &model.joint(id).X_SM);
  }
  model.Reconnect([&](JointId id) {
    LinkId p = model.predecessor(id), s = model.successor(id);
    home(p, nullptr);
    home(s, nullptr);
    return std::pair(p, s);
  });

  // Last what names links by id: items of the model, and the canonical link of a scope, which the
  // visitor leaves out.
  VisitAllLinks(model, home);
  for (Scope& scope : model.scopes)
    if (scope.canonical_link) home(*scope.canonical_link, nullptr);
  std::vector<LinkId> now =
      model.RemoveLinks([&](LinkId id) { return by_link[Index(id)] != nullptr; });
  for (const Merger& m : mergers) now[Index(m.from)] = now[Index(m.into)];
  return now;
}

std::vector<bool> WeldedToWorld(const Model& model, const SpanningTree& tree) {
  std::vector<bool> welded(model.num_links(), false);
  welded[0] = true;

  // Parents stand before children in the tree's order, so that one pass tells.
  for (const LinkId link : tree.order) {
    if (link == kWorld) continue;
    const JointId up = tree.parent_joint[Index(link)];
    welded[Index(link)] = up != kNoJoint && welded[Index(tree.parent[Index(link)])] &&
                          std::holds_alternative<Fixed>(model.joint(up).kind);
  }
  return welded;
}

bool IsMassless(const Link& link) { return !link.inertial || link.inertial->mass == 0; }

UniqueNames LinkNames(const Model& model) {
  UniqueNames names;
  for (const LinkId id : Links(model)) names.Add(model.link(id).name);
  return names;
}

UniqueNames JointNames(const Model& model) {
  UniqueNames names;
  for (const JointId id : Joints(model)) names.Add(model.joint(id).name);
  return names;
}

std::string NameBeside(const Link& link, const Joint& joint) {
  const auto local = [](const std::string& name) {
    const std::size_t at = name.rfind("::");
    return at == std::string::npos ? 0 : at + 2;
  };
  return link.name.substr(0, local(link.name)) + joint.name.substr(local(joint.name));
}

LinkId AddWelded(Model& model, LinkId at, const RigidTransform& X, const std::string& name,
                 const Joint& sake, ScopeId scope, UniqueNames& links, UniqueNames& joints) {
  // `synthetic`: nobody wrote this link, so that neither the counts nor the accounting look for it.
  // With the place of the joint that needs it, messages point to a line.
  Link link;
  link.name = links.Take(name);
  link.scope = scope;
  link.synthetic = true;
  link.where = sake.where;
  Joint weld;
  weld.name = joints.Take(link.name + "_joint");
  weld.kind = Fixed{};
  weld.role = JointRole::kTree;
  weld.scope = sake.scope;
  weld.where = sake.where;
  weld.X_PF = X;
  const LinkId id = model.AddLink(std::move(link));
  model.AddJoint(at, id, std::move(weld));
  return id;
}

void MoveCoordinate(Model& model, Coordinate from, Coordinate to) {
  for (Coupling& coupling : model.couplings) {
    for (CouplingTerm& term : coupling.terms)
      if (term.coordinate == from) term.coordinate = to;
  }
}

std::string Quoted(std::string_view kind, std::string_view name) {
  std::string text(kind);
  text += " '";
  text += name;
  text += "'";
  return text;
}

}  // namespace kinemorph
