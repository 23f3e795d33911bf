// Are two descriptions the same mechanism? The proof behind `kinemorph verify` and `convert
// --verify`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kinemorph/converters/loss_report.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/checks/feature.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// What is compared with what, and what may differ.
struct VerifyOptions {
  int states = 10;          ///< random closed configurations
  std::uint64_t seed = 1;   ///< of the states; equal seeds give equal results
  double tolerance = 1e-9;  ///< relative to the size of the robot, or of what is compared
  /// Of the conversion A -> B: names, re-based frames, and the losses that may show. Without it the
  /// one that a conversion of A to B's format gives is assumed, and of B to A's; then a loss that
  /// shows is an exception nobody has accepted.
  const LossReport* report = nullptr;
  const Model* written = nullptr;  ///< beside `report`: what the conversion wrote, read back: names
                                   ///< and frames that it added are in it
  /// Of the conversion B -> A: what of B has no place in A's format. VerifyEquivalent finds it.
  const LossReport* back = nullptr;
  /// The content of a mesh file that one side names and the other has the triangles of; none: it
  /// cannot be opened.
  std::function<std::optional<std::string>(const std::string& uri)> mesh_file = {};
  std::string model;     ///< of a world: only this model is compared; empty: all there is
  bool assumed = false;  ///< `report` is what a conversion would say: its losses are exceptions
                         ///< that nobody accepted
  std::vector<Feature> allow;         ///< accepted wherever it differs
  bool allow_asked = false;           ///< accepts what an option of a conversion asks for
  std::vector<Feature> dropped;       ///< what a conversion of A was asked to leave out
  std::vector<std::string> accepted;  ///< accepted exceptions: feature, a space, Text(subject)
  /// Asked between states; once it is true, the rest is left out and the result is of no use.
  std::function<bool()> interrupted;
};

/// One comparison over all elements that it is about.
struct VerifyCheck {
  std::string what;      ///< e.g. "link poses"
  double max_error = 0;  ///< of what is no exception; at least 1 where something is missing
  double tolerance = 0;  ///< beyond it A and B differ
  std::string worst;     ///< the element with that error
  std::vector<std::string> excepted;  ///< what differs and is an exception, with values
  bool open = false;  ///< made where A's loops stand open, as no configuration was found that
                      ///< closes them, or where too few digits are left: nothing follows from it
  /// Nothing differs beyond the tolerance.
  [[nodiscard]] bool Holds() const { return max_error <= tolerance; }
};

/// Something that one side has and the other's format has no place for, or that the caller allows.
struct VerifyException {
  Feature feature{};                 ///< what the other does not have, or has otherwise
  Weight weight = Weight::kMotion;   ///< of every one of the subjects
  std::vector<Subject> subjects;     ///< each once
  std::vector<std::string> content;  ///< of content of one format only: "gravcomp", "kp"
  bool asked = false;                ///< an option of the conversion asks for it (Loss::asked)
};

/// What was not compared: one file has it, and the format of the other does not hold it.
struct VerifySkipped {
  Feature feature{};      ///< what it is
  bool in_a = true;       ///< A has it; else B
  std::size_t count = 0;  ///< how many have it
  std::string format;     ///< of the other file
  bool never = true;      ///< that format never holds it; else it does not hold this one
};
/// "urdf has no spring (A has 2)".
[[nodiscard]] std::string Text(const VerifySkipped& skipped);

/// The outcome of a comparison, the best first.
enum class Verdict {
  kEquivalent,  ///< no difference
  kExcept,      ///< no difference but exceptions, accepted or not
  kNotProved,   ///< no difference was found, but something that nobody knows was compared
  kDifferent,   ///< something differs that is no exception
};
[[nodiscard]] std::string_view Name(
    Verdict verdict);  ///< "equivalent", "except", "not proved", "different"

/// The proof, or what stands against it.
struct VerifyResult {
  bool equivalent = false;  ///< accepted: no difference, or only exceptions that the caller's
                            ///< report names or the caller allows
  Verdict verdict = Verdict::kDifferent;  ///< whoever accepts the exceptions
  std::string line;  ///< "equivalent", "equivalent except: springs of 4 joints", "NOT equivalent:
                     ///< link masses (shank)"
  std::string
      short_line;  ///< the same for a screen: what moves the robot whole, unless a conversion tells
                   ///< it beside, then as much as fits
  std::vector<std::string> unknown;  ///< "mass of link 'hull' (mesh 'hull.dae' was not found)"
  std::vector<VerifyCheck> checks;   ///< all that were made
  std::vector<VerifyException> exceptions;  ///< the heaviest first, then by feature
  std::vector<VerifySkipped> skipped;       ///< by feature
  Diagnostics diagnostics;  ///< what was assumed or left out, and every element that differs
};

/// Something differs, and only where A's loops stand open or A is not known exactly enough: neither
/// proved nor refuted.
[[nodiscard]] bool DiffersOnlyOpen(const VerifyResult& result);

/// Compares by physics at random closed states of A carried to B (matched by the poses of the links
/// both have), by what each joint and coupling demands of its links, and by value.
///
/// Links are matched by name (through the report's changes; "::" and "_" alike), joints by name or
/// by the links they join. Massless intermediate links, cuts at other joints, split joints and
/// re-based link frames make no difference. Where one side leaves open how its base stands, both
/// are held at the root. Whatever else differs is a difference, unless a report names it.
[[nodiscard]] VerifyResult VerifyEquivalent(const Model& a, const Model& b,
                                            const VerifyOptions& options = {});

}  // namespace kinemorph
