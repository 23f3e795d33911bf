// What a message or an entry of a report is about: an element of a model, by kind and name, with
// its place in the source.
#pragma once

#include <string>
#include <string_view>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

enum class SubjectKind {
  kModel,       ///< the whole file, or a model or nested model in it
  kWorldModel,  ///< the world, by its name where the file gives it one
  kLink,
  kJoint,
  kLoopJoint,
  kCoupling,
  kFrame,
  kVisual,
  kCollision,
  kMaterial,
  kSensor,
  kActuator,
  kContactExclusion,
  kNative,  ///< text of one format; `name` is its element
};

/// kebab-case, e.g. "loop-joint": what JSON says.
[[nodiscard]] std::string_view Name(SubjectKind kind);

/// A value without ties to the model it was taken from; ids would not outlive the passes.
struct Subject {
  SubjectKind kind = SubjectKind::kModel;
  std::string name;         ///< empty where the author gave none
  std::string link, joint;  ///< names of the link and the joint that it is, stands on or is tied
                            ///< to; empty where there is none
  SourceLocation where;
  std::string of = {};     ///< what it belongs to, in words: "visual 'shell' of link 'shank'"
  std::string word = {};   ///< in place of the kind's own: "universal joint"
  std::size_t number = 0;  ///< of a nameless one among its like, from 1; 0: not counted
};

/// "joint 'knee'", "visual 2 of link 'shank'", "<plugin> of model 'arm'".
[[nodiscard]] std::string Text(const Subject& subject);

[[nodiscard]] Subject TheWorld();
[[nodiscard]] Subject SubjectOf(const Model& model);
[[nodiscard]] Subject SubjectOf(const Scope& scope);
[[nodiscard]] Subject SubjectOf(const Link& link);
[[nodiscard]] Subject SubjectOf(const Joint& joint);  ///< a loop joint by its role
[[nodiscard]] Subject SubjectOf(const Frame& frame);
[[nodiscard]] Subject SubjectOf(const Link& link, const Visual& visual);
[[nodiscard]] Subject SubjectOf(const Link& link, const Collision& collision);
[[nodiscard]] Subject SubjectOf(
    const Model& model, const Coupling& coupling);  ///< a nameless one after the joint it moves
[[nodiscard]] Subject SubjectOf(const Model& model, const Sensor& sensor);
[[nodiscard]] Subject SubjectOf(const Model& model, const Actuator& actuator);
[[nodiscard]] Subject SubjectOf(const Model& model, const ContactExclusion& pair);
[[nodiscard]] Subject SubjectOf(const NativeData& data, const Subject& owner);
[[nodiscard]] Subject MaterialOf(const Subject& visual);

/// The same under another word: Called("universal joint", SubjectOf(joint)).
[[nodiscard]] Subject Called(std::string_view word, Subject subject);

}  // namespace kinemorph
