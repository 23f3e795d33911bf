#include "read/build_model.h"

#include <algorithm>

#include "kinemorph/graph/model/model_dump.h"
#include "read/model_builder.h"
#include "shapes.h"
#include "xml_writer.h"

namespace kinemorph::mbs {

// The order of the steps is that of their needs: copies are known before bodies are folded, links
// before joints, joints before the couplings that name them.
BuiltModel ModelBuilder::Build() {
  out_.model.scopes.emplace_back();
  out_.model.scopes[0].name = file_.name;
  IndexNames();
  OrderBodies();
  ResolveCuts();
  FindCopies();
  FoldBodies();
  AddLinks();
  AddTreeJoints();
  AddCuts();
  AddPoints();
  AddUserData();
  ForgetIdleNatures();
  return std::move(out_);
}

// Exactly zero in every number: the editor writes no zeros, and a mass of 1e-9 is a mass.
bool ModelBuilder::IsMassless(const FileBody& body) const {
  const FileInertia none;
  const FileInertia I = body.inertia.value_or(none);
  return body.mass.value_or(0) == 0 && body.com.value_or(Vector3::Zero()).isZero(0) && I.xx == 0 &&
         I.xy == 0 && I.xz == 0 && I.yy == 0 && I.yz == 0 && I.zz == 0;
}

// A massless leaf that only serves one solid cut: its joints are the loop joint's.
bool ModelBuilder::IsCopy(std::size_t i) {
  if (i == kBase || has_child_[i + 1] || cuts_at_[i] != 1) return false;
  const FileBody& body = file_.bodies[i];
  if (!IsMassless(body) || !body.graphics.shapes.empty() || body.joints.empty()) return false;
  // Its points serve the cut only: any other has something to say.
  return std::all_of(body.points.begin(), body.points.end(), [&](const FilePoint& point) {
    return point.sensor.empty() && point.extforce.empty() &&
           used_points_.Has(std::to_string(i + 1) + "/" + point.name);
  });
}

void ModelBuilder::FindCopies() {
  is_copy_.assign(file_.bodies.size(), false);
  copies_.resize(file_.cuts.size());
  out_.copy_of_cut.assign(file_.cuts.size(), BuiltModel::kNoBody);
  for (std::size_t c = 0; c < file_.cuts.size(); ++c) {
    if (file_.cuts[c].kind != CutKind::kSolid || !cuts_[c].known) continue;
    // Either end of the cut may be the copy. A chain that is no joint of one kind leaves the body
    // as a link of its own.
    for (const std::size_t body : cuts_[c].body) {
      if (!IsCopy(body)) continue;
      copies_[c] =
          FoldToOneJoint(file_.bodies[body].joints, anchor_[body], data_, file_.cuts[c].name);
      if (!copies_[c]) continue;
      out_.copy_of_cut[c] = body;
      is_copy_[body] = true;
      break;
    }
  }
}

void ModelBuilder::FoldBodies() {
  folded_.resize(file_.bodies.size());
  for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
    const FileBody& body = file_.bodies[i];
    for (const FileJoint& joint : body.joints) {
      // A driven joint whose <symbols> hold qd or qdd (or which has none) is meant to be moved by
      // user code, which no file holds.
      if (joint.nature != Nature::kDriven ||
          (joint.symbols && !joint.symbol_qd && !joint.symbol_qdd))
        continue;
      Warn(
          "driven-joint-frozen", joint.where,
          {"",
           joint.name,
           "user code may move this driven joint; kinemorph holds the joint at its initial value " +
               FormatNumber(joint.q),
           {{"value", joint.q}}});
    }
    if (!is_copy_[i]) folded_[i] = FoldChain(body.name, body.joints, anchor_[i], data_);
  }
}

void ModelBuilder::AddLinks() {
  Model& model = out_.model;
  out_.link_of_body.assign(file_.bodies.size(), kNoLink);
  between_.resize(file_.bodies.size());
  for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
    if (is_copy_[i]) continue;
    const FileBody& body = file_.bodies[i];

    // Between two joints of one body the model needs a link; it is `synthetic`, and the writer
    // folds it back.
    for (std::size_t j = 0; j + 1 < folded_[i].size(); ++j) {
      Link link;
      link.name = link_names_.Take(folded_[i][j].name + "_link");
      link.synthetic = true;
      link.scope = ScopeId{0};
      between_[i].push_back(model.AddLink(std::move(link)));
    }
    Link link;
    link.name = body.name;
    link.scope = ScopeId{0};
    link.where = body.where;
    if (body.mass || body.com || body.inertia) link.inertial = ReadInertial(body);
    for (const FileShape& shape : body.graphics.shapes) link.visuals.push_back(ToVisual(shape));
    out_.link_of_body[i] = model.AddLink(std::move(link));
  }
  for (const FileShape& shape : file_.base_graphics.shapes)
    model.link(kWorld).visuals.push_back(ToVisual(shape));
}

Inertial ModelBuilder::ReadInertial(const FileBody& body) {
  Inertial inertial;
  inertial.mass = body.mass.value_or(0);
  inertial.X_LI.p = body.com.value_or(Vector3::Zero());
  const FileInertia I = body.inertia.value_or(FileInertia{});
  // Robotran's tensor is about the centre of mass, axes of the body: as the model has it.
  inertial.I_I << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  inertial.where = body.where;
  return inertial;
}

