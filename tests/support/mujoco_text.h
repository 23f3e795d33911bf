// Our mechanism as MuJoCo sees it: MJCF text written here from the compiled bodies (not by the
// converter under test), and the loaded model. Revolute, prismatic and ball tree joints; ball
// loops, and revolute loops as the ball that closes them in the plane.
#pragma once

#include <mujoco/mujoco.h>
#include <unistd.h>

#include <Eigen/Eigenvalues>
#include <cstdio>
#include <filesystem>
#include <string>

#include "kinemorph/graph/mechanics/kinematics.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph::test {

inline std::string MujocoNumbers(const Eigen::Ref<const Eigen::VectorXd>& v) {
  std::string text;
  for (Eigen::Index i = 0; i < v.size(); ++i) text += (i > 0 ? " " : "") + FormatNumber(v[i]);
  return text;
}

inline std::string MujocoBody(const Mechanism& m, const Model& model, int index,
                              const JointCache& zero) {
  const Body& body = m.bodies[static_cast<std::size_t>(index)];
  const RigidTransform& X = zero.X_PB[static_cast<std::size_t>(index)];
  std::string text = "<body name=\"" + model.link(body.link).name + "\" pos=\"" +
                     MujocoNumbers(X.p) + "\" quat=\"" +
                     MujocoNumbers(QuaternionFromRotation(X.R)) + "\">\n";
  if (body.nv == 1) {
    const Vector6 S = zero.S.col(body.v);
    const bool turns = !S.head<3>().isZero(1e-12);
    // A hinge passes through axis x v (nearest the origin), a slide has no place.
    const Vector3 axis = turns ? Vector3(S.head<3>()) : Vector3(S.tail<3>()),
                  at = turns ? Vector3(axis.cross(S.tail<3>())) : Vector3::Zero();
    text += std::string("<joint type=\"") + (turns ? "hinge" : "slide") + "\" pos=\"" +
            MujocoNumbers(at) + "\" axis=\"" + MujocoNumbers(axis) + "\" armature=\"" +
            FormatNumber(m.armature[static_cast<std::size_t>(body.v)]) + "\"/>\n";
  }
  const SpatialInertia& I = body.inertia;
  // Principal axes from here: MuJoCo's own are good to eight digits only.
  const Eigen::SelfAdjointEigenSolver<Matrix3> principal(I.I_BBcm);
  Matrix3 axes = principal.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  text += "<inertial mass=\"" + FormatNumber(I.mass) + "\" pos=\"" + MujocoNumbers(I.p_BoBcm) +
          "\" quat=\"" + MujocoNumbers(QuaternionFromRotation(axes)) + "\" diaginertia=\"" +
          MujocoNumbers(principal.eigenvalues()) + "\"/>\n";
  for (int child = index + 1; child < static_cast<int>(m.bodies.size()); ++child) {
    if (m.bodies[static_cast<std::size_t>(child)].parent == index)
      text += MujocoBody(m, model, child, zero);
  }
  return text + "</body>\n";
}

inline std::string MujocoText(const Mechanism& m, const Model& model) {
  JointCache zero(m);
  UpdateJoints(m, m.ZeroPosition().data(), nullptr, zero);
  std::string text =
      "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><size nconmax=\"1000\" "
      "njmax=\"2000\"/>\n<option gravity=\"" +
      MujocoNumbers(m.gravity) +
      "\" jacobian=\"dense\" solver=\"Newton\" tolerance=\"1e-12\"/>\n<worldbody>\n";
  for (int b = 1; b < static_cast<int>(m.bodies.size()); ++b) {
    if (m.bodies[static_cast<std::size_t>(b)].parent == 0) text += MujocoBody(m, model, b, zero);
  }
  text += "</worldbody>\n<equality>\n";
  for (const Aggregate& g : m.aggregates) {
    for (const LoopConstraint& loop : g.loops) {
      const Joint& joint = model.joint(loop.joint);
      const LinkId p = model.predecessor(loop.joint), s = model.successor(loop.joint);
      // MuJoCo takes the second anchor from the zero configuration.
      const bool from_s = p == kWorld;
      const LinkId first = from_s ? s : p, second = from_s ? p : s;
      text += "<connect body1=\"" + model.link(first).name + "\"" +
              (second == kWorld ? "" : " body2=\"" + model.link(second).name + "\"") +
              " anchor=\"" + MujocoNumbers(from_s ? joint.X_SM.p : joint.X_PF.p) + "\"/>\n";
    }
  }
  return text + "</equality></mujoco>\n";
}

class MujocoModel {
 public:
  MujocoModel(const Mechanism& m, const Model& model) : MujocoModel(MujocoText(m, model)) {}
  explicit MujocoModel(const std::string& text) {
    static int count = 0;
    const std::string path =
        (std::filesystem::temp_directory_path() /
         ("kinemorph_mujoco_" + std::to_string(getpid()) + "_" + std::to_string(count++) + ".xml"))
            .string();
    if (std::FILE* file = std::fopen(path.c_str(), "w")) {
      std::fwrite(text.data(), 1, text.size(), file);
      std::fclose(file);
    }
    char error[1000] = "";
    model_ = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
    std::remove(path.c_str());
    why_ = error;
    if (model_ != nullptr) data_ = mj_makeData(model_);
  }
  ~MujocoModel() {
    if (data_ != nullptr) mj_deleteData(data_);
    if (model_ != nullptr) mj_deleteModel(model_);
  }
  MujocoModel(const MujocoModel&) = delete;
  MujocoModel& operator=(const MujocoModel&) = delete;
  [[nodiscard]] mjModel* model() const { return model_; }
  [[nodiscard]] mjData* data() const { return data_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  void SetState(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    for (Eigen::Index i = 0; i < q.size(); ++i) data_->qpos[i] = q[i];
    for (Eigen::Index i = 0; i < v.size(); ++i) data_->qvel[i] = v[i];
  }

 private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::string why_;
};

}  // namespace kinemorph::test
