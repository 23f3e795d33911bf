// The passes of this room in the order in which they run: what each requires and what it ensures, and
// what the recipe of a target may ask of it.
#pragma once

#include "edit/whole_joint.h"
#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: what --drop (and --frames drop) names is gone. Features that are the
/// mechanism itself cannot be dropped (a note says so); a tree joint of a dropped kind is frozen at
/// zero.
struct DropRequested {
  static constexpr PassText kText = {"drop_requested", "Leaves out what --drop names."};
  void operator()(Model& model, PassContext& context) const;
};

/// Ensures: where --independent names coordinates, those are declared independent. Where the target
/// declares coordinates no others are; else the author's words are lost one by one, as always.
struct AskIndependent {
  static constexpr PassText kText = {
      "independent", "The coordinates that --independent names are declared, and no others."};
  bool forgets_others = false;  ///< the target declares coordinates
  [[nodiscard]] Words Asked() const {
    return InWords({{forgets_others, "the author's declarations give way"}});
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures: every free joint of the tree leads from the world, at the same
/// zero configuration.
struct FreeJoints {
  static constexpr PassText kText = {
      "free_joints", "Free joints between links become free joints from the world."};
  bool free_is_implicit = false;  ///< as in DecideBase
  [[nodiscard]] Words Asked() const {
    return InWords({{free_is_implicit, "what nothing ties to the world is free"}});
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided, and a target that holds joints of several coordinates better as loop
/// joints, because a tree needs massless links for them. Ensures: such a joint of a loop is where the
/// loop is cut, as far as loops are closed at q = 0 and nothing binds the joint to the tree. Tree
/// joints may point against the tree afterwards.
struct CutWholeJoints {
  static constexpr PassText kText = {"cut_whole_joints",
                                     "Loops are cut at joints of several coordinates, where the "
                                     "target holds those as loop joints only."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures: no loop joint has a kind that the table gives to this pass,
/// and none joins a link to its own ancestor where the table says so. In this order, after Mimics
/// where the target has them:
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
struct LowerLoops {
  static constexpr PassText kText = {
      "lower_loops",
      "Loop joints the target lacks: another cut, or a chain with a loop joint of one coordinate."};
  bool mimics_first = false;   ///< Mimics runs before a chain stands where the loop joint was
  bool cut_is_unseen = false;  ///< loop joints are written as tree joints are: no other cut helps
  bool join_points = false;    ///< a loop joint is the coincidence of two points
  bool weld_halves = false;    ///< WeldHalves comes after: a link with mass is the one to be split
  [[nodiscard]] Words Asked() const;
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided, and a target whose loops are pairs of frames. Ensures: every loop joint
/// is fixed or a ball, and nothing more is said of it. A hinge of a loop that moves in a plane
/// becomes a ball, which does the same there; any other becomes a tree joint to half of a link, and
/// a weld.
struct SplitLoops {
  static constexpr PassText kText = {
      "split_loops",
      "Loop joints become points or welds of half a link, where the target knows nothing else."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided, joints oriented. Ensures: no tree joint has a kind that the table gives
/// to this pass, or that the target does not hold in one piece. Joint `j` becomes `j_1` .. `j_n`
/// through massless synthetic links `j_link1` .. `j_link<n-1>`; limits, dynamics and couplings follow
/// their coordinate. A screw gets a coupling of its rotation and its displacement.
struct SplitJoints {
  static constexpr PassText kText = {
      "split_joints", "Joints of several coordinates become chains through massless links."};
  WholeJoints whole = {};  ///< what is no chain
  [[nodiscard]] Words Asked() const { return InWords(whole); }
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
  static constexpr PassText kText = {
      "fold_chains", "Chains through massless links fold into one joint of several coordinates."};
  WholeJoints whole = {};  ///< as in SplitJoints
  [[nodiscard]] Words Asked() const { return InWords(whole); }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures, with --fixed merge and where the table gives fixed joints to
/// it: no tree joint between two links is fixed; the parent takes over the child's mass properties,
/// geometry, frames, sensors and joints. Without: nothing.
struct MergeFixed {
  static constexpr PassText kText = {"merge_fixed",
                                     "Merges links on fixed joints into one, on request."};
  void operator()(Model& model, PassContext& context) const;
};

/// Ensures: every link with mass has the tensor of a rigid body; each change is a loss that gives
/// both sets of principal moments.
struct PhysicalInertia {
  static constexpr PassText kText = {
      "physical_inertia", "Tensors that no rigid body has become the nearest one that a body has."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: a target in which nothing can stand on the world. Ensures: its geometry is on a link
/// `world_geometry` fixed to it.
struct WorldContent {
  static constexpr PassText kText = {
      "world_content", "Shapes and frames on the world move to a link that is fixed to the world."};
  bool loops_too = false;  ///< points that hold a loop stand on a link as geometry does
  [[nodiscard]] Words Asked() const {
    return InWords({{loops_too, "ends of loop joints move too"}});
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: nothing. Ensures: no named frame is left: each is a massless link on a fixed joint, or,
/// with --frames drop, a loss.
struct LowerFrames {
  static constexpr PassText kText = {"frames",
                                     "Named frames become massless links on fixed joints."};
  bool stay_in_blocks = false;  ///< those of a `<gazebo>` block of URDF stay there
  [[nodiscard]] Words Asked() const {
    return InWords({{stay_in_blocks, "frames of `<gazebo>` blocks stay there"}});
  }
  void operator()(Model& model, PassContext& context) const;
};

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
  [[nodiscard]] Words InWords() const;
};

/// Requires: roles decided. Ensures, with kFrames: no massless link is rigidly attached to another
/// link; it is a frame of its neighbour, which takes over its visuals, collisions, frames, sensors,
/// and the joints that hung on it. With kChains: those that carry nothing inside the chain of joints
/// of one body are marked as synthetic. What is left gets --massless EPS kg, or so little that all of
/// it is 1e-7 of the robot's mass (its size a tenth of the robot's links): one loss for all of them,
/// with the figures; `report.added` has each. No link or subtree is ever lost.
struct MasslessLinks {
  static constexpr PassText kText = {
      "massless_links", "Massless links become frames of their neighbours where that is exact."};
  MasslessRule become = MasslessRule::kFrames;
  LeastInertia least = {};
  [[nodiscard]] Words Asked() const;
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles are decided, tree joints point down the tree. Ensures, on request
/// (ConvertOptions::base_as_root) or always: what was fixed to the world is one link, or hangs on one
/// link by fixed joints where the target has them; that link has the world's frame, so that gravity
/// keeps its direction, and takes over all that stood on the world. Nothing where no link is fixed to
/// it.
struct BaseAsRoot {
  static constexpr PassText kText = {"base_as_root",
                                     "A fixed base becomes the root link, on request."};
  bool always = false;  ///< a base that stands still is the root, and gravity points along -z
  [[nodiscard]] Words Asked() const { return InWords({{always, "always"}}); }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided, joints oriented. Ensures: X_SM of every tree joint is exactly the
/// identity. Inertials, visuals, collisions, frames, sensors, child joints and loop frames follow;
/// the constant transform of every link that moved is in the report.
struct RebaseLinkFrames {
  static constexpr PassText kText = {"rebase_link_frames",
                                     "Link frames move onto the frames of their joints."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: tree joints point down the tree, and their frames are the frames of their links
/// (rebase_link_frames). Ensures: the axis of every hinge is +x, +y or +z of its link, to the bit;
/// where the signs of the axes allow it, the normal of every planar loop is a coordinate axis of its
/// nearest common ancestor, and the links of the loop are turned about it alone. The links of a planar
/// loop and its points slide along their axes into the plane through the origin of that ancestor,
/// which changes nothing.
struct AxisAlignedFrames {
  static constexpr PassText kText = {"axis_aligned_frames",
                                     "Link frames turn until every joint axis is a coordinate "
                                     "axis, where the target knows no others."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: axis_aligned_frames. Ensures: a planar loop whose third row depends on nothing stays;
/// every other revolute or fixed loop joint becomes ball loop joints at one point (spherical loops),
/// two or three. What these fix twice, a distance between points, a massless link gives way to: it
/// hangs on a hinge that the loop itself holds at zero, hence the mechanism is the same. Loop joints
/// of other kinds stay as they are.
struct PointLoops {
  static constexpr PassText kText = {
      "point_loops",
      "Loop joints become coincidences of points, where the target knows nothing else."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: lower_loops, and a target that writes loop joints as points and is read back by what the
/// points of two links hold together. Ensures: two ball loop joints between the same links are one
/// revolute loop joint about the line of their points, and what stands on three points that are not
/// in line is a fixed one.
struct JoinPoints {
  static constexpr PassText kText = {"join_points",
                                     "Loop joints of two links whose points hold more together "
                                     "become one, where the target is read so."};
  bool fixed_as_points = false;  ///< a fixed loop joint is written as three points too
  [[nodiscard]] Words Asked() const {
    return InWords({{fixed_as_points, "a fixed loop joint is three points"}});
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: rebase_link_frames, and a target whose loops stand at link frames. Ensures: one end of
/// every loop joint is the origin of a link to which a joint leads; a massless link is welded to the
/// predecessor where neither end was.
struct LoopFrames {
  static constexpr PassText kText = {
      "loop_frames", "Loop joints move into frames of links, where the target names no others."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: link frames are at rest. Ensures: both ends of every loop joint are origins of massless
/// links that a fixed joint leads to, called PREFIXn_A and PREFIXn_B where they were not there.
struct PairFrames {
  static constexpr PassText kText = {"pair_frames",
                                     "Both ends of a loop joint become frames on links of their "
                                     "own, where the target pairs them."};
  std::string_view prefix = {};
  [[nodiscard]] Words Asked() const {
    return {"called " + std::string(prefix) + "1_A, " + std::string(prefix) + "1_B"};
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: link frames are final. Ensures: every tensor is given in the axes of its link (R I
/// R^T), with what rounding leaves where zero is meant, 1e-15 of the largest entry, as exact zeros.
struct InertiaAxes {
  static constexpr PassText kText = {"inertia_axes",
                                     "Inertia tensors turn into the axes of their links."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: split_joints, and a target with mimics. Where its loops are not what is meant: an
/// aggregate whose dependent joints are all linear in one independent joint each (parallelograms, and
/// what gears make of them) loses its loop joints to mimics, which is exact. On request
/// (MimicChoice::kFit) others do too, by the line of least largest error over the limits of the
/// independent joint: a loss that names the error. What depends on several joints stays a loop, and
/// is lost by others.
struct Mimics {
  static constexpr PassText kText = {"mimics",
                                     "Loops in which each joint follows one other become "
                                     "couplings, where the target has no loops."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: tree joints lead from predecessor to successor; loops whose readers make some links one
/// and leave others out. Ensures: no loop joint ends on a link that is merged into another, or leads
/// to the world, or has the name of another element; every link that carries a loop or a mass weighs
/// something, with those that are merged into it; no joint says that a robot floats.
struct LoopEnds {
  static constexpr PassText kText = {
      "loop_ends",
      "Loop joints end on links that the readers of loops keep, in words that they take."};
  /// Of this tree joint those readers make its two links one, by the name of the predecessor.
  bool (*merges)(const Model& model, JointId id) = nullptr;
  LeastInertia least = {};   ///< of a link that they do not leave out
  bool weld_halves = false;  ///< WeldHalves comes after: a link becomes several parts
  [[nodiscard]] Words Asked() const { return least.InWords(); }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided, loops closed at zero, no loop joint leads to the world. Ensures: each
/// loop joint is a tree joint, with all that is said of it, to a new link: a part of its successor
/// with its share of the mass and the tensor, its frame on that of the joint. A second part with the
/// same frame is fixed to the successor, and a loop joint welds the two. Exact: together the parts are
/// the successor, and the ends of the loop joint stay joined where contacts ask for it.
struct WeldHalves {
  static constexpr PassText kText = {
      "weld_halves", "Loop joints lead to parts of their successors, which welds put together."};
  LeastInertia least = {};  ///< of a part
  [[nodiscard]] Words Asked() const { return least.InWords(); }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: the tree is final, joints oriented and split. Ensures: every coupling has a form that
/// is native to the target and says the same relation, or is left for drop_unsupported with a loss
/// that gives its equation.
struct LowerCouplings {
  static constexpr PassText kText = {"couplings", "Couplings take the form the target has."};
  std::string_view own_sum = {};      ///< native type of sums that it takes as written; empty: none
  bool cut_is_unseen = false;         ///< loop joints are as tree joints, and couplings name them
  bool between_single_axes = false;   ///< a coupling is between joints of one coordinate each
  bool mimics_join_one_kind = false;  ///< both joints of a mimic turn, or both slide
  /// A polynomial is said by the one joint that follows, as a mimic is.
  bool polynomials_on_followers = false;
  [[nodiscard]] Words Asked() const;
  void operator()(Model& model, PassContext& context) const;
};

/// Where coordinates must be declared independent or dependent.
enum class Natures {
  kNever,            ///< the target has no such word
  kWithConstraints,  ///< where the model has loops or couplings and its author declared nothing
  kAlways,           ///< every coordinate
};

/// For people.
[[nodiscard]] Words InWords(Natures natures);

/// Requires: couplings have the form of the target, which declares coordinates by joint. Ensures:
/// every joint of several coordinates is independent or dependent as a whole. Others become chains
/// through massless links, which are exact; of a ball's or free joint's three turns the independent
/// ones come last, so that a turn that nothing hinders is one coordinate.
struct PartlyIndependent {
  static constexpr PassText kText = {
      "partly_independent", "Joints of which only some coordinates are independent become chains."};
  Natures natures = Natures::kNever;  ///< as in DeclareNatures
  [[nodiscard]] Words Asked() const { return InWords(natures); }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: joints split, roles decided. Ensures, where drives move joints: loop joints, balls and
/// free joints have neither effort limit nor spring, and no coordinate both. Where loop joints have no
/// dynamics, or the coordinates of a joint share theirs, none are left that the target does not hold.
/// All of it are losses.
struct LowerDrives {
  static constexpr PassText kText = {
      "joint_drives",
      "Efforts and springs become those of drives, where the target has no others."};
  /// Damping, friction, armature and velocity limit are said of all coordinates of a joint at once,
  /// and of angles apart from lengths.
  bool axes_share_dynamics = false;
  bool loops_have_none = false;  ///< a loop joint carries no dynamics
  [[nodiscard]] Words Asked() const {
    return InWords({{axes_share_dynamics, "the coordinates of a joint share their dynamics"},
                    {loops_have_none, "a loop joint has no dynamics"}});
  }
  void operator()(Model& model, PassContext& context) const;
};

/// What of the one record of a ball or free joint a target holds.
enum class WholeRecord {
  kNoLimit,  ///< dynamics only
  kUpTo,     ///< of a ball a limit from zero, and dynamics; no effort limit
  kNothing,
};

/// Requires: joints split. Ensures, where a limit is a pair: the open side of a one-sided limit is
/// 1e16 (rad or m), which every reader of ours takes for "unlimited". What the target does not hold
/// of the limits and dynamics of balls and free joints are losses.
struct LowerLimits {
  static constexpr PassText kText = {"limits", "Limits take the form the target has."};
  WholeRecord of_whole = WholeRecord::kNoLimit;
  bool both_sides = false;                ///< a limit is a pair of finite numbers
  bool prismatic_needs_one = false;       ///< a prismatic joint without limits does not exist
  bool zero_effort_is_unlimited = false;  ///< an effort limit of 0 cannot be said
  [[nodiscard]] Words Asked() const;
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: nothing. Ensures: what the table gives to this pass is gone: a capsule is a cylinder
/// and two spheres, for visuals and collisions alike; a transparency is the alpha of the colour;
/// rolling friction is a loss; colours are whole steps, with a loss where that changes them. Shapes
/// that would keep the target from loading the model are losses.
struct LowerShapes {
  static constexpr PassText kText = {"shapes",
                                     "Shapes the target lacks become exact unions of others."};
  std::string_view mesh_files =
      {};  ///< ends of the names of meshes it reads, ".stl .obj"; empty: any
  /// Faces of an STL file it reads, which is then binary and not without any; 0: it reads them all.
  std::size_t most_stl_faces = 0;
  /// What becomes of another mesh whose name is written all the same; empty: it is left out.
  std::string_view unread_mesh = {};
  std::string_view texture_files = {};  ///< ends of the names of textures it reads; empty: any
  bool one_friction = false;            ///< sliding friction is the same in all directions
  bool no_other_friction = false;       ///< there is none but sliding friction
  bool planes_stand_still = false;      ///< a plane is legal only on what is fixed to the world
  bool need_size = false;               ///< a shape without extent does not exist
  bool colors_in_unit_range = false;    ///< a colour with a number below 0 or above 1 is refused
  [[nodiscard]] Words Asked() const;
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: roles decided. Ensures: no joint, frame or geometry is on the world vertex; a massless
/// root link called "world" takes its place.
struct WorldLink {
  static constexpr PassText kText = {"world_link", "The world becomes a massless root link."};
  bool free_base_is_unsaid = false;  ///< beside loops that stand apart from the tree
  [[nodiscard]] Words Asked() const {
    return InWords({{free_base_is_unsaid, "a free base is left unsaid"}});
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires that links are merged and have what little inertia the target asks for. Ensures that no
/// link of the output pretends to a unknown mass: an inertial that is computed from
/// shapes stays where the target computes it too; of every other the numbers that stand in are
/// written, and are a loss.
struct UnknownMasses {
  static constexpr PassText kText = {"unknown_masses", "Reports masses that replace unknown ones."};
  void operator()(Model& model, PassContext& context) const;
};

/// Which drives a target holds.
enum class DriveRule {
  kOwn,       ///< those of its own format
  kAsMotors,  ///< others of one coordinate as motors, on request
  kOnJoints,  ///< one of any format that is on a joint
};

/// Requires: nothing. Ensures: every NativeData, native shape, sensor and actuator that is left
/// belongs to the target's family; each of the others is a loss.
struct DropNativeData {
  static constexpr PassText kText = {"native_data",
                                     "Content of other formats is reported and left out."};
  DriveRule drives = DriveRule::kOwn;
  /// Another family that the target takes in blocks of links, their parts, joints and the model.
  std::string_view block_format = {};
  [[nodiscard]] Words Asked() const;
  void operator()(Model& model, PassContext& context) const;
};

/// Requires the final tree, and after ExplicitContacts that masks and exclusions say all. Ensures
/// that the same pairs of links collide by the target's rule, with as few words as can be: masks,
/// exclusions and pairs, or self-collision of models and links; pairs of which that cannot be said
/// are losses.
struct SelfCollision {
  static constexpr PassText kText = {"self_collision",
                                     "The same pairs of links collide, in the target's words."};
  int mask_bits = 0;  ///< of a shape's contact masks; 0: it has none
  [[nodiscard]] Words Asked() const {
    return InWords({{mask_bits > 0, "masks of " + std::to_string(mask_bits) + " bits"}});
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Ensures, where the caller asks for it: every tree joint of one coordinate with an effort limit
/// (N or N m) that follows from no others has a drive; those that the source lacks are called
/// `<joint>_motor`, with gear 1 and the limit as their range. A drive that the target cannot hold as
/// it is becomes a motor of the same gear, its range the joint's limit divided by the gear where the
/// source gives none. Where a rotor is said of a drive, armature on joints without one is a loss.
struct Motors {
  static constexpr PassText kText = {"motors",
                                     "Joints with an effort limit get a drive, on request."};
  DriveRule drives = DriveRule::kOwn;  ///< as in DropNativeData; with kOwn no motors are added
  bool rotors_need_drives = false;     ///< an armature is that of the rotor of a drive
  [[nodiscard]] Words Asked() const {
    return InWords({{rotors_need_drives, "an armature is that of a drive's rotor"}});
  }
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: all other lowering is done. Ensures: no feature that the table gives as lost is in
/// use.
struct DropUnsupported {
  static constexpr PassText kText = {"drop_unsupported",
                                     "Leaves out, with a loss each, what the target cannot hold."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: all other lowering is done. Ensures: nothing changes; every use of a feature that the
/// table gives to this pass is a loss that says, in the table's words, what a consumer makes of it
/// (a limit kept as a number that nothing acts on, an inertia that the target's own library
/// refuses).
struct Remarks {
  static constexpr PassText kText = {"remarks",
                                     "Says what is written, but not as the source meant it."};
  void operator()(Model& model, PassContext& context) const;
};

/// Requires: everything that changes joints is done. Ensures, where the target wants natures: every
/// joint with a coordinate is declared independent or not. A declaration that determines the rest
/// is kept, and so is one that leaves coordinates to user code; else what drives and efforts the
/// source has and column pivoting of the constraint Jacobian at several closed configurations choose
/// (AnalyseCoordinates): with a note, and a loss where the author says otherwise. Errors, for every
/// target: coordinates asked for that do not exist, or that cannot all be independent.
struct DeclareNatures {
  static constexpr PassText kText = {"natures",
                                     "Every coordinate becomes independent or dependent."};
  Natures natures = Natures::kNever;
  [[nodiscard]] Words Asked() const { return InWords(natures); }
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
  static constexpr PassText kText = {"names", "Names become legal and unique, with a map."};
  NameRule rule = NameRule::kPerClass;
  bool keep_scope_marks = false;  ///< "a::b" may stand in a name
  bool world_is_reserved = true;  ///< no element but the world itself is called "world"
  [[nodiscard]] Words Asked() const;
  void operator()(Model& model, PassContext& context) const;
};

/// Requires the names that links are written with, and a target whose blocks speak for all visuals,
/// and for all collisions, of a link at once, but for those whose name does not begin with the
/// link's. Ensures that the friction and the block family's content are the same on all visuals
/// (collisions) of a link, and that each of these has a name that a block reaches; the rest is a loss
/// each.
struct PartBlocks {
  static constexpr PassText kText = {
      "part_blocks", "A block has the same values for all visuals or collisions of a link."};
  std::string_view block_format = {};  ///< the family of such content
  std::string_view materials =
      {};  ///< the file of materials whose names stand there without colours
  [[nodiscard]] Words Asked() const { return {"blocks of " + std::string(block_format)}; }
  void operator()(Model& model, PassContext& context) const;
};

/// Ensures: the report names the loop joints and the independent coordinates as the target has
/// them; what the author did not choose is a note with its reason.
struct TellCoordinates {
  static constexpr PassText kText = {
      "coordinates", "Says which loop joints and independent coordinates the target gets."};
  bool cut_is_unseen = false;  ///< loop joints are written as tree joints are: no note of a cut
  [[nodiscard]] Words Asked() const { return InWords({{cut_is_unseen, "cuts are not told"}}); }
  void operator()(Model& model, PassContext& context) const;
};

}  // namespace kinemorph
