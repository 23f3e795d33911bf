// One fact per line, indented by owner, references by name; no line numbers and no file names, so
// that equal models give equal text. The lists of fields say what there is and how it is printed.
#include "kinemorph/graph/model/model_dump.h"

#include "base/quoted.h"
#include "kinemorph/graph/model/field_text.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph {
namespace {

class Dump {
 public:
  explicit Dump(const Model& model) : model_(model) {}

  std::string Run() {
    Element(0, "model " + Quoted(model_.name), model_);
    Part(0, "scope", model_.scopes);
    for (std::uint32_t i = 0; i < model_.num_links(); ++i)
      Element(0, "link " + Text(LinkId{i}), model_.link(LinkId{i}), i > 0);
    for (const JointId id : Joints(model_)) {
      const std::string ends = Text(model_.predecessor(id)) + " -> " + Text(model_.successor(id));
      Element(0, "joint " + Text(id) + " " + ends, model_.joint(id));
    }
    Part(0, "coupling", model_.couplings), Part(0, "frame", model_.frames);
    Part(0, "sensor", model_.sensors), Part(0, "actuator", model_.actuators);
    Part(0, "no-contact", model_.contact_exclusions), Part(0, "contact", model_.contact_pairs);
    return out_.substr(1) + "\n";
  }

 private:
  void Line(std::size_t depth, const std::string& text) {
    out_ += "\n" + std::string(2 * depth, ' ') + text;
  }

  // A line for the owner, and what its fields say on it and below it. Not `always`: only where they
  // say anything.
  template <class Owner>
  void Element(std::size_t depth, const std::string& line, const Owner& owner, bool always = true) {
    const std::size_t before = out_.size();
    Line(depth, line);
    const std::size_t silent = out_.size();
    ForEachField<Owner>([&]<class Value>(const Field<Owner, Value>& field) {
      const Value& value = owner.*field.member;
      if constexpr (requires { Part(depth + 1, field.key, value); })
        Part(depth + 1, field.key, value);
      else if (IsWritten(owner, field) || !Has(field.print, Print::kWhereSaid))
        Put(depth + 1, field.print, field.key, Text(value));
    });
    if (!always && out_.size() == silent) out_.resize(before);
  }

  void Put(std::size_t depth, Print print, std::string_view key, const std::string& value) {
    const std::string text = Has(print, Print::kBare) ? value : std::string(key) + " " + value;
    if (print == Print::kName) return;
    if (Has(print, Print::kBeside))
      out_ += " " + text;
    else
      Line(depth, text);
  }

  // What is less than a value, or more.
  template <class Flag>
  requires std::same_as<Flag, bool> || std::same_as<Flag, std::optional<bool>>
  void Part(std::size_t, std::string_view key, const Flag& flag) {
    if (flag == Flag()) return;
    const bool pair = key == "independent";
    out_ += " " + std::string(pair && flag == false ? "dependent" : key);
    if (!std::same_as<Flag, bool> && !pair) out_ += flag == true ? " yes" : " no";
  }
  template <HasFields Owner>
  void Part(std::size_t depth, std::string_view key, const std::optional<Owner>& owner) {
    if (owner) One(depth, std::string(key), *owner, 0);
  }
  template <HasFields Owner>
  void Part(std::size_t depth, std::string_view key, const std::vector<Owner>& owners) {
    for (std::size_t i = 0; i < owners.size(); ++i) One(depth, std::string(key), owners[i], i);
  }
  void Part(std::size_t depth, std::string_view key, const std::vector<NativeData>& native) {
    for (const NativeData& data : native)
      Line(depth, std::string(key) + " " + data.format + " " + Quoted(data.element));
  }
  void Part(std::size_t, std::string_view, const NativeData&) {}  // the whole element
  void Part(std::size_t depth, std::string_view, const Shape& shape) {
    std::visit([&](const auto& s) { Element(depth, std::string(kShapeNames[shape.index()]), s); },
               shape);
  }

  // Scopes and coordinates are known by number, others by name.
  template <class Owner>
  void One(std::size_t depth, std::string title, const Owner& owner, std::size_t i) {
    constexpr bool kIsAxis = std::same_as<Owner, JointAxis>;
    if (kIsAxis || std::same_as<Owner, Scope>) title += " " + std::to_string(i);
    if constexpr (IsNamed<Owner>()) title += " " + Quoted(owner.name);
    Element(depth, title, owner, !kIsAxis);
  }

  std::string Text(const std::string& text) { return Quoted(text); }
  std::string Text(LinkId id) {
    return id == kNoLink ? "-" : id == kWorld ? "world" : Quoted(model_.link(id).name);
  }
  std::string Text(JointId id) { return id == kNoJoint ? "-" : Quoted(model_.joint(id).name); }
  std::string Text(Coordinate c) { return Text(c.joint) + " " + std::to_string(c.axis) + ":"; }
  template <class Value>
  std::string Text(const Value& value) {
    if constexpr (requires { value.has_value(); })
      return Text(*value);
    else
      return ValueText(value);
  }

  const Model& model_;
  std::string out_;
};

}  // namespace

std::string DumpModel(const Model& model) { return Dump(model).Run(); }

}  // namespace kinemorph
