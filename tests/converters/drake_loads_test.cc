// What Drake refuses, ignores or takes for another thing, and what is written instead. Measured with
// Drake 1.58.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convert_text.h"
#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/checks/contacts.h"
#include "small_model.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string Replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), by);
}

constexpr const char* kInertial =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";

std::string Sdf(const std::string& joint, const std::string& in_rod = "") {
  const std::string inertial = kInertial;
  return "<sdf version='1.11'><model name='m'><link name='base'>" + inertial +
         "</link><joint name='w' type='fixed'><parent>world</parent><child>base</child></joint>"
         "<link name='rod'>" +
         inertial + in_rod + "</link>" + joint + "</model></sdf>";
}
std::string Joint(const std::string& type, const std::string& inside) {
  return "<joint name='j' type='" + type + "'><parent>base</parent><child>rod</child>" + inside +
         "</joint>";
}

Converted ToDrake(const std::string& text, const std::string& file, const std::string& format) {
  ConvertOptions options;
  options.target = TargetNamed(format);
  options.target.options.profile = "drake";
  Diagnostics diagnostics;
  const auto source = ReadText(text, file, diagnostics);
  EXPECT_TRUE(source && !diagnostics.has_errors()) << Rendered(diagnostics);
  auto converted = Convert(*source, options, diagnostics);
  EXPECT_TRUE(converted) << Rendered(diagnostics);
  return converted ? std::move(*converted) : Converted();
}
std::size_t LossesOf(const Converted& converted, Feature feature) {
  return static_cast<std::size_t>(
      std::ranges::count(converted.lowered.report.losses, feature, &Loss::feature));
}

// Drake reads one damping of a universal joint, and nothing else of it or of a screw.
TEST(DrakeLoads, JointsOfSeveralCoordinatesWithLimitsAreDivided) {
  const std::string axis = "<axis><xyz>1 0 0</xyz>", axis2 = "<axis2><xyz>0 1 0</xyz>",
                    limit = "<limit><lower>-1</lower><upper>1</upper></limit>";
  const auto damping = [](const char* value) {
    return std::string("<dynamics><damping>") + value + "</damping></dynamics>";
  };
  const auto text = [&](const std::string& type, const std::string& inside) {
    return ToDrake(Sdf(Joint(type, inside)), "m.sdf", "sdf").text;
  };
  const std::string even = axis + damping("1") + "</axis>" + axis2 + damping("1") + "</axis2>";
  EXPECT_THAT(text("universal", even), HasSubstr("type=\"universal\""));
  for (const std::string& other :
       {axis + limit + "</axis>" + axis2 + "</axis2>",
        axis + damping("1") + "</axis>" + axis2 + damping("2") + "</axis2>"}) {
    EXPECT_THAT(text("universal", other), Not(HasSubstr("type=\"universal\"")));
    EXPECT_THAT(text("universal", other), HasSubstr("name=\"j_2\" type=\"revolute\""));
  }
  const std::string pitch = "<screw_thread_pitch>0.1</screw_thread_pitch>";
  EXPECT_THAT(text("screw", pitch + axis + "</axis>"), HasSubstr("type=\"screw\""));
  const std::string divided = text("screw", pitch + axis + limit + "</axis>");
  EXPECT_THAT(divided, Not(HasSubstr("type=\"screw\"")));
  EXPECT_THAT(divided, HasSubstr("<drake:mimic joint=\"j_1\""));
}

// It aborts on a size of 0 in a URDF, and stops at a negative friction and a scale of 0.
TEST(DrakeLoads, ShapesThatStopItAreLeftOut) {
  for (const char* shape : {"<box size='1 2 0'/>", "<cylinder radius='0.2' length='0'/>",
                            "<sphere radius='0'/>", "<mesh filename='a.obj' scale='1 0 1'/>"}) {
    const std::string urdf =
        "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
        "izz='1' "
        "ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry>" +
        std::string(shape) + "</geometry></collision></link></robot>";
    const Converted written = ToDrake(urdf, "r.urdf", "urdf");
    EXPECT_THAT(written.text, Not(HasSubstr("<collision"))) << shape;
    EXPECT_EQ(written.lowered.report.losses.size(), 1U) << shape;
  }
  const std::string shape =
      "<geometry><polyline><point>0 0</point><point>1 0</point><point>0 1"
      "</point><height>1</height></polyline></geometry>";
  const Converted polyline =
      ToDrake(Sdf("", "<collision name='c'>" + shape + "</collision>"), "m.sdf", "sdf");
  EXPECT_EQ(LossesOf(polyline, Feature::kShapePolyline), 1U);
}

