// What the additions of files beside a URDF share: joints and links by name, and what is said where
// there is none.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph::urdf_format {

class SideCarAddition {
 protected:
  /// `file` names the side-car in messages; `unknown` is the code for a name that the URDF has not.
  SideCarAddition(const std::string& file, const char* unknown, Model& model,
                  Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics), side_car_(file), unknown_(unknown) {}

  /// Names of the model as it stands, and the side-car among its files.
  void Begin() {
    for (const JointId id : Joints(model_)) joints_.emplace(model_.joint(id).name, id);
    for (const LinkId id : Links(model_)) links_.emplace(model_.link(id).name, id);
    file_index_ = static_cast<std::uint32_t>(model_.files.size());
    model_.files.push_back(side_car_);
  }

  Diagnostic& Say(Severity severity, const char* code, std::uint32_t line,
                  const std::string& what) {
    return diagnostics_.Add(
        MakeDiagnostic(severity, code, side_car_, line, "", {"", side_car_, what}));
  }

  /// Nothing, with an error and the nearest name, where `all` has none of that name.
  template <typename Id>
  std::optional<Id> Find(const std::unordered_map<std::string, Id>& all, const std::string& name,
                         const char* what, std::uint32_t line) {
    const auto found = all.find(name);
    if (found != all.end()) return found->second;
    Diagnostic& error = Say(Severity::kError, unknown_, line,
                            std::string(what) + " '" + name.substr(0, 200) + "' is not in '" +
                                (model_.files.empty() ? "" : model_.files.front()) + "'");
    if (hints_++ >= kMostHints) return std::nullopt;
    std::vector<std::string> names;
    for (const auto& [each, id] : all) names.push_back(each);
    std::sort(names.begin(), names.end());
    error.suggestion = NearestName(name, names);
    return std::nullopt;
  }

  /// The link of that name; of a joint, the link that it leads to: in Pinocchio each joint is a
  /// frame, which stands where its child does.
  std::optional<LinkId> FindFrame(const std::string& name, std::uint32_t line) {
    const auto joint = joints_.find(name);
    if (!links_.contains(name) && joint != joints_.end()) return model_.successor(joint->second);
    return Find(links_, name, "frame", line);
  }

  Model& model_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, JointId> joints_;
  std::unordered_map<std::string, LinkId> links_;
  std::uint32_t file_index_ = 0;  ///< of the side-car in Model::files

 private:
  static constexpr std::size_t kMostHints = 20;  // names looked for in all others
  const std::string& side_car_;
  const char* const unknown_;
  std::size_t hints_ = 0;
};

}  // namespace kinemorph::urdf_format
