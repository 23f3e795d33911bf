// The same pairs of links collide after a conversion, in the target's words, or a loss says which
// do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/graph/checks/contacts.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

std::vector<std::string> PairsOf(const Model& model) {
  std::vector<std::string> names;
  for (const auto& [a, b] : CollidingPairs(model)) {
    std::string x = model.link(a).name, y = model.link(b).name;
    if (y < x) std::swap(x, y);
    names.push_back(x + " " + y);
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Result {
  std::string text;
  LossReport report;
  std::vector<std::string> before, after;
  [[nodiscard]] std::vector<std::string> Lost() const {
    std::vector<std::string> lost;
    for (const Loss& loss : report.losses)
      if (loss.feature == Feature::kSelfCollision || loss.feature == Feature::kContactExclusion) {
        EXPECT_EQ(loss.weight, Weight::kMotion);
        lost.push_back(Text(loss.subject) + ": " + loss.what);
      }
    return lost;
  }
};

Result Converted(const std::string& text, const std::string& file, const std::string& target,
                 const std::vector<Feature>& drop = {}) {
  Diagnostics messages;
  const std::optional<Model> source = ReadText(text, file, messages);
  EXPECT_TRUE(source) << Rendered(messages);
  ConvertOptions options;
  options.target = TargetNamed(target);
  options.drop = drop;
  const auto converted = Convert(*source, options, messages);
  EXPECT_TRUE(converted) << Rendered(messages);
  if (!source || !converted) return {};
  const auto again =
      ReadText(converted->text, "/tmp/out" + Extension(options.target.format->name), messages);
  EXPECT_TRUE(again) << Rendered(messages) << converted->text;
  if (!again) return {};
  return {converted->text, converted->lowered.report, PairsOf(*source), PairsOf(*again)};
}

std::string Body(const std::string& name, const std::string& words = "",
                 const std::string& surface = "") {
  return "<link name='" + name +
         "'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
         "</inertial>" +
         words + "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry>" +
         surface + "</collision></link>\n";
}
std::string Hinge(const std::string& p, const std::string& s,
                  const std::string& type = "revolute") {
  const std::string axis = type == "fixed" ? "" : "<axis><xyz>0 0 1</xyz></axis>";
  return "<joint name='" + p + "_" + s + "' type='" + type + "'><parent>" + p + "</parent><child>" +
         s + "</child>" + axis + "</joint>\n";
}
std::string Mask(int bits) {
  return "<surface><contact><collide_bitmask>" + std::to_string(bits) +
         "</collide_bitmask></contact></surface>";
}
// base -- a -- b -- c in a row, the base on the world.
std::string Row(const std::string& words = "", const std::string& word_of_c = "") {
  return "<model name='m'>" + words + Body("base") + Body("a") + Body("b") + Body("c", word_of_c) +
         Hinge("world", "base", "fixed") + Hinge("base", "a") + Hinge("a", "b") + Hinge("b", "c") +
         "</model>";
}
std::string Sdf(const std::string& content) { return "<sdf version='1.9'>" + content + "</sdf>"; }
std::string World(const std::string& content) {
  return Sdf("<world name='w'><gravity>0 0 -9.8</gravity>" + content + "</world>");
}
const std::string kSelf = "<self_collide>true</self_collide>";

TEST(SelfCollision, ARobotThatDoesNotCollideWithItselfDoesNotInMujoco) {
  const Result r = Converted(Sdf(Row()), "m.sdf", "mjcf");
  EXPECT_THAT(r.before, IsEmpty());
  EXPECT_THAT(r.after, IsEmpty());
  EXPECT_THAT(r.Lost(), IsEmpty());
  EXPECT_THAT(r.text, HasSubstr("contype=\"0\""));
  EXPECT_THAT(r.text, Not(HasSubstr("conaffinity")));  // it takes part in what others are
  EXPECT_THAT(r.text, Not(HasSubstr("exclude")));
}

TEST(SelfCollision, AUrdfWithoutAWordIsTheSame) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
           "iyz='0'/></inertial><collision><geometry><sphere radius='1'/></geometry></collision>"
           "</link>";
  };
  const auto joint = [](const std::string& p, const std::string& s) {
    return "<joint name='" + p + s + "' type='continuous'><parent link='" + p + "'/><child link='" +
           s + "'/></joint>";
  };
  const Result r = Converted("<robot name='r'>" + link("a") + link("b") + link("c") + link("d") +
                                 link("e") + joint("a", "b") + joint("b", "c") + joint("c", "d") +
                                 joint("d", "e") + "</robot>",
                             "r.urdf", "mjcf");
  EXPECT_THAT(r.after, IsEmpty());
  EXPECT_THAT(r.text, HasSubstr("contype=\"0\""));
}

