// The capability table as data: one row per feature, one cell per column.
#include "kinemorph/formats/capability_table.h"

#include <array>

#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/grbda_rules.h"

namespace kinemorph {
namespace {

// URDF+ for GRBDA has the reference profile's cells but for the exceptions below.
enum Column : std::size_t {
  kUrdf,
  kPlusReference,
  kPlusPaper,
  kSdf,
  kSdf111,
  kMjcf,
  kMbs,
  kColumns,
  kPlusGrbda
};

// Cells: native; lowered exactly by a pass; partly kept by a pass; lost.
constexpr Capability N(std::string_view note = "") { return {Support::kNative, "", note}; }
constexpr Capability L(std::string_view pass, std::string_view note) {
  return {Support::kLowered, pass, note};
}
constexpr Capability P(std::string_view pass, std::string_view note) {
  return {Support::kPartial, pass, note};
}
constexpr Capability X(std::string_view note) { return {Support::kLost, "", note}; }

struct Row {
  Feature feature;
  std::array<Capability, kColumns> cells;
};

// Cells that recur.
constexpr std::string_view kNoLoops =
    "plain URDF is a tree; a reader sees an open chain (urdf+ keeps loops)";
constexpr std::string_view kUserCode =
    "MBS has no such element: the relation is listed under user_constraints, and user code must "
    "enforce it (the report has it in C)";
constexpr std::string_view kUrdfNone = "URDF has no place for it";
constexpr std::string_view kSdfNone = "SDFormat has no place for it";
constexpr std::string_view kMjcfNone = "MJCF has no place for it";
constexpr std::string_view kMbsNoCollision = "MBS has no collision geometry";
constexpr std::string_view kSplitUrdf = "revolute and prismatic joints through massless links";
constexpr std::string_view kSplitBody = "several joints in one body";
constexpr std::string_view kLinkAxes =
    "tensor turned into the link axes; GRBDA ignores the rotation of <inertial>";
constexpr std::string_view kRebase = "link frames move onto joint frames";
constexpr std::string_view kScrewUrdf = "revolute, prismatic and a mimic";
constexpr std::string_view kMbsNumber =
    "kept as a number in user_models; nothing in Robotran acts on it";
constexpr std::string_view kNativeOnly = "kept where source and target are one format";
constexpr std::string_view kInGazebo = "URDF's own is kept, SDFormat's goes into <gazebo>";
constexpr std::string_view kTransmission =
    "a transmission of the drive on a joint; its control law is not written";
constexpr std::string_view kSplitLoop =
    "another cut of the same loop, or tree joints and a loop joint of one coordinate";
constexpr std::string_view kSplitSdf =
    "SDFormat joints through a massless link, which SDFormat cannot hold";

// clang-format off
const Row kTable[] = {
    // feature                     urdf                        urdf+ reference             urdf+ paper                 sdf 1.9                     sdf 1.11                    mjcf                        mbs
    {Feature::kJointFixed,        {N(), N(), N(), N(), N(), N("a body without joint"), N("a driven joint held at zero")}},
    {Feature::kJointRevolute,     {N(), N(), N(), N(), N(), N("hinge"), N()}},
    {Feature::kJointContinuous,   {N(), N(), N(), N(), N(), N("hinge without range"), N()}},
    {Feature::kJointPrismatic,    {N(), N(), N(), N(), N(), N("slide"), N()}},
    {Feature::kJointScrew,         {L("split_joints", kScrewUrdf), L("split_joints", kScrewUrdf), L("split_joints", kScrewUrdf),
                                   N(), N(), L("split_joints", "hinge, slide and a joint equality"), P("remarks", "a rotation and a translation; user code must enforce the pitch (the report has it in C)")}},
    {Feature::kJointUniversal,     {L("split_joints", kSplitUrdf), L("split_joints", kSplitUrdf), N(), N(), N(), L("split_joints", kSplitBody), N("two joints of one body")}},
    {Feature::kJointBall,          {L("split_joints", kSplitUrdf), L("split_joints", kSplitUrdf), N(), N(), N(), N(), N("three joints of one body")}},
    {Feature::kJointPlanar,        {N(), N(), N(), P("split_joints", kSplitSdf), P("split_joints", kSplitSdf), L("split_joints", kSplitBody), N("three joints of one body")}},
    {Feature::kJointCylindrical,   {L("split_joints", kSplitUrdf), L("split_joints", kSplitUrdf), L("split_joints", kSplitUrdf), P("split_joints", kSplitSdf), P("split_joints", kSplitSdf),
                                   L("split_joints", kSplitBody), N("two joints of one body")}},
    {Feature::kJointFree,          {N("floating"), N("floating"), N("floating"), L("free_joints", "a link that nothing ties to the world"), L("free_joints", "a link that nothing ties to the world"),
                                   L("free_joints", "freejoint of a top-level body"), N("six joints of one body")}},

    {Feature::kLoopFixed,         {X(kNoLoops), N(), N(), N(), N(), N("weld"), N("solid cut")}},
    {Feature::kLoopRevolute,      {X(kNoLoops), N(), N(), N(), N(), N("two connects"), N("ball or solid cut")}},
    {Feature::kLoopPrismatic,     {X(kNoLoops), N(), N(), N(), N(), P("lower_loops", kSplitLoop), N("solid cut")}},
    {Feature::kLoopScrew,          {X(kNoLoops), P("lower_loops", kSplitLoop), P("lower_loops", kSplitLoop), N(), N(), P("lower_loops", kSplitLoop), P("remarks", "a solid cut; user code must enforce the pitch (the report has it in C)")}},
    {Feature::kLoopUniversal,     {X(kNoLoops), L("lower_loops", kSplitLoop), N(), N(), N(), P("lower_loops", kSplitLoop), N("solid cut")}},
    {Feature::kLoopBall,          {X(kNoLoops), L("lower_loops", kSplitLoop), N(), N(), N(), N("connect"), N("ball cut")}},
    {Feature::kLoopPlanar,        {X(kNoLoops), N(), N(), P("lower_loops", kSplitSdf), P("lower_loops", kSplitSdf), P("lower_loops", kSplitLoop), N("solid cut")}},
    {Feature::kLoopCylindrical,   {X(kNoLoops), L("lower_loops", kSplitLoop), L("lower_loops", kSplitLoop), P("lower_loops", kSplitSdf), P("lower_loops", kSplitSdf),
                                   P("lower_loops", kSplitLoop), N("solid cut")}},
    {Feature::kLoopAncestor,       {X(kNoLoops), L("lower_loops", "another cut, or a massless link welded to the ancestor"), N(), N(), N(), N(), N()}},
    {Feature::kLoopAxisData,      {X(kNoLoops), X("a URDF+ loop has no limits, dynamics or springs"), X("a URDF+ loop has no limits, dynamics or springs"), N(), N(),
                                   X("an equality has no limits, dynamics or springs"), N("numbers in user_models")}},

    {Feature::kCouplingMimic,     {N(), N(), N(), P("couplings", "a gearbox where the axes are parallel and the offset is zero; mimic needs SDFormat 1.11"), N(), L("couplings", "joint equality"), P("couplings", kUserCode)}},
    {Feature::kCouplingRatio,     {P("couplings", "a mimic between two joints"), N(), N(), P("couplings", "a gearbox between two joints"), P("couplings", "a mimic between two joints"),
                                   L("couplings", "joint or fixed-tendon equality"), P("couplings", kUserCode)}},
    {Feature::kCouplingGearbox,   {L("couplings", "a mimic between two joints"), L("couplings", "a mimic between two joints"), L("couplings", "a mimic between two joints"), N(), N(), L("couplings", "joint equality"), P("couplings", kUserCode)}},
    {Feature::kCouplingPolynomial,{X("URDF has linear couplings only"), X("URDF+ has linear couplings only"), X("URDF+ has linear couplings only"),
                                   X("SDFormat has linear couplings only"), X("SDFormat has linear couplings only"), N(), P("couplings", kUserCode)}},
    {Feature::kCouplingLinear,    {P("couplings", "a mimic between two joints"), P("couplings", "a mimic, or a coupling where the joints are two branches"), P("couplings", "a mimic, or a coupling where the joints are two branches"),
                                   P("couplings", "a gearbox between two joints"), P("couplings", "a mimic between two joints"), N("fixed-tendon equality"), P("couplings", kUserCode)}},
    {Feature::kIndependent,       {X("plain URDF does not tell independent from dependent joints"), N(), N(), X(kSdfNone), X(kSdfNone), X(kMjcfNone), N("nature")}},

    {Feature::kJointFrameOffset,   {L("rebase_link_frames", kRebase), L("rebase_link_frames", kRebase), L("rebase_link_frames", kRebase), N(), N(), N(), N()}},
    {Feature::kReversedJoint,     {L("orient_joints", "the joint is turned round, its axis negated"), L("orient_joints", "the joint is turned round, its axis negated"), L("orient_joints", "the joint is turned round, its axis negated"),
                                   N(), N(), L("orient_joints", "the joint is turned round, its axis negated"), L("orient_joints", "the joint is turned round, its axis negated")}},
    {Feature::kWorldJoint,        {L("world_link", "a massless root link 'world'"), L("world_link", "a massless root link 'world'"), L("world_link", "a massless root link 'world'"), N(), N(), N(), N()}},
    {Feature::kFloatingBase,      {P("base", "a base that nothing holds stays unsaid, as URDF has it; --base floating writes a floating joint"),
                                   P("base", "a base that nothing holds stays unsaid, as URDF has it; --base floating writes a floating joint"),
                                   P("base", "a base that nothing holds stays unsaid, as URDF has it; --base floating writes a floating joint"), N(), N(), N("freejoint"), N("six joints")}},
    {Feature::kSeveralModels,     {P("select_model", "one robot per file: --model NAME chooses"), P("select_model", "one robot per file: --model NAME chooses"), P("select_model", "one robot per file: --model NAME chooses"),
                                   N(), N(), L("flatten_models", "all models side by side, names joined"), P("select_model", "one robot per file: --model NAME chooses")}},
    {Feature::kNestedModel,       {L("flatten_models", "names joined with '::'"), L("flatten_models", "names joined with '::'"), L("flatten_models", "names joined with '::'"), N(), N(),
                                   L("flatten_models", "names joined with '::'"), L("flatten_models", "names joined with '::'")}},
    {Feature::kStaticModel,       {L("static_models", "its joints are locked, and it is fixed to the world"), L("static_models", "its joints are locked, and it is fixed to the world"), L("static_models", "its joints are locked, and it is fixed to the world"), N(), N(), L("static_models", "its joints are locked, and it is fixed to the world"),
                                   L("static_models", "its joints are locked, and it is fixed to the world")}},
    {Feature::kFrame,              {L("frames", "a massless link on a fixed joint"), L("frames", "a massless link on a fixed joint"), L("frames", "a massless link on a fixed joint"), N(), N(), N("site"),
                                   N("a point; its orientation is kept in user_models")}},
    {Feature::kGravity,           {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), N(), N(), N(), N()}},
    {Feature::kNameClash,         {N(), N(), N(), L("names", "renamed, with a map"), L("names", "renamed, with a map"), N(), P("names", "renamed, with a map; what an MBS file calls alike stays so")}},
    {Feature::kReservedName,      {N(), N(), N(), L("names", "renamed, with a map"), L("names", "renamed, with a map"), P("names", "only 'world' is reserved"), N()}},

