// The steps from an MbsFile to a model, and what they share.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "kinemorph/graph/base/unique_names.h"
#include "mbs_file.h"
#include "read/build_model.h"
#include "read/chain_fold.h"
#include "user_data.h"

namespace kinemorph::mbs {

inline constexpr std::size_t kBase = BuiltModel::kNoBody;  ///< as a body index: the base

/// One use: ModelBuilder(...).Build().
class ModelBuilder {
 public:
  ModelBuilder(const MbsFile& file, const xml::Context& context)
      : file_(file), context_(context), data_(FindJointData(file.user_models)) {}

  BuiltModel Build();

 private:
  Diagnostic& Report(Severity severity, std::string code, SourceLocation where,
                     Statement statement);
  void Error(std::string code, SourceLocation where, Statement statement) {
    Report(Severity::kError, std::move(code), where, std::move(statement));
  }
  void Warn(std::string code, SourceLocation where, Statement statement) {
    Report(Severity::kWarning, std::move(code), where, std::move(statement));
  }

  void Register(UniqueNames& table, const char* kind, const std::string& name,
                SourceLocation where);
  void IndexPoints(const std::vector<FilePoint>& points, std::size_t body, UniqueNames& sensors,
                   UniqueNames& forces);
  void IndexNames();
  // The body of a name; nothing with an error when there is none.
  bool FindBody(const std::string& name, SourceLocation where, const std::string& subject,
                std::size_t& body);
  Vector3 FindPoint(std::size_t body, const std::string& name, SourceLocation where,
                    const std::string& subject);
  // Parents and anchors; bodies from the base outwards.
  void OrderBodies();
  void ResolveCuts();
  [[nodiscard]] bool IsMassless(const FileBody& body) const;
  // A massless leaf that only serves one solid cut: its joints are the loop joint's.
  [[nodiscard]] bool IsCopy(std::size_t i);
  void FindCopies();
  void FoldBodies();
  [[nodiscard]] LinkId LinkOf(std::size_t body) const {
    return body == kBase ? kWorld : out_.link_of_body[body];
  }

  void AddLinks();
  [[nodiscard]] static Inertial ReadInertial(const FileBody& body);
  Joint ToJoint(const FoldedJoint& folded, JointRole role);
  // Where the file's joints went, for couplings and actuators.
  void Remember(const FoldedJoint& folded, JointId id);
  void AddTreeJoints();
  void AddCuts();
  // Point to point (ball), or body frame to body frame (solid).
  void AddCut(std::size_t c);
  // The copy L hangs on P by the loop joint; the cut says L and the successor S coincide: X_SM =
  // Trans(p_S - p_L) X_LM.
  void AddSplitJoint(std::size_t c);
  // A massless rod: universal joint at one end, ball at the other, net one constraint. It is drawn
  // pointing at its other end.
  void AddRod(std::size_t c);
  void ComputePoses();
  [[nodiscard]] RigidTransform Pose(std::size_t body) const {
    return body == kBase ? RigidTransform() : poses_[body];
  }

  // Points nobody refers to are frames; those that carry a sensor are that sensor.
  void AddPoints();
  void AddSensors(std::size_t body, const std::vector<FilePoint>& points);
  template <class Visit>
  void ForEachFramePoint(Visit visit) const {
    const auto visit_all = [&](std::size_t body, const std::vector<FilePoint>& points) {
      for (const FilePoint& point : points) {
        const bool used =
            used_points_.Has(std::to_string(body + 1) + "/" + point.name) || !point.sensor.empty();
        if (!used || !point.extforce.empty()) visit(body, point);
      }
    };
    visit_all(kBase, file_.base_points);
    for (std::size_t i = 0; i < file_.bodies.size(); ++i)
      if (!is_copy_[i]) visit_all(i, file_.bodies[i].points);
  }

  void AddUserData();
  void TellUnread(const UserModel& user, const std::vector<UserParameter>& parameters);
  // A user constraint without our numbers is an equation in somebody's C code.
  void AddUserConstraints();
  // Without any constraint 'independent' is what every joint is, and no declaration.
  void ForgetIdleNatures();
  struct Ends {
    std::size_t body[2] = {kBase, kBase};
    Vector3 p[2] = {Vector3::Zero(), Vector3::Zero()};
    bool known = true;
  };

  const MbsFile& file_;
  const xml::Context& context_;
  const JointDataMap data_;
  BuiltModel out_;
  std::unordered_map<std::string, std::size_t> bodies_;
  std::vector<std::unordered_map<std::string, const FilePoint*>> points_;  // by body + 1
  UniqueNames link_names_, joint_names_, used_points_, ours_, couplings_;
  std::vector<std::size_t> parent_, order_;
  std::vector<Vector3> anchor_;
  std::vector<bool> has_child_, is_copy_;
  std::vector<Ends> cuts_;
  std::unordered_map<std::size_t, int> cuts_at_;
  std::vector<std::optional<FoldedJoint>> copies_;
  std::vector<std::vector<FoldedJoint>> folded_;
  std::vector<std::vector<LinkId>> between_;
  std::unordered_map<std::string, Coordinate> coordinates_;
  std::vector<RigidTransform> poses_;
};

}  // namespace kinemorph::mbs
