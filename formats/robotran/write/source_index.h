// The file a model was read from, looked up by name, and which parts of the model still say the
// same.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kinemorph/graph/model/model.h"
#include "mbs_file.h"
#include "read/build_model.h"

namespace kinemorph::mbs {

struct Source {
  MbsFile file;
  BuiltModel built;
};

/// Empty when there is no source: nothing is the same then.
class SourceIndex {
 public:
  static constexpr std::size_t kNone = BuiltModel::kNoBody;

  SourceIndex(const Source* source, const Model& model);

  /// The body of a link of this name; kNone when there is none.
  [[nodiscard]] std::size_t BodyOfLink(const std::string& link) const;
  [[nodiscard]] const FileBody& body(std::size_t i) const { return source_->file.bodies[i]; }
  [[nodiscard]] const Link& link(std::size_t body) const {
    return source_->built.model.link(source_->built.link_of_body[body]);
  }
  [[nodiscard]] const MbsFile* file() const { return source_ ? &source_->file : nullptr; }
  [[nodiscard]] const Link& world() const { return source_->built.model.link(kWorld); }

  /// Same kind, frames, nature, initial values and links.
  [[nodiscard]] bool IsSame(JointId id) const;
  /// Whether `joints` are exactly those of the body's chain, unchanged.
  [[nodiscard]] bool IsSameChain(std::size_t body, const std::vector<JointId>& joints) const;
  /// The cut of a loop joint of this name; kNone when there is none.
  [[nodiscard]] std::size_t CutOf(const std::string& loop_joint) const;
  [[nodiscard]] std::size_t CopyOf(std::size_t cut) const {
    return source_->built.copy_of_cut[cut];
  }
  /// Where a point named in the file is; zero for the implicit origin.
  [[nodiscard]] Vector3 PointOf(const std::string& body, const std::string& point) const;
  /// The frame that was read from a point; null when the point made none. `body` is kNone for the
  /// base.
  [[nodiscard]] const Frame* FrameOf(std::size_t body, const std::string& point) const;
  /// Whether a parent, cut or force link names the point.
  [[nodiscard]] bool IsReferenced(const std::string& body, const std::string& point) const {
    return references_.count(body + "/" + point) > 0;
  }

 private:
  const Source* source_;
  const Model& model_;
  std::unordered_map<std::string, std::size_t> bodies_;  // of the file, copies of cuts too
  std::unordered_map<std::string, std::size_t> cuts_;
  std::unordered_map<std::string, JointId> joints_;
  std::unordered_map<std::string, Vector3> points_;  // "body/point"
  std::unordered_set<std::string> references_;
};

[[nodiscard]] bool NearlyEqual(const RigidTransform& a, const RigidTransform& b);
/// Same kind, frames, nature and initial values.
[[nodiscard]] bool SameJoint(const Joint& a, const Joint& b);

}  // namespace kinemorph::mbs
