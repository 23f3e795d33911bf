// Names of nested models.
#pragma once

#include <string>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// "outer::inner::" of a nested scope; empty for the file's own model.
[[nodiscard]] inline std::string PrefixOf(const Model& model, ScopeId scope) {
  std::string prefix;
  for (ScopeId s = scope; s != kNoScope && model.scopes[Index(s)].parent != kNoScope;
       s = model.scopes[Index(s)].parent) {
    prefix = model.scopes[Index(s)].name + "::" + prefix;
  }
  return prefix;
}

/// The joint that text of `scope` calls so, without the names of the models around it; `name` where
/// there is none. Names leave out that of a world's only model.
[[nodiscard]] inline std::string JointNameIn(const Model& model, ScopeId scope,
                                             const std::string& name) {
  const std::string prefix = PrefixOf(model, scope);
  for (const std::size_t from : {std::size_t{0}, prefix.find("::")}) {
    if (from == std::string::npos) break;
    const std::string full = prefix.substr(from == 0 ? 0 : from + 2) + name;
    if (model.FindJoint(full)) return full;
  }
  return name;
}

}  // namespace kinemorph
