// Which links touch which is content: compared as a set of pairs, within one format and between
// formats, in both orders, whatever words say it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "good_model.h"
#include "kinemorph/converters/verify.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Said(const VerifyResult& result) {
  return std::string(Name(result.verdict)) + ": " + result.line + "\n" +
         Rendered(result.diagnostics);
}

// "base" - "arm" - "tip" - "pad" in a row on the world, a ball each, with a floor; `with` is put
// in, by the name of what it stands in. A mark that nobody fills is empty.
std::string Filled(std::string text, const std::map<std::string, std::string>& with) {
  for (std::size_t at = 0; (at = text.find('[')) != std::string::npos;) {
    const std::size_t end = text.find(']', at);
    const auto word = with.find(text.substr(at + 1, end - at - 1));
    text.replace(at, end - at + 1, word == with.end() ? "" : word->second);
  }
  return text;
}

using Words = std::map<std::string, std::string>;

std::string Mjcf(const Words& words = {}) {
  const std::string inertia = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";
  const auto body = [&](const std::string& name) {
    return "<body name='" + name + "' pos='0 0 1'><joint name='j" + name + "' axis='1 0 0'/>" +
           inertia + "<geom size='.2' mass='0' [" + name + "]/>[more " + name + "]";
  };
  return Filled("<mujoco model='m'>[root]<worldbody><geom type='plane' size='5 5 .1' [floor]/>" +
                    body("base") + body("arm") + body("tip") + body("pad") +
                    "</body></body></body></body></worldbody>[end]</mujoco>",
                words);
}

std::string Sdf(const Words& words = {}) {
  const auto link = [](const std::string& name, int height) {
    return "<link name='" + name + "'><pose>0 0 " + std::to_string(height) +
           " 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz>"
           "</inertia></inertial>[word " +
           name +
           "]<collision name='c'><geometry><sphere><radius>.2</radius></sphere></geometry>[" +
           name + "]</collision></link>";
  };
  const auto hinge = [](const std::string& p, const std::string& s) {
    return "<joint name='j" + s + "' type='revolute'><parent>" + p + "</parent><child>" + s +
           "</child><axis><xyz>1 0 0</xyz></axis></joint>";
  };
  return Filled("<sdf version='1.9'><model name='m'>[model]" + link("base", 1) + link("arm", 2) +
                    link("tip", 3) + link("pad", 4) + hinge("world", "base") +
                    hinge("base", "arm") + hinge("arm", "tip") + hinge("tip", "pad") +
                    "</model></sdf>",
                words);
}

std::string Urdf(const Words& words = {}) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
           "</inertial><collision><geometry><sphere radius='.2'/></geometry></collision></link>";
  };
  const auto hinge = [](const std::string& p, const std::string& s) {
    return "<joint name='j" + s + "' type='continuous'><origin xyz='0 0 1'/><parent link='" + p +
           "'/><child link='" + s + "'/><axis xyz='1 0 0'/></joint>";
  };
  return Filled("<robot name='m'>" + link("base") + link("arm") + link("tip") + link("pad") +
                    hinge("base", "arm") + hinge("arm", "tip") + hinge("tip", "pad") +
                    "[robot]</robot>",
                words);
}

