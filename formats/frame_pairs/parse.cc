// The spellings of pairs of frames in YAML.
#include <algorithm>

#include "kinemorph/formats/frame_pairs.h"
#include "kinemorph/graph/base/text.h"
#include "yaml/values.h"

namespace kinemorph {
namespace {

// Loops beside a URDF, in three files that say them as pairs of frames or links. Which file it is
// shows by its keys, not by its name. Mistakes are collected, so that one run tells all of them; a
// file that is wrong everywhere ends after a hundred. Lengths are metres, angles radians, axes in
// the frame that the pair's place names.

using yaml::Kind;
using yaml::Node;
using yaml::Word;

class Reader {
 public:
  Reader(const yaml::Tree& tree, const std::string& file, Diagnostics& diagnostics)
      : values_(tree, file, "frame-pairs", diagnostics), diagnostics_(diagnostics) {
    out_.file = file;
  }

  std::optional<FramePairs> Run() {
    const std::size_t errors_before = diagnostics_.num_errors();
    const Node& root = values_.root();
    if (root.kind != Kind::kMap)
      values_.Error("value", root.line, "is not a map of keys, as a side-car must be");
    else if (values_.Child(root, "closing_joints") != nullptr)
      Fusion(root);
    else if (values_.Child(root, "closures") != nullptr)
      Sw2robot(root);
    // Gepetto's keys are the fallback: its messages name what is missing.
    else
      Gepetto(root);
    if (diagnostics_.num_errors() > errors_before) return std::nullopt;
    return std::move(out_);
  }

 private:
  std::vector<Word> NeededWords(const Node& map, const char* key) {
    const Node* const node = values_.Need(map, key, "the file");
    return node == nullptr ? std::vector<Word>() : values_.Words(*node, key);
  }
  std::vector<Word> Words(const Node& map, const char* key) {
    const Node* const node = values_.Child(map, key);
    return node == nullptr ? std::vector<Word>() : values_.Words(*node, key);
  }
  static std::vector<ListedName> Listed(const std::vector<Word>& words) {
    std::vector<ListedName> joints;
    for (const Word& word : words) joints.push_back({word.text, word.line});
    return joints;
  }

  // --- robot.yaml of Gepetto's example-parallel-robots -------------------------------------------

  // closed_loop is a list of pairs of frame names, type a list of 6d (the frames coincide) or 3d
  // (their origins do), name_mot the joints with motors. loop_name, independent and made are words
  // of kinemorph's own writer, which Gepetto's loader passes over; without `independent` the motors
  // are taken for it.
  void Gepetto(const Node& root) {
    values_.KnowKeys(root,
                     {"closed_loop", "type", "name_mot", "joint_name", "joint_type", "loop_name",
                      "independent", "made"},
                     "the file");
    const Node* const pairs = values_.Need(root, "closed_loop", "the file");
    const std::vector<Word> types = NeededWords(root, "type");
    out_.motors = Listed(NeededWords(root, "name_mot"));
    if (pairs != nullptr && pairs->kind != Kind::kNull &&
        values_.Is(*pairs, Kind::kList, "closed_loop"))
      Pairs(*pairs, types, Words(root, "loop_name"));
    Retype(root);
    out_.made = Listed(Words(root, "made"));
    out_.all_declared = values_.Child(root, "independent") != nullptr;
    out_.independent = out_.all_declared ? Listed(Words(root, "independent")) : out_.motors;
    if (out_.all_declared)
      out_.motors.clear();  // of a URDF that has transmissions where it has drives
  }

