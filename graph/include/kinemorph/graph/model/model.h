// The connectivity model: one Boost.Graph whose vertices are links and whose edges are joints, tree
// and loop joints alike.
#pragma once

#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinemorph/graph/base/source_location.h"
#include "kinemorph/graph/base/spatial.h"
#include "kinemorph/graph/model/geometry.h"
#include "kinemorph/graph/model/joint_kind.h"
#include "kinemorph/graph/model/native_data.h"

/// A gateway between robot description formats that keeps kinematic loops.
namespace kinemorph {

/// A vertex of Model::graph(), in order of AddLink.
enum class LinkId : std::uint32_t {};
/// An edge of Model::graph(), in order of AddJoint.
enum class JointId : std::uint32_t {};
/// An index into Model::scopes.
enum class ScopeId : std::uint32_t {};
inline constexpr LinkId kWorld{0};  ///< vertex 0 is the world, always there
/// @{
/// None; not to be looked up.
inline constexpr LinkId kNoLink{std::numeric_limits<std::uint32_t>::max()};
inline constexpr JointId kNoJoint{std::numeric_limits<std::uint32_t>::max()};
inline constexpr ScopeId kNoScope{std::numeric_limits<std::uint32_t>::max()};
/// @}
/// @{
/// Place in an array by link, joint or scope.
[[nodiscard]] constexpr std::size_t Index(LinkId id) { return static_cast<std::size_t>(id); }
[[nodiscard]] constexpr std::size_t Index(JointId id) { return static_cast<std::size_t>(id); }
[[nodiscard]] constexpr std::size_t Index(ScopeId id) { return static_cast<std::size_t>(id); }
/// @}

/// Mass properties as authored: the tensor is about the centre of mass in axes of the inertial
/// frame I (origin = centre of mass).
struct Inertial {
  double mass = 0;                ///< kg
  RigidTransform X_LI;            ///< inertial frame in the link
  Matrix3 I_I = Matrix3::Zero();  ///< kg m^2, about Icm, axes of I
  /// Why the numbers above are a stand-in that nobody knows: "mesh 'hull.dae' was not found".
  /// Empty: they are known.
  std::string unknown;
  std::vector<NativeData> native;  ///< what only its own format has
  SourceLocation where;            ///< of its element

