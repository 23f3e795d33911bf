// A urdf::ModelInterface as a model.
#include <cmath>
#include <unordered_map>

#include "kinemorph/formats/urdfdom_bridge.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph {
namespace {

// A robot that urdfdom has read already, node by node. What its parser leaves out (<gazebo>,
// transmissions, lines of the file) is not here; its numbers are in the same units and frames as
// the text's. The tree is walked from the root, so that links come parents first.

Vector3 FromVector(const ::urdf::Vector3& v) { return {v.x, v.y, v.z}; }

RigidTransform FromPose(const ::urdf::Pose& pose) {
  const ::urdf::Rotation& q = pose.rotation;
  return {RotationFromQuaternion(q.w, q.x, q.y, q.z), FromVector(pose.position)};
}

// 1e16 and more stand for "no limit" in files whose readers demand a number.
std::optional<double> Finite(double limit) {
  return std::abs(limit) >= FormatLimits::kNone ? std::nullopt : std::optional<double>(limit);
}

std::optional<Shape> FromGeometry(const ::urdf::GeometrySharedPtr& geometry) {
  if (const auto box = std::dynamic_pointer_cast<::urdf::Box>(geometry))
    return Box{FromVector(box->dim)};
  if (const auto sphere = std::dynamic_pointer_cast<::urdf::Sphere>(geometry))
    return Sphere{sphere->radius};
  if (const auto cylinder = std::dynamic_pointer_cast<::urdf::Cylinder>(geometry))
    return Cylinder{cylinder->radius, cylinder->length};
  if (const auto mesh = std::dynamic_pointer_cast<::urdf::Mesh>(geometry)) {
    Mesh result;
    result.uri = mesh->filename;
    result.scale = FromVector(mesh->scale);
    return result;
  }
  return std::nullopt;
}

Material FromMaterial(const ::urdf::Material& material) {
  Material result;
  result.name = material.name;
  const ::urdf::Color& c = material.color;
  result.diffuse = Rgba(c.r, c.g, c.b, c.a);
  if (!material.texture_filename.empty()) result.texture = material.texture_filename;
  return result;
}

class Importer {
 public:
  Importer(const ::urdf::ModelInterface& robot, Diagnostics& diagnostics)
      : robot_(robot), diagnostics_(diagnostics) {}

  std::optional<Model> Convert() {
    model_.name = robot_.getName();
    model_.format = "urdf";
    Scope scope;
    scope.name = model_.name;
    model_.scopes.push_back(std::move(scope));
    const ::urdf::LinkConstSharedPtr root = robot_.getRoot();
    if (!root) {
      Error("tree-broken", {"robot", model_.name, "has no root link"});
      return std::nullopt;
    }
    // Depth-first preorder without recursion; a second visit would be a cycle or a second parent.
    std::vector<::urdf::LinkConstSharedPtr> stack{root};
    std::vector<::urdf::JointSharedPtr> joints;
    while (!stack.empty()) {
      const ::urdf::LinkConstSharedPtr link = stack.back();
      stack.pop_back();
      if (links_.count(link->name)) {
        Error("tree-broken", {"link", link->name, "is reached twice in the tree"});
        return std::nullopt;
      }
      AddLink(*link);
      joints.insert(joints.end(), link->child_joints.begin(), link->child_joints.end());
      stack.insert(stack.end(), link->child_links.rbegin(), link->child_links.rend());
    }
    for (const ::urdf::JointSharedPtr& joint : joints) AddJoint(*joint);
    for (const ::urdf::JointSharedPtr& joint : joints)
      if (joint->mimic) AddMimic(*joint);
    if (links_.size() != robot_.links_.size())
      Error("tree-broken", {"robot", model_.name, "some links are not connected to the root"});
    return failed_ ? std::nullopt : std::optional<Model>(std::move(model_));
  }

 private:
  void Error(std::string code, Statement statement) {
    failed_ = true;
    diagnostics_.Add(
        MakeDiagnostic(Severity::kError, std::move(code), "", 0, "", std::move(statement)));
  }

  void AddLink(const ::urdf::Link& source) {
    Link link;
    link.name = source.name;
    link.scope = ScopeId{0};
    if (source.inertial) {
      const ::urdf::Inertial& from = *source.inertial;
      Inertial inertial;
      inertial.mass = from.mass;
      inertial.X_LI = FromPose(from.origin);
      inertial.I_I << from.ixx, from.ixy, from.ixz, from.ixy, from.iyy, from.iyz, from.ixz,
          from.iyz, from.izz;
      link.inertial = std::move(inertial);
    }
    for (const ::urdf::VisualSharedPtr& from : source.visual_array) {
      const auto shape = FromGeometry(from->geometry);
      if (!shape) continue;
      Visual visual;
      visual.name = from->name;
      visual.X_LG = FromPose(from->origin);
      visual.shape = *shape;
      if (from->material) visual.material = FromMaterial(*from->material);
      link.visuals.push_back(std::move(visual));
    }
    for (const ::urdf::CollisionSharedPtr& from : source.collision_array) {
      const auto shape = FromGeometry(from->geometry);
      if (!shape) continue;
      Collision collision;
      collision.name = from->name;
      collision.X_LG = FromPose(from->origin);
      collision.shape = *shape;
      link.collisions.push_back(std::move(collision));
    }
    links_.emplace(source.name, model_.AddLink(std::move(link)));
  }