// mu is the static and mu2 the dynamic coefficient there, 1 where nothing is said.
TEST(DrakeLoads, TheSecondFrictionIsNotLargerThanTheFirst) {
  const auto written = [](const std::string& friction) {
    return ToDrake(Sdf("",
                       "<collision name='c'><geometry><sphere><radius>1</radius></sphere>"
                       "</geometry><surface><friction><ode>" +
                           friction + "</ode></friction></surface></collision>"),
                   "m.sdf", "sdf");
  };
  for (const std::string changed : {"<mu>0.3</mu>", "<mu>0.3</mu><mu2>0.5</mu2>"}) {
    const Converted lost = written(changed);
    EXPECT_EQ(LossesOf(lost, Feature::kSurfaceFriction), 1U) << changed;
    EXPECT_THAT(lost.text, HasSubstr("<mu2>0.3</mu2>")) << changed;
  }
  // Those of a surface that is kept whole, too.
  const Converted whole = written("<mu>-1</mu><mu2>-1</mu2><slip1>0.1</slip1>");
  EXPECT_EQ(LossesOf(whole, Feature::kSurfaceFriction), 1U);
  EXPECT_THAT(whole.text, Not(HasSubstr("<mu>")));
  EXPECT_THAT(whole.text, HasSubstr("<mu2>1</mu2>"));
  EXPECT_THAT(whole.text, HasSubstr("<slip1>0.1</slip1>"));
  for (const std::string kept : {"<mu>0.3</mu><mu2>0.2</mu2>", "<mu2>0.3</mu2>", "<mu>2</mu>"})
    EXPECT_THAT(written(kept).lowered.report.losses, IsEmpty()) << kept;
}

// Its collisions are convex hulls of OBJ, VTK and glTF files; what is only seen may be any file.
TEST(DrakeLoads, OtherMeshesThatCollideAreLeftOut) {
  for (const std::string part : {"visual", "collision"}) {
    const std::string mesh = "<" + part +
                             " name='p'><geometry><mesh><uri>a.stl</uri></mesh>"
                             "</geometry></" +
                             part + ">";
    const Converted written = ToDrake(Sdf("", mesh), "m.sdf", "sdf");
    EXPECT_EQ(LossesOf(written, Feature::kShapeMesh), part == "visual" ? 0U : 1U);
  }
}

constexpr const char* kThree =
    "<mujoco><worldbody>%<body name='a'><joint axis='0 1 0'/><geom size='.1'/><body name='b'>"
    "<joint name='x' axis='0 1 0'/><joint name='y' axis='1 0 0'/><geom size='.1'/><body name='c'>"
    "<joint axis='0 1 0'/><geom size='.1'/></body></body></body></worldbody>"
    "<contact><exclude body1='world' body2='c'/></contact></mujoco>";

// It filters what a joint joins: b hangs on a by a chain through a link of our own. The world is no
// member of its groups; its shapes are on a link that is.
TEST(DrakeLoads, GroupsHaveWhatChainsJoinAndNotTheWorld) {
  for (const std::string floor : {"", "<geom type='box' size='1 1 1'/>"}) {
    for (const std::string format : {"urdf", "sdf"}) {
      const Converted drake = ToDrake(Replaced(kThree, "%", floor), "m.xml", format);
      const std::string open = format == "urdf" ? "<drake:member link=\"" : "<drake:member>",
                        close = format == "urdf" ? "\"/>" : "</drake:member>";
      for (const std::string member : {"a", "b"})
        EXPECT_THAT(drake.text, HasSubstr(open + member + close)) << format;
      EXPECT_THAT(drake.text, Not(HasSubstr(open + "world" + close))) << format;
      if (!floor.empty()) EXPECT_THAT(drake.text, HasSubstr(open + "world_geometry" + close));
      EXPECT_EQ(LossesOf(drake, Feature::kContactExclusion), 0U) << format;
    }
  }
}

