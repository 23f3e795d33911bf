// The passes of this room in the order in which they run: what each requires and what it ensures.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: what --drop (and --frames drop) names is gone. Features that are the
/// mechanism itself cannot be dropped (a note says so); a tree joint of a dropped kind is frozen at
/// zero.
void DropRequested(Model& model, PassContext& context);

/// Ensures: where --independent names coordinates, those are declared independent and no others.
void AskIndependent(Model& model, PassContext& context);

/// Requires: roles decided. Ensures: every free joint of the tree leads from the world, at the same
/// zero configuration.
void FreeJoints(Model& model, PassContext& context);

/// Requires: roles decided. Ensures, where the target holds joints of several coordinates as loop
/// joints only (TargetTraits::loops_hold_whole_joints): such a joint of a loop is where the loop is
/// cut, as far as loops are closed at q = 0 and nothing binds the joint to the tree. Tree joints may
/// point against the tree afterwards.
void CutWholeJoints(Model& model, PassContext& context);

/// Requires: roles decided. Ensures: no loop joint has a kind that the table gives to this pass,
/// and none joins a link to its own ancestor where the table says so. In this order, after `mimics`:
///   1. a hinge: the ball of a loop that moves in a plane becomes a revolute joint;
///   2. another cut: a passive joint of the same loop, of a kind the target holds, becomes the loop
///   joint, and this one a tree joint
///      (only where the loop is closed at q = 0, so that the zero configuration stays);
///   3. a chain: tree joints of one coordinate through massless links, and a loop joint of the last
///   coordinate
///      (ball: two revolute joints and a revolute loop joint);
///   4. from a link to its own ancestor: a massless link welded to the ancestor becomes the loop
///   joint's end.
/// Tree joints may point against the tree afterwards.
void LowerLoops(Model& model, PassContext& context);

/// Requires: roles decided. Ensures, where the target pairs frames: every loop joint is fixed or a
/// ball, and nothing more is said of it. A hinge of a loop that moves in a plane becomes a ball,
/// which does the same there; any other becomes a tree joint to half of a link, and a weld.
void SplitLoops(Model& model, PassContext& context);

/// Requires: roles decided, joints oriented. Ensures: no tree joint has a kind that the table gives
/// to this pass. Joint `j` becomes `j_1` .. `j_n` through massless synthetic links `j_link1` ..
/// `j_link<n-1>`; limits, dynamics and couplings follow their coordinate. A screw gets a coupling
/// of its rotation and its displacement.
void SplitJoints(Model& model, PassContext& context);

/// Requires: roles decided. Ensures: where massless links have no home in the target, no chain of
/// tree joints through massless links that carry nothing is left that one joint of a kind native to
/// the target makes exactly:
///   revolute, revolute with meeting axes                           -> universal
///   revolute x3, perpendicular, through one point, nothing said    -> ball
///   revolute and prismatic along one line, coupled by a pitch      -> screw
///   revolute and prismatic along one line                          -> cylindrical
///   prismatic, prismatic, revolute, perpendicular                  -> planar
void FoldChains(Model& model, PassContext& context);

/// Requires: roles decided. Ensures, with --fixed merge: no tree joint between two links is fixed;
/// the parent takes over the child's mass properties, geometry, frames, sensors and joints. Without
/// it: nothing.
void MergeFixed(Model& model, PassContext& context);

/// Ensures: every link with mass has the tensor of a rigid body; each change is a loss that gives
/// both sets of principal moments.
void PhysicalInertia(Model& model, PassContext& context);

/// Requires: nothing. Ensures, where nothing can stand on the world: its geometry is on a link
/// `world_geometry` fixed to it.
void WorldContent(Model& model, PassContext& context);

/// Requires: nothing. Ensures: where the table lowers frames, none is left: each is a massless link
/// on a fixed joint, or, with
/// --frames drop, a loss. Where the table keeps a part of it (a point has a position only), the
/// rest is a loss.
void LowerFrames(Model& model, PassContext& context);

/// Requires: roles decided. Ensures, where massless links have no home (MasslessRule::kFrames):
/// none is rigidly attached to another link; it is a frame of its neighbour, which takes over its
/// visuals, collisions, frames, sensors, and the joints that hung on it. Where they may only stand
/// inside the chain of joints of one body (kChains): those that carry nothing are marked as
/// synthetic. What is left gets --massless EPS kg, or so little that all of it is 1e-7 of the
/// robot's mass (its size a tenth of the robot's links): one loss for all of them, with the
/// figures; `report.added` has each. No link or subtree is ever lost.
void MasslessLinks(Model& model, PassContext& context);

