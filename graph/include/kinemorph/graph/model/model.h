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

namespace kinemorph {

enum class LinkId : std::uint32_t {};
enum class JointId : std::uint32_t {};
enum class ScopeId : std::uint32_t {};
inline constexpr LinkId kWorld{0};  ///< vertex 0 is the world, always there
inline constexpr LinkId kNoLink{std::numeric_limits<std::uint32_t>::max()};
inline constexpr JointId kNoJoint{std::numeric_limits<std::uint32_t>::max()};
inline constexpr ScopeId kNoScope{std::numeric_limits<std::uint32_t>::max()};
[[nodiscard]] constexpr std::size_t Index(LinkId id) { return static_cast<std::size_t>(id); }
[[nodiscard]] constexpr std::size_t Index(JointId id) { return static_cast<std::size_t>(id); }
[[nodiscard]] constexpr std::size_t Index(ScopeId id) { return static_cast<std::size_t>(id); }

/// Mass properties as authored: the tensor is about the centre of mass in axes of the inertial
/// frame I (origin = centre of mass).
struct Inertial {
  double mass = 0;                ///< kg
  RigidTransform X_LI;            ///< inertial frame in the link
  Matrix3 I_I = Matrix3::Zero();  ///< kg m^2, about Icm, axes of I
  std::vector<NativeData> native;
  SourceLocation where;

