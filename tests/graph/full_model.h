// A model that uses every field of every struct once, for tests that something is complete.
#pragma once

#include "kinemorph/graph/model/model.h"

namespace kinemorph::test {

inline Model FullModel() {
  Model model;
  model.name = "full";
  model.format = "sdf";
  model.format_version = "1.9";
  model.files = {"full.sdf"};
  model.gravity = Vector3(0, 0, -9.81);
  const NativeData plugin{"sdf", "plugin", {.name = "plugin"}, {0, 3}};
  model.native = {plugin};
  Scope world, robot, hand;
  world.name = "lab", world.is_world = true;
  robot.name = "robot", robot.parent = ScopeId{0}, robot.X_WM.p = {0, 0, 1}, robot.is_static = true,
  robot.native = {plugin};
  robot.self_collide = true;
  hand.name = "hand", hand.parent = ScopeId{1};
  model.scopes = {world, robot, hand};

  Material paint;
  paint.name = "paint";
  paint.diffuse = Rgba(1, 0, 0, 1);
  paint.ambient = Rgba(0.5, 0, 0, 1);
  paint.specular = Rgba(0, 0, 0.1, 1);
  paint.emissive = Rgba(0, 0.1, 0, 1);
  paint.texture = "wood.png";
  paint.native = {plugin};
  const std::vector<Shape> shapes{
      Box{{1, 2, 3}},
      Sphere{0.5},
      Cylinder{0.1, 0.2},
      Capsule{0.1, 0.2},
      Cone{0.1, 0.2},
      Ellipsoid{{1, 2, 3}},
      Plane{{0, 0, 1}, {4, 5}},
      Mesh{"part.stl", {1, 1, 2}, "lid", true, "part"},
      Polyline{{{{0, 0}, {1, 0}, {0, 1}}}, 0.3},
      NativeShape{"heightmap", {"sdf", "heightmap", {.name = "heightmap"}, {}}}};
  Link base;
  base.name = "base", base.scope = ScopeId{1}, base.native = {plugin}, base.where = {0, 10};
  base.gravity = false;
  Inertial inertial;
  inertial.mass = 2;
  inertial.X_LI = {RotationFromRpy({0.1, 0.2, 0.3}), {0.01, 0, 0}};
  inertial.I_I << 1, 0.01, 0.02, 0.01, 1.1, 0.03, 0.02, 0.03, 1.2;
  inertial.native = {plugin};
  inertial.unknown = "mesh 'part.stl' was not found";
  base.inertial = inertial;
  base.gravity = false;
  base.self_collide = true;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Visual visual;
    visual.name = i == 0 ? "" : "v" + std::to_string(i);
    visual.shape = shapes[i];
    visual.X_LG.p = {0, 0, 0.1};
    base.visuals.push_back(visual);
  }
  base.visuals[1].material = paint;
  base.visuals[1].transparency = 0.25;
  base.visuals[1].native = {plugin};
  Collision collision;
  collision.name = "hull", collision.shape = Box{}, collision.X_LG.R = RotationFromRpy({0, 0, 1}),
  collision.native = {plugin};
  collision.mu = 0.8, collision.mu2 = 0.7, collision.torsional = 0.01, collision.rolling = 0.001;
  collision.contact_mask = ContactMask{1, 2};
  base.collisions = {collision};
  const LinkId base_id = model.AddLink(base);
  std::vector<LinkId> links;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "knee", "ghost", "stray"}) {
    Link link;
    link.name = name;
    link.scope = ScopeId{2};
    link.where = {0, 20};
    links.push_back(model.AddLink(link));
  }
  model.link(links[10]).synthetic = true;
  Inertial impossible;
  impossible.mass = 1;
  impossible.I_I = Vector3(1, 1, 5).asDiagonal();
  model.link(links[1]).inertial = impossible;
  model.scopes[1].canonical_link = base_id;

  std::uint32_t line = 30;
  const auto joint = [&](const char* name, JointKind kind, LinkId p, LinkId s,
                         JointRole role = JointRole::kTree) {
    Joint made;
    made.name = name, made.kind = kind, made.role = role, made.scope = ScopeId{1},
    made.where = {0, line++};
    return model.AddJoint(p, s, made);
  };
  joint("anchor", Fixed{}, kWorld, base_id);
  const JointId elbow = joint("elbow", Revolute{Vector3::UnitY()}, base_id, links[0]);
  const JointId spin = joint("spin", Revolute{}, base_id, links[1]);
  joint("slide", Prismatic{}, base_id, links[2]);
  joint("nut", Screw{Vector3::UnitX(), 0.002}, base_id, links[3]);
  joint("cross", Universal{}, base_id, links[4]);
  joint("hip", Ball{}, base_id, links[5]);
  joint("puck", Planar{}, base_id, links[6]);
  joint("rod", Cylindrical{}, base_id, links[7]);
  joint("flight", Free{}, base_id, links[8]);
  joint("knee", Revolute{}, links[9], base_id);  // against the tree; shares a link's name
  joint("ghost_joint", Fixed{}, base_id, links[10]);
  joint("base_motion", Free{}, kWorld, links[11]);
  const std::vector<JointKind> loop_kinds{Fixed{},     Revolute{}, Prismatic{}, Screw{},
                                          Universal{}, Ball{},     Planar{},    Cylindrical{}};
  for (std::size_t i = 0; i < loop_kinds.size(); ++i)
    joint(("loop" + std::to_string(i)).c_str(), loop_kinds[i], links[i], links[i + 1],
          JointRole::kLoop);
  const JointId ground = joint("ground", Revolute{}, base_id, links[0], JointRole::kLoop);
  model.joint(ground).axes[0].upper = 1;

  Joint& j = model.joint(elbow);
  j.X_PF = {RotationFromRpy({0, 0.5, 0}), {0.1, 0, 0}};
  j.X_SM.p = {0, 0, 0.2};
  j.independent = true;
  j.commanded = true;
  j.cut_hint = true;
  j.native_type = "revolute";
  j.native = {plugin};
  JointAxis& a = j.axes[0];
  a.lower = -1, a.upper = 2, a.effort = 10, a.effort_lower = -8, a.velocity = 3, a.acceleration = 4,
  a.deceleration = 5, a.jerk = 6;
  a.damping = 0.1, a.friction = 0.2, a.spring_stiffness = 7, a.spring_reference = 0.3,
  a.armature = 0.01;
  a.limit_stiffness = 1000, a.limit_dissipation = 1, a.position_offset = 0.4,
  a.initial_position = 0.5;
  a.safety = Safety{-0.9, 1.9, 100, 10};
  a.calibration = Calibration{0.1, 0.2, 0.3};
  model.joint(spin).implicit = true;
  model.joint(spin).independent = false;
  model.joint(JointId{3}).axes[0].lower = 0;

  const auto coupling = [&](const char* name, CouplingForm form) {
    Coupling made;
    made.name = name, made.form = form, made.native_type = "type", made.where = {0, line++};
    made.terms = {{{elbow, 0}, {1, 0, 0, 0}}, {{spin, 0}, {-2, 0, 0, 0}}};
    return made;
  };
  model.couplings = {
      coupling("follow", CouplingForm::kMimic),  coupling("belt", CouplingForm::kRatio),
      coupling("gears", CouplingForm::kGearbox), coupling("curve", CouplingForm::kPolynomial),
      coupling("tendon", CouplingForm::kTendon), coupling("user", CouplingForm::kUser)};
  model.couplings[1].predecessor = links[0];
  model.couplings[1].successor = links[1];
  model.couplings[1].reference = base_id;
  model.couplings[1].ratio = 6;
  model.couplings[3].terms[1].coefficients = {-2, 0, 3, 0};
  model.couplings[3].constant = 0.25;
  model.couplings[3].native = {plugin};

  model.frames = {{"tip",
                   links[0],
                   RigidTransform::Translation({0, 0, 1}),
                   "site",
                   ScopeId{1},
                   {plugin},
                   {0, 80}},
                  {"__reserved__", kWorld, {}, "frame", kNoScope, {}, {0, 81}}};
  Sensor camera, encoder;
  camera.name = "eye", camera.type = "camera", camera.kind = SensorKind::kCamera;
  camera.link = links[0], camera.X_LS.p = {1, 0, 0};
  camera.update_rate = 30, camera.angular_noise = 0.01, camera.noise = 0.02;
  camera.fov = 0.8, camera.width = 640, camera.height = 480, camera.range = 20;
  camera.orientation = SensedTurn::kFromWorld, camera.axes = SensorAxes::kChild;
  camera.on_parent = true;
  encoder.name = "encoder", encoder.type = "force_torque", encoder.joint = elbow;
  model.sensors = {camera, encoder};
  Actuator motor;
  motor.name = "motor", motor.type = "position", motor.joint = elbow, motor.gear = 50,
  motor.effort_lower = -1, motor.effort_upper = 1;
  Actuator servo = motor, plain = motor;
  servo.name = "servo", servo.kind = DriveKind::kPosition;
  servo.stiffness = 30, servo.damping = 2, servo.target = 0.5;
  servo.control_lower = -1, servo.control_upper = 1;
  plain.name = "plain", plain.type = "motor", plain.kind = DriveKind::kEffort;
  model.actuators = {servo, motor, plain};
  model.contact_exclusions = {{links[0], links[1], {0, 90}, "apart"}};
  model.contact_pairs = {{links[0], links[2], {0, 91}}};
  return model;
}

}  // namespace kinemorph::test
