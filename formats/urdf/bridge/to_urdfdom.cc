// A model as urdf::ModelInterface.
#include <map>

#include "kinemorph/formats/urdfdom_bridge.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/subject.h"

namespace kinemorph {
namespace {

// The way back: a model that a pass has made a tree of URDF becomes what urdfdom would have read.
// What has no place there is told of; what would break the tree is an error, because programs walk
// these pointers without looking.

::urdf::Vector3 ToVector(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

::urdf::Pose ToPose(const RigidTransform& X) {
  ::urdf::Pose pose;
  pose.position = ToVector(X.p);
  const Eigen::Vector4d q = QuaternionFromRotation(X.R);  // w x y z
  pose.rotation = ::urdf::Rotation(q[1], q[2], q[3], q[0]);
  return pose;
}

class Bridge {
 public:
  Bridge(const Model& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  ::urdf::ModelInterfaceSharedPtr Convert() {
    robot_ = std::make_shared<::urdf::ModelInterface>();
    robot_->name_ = model_.name;
    for (const JointId id : Joints(model_)) {
      if (IsWritten(id) && (model_.predecessor(id) == kWorld || model_.successor(id) == kWorld))
        world_ = true;
    }
    // The world is a link only where a joint leads from it.
    if (world_) AddLink(kWorld);
    for (const LinkId id : Links(model_)) AddLink(id);
    for (const JointId id : Joints(model_))
      if (IsWritten(id)) AddJoint(id);
    for (const Coupling& coupling : model_.couplings) AddCoupling(coupling);
    if (failed_) return nullptr;
    try {
      std::map<std::string, std::string> parents;
      // urdfdom links parents and children itself and throws where a name leads nowhere.
      robot_->initTree(parents);
      robot_->initRoot(parents);
    } catch (const ::urdf::ParseError& error) {
      Error("tree-broken", {}, {"robot", model_.name, error.what()});
      return nullptr;
    }
    // Links on a cycle have a parent, so the search for roots does not see them.
    std::size_t reached = 0;
    std::vector<::urdf::LinkConstSharedPtr> stack{robot_->getRoot()};
    while (!stack.empty()) {
      const ::urdf::LinkConstSharedPtr link = stack.back();
      stack.pop_back();
      if (++reached > robot_->links_.size()) break;
      stack.insert(stack.end(), link->child_links.begin(), link->child_links.end());
    }
    if (reached == robot_->links_.size()) return robot_;
    Error("tree-broken", {}, {"robot", model_.name, "its joints form a cycle"});
    return nullptr;
  }

 private:
  // The implicit free joint of the base is URDF's default; one that holds it stands for <static>.
  [[nodiscard]] bool IsWritten(JointId id) const {
    const Joint& joint = model_.joint(id);
    return joint.role != JointRole::kLoop && !(joint.implicit && model_.predecessor(id) == kWorld);
  }
  [[nodiscard]] std::string LinkName(LinkId id) const {
    return id == kWorld ? "world" : model_.link(id).name;
  }

  void Error(std::string code, SourceLocation where, Statement statement) {
    failed_ = true;
    diagnostics_.Add(
        MessageAt(model_, where, Severity::kError, std::move(code), std::move(statement)));
  }
  void Warn(std::string code, SourceLocation where, Statement statement) {
    diagnostics_.Add(
        MessageAt(model_, where, Severity::kWarning, std::move(code), std::move(statement)));
  }

  ::urdf::GeometrySharedPtr ToGeometry(const Shape& shape, const std::string& owner,
                                       SourceLocation where) {
    using Result = ::urdf::GeometrySharedPtr;
    const auto none = [&](const char* what) -> Result {
      Warn("not-in-urdfdom", where,
           {owner, "urdfdom has no " + std::string(what) + "; the shape is left out"});
      return nullptr;
    };
    return std::visit(Overloaded{[](const Box& s) -> Result {
                                   auto box = std::make_shared<::urdf::Box>();
                                   box->dim = ToVector(s.size);
                                   return box;
                                 },
                                 [](const Sphere& s) -> Result {
                                   auto sphere = std::make_shared<::urdf::Sphere>();
                                   sphere->radius = s.radius;
                                   return sphere;
                                 },
                                 [](const Cylinder& s) -> Result {
                                   auto cylinder = std::make_shared<::urdf::Cylinder>();
                                   cylinder->radius = s.radius;
                                   cylinder->length = s.length;
                                   return cylinder;
                                 },
                                 [&](const Mesh& s) -> Result {
                                   if (s.submesh) return none("submesh selection");
                                   auto mesh = std::make_shared<::urdf::Mesh>();
                                   mesh->filename = s.uri;
                                   mesh->scale = ToVector(s.scale);
                                   return mesh;
                                 },
                                 [&](const Capsule&) { return none("capsule"); },
                                 [&](const Cone&) { return none("cone"); },
                                 [&](const Ellipsoid&) { return none("ellipsoid"); },
                                 [&](const Plane&) { return none("plane"); },
                                 [&](const Polyline&) { return none("polyline"); },
                                 [&](const NativeShape&) { return none("shape of this type"); }},
                      shape);
  }

  ::urdf::MaterialSharedPtr ToMaterial(const Material& material) {
    auto result = std::make_shared<::urdf::Material>();
    result->name = material.name;
    if (material.texture) result->texture_filename = *material.texture;
    if (material.diffuse) {
      const Rgba& c = *material.diffuse;
      result->color.r = static_cast<float>(c[0]);
      result->color.g = static_cast<float>(c[1]);
      result->color.b = static_cast<float>(c[2]);
      result->color.a = static_cast<float>(c[3]);
    }
    if (material.name.empty()) return result;
    return robot_->materials_.emplace(material.name, result).first->second;
  }

  void AddLink(LinkId id) {
    const Link& link = model_.link(id);
    const std::string owner = About("link", LinkName(id));
    auto result = std::make_shared<::urdf::Link>();
    result->name = LinkName(id);
    if (link.inertial) {
      result->inertial = std::make_shared<::urdf::Inertial>();
      ::urdf::Inertial& inertial = *result->inertial;
      const Matrix3& I = link.inertial->I_I;
      inertial.origin = ToPose(link.inertial->X_LI);
      inertial.mass = link.inertial->mass;
      inertial.ixx = I(0, 0), inertial.ixy = I(0, 1), inertial.ixz = I(0, 2);
      inertial.iyy = I(1, 1), inertial.iyz = I(1, 2), inertial.izz = I(2, 2);
    }
    for (const Visual& visual : link.visuals) {
      auto v = std::make_shared<::urdf::Visual>();
      v->geometry = ToGeometry(visual.shape, owner, visual.where);
      if (!v->geometry) continue;
      v->name = visual.name;
      v->origin = ToPose(visual.X_LG);
      if (visual.material) {
        v->material_name = visual.material->name;
        v->material = ToMaterial(*visual.material);
      }
      result->visual_array.push_back(v);
    }
    for (const Collision& collision : link.collisions) {
      auto c = std::make_shared<::urdf::Collision>();
      c->geometry = ToGeometry(collision.shape, owner, collision.where);
      if (!c->geometry) continue;
      c->name = collision.name;
      c->origin = ToPose(collision.X_LG);
      result->collision_array.push_back(c);
    }
    // Older programs look at the first one alone.
    if (!result->visual_array.empty()) result->visual = result->visual_array.front();
    if (!result->collision_array.empty()) result->collision = result->collision_array.front();
    if (!robot_->links_.emplace(result->name, result).second)
      Error("name-duplicate", link.where, {owner, "the name is used already"});
  }

  void AddJoint(JointId id) {
    const Joint& joint = model_.joint(id);
    const std::string subject = About("joint", joint.name);
    auto result = std::make_shared<::urdf::Joint>();
    result->name = joint.name;
    result->parent_link_name = LinkName(model_.predecessor(id));
    result->child_link_name = LinkName(model_.successor(id));
    result->parent_to_joint_origin_transform = ToPose(joint.X_PF);
    result->type = std::visit(Overloaded{[](const Fixed&) { return ::urdf::Joint::FIXED; },
                                         [](const Prismatic&) { return ::urdf::Joint::PRISMATIC; },
                                         [](const Planar&) { return ::urdf::Joint::PLANAR; },
                                         [](const Free&) { return ::urdf::Joint::FLOATING; },
                                         [&](const Revolute&) {
                                           return joint.axes[0].lower || joint.axes[0].upper
                                                      ? ::urdf::Joint::REVOLUTE
                                                      : ::urdf::Joint::CONTINUOUS;
                                         },
                                         [](const Screw&) { return ::urdf::Joint::UNKNOWN; },
                                         [](const Universal&) { return ::urdf::Joint::UNKNOWN; },
                                         [](const Ball&) { return ::urdf::Joint::UNKNOWN; },
                                         [](const Cylindrical&) { return ::urdf::Joint::UNKNOWN; }},
                              joint.kind);
    if (result->type == ::urdf::Joint::UNKNOWN) {
      Error("joint-type-not-lowered", joint.where,
            {subject, "urdfdom has no joint of kind '" + std::string(KindName(joint.kind)) + "'"});
    }
    if (!joint.X_SM.IsNearIdentity(1e-12)) {
      Error("joint-frame-not-lowered", joint.where,
            {subject, "its frame is not the frame of link '" + result->child_link_name +
                          "', as URDF demands"});
    }
    const std::vector<Vector3> axes = AxesOf(joint.kind);
    if (!axes.empty()) result->axis = ToVector(axes[0]);
    if (NumVelocities(joint.kind) == 1) FillAxis(joint.axes[0], *result);
    const auto parent = [&] { return parent_of_.emplace(result->child_link_name, joint.name); }();
    if (!parent.second) {
      Error("link-two-parents", joint.where,
            {subject, "leads to link '" + result->child_link_name + "', as joint '" +
                          parent.first->second + "' does"});
    }
    if (!robot_->joints_.emplace(joint.name, result).second)
      Error("name-duplicate", joint.where, {subject, "the name is used already"});
  }

  static void FillAxis(const JointAxis& axis, ::urdf::Joint& joint) {
    // As in a file: <limit> belongs to all joints of one coordinate but continuous ones, which may
    // have it.
    if (joint.type != ::urdf::Joint::CONTINUOUS || axis.effort || axis.velocity) {
      joint.limits = std::make_shared<::urdf::JointLimits>();
      if (joint.type != ::urdf::Joint::CONTINUOUS) {
        joint.limits->lower = axis.lower.value_or(-FormatLimits::kNone);
        joint.limits->upper = axis.upper.value_or(FormatLimits::kNone);
      }
      joint.limits->effort = axis.effort.value_or(FormatLimits::kNone);
      joint.limits->velocity = axis.velocity.value_or(FormatLimits::kNone);
    }
    if (axis.damping || axis.friction) {
      joint.dynamics = std::make_shared<::urdf::JointDynamics>();
      joint.dynamics->damping = axis.damping.value_or(0);
      joint.dynamics->friction = axis.friction.value_or(0);
    }
    if (axis.safety) {
      joint.safety = std::make_shared<::urdf::JointSafety>();
      joint.safety->soft_lower_limit = axis.safety->soft_lower.value_or(0);
      joint.safety->soft_upper_limit = axis.safety->soft_upper.value_or(0);
      joint.safety->k_position = axis.safety->k_position.value_or(0);
      joint.safety->k_velocity = axis.safety->k_velocity.value_or(0);
    }
    if (axis.calibration) {
      joint.calibration = std::make_shared<::urdf::JointCalibration>();
      joint.calibration->reference_position = axis.calibration->reference_position.value_or(0);
      if (axis.calibration->rising)
        joint.calibration->rising = std::make_shared<double>(*axis.calibration->rising);
      if (axis.calibration->falling)
        joint.calibration->falling = std::make_shared<double>(*axis.calibration->falling);
    }
  }

  void AddCoupling(const Coupling& coupling) {
    const auto follower =
        coupling.terms.empty()
            ? robot_->joints_.end()
            : robot_->joints_.find(model_.joint(coupling.terms[0].coordinate.joint).name);
    if (coupling.form != CouplingForm::kMimic || coupling.terms.size() != 2 ||
        follower == robot_->joints_.end()) {
      Warn("not-in-urdfdom", coupling.where,
           {"coupling", coupling.name,
            "urdfdom has no coupling beside mimic; kinemorph leaves it out"});
      return;
    }
    auto mimic = std::make_shared<::urdf::JointMimic>();
    // c0 q_follower + c1 q_leader = constant, solved for the follower.
    const double c0 = coupling.terms[0].coefficients[0];
    mimic->joint_name = model_.joint(coupling.terms[1].coordinate.joint).name;
    mimic->multiplier = -coupling.terms[1].coefficients[0] / c0;
    mimic->offset = coupling.constant / c0;
    follower->second->mimic = mimic;
  }

 public:
  void WarnOfLoops() {
    for (const JointId id : Joints(model_)) {
      const Joint& joint = model_.joint(id);
      if (joint.role == JointRole::kLoop)
        Warn("not-in-urdfdom", joint.where,
             {"loop", joint.name, "urdfdom has no loops; kinemorph leaves it out"});
    }
  }

 private:
  const Model& model_;
  Diagnostics& diagnostics_;
  ::urdf::ModelInterfaceSharedPtr robot_;
  std::map<std::string, std::string> parent_of_;
  bool world_ = false, failed_ = false;
};

}  // namespace

::urdf::ModelInterfaceSharedPtr ToUrdfdom(const Model& model, Diagnostics& diagnostics) {
  Bridge bridge(model, diagnostics);
  bridge.WarnOfLoops();
  return bridge.Convert();
}

}  // namespace kinemorph
