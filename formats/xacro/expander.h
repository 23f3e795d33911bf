// The expansion of a document: directives, macros, properties and texts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "document.h"
#include "evaluator.h"

namespace kinemorph::xacro {

inline constexpr std::uint32_t kMostCalls = 100'000;
inline constexpr std::size_t kMostNodes = 250'000, kMostIncludes = 10'000;
inline constexpr std::size_t kMostKept = 1 << 18;  // bytes of expressions whose trees are kept
inline constexpr int kMostMacros = 128, kMostIncluded = 64, kMostLevels = 400, kMostReads = 200;
inline constexpr std::size_t kMostMissing = 100;  // arguments that are told to be missing

struct Property {
  Value value;
  bool lazy = false;  ///< a text that is evaluated when it is read first
  bool busy = false;  ///< it is being evaluated
  XacroPlace place;
};

/// What `*name` and `**name` stand for.
struct Block {
  const std::vector<Node>* nodes = nullptr;         ///< of the source, or of `made`
  std::shared_ptr<const std::vector<Node>> made{};  ///< evaluated by a call
};

struct Parameter {
  std::string name;                        ///< with the * or ** of a block
  std::optional<std::string> otherwise{};  ///< text of the default
  bool forward = false;                    ///< the property of that name goes before
};

struct Macro {
  std::string name;
  std::vector<Parameter> parameters;
  std::unordered_map<std::string, std::size_t> places;  ///< of the parameters, by name
  std::string twice;                                    ///< a name that is listed twice
  const Node* body = nullptr;
};

struct Scope {
  Scope* parent = nullptr;
  bool space = false;  ///< a namespace, not a call
  std::unordered_map<std::string, Property> properties;
  std::map<std::string, Block> blocks;
  std::map<std::string, std::shared_ptr<const Macro>> macros;
  std::map<std::string, std::unique_ptr<Scope>> spaces;
};

class Expander : public Names {
 public:
  Expander(const XacroOptions& options, Diagnostics& diagnostics);
  [[nodiscard]] std::optional<XacroExpansion> Run(std::string_view text);

  Answer Read(const void* space, const std::string& name, Value& out) override;
  const void* Space(const void* space, const std::string& name) override;
  bool CallXacro(const Call& call, Value& out) override;
  bool IsVisible(const std::string& name) override;
  [[nodiscard]] std::string Suggestion(const std::string& name) override {
    return DidYouMean(name, false);
  }

 private:
  // expander.cc: elements and the simple directives
  bool Children(const std::vector<Node>& nodes, Node& parent);
  bool Element(const Node& node, const std::string& name, Node& parent);
  bool Directive(const Node& node, const std::string& name, Node& parent);
  bool Plain(const Node& node, const std::string& name, Node& parent);
  bool Attributes(const Node& node, Node& made);
  bool Comment(const Node& node, bool& evaluate, Node& parent);
  bool If(const Node& node, bool unless, Node& parent);
  bool Truth(const Attribute& value, const Node& node, bool& out);
  bool InsertBlock(const Node& node, Node& parent);
  bool Renamed(const Node& node, Node& parent);
  bool SetAttribute(const Node& node);
  bool Argument(const Node& node);
  bool Count(const Node& node);
  // What a new element, text or property keeps; an error is of `place`.
  bool Keep(std::size_t bytes, XacroPlace place);
  void LiftNamespaces(const Node& node, Node& parent);
  // The attribute; null with an error where there is none.
  const Attribute* Need(const Node& node, std::string_view name);
  void WarnOfOthers(const Node& node, std::initializer_list<std::string_view> known);

  // properties.cc
  bool DefineProperty(const Node& node);
  bool StoreProperty(const Node& node, const std::string& name, const Attribute& text);
  void RemoveProperty(const std::string& name);
  bool Store(Scope& scope, const std::string& name, Value value, XacroPlace place,
             bool lazy = false);
  bool Evaluate(Scope& holder, const std::string& name, Property& property);

  // macros.cc
  bool DefineMacro(const Node& node);
  // A macro's body is evaluated in a scope below the one that holds the macro: below the caller's
  // where the name has no dot. What the call gives to it is evaluated where the call stands.
  bool CallMacro(const Node& node, const std::string& name, Node& parent);
  bool Bind(const Node& node, const Macro& macro, Scope& local);
  bool BindArguments(const Node& node, const Macro& macro, Scope& local);
  bool BindBlocks(const Node& node, const Macro& macro, Scope& local);
  bool BindDefaults(const Node& node, const Macro& macro, Scope& local);
  void CompareFormer(const std::string& name, const Property* here);
  void WarnOfFormer(const Node& node, const std::string& name,
                    const std::set<std::string>& differing);
  // "; did you mean 'leg'?", of the macros or properties that are visible, or that one lacks its
  // prefix; often empty.
  [[nodiscard]] std::string DidYouMean(const std::string& name, bool macro) const;
  [[nodiscard]] std::shared_ptr<const Macro> FindMacro(const std::string& name, Scope*& outer);