    {Feature::kMasslessLink,      {N(), N(), N(), P("massless_links", "a frame of its neighbour where it is rigidly attached; else with an inertia that changes the robot's mass by 1e-7"),
                                   P("massless_links", "a frame of its neighbour where it is rigidly attached; else with an inertia that changes the robot's mass by 1e-7"),
                                   P("massless_links", "welded, or joining its neighbours in one body; else with an inertia that changes the robot's mass by 1e-7"), N()}},
    {Feature::kRotatedInertia,    {N(), L("inertia_axes", kLinkAxes), N(), N(), N(), N(), L("inertia_axes", "tensor turned into the body axes")}},
    {Feature::kUnphysicalInertia,  {N("written as it is"), N("written as it is"), N("written as it is"), P("physical_inertia", "libsdformat refuses such a link; the nearest inertia of a rigid body is written"),
                                   P("physical_inertia", "libsdformat refuses such a link; the nearest inertia of a rigid body is written"),
                                   P("physical_inertia", "MuJoCo refuses such a body; the nearest inertia of a rigid body is written"), N("written as it is")}},

    {Feature::kPositionLimit,     {N(), N(), N(), N(), N(), N("range"), P("remarks", kMbsNumber)}},
    {Feature::kOneSidedLimit,     {L("limits", "the open side becomes 1e16"), L("limits", "the open side becomes 1e16"), L("limits", "the open side becomes 1e16"), N(), N(), L("limits", "the open side becomes 1e16"), P("remarks", kMbsNumber)}},
    {Feature::kEffortLimit,       {N(), N(), N(), N(), N(), N("actuatorfrcrange"), P("remarks", kMbsNumber)}},
    {Feature::kAsymmetricEffortLimit, {X("URDF effort is one magnitude"), X("URDF effort is one magnitude"), X("URDF effort is one magnitude"), X("SDFormat effort is one magnitude"), X("SDFormat effort is one magnitude"), N(), P("remarks", kMbsNumber)}},
    {Feature::kVelocityLimit,     {N(), N(), N(), N(), N(), X(kMjcfNone), P("remarks", kMbsNumber)}},
    {Feature::kAccelerationLimit, {X("URDF 1.0 has no acceleration limit"), X("URDF 1.0 has no acceleration limit"), X("URDF 1.0 has no acceleration limit"), X(kSdfNone), X(kSdfNone), X(kMjcfNone), P("remarks", kMbsNumber)}},
    {Feature::kJerkLimit,         {X("URDF 1.0 has no jerk limit"), X("URDF 1.0 has no jerk limit"), X("URDF 1.0 has no jerk limit"), X(kSdfNone), X(kSdfNone), X(kMjcfNone), P("remarks", kMbsNumber)}},
    {Feature::kDamping,           {N(), N(), N(), N(), N(), N(), P("remarks", kMbsNumber)}},
    {Feature::kFriction,          {N(), N(), N(), N(), N(), N("frictionloss"), P("remarks", kMbsNumber)}},
    {Feature::kSpring,            {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), N(), N(), N(), P("remarks", kMbsNumber)}},
    {Feature::kArmature,          {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), X(kSdfNone), X(kSdfNone), N(), P("remarks", kMbsNumber)}},
    {Feature::kLimitCompliance,   {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), N(), N(), X(kMjcfNone), P("remarks", kMbsNumber)}},
    {Feature::kSafety,            {N(), N(), N(), X(kSdfNone), X(kSdfNone), X(kMjcfNone), P("remarks", kMbsNumber)}},
    {Feature::kCalibration,       {N(), N(), N(), X(kSdfNone), X(kSdfNone), X(kMjcfNone), P("remarks", kMbsNumber)}},
    {Feature::kPositionOffset,    {X("coordinates count from the zero configuration"), X("coordinates count from the zero configuration"), X("coordinates count from the zero configuration"),
                                   X("coordinates count from the zero configuration"), X("coordinates count from the zero configuration"), N("ref"), P("remarks", kMbsNumber)}},
    {Feature::kInitialPosition,   {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), X("gone from SDFormat since 1.7"), X("gone from SDFormat since 1.7"), X(kMjcfNone), N("initialvalue")}},

    {Feature::kVisual,            {N(), N(), N(), N(), N(), N(), N()}},
    {Feature::kCollision,         {N(), N(), N(), N(), N(), N(), X(kMbsNoCollision)}},
    {Feature::kShapeBox,          {N(), N(), N(), N(), N(), N(), N()}},
    {Feature::kShapeSphere,       {N(), N(), N(), N(), N(), N(), N()}},
    {Feature::kShapeCylinder,     {N(), N(), N(), N(), N(), N(), N()}},
    {Feature::kShapeCapsule,      {L("shapes", "a cylinder and two spheres"), L("shapes", "a cylinder and two spheres"), L("shapes", "a cylinder and two spheres"), N(), N(), N(), L("shapes", "a cylinder and two spheres")}},
    {Feature::kShapeCone,         {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), X("the cone came with SDFormat 1.11"), N(), X(kMjcfNone), N()}},
    {Feature::kShapeEllipsoid,    {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), N(), N(), N(), N("a sphere with three scales")}},
    {Feature::kShapePlane,        {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), N(), N(), P("shapes", "turned so that its normal is z"), X("MBS has no plane")}},
    {Feature::kShapeMesh,         {N(), N(), N(), N(), N(), N("STL, OBJ and MSH; others are left out, with a loss each"),
                                   P("shapes", "the file is named; MBSysPad opens .wrl and .obj only")}},
    {Feature::kShapeMeshScale,    {N(), N(), N(), N(), N(), N(), N()}},
    {Feature::kShapeSubmesh,      {X("URDF takes the whole mesh"), X("URDF takes the whole mesh"), X("URDF takes the whole mesh"), N(), N(), X("MJCF takes the whole mesh"), X("MBS takes the whole mesh")}},
    {Feature::kShapePolyline,     {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), N(), N(), X(kMjcfNone), X("MBS has no polyline")}},
    {Feature::kShapeNative,        {P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly)}},
    {Feature::kMaterialColor,     {N(), N(), N(), N(), N(), N(), P("shapes", "rounded to steps of 1/255")}},
    {Feature::kMaterialTexture,    {N(), N(), N(), N("albedo map"), N("albedo map"), P("shapes", "png and ktx files"), X("MBS has no textures")}},
    {Feature::kMaterialLighting,  {X("URDF has one colour"), X("URDF has one colour"), X("URDF has one colour"), N(), N(), X("MJCF keeps scalars, not colours"), P("shapes", "a specular colour; no ambient or emissive one")}},
    {Feature::kTransparency,      {L("shapes", "alpha of the colour"), L("shapes", "alpha of the colour"), L("shapes", "alpha of the colour"), N(), N(), L("shapes", "alpha of the colour"), N()}},
    {Feature::kSurfaceFriction,    {X(kUrdfNone), X(kUrdfNone), X(kUrdfNone), P("shapes", "sliding and torsional coefficients; no rolling friction"), P("shapes", "sliding and torsional coefficients; no rolling friction"), N(), X(kMbsNoCollision)}},

    {Feature::kSensor,             {P("native_data", kInGazebo), P("native_data", kInGazebo), P("native_data", kInGazebo), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly)}},
    {Feature::kActuator,           {P("native_data", kTransmission), P("native_data", kTransmission), P("native_data", kTransmission), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", "a flag on the joint and its gear as a number in user_models; its control law is not written")}},
    {Feature::kContactExclusion,  {X("URDF leaves it to an SRDF"), X("URDF leaves it to an SRDF"), X("URDF leaves it to an SRDF"), X("SDFormat excludes by bit masks, not by pairs"), X("SDFormat excludes by bit masks, not by pairs"), N(), X(kMbsNoCollision)}},
    {Feature::kNativeData,         {P("native_data", kInGazebo), P("native_data", kInGazebo), P("native_data", kInGazebo), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly), P("native_data", kNativeOnly)}},
};
// clang-format on

