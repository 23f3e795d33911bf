// Where a MuJoCo model starts by convention: its key "home", or its only one.
#include "mjcf.h"
#include "xml_reader.h"

namespace kinemorph {
namespace {

// The qpos of that key; empty where no key is that one.
std::vector<double> HomeOf(const Model& model) {
  std::vector<std::vector<double>> all;
  for (const NativeData& data : model.native) {
    if (data.format != "mjcf" || data.element != "keyframe") continue;
    for (const NativeElement& key : data.content.children) {
      const std::string *const name = key.Attribute("name"), *const qpos = key.Attribute("qpos");
      if (key.name != "key" || qpos == nullptr) continue;
      all.push_back(xml::ParseNumbers(*qpos).value_or(std::vector<double>()));
      if (name != nullptr && *name == "home") return all.back();
    }
  }
  return all.size() == 1 ? all[0] : std::vector<double>();
}

}  // namespace

// Joint by joint, in the order of the file, each with all its coordinates; positions count from ref.
std::vector<std::pair<JointId, std::variant<double, RigidTransform>>> MjcfStart(
    const Model& model) {
  const std::vector<double> qpos = HomeOf(model);
  std::vector<std::pair<JointId, std::variant<double, RigidTransform>>> start;
  std::size_t at = 0;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.role == JointRole::kLoop) continue;
    const auto n = static_cast<std::size_t>(NumPositions(joint.kind));
    if (n == 1 && at < qpos.size() && joint.axes.size() == 1)
      start.emplace_back(id, qpos[at] - joint.axes[0].position_offset);
    if (std::holds_alternative<Free>(joint.kind) && at + n <= qpos.size()) {
      const double* const q = &qpos[at];  // x y z, and w x y z
      start.emplace_back(id, RigidTransform{RotationFromQuaternion(q[3], q[4], q[5], q[6]),
                                            Vector3(q[0], q[1], q[2])});
    }
    at += n;
  }
  if (at != qpos.size()) start.clear();
  return start;
}

}  // namespace kinemorph
