// What a page shows of a robot.
#include <Eigen/Eigenvalues>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gateway/pose_numbers.h"
#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/views.h"

namespace kinemorph {
namespace {

// For a viewer that computes nothing: poses as matrices of 16 numbers, row by row (frames on links,
// in m), links and joints by index, the world as link 0. Shapes are told field by field from the
// table of fields, so that a new shape or number needs nothing here.
using Json = nlohmann::ordered_json;

Json ValueJson(double number) { return number; }
Json ValueJson(const std::string& text) { return text; }
template <int kSize>
Json ValueJson(const Eigen::Matrix<double, kSize, 1>& vector) {
  return std::vector<double>(vector.begin(), vector.end());
}
template <std::same_as<bool> Flag>
Json ValueJson(Flag flag) {
  return flag;
}
template <class Item>
Json ValueJson(const std::vector<Item>& items) {
  Json json = Json::array();
  for (const Item& item : items) json.push_back(ValueJson(item));
  return json;
}
template <class Value>
Json ValueJson(const std::optional<Value>& value) {
  return ValueJson(*value);
}

// What may be absent only where it says something.
Json ShapeJson(const Shape& shape) {
  Json json = {{"type", kShapeNames[shape.index()]}};
  std::visit(
      [&]<class Kind>(const Kind& kind) {
        ForEachField<Kind>([&]<class Value>(const Field<Kind, Value>& field) {
          if (Says(kind, field) || (!kMayBeAbsent<Value> && !field.words.empty()))
            json[std::string(field.key)] = ValueJson(kind.*field.member);
        });
      },
      shape);
  return json;
}

Json VisualJson(const Visual& visual) {
  Json json = {{"name", visual.name},
               {"pose", PoseNumbers(visual.X_LG)},
               {"shape", ShapeJson(visual.shape)}};
  if (!visual.material) return json;
  // The diffuse colour is what a lamp shows; SDFormat's may be absent beside an ambient one.
  const std::optional<Rgba>& color =
      visual.material->diffuse ? visual.material->diffuse : visual.material->ambient;
  if (color)
    json["color"] = {color->x(), color->y(), color->z(),
                     color->w() * (1 - visual.transparency.value_or(0))};
  if (visual.material->texture) json["texture"] = *visual.material->texture;
  return json;
}

// The solid ellipsoid of even density that turns as the link does: null where there is none.
Json EllipsoidJson(const Inertial& inertial) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> axes(inertial.I_I);
  const Vector3& moments = axes.eigenvalues();
  // Of a solid ellipsoid with half axes a, b, c, I_xx = m (b^2 + c^2) / 5, hence a^2 = 5 (I_yy +
  // I_zz - I_xx) / (2 m). A tensor that breaks the triangle has no such body.
  Vector3 radii;
  for (int i = 0; i < 3; ++i) {
    const double square = 2.5 * (moments.sum() - 2 * moments[i]) / inertial.mass;
    if (!(square >= 0) || !std::isfinite(square)) return nullptr;
    radii[i] = std::sqrt(square);
  }
  // Axes of an eigenvalue problem may be left-handed, which is no rotation.
  Matrix3 R = axes.eigenvectors();
  if (R.determinant() < 0) R.col(0) *= -1;
  return {{"pose", PoseNumbers(inertial.X_LI * RigidTransform::Rotation(R))},
          {"radii", ValueJson(radii)}};
}

Json LinkJson(const Link& link) {
  Json json = {{"name", link.name}, {"synthetic", link.synthetic}, {"line", link.where.line}};
  if (link.inertial)
    json["inertial"] = {{"mass", link.inertial->mass},
                        {"center_of_mass", ValueJson(link.inertial->X_LI.p)},
                        {"ellipsoid", EllipsoidJson(*link.inertial)}};
  json["visuals"] = Json::array(), json["collisions"] = Json::array();
  for (const Visual& visual : link.visuals) json["visuals"].push_back(VisualJson(visual));
  for (const Collision& collision : link.collisions)
    json["collisions"].push_back({{"name", collision.name},
                                  {"pose", PoseNumbers(collision.X_LG)},
                                  {"shape", ShapeJson(collision.shape)}});
  return json;
}

// Both frames of the joint, X_PF and X_SM: at zero they coincide in a tree joint, and in a loop
// joint that is drawn closed.
Json JointJson(const Model& model, JointId id, bool loop) {
  const Joint& joint = model.joint(id);
  Json json = {{"name", joint.name},
               {"type", KindName(joint.kind)},
               {"predecessor", Index(model.predecessor(id))},
               {"successor", Index(model.successor(id))},
               {"loop", loop},
               {"line", joint.where.line},
               {"pose_on_predecessor", PoseNumbers(joint.X_PF)},
               {"pose_on_successor", PoseNumbers(joint.X_SM)}};
  json["axes"] = Json::array();
  for (const Vector3& axis : AxesOf(joint.kind)) json["axes"].push_back(ValueJson(axis));
  return json;
}

}  // namespace

std::string SceneJson(const Model& model) {
  const SpanningTree tree = ChooseSpanningTree(model);
  std::vector<bool> loop(model.num_joints(), false);
  for (const JointId id : tree.loop_joints) loop[Index(id)] = true;
  Json json = {{"name", model.name}, {"format", model.format}};
  json["links"] = Json::array(), json["joints"] = Json::array();
  for (std::uint32_t v = 0; v < model.num_links(); ++v)
    json["links"].push_back(LinkJson(model.link(LinkId{v})));
  for (const JointId id : Joints(model))
    json["joints"].push_back(JointJson(model, id, loop[Index(id)]));
  json["frames"] = Json::array();
  for (const Frame& frame : model.frames)
    json["frames"].push_back(
        {{"name", frame.name}, {"link", Index(frame.link)}, {"pose", PoseNumbers(frame.X_LF)}});
  return PrintableJson(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace kinemorph
