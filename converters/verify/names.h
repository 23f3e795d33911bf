// Names looked up without a walk over all of them: robots have 100,000.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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

/// B's names for those of A's elements, through the reports of the two conversions.
class Renames {
 public:
  Renames() = default;
  /// The reports must outlive it.
  explicit Renames(const VerifyOptions& options);
  /// Of one conversion.
  explicit Renames(const LossReport& report);
  /// The name in B of an element of A that has this name, or had it on the way.
  [[nodiscard]] std::string Of(SubjectKind kind, SourceLocation where, std::string name) const;

 private:
  std::unordered_map<std::uint32_t, std::vector<const NameChange*>> forth_;  // in their order
  // Of what B's conversion renamed: B's name by what kind of thing it became, and its name there.
  std::map<std::pair<SubjectKind, std::string>, std::string> back_;
};

}  // namespace kinemorph::verify
