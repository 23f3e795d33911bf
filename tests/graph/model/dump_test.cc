// The canonical text: readable, and different for models that differ anywhere.
#include <gtest/gtest.h>

#include <functional>

#include "graph/full_model.h"
#include "graph/small_graph.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {
namespace {

using test::FullModel;

TEST(DumpModel, ReadsLikeThis) {
  Model model;
  model.name = "arm \"one\"";
  model.format = "urdf+";
  Link base, arm;
  base.name = "base";
  arm.name = "arm";
  Inertial inertial;
  inertial.mass = 1.5;
  inertial.X_LI = {RotationFromRpy({0, 0.1, 0}), {0, 0, 0.25}};
  inertial.I_I = Vector3(0.01, 0.02, 0.03).asDiagonal();
  arm.inertial = inertial;
  Visual visual;
  visual.name = "skin";
  visual.shape = Cylinder{0.05, 0.5};
  arm.visuals = {visual};
  const LinkId p = model.AddLink(base), s = model.AddLink(arm);
  Joint joint;
  joint.name = "elbow";
  joint.kind = Revolute{Vector3::UnitY()};
  joint.role = JointRole::kTree;
  joint.native_type = "revolute";
  joint.X_PF.p = {0.1, 0, -0.0};
  joint.axes.resize(1);
  joint.axes[0].lower = -1;
  joint.axes[0].effort = 20;
  const JointId elbow = model.AddJoint(p, s, joint);
  model.couplings.emplace_back();
  model.couplings[0].form = CouplingForm::kMimic;
  model.couplings[0].terms = {{{elbow, 0}, {1, 0, 0, 0}}, {{elbow, 0}, {-2, 0, 0.5, 0}}};
  EXPECT_EQ(DumpModel(model), R"(model "arm \"one\""
  format "urdf+"
link "base"
link "arm"
  mass 1.5
    frame 0 0 0.25 rpy 0 0.1 0
    xx 0.01 yy 0.02 zz 0.03 xy 0 xz 0 yz 0
  visual "skin"
    frame 0 0 0
    cylinder radius 0.05 length 0.5
joint "elbow" "base" -> "arm"
  revolute axis 0 1 0
  tree
  native-type "revolute"
  on-predecessor 0.1 0 0
  coordinate 0
    lower -1
    effort 20
coupling "" mimic
  term "elbow" 0: 1
  term "elbow" 0: -2 0 0.5
)");
}

TEST(DumpModel, FilesAndLinesDoNotMatter) {
  Model model = FullModel();
  const std::string before = DumpModel(model);
  model.files = {"elsewhere.sdf"};
  model.joint(JointId{1}).where = {0, 999};
  model.link(LinkId{1}).where = {0, 999};
  EXPECT_EQ(DumpModel(model), before);
  EXPECT_EQ(before.find("999"), std::string::npos);
  EXPECT_EQ(before.find("full.sdf"), std::string::npos);
}

TEST(DumpModel, EveryFieldMatters) {
  const std::string before = DumpModel(FullModel());
  const auto elbow = [](Model& m) -> Joint& { return m.joint(JointId{1}); };
  const auto axis = [&](Model& m) -> JointAxis& { return m.joint(JointId{1}).axes[0]; };
  const auto base = [](Model& m) -> Link& { return m.link(LinkId{1}); };
  using Change = std::function<void(Model&)>;
  const std::vector<Change> changes{
      [](Model& m) { m.name = "x"; },
      [](Model& m) { m.format = "x"; },
      [](Model& m) { m.format_version = "x"; },
      [](Model& m) { m.gravity->z() = 1; },
      [](Model& m) { m.native[0].element = "x"; },
      [](Model& m) { m.scopes[1].name = "x"; },
      [](Model& m) { m.scopes[1].X_WM.p.x() = 1; },
      [](Model& m) { m.scopes[1].is_static = false; },
      [](Model& m) { m.scopes[0].is_world = false; },
      [](Model& m) { m.scopes[2].parent = ScopeId{0}; },
      [](Model& m) { m.scopes[1].canonical_link = LinkId{2}; },
      [](Model& m) { m.scopes[1].native.clear(); },
      [&](Model& m) { base(m).name = "x"; },
      [&](Model& m) { base(m).scope = ScopeId{0}; },
      [&](Model& m) { base(m).synthetic = true; },
      [&](Model& m) { base(m).native.clear(); },
      [&](Model& m) { base(m).inertial.reset(); },
      [&](Model& m) { base(m).inertial->mass = 3; },
      [&](Model& m) { base(m).inertial->X_LI.p.z() = 1; },
      [&](Model& m) { base(m).inertial->X_LI.R.setIdentity(); },
      [&](Model& m) { base(m).inertial->I_I(0, 0) = 9; },
      [&](Model& m) { base(m).inertial->I_I(1, 2) = 9; },
      [&](Model& m) { base(m).inertial->I_I(0, 2) = 9; },
      [&](Model& m) { base(m).inertial->I_I(0, 1) = 9; },
      [&](Model& m) { base(m).inertial->native.clear(); },
      [&](Model& m) { base(m).visuals[0].name = "x"; },
      [&](Model& m) { base(m).visuals[0].X_LG.p.x() = 1; },
      [&](Model& m) { base(m).visuals[0].shape = Box{}; },
      [&](Model& m) { base(m).visuals[1].material->name = "x"; },
      [&](Model& m) { base(m).visuals[1].material->diffuse->x() = 0; },
      [&](Model& m) { base(m).visuals[1].material->ambient.reset(); },
      [&](Model& m) { base(m).visuals[1].material->specular.reset(); },
      [&](Model& m) { base(m).visuals[1].material->emissive.reset(); },
      [&](Model& m) { base(m).visuals[1].material->texture = "x"; },
      [&](Model& m) { base(m).visuals[1].material->native.clear(); },
      [&](Model& m) { base(m).visuals[1].transparency = 1; },
      [&](Model& m) { base(m).visuals[1].native.clear(); },
      [&](Model& m) { std::get<Mesh>(base(m).visuals[7].shape).uri = "x"; },
      [&](Model& m) { std::get<Mesh>(base(m).visuals[7].shape).scale.setOnes(); },
      [&](Model& m) { std::get<Mesh>(base(m).visuals[7].shape).submesh.reset(); },
      [&](Model& m) { std::get<Mesh>(base(m).visuals[7].shape).center_submesh = false; },
      [&](Model& m) { std::get<Mesh>(base(m).visuals[7].shape).name = "x"; },
      [&](Model& m) { std::get<Polyline>(base(m).visuals[8].shape).polylines[0][1].x() = 7; },
      [&](Model& m) { std::get<Polyline>(base(m).visuals[8].shape).height = 7; },
      [&](Model& m) { std::get<Plane>(base(m).visuals[6].shape).size.x() = 7; },
      [&](Model& m) { std::get<NativeShape>(base(m).visuals[9].shape).type = "x"; },
      [&](Model& m) { base(m).collisions[0].name = "x"; },
      [&](Model& m) { base(m).collisions[0].X_LG.R.setIdentity(); },
      [&](Model& m) { base(m).collisions[0].mu = 1; },
      [&](Model& m) { base(m).collisions[0].mu2 = 1; },
      [&](Model& m) { base(m).collisions[0].torsional = 1; },
      [&](Model& m) { base(m).collisions[0].rolling = 1; },
      [&](Model& m) { base(m).collisions[0].native.clear(); },
      [&](Model& m) { elbow(m).name = "x"; },
      [&](Model& m) { elbow(m).kind = Revolute{}; },
      [&](Model& m) { elbow(m).kind = Prismatic{Vector3::UnitY()}; },
      [](Model& m) { std::get<Screw>(m.joint(JointId{4}).kind).pitch = 1; },
      [&](Model& m) { elbow(m).role = JointRole::kLoop; },
      [&](Model& m) { elbow(m).role = JointRole::kUndecided; },
      [&](Model& m) { elbow(m).X_PF.p.x() = 1; },
      [&](Model& m) { elbow(m).X_PF.R.setIdentity(); },
      [&](Model& m) { elbow(m).X_SM.p.x() = 1; },
      [&](Model& m) { elbow(m).independent = false; },
      [&](Model& m) { elbow(m).independent.reset(); },
      [&](Model& m) { elbow(m).commanded = false; },
      [&](Model& m) { elbow(m).cut_hint = false; },
      [&](Model& m) { elbow(m).implicit = true; },
      [&](Model& m) { elbow(m).native_type = "x"; },
      [&](Model& m) { elbow(m).scope = ScopeId{0}; },
      [&](Model& m) { elbow(m).native.clear(); },
      [](Model& m) {
        m.Reconnect([&](JointId id) { return std::pair{m.successor(id), m.predecessor(id)}; });
      },
      [&](Model& m) { axis(m).lower.reset(); },
      [&](Model& m) { axis(m).upper = 9; },
      [&](Model& m) { axis(m).effort = 9; },
      [&](Model& m) { axis(m).effort_lower = 9; },
      [&](Model& m) { axis(m).velocity = 9; },
      [&](Model& m) { axis(m).acceleration = 9; },
      [&](Model& m) { axis(m).deceleration = 9; },
      [&](Model& m) { axis(m).jerk = 9; },
      [&](Model& m) { axis(m).damping = 9; },
      [&](Model& m) { axis(m).friction = 9; },
      [&](Model& m) { axis(m).spring_stiffness = 9; },
      [&](Model& m) { axis(m).spring_reference = 9; },
      [&](Model& m) { axis(m).armature = 9; },
      [&](Model& m) { axis(m).limit_stiffness = 9; },
      [&](Model& m) { axis(m).limit_dissipation = 9; },
      [&](Model& m) { axis(m).position_offset = 9; },
      [&](Model& m) { axis(m).initial_position = 9; },
      [&](Model& m) { axis(m).safety->soft_lower = 9; },
      [&](Model& m) { axis(m).safety->soft_upper = 9; },
      [&](Model& m) { axis(m).safety->k_position = 9; },
      [&](Model& m) { axis(m).safety->k_velocity = 9; },
      [&](Model& m) { axis(m).safety.reset(); },
      [&](Model& m) { axis(m).calibration->rising = 9; },
      [&](Model& m) { axis(m).calibration->falling = 9; },
      [&](Model& m) { axis(m).calibration->reference_position = 9; },
      [](Model& m) { m.couplings[0].name = "x"; },
      [](Model& m) { m.couplings[0].form = CouplingForm::kTendon; },
      [](Model& m) { m.couplings[0].native_type = "x"; },
      [](Model& m) { m.couplings[0].terms[0].coordinate.joint = JointId{3}; },
      [](Model& m) { m.couplings[0].terms[0].coordinate.axis = 1; },
      [](Model& m) { m.couplings[0].terms[1].coefficients[3] = 1; },
      [](Model& m) { m.couplings[0].constant = 1; },
      [](Model& m) { m.couplings[1].predecessor = LinkId{5}; },
      [](Model& m) { m.couplings[1].successor = LinkId{5}; },
      [](Model& m) { m.couplings[1].reference = LinkId{5}; },
      [](Model& m) { m.couplings[1].ratio = 5; },
      [](Model& m) { m.couplings[3].native.clear(); },
      [](Model& m) { m.frames[0].name = "x"; },
      [](Model& m) { m.frames[0].link = kWorld; },
      [](Model& m) { m.frames[0].X_LF.p.x() = 1; },
      [](Model& m) { m.frames[0].native_type = "x"; },
      [](Model& m) { m.frames[0].scope = ScopeId{0}; },
      [](Model& m) { m.frames[0].native.clear(); },
      [](Model& m) { m.sensors[0].name = "x"; },
      [](Model& m) { m.sensors[0].type = "x"; },
      [](Model& m) { m.sensors[0].link = LinkId{1}; },
      [](Model& m) { m.sensors[0].X_LS.p.x() = 9; },
      [](Model& m) { m.sensors[1].joint = JointId{2}; },
      [](Model& m) { m.actuators[0].name = "x"; },
      [](Model& m) { m.actuators[0].type = "x"; },
      [](Model& m) { m.actuators[0].joint = JointId{2}; },
      [](Model& m) { m.actuators[0].gear = 9; },
      [](Model& m) { m.actuators[0].effort_lower = 9; },
      [](Model& m) { m.actuators[0].effort_upper = 9; },
      [](Model& m) { m.contact_exclusions[0].b = LinkId{5}; },
      [](Model& m) {
        m.contact_pairs.push_back({LinkId{1}, LinkId{2}, {}});
      },
      [](Model& m) { m.scopes[1].self_collide = false; },
      [](Model& m) { m.link(LinkId{1}).self_collide = false; },
      [](Model& m) { m.link(LinkId{1}).inertial->unknown.clear(); },
      [](Model& m) {
        m.link(LinkId{1}).collisions[0].contact_mask = ContactMask{1, 2};
      }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Model changed = FullModel();
    changes[i](changed);
    EXPECT_NE(DumpModel(changed), before) << "change " << i << " does not show";
  }
}

}  // namespace
}  // namespace kinemorph
