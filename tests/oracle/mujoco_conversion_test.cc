// What we write as MJCF, judged by MuJoCo: it compiles, and its poses, mass matrix, bias forces and
// equality Jacobian at random assembled states are those of the source model.
#include <gtest/gtest.h>

#include "conversion.h"

#ifdef KINEMORPH_LIBMUJOCO
#include <Eigen/SVD>
#include <iostream>
#include <map>

#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/mechanics/dynamics.h"
#include "mujoco_judge.h"
#include "mujoco_text.h"
#include "states.h"

namespace kinemorph {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double kTolerance = 1e-8;

// Only what moves and weighs: geometry, drives and sensors need files, or a newer MuJoCo.
void KeepMechanics(Model& model) {
  for (std::uint32_t i = 0; i < model.num_links(); ++i) {
    Link& link = model.link(LinkId{i});
    link.visuals.clear(), link.collisions.clear(), link.native.clear();
    link.gravity.reset();  // gravcomp came after MuJoCo 2.2
  }
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    joint.native.clear();
    for (JointAxis& axis : joint.axes) axis.effort.reset(), axis.effort_lower.reset();
  }
  for (Coupling& coupling : model.couplings) coupling.native.clear();
  model.native.clear(), model.actuators.clear(), model.sensors.clear(), model.frames.clear(),
      model.contact_exclusions.clear();
}

// What the report says is not as in the source.
bool ChangesMechanics(const LossReport& report) {
  for (const Loss& loss : report.losses) {
    const Feature feature = loss.feature;
    if (feature == Feature::kMasslessLink || feature == Feature::kUnphysicalInertia) return true;
    if (In(feature, feature_group::kLoops | feature_group::kCouplings)) return true;
  }
  return false;
}

// The velocity coordinates of MuJoCo in terms of ours, v_theirs = T v, and its positions.
class Mapping {
 public:
  Mapping(const Model& model, const Mechanism& m, const LossReport& report, const mjModel* mj)
      : model_(model), m_(m), mj_(mj) {
    std::map<std::string, std::string> names;
    for (const NameChange& change : report.names)
      if (change.kind == SubjectKind::kJoint) names[change.from] = change.to;
    int covered = 0;
    for (std::size_t b = 1; b < m.bodies.size(); ++b) {
      const Body& body = m.bodies[b];
      if (body.nv == 0) continue;
      const std::string& ours = model.joint(body.joint).name;
      const auto renamed = names.find(ours);
      const std::string name = renamed == names.end() ? ours : renamed->second;
      const bool whole = body.nv == 1 ? !std::holds_alternative<Screw>(body.kind)
                                      : std::holds_alternative<Ball>(body.kind) || IsFree(body);
      std::vector<int> joints;
      const std::size_t pieces = whole ? 1
                                 : std::holds_alternative<Screw>(body.kind)
                                     ? 2
                                     : static_cast<std::size_t>(body.nv);
      for (std::size_t i = 1; i <= pieces; ++i) {
        const int joint =
            mj_name2id(mj, mjOBJ_JOINT, (whole ? name : name + "_" + std::to_string(i)).c_str());
        if (joint < 0) return;
        joints.push_back(joint);
        covered += mj->jnt_type[joint] == mjJNT_FREE   ? 6
                   : mj->jnt_type[joint] == mjJNT_BALL ? 3
                                                       : 1;
      }
      const int type = mj->jnt_type[joints.front()];
      if ((type == mjJNT_FREE) != IsFree(body) ||
          (type == mjJNT_BALL) != std::holds_alternative<Ball>(body.kind))
        return;
      if (body.reversed && (IsFree(body) || type == mjJNT_BALL)) return;
      joints_of_.push_back({static_cast<int>(b), std::move(joints)});
    }
    complete_ = covered == mj->nv;
  }
  /// Every coordinate of MuJoCo is one of ours.
  [[nodiscard]] bool complete() const { return complete_; }

