// What the rules of the lint share: the robot with its size, and how a word is said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph::lint {

/// A model as the rules look at it.
struct RobotFacts {
  explicit RobotFacts(const Model& robot);

  const Model& model;
  SpanningTree tree;
  std::vector<std::uint32_t> group;  ///< by link: what fixed joints hold together has one number
  std::vector<bool> moves;           ///< by link: its group hangs on a joint that moves
  double mass = 0;                   ///< kg
  double longest_offset = 0;         ///< m, between the frames of links that a joint joins
  JointId longest = kNoJoint;        ///< the first joint with that offset
  double extent = 0;                 ///< m, the sum of the four longest such offsets
};

/// Says the words of one run.
class Words {
 public:
  Words(const Model& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}
  void Say(Severity severity, std::string code, SourceLocation where, Statement statement,
           std::string remedy) const {
    diagnostics_
        .Add(MakeDiagnostic(severity, std::move(code), model_.FileName(where), where.line, "",
                            std::move(statement)))
        .notes.push_back(std::move(remedy));
  }

 private:
  const Model& model_;
  Diagnostics& diagnostics_;
};

/// A number for people: four digits.
[[nodiscard]] std::string Brief(double value);
/// "1 joint", "8 joints".
[[nodiscard]] std::string Counted(std::size_t count, std::string_view word);

/// Joints whose <limit> has neither lower nor upper, which locks them: reading has told of it.
[[nodiscard]] std::vector<JointId> LockedByAbsence(const Model& model, const Diagnostics& reading);

/// Masses and inertias: no body has it, of a body far larger or smaller, placeholders, units.
/// `reading` tells what is said already, and what was not written.
void LintInertias(const RobotFacts& robot, const Diagnostics& reading, const Words& words);
/// Limits, drives, lengths.
void LintJoints(const RobotFacts& robot, const Diagnostics& reading, const Words& words);
/// Followers whose limits leave them and their leader one posture, or none.
void LintMimics(const RobotFacts& robot, const Words& words);
/// Loops that cannot close, or not move, and declarations of independent joints that are wrong.
void LintLoops(const RobotFacts& robot, const Diagnostics& reading, const Words& words);
/// Meshes by their own size, and masses by the room that shapes and meshes take. `files` opens
/// meshes; null: none can be opened.
void LintSizes(const RobotFacts& robot, const ResourceResolver* files, const Words& words);

}  // namespace kinemorph::lint
