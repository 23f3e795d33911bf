// One change on one side only, for every kind of content and every ordered pair of formats: noticed
// with its weight, in both orders, unless that side's format cannot hold it.

#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "native_xml.h"

namespace kinemorph::test {
namespace {

// A usual ROS robot: an open base without mass, a chassis, wheels, an arm and a finger.
constexpr const char* kRobot = R"(<robot name="rover">
  <link name="base_link"/>
  <link name="chassis">
    <inertial><origin xyz="0.01 0 0.02"/><mass value="5"/>
      <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size="0.6 0.4 0.1"/></geometry>
      <material name="red"><color rgba="0.8 0.1 0.1 1"/></material></visual>
    <visual><origin xyz="0 0 0.1"/><geometry><sphere radius="0.03"/></geometry></visual>
    <collision><geometry><box size="0.6 0.4 0.1"/></geometry></collision>
    <collision><origin xyz="0 0 0.1"/><geometry><sphere radius="0.03"/></geometry></collision>
  </link>
  <link name="wheel">
    <inertial><mass value="0.5"/><inertia ixx="0.002" iyy="0.003" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><cylinder radius="0.1" length="0.05"/></geometry></visual>
    <collision><geometry><cylinder radius="0.1" length="0.05"/></geometry></collision>
  </link>
  <link name="arm">
    <inertial><origin xyz="0 0 0.2"/><mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.003" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><box size="0.05 0.05 0.4"/></geometry></visual>
    <collision><origin xyz="0 0 0.2"/><geometry><box size="0.05 0.05 0.4"/></geometry></collision>
  </link>
  <link name="finger">
    <inertial><mass value="0.1"/><inertia ixx="0.0001" iyy="0.0002" izz="0.0003" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.02 0.02 0.05"/></geometry></collision>
  </link>
  <joint name="mount" type="fixed"><origin xyz="0 0 0.1"/><parent link="base_link"/><child link="chassis"/></joint>
  <joint name="axle" type="continuous"><origin xyz="0.2 0.25 0"/><parent link="chassis"/><child link="wheel"/><axis xyz="0 1 0"/></joint>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.05"/><parent link="chassis"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1.5" effort="20" velocity="3"/><dynamics damping="0.3" friction="0.1"/></joint>
  <joint name="slide" type="prismatic"><origin xyz="0 0 0.4"/><parent link="arm"/><child link="finger"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.04" effort="5" velocity="0.2"/></joint>
</robot>)";

struct Change {
  const char* what;
  Feature feature;  // where one side has no place for it, the verdict says so without the change
  Weight weight;
  std::function<void(Model&)> make;
};

// A format without massless links calls the chassis by the name of the base.
Link& LinkOf(Model& m, const std::string& name) {
  const auto link = m.FindLink(name);
  return m.link(link ? *link : m.FindLink("base_link").value());
}
Joint& JointOf(Model& m, const char* name) { return m.joint(m.FindJoint(name).value()); }
JointAxis& AxisOf(Model& m, const char* name) { return JointOf(m, name).axes.at(0); }

std::string FamilyOf(const Model& m) { return m.format == "urdf+" ? "urdf" : m.format; }

NativeData Native(const char* format, const char* element, const std::string& xml) {
  return {format, element, Tree(xml), {}};
}

// Content of one format only, by its family.
void AddTo(std::vector<NativeData>& list, const Model& m, const char* format, const char* element,
           const std::string& xml) {
  if (FamilyOf(m) == format) list.push_back(Native(format, element, xml));
}

const std::vector<Change>& Changes() {
  using enum Weight;
  static const std::vector<Change> kChanges = {
      {"mass of the base", Feature::kMasslessLink, kMotion,
       [](Model& m) { LinkOf(m, "chassis").inertial->mass = 500; }},
      {"centre of mass of the base", Feature::kMasslessLink, kMotion,
       [](Model& m) { LinkOf(m, "chassis").inertial->X_LI.p.x() += 3; }},
      {"mass of a link", Feature::kMasslessLink, kMotion,
       [](Model& m) { LinkOf(m, "arm").inertial->mass = 1.1; }},
      {"tensor of a link", Feature::kMasslessLink, kMotion,
       [](Model& m) { LinkOf(m, "arm").inertial->I_I *= 1.01; }},
      {"inertial removed", Feature::kMasslessLink, kMotion,
       [](Model& m) { LinkOf(m, "wheel").inertial.reset(); }},
      {"joint moved", Feature::kJointFrameOffset, kMotion,
       [](Model& m) { JointOf(m, "axle").X_PF.p.x() += 0.01; }},
      {"axis turned", Feature::kJointContinuous, kMotion,
       [](Model& m) { JointOf(m, "axle").kind = Revolute{Vector3(0, 0.6, 0.8)}; }},
      {"joint locked", Feature::kJointFixed, kMotion,
       [](Model& m) { JointOf(m, "axle").kind = Fixed{}, JointOf(m, "axle").axes.clear(); }},
      {"part falls off", Feature::kJointContinuous, kMotion,
       [](Model& m) {
         static_cast<void>(m.RemoveJoints([&](JointId j) { return m.joint(j).name == "axle"; }));
       }},
      {"lower limit", Feature::kPositionLimit, kMotion,
       [](Model& m) { AxisOf(m, "shoulder").lower = -0.5; }},
      {"limit removed", Feature::kPositionLimit, kMotion,
       [](Model& m) { AxisOf(m, "shoulder").lower.reset(), AxisOf(m, "shoulder").upper.reset(); }},
      {"damping", Feature::kDamping, kMotion,
       [](Model& m) { AxisOf(m, "shoulder").damping = 0.5; }},
      {"damping added", Feature::kDamping, kMotion,
       [](Model& m) { AxisOf(m, "axle").damping = 0.5; }},
      {"friction added", Feature::kFriction, kMotion,
       [](Model& m) { AxisOf(m, "axle").friction = 0.5; }},
      {"spring added", Feature::kSpring, kMotion,
       [](Model& m) { AxisOf(m, "axle").spring_stiffness = 2; }},
      {"armature added", Feature::kArmature, kMotion,
       [](Model& m) { AxisOf(m, "axle").armature = 0.2; }},
      {"effort limit", Feature::kEffortLimit, kInterface,
       [](Model& m) { AxisOf(m, "shoulder").effort = 30; }},
      {"velocity limit", Feature::kVelocityLimit, kInterface,
       [](Model& m) { AxisOf(m, "shoulder").velocity = 4; }},
      {"coupling added", Feature::kCouplingMimic, kMotion,
       [](Model& m) {
         Coupling c;
         c.form = m.format == "mjcf" ? CouplingForm::kPolynomial : CouplingForm::kMimic;
         c.name = "slide";
         c.terms = {{{*m.FindJoint("slide"), 0}, {1, 0, 0, 0}},
                    {{*m.FindJoint("shoulder"), 0}, {-0.01, 0, 0, 0}}};
         m.couplings.push_back(c);
       }},
      {"visual moved", Feature::kVisual, kLooks,
       [](Model& m) { LinkOf(m, "chassis").visuals.at(1).X_LG.p.z() = 1; }},
      {"visual removed", Feature::kVisual, kLooks,
       [](Model& m) { LinkOf(m, "chassis").visuals.pop_back(); }},
      {"visual added", Feature::kVisual, kLooks,
       [](Model& m) {
         Visual v;
         v.shape = Sphere{0.2};
         LinkOf(m, "arm").visuals.push_back(v);
       }},
      {"colour", Feature::kMaterialColor, kLooks,
       [](Model& m) {
         LinkOf(m, "chassis").visuals.at(0).material.emplace().diffuse = Rgba(0, 1, 0, 1);
       }},
      {"collision moved", Feature::kCollision, kMotion,
       [](Model& m) { LinkOf(m, "chassis").collisions.at(1).X_LG.p.z() = 1; }},
      {"collision resized", Feature::kCollision, kMotion,
       [](Model& m) { LinkOf(m, "chassis").collisions.at(1).shape = Sphere{0.04}; }},
      {"collision removed", Feature::kCollision, kMotion,
       [](Model& m) { LinkOf(m, "arm").collisions.clear(); }},
      {"surface friction", Feature::kSurfaceFriction, kMotion,
       [](Model& m) { LinkOf(m, "wheel").collisions.at(0).mu = 0.3; }},
      // An exclusion of a pair that never collides is no difference: a robot of Gazebo has none
      // that do.
      {"links collide", Feature::kSelfCollision, kMotion,
       [](Model& m) {
         if (m.format == "mjcf")
           for (const char* link : {"arm", "wheel"})
             LinkOf(m, link).collisions.at(0).contact_mask = ContactMask{1, 1};
         else if (!m.scopes.empty())
           m.scopes[0].self_collide = true;
       }},
      {"no gravity", Feature::kGravity, kMotion, [](Model& m) { m.gravity = Vector3::Zero(); }},
      {"gravity of the moon", Feature::kGravity, kMotion,
       [](Model& m) { m.gravity = Vector3(0, 0, -1.62); }},
      {"link without gravity", Feature::kLinkGravity, kMotion,
       [](Model& m) { LinkOf(m, "arm").gravity = false; }},
      {"static", Feature::kStaticModel, kMotion,
       [](Model& m) {
         if (!m.scopes.empty()) m.scopes[0].is_static = true;
       }},
      {"half the gravity of a link (gravcomp)", Feature::kCount, kMotion,
       [](Model& m) {
         AddTo(LinkOf(m, "arm").native, m, "mjcf", "body", "<body gravcomp=\"0.5\"/>");
       }},
      {"joint margin", Feature::kCount, kInterface,
       [](Model& m) {
         AddTo(JointOf(m, "shoulder").native, m, "mjcf", "joint", "<joint margin=\"0.1\"/>");
       }},
      {"solver reference of a contact", Feature::kCount, kMotion,
       [](Model& m) {
         AddTo(LinkOf(m, "wheel").collisions.at(0).native, m, "mjcf", "geom",
               "<geom solref=\"0.1 1\"/>");
       }},
      {"density of the medium", Feature::kCount, kMotion,
       [](Model& m) { AddTo(m.native, m, "mjcf", "option", "<option density=\"1.2\"/>"); }},
      {"contact switched off", Feature::kCount, kMotion,
       [](Model& m) { AddTo(m.native, m, "mjcf", "option/flag", "<flag contact=\"disable\"/>"); }},
      {"tendon spring", Feature::kCount, kMotion,
       [](Model& m) {
         AddTo(m.native, m, "mjcf", "tendon/fixed",
               "<fixed name=\"t\" stiffness=\"3\"><joint joint=\"shoulder\" coef=\"1\"/></fixed>");
       }},
      {"kinematic", Feature::kCount, kMotion,
       [](Model& m) {
         AddTo(LinkOf(m, "arm").native, m, "sdf", "kinematic", "<kinematic>true</kinematic>");
       }},
      {"velocity decay", Feature::kCount, kMotion,
       [](Model& m) {
         AddTo(LinkOf(m, "arm").native, m, "sdf", "velocity_decay",
               "<velocity_decay><linear>0.1</linear></velocity_decay>");
       }},
      {"stiffness of a contact", Feature::kCount, kInterface,
       [](Model& m) {
         AddTo(LinkOf(m, "wheel").collisions.at(0).native, m, "sdf", "surface",
               "<surface><contact><ode><kp>1000</kp></ode></contact></surface>");
       }},
      {"plugin", Feature::kCount, kMotion,
       [](Model& m) {
         if (!m.scopes.empty())
           AddTo(m.scopes[0].native, m, "sdf", "plugin",
                 "<plugin name=\"p\" filename=\"libthruster.so\"/>");
       }},
      {"sensor", Feature::kSensor, kInterface,
       [](Model& m) {
         Sensor s;
         s.name = "imu", s.link = *m.FindLink("arm");
         if (FamilyOf(m) == "sdf") {
           s.type = "imu";
           s.native = Native("sdf", "sensor", "<sensor name=\"imu\" type=\"imu\"/>");
           m.sensors.push_back(s);
         }
       }},
      {"frame", Feature::kFrame, kInterface,
       [](Model& m) {
         Frame f;
         f.name = "tool", f.link = *m.FindLink("arm"), f.X_LF.p.z() = 0.4;
         f.native_type = m.format == "mjcf" ? "site" : m.format == "mbs" ? "point" : "frame";
         if (m.format == "sdf" || m.format == "mjcf" || m.format == "mbs") m.frames.push_back(f);
       }},
  };
  return kChanges;
}

std::optional<Model> Reread(const Model& model) {
  const Target target = TargetNamed(model.format == "sdf" ? "sdf@1.11" : model.format);
  Diagnostics diagnostics;
  const Bundle bundle = target.format->write(model, target.options, diagnostics);
  if (bundle.text.empty()) return std::nullopt;
  return ReadText(bundle.text, "changed" + Extension(model.format), diagnostics);
}

// What the verdict names, but for what it names without the change.
using Named = std::set<std::pair<std::string, Weight>>;
Named NamedIn(const VerifyResult& result) {
  Named named;
  for (const VerifyCheck& check : result.checks)
    if (check.max_error > check.tolerance) named.emplace("differs: " + check.what, Weight::kMotion);
  for (const VerifyException& exception : result.exceptions)
    for (const Subject& subject : exception.subjects)
      named.emplace(std::string(FeatureName(exception.feature)) + " " + Text(subject),
                    exception.weight);
  return named;
}

class OneSided : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(OneSided, ChangesAreNoticedWithTheirWeightInBothOrders) {
  Diagnostics diagnostics;
  const auto in = [&](const std::string& format) -> std::optional<Model> {
    const std::optional<Model> robot = ReadText(kRobot, "rover.urdf", diagnostics);
    ConvertOptions options;
    options.target = TargetNamed(format);
    if (format.substr(0, 4) != "urdf") options.base = BaseChoice::kFixed;
    const auto converted = Convert(*robot, options, diagnostics);
    return converted ? ReadText(converted->text, "rover" + Extension(options.target.format->name),
                                diagnostics)
                     : std::nullopt;
  };
  const std::optional<Model> a = in(GetParam().first), b = in(GetParam().second);
  ASSERT_TRUE(a && b) << Rendered(diagnostics);
  VerifyOptions options;
  options.states = 2;
  const VerifyResult plain = VerifyEquivalent(*a, *b, options);
  ASSERT_NE(plain.verdict, Verdict::kDifferent) << plain.line;
  int made = 0, noticed = 0;
  for (const Change& change : Changes()) {
    Model changed = *b;
    try {
      change.make(changed);
    } catch (const std::exception&) {
      continue;  // nothing there to change
    }
    const std::optional<Model> reread = Reread(changed), unchanged = Reread(*b);
    ASSERT_TRUE(unchanged);
    if (!reread || VerifyEquivalent(*unchanged, *reread, options).verdict == Verdict::kEquivalent)
      continue;  // that format has no place for it
    for (const bool turned : {false, true}) {
      const VerifyResult before = turned ? VerifyEquivalent(*unchanged, *a, options)
                                         : VerifyEquivalent(*a, *unchanged, options);
      const VerifyResult after =
          turned ? VerifyEquivalent(*reread, *a, options) : VerifyEquivalent(*a, *reread, options);
      ++made;
      Named fresh;
      const Named was = NamedIn(before);
      Weight heaviest = Weight::kLooks;
      for (const auto& item : NamedIn(after))
        if (!was.contains(item)) fresh.insert(item), heaviest = std::max(heaviest, item.second);
      const bool no_place = std::any_of(before.exceptions.begin(), before.exceptions.end(),
                                        [&](const VerifyException& exception) {
                                          // What has no shapes touches nothing.
                                          return exception.feature == change.feature ||
                                                 (exception.feature == Feature::kCollision &&
                                                  change.feature == Feature::kSelfCollision);
                                        });
      const bool seen = no_place || (!fresh.empty() && heaviest >= change.weight);
      noticed += seen ? 1 : 0;
      EXPECT_TRUE(seen) << change.what << (turned ? " on A's side" : " on B's side") << " of "
                        << GetParam().first << " and " << GetParam().second << ": " << after.line;
    }
  }
  std::cout << "[ noticed  ] " << GetParam().first << " and " << GetParam().second << ": "
            << noticed << " of " << made << '\n';
  EXPECT_GE(made, 30);
}

std::vector<std::pair<std::string, std::string>> Pairs() {
  const std::vector<std::string> formats = {"urdf", "urdf+", "sdf@1.11", "mjcf", "mbs"};
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& a : formats)
    for (const std::string& b : formats)
      if (a != b) pairs.emplace_back(a, b);
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Pairs, OneSided, testing::ValuesIn(Pairs()), [](const auto& pair) {
  std::string name = pair.param.first + "_" + pair.param.second;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = c == '+' ? 'p' : '_';
  return name;
});

}  // namespace
}  // namespace kinemorph::test