std::string Usda(const Words& words = {}) {
  const auto body = [](const std::string& name, int height) {
    return "def Xform \"" + name +
           "\" (prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]) {\n[" + name +
           "]\n double3 xformOp:translate = (0, 0, " + std::to_string(height) +
           ")\n uniform token[] xformOpOrder = [\"xformOp:translate\"]\n float physics:mass = 1\n"
           " float3 physics:diagonalInertia = (1, 1, 1)\n def Sphere \"c\" (prepend apiSchemas = "
           "[\"PhysicsCollisionAPI\"]) {\n double radius = 0.2\n }\n}\n";
  };
  const auto hinge = [](const std::string& p, const std::string& s) {
    return "def PhysicsRevoluteJoint \"j" + s + "\" {\n rel physics:body0 = </m/" + p +
           ">\n rel physics:body1 = </m/" + s +
           ">\n point3f physics:localPos0 = (0, 0, 1)\n uniform token physics:axis = \"X\"\n[j" +
           s + "]\n}\n";
  };
  // Brackets that are USD's own stand outside of the marks.
  std::string text =
      "#usda 1.0\n(defaultPrim = \"m\"\nmetersPerUnit = 1\nupAxis = \"Z\")\ndef PhysicsScene \"s\" "
      "{}\ndef Xform \"m\" (prepend apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\n[model]\n" +
      body("base", 1) + body("arm", 2) + body("tip", 3) + body("pad", 4) + hinge("base", "arm") +
      hinge("arm", "tip") + hinge("tip", "pad") + "}\n";
  for (const std::string mark : {"model", "base", "arm", "tip", "pad", "jarm", "jtip", "jpad"}) {
    const auto word = words.find(mark);
    const std::size_t at = text.find("[" + mark + "]");
    text.replace(at, mark.size() + 2, word == words.end() ? "" : word->second);
  }
  return text;
}

std::string Masked(int category, int collide) {
  return "<surface><contact><category_bitmask>" + std::to_string(category) +
         "</category_bitmask><collide_bitmask>" + std::to_string(collide) +
         "</collide_bitmask></contact></surface>";
}

const std::string kSelf = "<self_collide>true</self_collide>";

// B says otherwise who touches whom: named in both orders.
struct OtherPairs {
  const char* what;
  std::string a, b, file;
  const char *gone, *there;  // A to B, and B to A
};

std::vector<OtherPairs> Others() {
  return {
      {"contype", Mjcf(), Mjcf({{"tip", "contype='2' conaffinity='4'"}}), "m.xml",
       "link 'base' no longer touches 'tip'", "'base' now touches 'tip'"},
      {"floor", Mjcf(), Mjcf({{"floor", "contype='2' conaffinity='2'"}}), "m.xml",
       "link 'world' no longer touches 'base'", "'world' now touches 'base'"},
      {"exclude", Mjcf(), Mjcf({{"end", "<contact><exclude body1='pad' body2='base'/></contact>"}}),
       "m.xml", "link 'base' no longer touches 'pad'", "'base' now touches 'pad'"},
      {"exclude of what a weld holds",
       Mjcf({{"end",
              "<equality><weld body1='base' body2='pad'/>"
              "</equality>"}}),
       Mjcf({{"end",
              "<equality><weld body1='base' body2='pad'/></equality>"
              "<contact><exclude body1='pad' body2='base'/></contact>"}}),
       "m.xml", "link 'base' no longer touches 'pad'", "'base' now touches 'pad'"},
      {"pair of parent and child",
       Mjcf({{"base", "name='g'"},
             {"arm", "name='h'"},
             {"end", "<contact><pair geom1='g' geom2='h'/></contact>"}}),
       Mjcf({{"base", "name='g'"}, {"arm", "name='h'"}}), "m.xml",
       "link 'base' no longer touches 'arm'", "'base' now touches 'arm'"},
      {"parents are not filtered",
       Mjcf({{"root", "<option><flag filterparent='disable'/></option>"}}), Mjcf(), "m.xml",
       "link 'arm' no longer touches 'tip'", "'arm' now touches 'tip'"},
      {"one shape of two", Mjcf({{"more pad", "<geom size='.1' pos='0 0 .3' mass='0'/>"}}),
       Mjcf({{"more pad", "<geom size='.1' pos='0 0 .3' mass='0' contype='2' conaffinity='2'/>"}}),
       "m.xml", "link 'world' no longer touches 'pad' with each of its shapes",
       "'world' now touches 'pad' with each of its shapes"},
      {"self_collide of the model", Sdf({{"model", kSelf}}), Sdf(), "m.sdf",
       "link 'base' no longer touches 'tip'", "'base' now touches 'tip'"},
      {"self_collide of a link", Sdf({{"word pad", kSelf}}), Sdf(), "m.sdf",
       "link 'base' no longer touches 'pad'", "'base' now touches 'pad'"},
      {"masks of SDFormat", Sdf({{"model", kSelf}}),
       Sdf({{"model", kSelf}, {"base", Masked(1, 1)}, {"pad", Masked(2, 2)}}), "m.sdf",
       "link 'base' no longer touches 'pad'", "'base' now touches 'pad'"},
      {"self_collide in URDF", Urdf({{"robot", "<gazebo>" + kSelf + "</gazebo>"}}), Urdf(),
       "m.urdf", "link 'base' no longer touches 'tip'", "'base' now touches 'tip'"},
      {"selfCollide of a link in URDF",
       Urdf({{"robot", "<gazebo reference='pad'><selfCollide>true</selfCollide></gazebo>"}}),
       Urdf(), "m.urdf", "link 'arm' no longer touches 'pad'", "'arm' now touches 'pad'"},
      {"articulation of USD", Usda(), Usda({{"model", "bool newton:selfCollisionEnabled = false"}}),
       "m.usda", "link 'base' no longer touches 'tip'", "'base' now touches 'tip'"},
      {"joined bodies of USD", Usda({{"jtip", "bool physics:collisionEnabled = true"}}), Usda(),
       "m.usda", "link 'arm' no longer touches 'tip'", "'arm' now touches 'tip'"},
      {"filtered pair of USD", Usda(), Usda({{"base", "rel physics:filteredPairs = </m/pad>"}}),
       "m.usda", "link 'base' no longer touches 'pad'", "'base' now touches 'pad'"},
  };
}

