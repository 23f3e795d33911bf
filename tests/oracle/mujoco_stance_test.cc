// Cassie stands and squats on its closed ankles, by kinemorph and by MuJoCo on stiff contacts.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBMUJOCO
#include <tinyxml2.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "conversion.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/gateway.h"
#include "kinemorph/gateway/motion.h"
#include "kinemorph/graph/mechanics/kinematics.h"
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
std::string Squat(const std::string& file) {
  return test::Fixtures() + "/motion/cassie_squat/" + file;
}

// How the base stands: its height, and its pitch (z of its x axis).
struct Posture {
  double height = 0, pitch = 0, forward = 0;
};
Posture PostureOf(const RigidTransform& X_WB) { return {X_WB.p[2], X_WB.R(2, 0), X_WB.p[0]}; }

// The file without what it looks like, its loops and ground stiff, a ball at every foot.
std::string StiffText(const nlohmann::json& start) {
  tinyxml2::XMLDocument file;
  EXPECT_EQ(file.LoadFile(Cassie().c_str()), tinyxml2::XML_SUCCESS);
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
    const std::string text = contact.get<std::string>();
    const std::size_t colon = text.find(':');
    std::string at = text.substr(colon + 1);
    std::replace(at.begin(), at.end(), ',', ' ');
    geom(bodies.at(text.substr(0, colon)), "sphere", at, std::to_string(kBall));
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

TEST(MujocoStance, CassieSquatsAsOnStiffContacts) {
  if (!std::filesystem::exists(Cassie())) GTEST_SKIP() << "no corpus beside the project";
  const auto start = nlohmann::json::parse(test::ReadAll(Squat("start.json")));
  const Loaded loaded = LoadFile(Cassie());
  ASSERT_TRUE(loaded.robot);
  MotionRequest request;
  request.time = kTime, request.rtol = 1e-6, request.rows = kRow;
  request.ground = start["ground"].get<double>();
  for (const auto& [joint, value] : start["set"].items())
    request.set.push_back(joint + "=" + FormatNumber(value.get<double>()));
  for (const nlohmann::json& contact : start["contacts"])
    request.contact.push_back(contact.get<std::string>());
  request.controller = test::ReadAll(Squat("control.json"));
  request.controller_name = Squat("control.json");
  const FileResolver tables(request.controller_name, {});
  request.controller_files = &tables;
  Diagnostics messages;
  const auto motion = Motion::Prepare(*loaded.robot, request, messages);
  ASSERT_TRUE(motion) << test::Rendered(messages);
  const Mechanism& m = motion->system().mechanism();
  std::vector<MotionSample> samples;
  const SimulationResult result = motion->Run(
      [&](const MotionSample& sample) { samples.push_back(sample); }, nullptr, messages);
  ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;
  EXPECT_LT(result.phi, 1e-9);
  EXPECT_LT(result.foot_drift, 1e-9);
  EXPECT_LT(result.energy_drift, 1e-6);
  EXPECT_LT(result.friction_stance, 0.5);

  const test::MujocoModel mujoco(StiffText(start));
  ASSERT_NE(mujoco.model(), nullptr) << mujoco.why();
  const Places places = PlacesIn(mujoco.model(), m, loaded.robot->model);
  mjData* const data = mujoco.data();
  // Theirs of a hinge counts from its `ref`.
  const auto zero = [&](int at) {
    for (int j = 0; j < mujoco.model()->njnt; ++j)
      if (mujoco.model()->jnt_qposadr[j] == at && mujoco.model()->jnt_type[j] >= mjJNT_SLIDE)
        return mujoco.model()->qpos0[at];
    return 0.0;
  };
  const auto put = [&](const MotionSample& sample) {
    const RigidTransform X_WB = Poses(m, sample.q)[1];
    const Eigen::Vector4d turn = QuaternionFromRotation(X_WB.R);
    std::copy(X_WB.p.data(), X_WB.p.data() + 3, data->qpos);
    std::copy(turn.data(), turn.data() + 4, data->qpos + 3);
    for (const auto& [ours, other] : places.q) data->qpos[other] = sample.q[ours] + zero(other);
  };
  put(samples.front());
  Eigen::VectorXd q = samples.front().q, v = Eigen::VectorXd::Zero(m.nv), tau(m.nv);
  double lowest = 1e300, highest = -1e300, worst_height = 0, worst_pitch = 0, worst_forward = 0;
  std::size_t row = 0;
  for (int step = 0; step * kTheirs <= kTime + 1e-9; ++step) {
    const double t = step * kTheirs;
    for (const auto& [ours, other] : places.q) q[ours] = data->qpos[other] - zero(other);
    for (const auto& [ours, other] : places.v) v[ours] = data->qvel[other];
    tau.setZero();
    motion->system().options().controller(t, q, v, {true, true, true, true}, tau);
    for (const auto& [ours, other] : places.v) data->qfrc_applied[other] = tau[ours];
    while (row < samples.size() && samples[row].t <= t + 1e-9) {
      const Posture ours = PostureOf(Poses(m, samples[row].q)[1]);
      RigidTransform X_WB;
      X_WB.p = Vector3(data->qpos[0], data->qpos[1], data->qpos[2]);
      X_WB.R = RotationFromQuaternion(data->qpos[3], data->qpos[4], data->qpos[5], data->qpos[6]);
      const Posture theirs = PostureOf(X_WB);
      worst_height = std::max(worst_height, std::abs(ours.height - theirs.height));
      worst_pitch = std::max(worst_pitch, std::abs(ours.pitch - theirs.pitch));
      worst_forward = std::max(worst_forward, std::abs(ours.forward - theirs.forward));
      lowest = std::min(lowest, theirs.height), highest = std::max(highest, theirs.height);
      ++row;
    }
    mj_step(mujoco.model(), data);
  }
  EXPECT_EQ(row, samples.size());
  EXPECT_GT(highest - lowest, 0.06) << "it squats";
  std::cout << "squat of " << highest - lowest << " m; apart by at most " << worst_height
            << " m in height, " << worst_forward << " m forward, " << worst_pitch << " in pitch\n";
  EXPECT_LT(worst_height, 1e-4);
  EXPECT_LT(worst_forward, 1e-4);
  EXPECT_LT(worst_pitch, 1e-4);
}

}  // namespace
}  // namespace kinemorph
#else
TEST(MujocoStance, NeedsMujoco) { GTEST_SKIP() << "libmujoco was not found when this was built"; }
#endif
