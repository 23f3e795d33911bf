// Numbers that no robot has, in every field of the model that holds one, to every target: what is
// written is read again, and what is not written is refused as a fault of the source.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "conversion.h"
#include "convert_text.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/checks/validate.h"
#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph::test {
namespace {

using Visit = std::function<void(const std::string& what, double& number)>;

// Visits every number of a model, each under a name of its own. Of a pose the rotation stays one.
class Numbers {
 public:
  explicit Numbers(Visit visit) : visit_(std::move(visit)) {}

  // Parts of a link are elements of their own, and so is a material.
  template <class Item>
  void operator()(Item& item, const Element& element) {
    if constexpr (HasFields<Item> && !std::same_as<Item, Link>)
      Fields(std::string(Name(element.kind)), item);
  }

 private:
  template <bool kIsShape = false, class Owner>
  void Fields(const std::string& name, Owner& owner) {
    ForEachField<Owner>([&](const auto& field) {
      // Only a scalar coordinate of the tree counts from elsewhere; a normal stays a direction.
      if ((field.feature == Feature::kPositionOffset && !scalar_) || field.key == "normal") return;
      const bool size =
          kIsShape && (field.range == Range::kMagnitude || std::same_as<Owner, Plane>);
      One((size ? "size of " : "") + name + " " + std::string(field.key), owner.*field.member);
    });
  }
  template <class Value>
  void One(const std::string& what, Value& value) {
    if constexpr (std::same_as<Value, double>) {
      visit_(what, value);
    } else if constexpr (std::same_as<Value, RigidTransform>) {
      One(what, value.p);
    } else if constexpr (std::same_as<Value, Matrix3>) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j) visit_(what, value(i, j)), value(j, i) = value(i, j);
    } else if constexpr (std::same_as<Value, Shape>) {
      std::visit([&](auto& shape) { this->template Fields<true>(what, shape); }, value);
    } else if constexpr (std::same_as<Value, JointKind>) {
      scalar_ = NumVelocities(value) == 1;
      if (auto* screw = std::get_if<Screw>(&value)) visit_(what, screw->pitch);
    } else if constexpr (std::same_as<Value, JointRole>) {
      scalar_ = scalar_ && value != JointRole::kLoop;
    } else if constexpr (std::same_as<Value, Material>) {
    } else if constexpr (HasFields<Value>) {
      Fields(what, value);
    } else if constexpr (requires { value.has_value(); }) {
      if (value) One(what, *value);
    } else if constexpr (requires { value.reshaped(); }) {
      for (double& number : value.reshaped()) visit_(what, number);
    } else if constexpr (requires { value.begin(); }) {
      for (auto& each : value) One(what, each);
    }
  }

  Visit visit_;
  bool scalar_ = false;  // the joint that is visited
};

void ForEachNumber(Model& model, Visit visit) { ForEachElement(model, Numbers(std::move(visit))); }

constexpr const char* kUrdf = R"(<robot name="r" version="1.1">
  <link name="a"><inertial><mass value="1"/><origin xyz="0.1 0 0"/>
    <inertia ixx="1" iyy="1.1" izz="1.2" ixy="0.01" ixz="0.02" iyz="0.03"/></inertial>
    <visual><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry>
      <material name="m"><color rgba="1 0 0 0.5"/></material></visual>
    <visual><geometry><mesh filename="m.stl" scale="1 1 2"/></geometry></visual>
    <collision><geometry><cylinder radius="1" length="2"/></geometry></collision>
    <collision><geometry><capsule radius="1" length="2"/></geometry></collision>
    <collision><geometry><sphere radius="1"/></geometry></collision></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
  <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
  <link name="d"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
  <joint name="j" type="revolute"><origin xyz="0.1 0 0"/><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="5" velocity="2" acceleration="3" deceleration="4" jerk="6"/>
    <dynamics damping="0.1" friction="0.2"/><safety_controller soft_lower_limit="-0.9"
    soft_upper_limit="0.9" k_position="3" k_velocity="4"/><calibration rising="0.1"/></joint>
  <joint name="k" type="continuous"><origin xyz="1 0 0"/><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
    </joint>
  <joint name="l" type="prismatic"><parent link="a"/><child link="d"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="5" velocity="2"/><mimic joint="j" multiplier="2" offset="0.1"/></joint>
</robot>)";