TEST(Contacts, OtherPairsAreNamedInBothOrders) {
  for (const OtherPairs& other : Others()) {
    SCOPED_TRACE(other.what);
    const Model a = GoodModel(other.a, other.file), b = GoodModel(other.b, other.file);
    const VerifyResult to_b = VerifyEquivalent(a, b), to_a = VerifyEquivalent(b, a);
    EXPECT_EQ(to_b.verdict, Verdict::kDifferent) << Said(to_b);
    EXPECT_EQ(to_a.verdict, Verdict::kDifferent) << Said(to_a);
    EXPECT_THAT(Said(to_b), HasSubstr(other.gone));
    EXPECT_THAT(Said(to_a), HasSubstr(other.there));
    for (const Model* model : {&a, &b}) {
      const VerifyResult itself = VerifyEquivalent(*model, *model);
      EXPECT_EQ(itself.verdict, Verdict::kEquivalent) << Said(itself);
    }
  }
}

TEST(Contacts, OtherWordsForTheSamePairsAreNoDifference) {
  const Words all_two{{"floor", "contype='2' conaffinity='2'"},
                      {"base", "contype='2' conaffinity='2'"},
                      {"arm", "contype='2' conaffinity='2'"},
                      {"tip", "contype='2' conaffinity='2'"},
                      {"pad", "contype='2' conaffinity='2'"}};
  const std::vector<std::vector<std::string>> same = {
      {"m.xml", Mjcf(), Mjcf(all_two)},
      // A body never touches the one that it hangs on.
      {"m.xml", Mjcf(), Mjcf({{"end", "<contact><exclude body1='arm' body2='tip'/></contact>"}})},
      {"m.sdf", Sdf({{"model", "<self_collide>false</self_collide>"}}), Sdf()},
      {"m.usda", Usda(), Usda({{"arm", "rel physics:filteredPairs = </m/tip>"}})}};
  for (const std::vector<std::string>& each : same) {
    const Model a = GoodModel(each[1], each[0]), b = GoodModel(each[2], each[0]);
    for (const VerifyResult& result : {VerifyEquivalent(a, b), VerifyEquivalent(b, a)})
      EXPECT_EQ(result.verdict, Verdict::kEquivalent) << Said(result);
  }
}

