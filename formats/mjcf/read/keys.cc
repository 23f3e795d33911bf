// Keys of a keyframe that MuJoCo refuses, because they do not fit the model.
#include <algorithm>

#include "kinemorph/graph/model/subject.h"
#include "read/reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// Keyframes are kept as text, but they count the coordinates of the model: TurnKeys mends what
// MuJoCo's choice of frames changes, CheckKeys says what does not fit. Lists go joint by joint, in
// the order of the file: qpos of a free joint is x y z and a quaternion, w first; qvel its linear
// velocity in world axes and its angular velocity in axes of the body.

// The numbers of a list; none where it is missing or no list of numbers.
std::vector<double> NumbersOf(const NativeElement& key, const char* list) {
  const std::string* const text = key.Attribute(list);
  if (text == nullptr) return {};
  return xml::ParseNumbers(*text, 1'000'000).value_or(std::vector<double>());
}

// It may have a state of its own.
bool MayActivate(const Actuator& actuator) {
  for (const char* kind : {"intvelocity", "muscle", "cylinder", "dcmotor", "pid", "plugin"})
    if (actuator.type == kind) return true;
  for (const char* word : {"dyntype", "timeconst"})
    if (const std::string* const says = actuator.native.content.Attribute(word);
        says != nullptr && *says != "none" && *says != "0")
      return true;
  return false;
}

}  // namespace

// The state of an aligned body is that of its inertia's frame I; here of the drawn frame B.
void Reader::TurnState(const AlignedState& at, std::vector<double>& qpos,
                       std::vector<double>& qvel) const {
  const RigidTransform& X_BI = model_.link(at.body).inertial->X_LI;
  RigidTransform X_WI = X_WL_[Index(at.body)] * X_BI;  // where a key does not say
  if (qpos.size() >= at.q + 7) {
    double* const s = qpos.data() + at.q;
    if (Eigen::Vector4d(s + 3).norm() < kTiny) return;
    X_WI = {RotationFromQuaternion(s[3], s[4], s[5], s[6]), Vector3(s[0], s[1], s[2])};
    const RigidTransform X_WB = X_WI * X_BI.inverse();
    const Eigen::Vector4d quat = QuaternionFromRotation(X_WB.R);
    std::copy_n(X_WB.p.data(), 3, s);
    std::copy_n(quat.data(), 4, s + 3);
  }
  if (qvel.size() >= at.v + 6) {
    double* const s = qvel.data() + at.v;
    // The velocity of the origin in axes of the world, the turning in axes of the body.
    const Vector3 w_I(s[3], s[4], s[5]), w_B = X_BI.R * w_I;
    const Vector3 p_IB = X_WI.R * (X_BI.R.transpose() * -X_BI.p);
    const Vector3 v_B = Vector3(s[0], s[1], s[2]) + (X_WI.R * w_I).cross(p_IB);
    std::copy_n(v_B.data(), 3, s);
    std::copy_n(w_B.data(), 3, s + 3);
  }
}

// Positions of the numbers of aligned bodies in qpos and qvel, counted along all joints.
std::vector<Reader::AlignedState> Reader::AlignedStates() const {
  std::vector<AlignedState> states;
  std::size_t q = 0, v = 0;
  for (const JointId id : Joints(model_)) {
    const Joint& joint = model_.joint(id);
    if (joint.role == JointRole::kLoop) continue;
    if (aligned_.contains(model_.successor(id))) states.push_back({model_.successor(id), q, v});
    q += static_cast<std::size_t>(NumPositions(joint.kind));
    v += static_cast<std::size_t>(NumVelocities(joint.kind));
  }
  return states;
}

// Where MuJoCo looks for axes of the inertia itself nobody knows which it takes: then keys are not
// read.
void Reader::TurnKeys() {
  if (aligned_.empty()) return;
  const bool known = std::all_of(aligned_.begin(), aligned_.end(), [&](LinkId id) {
    return model_.link(id).inertial && weighed_in_axes_.contains(id);
  });
  const std::vector<AlignedState> states = known ? AlignedStates() : std::vector<AlignedState>();
  for (NativeData& native : model_.native) {
    if (native.format != "mjcf" || native.element != "keyframe") continue;
    if (!known) native.format.clear();
    ForEachIn(native.content, [&](NativeElement& key) {
      if (key.name != "key" || states.empty()) return;
      std::vector<double> qpos = NumbersOf(key, "qpos"), qvel = NumbersOf(key, "qvel");
      for (const AlignedState& state : states) TurnState(state, qpos, qvel);
      if (!qpos.empty()) SetAttribute(key.attributes, "qpos", xml::NumbersText(qpos));
      if (!qvel.empty()) SetAttribute(key.attributes, "qvel", xml::NumbersText(qvel));
    });
  }
}

void Reader::CheckKeys() {
  // What is not read has coordinates that nobody has counted.
  // After an error parts may be missing, and each of them would make a false message here.
  for (const Diagnostic& message : diagnostics_.items())
    if (message.code == "mjcf-flexcomp-unread" || message.severity == Severity::kError) return;
  std::size_t positions = 0, velocities = 0;
  for (const JointId id : Joints(model_)) {
    if (model_.joint(id).role == JointRole::kLoop) continue;
    positions += static_cast<std::size_t>(NumPositions(model_.joint(id).kind));
    velocities += static_cast<std::size_t>(NumVelocities(model_.joint(id).kind));
  }
  struct List {
    const char* attribute;
    std::size_t size;
  };
  std::vector<List> lists = {{"qpos", positions},
                             {"qvel", velocities},
                             {"ctrl", model_.actuators.size()},
                             {"mpos", 3 * mocap_.size()},
                             {"mquat", 4 * mocap_.size()}};
  // How many an actuator has hangs on its plugin; none has any where none moves by itself.
  if (std::none_of(model_.actuators.begin(), model_.actuators.end(), MayActivate))
    lists.push_back({"act", 0});
  for (const NativeData& native : model_.native) {
    if (native.format != "mjcf" || native.element != "keyframe") continue;
    ForEachIn(native.content, [&](const NativeElement& key) {
      const std::string* const name = key.Attribute("name");
      for (const List& list : lists) {
        const std::string* const text = key.Attribute(list.attribute);
        if (key.name != "key" || text == nullptr) continue;
        const std::size_t there = xml::SplitWords(*text).size();
        // A file of which another has the joints and actuators, or more of them, is a part.
        if (there == 0 || there == list.size || (list.size == 0 && positions == 0)) continue;
        const bool part = there > list.size;
        SourceLocation where = native.where;
        if (key.line > 0) where.line = key.line;
        diagnostics_.Add(
            MessageAt(model_, where, part ? Severity::kNote : Severity::kWarning, "key-size",
                      {"key", name == nullptr ? "" : *name,
                       std::string("its ") + list.attribute + " has " + std::to_string(there) +
                           " numbers, the model needs " + std::to_string(list.size) +
                           (part ? "; MuJoCo refuses the file, unless a larger one includes it"
                                 : "; MuJoCo before 4.0 refuses the file")}));
      }
    });
  }
}

}  // namespace kinemorph::mjcf
