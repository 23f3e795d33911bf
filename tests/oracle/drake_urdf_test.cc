// URDF for Drake by others' eyes: MuJoCo imports the tree, an adapter that reads nothing but Drake's
// tags and <mimic> adds their rows, and what is left can move as the source does.
#include <gtest/gtest.h>

#include "command.h"
#include "conversion.h"

#ifdef KINEMORPH_LIBMUJOCO
#include <mujoco/mujoco.h>

#include <Eigen/SVD>
#include <iostream>
#include <memory>
#include <sstream>

#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph::test {
namespace {

// Rows that are zero where the constraints hold.
struct Ball {
  std::string A, B;
  Vector3 p_A, p_B;
};
struct Sum {
  std::vector<std::pair<std::string, double>> terms;
  double constant = 0;
};
struct Tags {
  std::vector<Ball> balls;
  std::vector<Sum> sums;
};

std::vector<double> Numbers(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<double> numbers;
  for (double number; in >> number;) numbers.push_back(number);
  return numbers;
}

// From the meaning of the tags in Drake's documentation alone.
Tags ReadTags(const std::string& text) {
  Tags tags;
  std::string joint;
  double offset = 0;
  for (std::optional<XmlTag> tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
    const std::string_view name = tag->name;
    if (tag->closes) {
      if (name == "drake:tendon_constraint") tags.sums.back().constant -= offset;
      continue;
    }
    const std::string named(tag->Attribute("name").value_or(""));
    const std::string_view value = tag->Attribute("value").value_or("");
    const auto point = [&] {
      const std::vector<double> n = Numbers(value);
      return Vector3(n.at(0), n.at(1), n.at(2));
    };
    if (name == "joint") joint = named;
    if (name == "mimic") {
      const auto number = [&](const char* attribute, double fallback) {
        const auto said = tag->Attribute(attribute);
        return said ? Numbers(*said).at(0) : fallback;
      };
      tags.sums.push_back(
          {{{joint, 1}, {std::string(*tag->Attribute("joint")), -number("multiplier", 1)}},
           number("offset", 0)});
    }
    if (name == "drake:ball_constraint") tags.balls.emplace_back();
    if (name == "drake:ball_constraint_body_A") tags.balls.back().A = named;
    if (name == "drake:ball_constraint_body_B") tags.balls.back().B = named;
    if (name == "drake:ball_constraint_p_AP") tags.balls.back().p_A = point();
    if (name == "drake:ball_constraint_p_BQ") tags.balls.back().p_B = point();
    if (name == "drake:tendon_constraint") tags.sums.emplace_back(), offset = 0;
    if (name == "drake:tendon_constraint_joint")
      tags.sums.back().terms.emplace_back(named, Numbers(*tag->Attribute("a")).at(0));
    if (name == "drake:tendon_constraint_offset") offset = Numbers(value).at(0);
    if (name == "drake:tendon_constraint_upper_limit")
      tags.sums.back().constant = Numbers(value).at(0);
  }
  return tags;
}

class Adapter {
 public:
  Adapter(const std::string& urdf, const std::filesystem::path& file) : tags_(ReadTags(urdf)) {
    std::string text = urdf;
    const std::optional<XmlTag> root = NextTag(text, "robot");
    text.insert(root->end,
                "<mujoco><compiler fusestatic=\"false\" discardvisual=\"false\" "
                "balanceinertia=\"true\" boundmass=\"1e-9\" boundinertia=\"1e-12\"/></mujoco>");
    WriteFile(file, text);
    char error[1000] = "";
    model_.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
    why_ = error;
    if (model_) data_.reset(mj_makeData(model_.get()));
  }
  [[nodiscard]] bool Loaded() const { return model_ != nullptr; }
  [[nodiscard]] const std::string& why() const { return why_; }

  // What can move in closed configurations, by the rank of the rows; -1: none was found.
  int Mobility(unsigned seed) {
    const int nv = model_->nv;
    std::srand(seed);
    mju_copy(data_->qpos, model_->qpos0, model_->nq);
    Eigen::VectorXd dq = 0.1 * Eigen::VectorXd::Random(nv);
    for (int i = 0; i < 100; ++i) {
      mj_integratePos(model_.get(), data_->qpos, dq.data(), 1);
      Rows();
      if (residual_.size() == 0 || nv == 0) return nv;
      if (residual_.cwiseAbs().maxCoeff() < 1e-11) {
        Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian_);
        svd.setThreshold(1e-7);
        return nv - static_cast<int>(svd.rank());
      }
      Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian_, Eigen::ComputeThinU | Eigen::ComputeThinV);
      svd.setThreshold(1e-9);
      dq = -svd.solve(residual_);
      if (dq.norm() > 0.3) dq *= 0.3 / dq.norm();
    }
    return -1;
  }

 private:
  struct Free {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };

  void Rows() {
    const int nv = model_->nv;
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    const auto count = static_cast<Eigen::Index>(3 * tags_.balls.size() + tags_.sums.size());
    residual_.resize(count);
    jacobian_ = Eigen::MatrixXd::Zero(count, nv);
    Eigen::Index row = 0;
    using RowMajor = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
    for (const Ball& ball : tags_.balls) {
      const auto at = [&](const std::string& body, const Vector3& p, RowMajor& J) -> Vector3 {
        // The root, which the import makes the world itself, has no body.
        const int id = std::max(0, mj_name2id(model_.get(), mjOBJ_BODY, body.c_str()));
        const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(data_->xmat +
                                                                               9 * id);
        const Vector3 p_W = Eigen::Map<const Vector3>(data_->xpos + 3 * id) + R * p;
        J = RowMajor::Zero(3, nv);
        mj_jac(model_.get(), data_.get(), J.data(), nullptr, p_W.data(), id);
        return p_W;
      };
      RowMajor J_A, J_B;
      residual_.segment<3>(row) = at(ball.A, ball.p_A, J_A) - at(ball.B, ball.p_B, J_B);
      jacobian_.middleRows<3>(row) = J_A - J_B;
      row += 3;
    }
    for (const Sum& sum : tags_.sums) {
      residual_[row] = -sum.constant;
      for (const auto& [joint, a] : sum.terms) {
        const int id = mj_name2id(model_.get(), mjOBJ_JOINT, joint.c_str());
        if (id < 0) continue;
        residual_[row] += a * data_->qpos[model_->jnt_qposadr[id]];
        jacobian_(row, model_->jnt_dofadr[id]) += a;
      }
      ++row;
    }
  }

  const Tags tags_;
  std::string why_;
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
  Eigen::VectorXd residual_;
  Eigen::MatrixXd jacobian_;
};