constexpr const char* kSdf = R"(<sdf version="1.11"><model name="m"><pose>0 0 1 0 0 0</pose>
  <link name="a"><inertial><mass>1</mass></inertial>
    <visual name="v"><transparency>0.25</transparency><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry>
      <material><diffuse>1 0 0 1</diffuse><specular>0 0 1 1</specular><emissive>0 1 0 1</emissive></material></visual>
    <visual name="w"><geometry><cone><radius>1</radius><length>2</length></cone></geometry></visual>
    <visual name="x"><geometry><polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>1</height>
      </polyline></geometry></visual>
    <collision name="c"><geometry><plane><normal>0 0 1</normal><size>1 2</size></plane></geometry>
      <surface><friction><ode><mu>0.5</mu><mu2>0.6</mu2></ode><torsional><coefficient>0.1</coefficient></torsional>
      </friction></surface></collision></link>
  <link name="b"/><link name="c"/>
  <frame name="f" attached_to="b"><pose>0 0 1 0 0 0</pose></frame>
  <joint name="j" type="revolute"><pose>0 0 1 0 0 0</pose><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>
    <limit><lower>-1</lower><upper>1</upper><stiffness>10</stiffness><dissipation>2</dissipation></limit>
    <dynamics><damping>1</damping><friction>2</friction><spring_stiffness>3</spring_stiffness>
    <spring_reference>0.1</spring_reference></dynamics></axis></joint>
  <joint name="k" type="screw"><parent>b</parent><child>c</child><screw_thread_pitch>0.1</screw_thread_pitch>
    <axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="l" type="ball"><must_be_loop_joint>true</must_be_loop_joint><parent>a</parent><child>c</child></joint>
</model></sdf>)";

constexpr const char* kMjcf =
    R"(<mujoco model="m"><option gravity="0 0 -9.81"/><worldbody><body name="a">
  <joint name="j" ref="0.1" armature="0.1" damping="1" stiffness="2" springref="0.1" frictionloss="0.1"
    range="-1 1" limited="true" actuatorfrcrange="-2 3" actuatorfrclimited="true"/><geom size="1" mass="1"/>
  <body name="b" pos="1 0 0"><joint name="k"/><geom size="1" friction="1 0.1 0.01"/><site name="s" pos="0 0 1"/></body>
  <body name="c" pos="0 1 0"><joint type="ball"/><geom type="box" size="1 2 3"/></body></body></worldbody>
  <equality><joint joint1="j" joint2="k" polycoef="0.1 1 0.2 0.3 0.4"/></equality>
  <actuator><motor name="t" joint="k" gear="50" forcerange="-1 1" forcelimited="true"/></actuator></mujoco>)";

const std::vector<std::string> kTargets = {"urdf", "urdf+", "sdf",  "sdf@1.11",
                                           "mjcf", "mbs",   "usda", "usda physx"};

// What is wrong with what became of a model; empty: nothing.
std::string Wrong(const Model& model, const std::string& target) {
  ConvertOptions options;
  options.target = TargetNamed(target);
  Diagnostics converting, reading, source;
  Validate(model, source);
  if (source.has_errors()) return "";  // no reader gives it
  const std::optional<Converted> converted = Convert(model, options, converting);
  if (Rendered(converting).find("[internal-") != std::string::npos) return Rendered(converting);
  if (!converted) return converting.has_errors() ? "" : "refused without a word";
  const std::optional<Model> read =
      ReadText(converted->text, "out" + Extension(options.target.format->name), reading);
  return read && !reading.has_errors() ? "" : Rendered(reading);
}

class ExtremeNumbers : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ExtremeNumbers, AreWrittenSoThatTheyAreReadOrRefused) {
  Diagnostics reading;
  const auto& [file, text] = GetParam();
  const std::optional<Model> source = ReadText(text, file, reading);
  ASSERT_TRUE(source && !reading.has_errors()) << Rendered(reading);
  int count = 0;
  Model counted = *source;
  ForEachNumber(counted, [&](const std::string&, double&) { ++count; });
  EXPECT_GT(count, 50);
  std::string failures;
  for (const double value : {1e308, -1e308, std::numeric_limits<double>::denorm_min(), 0.0, -1.0})
    for (int i = 0; i < count; ++i) {
      Model model = *source;
      int at = 0;
      std::string name;
      ForEachNumber(model, [&](const std::string& what, double& number) {
        if (at++ == i) number = value, name = what;
      });
      const bool size = name.starts_with("size of");
      for (const std::string& target : kTargets) {
        if (size && value < 0 && target.starts_with(source->format))
          continue;  // its reader refuses
        if (const std::string wrong = Wrong(model, target); !wrong.empty())
          failures += name + " = " + FormatNumber(value) + " -> " + target + ": " + wrong;
      }
    }
  EXPECT_EQ(failures, "");
}

INSTANTIATE_TEST_SUITE_P(Sources, ExtremeNumbers,
                         ::testing::Values(std::pair("in.urdf", kUrdf), std::pair("in.sdf", kSdf),
                                           std::pair("in.xml", kMjcf)),
                         [](const auto& tested) {
                           const std::string file = tested.param.first;
                           return file == "in.urdf" ? "Urdf" : file == "in.sdf" ? "Sdf" : "Mjcf";
                         });