  void Set(const Eigen::VectorXd& q, const Eigen::VectorXd& v, mjData* data) {
    JointCache joints(m_);
    UpdateJoints(m_, q.data(), v.data(), joints);
    const std::vector<RigidTransform> X_WB = Poses(m_, q);
    const std::vector<Vector6> V = Velocities(m_, joints, v);
    T = Eigen::MatrixXd::Zero(mj_->nv, m_.nv);
    T_rate_v = Eigen::VectorXd::Zero(mj_->nv);
    for (const auto& [b, ids] : joints_of_) {
      const Body& body = m_.bodies[static_cast<std::size_t>(b)];
      const RigidTransform& X = X_WB[static_cast<std::size_t>(b)];
      const auto S = joints.S.middleCols(body.v, body.nv);
      const int qpos = mj_->jnt_qposadr[ids[0]], dof = mj_->jnt_dofadr[ids[0]];
      if (IsFree(body)) {
        Eigen::Map<Eigen::Vector3d>(data->qpos + qpos) = X.p;
        Eigen::Map<Eigen::Vector4d>(data->qpos + qpos + 3) = QuaternionFromRotation(X.R);
        T.block(dof, body.v, 3, 6) = X.R * S.bottomRows(3);
        T.block(dof + 3, body.v, 3, 6) = S.topRows(3);
        const Vector6& W = V[static_cast<std::size_t>(b)];
        T_rate_v.segment<3>(dof) = X.R * W.head<3>().cross(W.tail<3>());
      } else if (std::holds_alternative<Ball>(body.kind)) {
        const int theirs = mj_->jnt_bodyid[ids[0]];
        const double* zero = mj_->body_quat + 4 * theirs;
        const Matrix3 R0 = RotationFromQuaternion(zero[0], zero[1], zero[2], zero[3]);
        Eigen::Map<Eigen::Vector4d>(data->qpos + qpos) =
            QuaternionFromRotation(R0.transpose() * joints.X_PB[static_cast<std::size_t>(b)].R);
        T.block(dof, body.v, 3, 3) = S.topRows(3);
      } else {
        for (std::size_t i = 0; i < ids.size(); ++i) {
          const auto* screw = std::get_if<Screw>(&body.kind);
          const int own = screw != nullptr ? 0 : static_cast<int>(i);
          const double scale = screw != nullptr && i == 1 ? screw->pitch : 1;
          const std::vector<JointAxis>& axes = model_.joint(body.joint).axes;
          const double offset =
              screw == nullptr ? axes[static_cast<std::size_t>(own)].position_offset : 0;
          data->qpos[mj_->jnt_qposadr[ids[i]]] = scale * q[body.q + own] + offset;
          T(mj_->jnt_dofadr[ids[i]], body.v + own) = scale;
        }
      }
    }
    Eigen::Map<Eigen::VectorXd>(data->qvel, mj_->nv) = T * v;
  }

  Eigen::MatrixXd T;
  Eigen::VectorXd T_rate_v;

 private:
  static bool IsFree(const Body& body) { return std::holds_alternative<Free>(body.kind); }
  const Model& model_;
  const Mechanism& m_;
  const mjModel* mj_;
  std::vector<std::pair<int, std::vector<int>>> joints_of_;  // body, joints of MuJoCo
  bool complete_ = false;
};

struct Tally {
  int direct = 0, lowered = 0, refused = 0, sites = 0, large = 0, unread = 0;
};

double Force(const Model& model, const Mechanism& m) {
  double mass = 0;
  for (const LinkId id : Links(model))
    if (model.link(id).inertial) mass += model.link(id).inertial->mass;
  return mass * 9.81 * m.length;
}

