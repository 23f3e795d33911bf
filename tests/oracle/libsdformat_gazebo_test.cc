// What URDF's <gazebo> blocks become in SDFormat: libsdformat's own conversion of the same text is
// the judge.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "conversion.h"

#ifdef KINEMORPH_LIBSDFORMAT
#include <sdf/sdf.hh>

namespace kinemorph::test {
namespace {

// "sensor imu on link arm", "plugin gz::Drive on model robot" ...
void Collect(const sdf::ElementPtr& element, const std::string& owner,
             std::set<std::string>& found) {
  for (sdf::ElementPtr child = element->GetFirstElement(); child; child = child->GetNextElement()) {
    const std::string kind = child->GetName();
    const std::string name = child->HasAttribute("name") ? child->Get<std::string>("name") : "";
    if (kind == "sensor" || kind == "plugin" || kind == "light") {
      std::string where = child->HasElement("pose")
                              ? " at " + child->GetElement("pose")->GetValue()->GetAsString()
                              : "";
      found.insert(kind + " " + name + " on " + owner + (kind == "sensor" ? where : ""));
    }
    const std::set<std::string> settings = {
        "allow_auto_disable", "enable_wind",       "gravity",        "kinematic",
        "self_collide",       "must_be_base_link", "velocity_decay", "gz:note"};
    if (settings.contains(kind))
      found.insert(kind + " " + (child->GetValue() ? child->GetValue()->GetAsString() : "") +
                   " on " + owner);
    if (kind == "link" || kind == "joint" || kind == "model" || kind == "sensor")
      Collect(child, kind + " " + name, found);
  }
}

std::set<std::string> ByLibsdformat(const std::string& text, std::string& errors) {
  sdf::Errors problems;
  const sdf::SDFPtr document(new sdf::SDF());
  sdf::init(document);
  if (!sdf::readString(text, document, problems)) errors = "not read; ";
  for (const sdf::Error& problem : problems) errors += problem.Message() + "; ";
  std::set<std::string> found;
  Collect(document->Root(), "root", found);
  return found;
}

TEST(LibsdformatGazebo, SensorsAndPluginsStandWhereItsOwnConversionPutsThem) {
  const std::string inertial =
      R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";
  const std::string urdf = R"(<robot name="robot"><link name="base">)" + inertial +
                           R"(</link><link name="arm">)" + inertial + R"(</link>
    <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
    <gazebo><plugin name="gz::Drive" filename="drive.so"><api name="ns::Class"/></plugin></gazebo>
    <gazebo reference="arm"><mu1>0.2</mu1><sensor name="imu" type="imu"><pose>0 0 0.1 0 0 0</pose>
      <plugin name="driver" filename="driver.so"/></sensor></gazebo>
    <gazebo><allow_auto_disable>false</allow_auto_disable><enable_wind>true</enable_wind>
      <self_collide>true</self_collide><gz:note/></gazebo>
    <gazebo reference="base"><gravity>false</gravity><kinematic>true</kinematic>
      <must_be_base_link>true</must_be_base_link><velocity_decay/></gazebo>
    <gazebo reference="hinge"><sensor name="wrench" type="force_torque"><update_rate>10</update_rate></sensor></gazebo></robot>)";
  std::string errors;
  const std::set<std::string> theirs = ByLibsdformat(urdf, errors);
  ASSERT_EQ(errors, "");
  ASSERT_EQ(theirs.size(), 12u) << testing::PrintToString(theirs);