TEST(SelfCollision, WhereMujocoSparesThemAnywayNothingIsWritten) {
  const Result r = Converted(Sdf("<model name='m'>" + Body("base") + Body("a") + Body("b") +
                                 Hinge("base", "a") + Hinge("base", "b", "fixed") + "</model>"),
                             "m.sdf", "mjcf");
  EXPECT_THAT(r.after, IsEmpty());
  EXPECT_THAT(r.text, Not(HasSubstr("contype")));
  EXPECT_THAT(r.text, Not(HasSubstr("contact")));
}

TEST(SelfCollision, FewPairsAreExclusions) {
  const Result r = Converted(Sdf("<model name='m'>" + Body("a") + Body("b") + Body("c") +
                                 Hinge("a", "b") + Hinge("b", "c") + "</model>"),
                             "m.sdf", "mjcf");
  EXPECT_THAT(r.after, IsEmpty());
  EXPECT_THAT(r.text, Not(HasSubstr("contype")));
  EXPECT_THAT(r.text, HasSubstr("<exclude body1=\"a\" body2=\"c\"/>"));
}

TEST(SelfCollision, ARobotThatDoesIsWrittenAsItIs) {
  const Result r = Converted(Sdf(Row(kSelf)), "m.sdf", "mjcf");
  EXPECT_THAT(r.before, ElementsAre("a c", "b base", "base c"));
  EXPECT_EQ(r.after, r.before);
  EXPECT_THAT(r.Lost(), IsEmpty());
  EXPECT_THAT(r.text, HasSubstr("<exclude body1=\"base\" body2=\"a\"/>"));  // the base stands still
  EXPECT_THAT(r.text, Not(HasSubstr("contype")));
}

TEST(SelfCollision, WhatHangsOnAFixedPartTouchesItByAPair) {
  const Result r =
      Converted(Sdf("<model name='m'>" + kSelf + Body("base") + Body("pad") + Body("a") +
                    Hinge("base", "pad", "fixed") + Hinge("base", "a") + "</model>"),
                "m.sdf", "mjcf");
  EXPECT_THAT(r.before, ElementsAre("a pad"));
  EXPECT_EQ(r.after, r.before);
  EXPECT_THAT(r.text, HasSubstr("<pair geom1="));
}

TEST(SelfCollision, OneLinkOfARowCollides) {
  const Result r = Converted(Sdf(Row("", kSelf)), "m.sdf", "mjcf");
  EXPECT_THAT(r.before, ElementsAre("a c", "base c"));
  EXPECT_EQ(r.after, r.before);
  EXPECT_THAT(r.Lost(), IsEmpty());
}

TEST(SelfCollision, ModelsOfAWorldCollideWithOneAnotherOnly) {
  std::string other = Row();
  const auto rename = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = other.find(from); at != std::string::npos;
         at = other.find(from, at + to.size()))
      other.replace(at, from.size(), to);
  };
  rename("'m'", "'n'");
  const Result r = Converted(
      World(Row() + other + "<model name='box'>" + Body("side") + "</model>"), "w.sdf", "mjcf");
  EXPECT_EQ(r.before.size(), 4U * 4U - 1U + 8U);  // the two bases stand still
  EXPECT_EQ(r.after, r.before);
  EXPECT_THAT(r.Lost(), IsEmpty());
}