// In SDFormat the floor stands on a link of its own; it is the world's all the same.
TEST(Contacts, TheFloorIsComparedBetweenFormats) {
  const std::string text = Mjcf();
  const Model robot = GoodModel(text, "m.xml"),
              above = GoodModel(Mjcf({{"pad", "contype='2' conaffinity='2'"}}), "m.xml");
  for (const char* to : {"sdf", "usda"}) {
    SCOPED_TRACE(to);
    Diagnostics said;
    ConvertOptions options;
    options.target = TargetNamed(to);
    const std::optional<Converted> converted = Convert(robot, options, said);
    ASSERT_TRUE(converted) << Rendered(said);
    const Model written = GoodModel(converted->text, "m" + Extension(options.target.format->name));
    VerifyOptions with;
    with.report = &converted->lowered.report, with.written = &written;
    const VerifyResult proof = VerifyEquivalent(robot, written, with);
    EXPECT_TRUE(proof.equivalent) << Said(proof);
    EXPECT_EQ(VerifyEquivalent(robot, written).verdict, proof.verdict);
    EXPECT_THAT(Said(VerifyEquivalent(above, written)), HasSubstr("'world' now touches 'pad'"));
    EXPECT_THAT(Said(VerifyEquivalent(written, above)), HasSubstr("no longer touches 'pad'"));
    EXPECT_EQ(VerifyEquivalent(above, written).verdict, Verdict::kDifferent);
    EXPECT_EQ(VerifyEquivalent(written, above).verdict, Verdict::kDifferent);
  }
}

// A pair that is told as lost says nothing of another pair of the same link.
TEST(Contacts, ALossCoversItsPairsOnly) {
  const auto without = [](const std::string& link) {
    return Mjcf({{"end", "<contact><exclude body1='base' body2='" + link + "'/></contact>"}});
  };
  const Model all = GoodModel(Mjcf(), "m.xml"), tip = GoodModel(without("tip"), "m.xml"),
              pad = GoodModel(without("pad"), "m.xml");
  LossReport report;
  Loss loss;
  loss.feature = Feature::kSelfCollision;
  loss.subject = SubjectOf(all.link(*all.FindLink("base")));
  loss.others = {"tip"};
  report.losses.push_back(loss);
  VerifyOptions options;
  options.report = &report;
  EXPECT_EQ(VerifyEquivalent(all, tip, options).verdict, Verdict::kExcept);
  EXPECT_EQ(VerifyEquivalent(all, pad, options).verdict, Verdict::kDifferent);

  // So is an exclusion that could not be written, in whichever order it names its links.
  report.losses[0].feature = Feature::kContactExclusion;
  report.losses[0].subject =
      SubjectOf(all, ContactExclusion{*all.FindLink("tip"), *all.FindLink("base"), {}, "apart"});
  report.losses[0].others.clear();
  EXPECT_EQ(VerifyEquivalent(tip, all, options).verdict, Verdict::kExcept);
  EXPECT_EQ(VerifyEquivalent(pad, all, options).verdict, Verdict::kDifferent);
}

// So says a conversion whose target has no masks.
TEST(Contacts, AConversionTellsEachPairThatItLoses) {
  const auto with = [](Words words) {
    words.insert({{"model", kSelf}, {"base", Masked(1, 1)}, {"pad", Masked(2, 2)}});
    return GoodModel(Sdf(words), "m.sdf");
  };
  const Model apart = with({}), more = with({{"tip", Masked(2, 2)}});
  Diagnostics said;
  ConvertOptions options;
  options.target = TargetNamed("urdf");
  const std::optional<Converted> converted = Convert(apart, options, said);
  ASSERT_TRUE(converted) << Rendered(said);
  const Model written = GoodModel(converted->text, "m.urdf");
  VerifyOptions proof;
  proof.report = &converted->lowered.report, proof.written = &written;
  EXPECT_EQ(VerifyEquivalent(apart, written, proof).verdict, Verdict::kExcept)
      << Said(VerifyEquivalent(apart, written, proof));
  const VerifyResult other = VerifyEquivalent(more, written, proof);
  EXPECT_EQ(other.verdict, Verdict::kDifferent) << Said(other);
  EXPECT_THAT(Said(other), HasSubstr("'base' now touches 'tip'"));
  EXPECT_THAT(Said(other), Not(HasSubstr("'base' now touches 'pad'")));
}

}  // namespace
}  // namespace kinemorph::test