// Masks that keep all apart from the world, too.
TEST(DrakeLoads, MasksKeepLinksFromTheWorldsShapes) {
  const Converted urdf = ToDrake(
      "<mujoco><default><geom contype='0'/></default><worldbody><geom size='.1'/><body name='a'>"
      "<joint axis='0 1 0'/><geom size='.1'/><body name='b'><joint axis='0 1 0'/>"
      "<geom size='.1'/></body></body></worldbody></mujoco>",
      "m.xml", "urdf");
  EXPECT_THAT(urdf.text, HasSubstr("<drake:member link=\"world_geometry\"/>"));
  EXPECT_THAT(urdf.text, Not(HasSubstr("<drake:member link=\"world\"/>")));
}

// A link called world stands for it, and keeps its shapes.
TEST(DrakeLoads, ShapesOfALinkCalledWorldStay) {
  const auto link = [](const char* name, const char* inertial) {
    return std::string("<link name='") + name + "'>" + inertial +
           "<collision><geometry><sphere radius='1'/></geometry></collision></link>";
  };
  constexpr const char* kMass =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial>";
  const auto joint = [](const char* name, const char* parent, const char* child) {
    return std::string("<joint name='") + name + "' type='continuous'><parent link='" + parent +
           "'/><child link='" + child + "'/><axis xyz='0 0 1'/></joint>";
  };
  ConversionRequest request;
  request.in = "m.urdf", request.to = "urdf", request.verify = true;
  request.options.target.options.profile = "drake";
  const ConversionResult result =
      ConvertText("<robot name='m'>" + link("world", "") + link("b", kMass) + link("c", kMass) +
                      joint("j", "world", "b") + joint("k", "b", "c") + "</robot>",
                  request);
  ASSERT_TRUE(result.proof) << Rendered(result.diagnostics);
  EXPECT_EQ(result.proof->verdict, Verdict::kEquivalent) << result.proof->line;
  EXPECT_THAT(result.files.text, Not(HasSubstr("world_geometry")));
}

// With a plane and some 16 other shapes it crashes. What collides has no end, whatever is drawn.
TEST(DrakeLoads, APlaneIsTheUpperFaceOfABox) {
  const std::string floor =
      "<mujoco><worldbody><geom name='floor' type='plane' size='% 3 .1' pos='0 0 1' "
      "euler='90 0 0'/><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
  for (const auto& [half, seen] : {std::pair("0", "200 6 10"), std::pair("2", "4 6 10")}) {
    ConversionRequest request;
    request.in = "m.xml", request.to = "urdf", request.verify = true;
    request.options.target.options.profile = "drake";
    const std::string text = Replaced(floor, "%", half);
    const ConversionResult result = ConvertText(text, request);
    ASSERT_TRUE(result.proof) << Rendered(result.diagnostics);
    EXPECT_EQ(result.proof->verdict, Verdict::kExcept) << result.proof->line;
    const auto box = [](const std::string& size) { return "<box size=\"" + size + "\"/>"; };
    const std::string& urdf = result.files.text;
    EXPECT_THAT(urdf, testing::AllOf(HasSubstr(box(seen)), HasSubstr(box("200 200 10")),
                                     Not(HasSubstr("plane"))));
    // Five metres behind the plane, whose normal is -y.
    EXPECT_THAT(urdf, HasSubstr("<origin xyz=\"0 5 1\""));
    for (const Loss& loss : result.report.losses)
      EXPECT_NE(loss.weight, Weight::kMotion) << loss.what;
    // The proof knows the box.
    Diagnostics diagnostics;
    const auto plane = ReadText(text, "m.xml", diagnostics);
    VerifyOptions options;
    options.report = &result.report;
    for (const auto& [old, other] : {std::pair(box("200 200 10"), box("200 20 10")),
                                     std::pair(std::string("0 5 1"), std::string("0 5.1 1"))}) {
      const auto damaged = ReadText(Replaced(urdf, old, other), "m.urdf", diagnostics);
      ASSERT_TRUE(plane && damaged);
      EXPECT_EQ(VerifyEquivalent(*plane, *damaged, options).verdict, Verdict::kDifferent) << other;
    }
  }
}

// It asks for a right angle to the last digit.
TEST(DrakeLoads, TheAxesOfAUniversalJointAreSquareToTheLastDigit) {
  const Converted written =
      ToDrake(Sdf(Joint("universal",
                        "<axis><xyz>-0.866025403784 -0.5 0</xyz></axis><axis2><xyz>"
                        "0.493196961916 -0.854242196177 -0.164398987305</xyz></axis2>")),
              "m.sdf", "sdf");
  Diagnostics diagnostics;
  const auto again = ReadText(written.text, "m.sdf", diagnostics);
  ASSERT_TRUE(again);
  const auto* const universal = std::get_if<Universal>(&JointNamed(*again, "j").kind);
  ASSERT_NE(universal, nullptr) << written.text;
  EXPECT_LT(std::abs(universal->axis1.dot(universal->axis2)), 5e-16);
}

