// Content of one format that we do not interpret, kept as text so that it survives when source and
// target format agree.
#pragma once

#include <string>

#include "kinemorph/graph/base/source_location.h"

namespace kinemorph {

/// One element, verbatim.
struct NativeData {
  /// The family whose writers put it back: "urdf", "sdf", "mjcf" or "mbs"; empty: of none of
  /// them, so that every target loses it.
  std::string format;
  std::string element;   ///< element name, e.g. "plugin"; what a loss report names
  std::string xml;       ///< the whole element, well-formed
  SourceLocation where;  ///< of the element
  /// It has no effect where it stands (a limit of a fixed joint, a tag that nothing reads): without
  /// it nothing moves or looks otherwise.
  bool idle = false;
};

/// NativeData::element of text that stands between elements, where no format has any.
inline constexpr const char* kTextBetween = "text";

/// NativeData::element of what says that an inertial is computed from the shapes of its link
/// (SDFormat `auto`, with its densities), on the inertial and on the collisions. The model holds
/// the result too.
inline constexpr const char* kComputedInertia = "inertia from shapes";

}  // namespace kinemorph