  /// The same in the link's frame: centre of mass from Lo, tensor about it in axes of L.
  [[nodiscard]] SpatialInertia InLink() const {
    return {mass, X_LI.p, X_LI.R * I_I * X_LI.R.transpose()};
  }
};

/// A vertex: a rigid body with what is drawn of it and what collides. Sizes and poses are in its
/// frame L.
struct Link {
  std::string name;  ///< scoped with "::" below nested models; unique in the model
  /// Absent: the author wrote none and the format means massless.
  std::optional<Inertial> inertial;
  std::vector<Visual> visuals;        ///< in document order
  std::vector<Collision> collisions;  ///< in document order
  ScopeId scope = kNoScope;           ///< the model or nested model that it is written in
  /// True for a massless link that no file names: an intermediate of several MJCF/MBS joints in one
  /// body, or of a split joint. Such links are not counted by `inspect` and vanish again where the
  /// target can hold the chain in one piece.
  bool synthetic = false;
  /// False: the world's gravity does not act on the link (SDFormat `<gravity>`, MJCF gravcomp="1",
  /// `<gazebo>` turnGravityOff). Absent = not written, it acts.
  std::optional<bool> gravity;
  /// Whether the link collides with the other links of its model (SDFormat, `<gazebo>`
  /// selfCollide). Absent = as its scope says.
  std::optional<bool> self_collide;
  std::vector<NativeData> native;  ///< what only its own format has
  SourceLocation where;            ///< of its element
};

/// Whether a joint is in the spanning tree, as far as its author says.
enum class JointRole {
  kUndecided,  ///< the format has no roles (SDFormat): ChooseSpanningTree decides
  kTree,       ///< authored as a joint of the tree, or one of a format that has no others
  kLoop,       ///< authored as a loop joint
};

/// A URDF safety controller. Absent = not written.
struct Safety {
  std::optional<double> soft_lower,  ///< where it begins to limit the velocity (rad, m)
      soft_upper,                    ///< the same at the upper limit (rad, m)
      k_position,                    ///< velocity limit per distance to a soft limit (1/s)
      k_velocity;                    ///< effort limit per excess of velocity (N m s/rad, N s/m)
};
/// Reference positions of a joint (URDF calibration; rad, m). Absent = not written.
struct Calibration {
  std::optional<double> rising,  ///< where moving upwards gives a rising edge
      falling,                   ///< where moving upwards gives a falling edge
      reference_position;        ///< the third value of urdfdom's class
};

/// What is said of one coordinate of a joint. Absent = not written. Radians or metres and their
/// derivatives, N m or N.
struct JointAxis {
  /// Position limits, as displacement from the zero configuration (rad, m); absent = unlimited on
  /// that side.
  std::optional<double> lower,
      upper;  ///< as `lower`
  /// Limits of magnitude; absent = unlimited. Of the effort: N m, N.
  std::optional<double> effort,
      velocity,      ///< rad/s, m/s
      acceleration,  ///< rad/s^2, m/s^2
      deceleration,  ///< rad/s^2, m/s^2
      jerk;          ///< rad/s^3, m/s^3
  /// Signed lower end of the effort range (N m, N), only where that is not symmetric (MJCF
  /// actuatorfrcrange); absent = -effort.
  std::optional<double> effort_lower;
  std::optional<double> damping,           ///< viscous (N m s/rad, N s/m)
      friction;                            ///< Coulomb, a magnitude (N m, N)
  std::optional<double> spring_stiffness,  ///< N m/rad, N/m
      spring_reference;  ///< where the spring is slack, as displacement from zero (rad, m)
  std::optional<double>
      armature;  ///< reflected rotor inertia added to the diagonal of M (kg m^2, kg)
  std::optional<double> limit_stiffness,  ///< of the stop (N m/rad, N/m), SDFormat limit/stiffness
      limit_dissipation;       ///< of the stop (N m s/rad, N s/m), SDFormat limit/dissipation
  double position_offset = 0;  ///< native coordinate = q + offset (MJCF ref): only to write it back
  std::optional<double> initial_position;  ///< as authored; does not move the zero configuration
  std::optional<Safety> safety;            ///< URDF only
  std::optional<Calibration> calibration;  ///< URDF only
};

/// An edge from predecessor P to successor S: `X_PS = X_PF * X_FM(q) * X_SM.inverse()`.
/// A loop joint is the same with both frames given; at a closed configuration X_PF X_FM(q) = X_PS
/// X_SM.
struct Joint {
  std::string name;                        ///< scoped with "::" below nested models
  JointKind kind;                          ///< with its axes, in F
  JointRole role = JointRole::kUndecided;  ///< of a tree or a loop, as authored
  RigidTransform X_PF;                     ///< joint frame on the predecessor
  RigidTransform X_SM;                     ///< joint frame on the successor
  std::vector<JointAxis> axes;             ///< NumAxes(kind) entries
  std::optional<bool> independent;         ///< declared (URDF+ independent, MBS nature)
  bool commanded = false;  ///< driven by what is no Actuator of its own: a command interface of
                           ///< ros2_control, the drive of a tendon. Its text is kept elsewhere
  bool cut_hint = false;   ///< author asks for this joint to be the loop joint (must_be_loop_joint)
  bool implicit = false;  ///< no file names it: SDFormat free model, MJCF body welded to its parent
  std::string native_type;   ///< spelling of the type in the source, e.g. "continuous", "revolute2"
  ScopeId scope = kNoScope;  ///< the model or nested model that it is written in
  std::vector<NativeData> native;  ///< what only its own format has
  SourceLocation where;            ///< of its element
};

/// One scalar coordinate: a joint and which of its axes (0 for revolute, prismatic, screw).
struct Coordinate {
  JointId joint = kNoJoint;  ///< whose coordinate
  int axis = 0;              ///< 0 .. NumAxes - 1, in order of the kind's coordinates
  /// The same axis of the same joint.
  friend bool operator==(const Coordinate&, const Coordinate&) = default;
};

/// c1 q + c2 q^2 + c3 q^3 + c4 q^4 of one coordinate.
struct CouplingTerm {
  Coordinate coordinate;                 ///< q, in rad or m
  std::array<double, 4> coefficients{};  ///< c1 .. c4: [0] is the linear one
};

/// How a format writes a coupling; the terms alone decide what it means.
enum class CouplingForm {
  kMimic,  ///< URDF/SDFormat mimic: terms[0] follower (+1), terms[1] leader (-multiplier), constant
           ///< = offset
  kRatio,  ///< URDF+ `<coupling>` between links: sum over nu_s minus ratio * sum over nu_p = 0
  kGearbox,     ///< SDFormat gearbox: theta2 + ratio * theta1 = 0 relative to the reference body
  kPolynomial,  ///< MJCF equality/joint: terms[0] dependent (+1), terms[1] minus the polynomial
  kTendon,      ///< MJCF equality/tendon over fixed tendons; any other linear relation
  kUser,        ///< MBS user constraint
};
/// "mimic", "ratio", "gearbox", "polynomial", "tendon" or "user".
[[nodiscard]] std::string_view Name(CouplingForm form);

/// A scalar holonomic constraint between coordinates: sum of terms = constant.
struct Coupling {
  std::string name;                           ///< of a mimic that of its joint; may be empty
  CouplingForm form = CouplingForm::kTendon;  ///< as authored; decides the order of `terms`
  std::vector<CouplingTerm> terms;            ///< each of one coordinate
  double constant = 0;                        ///< rad or m, as the sum
  LinkId predecessor = kNoLink,    ///< kRatio: a link; kGearbox: the joint's parent; else kNoLink
      successor = kNoLink,         ///< kRatio: sum_nu_s q = ratio * sum_nu_p q; kGearbox: the child
      reference = kNoLink;         ///< kGearbox: the link from which both angles are taken
  double ratio = 1;                ///< of kRatio and kGearbox; the terms hold it too
  std::string native_type;         ///< spelling in the source, e.g. "gearbox"
  std::vector<NativeData> native;  ///< what only its own format has
  SourceLocation where;            ///< of its element
};

/// A named frame rigidly attached to a link (SDFormat frame, MJCF site, MBS point).
struct Frame {
  std::string name;                ///< scoped with "::" below nested models
  LinkId link = kWorld;            ///< L, which it moves with
  RigidTransform X_LF;             ///< its pose in L
  std::string native_type;         ///< "frame", "site", "point"
  ScopeId scope = kNoScope;        ///< the model or nested model that it is written in
  std::vector<NativeData> native;  ///< what only its own format has
  SourceLocation where;            ///< of its element
};

/// What a sensor measures, as far as more than one format has a word for it.
enum class SensorKind {
  kOther,             ///< `type` says what
  kImu,               ///< how fast it turns and how it is accelerated, in its frame
  kGyroscope,         ///< how fast it turns
  kAccelerometer,     ///< how it is accelerated, gravity included
  kForceTorque,       ///< what a joint transmits
  kForce,             ///< the same without moments
  kTorque,            ///< the same without forces
  kMagnetometer,      ///< the magnetic field, in its frame
  kOrientation,       ///< how it is turned
  kRay,               ///< the distance along its x axis
  kScan,              ///< distances along several rays
  kCamera,            ///< pictures of colours; it looks along its x axis, with z upward
  kDepthCamera,       ///< pictures of depths, likewise
  kColorDepthCamera,  ///< both
  kContact,           ///< what its shape touches
};

/// From where a sensor counts how it is turned.
enum class SensedTurn {
  kUnsaid,     ///< it does not say how it is turned
  kFromStart,  ///< from how it stands when the simulation starts
  kFromWorld,  ///< from the world
};

/// In whose axes a sensor measures what a joint transmits.
enum class SensorAxes {
  kOwn,     ///< its own
  kChild,   ///< those of the joint's child link
  kParent,  ///< those of the joint's parent link
};

/// A sensor on a link or a joint. What its fields do not hold is in `native` only.
struct Sensor {
  std::string name,          ///< may be empty (MJCF)
      type;                  ///< as the format spells it: "imu", "gyro" ...
  LinkId link = kNoLink;     ///< the link it stands on; kNoLink: none is named
  JointId joint = kNoJoint;  ///< the joint it measures; kNoJoint: none is named
  RigidTransform X_LS;       ///< its pose in the link, or in the joint's frame on its child
  NativeData native;         ///< the whole element
  SourceLocation where;      ///< of its element
  SensorKind kind = SensorKind::kOther;  ///< its type, in one word for all formats
  /// How often it measures (Hz); absent, and 0: at every step of the simulation.
  std::optional<double> update_rate = {};
  /// Standard deviation of its noise, the same for all directions: of angular velocities (rad/s) and
  /// moments (N m). Absent, and 0: it has none.
  std::optional<double> angular_noise = {},
                        noise = {};  ///< of accelerations (m/s^2), forces (N) and whatever else
  SensedTurn orientation = SensedTurn::kUnsaid;  ///< of an imu, and of what says nothing else
  SensorAxes axes = SensorAxes::kOwn;            ///< of forces and torques
  /// Forces and torques are those of the child on the parent, not of the parent on the child.
  bool on_parent = false;
  std::optional<double> fov = {},  ///< of a camera, from the bottom to the top of the picture (rad)
      width = {},                  ///< of its picture (pixels); absent: as the simulator likes
      height = {},                 ///< as its width
      range = {};                  ///< the largest distance of a ray (m); absent = unlimited
};

/// What a drive is commanded, as far as more than one format has a word for it.
enum class DriveKind {
  kOther,     ///< `type` says what; its law is in `native` alone
  kEffort,    ///< its effort
  kVelocity,  ///< a velocity: effort = damping (u - v)
  kPosition,  ///< a position: effort = stiffness (u - q) - damping v
};

/// A drive on one joint coordinate (MJCF actuator, URDF transmission, drive of USD, controller of
/// gz sim). What cannot be interpreted stays in `native`.
struct Actuator {
  std::string name,  ///< may be empty (MJCF)
      type;          ///< e.g. "motor", "position", "transmission_interface/SimpleTransmission"
  JointId joint = kNoJoint;  ///< kNoJoint: not on a joint
  double gear = 1;           ///< joint effort / actuator effort
  /// Range of its own effort, before the gear (MJCF forcerange); absent = unlimited.
  std::optional<double> effort_lower,
      effort_upper;                      ///< as `effort_lower`
  NativeData native;                     ///< the whole element
  SourceLocation where;                  ///< of its element
  DriveKind kind = DriveKind::kOther;    ///< its type, in one word for all formats
  std::optional<double> stiffness = {},  ///< of a servo, seen from its joint (N m/rad, N/m)
      damping = {};                      ///< likewise (N m s/rad, N s/m), beside the joint's own
  /// Range of the command of a servo, in the joint's unit; positions as the joint counts them
  /// (q + JointAxis::position_offset). Absent = unlimited.
  std::optional<double> control_lower = {}, control_upper = {};  ///< as `control_lower`
  /// Where the file commands it to be, in the same unit, where that is not where its joint starts.
  std::optional<double> target = {};
};
/// A drive with a law of its own: a position or a velocity is what it is commanded.
[[nodiscard]] inline bool IsServo(const Actuator& drive) {
  return drive.kind == DriveKind::kPosition || drive.kind == DriveKind::kVelocity;
}

/// Two links that shall not collide.
struct ContactExclusion {
  LinkId a,               ///< one link
      b;                  ///< the other; their order means nothing
  SourceLocation where;   ///< of its element
  std::string name = {};  ///< MJCF only
};

/// Two links whose shapes collide whatever their masks and the tree say (MJCF `<pair>`).
struct ContactPair {
  LinkId a,              ///< one link
      b;                 ///< the other; their order means nothing
  SourceLocation where;  ///< of its element
};

/// Which links of a model collide where nothing else is written. Links held together by fixed
/// joints never do: nothing could come of it.
enum class ContactRule {
  /// Two links of one model: where one of them has self_collide and no joint joins them; of two
  /// models: always (SDFormat, and URDF as it is simulated).
  kUnlessJoined,
  /// All, but for two links that a joint of the tree joins (Drake, whatever masks and models say).
  kUnlessTreeJoined,
  /// All, but for a body and what hangs on it, unless that stands on the world (MJCF).
  kUnlessParent,
  /// All (MJCF with filterparent disabled; what conversion works on).
  kAll,
};

/// A model or nested model that the links belong to. Scope 0 is the file's model, or the world when
/// it holds several.
struct Scope {
  std::string name;           ///< its own name, not scoped
  ScopeId parent = kNoScope;  ///< the scope that it is nested in
  RigidTransform X_WM;        ///< pose of the model's frame in the world at zero
  bool is_static = false;     ///< SDFormat `<static>`: its links stand still
  /// Whether links of the model collide with one another, but for those that a joint joins
  /// (SDFormat `<self_collide>`). Absent = not written: no in SDFormat.
  std::optional<bool> self_collide;
  std::optional<LinkId> canonical_link;  ///< the link that its frame moves with (SDFormat)
  bool is_world = false;                 ///< the scope is an SDFormat `<world>`, not a `<model>`
  std::vector<NativeData> native;        ///< what only its own format has
  SourceLocation where;                  ///< of its element
};

/// The topology: vertices are links, by LinkId; edges are joints, from predecessor to successor.
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Link, Joint>;

/// What a joint means that says nothing of its coordinates being independent. One that mimics
/// another follows it in any case.
enum class UnsaidIndependence {
  kNothing,     ///< the source has no such word
  kInTrees,     ///< independent, as long as nothing but mimicking constrains the robot
  kEverywhere,  ///< independent
};

/// The graph of a model, with the handles of its edges by JointId. They point into it: a copy has its
/// own, with the same ids; of a move nothing is copied.
class Topology {
 protected:
  Topology();                                      ///< the world alone, as link "world"
  Topology(const Topology& other);                 ///< with handles of its own
  Topology& operator=(const Topology& other);      ///< the same
  Topology(Topology&& other) noexcept;             ///< leaves the world alone
  Topology& operator=(Topology&& other) noexcept;  ///< leaves what this was
  ~Topology() = default;