  [[nodiscard]] SpatialInertia InLink() const {
    return {mass, X_LI.p, X_LI.R * I_I * X_LI.R.transpose()};
  }
};

struct Link {
  std::string name;  ///< scoped with "::" below nested models; unique in the model
  std::optional<Inertial>
      inertial;  ///< absent: the author wrote none and the format means massless
  std::vector<Visual> visuals;
  std::vector<Collision> collisions;
  ScopeId scope = kNoScope;
  /// True for a massless link that no file names: an intermediate of several MJCF/MBS joints in one
  /// body, or of a split joint. Such links are not counted by `inspect` and vanish again where the
  /// target can hold the chain in one piece.
  bool synthetic = false;
  std::vector<NativeData> native;
  SourceLocation where;
};

enum class JointRole {
  kUndecided,  ///< the format has no roles (SDFormat): ChooseSpanningTree decides
  kTree,
  kLoop,  ///< authored as a loop joint
};

struct Safety {
  std::optional<double> soft_lower, soft_upper, k_position, k_velocity;
};
struct Calibration {
  std::optional<double> rising, falling, reference_position;
};

/// What is said of one coordinate of a joint. Absent = not written. Radians or metres and their
/// derivatives, N m or N.
struct JointAxis {
  std::optional<double> lower,
      upper;  ///< displacement from the zero configuration; absent = unlimited on that side
  std::optional<double> effort, velocity, acceleration, deceleration,
      jerk;  ///< magnitudes; absent = unlimited
  std::optional<double>
      effort_lower;  ///< only where the effort range is not symmetric (MJCF actuatorfrcrange)
  std::optional<double> damping, friction;  ///< viscous; Coulomb
  std::optional<double> spring_stiffness,
      spring_reference;            ///< reference as displacement from zero
  std::optional<double> armature;  ///< reflected rotor inertia added to the diagonal of M
  std::optional<double> limit_stiffness,
      limit_dissipation;       ///< SDFormat limit/stiffness, limit/dissipation
  double position_offset = 0;  ///< native coordinate = q + offset (MJCF ref): only to write it back
  std::optional<double> initial_position;  ///< as authored; does not move the zero configuration
  std::optional<Safety> safety;
  std::optional<Calibration> calibration;
};

/// An edge from predecessor P to successor S: `X_PS = X_PF * X_FM(q) * X_SM.inverse()`.
/// A loop joint is the same with both frames given; at a closed configuration X_PF X_FM(q) = X_PS
/// X_SM.
struct Joint {
  std::string name;
  JointKind kind;
  JointRole role = JointRole::kUndecided;
  RigidTransform X_PF;              ///< joint frame on the predecessor
  RigidTransform X_SM;              ///< joint frame on the successor
  std::vector<JointAxis> axes;      ///< NumAxes(kind) entries
  std::optional<bool> independent;  ///< declared (URDF+ independent, MBS nature)
  bool cut_hint = false;  ///< author asks for this joint to be the loop joint (must_be_loop_joint)
  bool implicit = false;  ///< no file names it: SDFormat free model, MJCF body welded to its parent
  std::string native_type;  ///< spelling of the type in the source, e.g. "continuous", "revolute2"
  ScopeId scope = kNoScope;
  std::vector<NativeData> native;
  SourceLocation where;
};

/// One scalar coordinate: a joint and which of its axes (0 for revolute, prismatic, screw).
struct Coordinate {
  JointId joint = kNoJoint;
  int axis = 0;
  friend bool operator==(const Coordinate&, const Coordinate&) = default;
};

/// c1 q + c2 q^2 + c3 q^3 + c4 q^4 of one coordinate.
struct CouplingTerm {
  Coordinate coordinate;
  std::array<double, 4> coefficients{};  ///< [0] is the linear one
};

enum class CouplingForm {
  kMimic,  ///< URDF/SDFormat mimic: terms[0] follower (+1), terms[1] leader (-multiplier), constant
           ///< = offset
  kRatio,  ///< URDF+ <coupling> between links: sum over nu_s minus ratio * sum over nu_p = 0
  kGearbox,     ///< SDFormat gearbox: theta2 + ratio * theta1 = 0 relative to the reference body
  kPolynomial,  ///< MJCF equality/joint: terms[0] dependent (+1), terms[1] minus the polynomial
  kTendon,      ///< MJCF equality/tendon over fixed tendons; any other linear relation
  kUser,        ///< MBS user constraint
};

/// A scalar holonomic constraint between coordinates: sum of terms = constant.
struct Coupling {
  std::string name;
  CouplingForm form = CouplingForm::kTendon;
  std::vector<CouplingTerm> terms;
  double constant = 0;
  /// kRatio: the two links and the ratio (sum_nu_s q = ratio * sum_nu_p q); kGearbox: the gearbox
  /// joint's links.
  LinkId predecessor = kNoLink, successor = kNoLink, reference = kNoLink;
  double ratio = 1;
  std::string native_type;
  std::vector<NativeData> native;
  SourceLocation where;
};

/// A named frame rigidly attached to a link (SDFormat frame, MJCF site, MBS point).
struct Frame {
  std::string name;
  LinkId link = kWorld;
  RigidTransform X_LF;
  std::string native_type;  ///< "frame", "site", "point"
  ScopeId scope = kNoScope;
  std::vector<NativeData> native;
  SourceLocation where;
};

struct Sensor {
  std::string name, type;
  LinkId link = kNoLink;  ///< or
  JointId joint = kNoJoint;
  RigidTransform X_LS;
  NativeData native;
  SourceLocation where;
};

/// A drive on one joint coordinate (MJCF actuator, URDF transmission). What cannot be interpreted
/// stays in `native`.
struct Actuator {
  std::string name,
      type;  ///< e.g. "motor", "position", "transmission_interface/SimpleTransmission"
  JointId joint = kNoJoint;  ///< kNoJoint: not on a joint
  double gear = 1;           ///< joint effort / actuator effort
  std::optional<double> effort_lower, effort_upper;
  NativeData native;
  SourceLocation where;
};

/// Two links that shall not collide.
struct ContactExclusion {
  LinkId a, b;
  SourceLocation where;
  std::string name = {};  ///< MJCF only
};

/// A model or nested model that the links belong to. Scope 0 is the file's model, or the world when
/// it holds several.
struct Scope {
  std::string name;  ///< its own name, not scoped
  ScopeId parent = kNoScope;
  RigidTransform X_WM;  ///< pose in the world at zero
  bool is_static = false;
  std::optional<LinkId> canonical_link;
  bool is_world = false;  ///< the scope is an SDFormat <world>, not a <model>
  std::vector<NativeData> native;
  SourceLocation where;
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Link, Joint>;

/// What a joint means that says nothing of its coordinates being independent. One that mimics
/// another follows it in any case.
enum class UnsaidIndependence {
  kNothing,     ///< the source has no such word
  kInTrees,     ///< independent, as long as nothing but mimicking constrains the robot
  kEverywhere,  ///< independent
};

/// A robot description. Links are added once and keep their LinkId; joints keep their JointId
/// (document order).
class Model {
 public:
  std::string name;
  std::string format;  ///< what it was read from: "urdf", "urdf+", "sdf", "mjcf", "mbs"
  std::string
      format_version;  ///< e.g. "1.9"; empty when the format has none or the author wrote none
  UnsaidIndependence unsaid = UnsaidIndependence::kInTrees;
  std::vector<std::string> files;  ///< SourceLocation::file indexes it; [0] is the main file
  std::optional<Vector3> gravity;  ///< m/s^2, world axes
  std::vector<Scope> scopes;
  std::vector<Frame> frames;
  std::vector<Coupling> couplings;
  std::vector<Sensor> sensors;
  std::vector<Actuator> actuators;
  std::vector<ContactExclusion> contact_exclusions;
  std::vector<NativeData> native;  ///< children of the root that nobody interprets