// What has no thickness has no orientation that a matrix could tell.
TEST(ExtremeScale, OfAMeshWithoutThicknessIsLostInAStage) {
  for (const char* scale : {"0.001 -0.001 0", "0 0 0", "1 1e-31 1"}) {
    ConversionRequest request;
    request.in = "in.urdf";
    request.to = "usda";
    request.verify = true;
    const ConversionResult result =
        ConvertText(std::string(R"(<robot name="r"><link name="a"><visual name="v"><geometry>
          <mesh filename="m.obj" scale=")") +
                        scale + R"("/></geometry></visual></link></robot>)",
                    request);
    ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
    EXPECT_TRUE(std::ranges::any_of(result.report.losses, [](const Loss& loss) {
      return loss.what == "mesh 'm.obj' is not written";
    })) << scale;
  }
}

// A number of a fixture, another one in its place, and what becomes of the file in a target.
struct OddNumber {
  const char *file, *from, *to, *target;
  bool undecided = false;  // too few digits are left: neither proved nor refuted
};

TEST(OddNumbers, AreProvedOrToldToBeTooFewDigits) {
  const std::string mbs = "invalid/found/roundtrip-mark-of-zero.mbs";
  const std::vector<OddNumber> numbers = {
      // A half of the split link gets some inertia too.
      {"features/loop-planar/loop-planar.urdf", R"(ixx="0.01")", R"(ixx="0")", "mjcf"},
      // The base of a ring, and a link that leads to the world.
      {"regressions/ring_of_the_root.urdf", R"(ixx="0.02")", R"(ixx="7")", "mjcf"},
      {"invalid/found/roundtrip-bushing-from-its-other-end.usda", "(0.01, ", "(1, ", "mjcf"},
      // No float tells them from zero.
      {"features/friction/friction.urdf", R"(friction="0.3")", R"(friction="1e-40")", "usda"},
      // One end of a range of efforts, without the other.
      {mbs.c_str(), "<name>effort</name><type>scalar</type><value>5.0",
       "<name>effort</name><type>scalar</type><value>1e308", "mjcf"},
      {"features/asymmetric-effort-limit/asymmetric-effort-limit.xml", "-5 12", "-5 1e10", "usda"},
      {mbs.c_str(), R"(<specularColor R="255")", R"(<specularColor R="254.5")", "mbs"},
      {"usd/nested.usda", "physics:upperLimit = 45", "physics:upperLimit = -1", "urdf"},
      // Moments of 1e10 beside those of 0.01.
      {"features/loop-planar/loop-planar.urdf", R"(ixy="0")", R"(ixy="1e10")", "mjcf"},
      // A loop that closes only nearly, and says no more than a mimic.
      {"features/loop-planar/loop-planar.urdf", R"(<origin xyz="0 0 0" rpy="0 0 0"/></successor>)",
       R"(<origin xyz="0 0 0" rpy="0.0001 0 0"/></successor>)", "urdf"},
      // A centre of mass that is far away.
      {"features/shape-plane/shape-plane.sdf", "<pose>0 0 0.1", "<pose>1e10 0 0.1", "urdf", true},
  };
  for (const OddNumber& number : numbers) {
    SCOPED_TRACE(std::string(number.file) + ": " + number.to + " to " + number.target);
    std::string text = ReadAll(std::filesystem::path(SourceDir()) / "fixtures" / number.file);
    const std::size_t at = text.find(number.from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, std::strlen(number.from), number.to);
    ConversionRequest request;
    request.in = number.file;
    request.to = number.target;
    request.verify = true;
    const ConversionResult result = ConvertText(text, request);
    const std::string said = Rendered(result.diagnostics);
    EXPECT_EQ(result.end == ConversionEnd::kDone, !number.undecided) << said;
    EXPECT_EQ(said.find("[verify-unclosed]") != std::string::npos, number.undecided) << said;
  }
}

// thread_pitch is the inverse of what the model has.
TEST(ExtremePitch, OfAScrewInABlockIsRefusedByEveryTarget) {
  for (const char* ends :
       {"<parent>a</parent><child>b</child>", "<parent>b</parent><child>g</child>"})
    for (const char* pitch :
         {"<thread_pitch>1e-200</thread_pitch>", "<thread_pitch>1e200</thread_pitch>",
          "<screw_thread_pitch>1e200</screw_thread_pitch>"}) {
      Diagnostics reading;
      const std::optional<Model> source = ReadText(
          std::string(
              R"(<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">
            <parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint><gazebo><link name="g"/>
            <joint name="s" type="screw">)") +
              ends + pitch + "<axis><xyz>0 0 1</xyz></axis></joint></gazebo></robot>",
          "in.urdf", reading);
      ASSERT_TRUE(source) << Rendered(reading);
      for (const std::string& target : kTargets) {
        if (target == "usda physx") continue;  // which has no screws, and loses it
        ConvertOptions options;
        options.target = TargetNamed(target);
        Diagnostics converting;
        EXPECT_FALSE(Convert(*source, options, converting)) << pitch << " -> " << target;
        EXPECT_NE(Rendered(converting).find("[number-too-large]"), std::string::npos)
            << pitch << " -> " << target << ": " << Rendered(converting);
      }
    }
}

}  // namespace
}  // namespace kinemorph::test