// URDF+ for GRBDA, the library of the URDF+ paper: its cells where they are not the reference
// profile's. Its rules are in formats/urdf/grbda_rules.cc.
constexpr Capability R(std::string_view note) { return {Support::kRefused, "", note}; }
constexpr std::string_view kPoints = "GRBDA joins two points, whatever the type of the loop";
constexpr std::string_view kNoSlides =
    "GRBDA has no prismatic joints: it reads one as revolute inside a cluster, and stops at one "
    "alone";
constexpr std::string_view kNotRead = "written; GRBDA does not read it";
struct Exception {
  Feature feature;
  Capability cell;
};
constexpr Exception kGrbda[] = {
    {Feature::kJointFixed, L("merge_fixed", "its links become one; GRBDA stops at a fixed joint")},
    {Feature::kJointPrismatic, R(kNoSlides)},
    {Feature::kJointScrew, R(kNoSlides)},
    {Feature::kJointPlanar, R(kNoSlides)},
    {Feature::kJointCylindrical, R(kNoSlides)},
    {Feature::kJointFree, P("base", "as the first joint only")},
    {Feature::kLoopFixed, P("point_loops",
                            "another cut, or three points and links that give way along what they "
                            "share; refused where rows stay redundant")},
    {Feature::kLoopRevolute, N("a point where the loop is planar, else two points and a link that "
                               "gives way along the axis")},
    {Feature::kLoopPrismatic, P("lower_loops", "another cut, or refused: GRBDA joins points")},
    {Feature::kLoopScrew, P("lower_loops", "another cut, or refused: GRBDA joins points")},
    {Feature::kLoopBall, N("a loop without axis")},
    {Feature::kLoopPlanar, P("lower_loops", "another cut, or refused: GRBDA joins points")},
    {Feature::kLoopCylindrical, P("lower_loops", "another cut, or refused: GRBDA joins points")},
    {Feature::kLoopAncestor, P("choose_tree", "another cut, or refused: the parser crashes on it")},
    {Feature::kCouplingMimic, P("couplings",
                                "a coupling between two branches without offset; GRBDA ignores "
                                "<mimic>, so others are refused")},
    {Feature::kCouplingGearbox,
     P("couplings", "a coupling between two branches; others are refused")},
    {Feature::kCouplingLinear,
     P("couplings", "a coupling where the joints are two branches; others are refused")},
    {Feature::kFloatingBase, P("world_link", "a floating joint on a root without mass")},
    {Feature::kFrame, X("GRBDA stops at fixed joints, so that a frame cannot be a link")},
    {Feature::kRotatedInertia, L("inertia_axes", kLinkAxes)},
    {Feature::kPositionLimit, N(kNotRead)},
    {Feature::kEffortLimit, N(kNotRead)},
    {Feature::kVelocityLimit, N(kNotRead)},
    {Feature::kDamping, N(kNotRead)},
    {Feature::kFriction, N(kNotRead)},
};

