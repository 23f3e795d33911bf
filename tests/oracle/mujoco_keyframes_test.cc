// The keyframes of `simulate --keyframes`, judged by MuJoCo: in the MJCF that `convert` makes of the
// same file, each closes the loops, and each body stands and moves as in the row of the table.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBMUJOCO
#include <mujoco/mujoco.h>

#include <map>
#include <memory>
#include <regex>

#include "command.h"
#include "conversion.h"
#include "kinemorph/gateway.h"

namespace kinemorph {
namespace {

namespace fs = std::filesystem;

constexpr double kStands = 1e-9;  // m, rad
constexpr double kMoves = 1e-8;   // m/s, rad/s

test::CommandResult Run(const std::string& arguments, const fs::path& folder) {
  return test::Shell(std::string(KINEMORPH_COMMAND) + " " + arguments, folder);
}

// Columns of the table that begin so, in their order, row by row.
std::vector<Eigen::VectorXd> Columns(const std::string& csv, const std::string& prefix) {
  std::istringstream lines(csv);
  std::vector<bool> wanted;
  std::vector<Eigen::VectorXd> rows;
  std::string line, cell;
  std::getline(lines, line);
  for (std::istringstream header(line); std::getline(header, cell, ',');)
    wanted.push_back(cell.starts_with(prefix) || cell.starts_with('"' + prefix));
  while (std::getline(lines, line)) {
    std::vector<double> values;
    std::size_t at = 0;
    for (std::istringstream cells(line); std::getline(cells, cell, ','); ++at)
      if (wanted[at]) values.push_back(std::stod(cell));
    rows.push_back(
        Eigen::Map<Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())));
  }
  return rows;
}

struct Keys {
  test::TemporaryFolder folder;
  std::string why;  ///< there are none
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};
};

// Moves the robot, converts it, and lets MuJoCo read both. What this MuJoCo is too old to know is
// taken out.
void Make(const std::string& path, Keys& keys) {
  const fs::path& folder = keys.folder.path();
  const test::CommandResult moved =
      Run("simulate '" + path + "' -o m.csv --keyframes keys.xml --time 0.2 --rows 0.05", folder);
  keys.why = moved.exit_code == 0 ? "" : moved.err;
  if (!keys.why.empty()) return;
  const test::CommandResult converted = Run("convert '" + path + "' -o robot.xml", folder);
  keys.why = converted.exit_code == 0 ? "" : converted.err;
  if (!keys.why.empty()) return;
  const std::regex newer(" (actuatorfrclimited|actuatorfrcrange|actuatorgravcomp)=\"[^\"]*\"");
  test::WriteFile(folder / "robot.xml",
                  std::regex_replace(test::FileText(folder / "robot.xml"), newer, ""));
  test::WriteFile(folder / "all.xml",
                  "<mujoco><size njmax=\"2000\"/><include file=\"robot.xml\"/>"
                  "<include file=\"keys.xml\"/></mujoco>");
  char error[1000] = "";
  keys.model.reset(mj_loadXML((folder / "all.xml").c_str(), nullptr, error, sizeof error));
  keys.why = error;
}

void CheckKey(const mjModel* m, mjData* d, int key, const Mechanics& ours, const Model& model,
              const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  mj_resetDataKeyframe(m, d, key);
  mj_forward(m, d);
  for (int row = 0; row < d->nefc; ++row) {
    if (d->efc_type[row] != mjCNSTR_EQUALITY) continue;
    EXPECT_NEAR(d->efc_pos[row], 0, kStands) << "an open loop";
    EXPECT_NEAR(d->efc_vel[row], 0, kMoves) << "a loop that opens";
  }
  const std::vector<RigidTransform> X_WL = ours.LinkPoses(q);
  JointCache joints(ours.mechanism());
  const Eigen::VectorXd own = ours.FromFile(q);
  UpdateJoints(ours.mechanism(), own.data(), v.data(), joints);
  const std::vector<Vector6> V = Velocities(ours.mechanism(), joints, v);
  for (const LinkId link : Links(model)) {
    const int body = mj_name2id(m, mjOBJ_BODY, model.link(link).name.c_str());
    if (body < 0) continue;
    const RigidTransform& X = X_WL[Index(link)];
    const Eigen::Map<const Vector3> p(d->xpos + 3 * body);
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(d->xmat + 9 * body);
    EXPECT_LT((p - X.p).norm(), kStands) << model.link(link).name;
    EXPECT_LT((R - X.R).norm(), kStands) << model.link(link).name;
    Vector6 theirs;
    mj_objectVelocity(m, d, mjOBJ_XBODY, body, theirs.data(), 1);
    const auto at = static_cast<std::size_t>(ours.mechanism().body_of[Index(link)]);
    EXPECT_LT((theirs - V[at]).norm(), kMoves) << model.link(link).name;
  }
}

void Check(const std::string& path, const Keys& keys) {
  const Loaded loaded = LoadFile(path);
  ASSERT_TRUE(loaded.robot);
  const Mechanics ours(loaded.robot->model);
  const std::string csv = test::FileText(keys.folder / "m.csv");
  const auto q = Columns(csv, "q."), v = Columns(csv, "v.");
  ASSERT_EQ(static_cast<std::size_t>(keys.model->nkey), q.size());
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(keys.model.get()),
                                                        mj_deleteData);
  for (std::size_t key = 0; key < q.size(); ++key)
    CheckKey(keys.model.get(), data.get(), static_cast<int>(key), ours, loaded.robot->model, q[key],
             v[key]);
}

void Judge(const std::string& path) {
  SCOPED_TRACE(path);
  Keys keys;
  Make(path, keys);
  ASSERT_TRUE(keys.model) << keys.why;
  Check(path, keys);
}

std::vector<std::string> RobotsOf(const std::string& folder) {
  return test::FilesBelow(test::Fixtures() + folder, {".urdf", ".sdf", ".xml", ".mbs"});
}

TEST(MujocoKeyframes, TheMechanisms) {
  const std::vector<std::string> robots = RobotsOf("/mechanisms");
  EXPECT_GT(robots.size(), 30u);
  for (const std::string& path : robots) Judge(path);
}

// Loops, couplings and joints of every kind. Left out are files that no MuJoCo of this age reads
// (gravcomp, nsample), that name files which are not there, or that need another file.
TEST(MujocoKeyframes, TheFeatures) {
  const std::regex left_out(
      ".*/(link-gravity|sensor|urdf-gazebo-tags|material-texture|unknown-mass|urdf-namespaces)/.*");
  for (const std::string& path : RobotsOf("/features"))
    if (!std::regex_match(path, left_out)) Judge(path);
}

// No fixture has such a loop: a block that also turns about the line on which it slides.
TEST(MujocoKeyframes, ACylindricalLoop) {
  const test::TemporaryFolder folder;
  std::string text =
      test::ReadAll(test::Fixtures() + "/features/loop-prismatic/loop-prismatic.urdf");
  const std::string type = "<loop name=\"slot\" type=\"prismatic\">";
  ASSERT_NE(text.find(type), std::string::npos);
  text.replace(text.find(type), type.size(), "<loop name=\"slot\" type=\"cylindrical\">");
  test::WriteFile(folder / "cylindrical.urdf", text);
  Judge((folder / "cylindrical.urdf").string());
}

}  // namespace
}  // namespace kinemorph
#endif