void ModelBuilder::AddTreeJoints() {
  out_.joints_of_body.resize(file_.bodies.size());
  for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
    LinkId from = LinkOf(parent_[i]);
    for (std::size_t j = 0; j < folded_[i].size(); ++j) {
      const LinkId to = j < between_[i].size() ? between_[i][j] : out_.link_of_body[i];
      const JointId id = out_.model.AddJoint(from, to, ToJoint(folded_[i][j], JointRole::kTree));
      out_.joints_of_body[i].push_back(id);
      Remember(folded_[i][j], id);
      from = to;
    }
  }
}

Joint ModelBuilder::ToJoint(const FoldedJoint& folded, JointRole role) {
  Joint joint;
  joint.name = folded.name;
  joint.kind = folded.kind;
  joint.role = role;
  joint.X_PF = folded.X_PF;
  joint.X_SM = folded.X_SM;
  joint.independent = folded.independent;
  joint.where = folded.where;
  joint.scope = ScopeId{0};
  joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
  for (std::size_t i = 0; i < std::min(joint.axes.size(), folded.initial.size()); ++i) {
    if (folded.initial[i] != 0) joint.axes[i].initial_position = folded.initial[i];
  }
  // Initial velocities and forces on joints have no field; they stay as elements of the format.
  for (const FileJoint* source : folded.joints) {
    if (!source->extforce.empty())
      joint.native.push_back({"mbs", "extforce", source->extforce, source->where});
    if (source->qd == 0 && source->qdd == 0) continue;
    NativeElement initial{.name = "initialvalue"};
    initial.Add("joint", source->name);
    initial.Add("qd", FormatNumber(source->qd));
    initial.Add("qdd", FormatNumber(source->qdd));
    joint.native.push_back({"mbs", "initialvalue", std::move(initial), source->where});
  }
  // The numbers of user_models, for joints of any kind. What of them is not understood is told.
  if (const auto found = data_.find(joint.name); found != data_.end()) {
    TellUnread(*found->second.source, ApplyJointData(*found->second.source, joint));
    ours_.Add(found->second.source->name);
  }
  return joint;
}

// Where the file's joints went, for couplings and actuators.
void ModelBuilder::Remember(const FoldedJoint& folded, JointId id) {
  // Coordinates of ball and free joints are no scalars of the model: couplings cannot name them.
  const bool scalar =
      !std::holds_alternative<Free>(folded.kind) && !std::holds_alternative<Ball>(folded.kind);
  for (std::size_t axis = 0; axis < folded.joints.size(); ++axis) {
    if (scalar) coordinates_[folded.joints[axis]->name] = {id, static_cast<int>(axis)};
    if (!folded.joints[axis]->actuated) continue;
    Actuator actuator;
    actuator.name = folded.joints[axis]->name;
    actuator.type = "actuated";
    actuator.kind = DriveKind::kEffort;
    actuator.joint = id;
    if (const auto data = data_.find(folded.name); data != data_.end())
      actuator.gear = data->second.gear;
    actuator.where = folded.joints[axis]->where;
    out_.model.actuators.push_back(std::move(actuator));
  }
}

// Points nobody refers to are frames; those that carry a sensor are that sensor.
void ModelBuilder::AddPoints() {
  // Points are named within their body, frames within the model: a name that is unique stays,
  // others get the body's name before them.
  std::unordered_map<std::string, int> times;
  ForEachFramePoint([&](std::size_t, const FilePoint& point) { ++times[point.name]; });
  UniqueNames frames;
  ForEachFramePoint([&](std::size_t body, const FilePoint& point) {
    Frame frame;
    const bool plain = times[point.name] == 1 && point.name != "origin" &&
                       !link_names_.Has(point.name) && !joint_names_.Has(point.name);
    const std::string owner = body == kBase ? "base" : file_.bodies[body].name;
    frame.name = frames.Take(plain ? point.name : owner + "_" + point.name);
    frame.link = LinkOf(body);
    frame.X_LF.p = point.p;
    frame.native_type = "point";
    frame.scope = ScopeId{0};
    frame.where = point.where;
    if (!point.extforce.empty())
      frame.native.push_back({"mbs", "extforce", point.extforce, point.where});
    out_.frame_of_point.emplace(std::to_string(body + 1) + "/" + point.name,
                                out_.model.frames.size());
    out_.model.frames.push_back(std::move(frame));
  });
  AddSensors(kBase, file_.base_points);
  for (std::size_t i = 0; i < file_.bodies.size(); ++i) AddSensors(i, file_.bodies[i].points);
}

void ModelBuilder::AddSensors(std::size_t body, const std::vector<FilePoint>& points) {
  for (const FilePoint& point : points) {
    if (point.sensor.empty()) continue;
    Sensor sensor;
    sensor.name = point.sensor_name;
    sensor.type = "kinematic";
    sensor.link = LinkOf(body);
    sensor.X_LS.p = point.p;
    sensor.native = {"mbs", "sensor", point.sensor, point.where};
    sensor.where = point.where;
    out_.model.sensors.push_back(std::move(sensor));
  }
}

BuiltModel BuildModel(const MbsFile& file, const xml::Context& context) {
  BuiltModel built = ModelBuilder(file, context).Build();
  built.model.name = file.name;
  built.model.format = "mbs";
  built.model.unsaid = UnsaidIndependence::kNothing;
  built.model.format_version = file.version;
  built.model.gravity = file.gravity;
  return built;
}

}  // namespace kinemorph::mbs