  void AddJoint(const ::urdf::Joint& source) {
    Joint joint;
    joint.name = source.name;
    joint.role = JointRole::kTree;
    joint.scope = ScopeId{0};
    joint.X_PF = FromPose(source.parent_to_joint_origin_transform);
    const Vector3 given = FromVector(source.axis);
    const double norm = given.norm();
    // urdfdom fills the axis of every joint, be it used or not.
    const bool needs_axis =
        source.type != ::urdf::Joint::FIXED && source.type != ::urdf::Joint::FLOATING;
    if (needs_axis && !(norm > 1e-12)) {
      Error("zero-axis", {"joint", source.name, "its axis is zero and gives no direction"});
      return;
    }
    const Vector3 axis =
        needs_axis && std::abs(given.squaredNorm() - 1) > 1e-15 ? Vector3(given / norm) : given;
    switch (source.type) {
      case ::urdf::Joint::FIXED:
        joint.kind = Fixed{};
        joint.native_type = "fixed";
        break;
      case ::urdf::Joint::FLOATING:
        joint.kind = Free{};
        joint.native_type = "floating";
        break;
      case ::urdf::Joint::REVOLUTE:
        joint.kind = Revolute{axis};
        joint.native_type = "revolute";
        break;
      case ::urdf::Joint::CONTINUOUS:
        joint.kind = Revolute{axis};
        joint.native_type = "continuous";
        break;
      case ::urdf::Joint::PRISMATIC:
        joint.kind = Prismatic{axis};
        joint.native_type = "prismatic";
        break;
      case ::urdf::Joint::PLANAR:
        joint.kind = Planar{axis};
        joint.native_type = "planar";
        break;
      case ::urdf::Joint::UNKNOWN:
        Error("joint-type-unknown", {"joint", source.name, "has no known type"});
        return;
    }
    joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
    if (NumVelocities(joint.kind) == 1) FillAxis(source, joint.axes[0]);
    const auto parent = links_.find(source.parent_link_name),
               child = links_.find(source.child_link_name);
    if (parent == links_.end() || child == links_.end()) {
      Error("tree-broken", {"joint", source.name, "joins links that the robot does not have"});
      return;
    }
    joints_.emplace(source.name, model_.AddJoint(parent->second, child->second, std::move(joint)));
  }

  static void FillAxis(const ::urdf::Joint& source, JointAxis& axis) {
    if (source.limits) {
      if (source.type != ::urdf::Joint::CONTINUOUS) {
        axis.lower = Finite(source.limits->lower);
        axis.upper = Finite(source.limits->upper);
      }
      axis.effort = Finite(source.limits->effort);
      axis.velocity = Finite(source.limits->velocity);
    }
    if (source.dynamics) {
      axis.damping = source.dynamics->damping;
      axis.friction = source.dynamics->friction;
    }
    if (source.safety) {
      axis.safety = Safety{source.safety->soft_lower_limit, source.safety->soft_upper_limit,
                           source.safety->k_position, source.safety->k_velocity};
    }
    if (source.calibration) {
      Calibration calibration;
      // urdfdom has pointers for what may be absent, but a plain number for the reference, where 0
      // is absence.
      if (source.calibration->rising) calibration.rising = *source.calibration->rising;
      if (source.calibration->falling) calibration.falling = *source.calibration->falling;
      if (source.calibration->reference_position != 0)
        calibration.reference_position = source.calibration->reference_position;
      axis.calibration = calibration;
    }
  }

  void AddMimic(const ::urdf::Joint& source) {
    const auto follower = joints_.find(source.name),
               leader = joints_.find(source.mimic->joint_name);
    if (leader == joints_.end() || follower == joints_.end() || leader == follower) {
      Error("mimic-undefined", {"joint", source.name,
                                "mimics joint '" + source.mimic->joint_name +
                                    "', which is not another joint of the robot"});
      return;
    }
    Coupling coupling;
    coupling.name = source.name;
    coupling.form = CouplingForm::kMimic;
    coupling.native_type = "mimic";
    // The row q_follower - multiplier q_leader = offset.
    coupling.terms = {{{follower->second, 0}, {1, 0, 0, 0}},
                      {{leader->second, 0}, {-source.mimic->multiplier, 0, 0, 0}}};
    coupling.constant = source.mimic->offset;
    model_.couplings.push_back(std::move(coupling));
  }

  const ::urdf::ModelInterface& robot_;
  Diagnostics& diagnostics_;
  Model model_;
  std::unordered_map<std::string, LinkId> links_;
  std::unordered_map<std::string, JointId> joints_;
  bool failed_ = false;
};

}  // namespace

std::optional<Model> FromUrdfdom(const ::urdf::ModelInterface& robot, Diagnostics& diagnostics) {
  return Importer(robot, diagnostics).Convert();
}

}  // namespace kinemorph
