// The keys of submechanisms.yml.
#include <map>
#include <set>

#include "kinemorph/formats/submechanisms.h"
#include "kinemorph/graph/base/number.h"
#include "yaml/tree.h"

namespace kinemorph {
namespace {

using yaml::Kind;
using yaml::Node;

// submechanisms.yml of HyRoDyn and Phobos: a list of parts of a robot, each with the joints of its
// spanning tree, those that are independent and active, and its loops with the rows that they hold.
// What the names refer to, links and joints of a URDF, is found elsewhere; here keys and kinds of
// values are checked. Errors do not stop the reading, so that one run tells them all.
class Parser {
 public:
  Parser(const yaml::Tree& tree, const std::string& file, Diagnostics& diagnostics)
      : tree_(tree), file_(file), diagnostics_(diagnostics) {}

  std::optional<Submechanisms> Run() {
    const std::size_t errors_before = diagnostics_.num_errors();
    Submechanisms out;
    out.file = file_;
    const Node none;
    const Node& root = tree_.nodes.empty() ? none : tree_.nodes.front();
    const Node* list = root.kind == Kind::kMap ? Child(root, "submechanisms") : nullptr;
    // Without the list this is a file of another kind, in which every key would be unknown: nothing
    // more is said of it.
    if (list == nullptr || list->kind != Kind::kList || list->children.empty()) {
      Say(Severity::kError, "submechanisms-missing", list != nullptr ? list->line : root.line,
          "has no list 'submechanisms', or an empty one");
      return std::nullopt;
    }
    KnowKeys(root, {"submechanisms", "exoskeletons"}, "the file");
    if (const Node* passive = Child(root, "exoskeletons"))
      Say(Severity::kWarning, "submechanisms-not-held", passive->line,
          "'exoskeletons' (passive parts around joints) are not read: their loops stay open");
    for (const std::uint32_t index : list->children)
      out.parts.push_back(Part(tree_.nodes[index], out.parts.size()));
    // These tell HyRoDyn which solver to use, or where a part's own file is: told once for the
    // file, not for each part.
    if (!solver_keys_.empty())
      Say(Severity::kNote, "submechanisms-not-kept", solver_line_,
          "the names of the parts and their keys " + Listed(solver_keys_) +
              " belong to HyRoDyn and are not kept");
    if (diagnostics_.num_errors() > errors_before) return std::nullopt;
    return out;
  }

 private:
  void Say(Severity severity, const char* code, std::uint32_t line, const std::string& what) {
    diagnostics_.Add(MakeDiagnostic(severity, code, file_, line, "", {"", file_, what}));
  }

  static std::string Listed(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
    return text;
  }

  [[nodiscard]] const Node* Child(const Node& map, std::string_view key) const {
    for (std::size_t i = 0; i < map.keys.size(); ++i)
      if (map.keys[i] == key) return &tree_.nodes[map.children[i]];
    return nullptr;
  }

  // Once per key: a file repeats its habits.
  // By key and place: the same key may be known in a part and unknown in a loop.
  void KnowKeys(const Node& map, const std::vector<std::string>& known, const char* where) {
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const std::string& key = map.keys[i];
      bool is_known = false;
      for (const std::string& each : known) is_known = is_known || each == key;
      if (is_known || told_.size() > 100 || !told_.insert(std::string(where) + key).second)
        continue;
      Diagnostic& warning = diagnostics_.Add(
          MakeDiagnostic(Severity::kWarning, "submechanisms-key-unknown", file_,
                         tree_.nodes[map.children[i]].line, "",
                         {"", file_,
                          "the key '" + key + "' of " + where +
                              " is unknown; kinemorph does not read it or others like it"}));
      warning.suggestion = NearestName(key, known);
    }
  }

  // Shared values are counted as often as they are used.
  // An anchor costs one value in the tree, but may be used a million times: work is bounded by
  // uses.
  bool Spend(const Node& node) {
    if (++spent_ <= yaml::kMostValues) return true;
    if (spent_ == yaml::kMostValues + 1)
      Say(Severity::kError, "yaml-too-large", node.line,
          "more than " + std::to_string(yaml::kMostValues) +
              " values, including those that anchors repeat");
    return false;
  }

  std::string Text(const Node& map, const char* key, const char* what, bool needed) {
    const Node* const node = Child(map, key);
    if (node == nullptr) {
      if (needed)
        Say(Severity::kError, "submechanisms-key-missing", map.line,
            std::string(what) + " has no '" + key + "'");
      return {};
    }
    if (!Spend(*node)) return {};
    if (node->kind == Kind::kScalar) return node->text;
    if (node->kind != Kind::kNull)
      Say(Severity::kError, "submechanisms-value", node->line,
          "'" + std::string(key) + "' is not plain text");
    return {};
  }

  std::vector<std::string> Names(const Node& map, const char* key, bool needed) {
    std::vector<std::string> names;
    const Node* const node = Child(map, key);
    if (node == nullptr) {
      if (needed)
        Say(Severity::kError, "submechanisms-key-missing", map.line,
            "a part has no '" + std::string(key) + "'");
      return names;
    }
    if (node->kind == Kind::kNull) return names;  // "jointnames_active:" marks the free flyer
    if (node->kind != Kind::kList) {
      Say(Severity::kError, "submechanisms-value", node->line,
          "'" + std::string(key) + "' is not a list of names");
      return names;
    }
    for (const std::uint32_t index : node->children) {
      const Node& item = tree_.nodes[index];
      if (!Spend(item)) break;
      if (item.kind == Kind::kScalar)
        names.push_back(item.text);
      else
        Say(Severity::kError, "submechanisms-value", item.line,
            "'" + std::string(key) + "' holds an entry that is not a name");
    }
    return names;
  }