  /// A call of a macro in a namespace. Before xacro 2.1 what the call gives was evaluated in the
  /// namespace: names that have another value there are kept, to be told.
  struct FormerScope {
    const Scope *caller = nullptr, *space = nullptr;
    std::size_t reading = 0;      ///< properties that were being read
    std::set<std::string> names;  ///< that differ
  };

  // includes.cc
  bool Include(const Node& node, Node& parent);
  bool IncludeFile(const std::string& name, bool optional, const Attribute& filename,
                   const Node& node, Scope& scope, Node& parent);
  [[nodiscard]] std::vector<std::string> Matches(const std::string& pattern);
  [[nodiscard]] std::optional<Resource> Open(const std::string& name, std::string& why) const;
  std::optional<std::string> FindPackage(const std::string& name);
  /// The folder of that name that the file lies in; empty where it lies in none.
  [[nodiscard]] std::string FolderAbove(const std::string& name) const;
  bool LoadYaml(const std::string& name, Value& out);
  [[nodiscard]] std::string AbsoluteName(const std::string& name) const;
  [[nodiscard]] std::string FolderHere() const;

  // substitution.cc
  /// The value of a text with ${...} and $(...) in it; an error is of `place`.
  bool Substitute(const std::string& text, XacroPlace place, Value& out);
  bool SubstituteText(const std::string& text, XacroPlace place, std::string& out);
  /// What a text stands for that is read as a literal.
  bool Literally(const std::string& text, Value& out);
  void TellOfSets(XacroPlace place);
  bool Pieces(std::string_view text, XacroPlace place, Value& out);
  bool Compute(std::string_view text, Value& out);
  bool ComputeArgument(std::string_view text, Value& out);
  bool Command(std::string_view text, Value& out);
  bool ArgumentNamed(const std::string& name, std::string& out);

  bool Fail(std::string_view code, Statement statement, XacroPlace place);
  // With the macro calls that led there.
  [[nodiscard]] Diagnostic MessageAt(Severity severity, std::string_view code, Statement statement,
                                     XacroPlace place) const;
  void Say(Severity severity, std::string_view code, Statement statement, XacroPlace place);
  void Report();
  void ReportMissing();
  void AskFor(const std::string& argument) {
    if (options_.arguments.contains(argument)) asked_.insert(argument);
  }
  /// A given argument that nobody asks for is most often misspelt.
  void WarnOfUnasked();
  [[nodiscard]] std::string Text(XacroPlace place) const;
  [[nodiscard]] XacroPlace Here(const Node& node) const {
    return {node.place.file, node.place.line, call_};
  }
  [[nodiscard]] XacroPlace Here(const Node& node, const Attribute& attribute) const {
    return {node.place.file, attribute.line, call_};
  }

  const XacroOptions& options_;
  Diagnostics& diagnostics_;
  Machine machine_;
  Evaluator evaluator_;
  XacroExpansion out_;
  std::map<std::string, std::string> arguments_;
  std::set<std::string> asked_;  ///< given arguments that the file asks for or declares

  Scope root_;
  Scope* scope_ = &root_;
  std::uint32_t file_ = 0;  ///< that relative names are relative to
  std::uint32_t call_ = 0;
  XacroPlace at_;  ///< of the text that is being evaluated
  Node* attribute_target_ = nullptr;

  std::optional<XacroPlace> failed_at_;
  std::vector<std::string> notes_;  ///< of the failure
  std::string suggestion_;          ///< likewise
  std::vector<std::string> reading_;
  int levels_ = 0, macros_deep_ = 0, includes_deep_ = 0;
  int conditions_ = 0;  ///< around this place, up to the next element
  std::size_t nodes_ = 0, includes_ = 0, loaded_ = 0, kept_bytes_ = 0;
  FormerScope* former_ = nullptr;
  /// Arguments without a value, by name with the place of the first use: the expansion goes on with
  /// a stand-in to find them all.
  std::vector<std::pair<std::string, XacroPlace>> missing_;
  bool argument_names_ = false;  ///< $(eval ...): names are those of arguments
  std::set<std::string> told_;
  /// Elements <property> and <macro> without the prefix, by what they are and their name.
  std::map<std::pair<std::string, std::string>, XacroPlace> bare_;

  std::map<std::string, std::unique_ptr<Document>> documents_;  ///< by the name they were asked for
  std::map<std::string, std::uint32_t> document_files_;
  std::unordered_map<std::string, std::unique_ptr<Expression>> expressions_;
};

/// The macro's parameters, of `params`.
[[nodiscard]] std::vector<Parameter> ParseParameters(std::string_view text);

/// A YAML text as a value whose dictionaries are dotted. False: an error of the machine, in `line`.
bool ReadYaml(std::string_view text, Evaluator& evaluator, Value& out, std::uint32_t& line);

}  // namespace kinemorph::xacro
