// One fact per line, indented by owner, references by name; no line numbers and no file names, so
// that equal models give equal text. The lists of fields say what there is.
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
    Element(0, Title("model", model_), model_);
    Part(0, "scope", model_.scopes);
    for (std::uint32_t i = 0; i < model_.num_links(); ++i)
      Element(0, "link " + Text(LinkId{i}), model_.link(LinkId{i}), i > 0);
    for (const JointId id : Joints(model_)) {
      const std::string ends = Text(model_.predecessor(id)) + " -> " + Text(model_.successor(id));
      Element(0, "joint " + Text(id) + " " + ends, model_.joint(id));
    }
    Part(0, "coupling", model_.couplings);
    Part(0, "frame", model_.frames);
    Part(0, "sensor", model_.sensors);
    Part(0, "actuator", model_.actuators);
    Part(0, "no-contact", model_.contact_exclusions);
    Part(0, "contact", model_.contact_pairs);
    return out_.substr(1) + "\n";
  }

 private:
  void Line(std::size_t depth, const std::string& text) {
    out_ += "\n" + std::string(2 * depth, ' ') + text;
  }

  // Poses whose text says nothing are those that a reader of it would not see.
  void Fact(std::size_t depth, std::string_view key, const std::string& text, bool is_pose) {
    if (!is_pose || text != "0 0 0") Line(depth, std::string(key) + " " + text);
  }

  // A line for the owner, and what its fields say below it. Not `always`: only where they say
  // anything.
  template <class Owner>
  void Element(std::size_t depth, const std::string& title, const Owner& owner,
               bool always = true) {
    // A choice among words (an enum) is always written, since its default means something; other
    // fields only where the author said something. An owner that is silent is taken back.
    const std::size_t before = out_.size();
    Line(depth, title);
    const std::size_t silent = out_.size();
    ForEachField<Owner>([&]<class Value>(const Field<Owner, Value>& field) {
      const Value& value = owner.*field.member;
      constexpr bool kIsChoice = std::is_enum_v<Value> && !requires { Index(value); };
      if constexpr (requires { Part(depth + 1, field.key, value); })
        Part(depth + 1, field.key, value);
      else if ((kIsChoice || IsWritten(owner, field)) && field.key != "name")  // it is in the title
        Fact(depth + 1, field.key, Text(value), std::same_as<Value, RigidTransform>);
    });
    if (!always && out_.size() == silent) out_.resize(before);
  }

  // What is more than a value.
  template <HasFields Owner>
  void Part(std::size_t depth, std::string_view key, const std::optional<Owner>& owner) {
    if (owner) Element(depth, Title(key, *owner), *owner);
  }
  // Scopes and coordinates are known by number, others by name.
  template <HasFields Owner>
  void Part(std::size_t depth, std::string_view key, const std::vector<Owner>& owners) {
    // Axes that say nothing would fill the dump: most joints have one, and most of them are silent.
    constexpr bool kIsAxis = std::same_as<Owner, JointAxis>;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      std::string title(key);
      if (kIsAxis || std::same_as<Owner, Scope>) title += " " + std::to_string(i);
      Element(depth, Title(title, owners[i]), owners[i], !kIsAxis);
    }
  }
  void Part(std::size_t depth, std::string_view, const Shape& shape) {
    std::visit([&](const auto& s) { Element(depth, Title(kShapeNames[shape.index()], s), s); },
               shape);
  }
  void Part(std::size_t depth, std::string_view key, const std::vector<NativeData>& native) {
    for (const NativeData& data : native)
      Line(depth, std::string(key) + " " + data.format + " " + Quoted(data.element));
  }
  void Part(std::size_t, std::string_view, const NativeData&) {}  // the whole element

  template <class Owner>
  static std::string Title(std::string_view kind, const Owner& owner) {
    if constexpr (requires { owner.name; }) return std::string(kind) + " " + Quoted(owner.name);
    return std::string(kind);
  }

  std::string Text(const std::string& text) { return Quoted(text); }
  std::string Text(LinkId id) {
    return id == kNoLink ? "-" : id == kWorld ? "world" : Quoted(model_.link(id).name);
  }
  std::string Text(JointId id) { return id == kNoJoint ? "-" : Quoted(model_.joint(id).name); }
  std::string Text(Coordinate c) { return Text(c.joint) + " " + std::to_string(c.axis); }
  template <class Value>
  std::string Text(const std::optional<Value>& value) {
    return Text(*value);
  }
  template <class Value>
  std::string Text(const Value& value) {
    return ValueText(value);
  }

  const Model& model_;
  std::string out_;
};

}  // namespace

std::string DumpModel(const Model& model) { return Dump(model).Run(); }

}  // namespace kinemorph
