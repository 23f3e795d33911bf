// The passes of this room in the order in which they run: what each requires and what it ensures, and
// what the recipe of a target may ask of it.
#pragma once

#include <cmath>
#include <limits>

#include "edit/whole_joint.h"
#include "kinemorph/graph/base/number.h"
#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: what --drop (and --frames drop) names is gone. Features that are the
/// mechanism itself cannot be dropped (a note says so); a tree joint of a dropped kind is frozen at
/// zero.
void DropRequested(Model& model, PassContext& context);

/// Ensures: where --independent names coordinates, those are declared independent. Where the target
/// declares coordinates no others are; else the author's words are lost one by one, as always.
struct AskIndependent {
  static constexpr std::string_view kName = "independent";
  bool forgets_others = false;
  [[nodiscard]] AskedWords Asked() const {
    return {{forgets_others, "the author's declarations give way"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures: every free joint of the tree leads from the world, at the same
/// zero configuration.
struct FreeJoints {
  static constexpr std::string_view kName = "free_joints";
  bool free_is_implicit = false;
  [[nodiscard]] AskedWords Asked() const {
    return {{free_is_implicit, "what nothing ties to the world is free"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures: a joint of several coordinates, for which a tree needs massless
/// links, is where its loop is cut, as far as loops are closed at q = 0 and nothing binds the joint to
/// the tree. Tree joints may point against the tree afterwards.
void CutWholeJoints(Model& model, PassContext& context);

/// Requires: roles decided. Ensures: no loop joint has a kind that the table gives to this pass,
/// and none joins a link to its own ancestor where the table says so. In this order, after Mimics
/// where the target has them:
///   1. a hinge: the ball of a loop that moves in a plane becomes a revolute joint;
///   2. another cut: a passive joint of the same loop, of a kind the target holds, becomes the loop
///   joint, and this one a tree joint
///      (only where the loop is closed at q = 0, so that the zero configuration stays);
///   3. a chain: tree joints of one coordinate through massless links, and a loop joint of the last
///   coordinate
///      (ball: two revolute joints and a revolute loop joint); or, where engines hold light links
///      badly, a tree joint to half of a link, and a weld of the halves;
///   4. from a link to its own ancestor: a massless link welded to the ancestor becomes the loop
///   joint's end.
/// Tree joints may point against the tree afterwards.
struct LowerLoops {
  static constexpr std::string_view kName = "lower_loops";
  bool mimics_first = false, cut_is_unseen = false;
  bool splits_links = false;  ///< a link is split where a chain of massless links would stand
  [[nodiscard]] AskedWords Asked() const {
    return {{mimics_first, "after `mimics`, where a chain is to stand there"},
            {splits_links, "a link is split, because engines hold light links badly"},
            {cut_is_unseen, "a loop joint is written as a tree joint is: no other cut helps"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided, loops and joints as the source has them, and a target in which a joint
/// keeps the two links from touching that it joins. Ensures: links that a loop joint joins, or a
/// joint that the target does not hold in one piece, are excluded where they do not touch. The world
/// is in no pair but with shapes of its own, which WorldContent takes to a link.
void JoinedContacts(Model& model, PassContext& context);

/// Requires: joints and couplings as the target has them. Ensures, where the source says where a joint
/// starts: all loops are closed where joints start. Each change is a loss.
void StartPositions(Model& model, PassContext& context);

/// Requires: roles decided, and a target that drives every joint of one coordinate whose effort limit
/// (N or N m) is not 0. Ensures, where the source drives a joint: the limit of a joint that nothing
/// drives is 0, and that of a driven one without a limit is its drive's. Each change is a loss.
void IdleJoints(Model& model, PassContext& context);

/// Requires: roles decided, and a target whose loops are pairs of frames. Ensures: every loop joint
/// is fixed or a ball, and nothing more is said of it. A hinge of a loop that moves in a plane
/// becomes a ball, which does the same there; any other becomes a tree joint to half of a link, and
/// a weld.
void SplitLoops(Model& model, PassContext& context);

/// Requires: roles decided, joints oriented. Ensures: no tree joint has a kind that the table gives
/// to this pass, or that the target does not hold in one piece. Joint `j` becomes `j_1` .. `j_n`
/// through massless synthetic links `j_link1` .. `j_link<n-1>`; limits, dynamics and couplings follow
/// their coordinate. A screw gets a coupling of its rotation and its displacement.
struct SplitJoints {
  static constexpr std::string_view kName = "split_joints";
  WholeJoints whole = {};
  [[nodiscard]] AskedWords Asked() const { return whole.InWords(); }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided, and a target in which massless links have no home. Ensures: no chain of
/// tree joints through massless links that carry nothing is left that one joint of a kind native to
/// the target makes exactly:
///   revolute, revolute with meeting axes                           -> universal
///   revolute x3, perpendicular, through one point, nothing said    -> ball
///   revolute and prismatic along one line, coupled by a pitch      -> screw
///   revolute and prismatic along one line                          -> cylindrical
///   prismatic, prismatic, revolute, perpendicular                  -> planar
struct FoldChains {
  static constexpr std::string_view kName = "fold_chains";
  WholeJoints whole = {};
  [[nodiscard]] AskedWords Asked() const { return whole.InWords(); }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures, with --fixed merge and where the table gives fixed joints to
/// it: no tree joint between two links is fixed; the parent takes over the child's mass properties,
/// geometry, frames, sensors and joints. Without: nothing.
void MergeFixed(Model& model, PassContext& context);

/// Ensures: every link with mass has the tensor of a rigid body; each change is a loss that gives
/// both sets of principal moments.
void PhysicalInertia(Model& model, PassContext& context);

/// Requires: a target in which nothing can stand on the world. Ensures: its geometry is on a link
/// `world_geometry` fixed to it.
struct WorldContent {
  static constexpr std::string_view kName = "world_content";
  bool loops_too = false,      ///< points that hold a loop are content of the world
      only_for_pairs = false;  ///< its shapes move where a loop, or a pair of links, names it
  [[nodiscard]] AskedWords Asked() const {
    return {{loops_too, "points that hold a loop move as geometry does"},
            {only_for_pairs, "nothing moves where no loop and no pair of links names the world"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: nothing. Ensures: no named frame is left: each is a massless link on a fixed joint, or,
/// with --frames drop, a loss.
void LowerFrames(Model& model, PassContext& context);

/// What becomes of a link without mass.
enum class MasslessRule {
  kFrames,  ///< no home: a rigidly attached one becomes a frame
  kChains,  ///< legal only when welded, or inside a chain of joints of one body
};

/// The least that a moving body must have, and what it means that some get so little.
struct LeastInertia {
  double mass = 0;            ///< kg
  double moment = 0;          ///< kg m^2
  std::string_view why = {};  ///< what a consumer makes of a link that stays without mass
};

/// Requires: roles decided. Ensures, with kFrames: no massless link is rigidly attached to another
/// link; it is a frame of its neighbour, which takes over its visuals, collisions, frames, sensors,
/// and the joints that hung on it. With kChains: those that carry nothing inside the chain of joints
/// of one body are marked as synthetic. What is left gets --massless EPS kg, or so little that all of
/// it is 1e-7 of the robot's mass (its size a tenth of the robot's links): one loss for all of them,
/// with the figures; `report.added` has each. No link or subtree is ever lost.
struct MasslessLinks {
  static constexpr std::string_view kName = "massless_links";
  MasslessRule become = MasslessRule::kFrames;
  LeastInertia least = {};
  [[nodiscard]] AskedWords Asked() const {
    return {{become == MasslessRule::kFrames, "what is rigidly attached becomes a frame"},
            {become == MasslessRule::kChains, "a chain of joints of one body stays"},
            {least.mass > 0, "a moving body has a least mass and moment of inertia"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles are decided, tree joints point down the tree. Ensures, on request
/// (ConvertOptions::base_as_root) or where nothing fixes it to the world: what was fixed to the world is one link, or hangs on one
/// link by fixed joints where the target has them; that link has the world's frame, so that gravity
/// keeps its direction, and takes over all that stood on the world. Nothing where no link is fixed to
/// it.
void BaseAsRoot(Model& model, PassContext& context);

/// Requires: rebase_link_frames behind it, and a target that puts every free link at the origin of the
/// world. Ensures: the two frames of a free joint from the world meet at that origin.
void FreeFrames(Model& model, PassContext& context);

/// Requires: roles decided, joints oriented. Ensures: X_SM of every tree joint is exactly the
/// identity. Inertials, visuals, collisions, frames, sensors, child joints and loop frames follow;
/// the constant transform of every link that moved is in the report.
void RebaseLinkFrames(Model& model, PassContext& context);

/// Requires: tree joints point down the tree, and their frames are the frames of their links
/// (rebase_link_frames). Ensures: the axis of every hinge is +x, +y or +z of its link, to the bit;
/// where the signs of the axes allow it, the normal of every planar loop is a coordinate axis of its
/// nearest common ancestor, and the links of the loop are turned about it alone. The links of a planar
/// loop and its points slide along their axes into the plane through the origin of that ancestor,
/// which changes nothing.
void AxisAlignedFrames(Model& model, PassContext& context);

/// Requires: axis_aligned_frames. Ensures: a planar loop whose third row depends on nothing stays;
/// every other revolute or fixed loop joint becomes ball loop joints at one point (spherical loops),
/// two or three. What these fix twice, a distance between points, a massless link gives way to: it
/// hangs on a hinge that the loop itself holds at zero, hence the mechanism is the same. Loop joints
/// of other kinds stay as they are.
void PointLoops(Model& model, PassContext& context);

/// Requires: lower_loops, and a target that writes loop joints as points and is read back by what the
/// points of two links hold together. Ensures: two ball loop joints between the same links are one
/// revolute loop joint about the line of their points, and what stands on three points that are not
/// in line is a fixed one. Where asked, no loop joint is between links that cannot move against each
/// other.
struct JoinPoints {
  static constexpr std::string_view kName = "join_points";
  bool fixed_as_points = false, need_motion = false;
  [[nodiscard]] AskedWords Asked() const {
    return {{fixed_as_points, "a fixed loop joint is written as three points too"},
            {need_motion, "what fixed joints hold together anyway needs no loop joint"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: rebase_link_frames, and a target whose loops stand at link frames. Ensures: one end of
/// every loop joint is the origin of a link to which a joint leads; a massless link is welded to the
/// predecessor where neither end was.
void LoopFrames(Model& model, PassContext& context);

/// Requires: link frames are at rest. Ensures: both ends of every loop joint are origins of massless
/// links that a fixed joint leads to, called closedloopN_A and closedloopN_B where they were not there.
void PairFrames(Model& model, PassContext& context);

/// Requires: link frames are final. Ensures: every tensor is given in the axes of its link (R I
/// R^T), with what rounding leaves where zero is meant, 1e-15 of the largest entry, as exact zeros.
void InertiaAxes(Model& model, PassContext& context);

/// Requires: split_joints, and a target with mimics. Where its loops are not what is meant: an
/// aggregate whose dependent joints are all linear in one independent joint each (parallelograms, and
/// what gears make of them) loses its loop joints to mimics, which is exact. On request
/// (MimicChoice::kFit) others do too, by the line of least largest error over the limits of the
/// independent joint: a loss that names the error. What depends on several joints stays a loop, and
/// is lost by others.
void Mimics(Model& model, PassContext& context);

/// Requires: tree joints lead from predecessor to successor; loops whose readers make some links one
/// and leave others out. Ensures: no loop joint ends on a link that is merged into another, or leads
/// to the world, or has the name of another element; every link that carries a loop or a mass weighs
/// something, with those that are merged into it; no joint says that a robot floats.
struct LoopEnds {
  static constexpr std::string_view kName = "loop_ends";
  LeastInertia least = {};  ///< of a link that those readers do not leave out
  [[nodiscard]] AskedWords Asked() const { return {}; }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided, loops closed at zero, no loop joint leads to the world. Ensures: each
/// loop joint is a tree joint, with all that is said of it, to a new link: a part of its successor
/// with its share of the mass and the tensor, its frame on that of the joint. A second part with the
/// same frame is fixed to the successor, and a loop joint welds the two. Exact: together the parts are
/// the successor, and the ends of the loop joint stay joined where contacts ask for it.
struct WeldHalves {
  static constexpr std::string_view kName = "weld_halves";
  LeastInertia least = {};  ///< of a part
  [[nodiscard]] AskedWords Asked() const { return {}; }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: mimics, loop_ends. Ensures: of a source with loops, links that move and weigh nothing
/// are given --massless EPS kg, or as little as MasslessLinks gives, where the target loses the
/// loops, or a fitted mimic takes them away. Where loops stay beside the tree, EPS alone gives a
/// mass; a note names the links at the ends of the tree that have none.
struct MovingLinks {
  static constexpr std::string_view kName = "moving_links";
  LeastInertia least = {};
  bool loops_are_lost = false, loops_are_unseen = false;
  [[nodiscard]] AskedWords Asked() const {
    return {{loops_are_lost, "no loop holds them"},
            {loops_are_unseen, "programs read the tree without its loops: a note names them"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: the tree is final, joints oriented and split. Ensures: every coupling has a form that
/// is native to the target and says the same relation, or is left for drop_unsupported with a loss
/// that gives its equation.
struct LowerCouplings {
  static constexpr std::string_view kName = "couplings";
  std::string_view own_sum = {};  ///< native type of sums that it takes as written; empty: none
  bool cut_is_unseen = false, between_single_axes = false, mimics_join_limited = false,
       polynomials_on_followers = false, leaders_follow_nobody = false;
  [[nodiscard]] AskedWords Asked() const {
    return {{!own_sum.empty(), "a sum of type " + std::string(own_sum) + " stays"},
            {cut_is_unseen, "a coupling may name a loop joint"},
            {between_single_axes, "a coupling is between joints of one coordinate each"},
            {mimics_join_limited, "both joints of a mimic turn, or both slide, between limits"},
            {polynomials_on_followers, "a polynomial is said by the one joint that follows"},
            {leaders_follow_nobody, "a follower of a follower follows the first leader"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Where coordinates must be declared independent or dependent.
enum class Natures {
  kNever,            ///< the target has no such word
  kWithConstraints,  ///< where the model has loops or couplings and its author declared nothing
  kAlways,           ///< every coordinate
};

/// For people.
[[nodiscard]] inline AskedWords InWords(Natures natures) {
  return {{natures == Natures::kNever, "no coordinate is declared"},
          {natures == Natures::kWithConstraints, "declared where loops or couplings bind some"},
          {natures == Natures::kAlways, "every coordinate is declared"}};
}

/// Requires: couplings have the form of the target, which declares coordinates by joint. Ensures:
/// every joint of several coordinates is independent or dependent as a whole. Others become chains
/// through massless links, which are exact; of a ball's or free joint's three turns the independent
/// ones come last, so that a turn that nothing hinders is one coordinate.
struct PartlyIndependent {
  static constexpr std::string_view kName = "partly_independent";
  Natures natures = Natures::kNever;
  [[nodiscard]] AskedWords Asked() const { return InWords(natures); }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: joints split, roles decided. Ensures, where drives move joints: loop joints, balls and
/// free joints have neither effort limit nor spring, and no coordinate both. Where loop joints have no
/// dynamics, or the coordinates of a joint share theirs, none are left that the target does not hold.
/// All of it are losses.
struct LowerDrives {
  static constexpr std::string_view kName = "joint_drives";
  bool axes_share_dynamics = false, loops_have_none = false;
  [[nodiscard]] AskedWords Asked() const {
    return {{axes_share_dynamics, "the coordinates of a joint share their dynamics"},
            {loops_have_none, "a loop joint has no dynamics"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// What of the one record of a ball or free joint a target holds.
enum class WholeRecord {
  kNoLimit,  ///< damping and friction only
  kUpTo,     ///< of a ball a limit from zero, dynamics and a spring; no effort limit
  kNothing,
};

/// Requires: joints split. Ensures, where a limit is a pair: the open side of a one-sided limit is
/// 1e16 (rad or m), which every reader of ours takes for "unlimited". What the target does not hold
/// of the limits and dynamics of balls and free joints are losses.
struct LowerLimits {
  static constexpr std::string_view kName = "limits";
  WholeRecord of_whole = WholeRecord::kNoLimit;
  bool prismatic_needs_one = false, zero_effort_is_unlimited = false;
  /// Readers take a lower limit above the upper one for the upper one.
  bool exchanges_ends = false;
  /// Readers hold limits in single precision, and refuse a range without width.
  bool in_single_precision = false;
  /// What it writes for a lock where the lower limit is 0 (degrees, metres); 0: less than can be told.
  double lock_width = 0;
  /// An effort limit (N or N m) from which on the target has none.
  double unlimited_effort = std::numeric_limits<double>::infinity();
  [[nodiscard]] AskedWords Asked() const {
    return {{of_whole == WholeRecord::kNoLimit, "a ball joint has no limit and no spring"},
            {of_whole == WholeRecord::kUpTo, "a ball joint turns from zero up to a limit"},
            {of_whole == WholeRecord::kNothing, "a ball joint has no limit and no dynamics"},
            {prismatic_needs_one, "a prismatic joint has a limit"},
            {zero_effort_is_unlimited, "an effort limit of 0 cannot be said"},
            {exchanges_ends, "a lower limit stands below the upper one"},
            {std::isfinite(unlimited_effort), "an effort limit out of all reach is none"},
            {in_single_precision, "limits that are one number in single precision are equal"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// What a mesh must have in space.
enum class MeshNeed {
  kNothing,
  kArea,  ///< an area if it collides
  kHull,  ///< an area and four corners, and a convex hull if it collides
};

/// Requires: nothing. Ensures: what the table gives to this pass is gone: a capsule is a cylinder
/// and two spheres, for visuals and collisions alike; a transparency is the alpha of the colour;
/// rolling friction is a loss; colours are whole steps, with a loss where that changes them. Shapes
/// that would keep the target from loading the model are losses.
struct LowerShapes {
  static constexpr std::string_view kName = "shapes";
  /// Ends of the names of meshes it reads, ".stl .obj", and of textures; empty: any.
  std::string_view mesh_files = {}, texture_files = {};
  /// Faces of an STL file it reads, which is then binary and not without any; 0: it reads them all.
  std::size_t most_stl_faces = 0;
  /// What becomes of another mesh whose name is written all the same; empty: it is left out.
  std::string_view unread_mesh = {};
  /// It has the points of meshes that the source held itself.
  bool holds_meshes = false;
  /// Meshes of other names are decoded (DecodeMesh), and named only where that fails.
  bool decode_meshes = false;
  /// Only those that collide must have such names.
  bool only_of_collisions = false;
  /// It refuses the whole file for a mesh of less.
  MeshNeed need = MeshNeed::kNothing;
  /// The least factor along an axis of a mesh that it reads.
  double least_scale = 0;
  bool one_friction = false, no_other_friction = false, planes_stand_still = false,
       planes_are_boxes = false, need_size = false, colors_in_unit_range = false,
       second_friction_is_dynamic = false;
  [[nodiscard]] AskedWords Asked() const {
    return {
        {!mesh_files.empty(), (only_of_collisions ? "meshes that collide are " : "meshes are ") +
                                  std::string(mesh_files)},
        {!texture_files.empty(), "textures are " + std::string(texture_files)},
        {most_stl_faces > 0, "STL of up to " + std::to_string(most_stl_faces) + " faces"},
        {holds_meshes, "meshes of the source's own are points"},
        {decode_meshes, "meshes become points"},
        {need == MeshNeed::kArea, "a mesh that collides has an area"},
        {need == MeshNeed::kHull, "a mesh has an area, and one that collides a convex hull"},
        {least_scale > 0, "a mesh is scaled by " + FormatNumber(least_scale) + " at least"},
        {!unread_mesh.empty(), "other meshes are named, but not shown"},
        {one_friction, "sliding friction is the same in all directions"},
        {no_other_friction, "there is no friction but sliding friction"},
        {planes_stand_still, "a plane is fixed to the world"},
        {planes_are_boxes, "a plane is the upper face of a box"},
        {need_size, "a shape has an extent"},
        {colors_in_unit_range, "numbers of colours are between 0 and 1"},
        {second_friction_is_dynamic,
         "mu is the static and mu2 the dynamic friction, which is not larger"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures: no joint, frame or geometry is on the world vertex; a massless
/// root link called "world" takes its place.
void WorldLink(Model& model, PassContext& context);

/// Requires that links are merged and have what little inertia the target asks for. Ensures that no
/// link of the output pretends to a unknown mass: an inertial that is computed from
/// shapes stays where the target computes it too; of every other the numbers that stand in are
/// written, and are a loss.
void UnknownMasses(Model& model, PassContext& context);

/// Which drives a target holds.
enum class DriveRule {
  kOwn,       ///< those of its own format
  kAsMotors,  ///< others of one coordinate as motors, on request
  kOnJoints,  ///< one of any format that is on a joint
};

/// Requires: nothing. Ensures: every NativeData, native shape, sensor and actuator that is left
/// belongs to the target's family; each of the others is a loss.
struct DropNativeData {
  static constexpr std::string_view kName = "native_data";
  DriveRule drives = DriveRule::kOwn;
  bool has_blocks = false;
  [[nodiscard]] AskedWords Asked() const {
    return {{drives == DriveRule::kOwn, "drives of other formats are left out"},
            {drives == DriveRule::kAsMotors, "drives of other formats can become motors"},
            {drives == DriveRule::kOnJoints, "drives of any format stay where they have a joint"},
            {has_blocks, "`<gazebo>` blocks hold content of SDFormat"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires the final tree, and after ExplicitContacts that masks and exclusions say all. Ensures
/// that the same pairs of links collide by the target's rule, with as few words as can be: masks,
/// exclusions and pairs, or self-collision of models and links; pairs of which that cannot be said
/// are losses.
struct SelfCollision {
  static constexpr std::string_view kName = "self_collision";
  int mask_bits = 0;
  [[nodiscard]] AskedWords Asked() const {
    return {{mask_bits > 0, "masks of " + std::to_string(mask_bits) + " bits"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Ensures, where the caller asks for it: every tree joint of one coordinate with an effort limit
/// (N or N m) that follows from no others has a drive; those that the source lacks are called
/// `<joint>_motor`, with gear 1 and the limit as their range. A drive that the target cannot hold as
/// it is becomes a motor of the same gear, its range the joint's limit divided by the gear where the
/// source gives none. Where a rotor is said of a drive, armature on joints without one is a loss.
struct Motors {
  static constexpr std::string_view kName = "motors";
  DriveRule drives = DriveRule::kOwn;  ///< as in DropNativeData; with kOwn no motors are added
  [[nodiscard]] AskedWords Asked() const { return {{drives == DriveRule::kOwn, "none are added"}}; }
  void operator()(Model& model, PassContext& context) const;
};

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
/// is kept, and so is one that leaves coordinates to user code; else what drives and efforts the
/// source has and column pivoting of the constraint Jacobian at several closed configurations choose
/// (AnalyseCoordinates): with a note, and a loss where the author says otherwise. Errors, for every
/// target: coordinates asked for that do not exist, or that cannot all be independent.
struct DeclareNatures {
  static constexpr std::string_view kName = "natures";
  Natures natures = Natures::kNever;
  [[nodiscard]] AskedWords Asked() const { return InWords(natures); }
  void operator()(Model& model, PassContext& context) const;
};

/// How names must look.
enum class NameRule {
  /// Any text; links, joints and frames are separate spaces (URDF, MJCF).
  kPerClass,
  /// One space for links, joints and frames of a model; "::", "__x__" and "world" are reserved
  /// (SDFormat).
  kShared,
  /// [A-Za-z_][A-Za-z0-9_]*, one space for everything (MBS: names become C macros).
  kIdentifiers,
  /// [A-Za-z_][A-Za-z0-9_]*; links, joints and frames are separate spaces (USD).
  kPrims,
};

/// Requires: everything that adds elements is done. Ensures: names follow the target's rule: no
/// clash, nothing reserved, no "::" but that of a model's own scope. Links keep their names before
/// joints, joints before frames; a joint called like a link becomes `name_joint`, a frame
/// `name_frame`, further ones get `_2`, `_3`. Every change is in the report.
struct LowerNames {
  static constexpr std::string_view kName = "names";
  NameRule rule = NameRule::kPerClass;
  bool keep_scope_marks = false, keep_slashes = true, world_is_reserved = true;
  [[nodiscard]] AskedWords Asked() const {
    return {{rule == NameRule::kPerClass, "links, joints and frames have names of their own"},
            {rule == NameRule::kShared, "links, joints and frames share their names"},
            {rule == NameRule::kIdentifiers, "all names are identifiers, each given once"},
            {rule == NameRule::kPrims, "names are identifiers, apart for links and joints"},
            {keep_scope_marks, "a name can have '::' in it"},
            {!keep_slashes, "names of other formats have '_' for each '/'"},
            {world_is_reserved, "only the world itself is called 'world'"}};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires the names that links are written with, and a target whose blocks speak for all visuals,
/// and for all collisions, of a link at once, but for those whose name does not begin with the
/// link's. Ensures that the friction and the block family's content are the same on all visuals
/// (collisions) of a link, and that each of these has a name that a block reaches; the rest is a loss
/// each.
void PartBlocks(Model& model, PassContext& context);

/// Ensures: the report names the loop joints and the independent coordinates as the target has
/// them; what the author did not choose is a note with its reason.
struct TellCoordinates {
  static constexpr std::string_view kName = "coordinates";
  bool cut_is_unseen = false;
  [[nodiscard]] AskedWords Asked() const { return {{cut_is_unseen, "cuts are not told"}}; }
  void operator()(Model& model, PassContext& context) const;
};

}  // namespace kinemorph