  // The lists run side by side; Gepetto's loader zips them and so drops what is longer.
  void Pairs(const Node& list, const std::vector<Word>& types, const std::vector<Word>& names) {
    if (types.size() != list.children.size())
      values_.Error("lengths", types.empty() ? list.line : types.back().line,
                    "'closed_loop' has " + std::to_string(list.children.size()) +
                        " pairs and 'type' " + std::to_string(types.size()) +
                        " words: Gepetto's loader would leave out the rest of the longer one");
    for (std::size_t i = 0; i < list.children.size(); ++i) {
      const Node& node = values_.at(list.children[i]);
      const std::vector<Word> ends = values_.Words(node, "closed_loop");
      if (ends.size() != 2) {
        values_.Error(
            "value", node.line,
            "entry " + std::to_string(i + 1) + " of 'closed_loop' is not a pair of frames");
        if (diagnostics_.num_errors() > 100) return;
        continue;
      }
      FramePair pair;
      pair.a = ends[0].text, pair.b = ends[1].text, pair.line = node.line;
      if (i < names.size()) pair.name = names[i].text;
      // 6d is what the loader takes for any other word.
      const std::string type = i < types.size() ? LowerCase(types[i].text) : "6d";
      pair.kind = type == "3d" ? JointKind(Ball{}) : JointKind(Fixed{});
      if (type != "3d" && type != "6d")
        values_.Say(
            Severity::kWarning, "frame-pairs-type", types[i].line,
            "the type '" + types[i].text.substr(0, 40) +
                "' is neither 6d nor 3d; kinemorph reads 6d, as the loader of Gepetto does");
      out_.pairs.push_back(std::move(pair));
    }
  }

  // Joints that are of another kind than the URDF can say: two lists side by side again.
  void Retype(const Node& root) {
    const std::vector<Word> names = Words(root, "joint_name"), types = Words(root, "joint_type");
    if (names.size() != types.size())
      values_.Error("lengths", (names.size() > types.size() ? names : types).back().line,
                    "'joint_name' has " + std::to_string(names.size()) +
                        " names and 'joint_type' " + std::to_string(types.size()) + " types");
    for (std::size_t i = 0; i < std::min(names.size(), types.size()); ++i) {
      const auto kind = KindOf(types[i].text);
      if (!kind)
        values_.Error("type", types[i].line,
                      "the joint type '" + types[i].text.substr(0, 40) +
                          "' is none of SPHERICAL, FIXED, UJOINT_XY, UJOINT_ZY ...");
      else
        out_.retyped.push_back({names[i].text, *kind, names[i].line});
    }
  }

  static std::optional<JointKind> KindOf(const std::string& type) {
    if (type == "SPHERICAL") return Ball{};
    if (type == "FIXED") return Fixed{};
    constexpr std::string_view kUniversal = "UJOINT_", kAxes = "XYZ";
    if (type.size() != kUniversal.size() + 2 || !type.starts_with(kUniversal)) return std::nullopt;
    const auto first = kAxes.find(type[7]), second = kAxes.find(type[8]);
    if (first == kAxes.npos || second == kAxes.npos || first == second) return std::nullopt;
    // The axes of the joint frame: UJOINT_XY turns about x first, then about y.
    return Universal{Vector3::Unit(static_cast<int>(first)),
                     Vector3::Unit(static_cast<int>(second))};
  }

  // --- robot_data.yaml of fusion2URDF ------------------------------------------------------------

  void Fusion(const Node& root) {
    const Node& list = *values_.Child(root, "closing_joints");
    if (list.kind == Kind::kNull || !values_.Is(list, Kind::kList, "closing_joints")) return;
    for (const std::uint32_t index : list.children) {
      const Node& node = values_.at(index);
      if (values_.Is(node, Kind::kMap, "closing_joints")) out_.pairs.push_back(ClosingJoint(node));
      if (diagnostics_.num_errors() > 100) return;
    }
  }

  // parent and child are links, and the origin is given in the parent's frame (PairPlace::kFirst).
  FramePair ClosingJoint(const Node& node) {
    values_.KnowKeys(
        node,
        {"name", "type", "parent", "child", "origin_xyz_m", "origin_rpy_rad", "axis", "limits"},
        "a closing joint");
    FramePair pair;
    pair.line = node.line;
    pair.place = PairPlace::kFirst;
    const auto text = [&](const char* key) {
      const Node* const child = values_.Need(node, key, "a closing joint");
      return child == nullptr ? std::string() : values_.Text(*child, key);
    };
    pair.name = text("name"), pair.a = text("parent"), pair.b = text("child");
    const std::string type = text("type");
    if (const Node* xyz = values_.Need(node, "origin_xyz_m", "a closing joint"))
      pair.X.p = values_.Vector(*xyz, "origin_xyz_m");
    if (const Node* rpy = values_.Child(node, "origin_rpy_rad"))
      pair.X.R = RotationFromRpy(values_.Vector(*rpy, "origin_rpy_rad"));
    pair.kind = Moves(type, node);
    if (const Node* limits = values_.Child(node, "limits");
        limits != nullptr && limits->kind != Kind::kNull)
      Limits(*limits, type == "continuous", pair);
    return pair;
  }

