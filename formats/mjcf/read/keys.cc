// Keys of a keyframe that MuJoCo refuses, because they do not fit the model.
#include "kinemorph/graph/model/subject.h"
#include "read/reader.h"

namespace kinemorph::mjcf {

void Reader::CheckKeys() {
  // What is not read has coordinates that nobody has counted.
  for (const Diagnostic& message : diagnostics_.items())
    if (message.code == "mjcf-flexcomp-unread" || message.severity == Severity::kError) return;
  std::size_t positions = 0, velocities = 0;
  for (const JointId id : Joints(model_)) {
    if (model_.joint(id).role == JointRole::kLoop) continue;
    positions += static_cast<std::size_t>(NumPositions(model_.joint(id).kind));
    velocities += static_cast<std::size_t>(NumVelocities(model_.joint(id).kind));
  }
  const struct {
    const char* attribute;
    std::size_t size;
  } lists[] = {{"qpos", positions},
               {"qvel", velocities},
               {"ctrl", model_.actuators.size()},
               {"mpos", 3 * mocap_.size()},
               {"mquat", 4 * mocap_.size()}};
  for (const NativeData& native : model_.native) {
    if (native.format != "mjcf" || native.element != "keyframe") continue;
    ForEachIn(native.content, [&](const NativeElement& key) {
      const std::string* const name = key.Attribute("name");
      for (const auto& list : lists) {
        const std::string* const text = key.Attribute(list.attribute);
        if (key.name != "key" || text == nullptr) continue;
        const std::size_t there = xml::SplitWords(*text).size();
        // A file of which another has the joints and actuators, or more of them, is a part.
        if (there == 0 || list.size == 0 || there == list.size) continue;
        const bool part = there > list.size;
        SourceLocation where = native.where;
        if (key.line > 0) where.line = key.line;
        diagnostics_.Add(
            MessageAt(model_, where, part ? Severity::kNote : Severity::kWarning, "key-size",
                      {"key", name == nullptr ? "" : *name,
                       std::string("its ") + list.attribute + " has " + std::to_string(there) +
                           " numbers, the model needs " + std::to_string(list.size) +
                           (part ? "; MuJoCo refuses the file, unless a larger one includes it"
                                 : "; MuJoCo before 4.0 refuses the file")}));
      }
    });
  }
}

}  // namespace kinemorph::mjcf
