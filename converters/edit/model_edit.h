// Exact edits of a Model that several passes share. None of them changes the mechanism.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/base/unique_names.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/model.h"
#include "kinemorph/graph/model/zero_poses.h"

namespace kinemorph {

/// The spanning tree of a model whose roles are decided (after choose_tree); no messages.
[[nodiscard]] SpanningTree TreeOf(const Model& model);

/// Turns a joint round: afterwards it leads from its old successor to its old predecessor. The ends
/// are the caller's business (Model::Reconnect). Coordinates keep their values, except that a
/// Universal's two change places (`swapped`) and the displacements of a Planar joint are measured
/// in the other link (`exact` is false when something is said about them).
struct Flipped {
  bool swapped = false, exact = true;
};
Flipped FlipJoint(Joint& joint);

/// Re-expresses everything that is fixed to link L in frame N, where X_LN is the pose of N in L:
/// inertial, visuals, collisions. Joints, frames and sensors are the caller's.
void RebaseLinkContent(Link& link, const RigidTransform& X_NL);
void RebaseInertial(Inertial& inertial, const RigidTransform& X_NL);

/// Takes the mass away; native text of the inertial stays with the link.
void DropInertial(Link& link);
/// `format` says that the inertial is computed from the shapes of its link (kComputedInertia).
[[nodiscard]] bool IsComputed(const Inertial& inertial, std::string_view format);
/// The numbers are all that is left of an inertial that was computed from shapes: those change.
void ForgetComputedInertia(Link& link);

/// A rigid merger: link `from` becomes part of link `into`, at pose X_IF.
struct Merger {
  LinkId from = kNoLink, into = kNoLink;
  RigidTransform X_IF;
};
/// Moves everything on the `from` links (visuals, collisions, frames, sensors, joints, exclusions,
/// coupling ends, mass) to their `into` links, then removes the links. Joints between a merged pair
/// must have been removed. Returns old -> new link ids, of a merged link that of what it is in.
std::vector<LinkId> MergeLinks(Model& model, const std::vector<Merger>& mergers);

/// The mass properties of both bodies together, in the link's frame.
[[nodiscard]] Inertial Together(const Inertial& a, const Inertial& b);

[[nodiscard]] bool IsMassless(const Link& link);
/// By link: true where it cannot move against the world, as only fixed joints lead to it.
[[nodiscard]] std::vector<bool> WeldedToWorld(const Model& model, const SpanningTree& tree);

/// The name of a joint as that of a link in the scope of another: beside "n::a", "m::j" is "n::j".
[[nodiscard]] std::string NameBeside(const Link& link, const Joint& joint);

/// @{
/// The names of a model.
[[nodiscard]] UniqueNames LinkNames(const Model& model);
[[nodiscard]] UniqueNames JointNames(const Model& model);
/// @}

/// A massless link of this scope, welded to `at` with the pose X there, for the sake of a joint:
/// the weld has that one's scope, and both its place in the source. Returns the link.
LinkId AddWelded(Model& model, LinkId at, const RigidTransform& X, const std::string& name,
                 const Joint& sake, ScopeId scope, UniqueNames& links, UniqueNames& joints);

/// A coupling term's coordinates follow: every coordinate on `from` axis `axis` now stands on `to`
/// axis `to_axis`.
void MoveCoordinate(Model& model, Coordinate from, Coordinate to);

/// "joint 'knee'", "link 'shank'".
[[nodiscard]] std::string Quoted(std::string_view kind, std::string_view name);

}  // namespace kinemorph