  Graph graph_;                                ///< links and joints
  std::vector<Graph::edge_descriptor> edges_;  ///< by JointId
};

/// A robot description; at first, the world alone. Links are added once and keep their LinkId;
/// joints keep their JointId (document order).
class Model : Topology {
 public:
  std::string name;    ///< of the robot or world; may be empty
  std::string format;  ///< what it was read from: "urdf", "urdf+", "sdf", "mjcf", "mbs"
  /// E.g. "1.9"; empty when the format has none or the author wrote none.
  std::string format_version;
  /// Of the format, where the file names one: "paper", "grbda".
  std::string dialect;
  UnsaidIndependence unsaid = UnsaidIndependence::kInTrees;  ///< as its format has it
  ContactRule contact_rule = ContactRule::kUnlessJoined;     ///< as its format has it
  std::vector<std::string> files;   ///< SourceLocation::file indexes it; [0] is the main file
  std::optional<Vector3> gravity;   ///< m/s^2, world axes; absent: not written
  std::vector<Scope> scopes;        ///< parents first; may be empty
  std::vector<Frame> frames;        ///< in document order, as all that follow
  std::vector<Coupling> couplings;  ///< known by their index
  std::vector<Sensor> sensors;      ///< on links and joints
  std::vector<Actuator> actuators;  ///< drives and transmissions
  std::vector<ContactExclusion> contact_exclusions;  ///< pairs of links
  std::vector<ContactPair> contact_pairs;            ///< pairs of links
  std::vector<NativeData> native;  ///< children of the root that nobody interprets