  // What only HyRoDyn's solver needs (type, file) is noted down to be told; the roles of joints and
  // the loops are kept.
  Submechanism Part(const Node& node, std::size_t index) {
    Submechanism part;
    part.line = node.line;
    if (!Spend(node)) return part;
    if (node.kind != Kind::kMap) {
      Say(Severity::kError, "submechanisms-value", node.line,
          "entry " + std::to_string(index + 1) + " of 'submechanisms' is not a map");
      return part;
    }
    KnowKeys(
        node,
        {"type", "name", "contextual_name", "file_path", "jointnames", "jointnames_spanningtree",
         "jointnames_independent", "jointnames_active", "jointnames_dependent", "loop_constraints"},
        "a part");
    solver_line_ = solver_line_ == 0 ? node.line : solver_line_;
    part.type = Text(node, "type", "a part", true);
    part.name = Text(node, "name", "a part", false);
    part.contextual_name = Text(node, "contextual_name", "a part", false);
    if (part.contextual_name.empty())
      Say(Severity::kWarning, "submechanisms-name-missing", node.line,
          "a part has no 'contextual_name', without which HyRoDyn stops");
    part.file_path = Text(node, "file_path", "a part", false);
    part.spanning = Names(node, "jointnames_spanningtree", true);
    part.independent = Names(node, "jointnames_independent", true);
    part.active = Names(node, "jointnames_active", true);
    if (!part.file_path.empty()) solver_keys_.insert("file_path");
    solver_keys_.insert("type");
    // Parts without loops are usual: serial chains between the closed ones.
    const Node* const loops = Child(node, "loop_constraints");
    if (loops == nullptr || loops->kind == Kind::kNull) return part;
    if (loops->kind != Kind::kList) {
      Say(Severity::kError, "submechanisms-value", loops->line, "'loop_constraints' is not a list");
      return part;
    }
    for (const std::uint32_t each : loops->children) part.loops.push_back(Loop(tree_.nodes[each]));
    return part;
  }

  SubmechanismLoop Loop(const Node& node) {
    SubmechanismLoop loop;
    loop.line = node.line;
    if (!Spend(node)) return loop;
    if (node.kind != Kind::kMap) {
      Say(Severity::kError, "submechanisms-value", node.line, "a loop constraint is not a map");
      return loop;
    }
    KnowKeys(node, {"cut_joint", "joint", "predecessor_body", "successor_body", "constraint_axes"},
             "a loop constraint");
    // Phobos writes 'joint'.
    const char* const cut = Child(node, "cut_joint") == nullptr && Child(node, "joint") != nullptr
                                ? "joint"
                                : "cut_joint";
    loop.cut_joint = Text(node, cut, "a loop constraint", true);
    loop.predecessor = Text(node, "predecessor_body", "a loop constraint", true);
    loop.successor = Text(node, "successor_body", "a loop constraint", true);
    // Which of the six relative velocities the loop holds at zero, one row each.
    const Node* const rows = Child(node, "constraint_axes");
    if (rows == nullptr || rows->kind != Kind::kList || rows->children.empty()) {
      Say(Severity::kError, "submechanisms-key-missing", node.line,
          "a loop constraint has no 'constraint_axes'");
      return loop;
    }
    for (const std::uint32_t index : rows->children) loop.rows.push_back(Row(tree_.nodes[index]));
    return loop;
  }

  SubmechanismRow Row(const Node& node) {
    SubmechanismRow row;
    row.line = node.line;
    if (!Spend(node)) return row;
    if (node.kind != Kind::kMap) {
      Say(Severity::kError, "submechanisms-value", node.line, "a constraint axis is not a map");
      return row;
    }
    KnowKeys(node, {"name", "axis", "baumgarte_stabilization_parameter"}, "a constraint axis");
    row.name = Text(node, "name", "a constraint axis", false);
    if (Child(node, "baumgarte_stabilization_parameter") != nullptr)
      solver_keys_.insert("baumgarte_stabilization_parameter");
    // Rotations before translations, as spatial vectors are written.
    const Node* const axis = Child(node, "axis");
    const bool is_list = axis != nullptr && axis->kind == Kind::kList;
    if (!is_list || axis->children.size() != 6) {
      Say(Severity::kError, "submechanisms-axis", axis != nullptr ? axis->line : node.line,
          "an 'axis' is not six numbers [rx ry rz tx ty tz]");
      return row;
    }
    // One error for each number that is none, with its own line: lists may go over several.
    for (std::size_t i = 0; i < 6; ++i) {
      const Node& number = tree_.nodes[axis->children[i]];
      if (!Spend(number)) break;
      if (!Number(number, row.axis[static_cast<Eigen::Index>(i)]))
        Say(Severity::kError, "submechanisms-axis", number.line,
            "'" + number.text.substr(0, 40) + "' in an 'axis' is not a finite number");
    }
    return row;
  }

  // "0." and "+1" are numbers too.
  static bool Number(const Node& node, double& value) {
    const char* first = node.text.data();
    const char* const last = first + node.text.size();
    if (first != last && *first == '+') ++first;
    if (first == last || *first == '+') return false;
    const auto [end, error] = ParseDouble(first, last, value);
    return error == std::errc() && end == last && std::isfinite(value);
  }

  const yaml::Tree& tree_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  std::size_t spent_ = 0;
  std::set<std::string> told_, solver_keys_;
  std::uint32_t solver_line_ = 0;
};

}  // namespace

std::optional<Submechanisms> ParseSubmechanisms(std::string_view text, const std::string& file,
                                                Diagnostics& diagnostics) {
  const std::optional<yaml::Tree> tree = yaml::ReadTree(text, file, diagnostics);
  if (!tree) return std::nullopt;
  return Parser(*tree, file, diagnostics).Run();
}

}  // namespace kinemorph
