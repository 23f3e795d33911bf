// Cassie and a humanoid squat on their closed ankles, by kinemorph and by MuJoCo on stiff contacts.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBMUJOCO
#include <tinyxml2.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "conversion.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/gateway.h"
#include "kinemorph/graph/mechanics/kinematics.h"
#include "kinemorph/simulate.h"
#include "mujoco_text.h"

namespace kinemorph {
namespace {

constexpr double kTime = 2;       // s
constexpr double kBall = 1e-3;    // m: MuJoCo's feet are small balls
constexpr double kRow = 0.02;     // s between what is compared
constexpr double kTheirs = 1e-4;  // s: MuJoCo's step

std::string Cassie() {
  return test::SharedDir() +
         std::string("/data/corpus/mjcf/johnnynunez__mujoco_menagerie/agility_cassie/cassie.xml");
}

// How the base stands: its height, and its pitch (z of its x axis).
struct Posture {
  double height = 0, pitch = 0, forward = 0;
};
Posture PostureOf(const RigidTransform& X_WB) { return {X_WB.p[2], X_WB.R(2, 0), X_WB.p[0]}; }

// A file without what it looks like, its loops and ground stiff, a ball at every foot.
std::string StiffText(const std::string& text, const nlohmann::json& start) {
  tinyxml2::XMLDocument file;
  EXPECT_EQ(file.Parse(text.c_str()), tinyxml2::XML_SUCCESS);
  tinyxml2::XMLElement* const root = file.RootElement();
  for (const char* gone : {"asset", "keyframe", "contact", "visual", "statistic", "sensor"})
    while (auto* element = root->FirstChildElement(gone)) root->DeleteChild(element);
  std::map<std::string, tinyxml2::XMLElement*> bodies;
  const std::function<void(tinyxml2::XMLElement*)> strip = [&](tinyxml2::XMLElement* element) {
    for (const char* gone : {"geom", "site", "light", "camera"})
      while (auto* child = element->FirstChildElement(gone)) element->DeleteChild(child);
    for (auto* body = element->FirstChildElement("body"); body != nullptr;
         body = body->NextSiblingElement("body")) {
      if (body->Attribute("name") != nullptr) bodies[body->Attribute("name")] = body;
      strip(body);
    }
  };
  tinyxml2::XMLElement* const world = root->FirstChildElement("worldbody");
  strip(world);
  const std::function<void(tinyxml2::XMLElement*)> plain = [&](tinyxml2::XMLElement* defaults) {
    for (const char* gone : {"geom", "site", "material", "mesh"})
      while (auto* child = defaults->FirstChildElement(gone)) defaults->DeleteChild(child);
    for (auto* inner = defaults->FirstChildElement("default"); inner != nullptr;
         inner = inner->NextSiblingElement("default"))
      plain(inner);
  };
  if (auto* defaults = root->FirstChildElement("default")) plain(defaults);
  const auto geom = [](tinyxml2::XMLElement* at, const char* type, const std::string& pos,
                       const std::string& size) {
    tinyxml2::XMLElement* const added = at->InsertNewChildElement("geom");
    for (const auto& [name, value] :
         std::map<std::string, std::string>{{"type", type},
                                            {"pos", pos},
                                            {"size", size},
                                            {"condim", "3"},
                                            {"group", "0"},
                                            {"contype", "1"},
                                            {"conaffinity", "1"},
                                            {"friction", "2"},
                                            {"mass", "0"},
                                            {"solref", "0.0005 1"},
                                            {"solimp", "0.999 0.9999 0.0001"}})
      added->SetAttribute(name.c_str(), value.c_str());
  };
  geom(world, "plane", "0 0 " + std::to_string(start["ground"].get<double>() - kBall), "5 5 1");
  for (const nlohmann::json& contact : start["contacts"]) {
    const std::string foot = contact.get<std::string>();
    const std::size_t colon = foot.find(':');
    std::string at = foot.substr(colon + 1);
    std::replace(at.begin(), at.end(), ',', ' ');
    geom(bodies.at(foot.substr(0, colon)), "sphere", at, std::to_string(kBall));
  }
  for (auto* loop = root->FirstChildElement("equality")->FirstChildElement(); loop != nullptr;
       loop = loop->NextSiblingElement()) {
    loop->SetAttribute("solref", "0.0005 1");
    loop->SetAttribute("solimp", "0.999 0.9999 0.0001");
  }
  auto* option = root->FirstChildElement("option");
  if (option == nullptr) option = root->InsertNewChildElement("option");
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"timestep", std::to_string(kTheirs)},
                                          {"solver", "Newton"},
                                          {"tolerance", "1e-12"},
                                          {"iterations", "100"},
                                          {"cone", "elliptic"}})
    option->SetAttribute(name.c_str(), value.c_str());
  tinyxml2::XMLPrinter printer;
  file.Print(&printer);
  return printer.CStr();
}