  /// The next LinkId. References to other links do not outlive it; names are not checked.
  LinkId AddLink(Link link);
  /// The next JointId. The ends must be links of this model; `axes` gets NumAxes(kind) entries.
  JointId AddJoint(LinkId predecessor, LinkId successor, Joint joint);
  /// Makes room for as many links (the world not counted) and joints in all.
  void Reserve(std::size_t links, std::size_t joints);

  /// For Boost's algorithms. Descriptors of edges do not outlive Reconnect and the removals.
  [[nodiscard]] const Graph& graph() const { return graph_; }
  /// World included.
  [[nodiscard]] std::size_t num_links() const { return boost::num_vertices(graph_); }
  [[nodiscard]] std::size_t num_joints() const { return edges_.size(); }  ///< tree and loop joints
  /// @{
  /// The link or joint of an id, which must be one of this model.
  [[nodiscard]] const Link& link(LinkId id) const { return graph_[Index(id)]; }
  [[nodiscard]] Link& link(LinkId id) { return graph_[Index(id)]; }
  [[nodiscard]] const Joint& joint(JointId id) const { return graph_[edges_[Index(id)]]; }
  [[nodiscard]] Joint& joint(JointId id) { return graph_[edges_[Index(id)]]; }
  /// @}
  /// P: the source of the edge (URDF parent), whatever the tree.
  [[nodiscard]] LinkId predecessor(JointId id) const {
    return LinkId{static_cast<std::uint32_t>(boost::source(edges_[Index(id)], graph_))};
  }
  /// S: the target of the edge (URDF child), whatever the tree.
  [[nodiscard]] LinkId successor(JointId id) const {
    return LinkId{static_cast<std::uint32_t>(boost::target(edges_[Index(id)], graph_))};
  }