TEST(SelfCollision, MasksAreMasks) {
  const std::string model = "<model name='m'>" + kSelf + Body("base") + Body("a", "", Mask(1)) +
                            Body("b", "", Mask(6)) + Body("c", "", Mask(3)) + Body("d") +
                            Hinge("base", "a") + Hinge("a", "b") + Hinge("b", "c") +
                            Hinge("c", "d") + "</model>";
  const Result r = Converted(Sdf(model), "m.sdf", "mjcf");
  EXPECT_THAT(r.before, ElementsAre("a c", "a d", "b base", "b d", "base c", "base d"));
  EXPECT_EQ(r.after, r.before);
  EXPECT_THAT(r.text, HasSubstr("contype=\"6\" conaffinity=\"6\""));
  EXPECT_EQ(Converted(Sdf(model), "m.sdf", "sdf").after, r.before);
}

std::string Geom(const std::string& name, const std::string& attributes = "") {
  return "<geom name='" + name + "' type='sphere' size='1' mass='1' " + attributes + "/>";
}
// Three balls in a row, free in the world, over a floor.
std::string Mjcf(const std::string& contact, const std::string& of_b = "") {
  return "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
         "<body name='a'><freejoint/>" +
         Geom("ga") + "<body name='b'><joint name='j' type='hinge' axis='0 0 1'/>" +
         Geom("gb", of_b) + "<body name='c'><joint name='k' type='hinge' axis='0 0 1'/>" +
         Geom("gc") + "<body name='d'><joint name='l' type='hinge' axis='0 0 1'/>" + Geom("gd") +
         "</body></body></body></body></worldbody><contact>" + contact + "</contact></mujoco>";
}
std::vector<std::string> WithoutFloor(std::vector<std::string> pairs) {
  std::erase_if(pairs, [](const std::string& p) { return p.find("world") != std::string::npos; });
  return pairs;
}