/// Requires: roles are decided, tree joints point down the tree. Ensures, on request
/// (ConvertOptions::base_as_root, or the target's trait): what was fixed to the world is one link,
/// or hangs on one link by fixed joints where the target has them; that link has the world's frame,
/// so that gravity keeps its direction, and takes over all that stood on the world. Nothing where
/// no link is fixed to it.
void BaseAsRoot(Model& model, PassContext& context);

/// Requires: roles decided, joints oriented. Ensures: X_SM of every tree joint is exactly the
/// identity. Inertials, visuals, collisions, frames, sensors, child joints and loop frames follow;
/// the constant transform of every link that moved is in the report.
void RebaseLinkFrames(Model& model, PassContext& context);

/// Requires: tree joints point down the tree, and their frames are the frames of their links
/// (rebase_link_frames). Ensures, where the target asks for it: the axis of every hinge is +x, +y
/// or +z of its link, to the bit; where the signs of the axes allow it, the normal of every planar
/// loop is a coordinate axis of its nearest common ancestor, and the links of the loop are turned
/// about it alone. The links of a planar loop and its points slide along their axes into the plane
/// through the origin of that ancestor, which changes nothing.
void AxisAlignedFrames(Model& model, PassContext& context);

/// Requires: axis_aligned_frames. Ensures, where the target's loops join points: a planar loop
/// whose third row depends on nothing stays; every other revolute or fixed loop joint becomes ball
/// loop joints at one point (spherical loops), two or three. What these fix twice, a distance
/// between points, a massless link gives way to: it hangs on a hinge that the loop itself holds at
/// zero, hence the mechanism is the same. Loop joints of other kinds stay as they are.
void PointLoops(Model& model, PassContext& context);

/// Requires: lower_loops. Ensures, where the target writes loop joints as points and is read back
/// by what the points of two links hold together: two ball loop joints between the same links are
/// one revolute loop joint about the line of their points, and what stands on three points that are
/// not in line is a fixed one.
void JoinPoints(Model& model, PassContext& context);

/// Requires: rebase_link_frames. Ensures, where the target's loops stand at link frames: one end of
/// every loop joint is the origin of a link to which a joint leads; a massless link is welded to
/// the predecessor where neither end was.
void LoopFrames(Model& model, PassContext& context);

/// Requires: link frames are at rest. Ensures, where the target pairs frames: both ends of every
/// loop joint are origins of massless links that a fixed joint leads to, called closedloopN_A and
/// closedloopN_B where they were not there.
void PairFrames(Model& model, PassContext& context);

/// Requires: link frames are final. Ensures: every tensor is given in the axes of its link (R I
/// R^T), with what rounding leaves where zero is meant, 1e-15 of the largest entry, as exact zeros.
void InertiaAxes(Model& model, PassContext& context);

/// Requires: split_joints. Where the target has mimics and no loops: an aggregate whose dependent
/// joints are all linear in one independent joint each (parallelograms, and what gears make of
/// them) loses its loop joints to mimics, which is exact. On request (MimicChoice::kFit) others
/// do too, by the line of least largest error over the limits of the independent joint: a loss
/// that names the error. What depends on several joints stays a loop, and is lost by others.
void Mimics(Model& model, PassContext& context);

/// Requires: tree joints lead from predecessor to successor. Ensures, where the target's loops have
/// such readers (TargetTraits::merges): no loop joint ends on a link that is merged into another, or
/// leads to the world, or has the name of another element; every link that carries a loop or a mass
/// weighs something, with those that are merged into it; no joint says that a robot floats.
void LoopEnds(Model& model, PassContext& context);

/// Requires: roles decided, loops closed at zero, no loop joint leads to the world. Ensures, where
/// loops are welds of halves (TargetTraits::loops_weld_halves): each loop joint is a tree joint, with
/// all that is said of it, to a new link: a part of its successor with its share of the mass and the
/// tensor, its frame on that of the joint. A second part with the same frame is fixed to the
/// successor, and a loop joint welds the two. Exact: together the parts are the successor, and the
/// ends of the loop joint stay joined where contacts ask for it.
void WeldHalves(Model& model, PassContext& context);

/// Requires: the tree is final, joints oriented and split. Ensures: every coupling has a form that
/// is native to the target and says the same relation, or is left for drop_unsupported with a loss
/// that gives its equation.
void LowerCouplings(Model& model, PassContext& context);