void CompareStates(const Model& model, const Mechanism& m, Mapping& map,
                   const test::MujocoModel& mujoco, const std::string& what) {
  mjModel* mj = mujoco.model();
  mjData* data = mujoco.data();
  mj->opt.jacobian = mjJAC_DENSE;
  const Coordinates c = AnalyseCoordinates(m);
  if (!c.assembles) return;
  ClosureSolver solver(m);
  Random random(7);
  int judged = 0;
  for (int i = 0; i < 10; ++i) {
    const test::State s = test::RandomClosedState(m, c, solver, random, 0.3);
    map.Set(s.q, s.v, data);
    mj_forward(mj, data);
    const std::vector<RigidTransform> X_WB = Poses(m, s.q);
    for (std::size_t b = 1; b < m.bodies.size(); ++b) {
      const int theirs = mj_name2id(mj, mjOBJ_BODY, model.link(m.bodies[b].link).name.c_str());
      if (theirs < 0) continue;
      const Eigen::Map<const Vector3> p(data->xpos + 3 * theirs);
      ASSERT_LT((p - X_WB[b].p).norm(), kTolerance * std::max(1.0, m.length))
          << what << ": " << model.link(m.bodies[b].link).name;
    }
    Rows M(mj->nv, mj->nv);
    mj_fullM(mj, M.data(), data->qM);
    if (m.nv == 0) return;
    const Eigen::MatrixXd ours = MassMatrix(m, s.q);
    const double scale =
        ours.cwiseAbs().maxCoeff();  // a model without any mass has the least that MuJoCo takes
    ASSERT_LT((map.T.transpose() * M * map.T - ours).cwiseAbs().maxCoeff(),
              kTolerance * (scale > 1e-9 ? scale : 1))
        << what;
    const Eigen::Map<const Eigen::VectorXd> bias(data->qfrc_bias, mj->nv);
    const Eigen::VectorXd our_bias = Bias(m, s.q, s.v);
    const double force = std::max(our_bias.lpNorm<Eigen::Infinity>(), 1e-3 * Force(model, m));
    ASSERT_LT((map.T.transpose() * (bias + M * map.T_rate_v) - our_bias).lpNorm<Eigen::Infinity>(),
              kTolerance * (force > 0 ? force : 1))
        << what;
    ASSERT_TRUE(data->ne > 0 || c.rank == 0) << what;
    if (data->ne == 0 || m.rows == 0) continue;
    ASSERT_LT(Eigen::Map<const Eigen::VectorXd>(data->efc_pos, data->ne).lpNorm<Eigen::Infinity>(),
              kTolerance * std::max(1.0, m.length))
        << what;
    // Near a singular posture the rank is a matter of taste.
    const Eigen::MatrixXd K = Constraints(m, s.q, s.v).K;
    const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(K).singularValues();
    if (GapRank(sigma) != c.rank || (c.rank > 0 && sigma[c.rank - 1] < 1e-4 * sigma[0])) continue;
    // Rows differ (world axes; a hinge is two points there), the motions they leave do not.
    const Eigen::MatrixXd J = Eigen::Map<const Rows>(data->efc_J, data->ne, mj->nv) * map.T;
    const Embedding e = Embed(m, c, s.q, s.v);
    // The state is closed to 1e-10, and its free motions are known as well as the smallest singular
    // value allows.
    const double known = c.rank > 0 ? sigma[c.rank - 1] / sigma[0] : 1;
    if (e.G.cols() > 0) {
      const double own =
          (K * e.G)
              .cwiseAbs()
              .maxCoeff();  // rows that a drawing of few digits makes nearly redundant
      ASSERT_LT((J * e.G).cwiseAbs().maxCoeff(),
                kTolerance * std::max(1.0, e.G.cwiseAbs().maxCoeff()) / known + 10 * own)
          << what;
    }
    ASSERT_EQ(GapRank(Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues()), c.rank) << what;
    ++judged;
  }
  EXPECT_TRUE(c.rank == 0 || judged > 0) << what << ": every state is nearly singular";
}