  Vector3 Axis(const Node& node) {
    const Node* const axis = values_.Need(node, "axis", "an entry");
    // An axis that is missing was told; z keeps the loop readable until the end.
    if (axis == nullptr) return Vector3::UnitZ();
    const Vector3 v = values_.Vector(*axis, "axis");
    if (v.norm() > 1e-12 && v.norm() < 1e12) return v.normalized();
    values_.Error("value", axis->line, "'axis' has no direction");
    return Vector3::UnitZ();
  }

  JointKind Moves(const std::string& type, const Node& node) {
    if (type == "fixed" || type == "rigid") return Fixed{};
    if (type == "ball" || type == "spherical") return Ball{};
    if (type == "revolute" || type == "continuous") return Revolute{Axis(node)};
    if (type == "prismatic") return Prismatic{Axis(node)};
    if (type == "cylindrical") return Cylindrical{Axis(node)};
    if (type == "planar") return Planar{Axis(node)};
    if (!type.empty())
      values_.Error("type", node.line,
                    "the type '" + type.substr(0, 40) +
                        "' of a closing joint is none of revolute, continuous, prismatic, fixed, "
                        "ball, cylindrical, planar");
    return Fixed{};
  }

  void Limits(const Node& node, bool continuous, FramePair& pair) {
    if (!values_.Is(node, Kind::kMap, "limits")) return;
    values_.KnowKeys(node, {"lower", "upper", "effort", "velocity"}, "limits");
    const auto take = [&](const char* key, std::optional<double>& value) {
      const Node* const child = values_.Child(node, key);
      if (child != nullptr && child->kind != Kind::kNull) value = values_.Number(*child, key);
    };
    // A continuous joint has no bounds whatever is written.
    if (!continuous) take("lower", pair.axis.lower), take("upper", pair.axis.upper);
    take("effort", pair.axis.effort), take("velocity", pair.axis.velocity);
  }

  // --- loop_closures.yaml of sw2robot ------------------------------------------------------------

  void Sw2robot(const Node& root) {
    values_.KnowKeys(root, {"closures", "independent", "dependent"}, "the file");
    out_.independent = Listed(Words(root, "independent"));
    // Whoever is not listed is dependent as soon as anything is declared.
    out_.all_declared = !out_.independent.empty() || !Words(root, "dependent").empty();
    const Node& list = *values_.Child(root, "closures");
    if (list.kind == Kind::kNull || !values_.Is(list, Kind::kList, "closures")) return;
    for (const std::uint32_t index : list.children) {
      const Node& node = values_.at(index);
      if (diagnostics_.num_errors() > 100) return;
      if (!values_.Is(node, Kind::kMap, "closures")) continue;
      // A point and an axis in the frame of the root, for the pose in which the exporter saw the
      // assembly; the loop is a hinge.
      values_.KnowKeys(node, {"link_a", "link_b", "point", "axis"}, "a closure");
      FramePair pair;
      pair.line = node.line;
      pair.place = PairPlace::kRoot;
      const Node *const a = values_.Need(node, "link_a", "a closure"),
                        *const b = values_.Need(node, "link_b", "a closure"),
                        *const point = values_.Need(node, "point", "a closure");
      if (a != nullptr) pair.a = values_.Text(*a, "link_a");
      if (b != nullptr) pair.b = values_.Text(*b, "link_b");
      if (point != nullptr) pair.X.p = values_.Vector(*point, "point");
      pair.kind = Revolute{Axis(node)};
      // The exporter gives no name.
      pair.name = pair.a + "_" + pair.b + "_loop";
      out_.pairs.push_back(std::move(pair));
    }
  }

  yaml::Values values_;
  Diagnostics& diagnostics_;
  FramePairs out_;
};

}  // namespace

std::optional<FramePairs> ParseFramePairs(std::string_view text, const std::string& file,
                                          Diagnostics& diagnostics) {
  const std::optional<yaml::Tree> tree = yaml::ReadTree(text, file, diagnostics);
  if (!tree) return std::nullopt;
  return Reader(*tree, file, diagnostics).Run();
}

}  // namespace kinemorph