  Model();
  // The graph's edge handles point into it: copies are rebuilt.
  Model(const Model& other);
  Model& operator=(const Model& other);
  Model(Model&& other) noexcept;
  Model& operator=(Model&& other) noexcept;
  ~Model() = default;

  LinkId AddLink(Link link);
  JointId AddJoint(LinkId predecessor, LinkId successor, Joint joint);
  void Reserve(std::size_t links, std::size_t joints);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] std::size_t num_links() const {
    return boost::num_vertices(graph_);
  }                                                                       ///< world included
  [[nodiscard]] std::size_t num_joints() const { return edges_.size(); }  ///< tree and loop joints
  [[nodiscard]] const Link& link(LinkId id) const { return graph_[Index(id)]; }
  [[nodiscard]] Link& link(LinkId id) { return graph_[Index(id)]; }
  [[nodiscard]] const Joint& joint(JointId id) const { return graph_[edges_[Index(id)]]; }
  [[nodiscard]] Joint& joint(JointId id) { return graph_[edges_[Index(id)]]; }
  [[nodiscard]] LinkId predecessor(JointId id) const {
    return LinkId{static_cast<std::uint32_t>(boost::source(edges_[Index(id)], graph_))};
  }
  [[nodiscard]] LinkId successor(JointId id) const {
    return LinkId{static_cast<std::uint32_t>(boost::target(edges_[Index(id)], graph_))};
  }

  /// Gives joints new ends (predecessor, successor); ids and properties stay. One linear rebuild
  /// for any number of joints.
  void Reconnect(const std::function<std::pair<LinkId, LinkId>(JointId)>& ends);
  /// Removes joints and renumbers the rest in order; couplings, actuators and sensors on a removed
  /// joint go too. Returns old id -> new id (kNoJoint for removed ones).
  [[nodiscard]] std::vector<JointId> RemoveJoints(const std::function<bool(JointId)>& remove);
  /// Removes links (never the world) with the joints at them; frames, sensors, exclusions on them
  /// go too. Returns old -> new.
  [[nodiscard]] std::vector<LinkId> RemoveLinks(const std::function<bool(LinkId)>& remove);

  [[nodiscard]] std::optional<LinkId> FindLink(
      std::string_view name) const;  ///< linear; index names yourself in loops
  [[nodiscard]] std::optional<JointId> FindJoint(std::string_view name) const;
  /// The file name of a location, empty for made-up ones.
  [[nodiscard]] std::string FileName(SourceLocation where) const;

 private:
  void RebuildHandles();
  Graph graph_;
  std::vector<Graph::edge_descriptor> edges_;  // JointId -> edge
};

/// All joint ids, for range-for.
struct JointRange {
  std::uint32_t n;
  struct It {
    std::uint32_t i;
    JointId operator*() const { return JointId{i}; }
    It& operator++() {
      ++i;
      return *this;
    }
    bool operator!=(const It& o) const { return i != o.i; }
  };
  [[nodiscard]] It begin() const { return {0}; }
  [[nodiscard]] It end() const { return {n}; }
};
[[nodiscard]] inline JointRange Joints(const Model& model) {
  return {static_cast<std::uint32_t>(model.num_joints())};
}
/// All link ids; `Links` skips the world.
struct LinkRange {
  std::uint32_t first, n;
  struct It {
    std::uint32_t i;
    LinkId operator*() const { return LinkId{i}; }
    It& operator++() {
      ++i;
      return *this;
    }
    bool operator!=(const It& o) const { return i != o.i; }
  };
  [[nodiscard]] It begin() const { return {first}; }
  [[nodiscard]] It end() const { return {n}; }
};
[[nodiscard]] inline LinkRange Links(const Model& model) {
  return {1, static_cast<std::uint32_t>(model.num_links())};
}

}  // namespace kinemorph
