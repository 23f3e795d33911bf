#include "write/source_index.h"

#include <algorithm>

namespace kinemorph::mbs {

SourceIndex::SourceIndex(const Source* source, const Model& model)
    : source_(source), model_(model) {
  if (!source_) return;
  const auto add_points = [&](const std::string& body, const std::vector<FilePoint>& points) {
    for (const FilePoint& point : points) points_.emplace(body + "/" + point.name, point.p);
  };
  const auto refer = [&](const std::string& body, const std::string& point) {
    references_.insert(body + "/" + point);
  };
  add_points("base", source_->file.base_points);
  for (std::size_t i = 0; i < source_->file.bodies.size(); ++i) {
    const FileBody& body = source_->file.bodies[i];
    bodies_.emplace(body.name, i);
    add_points(body.name, body.points);
    refer(body.parent, body.parent_point);
  }
  for (const FileCut& cut : source_->file.cuts)
    for (const Endpoint& end : cut.ends) refer(end.body, end.point);
  for (const FileLink& link : source_->file.links)
    for (const Endpoint& end : link.ends) refer(end.body, end.point);
  const BuiltModel& built = source_->built;
  for (const JointId id : Joints(built.model)) joints_.emplace(built.model.joint(id).name, id);
  for (std::size_t c = 0; c < built.joint_of_cut.size(); ++c) {
    if (built.joint_of_cut[c] != kNoJoint)
      cuts_.emplace(built.model.joint(built.joint_of_cut[c]).name, c);
  }
}

std::size_t SourceIndex::BodyOfLink(const std::string& link) const {
  const auto found = bodies_.find(link);
  return found != bodies_.end() && source_->built.link_of_body[found->second] != kNoLink
             ? found->second
             : kNone;
}

// The same frames at the same links: names may have been mangled since, and a joint of another name
// is another one.
bool SourceIndex::IsSame(JointId id) const {
  const auto found = joints_.find(model_.joint(id).name);
  if (found == joints_.end()) return false;
  const Model& before = source_->built.model;
  return SameJoint(model_.joint(id), before.joint(found->second)) &&
         model_.link(model_.predecessor(id)).name ==
             before.link(before.predecessor(found->second)).name &&
         model_.link(model_.successor(id)).name ==
             before.link(before.successor(found->second)).name;
}

bool SourceIndex::IsSameChain(std::size_t body, const std::vector<JointId>& joints) const {
  if (body == kNone) return false;
  const std::vector<JointId>& before = source_->built.joints_of_body[body];
  return std::equal(
      joints.begin(), joints.end(), before.begin(), before.end(), [&](JointId now, JointId then) {
        return model_.joint(now).name == source_->built.model.joint(then).name && IsSame(now);
      });
}

std::size_t SourceIndex::CutOf(const std::string& loop_joint) const {
  const auto found = cuts_.find(loop_joint);
  return found == cuts_.end() ? kNone : found->second;
}

Vector3 SourceIndex::PointOf(const std::string& body, const std::string& point) const {
  const auto found = points_.find(body + "/" + point);
  return found == points_.end() ? Vector3(Vector3::Zero()) : found->second;
}

const Frame* SourceIndex::FrameOf(std::size_t body, const std::string& point) const {
  const auto found = source_->built.frame_of_point.find(std::to_string(body + 1) + "/" + point);
  return found == source_->built.frame_of_point.end() ? nullptr
                                                      : &source_->built.model.frames[found->second];
}

// Reading and lowering may turn a frame forth and back, which leaves a few roundings.
bool NearlyEqual(const RigidTransform& a, const RigidTransform& b) {
  return (a.R - b.R).cwiseAbs().maxCoeff() <= 1e-14 &&
         (a.p - b.p).cwiseAbs().maxCoeff() <= 1e-14 * std::max(1.0, a.p.norm());
}

namespace {

// What is not declared is independent in the tree and dependent on a loop.
bool IsIndependent(const Joint& joint) {
  return joint.independent.value_or(joint.role != JointRole::kLoop);
}

}  // namespace

bool SameJoint(const Joint& a, const Joint& b) {
  if (a.kind.index() != b.kind.index() || IsIndependent(a) != IsIndependent(b) ||
      a.axes.size() != b.axes.size())
    return false;
  if (!NearlyEqual(a.X_PF, b.X_PF) || !NearlyEqual(a.X_SM, b.X_SM)) return false;
  const std::vector<Vector3> axes_a = AxesOf(a.kind), axes_b = AxesOf(b.kind);
  for (std::size_t i = 0; i < axes_a.size(); ++i)
    if ((axes_a[i] - axes_b[i]).cwiseAbs().maxCoeff() > 1e-14) return false;
  for (std::size_t i = 0; i < a.axes.size(); ++i)
    if (a.axes[i].initial_position != b.axes[i].initial_position) return false;
  const Screw *screw_a = std::get_if<Screw>(&a.kind), *screw_b = std::get_if<Screw>(&b.kind);
  return !screw_a || screw_a->pitch == screw_b->pitch;
}

}  // namespace kinemorph::mbs