  /// Gives joints new ends (predecessor, successor); ids and properties stay. One linear rebuild
  /// for any number of joints.
  void Reconnect(const std::function<std::pair<LinkId, LinkId>(JointId)>& ends);
  /// Removes joints and renumbers the rest in order; couplings, actuators and sensors on a removed
  /// joint go too. Returns old id -> new id (kNoJoint for removed ones).
  [[nodiscard]] std::vector<JointId> RemoveJoints(const std::function<bool(JointId)>& remove);
  /// Removes links (never the world) with the joints at them, as RemoveJoints does; frames,
  /// sensors, exclusions on them and couplings between them go too. Returns old id -> new id
  /// (kNoLink for removed ones).
  [[nodiscard]] std::vector<LinkId> RemoveLinks(const std::function<bool(LinkId)>& remove);

  /// @{
  /// The first of that name; none: not there. Linear; index names yourself in loops.
  [[nodiscard]] std::optional<LinkId> FindLink(std::string_view name) const;
  [[nodiscard]] std::optional<JointId> FindJoint(std::string_view name) const;
  /// @}
  /// The file name of a location, empty for made-up ones.
  [[nodiscard]] std::string FileName(SourceLocation where) const;

 private:
  using Ends = std::optional<std::pair<LinkId, LinkId>>;
  void Rebuild(const std::vector<LinkId>& links, const std::vector<Ends>& joints);
};

/// Ids in a row, for range-for.
template <class Id>
struct IdRange {
  std::uint32_t first,  ///< value of the first id
      n;                ///< past that of the last
  /// What range-for needs of an iterator.
  struct It {
    std::uint32_t i;  ///< value of the id
    /// @{
    /// As for any iterator.
    Id operator*() const { return Id{i}; }
    It& operator++() {
      ++i;
      return *this;
    }
    bool operator!=(const It& o) const { return i != o.i; }
    /// @}
  };
  [[nodiscard]] It begin() const { return {first}; }  ///< the first
  [[nodiscard]] It end() const { return {n}; }        ///< past the last
};
/// All joints of a model, of trees and loops. Those added while it runs are not seen.
[[nodiscard]] inline IdRange<JointId> Joints(const Model& model) {
  return {0, static_cast<std::uint32_t>(model.num_joints())};
}
/// All links of a model but the world. Those added while it runs are not seen.
[[nodiscard]] inline IdRange<LinkId> Links(const Model& model) {
  return {1, static_cast<std::uint32_t>(model.num_links())};
}

}  // namespace kinemorph