// It stops at elements that SDFormat does not define, at joints that it lacks, at what it does not
// find.
TEST(DrakeLoads, WhatItsReaderDoesNotKnowIsLost) {
  const auto in_rod = [](const std::string& text) {
    return ToDrake(Sdf("", text), "m.sdf", "sdf");
  };
  for (const char* inside : {"<gz_frame_id>rod</gz_frame_id>", "<alwaysOn>1</alwaysOn>", ""}) {
    const Converted sensor = in_rod("<sensor name='s' type='imu'><update_rate>50</update_rate>" +
                                    std::string(inside) + "</sensor>");
    EXPECT_EQ(LossesOf(sensor, Feature::kSensor), *inside == 0 ? 0U : 1U) << inside;
    EXPECT_EQ(sensor.text.find("<sensor") == std::string::npos, *inside != 0);
  }
  const Converted surface = in_rod(
      "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry><surface>"
      "<friction><ode><mu>0.5</mu><grip>1</grip></ode></friction></surface></collision>");
  EXPECT_THAT(surface.text, Not(HasSubstr("grip")));
  EXPECT_THAT(surface.text, HasSubstr("<mu>0.5</mu>"));
  const Converted gearbox =
      ToDrake(Sdf("<joint name='g' type='gearbox'><parent>base</parent><child>rod</child><axis>"
                  "<xyz>0 1 0</xyz></axis></joint>"),
              "m.sdf", "sdf");
  EXPECT_EQ(LossesOf(gearbox, Feature::kNativeData), 1U);
  EXPECT_THAT(gearbox.text, Not(HasSubstr("gearbox")));
}

// Elements that are called alike in a world hold other things, and stay.
TEST(DrakeLoads, WhatAWorldSaysOfItsPhysicsStays) {
  const Converted world = ToDrake(
      "<sdf version='1.9'><world name='w'><physics name='p' type='ode'><max_step_size>0.001"
      "</max_step_size><ode><solver><iters>50</iters></solver></ode></physics><model name='m'>"
      "<link name='a'>" +
          std::string(kInertial) + "</link></model></world></sdf>",
      "w.sdf", "sdf");
  EXPECT_EQ(LossesOf(world, Feature::kNativeData), 0U);
  EXPECT_THAT(world.text, HasSubstr("<max_step_size>"));
}

// Two connects that a mimic replaces lose nothing with the place of the second.
TEST(DrakeLoads, ALoopOfConnectsThatBecomesAMimicLosesNothing) {
  const auto leg = [](const char* name, const char* x) {
    return std::string("<body name='") + name + "' pos='" + x + " 0 0'><joint name='j" + name +
           "' axis='0 1 0'/><geom size='.1' contype='0' "
           "conaffinity='0'/>";
  };
  ConversionRequest request;
  request.in = "m.xml", request.to = "urdf";
  const ConversionResult result = ConvertText(
      "<mujoco><worldbody>" + leg("a", "0") +
          "<body name='c' pos='0 0 1'><joint name='jc' axis='0 1 0'/><geom size='.1' contype='0' "
          "conaffinity='0'/></body></body>" +
          leg("b", "1") +
          "</body></worldbody><equality><connect body1='c' body2='b' anchor='1 0 0'/>"
          "<connect body1='c' body2='b' anchor='1 0.04 0'/></equality></mujoco>",
      request);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
  EXPECT_THAT(result.files.text, HasSubstr("<mimic"));
  for (const Loss& loss : result.report.losses) EXPECT_EQ(loss.what, "");
}