// Where joints of the mechanism stand in MuJoCo's state: pairs of (ours, theirs).
struct Places {
  std::vector<std::pair<int, int>> q, v;
};
Places PlacesIn(const mjModel* theirs, const Mechanism& m, const Model& model) {
  Places places;
  for (const Body& body : m.bodies) {
    if (body.joint == kNoJoint || body.nv == 0 || body.nv == 6) continue;
    const int id = mj_name2id(theirs, mjOBJ_JOINT, model.joint(body.joint).name.c_str());
    EXPECT_GE(id, 0) << model.joint(body.joint).name;
    for (int i = 0; i < body.nq; ++i)
      places.q.emplace_back(body.q + i, theirs->jnt_qposadr[id] + i);
    for (int i = 0; i < body.nv; ++i) places.v.emplace_back(body.v + i, theirs->jnt_dofadr[id] + i);
  }
  return places;
}

// A squat of `fixtures/motion/NAME`, and what came of it.
struct Squat {
  nlohmann::json start;
  std::unique_ptr<Motion> motion;
  std::vector<MotionSample> samples;
  SimulationResult result;
};
std::optional<Squat> SquatOf(const std::string& name, const Robot& robot) {
  const std::string folder = test::Fixtures() + "/motion/" + name + "/";
  Squat squat;
  squat.start = nlohmann::json::parse(test::ReadAll(folder + "start.json"));
  MotionRequest request;
  request.time = kTime, request.rtol = 1e-6, request.rows = kRow;
  request.ground = squat.start["ground"].get<double>();
  for (const auto& [joint, value] : squat.start["set"].items())
    request.set.push_back(joint + "=" + FormatNumber(value.get<double>()));
  for (const nlohmann::json& contact : squat.start["contacts"])
    request.contact.push_back(contact.get<std::string>());
  request.controller_name = folder + "control.json";
  request.controller = test::ReadAll(request.controller_name);
  const FileResolver tables(request.controller_name, {});
  request.controller_files = &tables;
  Diagnostics messages;
  squat.motion = Motion::Prepare(robot, request, messages);
  EXPECT_TRUE(squat.motion) << test::Rendered(messages);
  if (!squat.motion) return std::nullopt;
  squat.result = squat.motion->Run(
      [&](const MotionSample& sample) { squat.samples.push_back(sample); }, nullptr, messages);
  return squat;
}

// Its base comes down and up again; loops and feet stay where they are; work and energy agree.
void ExpectSound(const Squat& squat, double depth) {
  const SimulationResult& result = squat.result;
  ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
  EXPECT_LT(result.phi, 1e-7);
  EXPECT_LT(result.foot_drift, 1e-9);
  EXPECT_LT(result.energy_drift, 1e-6);
  EXPECT_LT(result.friction_stance, 0.5);
  const auto height = [&](const MotionSample& sample) {
    return Poses(squat.motion->system().mechanism(), sample.q)[1].p[2];
  };
  double lowest = 1e300;
  for (const MotionSample& sample : squat.samples) lowest = std::min(lowest, height(sample));
  EXPECT_GT(height(squat.samples.front()) - lowest, depth);
  EXPECT_NEAR(height(squat.samples.back()), height(squat.samples.front()), 0.1 * depth);
  for (const MotionEvent& event : result.events) {
    if (event.kind == "lift-off") { EXPECT_LT(event.time, 0.01); }
  }
}