  Diagnostics diagnostics;
  const std::optional<Model> model = ReadText(urdf, "robot.urdf", diagnostics);
  ASSERT_TRUE(model) << Rendered(diagnostics);
  ConvertOptions options;
  options.target = TargetNamed("sdf");
  const std::optional<Converted> converted = Convert(*model, options, diagnostics);
  ASSERT_TRUE(converted) << Rendered(diagnostics);
  const std::set<std::string> ours = ByLibsdformat(converted->text, errors);
  EXPECT_EQ(errors, "");
  EXPECT_EQ(ours, theirs) << converted->text;
}

// One spelling of truth values and numbers.
std::string Plain(const std::string& text) {
  if (text == "true") return "1";
  if (text == "false") return "0";
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' && number != 0 && number != 1 ? std::to_string(number)
         : end != text.c_str() && *end == '\0' ? (number == 0 ? "0" : "1")
                                               : text;
}

// What the first element of each path says, where that is not its default: libsdformat's own
// classes read no other. Names of visuals and collisions are counted.
void Facts(const sdf::ElementPtr& element, const std::string& path,
           std::map<std::string, std::string>& facts) {
  std::map<std::string, int> count;
  for (sdf::ElementPtr child = element->GetFirstElement(); child; child = child->GetNextElement()) {
    const std::string kind = child->GetName();
    if (kind == "pose" || kind == "inertial" || kind == "geometry" || kind == "xyz" ||
        kind == "limit" || kind == "parent" || kind == "child") {
      if (path.find("physics") == std::string::npos) continue;
    }
    std::string here = path + "/" + kind;
    const int number = count[kind]++;
    if (kind == "collision" || kind == "visual")
      here += "[" + std::to_string(number) + "]";
    else if (kind == "link" || kind == "joint" || kind == "model")
      here += "[" + child->Get<std::string>("name") + "]";
    else if (number > 0)
      continue;
    const sdf::ParamPtr value = child->GetValue();
    if (value && !child->GetFirstElement() &&
        Plain(value->GetAsString()) != Plain(value->GetDefaultAsString()))
      facts.emplace(here, Plain(value->GetAsString()));
    Facts(child, here, facts);
  }
}

std::map<std::string, std::string> FactsByLibsdformat(const std::string& text) {
  sdf::Errors problems;
  const sdf::SDFPtr document(new sdf::SDF());
  sdf::init(document);
  std::map<std::string, std::string> facts;
  if (!sdf::readString(text, document, problems) || !problems.empty())
    facts["errors"] = problems.empty() ? "not read" : problems.front().Message();
  Facts(document->Root(), "", facts);
  return facts;
}

std::string ConvertedText(const std::string& text, const std::string& name,
                          const std::string& target, LossReport* report = nullptr) {
  Diagnostics diagnostics;
  const std::optional<Model> model = ReadText(text, name, diagnostics);
  if (!model) return Rendered(diagnostics);
  ConvertOptions options;
  options.target = TargetNamed(target);
  const std::optional<Converted> converted = Convert(*model, options, diagnostics);
  if (!converted) return Rendered(diagnostics);
  if (report != nullptr) *report = converted->lowered.report;
  return converted->text;
}

std::string Robot(const std::string& blocks) {
  const std::string inertial =
      R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";
  const std::string box = R"(<geometry><box size="1 1 1"/></geometry>)";
  return R"(<robot name="robot"><link name="base">)" + inertial + "<visual>" + box +
         R"(<material name="blue"><color rgba="0 0 1 1"/></material></visual><collision>)" + box +
         R"(</collision></link><link name="arm">)" + inertial + "<visual name=\"arm_v\">" + box +
         "</visual><visual name=\"other\">" + box + "</visual><collision>" + box +
         "</collision><collision name=\"arm_2\">" + box + "</collision><collision name=\"q\">" +
         box +
         R"(</collision></link>
    <joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.1" friction="0.2"/></joint>
    )" + blocks +
         "</robot>";
}
std::string OfArm(const std::string& tags) {
  return "<gazebo reference=\"arm\">" + tags + "</gazebo>";
}
std::string OfHinge(const std::string& tags) {
  return "<gazebo reference=\"hinge\">" + tags + "</gazebo>";
}