/// Requires: couplings have the form of the target. Ensures, where the target declares natures, and
/// by joint: every joint of several coordinates is independent or dependent as a whole. Others
/// become chains through massless links, which are exact; of a ball's or free joint's three turns
/// the independent ones come last, so that a turn that nothing hinders is one coordinate.
void PartlyIndependent(Model& model, PassContext& context);

/// Requires: joints split, roles decided. Ensures, where an effort limit is that of a drive: loop
/// joints, balls and free joints have neither effort limit nor spring, and no coordinate both.
/// Where loop joints have no dynamics, or the coordinates of a joint share theirs, none are left
/// that the target does not hold. All of it are losses.
void LowerDrives(Model& model, PassContext& context);

/// Requires: joints split. Ensures, where a limit is a pair: the open side of a one-sided limit is
/// 1e16 (rad or m), which every reader of ours takes for "unlimited"; where a prismatic joint must
/// have limits, both sides are. Where ball or free joints carry no limit or dynamics, those are
/// losses.
void LowerLimits(Model& model, PassContext& context);

/// Requires: nothing. Ensures: what the table gives to this pass is gone: a capsule is a cylinder
/// and two spheres, for visuals and collisions alike; a transparency is the alpha of the colour;
/// rolling friction is a loss; colours are whole steps, with a loss where that changes them.
void LowerShapes(Model& model, PassContext& context);

/// Requires: roles decided. Ensures, where the table says so: no joint, frame or geometry is on the
/// world vertex; a massless root link called "world" takes its place.
void WorldLink(Model& model, PassContext& context);

/// Requires that links are merged and have what little inertia the target asks for. Ensures that no
/// link of the output pretends to a unknown mass: an inertial that is computed from
/// shapes stays where the target computes it too; of every other the numbers that stand in are
/// written, and are a loss.
void UnknownMasses(Model& model, PassContext& context);

/// Requires: nothing. Ensures: every NativeData, native shape, sensor and actuator that is left
/// belongs to the target's family; each of the others is a loss.
void DropNativeData(Model& model, PassContext& context);

/// Requires the final tree, and after ExplicitContacts that masks and exclusions say all. Ensures
/// that the same pairs of links collide by the target's rule, with as few words as can be: masks,
/// exclusions and pairs, or self-collision of models and links; pairs of which that cannot be said
/// are losses.
void SelfCollision(Model& model, PassContext& context);

/// Ensures, where the caller asks for it: every tree joint of one coordinate with an effort limit
/// (N or N m) that follows from no others has a drive; those that the source lacks are called `<joint>_motor`, with gear 1 and
/// the limit as their range. A drive that the target cannot hold as it is becomes a motor of the
/// same gear, its range the joint's limit divided by the gear where the source gives none.
void Motors(Model& model, PassContext& context);

/// Requires: all other lowering is done. Ensures: no feature that the table gives as lost is in
/// use.
void DropUnsupported(Model& model, PassContext& context);

/// Requires: all other lowering is done. Ensures: nothing changes; every use of a feature that the
/// table gives to this pass is a loss that says, in the table's words, what a consumer makes of it
/// (a limit kept as a number that nothing acts on, an inertia that the target's own library
/// refuses).
void Remarks(Model& model, PassContext& context);

/// Requires: everything that changes joints is done. Ensures, where the target wants natures: every
/// joint with a coordinate is declared independent or not. A declaration that determines the rest
/// is kept, and so is one that leaves coordinates to user code; else what drives and efforts the source
/// has and column pivoting of the constraint Jacobian at several closed configurations choose
/// (AnalyseCoordinates): with a note, and a loss where the author says otherwise. Errors, for every target: coordinates asked for that
/// do not exist, or that cannot all be independent.
void DeclareNatures(Model& model, PassContext& context);

/// Requires: everything that adds elements is done. Ensures: names follow the target's rule
/// (NameRule): no clash, nothing reserved, no
/// "::" but that of a model's own scope. Links keep their names before joints, joints before
/// frames; a joint called like a link becomes `name_joint`, a frame `name_frame`, further ones get
/// `_2`, `_3`. Every change is in the report.
void LowerNames(Model& model, PassContext& context);

/// Requires the names that links are written with. Ensures, where the target's blocks speak for all
/// parts of a link at once, that the friction and the block family's content are the same on all
/// visuals (collisions) of a link, and that each of these has a name that a block reaches; the rest
/// is a loss each.
void PartBlocks(Model& model, PassContext& context);

/// Ensures: the report names the loop joints and the independent coordinates as the target has
/// them; what the author did not choose is a note with its reason.
void TellCoordinates(Model& model, PassContext& context);

}  // namespace kinemorph