void Judge(const std::string& path, Tally& tally) {
  Diagnostics diagnostics;
  std::optional<Model> source = test::ReadFile(path, diagnostics);
  if (!source) {
    ++tally.unread;
    return;
  }
  KeepMechanics(*source);
  ConvertOptions options;
  options.target = test::TargetNamed("mjcf");
  const std::optional<Converted> converted = Convert(*source, options, diagnostics);
  ASSERT_TRUE(converted) << path << "\n" << test::Rendered(diagnostics);
  const LossReport& report = converted->lowered.report;
  if (converted->text.find("site1=") != std::string::npos) {
    ++tally.sites;  // MuJoCo 3.2.3 and newer
    return;
  }
  const test::MujocoModel mujoco(converted->text);
  if (mujoco.model() == nullptr) {
    EXPECT_TRUE(ChangesMechanics(report)) << path << ": " << mujoco.why();
    ++tally.refused;
    return;
  }
  source->gravity = GravityIn(test::TargetNamed(source->format), *source);  // by silence, too
  const Mechanism of_source = Compile(*source);
  if (of_source.nv > 80) {  // the time is better spent on many models
    ++tally.large;
    return;
  }
  Mapping direct(*source, of_source, report, mujoco.model());
  if (direct.complete() && !ChangesMechanics(report)) {
    ++tally.direct;
    CompareStates(*source, of_source, direct, mujoco, path);
    return;
  }
  // Other coordinates (another cut, a split loop joint): MuJoCo against the lowered model, and that
  // against the source.
  ++tally.lowered;
  const Mechanism of_lowered = Compile(converted->lowered.model);
  Mapping map(converted->lowered.model, of_lowered, {}, mujoco.model());
  ASSERT_TRUE(map.complete()) << path;
  CompareStates(converted->lowered.model, of_lowered, map, mujoco, path);
  VerifyOptions verify;
  verify.report = &report;
  const VerifyResult proof = VerifyEquivalent(*source, converted->lowered.model, verify);
  EXPECT_TRUE(proof.equivalent) << path << "\n" << test::Rendered(proof.diagnostics);
}

void Judged(const std::vector<std::string>& files) {
  Tally tally;
  for (const std::string& file : files) Judge(file, tally);
  std::ostringstream text;
  text << tally.direct << " equal to the source, " << tally.lowered
       << " through the lowered model, " << tally.refused << " refused as the report says, "
       << tally.sites << " with loops between sites, " << tally.large << " large, " << tally.unread
       << " not readable\n";
  std::cout << text.str();
  EXPECT_GE(static_cast<std::size_t>(tally.direct + tally.lowered) * 10,
            (files.size() - static_cast<std::size_t>(tally.unread + tally.large)) * 9);
}

// Every file with loops or couplings, and each `stride`-th of the others.
std::vector<std::string> Chosen(const std::vector<std::string>& files,
                                const std::vector<std::string>& marks, std::size_t stride) {
  std::vector<std::string> chosen;
  std::size_t others = 0;
  for (const std::string& file : files) {
    const std::string text = test::ReadAll(file);
    const bool looped = std::any_of(marks.begin(), marks.end(), [&](const std::string& mark) {
      return text.find(mark) != std::string::npos;
    });
    if (looped || others++ % stride == 0) chosen.push_back(file);
  }
  return chosen;
}

TEST(MujocoConversion, TheMechanisms) {
  Judged(test::FilesBelow(test::Fixtures() + "/mechanisms", {".urdf", ".sdf", ".xml", ".mbs"}));
}

TEST(MujocoConversion, UrdfPlus) {
  const std::vector<std::string> files = test::FilesBelow(test::Shared() + "/urdf_plus", {".urdf"});
  if (files.empty()) GTEST_SKIP() << "the shared data is not here";
  Judged(files);
}

TEST(MujocoConversion, Urdf) {
  const std::vector<std::string> files =
      test::FilesBelow(test::Shared() + "/corpus/urdf", {".urdf"});
  if (files.empty()) GTEST_SKIP() << "the shared data is not here";
  Judged(Chosen(files, {"<mimic"}, 3));
}

TEST(MujocoConversion, Sdf) {
  const std::vector<std::string> files = test::FilesBelow(test::Shared() + "/corpus/sdf", {".sdf"});
  if (files.empty()) GTEST_SKIP() << "the shared data is not here";
  Judged(Chosen(files, {"gearbox", "screw", "universal", "revolute2", "ball"}, 3));
}

TEST(MujocoConversion, Mjcf) {
  std::string why;
  const auto corpus = StubbedCorpus(why);
  if (!corpus) GTEST_SKIP() << why;
  std::vector<std::string> files;
  for (const std::string& file : CorpusMains()) files.push_back((*corpus / file).string());
  Judged(Chosen(files, {"<equality"}, 3));
}

}  // namespace
}  // namespace kinemorph
#else
TEST(MujocoConversion, NeedsMujoco) {
  GTEST_SKIP() << "libmujoco was not found when this was built";
}
#endif