// Drawn open by what twelve digits leave, and closed: that is no other centre of mass.
TEST(DrakeLoads, WhatClosingALoopRoundsIsNoDifference) {
  const auto link = [](const char* name) {
    return std::string("<link name='") + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
           "iyz='0'/></inertial></link>";
  };
  const auto joint = [](const char* name, const char* parent, const char* child, const char* xyz) {
    return std::string("<joint name='") + name + "' type='continuous'><parent link='" + parent +
           "'/><child link='" + child + "'/><origin xyz='" + xyz + "'/><axis xyz='0 1 0'/></joint>";
  };
  ConversionRequest request;
  request.in = "m.urdf", request.to = "mjcf", request.verify = true;
  request.options.target.options.profile = "portable";
  const ConversionResult result = ConvertText(
      "<robot name='m'>" + link("base") + link("a") + link("b") + link("c") +
          joint("j", "base", "a", "0 0 0") + joint("k", "base", "b", "1 0 0") +
          joint("m", "a", "c", "0 0 1") +
          "<loop name='l' type='universal'><predecessor link='c'><origin xyz='1.0000000000004 0 "
          "0'/>"
          "</predecessor><successor link='b'><origin xyz='0 0 1'/></successor><axis xyz='0 1 0'/>"
          "<axis2 xyz='1 0 0'/></loop></robot>",
      request);
  ASSERT_TRUE(result.proof) << Rendered(result.diagnostics);
  EXPECT_EQ(result.proof->verdict, Verdict::kEquivalent) << result.proof->line;
}

// A joint without an effort limit has a motor without one, in a robot whose other joints have limits.
TEST(DrakeLoads, JointsWithoutAnEffortLimitAreIdle) {
  const std::string text =
      Sdf(Joint("revolute",
                "<axis><xyz>1 0 0</xyz><limit><effort>5</effort>"
                "</limit></axis>") +
          "<link name='tip'>" + kInertial +
          "</link><joint name='k' type='revolute'><parent>rod</parent><child>tip"
          "</child><axis><xyz>1 0 0</xyz></axis></joint>");
  const Converted driven = ToDrake(text, "m.sdf", "sdf");
  EXPECT_EQ(LossesOf(driven, Feature::kEffortLimit), 1U);
  EXPECT_THAT(driven.text, HasSubstr("<effort>0</effort>"));
  const Converted silent = ToDrake(Replaced(text, "<effort>5</effort>", ""), "m.sdf", "sdf");
  EXPECT_THAT(silent.lowered.report.losses, IsEmpty());
  // Robot by robot: what one says of its joints is not said of another's.
  const auto model = [](const std::string& name, const std::string& axis) {
    return "<model name='" + name + "'><link name='a'>" + kInertial + "</link><link name='b'>" +
           kInertial + "</link><joint name='j' type='revolute'><parent>a</parent><child>b</child>" +
           "<axis><xyz>1 0 0</xyz>" + axis + "</axis></joint></model>";
  };
  const Converted two = ToDrake("<sdf version='1.11'><world name='w'>" +
                                    model("r", "<limit><effort>5</effort></limit>") +
                                    model("s", "") + "</world></sdf>",
                                "w.sdf", "sdf");
  EXPECT_EQ(LossesOf(two, Feature::kEffortLimit), 0U);
}

// Drake divides by how much the robot can move the points of a weld apart: none is where axes meet.
// It is read back where it was, and proved.
TEST(DrakeLoads, AWeldWhereAllAxesMeetIsProved) {
  const auto link = [](const char* name, const char* mass, const char* moment) {
    const std::string m = moment;
    return std::string("<link name='") + name + "'><inertial><mass>" + mass +
           "</mass><inertia><ixx>" + m + "</ixx><iyy>" + m + "</iyy><izz>" + m +
           "</izz></inertia></inertial></link>";
  };
  const auto joint = [](const char* name, const char* type, const char* parent, const char* child,
                        const char* axis) {
    return std::string("<joint name='") + name + "' type='" + type + "'><parent>" + parent +
           "</parent><child>" + child + "</child>" + axis + "</joint>";
  };
  const std::string sdf =
      "<sdf version='1.11'><model name='m'>" + link("base", "5", "1") + link("a", "1e-5", "1e-9") +
      joint("j", "revolute", "base", "a", "<axis><xyz>0 1 0</xyz></axis>") + link("c", "5", "1") +
      joint("k", "revolute", "base", "c", "<axis><xyz>0 0 1</xyz></axis>") +
      joint("f", "fixed", "world", "base", "") + joint("u", "ball", "a", "c", "") +
      "</model></sdf>";
  for (const char* format : {"sdf", "urdf"}) {
    ConversionRequest request;
    request.in = "m.sdf", request.to = format, request.verify = true;
    request.options.target.options.profile = "drake";
    const ConversionResult result = ConvertText(sdf, request);
    ASSERT_TRUE(result.proof) << Rendered(result.diagnostics);
    EXPECT_EQ(result.proof->verdict, Verdict::kEquivalent) << result.proof->line;
    EXPECT_THAT(result.files.text, HasSubstr("c_half")) << format;
  }
}