// The same start and controller in MuJoCo, whose file this is: its base goes the same way.
void ExpectAsMujoco(const Squat& squat, const Model& model, const std::string& text, double length,
                    double pitch) {
  const MotionSystem& system = squat.motion->system();
  const Mechanism& m = system.mechanism();
  const std::vector<MotionSample>& samples = squat.samples;
  const test::MujocoModel mujoco(StiffText(text, squat.start));
  ASSERT_NE(mujoco.model(), nullptr) << mujoco.why();
  const Places places = PlacesIn(mujoco.model(), m, model);
  mjData* const data = mujoco.data();
  // Theirs of a hinge counts from its `ref`.
  const auto zero = [&](int at) {
    for (int j = 0; j < mujoco.model()->njnt; ++j)
      if (mujoco.model()->jnt_qposadr[j] == at && mujoco.model()->jnt_type[j] >= mjJNT_SLIDE)
        return mujoco.model()->qpos0[at];
    return 0.0;
  };
  const RigidTransform X_WB = Poses(m, samples.front().q)[1];
  const Eigen::Vector4d turn = QuaternionFromRotation(X_WB.R);
  std::copy(X_WB.p.data(), X_WB.p.data() + 3, data->qpos);
  std::copy(turn.data(), turn.data() + 4, data->qpos + 3);
  for (const auto& [ours, other] : places.q)
    data->qpos[other] = samples.front().q[ours] + zero(other);
  Eigen::VectorXd q = samples.front().q, v = Eigen::VectorXd::Zero(m.nv), tau(m.nv);
  double worst_height = 0, worst_pitch = 0, worst_forward = 0;
  std::size_t row = 0;
  const std::vector<bool> standing(squat.start["contacts"].size(), true);
  for (int step = 0; step * kTheirs <= kTime + 1e-9; ++step) {
    const double t = step * kTheirs;
    for (const auto& [ours, other] : places.q) q[ours] = data->qpos[other] - zero(other);
    for (const auto& [ours, other] : places.v) v[ours] = data->qvel[other];
    tau.setZero();
    system.options().controller(t, q, v, standing, tau);
    for (const auto& [ours, other] : places.v) data->qfrc_applied[other] = tau[ours];
    while (row < samples.size() && samples[row].t <= t + 1e-9) {
      const Posture ours = PostureOf(Poses(m, samples[row].q)[1]);
      RigidTransform X;
      X.p = Vector3(data->qpos[0], data->qpos[1], data->qpos[2]);
      X.R = RotationFromQuaternion(data->qpos[3], data->qpos[4], data->qpos[5], data->qpos[6]);
      const Posture theirs = PostureOf(X);
      worst_height = std::max(worst_height, std::abs(ours.height - theirs.height));
      worst_pitch = std::max(worst_pitch, std::abs(ours.pitch - theirs.pitch));
      worst_forward = std::max(worst_forward, std::abs(ours.forward - theirs.forward));
      ++row;
    }
    mj_step(mujoco.model(), data);
  }
  EXPECT_EQ(row, samples.size());
  std::cout << "apart by at most " << worst_height << " m in height, " << worst_forward
            << " m forward, " << worst_pitch << " in pitch\n";
  EXPECT_LT(worst_height, length);
  EXPECT_LT(worst_forward, length);
  EXPECT_LT(worst_pitch, pitch);
}

TEST(MujocoStance, CassieSquatsAsOnStiffContacts) {
  if (!std::filesystem::exists(Cassie())) GTEST_SKIP() << "no corpus beside the project";
  const Loaded loaded = LoadFile(Cassie());
  ASSERT_TRUE(loaded.robot);
  const auto squat = SquatOf("cassie_squat", *loaded.robot);
  ASSERT_TRUE(squat);
  ExpectSound(*squat, 0.08);
  ExpectAsMujoco(*squat, loaded.robot->model, test::ReadAll(Cassie()), 1e-5, 3e-5);
}

// On eight points. MuJoCo reads it as portable MJCF: its loops join sites, which Debian's does not
// know. Without dry friction, which each of the two smooths in its own way.
TEST(MujocoStance, AHumanoidSquatsAsOnStiffContacts) {
  const std::string file =
      test::SharedDir() + std::string(
                              "/data/corpus/mjcf/johnnynunez__mujoco_menagerie/"
                              "toddlerbot_2xm/toddlerbot_2xm.xml");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no corpus beside the project";
  Loaded loaded = LoadFile(file);
  ASSERT_TRUE(loaded.robot);
  Model& model = loaded.robot->model;
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    link.visuals.clear(), link.collisions.clear();
  }
  std::erase_if(model.native, [](const NativeData& n) {
    return n.content.name == "texture" || n.content.name == "material" ||
           n.element.starts_with("asset") || n.element.starts_with("contact") ||
           n.element.starts_with("option") || n.element.starts_with("size");
  });
  for (const JointId id : Joints(model))
    for (JointAxis& axis : model.joint(id).axes)
      axis.effort.reset(), axis.effort_lower.reset(), axis.friction.reset();
  const auto squat = SquatOf("toddlerbot_squat", *loaded.robot);
  ASSERT_TRUE(squat);
  ExpectSound(*squat, 0.02);
  ConvertOptions options;
  options.target = test::TargetNamed("mjcf portable");
  Diagnostics messages;
  const std::optional<Converted> converted = Convert(model, options, messages);
  ASSERT_TRUE(converted) << test::Rendered(messages);
  ExpectAsMujoco(*squat, model, converted->text, 2e-4, 1e-3);
}

}  // namespace
}  // namespace kinemorph
#else
TEST(MujocoStance, NeedsMujoco) { GTEST_SKIP() << "libmujoco was not found when this was built"; }
#endif
