#include "kinemorph/converters/lint.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/zero_poses.h"
#include "lint/rules.h"

namespace kinemorph {

// Rules were tried on some 660 public robots: a predicate stays only if almost all that it flags is
// wrong, and its thresholds are those at which this held. Rules look at facts that are computed
// once, and say each finding once per robot where a mistake is usually in many places.
namespace lint {

RobotFacts::RobotFacts(const Model& robot)
    : model(robot),
      tree(ChooseSpanningTree(robot)),
      group(robot.num_links()),
      moves(robot.num_links(), false) {
  // What fixed joints hold together is one body to the rules: a sensor of 0 kg on a frame is no
  // mistake. Offsets are between frames of links, without those to the world, which place the
  // robot.
  DisjointSets held(model.num_links());
  std::vector<double> offsets;
  for (const JointId id : Joints(model)) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    if (NumVelocities(model.joint(id).kind) == 0 && !tree.IsLoop(id))
      held.Unite(Index(p), Index(s));
    if (p == kWorld || s == kWorld || tree.IsLoop(id)) continue;
    offsets.push_back(PoseAtZero(model.joint(id)).p.norm());
    if (offsets.back() > longest_offset) longest = id, longest_offset = offsets.back();
  }

  // The robot's size without meshes: the sum of its four longest offsets, about an arm stretched
  // out.
  const std::size_t most = std::min<std::size_t>(4, offsets.size());
  std::partial_sort(offsets.begin(), offsets.begin() + static_cast<std::ptrdiff_t>(most),
                    offsets.end(), std::greater<>());
  for (std::size_t i = 0; i < most; ++i) extent += offsets[i];

  // Parents first: a link moves if its parent does, or if its own joint can.
  for (const LinkId link : tree.order) {
    const std::size_t i = Index(link);
    group[i] = held.Find(i);
    const JointId joint = tree.parent_joint[i];
    if (joint == kNoJoint) continue;
    const std::size_t parent = Index(tree.parent[i]);
    // Where the base of a robot is free, that is no joint of it.
    const bool drawn = parent != Index(kWorld) || NumVelocities(model.joint(joint).kind) < 6;
    moves[i] = moves[parent] || (drawn && NumVelocities(model.joint(joint).kind) > 0);
  }
  for (const LinkId link : Links(model))
    if (model.link(link).inertial) mass += model.link(link).inertial->mass;
}

std::string Brief(double value) { return FormatNumber(NearDecimal(value, 4)); }

std::string Counted(std::size_t count, std::string_view word) {
  return std::to_string(count) + " " + std::string(word) + (count == 1 ? "" : "s");
}

namespace {

// A message of reading that says less than a rule: what it speaks of, the rule has judged.
bool GivesWay(const Diagnostic& message, const Model& model, const std::vector<JointId>& locked) {
  if (message.code != "limit-default-zero")
    return message.code == "inertia-indefinite" || message.code == "inertia-triangle" ||
           message.code == "mass-without-inertia";
  // Joints whose limits were left out are told by lint-limits-absent, all at once; other messages of
  // the code stay. Names in paths are cut off by the reader after 80 characters.
  return std::any_of(locked.begin(), locked.end(), [&](JointId id) {
    return message.element.ends_with("/joint[" + model.joint(id).name.substr(0, 80) + "]/limit");
  });
}

}  // namespace
}  // namespace lint

Diagnostics Lint(const Model& model, const Diagnostics& reading, const ResourceResolver* files) {
  Diagnostics all;

  // In this order: the messages of reading that nothing replaces, then each rule's.
  const std::vector<JointId> locked = lint::LockedByAbsence(model, reading);
  for (const Diagnostic& message : reading.items()) {
    if (lint::GivesWay(message, model, locked)) continue;
    Diagnostic told = message;
    // Others go on with what may be a part of a file; who asks about this one gets what MuJoCo says.
    if (told.code == "key-size" && told.severity == Severity::kNote)
      told.severity = Severity::kError;
    all.Add(std::move(told));
  }
  const lint::RobotFacts robot(model);
  const lint::Words words(model, all);
  lint::LintInertias(robot, reading, words);
  lint::LintJoints(robot, reading, words);
  lint::LintMimics(robot, words);
  lint::LintLoops(robot, reading, words);
  lint::LintSizes(robot, files, words);
  return all;
}

}  // namespace kinemorph