// Engines scale the softness of a constraint with the inverse of the mass.
TEST(DrakeLoads, ALoopOnALightLinkLeadsToHalfOfTheHeavyOne) {
  const auto text = [](const char* mass, const std::string& end) {
    const auto link = [](const char* name, const std::string& m) {
      return std::string("<link name='") + name + "'><inertial><mass value='" + m +
             "'/><inertia ixx='1e-9' iyy='1e-9' izz='1e-9' ixy='0' ixz='0' iyz='0'/></inertial>"
             "</link>";
    };
    const auto joint = [](const char* name, const char* parent, const char* child,
                          const char* xyz) {
      return std::string("<joint name='") + name + "' type='continuous'><parent link='" + parent +
             "'/><child link='" + child + "'/><origin xyz='" + xyz +
             "'/><axis xyz='0 1 0'/></joint>";
    };
    return "<robot name='r'>" + link("base", "5") + link("a", "1") + link("b", mass) +
           link("c", "2") + joint("q1", "base", "a", "0 0 0") + joint("q2", "a", "b", "0 0 -.3") +
           joint("q3", "base", "c", ".4 0 0") +
           "<loop name='u' type='revolute'><predecessor link='b'><origin xyz='.4 0 "
           "0'/></predecessor>"
           "<successor link='" +
           end + "'><origin xyz='" + (end == "base" ? ".4 0 -.3" : "0 0 -.3") +
           "'/></successor><axis xyz='0 1 0'/></loop></robot>";
  };
  for (const char* format : {"sdf", "urdf"}) {
    // The base too, which stands on the world.
    for (const std::string end : {"c", "base"})
      EXPECT_THAT(ToDrake(text("1e-5", end), "r.urdf", format).text, HasSubstr(end + "_half"))
          << format;
    EXPECT_THAT(ToDrake(text("0.5", "c"), "r.urdf", format).text, Not(HasSubstr("_half")))
        << format;
  }
}

// Drake lets all links touch that no joint joins and no group keeps apart, whatever a model says of
// itself: without groups the links of nearly every robot touch there and not in Gazebo.
TEST(DrakeLoads, LinksThatDoNotTouchAreOneGroup) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name + "'>" + kInertial +
           "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry>"
           "</collision></link>";
  };
  const auto robot = [&](const std::string& says) {
    return "<sdf version='1.9'><model name='m'>" + says + link("a") + link("b") +
           "<joint name='ab' type='revolute'><parent>a</parent><child>b</child>"
           "<axis><xyz>0 0 1</xyz></axis></joint>"
           "<model name='n'>" +
           link("c") + link("d") + "</model></model></sdf>";
  };
  const std::string group = "<drake:collision_filter_group";
  // All of them, joined or not and nested or not, as one group that ignores itself.
  const Converted quiet = ToDrake(robot(""), "robot.sdf", "sdf");
  EXPECT_THAT(quiet.text, HasSubstr("<drake:member>n::d</drake:member>"));
  EXPECT_EQ(quiet.text.find(group), quiet.text.rfind(group));
  EXPECT_THAT(quiet.text, Not(HasSubstr("self_collide")));
  EXPECT_THAT(quiet.lowered.report.losses, IsEmpty());
  EXPECT_THAT(ToDrake(robot(""), "robot.sdf", "urdf").text, HasSubstr("link=\"n__d\""));
  // Drake reads this file by its groups, and so do we, again and again.
  EXPECT_EQ(ToDrake(quiet.text, "drake.sdf", "sdf").text, quiet.text);
  // Links that touch need no group.
  const Converted loud = ToDrake(robot("<self_collide>true</self_collide>"), "robot.sdf", "sdf");
  EXPECT_THAT(loud.text, Not(HasSubstr(group)));
  // One that touches the others and three that do not: a group of these.
  const std::string self = "<link name='c'><self_collide>true</self_collide>";
  const Converted some = ToDrake(Replaced(robot(""), "<link name='c'>", self), "robot.sdf", "sdf");
  EXPECT_THAT(some.text, HasSubstr("<drake:member>n::d</drake:member>"));
  EXPECT_THAT(some.text, Not(HasSubstr("n::c</drake:member>")));
}

