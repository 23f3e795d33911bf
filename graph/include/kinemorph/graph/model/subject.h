// What a message or an entry of a report is about: an element of a model, by kind and name, with
// its place in the source.
#pragma once

#include <string>
#include <string_view>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// What kind of element it is.
enum class SubjectKind {
  kModel,             ///< the whole file, or a model or nested model in it
  kWorldModel,        ///< the world, by its name where the file gives it one
  kLink,              ///< a vertex of the model, by its scoped name
  kJoint,             ///< of the tree, or of a role not yet decided
  kLoopJoint,         ///< JointRole::kLoop
  kCoupling,          ///< a nameless one is known by the joint it moves
  kFrame,             ///< frame, site or point
  kVisual,            ///< a nameless one is known by its link and number
  kCollision,         ///< the same
  kMaterial,          ///< of a visual
  kSensor,            ///< on a link or joint
  kActuator,          ///< transmissions too
  kContactExclusion,  ///< a pair of links
  kNative,            ///< NativeData; `name` is its element
};

/// kebab-case, e.g. "loop-joint": what JSON says.
[[nodiscard]] std::string_view Name(SubjectKind kind);

/// A value without ties to the model it was taken from; ids would not outlive the passes.
struct Subject {
  SubjectKind kind = SubjectKind::kModel;  ///< decides its word where `word` is empty
  std::string name;                        ///< empty where the author gave none
  /// @{
  /// Name of the link (the joint) that it is, stands on or is tied to; empty where there is none.
  std::string link, joint;
  /// @}
  SourceLocation where;    ///< of the element, or of its owner where it has no line
  std::string of = {};     ///< what it belongs to, in words: "visual 'shell' of link 'shank'"
  std::string word = {};   ///< in place of the kind's own: "universal joint"
  std::size_t number = 0;  ///< of a nameless one among its like, from 1; 0: not counted
};

/// "joint", "universal joint"; "element" of native data.
[[nodiscard]] std::string_view KindWord(const Subject& subject);

/// "joint 'knee'", "visual 2 of link 'shank'", "<plugin> of model 'arm'".
[[nodiscard]] std::string Text(const Subject& subject);

[[nodiscard]] Subject TheWorld();                     ///< kWorldModel without a name: "world"
[[nodiscard]] Subject SubjectOf(const Model& model);  ///< the whole file; has no place
[[nodiscard]] Subject SubjectOf(const Scope& scope);  ///< kModel, or kWorldModel of a world
[[nodiscard]] Subject SubjectOf(const Link& link);    ///< its own name is also its `link`
[[nodiscard]] Subject SubjectOf(const Joint& joint);  ///< a loop joint by its role
[[nodiscard]] Subject SubjectOf(const Frame& frame);  ///< its link is not named
/// @{
/// Of the link that it stands on; at the link's place where it has none.
[[nodiscard]] Subject SubjectOf(const Link& link, const Visual& visual);
[[nodiscard]] Subject SubjectOf(const Link& link, const Collision& collision);
/// @}
[[nodiscard]] Subject SubjectOf(
    const Model& model, const Coupling& coupling);  ///< a nameless one after the joint it moves
/// With the names of the link and the joint that it stands on.
[[nodiscard]] Subject SubjectOf(const Model& model, const Sensor& sensor);
/// With the name of the joint it drives.
[[nodiscard]] Subject SubjectOf(const Model& model, const Actuator& actuator);
/// "contact exclusion of 'a' and 'b'"; its `link` is the first.
[[nodiscard]] Subject SubjectOf(const Model& model, const ContactExclusion& pair);
/// Of its owner, whose link and joint it takes; at the owner's place where it has none.
[[nodiscard]] Subject SubjectOf(const NativeData& data, const Subject& owner);
/// The material of a visual, without a name of its own.
[[nodiscard]] Subject MaterialOf(const Subject& visual);

/// A message about what stands at a place of the model's files; what a pass made has none.
[[nodiscard]] Diagnostic MessageAt(const Model& model, SourceLocation where, Severity severity,
                                   std::string code, Statement statement);

/// The same under another word: Called("universal joint", SubjectOf(joint)).
[[nodiscard]] Subject Called(std::string_view word, Subject subject);

}  // namespace kinemorph