// "1.11" >= 1.11: versions are compared number by number.
bool AtLeast(std::string_view version, int major, int minor) {
  int number[2] = {0, 0};
  std::size_t part = 0;
  for (const char c : version) {
    if (c == '.') {
      if (++part > 1) break;
    } else if (c >= '0' && c <= '9') {
      number[part] = number[part] * 10 + (c - '0');
    }
  }
  return number[0] != major ? number[0] > major : number[1] >= minor;
}

Column ColumnOf(const Target& target) {
  const std::string_view name = target.format == nullptr ? std::string_view() : target.format->name;
  if (name == "urdf+" && target.options.profile == UrdfPlusProfile::kGrbda) return kPlusGrbda;
  if (name == "urdf+")
    return target.options.profile == UrdfPlusProfile::kPaper ? kPlusPaper : kPlusReference;
  if (name == "sdf") return AtLeast(target.options.version, 1, 11) ? kSdf111 : kSdf;
  if (name == "mjcf") return kMjcf;
  if (name == "mbs") return kMbs;
  return kUrdf;
}

// What versions outside the table's columns have or lack; null where they agree with the column.
const Capability* OtherVersion(Feature feature, Column column, std::string_view version) {
  static constexpr Capability kHas = N();
  static constexpr Capability kCapsule = L("shapes", "a cylinder and two spheres");
  static constexpr Capability kTooNew = X("this version of SDFormat has no such thing");
  if (version.empty()) return nullptr;
  if (column == kUrdf || column == kPlusReference || column == kPlusPaper || column == kPlusGrbda) {
    if (feature == Feature::kShapeCapsule && AtLeast(version, 1, 1)) return &kHas;
    const bool newer = feature == Feature::kAccelerationLimit || feature == Feature::kJerkLimit;
    return newer && AtLeast(version, 1, 2) ? &kHas : nullptr;
  }
  if (column != kSdf && column != kSdf111) return nullptr;
  struct Since {
    Feature feature;
    int minor;
    const Capability* before;
  };
  static constexpr Since kSince[] = {
      {Feature::kShapeCapsule, 8, &kCapsule}, {Feature::kShapeEllipsoid, 8, &kTooNew},
      {Feature::kFrame, 7, &kTooNew},         {Feature::kMaterialTexture, 6, &kTooNew},
      {Feature::kShapePolyline, 5, &kTooNew}, {Feature::kSpring, 5, &kTooNew}};
  for (const Since& since : kSince)
    if (feature == since.feature && !AtLeast(version, 1, since.minor)) return since.before;
  if (feature == Feature::kInitialPosition && AtLeast(version, 1, 6) && !AtLeast(version, 1, 9))
    return &kHas;
  return nullptr;
}

}  // namespace

