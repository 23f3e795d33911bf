// Names looked up without a walk over all of them: robots have 100,000.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinemorph/converters/verify.h"

namespace kinemorph::verify {

/// The first link and the first joint of each name, of a model whose names stay as they are.
class Names {
 public:
  explicit Names(const Model& model);
  [[nodiscard]] std::optional<LinkId> Link(std::string_view name) const;
  [[nodiscard]] std::optional<JointId> Joint(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, LinkId> links_;
  std::unordered_map<std::string_view, JointId> joints_;
};

/// B's names for A's, through the reports of the two conversions.
class Renames {
 public:
  Renames() = default;
  /// The reports must outlive it.
  explicit Renames(const VerifyOptions& options);
  /// Of one conversion.
  explicit Renames(const LossReport& report);
  /// The name that a thing of A, or one that has this name by now, has in B.
  [[nodiscard]] std::string Of(SubjectKind kind, const std::string& name) const;

 private:
  struct Step {
    std::size_t at;  // its place in the order of the changes: later ones start from what it made
    SubjectKind kind;
    const std::string* to;
  };
  using Steps = std::unordered_map<std::string_view, std::vector<Step>>;
  static std::string Follow(const Steps& steps, SubjectKind kind, std::string name);

  Steps forth_, back_;  // back_: what B's conversion did, undone
};

}  // namespace kinemorph::verify
