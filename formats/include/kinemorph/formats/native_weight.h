// What it means to lose content of one format that nobody interprets: whether it moves bodies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/checks/feature.h"
#include "kinemorph/graph/model/native_data.h"
#include "kinemorph/graph/model/subject.h"

namespace kinemorph {

/// What else a row says of a part of native content than its weight.
enum class ContentRole : std::uint8_t {
  kNone,         ///< nothing
  kPlace,        ///< where the owner of the content stands; the model holds it too
  kOwner,        ///< the name of the owner; the model holds it too
  kOrientation,  ///< one spelling of several
  kActs,         ///< moves the robot in a way that the dynamics here do not obey
  kInField,      ///< a number that a field of the model holds too, where it is finite
  kNamesFile,    ///< the name of a file, as the main file sees it
  kSource,       ///< the whole source, kept for what only its editor reads
};

/// A row of a format's table of weights. Whatever no row names moves bodies.
struct ContentWeight {
  /// "joint" for an element with all that is in it, "joint@group" for an attribute, "@group" for an
  /// attribute of any element; "joint/axis" for an element inside another. The longest that fits
  /// counts, and before all the library of the element (`plugin=gz-sim-imu-system`).
  std::string_view path;
  /// What the loss of it means; nothing: as of what it stands in.
  std::optional<Weight> weight = Weight::kMotion;
  /// The value that says the same as nothing at all ("0"); empty: none does.
  std::string_view means_nothing = {};
  ContentRole role = ContentRole::kNone;  ///< what else it is
};

/// One thing that an item of native content says.
struct ContentItem {
  std::string name;                 ///< "joint@margin", "surface/contact/ode/kp"
  std::string value;                ///< as written
  Weight weight = Weight::kMotion;  ///< what the loss of it means
};

/// The library that a file name of a plugin means: `gz-sim-imu-system` for
/// "/opt/lib/libignition-gazebo6-imu-system.so".
[[nodiscard]] std::string PluginLibrary(std::string_view filename);

/// Everything that `data`, which hangs on an `owner`, says: its attributes and texts, and those of
/// the elements in it, in document order, but for what means nothing. What was not read is one
/// item.
[[nodiscard]] std::vector<ContentItem> ContentOf(const NativeData& data, SubjectKind owner);

/// What the heaviest of it is called, each name once: "gravcomp", "kp".
[[nodiscard]] std::vector<std::string> NamesOfContent(const NativeData& data, SubjectKind owner);

/// The heaviest of what `data` says; of content that was not read at all: what its owner can have.
[[nodiscard]] Weight WeightOfContent(const NativeData& data, SubjectKind owner);

/// The content of `data` without what has that role; `gone`: the names of what went.
[[nodiscard]] NativeElement Without(const NativeData& data, ContentRole role,
                                    std::vector<std::string>* gone = nullptr);

/// Whether the attribute, wherever it stands in content of the format, is the name of a file.
[[nodiscard]] bool NamesFile(std::string_view format, std::string_view attribute);

/// It is the whole source: what that says of the mechanism, the model holds too.
[[nodiscard]] bool IsSource(const NativeData& data);

/// It only wraps what others say of the owner that it names: SDFormat in a block of URDF.
[[nodiscard]] bool OnlyWraps(const NativeData& data);

/// What of it acts on how the robot moves, as its users write it: "<kinematic>", "gravcomp",
/// "density, viscosity"; empty: nothing.
[[nodiscard]] std::string ActsOnMotion(const NativeData& data);

}  // namespace kinemorph