struct Tally {
  int files = 0, accepted = 0, same = 0, beyond = 0;
  std::string rest;
};

// Shapes need files, what moves does not; MuJoCo imports free links at the top alone, and has words
// of its own in a URDF.
void LeaveShapesOut(Model& model) {
  for (const JointId id : Joints(model))
    if (Joint& joint = model.joint(id); std::holds_alternative<Free>(joint.kind) && !joint.implicit)
      joint.kind = Fixed{}, joint.axes.clear();
  std::erase_if(model.native, [](const NativeData& data) { return data.element == "mujoco"; });
  for (std::uint32_t i = 0; i < model.num_links(); ++i) {
    Link& link = model.link(LinkId{i});
    link.visuals.clear(), link.collisions.clear();
  }
}

bool LosesMotionOfJoints(const LossReport& report) {
  return std::any_of(report.losses.begin(), report.losses.end(), [](const Loss& loss) {
    return In(loss.feature, feature_group::kLoops | feature_group::kCouplings);
  });
}

void Sweep(const std::vector<std::string>& files, Tally& tally) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "drake.urdf";
  for (const std::string& path : files) {
    Diagnostics reading, converting;
    std::optional<Model> source = ReadFile(path, reading);
    if (!source || reading.has_errors()) continue;
    if (ChooseSpanningTree(*source).loop_joints.empty() && source->couplings.empty()) continue;
    LeaveShapesOut(*source);
    ConvertOptions options;
    options.target = TargetNamed("urdf drake");
    for (const Scope& scope : source->scopes)
      if (!scope.is_world && options.model.empty()) options.model = scope.name;
    const std::optional<Converted> converted = Convert(*source, options, converting);
    if (!converted || LosesMotionOfJoints(converted->lowered.report)) continue;
    ++tally.files;
    Adapter adapter(converted->text, file);
    if (!adapter.Loaded()) {
      tally.rest += path + ": MuJoCo: " + adapter.why() + "\n";
      continue;
    }
    ++tally.accepted;
    CompileOptions held;
    held.hold_base = true;
    const Coordinates expected = AnalyseCoordinates(Compile(converted->lowered.model, held));
    if (!expected.assembles) {
      ++tally.beyond;
      continue;
    }
    int mobility = -1;
    for (unsigned seed = 1; seed <= 20 && mobility < 0; ++seed) mobility = adapter.Mobility(seed);
    if (mobility == expected.mobility)
      ++tally.same;
    else
      tally.rest += path + ": mobility " + std::to_string(mobility) + ", expected " +
                    std::to_string(expected.mobility) + "\n";
  }
}

void Tell(const char* what, const Tally& tally) {
  std::cout << what << ": of " << tally.files << " with loops or couplings " << tally.accepted
            << " imported by MuJoCo, " << tally.same << " of the mobility of the source, "
            << tally.beyond << " that close nowhere\n"
            << tally.rest;
}

TEST(DrakeUrdf, TreeAndTagsOfEveryFixtureMoveAsTheSource) {
  Tally tally;
  for (const char* folder : {"/features", "/mechanisms", "/regressions"})
    Sweep(FilesBelow(Fixtures() + folder, {".sdf", ".urdf", ".xml", ".mbs"}), tally);
  Tell("fixtures", tally);
  EXPECT_GT(tally.files, 20);
  EXPECT_GE(tally.same + tally.beyond, 0.98 * tally.files);
}

TEST(DrakeUrdf, TreeAndTagsOfEveryLoopedModelMoveAsTheSource) {
  Tally tally;
  for (const char* folder : {"corpus", "urdf_plus", "legs", "mbs"})
    Sweep(FilesBelow(std::filesystem::path(Shared()) / folder, {".sdf", ".urdf", ".xml", ".mbs"}),
          tally);
  if (tally.files == 0) GTEST_SKIP() << "no corpus beside the project";
  Tell("corpus", tally);
  EXPECT_GE(tally.same + tally.beyond, 0.9 * tally.files);
}

}  // namespace
}  // namespace kinemorph::test
#else
TEST(DrakeUrdf, Skipped) { GTEST_SKIP() << "built without libmujoco"; }
#endif