// Words inside of links, which stand after the first of them.
std::size_t LinksThatSay(const std::string& sdf) {
  std::size_t count = 0;
  for (std::size_t at = sdf.find("<link");
       (at = sdf.find("<self_collide", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

TEST(SelfCollision, BodiesOfMujocoCollideInSdformat) {
  const Result r = Converted(Mjcf(""), "m.xml", "sdf");
  EXPECT_THAT(WithoutFloor(r.before), ElementsAre("a c", "a d", "b d"));
  EXPECT_EQ(WithoutFloor(r.after), WithoutFloor(r.before));
  EXPECT_EQ(r.after.size(), 7U);  // all touch the floor
  EXPECT_THAT(r.Lost(), IsEmpty());
  EXPECT_THAT(r.text, HasSubstr("<self_collide>true</self_collide>"));
  EXPECT_THAT(r.text, Not(HasSubstr("bitmask")));
}

// Pairs of bodies that touch as gz-physics before version 10 has it: what a shape touches is what
// it is. By the text of Mjcf() in SDFormat, whose shapes are those of the floor and of a row.
std::size_t CollideByBitmask(const std::string& sdf) {
  std::vector<unsigned long> masks;
  for (std::size_t at = sdf.find("<collision "); at != std::string::npos;) {
    const std::size_t next = sdf.find("<collision ", at + 1),
                      mask = sdf.find("<collide_bitmask>", at);
    masks.push_back(mask < next ? std::stoul(sdf.substr(mask + 17), nullptr, 0) : 0xff);
    at = next;
  }
  EXPECT_EQ(masks.size(), 5U) << sdf;
  std::size_t count = 0;
  for (std::size_t i = 0; i < masks.size(); ++i)
    for (std::size_t j = i + 1; j < masks.size(); ++j) {
      const bool joined = i > 0 && j == i + 1;
      count += !joined && (masks[i] & masks[j]) != 0 ? 1 : 0;
    }
  return count;
}

TEST(SelfCollision, AnExclusionIsWhatTheOtherLinksCollideWith) {
  const std::string text = Mjcf("<exclude body1='a' body2='c'/>");
  const Result urdf = Converted(text, "m.xml", "urdf");
  EXPECT_THAT(urdf.Lost(), IsEmpty());
  EXPECT_THAT(urdf.text, Not(HasSubstr("bitmask")));
  // By a word of the model and bit masks: gz sim reads no words of links.
  const Result r = Converted(text, "m.xml", "sdf");
  EXPECT_THAT(r.Lost(), IsEmpty());
  EXPECT_THAT(r.text, HasSubstr("collide_bitmask"));
  EXPECT_EQ(LinksThatSay(r.text), 0U) << r.text;
  EXPECT_THAT(WithoutFloor(r.after), ElementsAre("a d", "b d"));
  EXPECT_EQ(r.after.size(), 6U);
  EXPECT_EQ(CollideByBitmask(r.text), r.after.size()) << r.text;
}

TEST(SelfCollision, ExclusionsBecomeMasksOrALossByName) {
  const std::string text = Mjcf("<exclude body1='a' body2='c'/><exclude body1='b' body2='d'/>");
  const Result r = Converted(text, "m.xml", "sdf");
  EXPECT_THAT(WithoutFloor(r.after), ElementsAre("a d"));
  EXPECT_EQ(r.after.size(), 5U);
  EXPECT_THAT(r.Lost(), IsEmpty());
  EXPECT_EQ(CollideByBitmask(r.text), r.after.size()) << r.text;
  EXPECT_FALSE(Converted(text, "m.xml", "urdf").Lost().empty());
  EXPECT_THAT(Converted(Mjcf("<exclude body1='a' body2='b'/>"), "m.xml", "urdf").Lost(), IsEmpty());
}

TEST(SelfCollision, MasksOfMujocoAreBitMasks) {
  const Result r = Converted(Mjcf("", "contype='2' conaffinity='4'"), "m.xml", "sdf");
  EXPECT_THAT(WithoutFloor(r.before), ElementsAre("a c", "a d"));
  EXPECT_EQ(WithoutFloor(r.after), WithoutFloor(r.before));
  EXPECT_EQ(r.after.size(), 5U);
  EXPECT_THAT(r.Lost(), IsEmpty());
}

TEST(SelfCollision, WhatSdformatNeverLetsTouchIsALossByName) {
  const Result r = Converted("<mujoco><worldbody><body name='base'>" + Geom("ga") +
                                 "<body name='arm'><joint name='j' type='hinge' axis='0 0 1'/>" +
                                 Geom("gb") + "</body></body></worldbody></mujoco>",
                             "m.xml", "sdf");
  EXPECT_THAT(r.before, ElementsAre("arm base"));
  EXPECT_THAT(r.after, IsEmpty());
  EXPECT_THAT(r.Lost(), ElementsAre("link 'base': no longer collides with 'arm'"));
}

TEST(SelfCollision, AWeldThatALoopIsCutAtIsExcluded) {
  const Result r =
      Converted(Sdf("<model name='m'>" + kSelf + Body("a") + Body("b") + Body("c") +
                    Hinge("a", "b") + Hinge("b", "c") + Hinge("a", "c", "fixed") + "</model>"),
                "m.sdf", "mjcf");
  EXPECT_THAT(r.before, IsEmpty());
  EXPECT_THAT(r.after, IsEmpty());
}

TEST(SelfCollision, AFileOfTheTargetsFormatStaysAsItIs) {
  const std::string text = Mjcf("<exclude body1='a' body2='c'/>", "contype='2' conaffinity='4'");
  const Result r = Converted(text, "m.xml", "mjcf");
  EXPECT_EQ(r.after, r.before);
  EXPECT_THAT(r.text, HasSubstr("contype=\"2\" conaffinity=\"4\""));
  EXPECT_THAT(r.text, HasSubstr("<exclude body1=\"a\" body2=\"c\"/>"));
}

TEST(SelfCollision, ThereAndBackIsTheSame) {
  // What words of links say, words of the model and bit masks say too, and to gz sim as well.
  const std::string of_links = Sdf(Row("", kSelf));
  for (const std::string& text : {Sdf(Row()), Sdf(Row(kSelf)), of_links}) {
    const Result there = Converted(text, "m.sdf", "mjcf");
    const Result back = Converted(there.text, "m.xml", "sdf");
    EXPECT_EQ(back.after, there.before);
    EXPECT_THAT(back.Lost(), IsEmpty());
    EXPECT_EQ(back.text.find("bitmask") != std::string::npos, text == of_links) << back.text;
    EXPECT_EQ(LinksThatSay(back.text), 0U) << back.text;
  }
}

// A file of SDFormat keeps the words of its links, with a note.
TEST(SelfCollision, WordsOfLinksAreToldWhereGzSimReadsNone) {
  const std::string text =
      Sdf("<model name='m'>" + Body("a", kSelf) + Body("b") + Body("c") + "</model>");
  Diagnostics diagnostics;
  const std::optional<Model> model = ReadText(text, "m.sdf", diagnostics);
  ASSERT_TRUE(model);
  Target target;
  target.format = FindFormat("sdf");
  ConvertOptions options;
  options.target = target;
  ASSERT_TRUE(Convert(*model, options, diagnostics));
  EXPECT_THAT(test::Rendered(diagnostics, Severity::kNote),
              HasSubstr("gazebo-drops-self-collision"));
}

// Pairs that a target cannot name decide anew what links say; a word that changes nothing goes.
TEST(SelfCollision, WordsOfLinksBesideExclusionsAreAccountedFor) {
  const std::string group =
      "<drake:collision_filter_group name='g'><drake:member>a</drake:member>"
      "<drake:ignored_collision_filter_group>h</drake:ignored_collision_filter_group>"
      "</drake:collision_filter_group><drake:collision_filter_group name='h'>"
      "<drake:member>c</drake:member></drake:collision_filter_group>";
  const std::string text = "<sdf version='1.9' xmlns:drake='http://drake.mit.edu'>" +
                           Row(group, "<self_collide>false</self_collide>") + "</sdf>";
  const Result r = Converted(text, "m.sdf", "urdf");
  EXPECT_EQ(r.after, r.before);
  EXPECT_THAT(r.Lost(), IsEmpty());
}

// Parts of links that become one: a neighbour touched one of them, and touches none now.
TEST(SelfCollision, APartOfALinkLosesWhatTheLinkDoesNotTouch) {
  Diagnostics messages;
  const std::optional<Model> source =
      ReadFile(Fixtures() + "/regressions/colliding_tool.urdf", messages);
  ASSERT_TRUE(source) << Rendered(messages);
  for (const char* target : {"sdf", "usda"}) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    const auto converted = Convert(*source, options, messages);
    ASSERT_TRUE(converted) << Rendered(messages);
    std::vector<std::string> lost;
    for (const Loss& loss : converted->lowered.report.losses)
      if (loss.feature == Feature::kSelfCollision)
        lost.push_back(Text(loss.subject) + ": " + loss.what);
    EXPECT_THAT(lost, ElementsAre("link 'upper_arm': no longer collides with 'tool'")) << target;
  }
}

TEST(SelfCollision, AFormatWithoutShapesHasNothingThatCollides) {
  EXPECT_THAT(
      Converted(Sdf(Row(kSelf)), "m.sdf", "mbs").Lost(),
      ElementsAre(HasSubstr("the flag for collisions of the link with itself is not written")));
}

}  // namespace
}  // namespace kinemorph::test