struct Block {
  std::string name, blocks;
};
std::vector<Block> Blocks() {
  std::vector<Block> all = {
      {"none", ""},
      {"surface", OfArm("<mu1>0.2</mu1><mu2>0.3</mu2><kp>1e6</kp><kd>10</kd><fdir1>1 0 0</fdir1>"
                        "<maxVel>0.5</maxVel><minDepth>0.001</minDepth>")},
      {"friction alone", OfArm("<mu1>0.2</mu1><mu2>0.3</mu2>")},
      {"one friction", OfArm("<mu1 value=\"0.2\"/>")},
      {"contacts", OfArm("<maxContacts>2.7</maxContacts><laserRetro>3.5</laserRetro>")},
      {"decay", OfArm("<dampingFactor>0.01</dampingFactor>")},
      {"decay twice",
       OfArm("<dampingFactor>0.01</dampingFactor>") + OfArm("<dampingFactor>0.02</dampingFactor>")},
      {"material", OfArm("<material>Gazebo/Orange</material>")},
      {"material over a colour",
       "<gazebo reference=\"base\"><material>Gazebo/Orange</material></gazebo>"},
      {"material element",
       "<gazebo reference=\"base\"><visual><material><ambient>1 0 0 1</ambient><diffuse>0 1 0 "
       "1</diffuse><specular>0 0 1 1</specular></material></visual></gazebo>"},
      {"collision element", OfArm("<collision><surface><contact><ode><kp>5</kp></ode></contact>"
                                  "<friction><ode><mu>0.9</mu></ode></friction></surface>"
                                  "<max_contacts>3</max_contacts></collision><mu1>0.4</mu1>")},
      {"later wins", OfArm("<mu1>0.2</mu1>") + OfArm("<mu1>0.7</mu1>")},
      {"comma", OfArm("<mu1>0,5</mu1><mu2>5N</mu2>")},
      {"spring", OfHinge("<springStiffness>3</springStiffness><springReference>0.5</"
                         "springReference>")},
      {"stops", OfHinge("<stopCfm>0.1</stopCfm><stopErp>0.3</stopErp>")},
      {"feedback", OfHinge("<provideFeedback>true</provideFeedback>")},
      {"implicit", OfHinge("<implicitSpringDamper>1</implicitSpringDamper>")},
      {"cfm", OfHinge("<cfmDamping>1</cfmDamping>")},
      {"fudge", OfHinge("<fudgeFactor>0.4</fudgeFactor>")},
      {"second physics",
       OfHinge("<physics><ode><max_force>3</max_force></ode></physics><provideFeedback>0</"
               "provideFeedback>")},
      {"second axis", OfHinge("<axis><dynamics><spring_stiffness>3</spring_stiffness></dynamics>"
                              "</axis>")},
      {"static", "<gazebo><static>true</static></gazebo>"},
      {"static Yes", "<gazebo><static>Yes</static></gazebo>"},
      {"self_collide of the model", "<gazebo><self_collide>true</self_collide></gazebo>"},
      {"tags without reference",
       "<gazebo><selfCollide>true</selfCollide><mu1>0.2</mu1>"
       "<turnGravityOff>true</turnGravityOff></gazebo>"},
      {"own gravity", OfArm("<gravity>false</gravity>")},
      {"own gravity after the tag",
       OfArm("<gravity>false</gravity><turnGravityOff>false</turnGravityOff>")},
      {"kinematic", OfArm("<kinematic>true</kinematic><enable_wind>true</enable_wind>")},
      {"unknown link", "<gazebo reference=\"nobody\"><mu1>0.2</mu1></gazebo>"},
      {"joint tags at a link", OfArm("<stopCfm>0.1</stopCfm><springStiffness>3</springStiffness>")},
      {"link tags at a joint", OfHinge("<mu1>0.1</mu1><turnGravityOff>true</turnGravityOff>")},
  };
  for (const std::string word : {"true", "True", "1", "yes", "false", "No", "0", "2", "maybe", "",
                                 "<!-- c -->false", "  true  "}) {
    all.push_back(
        {"turnGravityOff " + word, OfArm("<turnGravityOff>" + word + "</turnGravityOff>")});
    all.push_back({"selfCollide " + word, OfArm("<selfCollide>" + word + "</selfCollide>")});
  }
  return all;
}

class GazeboBlock : public testing::TestWithParam<Block> {};

// Every value that libsdformat sees in the URDF, it sees in our SDFormat, and no other.
TEST_P(GazeboBlock, SaysInSdformatWhatItsOwnConversionMakesOfIt) {
  const std::string urdf = Robot(GetParam().blocks);
  const std::string sdf = ConvertedText(urdf, "robot.urdf", "sdf");
  EXPECT_EQ(FactsByLibsdformat(sdf), FactsByLibsdformat(urdf)) << sdf;
}

// URDF to URDF keeps it, whatever happens in between; and what SDFormat says comes back.
TEST_P(GazeboBlock, SurvivesUrdf) {
  const std::string urdf = Robot(GetParam().blocks);
  LossReport report;
  const std::string again = ConvertedText(urdf, "robot.urdf", "urdf", &report);
  EXPECT_EQ(FactsByLibsdformat(again), FactsByLibsdformat(urdf)) << again;
  EXPECT_TRUE(report.losses.empty()) << LossReportText(report);
}

TEST_P(GazeboBlock, ComesBackFromSdformat) {
  const std::string sdf = ConvertedText(Robot(GetParam().blocks), "robot.urdf", "sdf");
  const std::string urdf = ConvertedText(sdf, "robot.sdf", "urdf");
  std::map<std::string, std::string> ours = FactsByLibsdformat(urdf),
                                     theirs = FactsByLibsdformat(sdf);
  for (auto* facts : {&ours, &theirs})  // URDF has one colour
    std::erase_if(*facts, [](const auto& fact) {
      return fact.first.find("/material/") != std::string::npos &&
             fact.first.find("script") == std::string::npos;
    });
  EXPECT_EQ(ours, theirs) << urdf;
}

std::string BlockName(const testing::TestParamInfo<Block>& each) {
  std::string name = std::to_string(each.index) + "_" + each.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(LibsdformatGazebo, GazeboBlock, testing::ValuesIn(Blocks()), BlockName);

}  // namespace
}  // namespace kinemorph::test

#else
TEST(LibsdformatGazebo, NeedsLibsdformat) { GTEST_SKIP() << "built without libsdformat"; }
#endif