Capability CapabilityOf(Feature feature, const Target& target) {
  // Rows stand in the order of the enumeration; a test checks it.
  const std::size_t row = static_cast<std::size_t>(feature);
  if (row >= std::size(kTable)) return {};
  const Column column = ColumnOf(target);
  if (const Capability* other = OtherVersion(feature, column, target.options.version))
    return *other;
  if (column == kPlusGrbda) {
    for (const Exception& exception : kGrbda)
      if (exception.feature == feature) return exception.cell;
  }
  return kTable[row].cells[column == kPlusGrbda ? kPlusReference : column];
}

std::vector<TableColumn> TableColumns() {
  const auto target = [](std::string_view format, std::string version, UrdfPlusProfile profile) {
    return Target{FindFormat(format), WriteOptions{std::move(version), profile, std::nullopt}};
  };
  const UrdfPlusProfile reference = UrdfPlusProfile::kReference;
  return {{"urdf", target("urdf", "", reference)},
          {"urdf+ (reference)", target("urdf+", "", reference)},
          {"urdf+ (paper)", target("urdf+", "", UrdfPlusProfile::kPaper)},
          {"urdf+ (grbda)", target("urdf+", "", UrdfPlusProfile::kGrbda)},
          {"sdf@1.9", target("sdf", "1.9", reference)},
          {"sdf@1.11", target("sdf", "1.11", reference)},
          {"mjcf", target("mjcf", "", reference)},
          {"mbs", target("mbs", "", reference)}};
}