// Groups within groups, of nested models, and ones that are switched off.
TEST(DrakeLoads, GroupsOfDrakeAreReadAsDrakeDoes) {
  const std::string sphere =
      "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>";
  const auto pairs = [](const std::string& text, const std::string& file) {
    Diagnostics said;
    const auto model = ReadText(text, file, said);
    EXPECT_TRUE(model) << Rendered(said);
    std::string out;
    for (const auto& [a, b] : Contacts(*model).Pairs(100))
      out += model->link(a).name + "-" + model->link(b).name + " ";
    return out;
  };
  const auto link = [&](const std::string& name) {
    return "<link name='" + name + "'>" + kInertial + sphere + "</link>";
  };
  const auto group = [](const std::string& name, const std::string& inside) {
    return "<drake:collision_filter_group name='" + name + "'>" + inside +
           "</drake:collision_filter_group>";
  };
  const std::string ignored = "drake:ignored_collision_filter_group";
  EXPECT_EQ(
      pairs("<sdf version='1.9'><model name='m'>" + link("a") + link("b") + "<model name='n'>" +
                link("c") + link("d") + group("g", "<drake:member>c</drake:member>") + "</model>" +
                group("inner", "<drake:member>a</drake:member>") +
                group("outer",
                      "<drake:member_group>inner</drake:member_group>"
                      "<drake:member>b</drake:member><" +
                          ignored + ">n::g</" + ignored + ">") +
                "</model></sdf>",
            "m.sdf"),
      "a-b a-n::d b-n::d n::c-n::d ");
  const std::string body =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial><collision><geometry><sphere radius='0.1'/></geometry></collision></link>";
  const auto robot = [&](const std::string& ignore) {
    return "<robot name='m'><link name='o'/><link name='a'>" + body + "<link name='b'>" + body +
           "<joint name='oa' type='continuous'><parent link='o'/><child link='a'/></joint>"
           "<joint name='ob' type='continuous'><parent link='o'/><child link='b'/></joint>"
           "<drake:collision_filter_group name='g' ignore='" +
           ignore + "'><drake:member link='a'/><drake:member link='b'/><" + ignored +
           " name='g'/></drake:collision_filter_group></robot>";
  };
  // A chain of thousands of groups ends, without recursion.
  std::string chain;
  for (int i = 0; i < 5000; ++i)
    chain += "<drake:collision_filter_group name='g" + std::to_string(i) +
             "'><drake:member_group name='g" + std::to_string(i + 1) +
             "'/></drake:collision_filter_group>";
  EXPECT_EQ(pairs(Replaced(robot("true"), "</robot>", chain + "</robot>"), "m.urdf"), "a-b ");
  EXPECT_EQ(pairs(robot("true"), "m.urdf"), "a-b ");
  // Points that coincide keep nothing apart.
  const std::string ball =
      "<drake:ball_constraint name='t'><drake:ball_constraint_body_A name='a'/>"
      "<drake:ball_constraint_body_B name='b'/><drake:ball_constraint_p_AP value='0 0 1'/>"
      "<drake:ball_constraint_p_BQ value='0 0 1'/></drake:ball_constraint></robot>";
  EXPECT_EQ(pairs(Replaced(robot("true"), "</robot>", ball), "m.urdf"), "a-b ");
  EXPECT_EQ(pairs(robot("false"), "m.urdf"), "");
}

// Drake reads no `<gazebo>`, replaces an inertia of no body by one that is far off, and lets a body
// on a floating joint start at the origin of the world.
TEST(DrakeLoads, UrdfSaysWhatDrakeReads) {
  const auto robot = [](const std::string& inertia, const std::string& type) {
    return "<robot name='m'><link name='world'/><link name='a'><inertial><mass "
           "value='1'/><inertia " +
           inertia +
           " ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='0.1'/>"
           "</geometry></collision></link><link name='b'><inertial><mass value='1'/><inertia "
           "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
           "<joint name='w' type='fixed'><parent link='world'/><child link='a'/></joint>"
           "<joint name='j' type='" +
           type +
           "'><parent link='a'/><child link='b'/><origin xyz='1 2 3'/></joint>"
           "<gazebo reference='a'><mu1>0.8</mu1><mu2>0.5</mu2></gazebo></robot>";
  };
  const Converted plain = ToDrake(robot("ixx='1' iyy='1' izz='1'", "continuous"), "m.urdf", "urdf");
  EXPECT_THAT(plain.text, HasSubstr("<drake:mu_static value=\"0.8\"/>"));
  EXPECT_THAT(plain.text, HasSubstr("<drake:mu_dynamic value=\"0.5\"/>"));
  EXPECT_THAT(plain.text, Not(HasSubstr("mu1")));
  Diagnostics said;
  const auto again = ReadText(plain.text, "again.urdf", said);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->link(*again->FindLink("a")).collisions[0].mu, 0.8);
  EXPECT_EQ(again->link(*again->FindLink("a")).collisions[0].mu2, 0.5);

  const Converted thin =
      ToDrake(robot("ixx='0.1' iyy='0.1' izz='0.5'", "continuous"), "m.urdf", "urdf");
  EXPECT_EQ(LossesOf(thin, Feature::kUnphysicalInertia), 1U);
  EXPECT_THAT(thin.text, HasSubstr("ixx=\"0.25000"));

  const Converted free = ToDrake(robot("ixx='1' iyy='1' izz='1'", "floating"), "m.urdf", "urdf");
  EXPECT_THAT(free.text, HasSubstr("<origin xyz=\"1 2 3\""));  // of the mass
  EXPECT_THAT(free.text, Not(HasSubstr("<parent link=\"a\"/>\n    <child link=\"b\"/>")));
}

// Drake has no such shapes, takes the whole of a mesh, and reads some elements in SDFormat only.
TEST(DrakeLoads, WhatDrakeIgnoresIsLost) {
  const auto shaped = [](const std::string& geometry) {
    return Sdf(Joint("fixed", ""),
               "<collision name='c'><geometry>" + geometry + "</geometry></collision>");
  };
  const Converted terrain =
      ToDrake(shaped("<heightmap><uri>h.png</uri><size>1 1 1</size></heightmap>"), "m.sdf", "sdf");
  EXPECT_EQ(LossesOf(terrain, Feature::kShapeNative), 1U);
  EXPECT_THAT(terrain.text, Not(HasSubstr("heightmap")));
  const Converted part = ToDrake(
      shaped("<mesh><uri>m.obj</uri><submesh><name>x</name></submesh></mesh>"), "m.sdf", "sdf");
  EXPECT_EQ(LossesOf(part, Feature::kShapeSubmesh), 1U);
  const std::string planar =
      Sdf("<drake:joint name='p' type='planar'><drake:parent>base</drake:parent>"
          "<drake:child>rod</drake:child><drake:damping>1 1 1</drake:damping></drake:joint>");
  const Converted urdf = ToDrake(planar, "m.sdf", "urdf");
  EXPECT_GE(LossesOf(urdf, Feature::kNativeData), 1U);
  EXPECT_THAT(urdf.text, Not(HasSubstr("drake:joint")));
}

// Of a format that says all its drives, the other joints have none in Drake either; and masks of one
// shape are said to be those of the link.
TEST(DrakeLoads, PassiveJointsAndMasksOfShapes) {
  const auto robot = [](const std::string& mask) {
    return "<mujoco model='m'><worldbody><geom name='floor' type='box' size='1 1 1'/>"
           "<body name='a' pos='0 0 3'><joint name='ja' armature='0.1'/><geom name='g' size='0.1'/>"
           "<geom name='h' size='0.1' pos='1 0 0' " +
           mask +
           "/><body name='b'><joint name='jb'/><geom name='k' size='0.1'/></body></body>"
           "</worldbody></mujoco>";
  };
  const Converted same = ToDrake(robot(""), "m.xml", "sdf");
  EXPECT_THAT(same.text, HasSubstr("<effort>1e-09</effort>"));
  EXPECT_THAT(same.text, HasSubstr("<effort>0</effort>"));
  EXPECT_EQ(LossesOf(same, Feature::kSelfCollision), 0U);
  // Of a file of Drake's each motor stays, with a limit or without.
  const std::string own = Replaced(same.text, "<effort>0</effort>", "");
  EXPECT_EQ(LossesOf(ToDrake(own, "drake.sdf", "sdf"), Feature::kEffortLimit), 0U);
  const Converted other = ToDrake(robot("contype='2' conaffinity='0'"), "m.xml", "sdf");
  EXPECT_EQ(LossesOf(other, Feature::kSelfCollision), 1U);
}

}  // namespace
}  // namespace kinemorph::test