TargetTraits TraitsOf(const Target& target) {
  TargetTraits t;
  switch (ColumnOf(target)) {
    case kUrdf:
    case kPlusReference:
    case kPlusPaper:
    case kPlusGrbda:
      t.native_format = "urdf";
      t.world_is_reserved = false;
      t.block_format = "sdf";
      t.actuators_on_joints = true;
      t.several_axes_have_data = false;
      t.one_root = true;
      t.limits_need_both_sides = true;
      t.prismatic_needs_limit = true;
      t.natures = ColumnOf(target) == kUrdf ? Natures::kNever : Natures::kWithConstraints;
      if (ColumnOf(target) != kPlusGrbda) break;
      t.natures = Natures::kAlways;
      t.base_must_be_decided = true;
      t.base_is_root = true;
      t.fixed_joints_merge = true;
      t.axes_are_coordinates = true;
      t.loops_join_points = true;
      t.rules = ReportGrbdaRules;
      break;
    case kSdf:
    case kSdf111:
      t.native_format = "sdf";
      t.ball_has_limits = false;
      t.names = NameRule::kShared;
      t.massless = MasslessRule::kFrames;
      t.massless_consequence =
          "SDFormat takes a link without inertial for 1 kg with 1 kg m^2 about each axis "
          "(--massless EPS writes EPS kg)";
      t.loops_are_marked = false;
      t.free_joint_at_base_only = true;
      t.free_base_is_implicit = true;
      t.loops_closed_at_zero = true;
      t.world_has_content = false;
      break;
    case kMjcf:
      t.native_format = "mjcf";
      t.zero_effort_is_unlimited = true;
      t.names_keep_scope_marks = true;
      t.massless = MasslessRule::kChains;
      t.massless_consequence =
          "MuJoCo refuses a moving body without (--massless EPS writes EPS kg)";
      t.least_inertia = 2e-15;  // mjMINVAL is 1e-15
      t.base_must_be_decided = true;
      t.free_joint_at_base_only = true;
      t.loops_closed_at_zero = true;
      t.open_loops_allowed = true;
      t.limits_need_both_sides = true;
      t.mesh_files = ".stl .obj .msh";
      t.shapes_need_size = true;
      t.planes_stand_still = true;
      t.joined_links_touch = true;
      break;
    case kMbs:
      t.mesh_files = ".wrl .obj";
      t.unread_mesh = "MBSysPad opens .wrl and .obj files only; convert the mesh";
      t.native_format = "mbs";
      t.actuators_on_joints = true;
      t.world_is_reserved = false;
      t.names = NameRule::kIdentifiers;
      t.base_must_be_decided = true;
      t.natures = Natures::kAlways;
      break;
    case kColumns:
      break;
  }
  return t;
}

}  // namespace kinemorph
