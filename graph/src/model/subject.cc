// One SubjectOf for each kind of element, so that every message and report calls a thing by the
// same words. Names are copied: passes rename and remove while reports still hold them.
#include "kinemorph/graph/model/subject.h"

#include <algorithm>
#include <utility>

#include "kinemorph/graph/model/elements.h"

namespace kinemorph {
namespace {

std::string_view Word(SubjectKind kind) {
  if (kind == SubjectKind::kLoopJoint) return "loop joint";
  if (kind == SubjectKind::kContactExclusion) return "contact exclusion";
  return Name(kind);
}

// What every author names; other things are quoted only where they have a name.
bool IsNamed(SubjectKind kind) {
  using enum SubjectKind;
  return kind == kModel || kind == kLink || kind == kJoint || kind == kLoopJoint ||
         kind == kFrame || kind == kSensor || kind == kActuator;
}

std::string InQuotes(std::string_view name) { return "'" + std::string(name) + "'"; }

template <class Part>
Subject PartOf(SubjectKind kind, const Link& link, const Part& part) {
  return {kind,
          part.name,
          link.name,
          {},
          PlaceOfPart(part.where, link.where),
          "link " + InQuotes(link.name)};
}

}  // namespace

std::string_view Name(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::kModel:
      return "model";
    case SubjectKind::kWorldModel:
      return "world";
    case SubjectKind::kLink:
      return "link";
    case SubjectKind::kJoint:
      return "joint";
    case SubjectKind::kLoopJoint:
      return "loop-joint";
    case SubjectKind::kCoupling:
      return "coupling";
    case SubjectKind::kFrame:
      return "frame";
    case SubjectKind::kVisual:
      return "visual";
    case SubjectKind::kCollision:
      return "collision";
    case SubjectKind::kMaterial:
      return "material";
    case SubjectKind::kSensor:
      return "sensor";
    case SubjectKind::kActuator:
      return "actuator";
    case SubjectKind::kContactExclusion:
      return "contact-exclusion";
    case SubjectKind::kNative:
      return "native";
  }
  return {};
}

std::string_view KindWord(const Subject& subject) {
  if (!subject.word.empty()) return subject.word;
  return subject.kind == SubjectKind::kNative ? "element" : Word(subject.kind);
}

// "visual 'shell' of link 'shank'": the word, then a name in quotes or a number among its like,
// then the owner. What every author must name is quoted even when the name is empty, since that is
// the fault.
std::string Text(const Subject& subject) {
  std::string text(KindWord(subject));
  if (subject.kind == SubjectKind::kNative && subject.word.empty())
    text = "<" + subject.name + ">";
  else if (!subject.name.empty() || (IsNamed(subject.kind) && subject.number == 0))
    text += " " + InQuotes(subject.name);
  else if (subject.number > 0)
    text += " " + std::to_string(subject.number);
  if (!subject.of.empty()) text += " of " + subject.of;
  return text;
}

Subject TheWorld() { return {SubjectKind::kWorldModel, {}, {}, {}, {}}; }
Subject SubjectOf(const Model& model) { return {SubjectKind::kModel, model.name, {}, {}, {}}; }
Subject SubjectOf(const Scope& scope) {
  return {scope.is_world ? SubjectKind::kWorldModel : SubjectKind::kModel,
          scope.name,
          {},
          {},
          scope.where};
}
Subject SubjectOf(const Link& link) {
  return {SubjectKind::kLink, link.name, link.name, {}, link.where};
}
Subject SubjectOf(const Joint& joint) {
  return {joint.role == JointRole::kLoop ? SubjectKind::kLoopJoint : SubjectKind::kJoint,
          joint.name,
          {},
          joint.name,
          joint.where};
}
Subject SubjectOf(const Frame& frame) {
  return {SubjectKind::kFrame, frame.name, {}, {}, frame.where};
}
Subject SubjectOf(const Link& link, const Visual& visual) {
  return PartOf(SubjectKind::kVisual, link, visual);
}
Subject SubjectOf(const Link& link, const Collision& collision) {
  return PartOf(SubjectKind::kCollision, link, collision);
}

Subject SubjectOf(const Model& model, const Coupling& coupling) {
  Subject subject{SubjectKind::kCoupling, coupling.name, {}, {}, coupling.where};
  if (!coupling.terms.empty() && coupling.terms[0].coordinate.joint != kNoJoint)
    subject.joint = model.joint(coupling.terms[0].coordinate.joint).name;
  // What has no name, as mimics have none, goes by the joint that it moves: that of its first term.
  if (coupling.name.empty() && !subject.joint.empty())
    subject.of = "joint " + InQuotes(subject.joint);
  return subject;
}

Subject SubjectOf(const Model& model, const Sensor& sensor) {
  return {SubjectKind::kSensor, sensor.name,
          sensor.link == kNoLink ? "" : model.link(sensor.link).name,
          sensor.joint == kNoJoint ? "" : model.joint(sensor.joint).name, sensor.where};
}

Subject SubjectOf(const Model& model, const Actuator& actuator) {
  return {SubjectKind::kActuator,
          actuator.name,
          {},
          actuator.joint == kNoJoint ? "" : model.joint(actuator.joint).name,
          actuator.where};
}

Subject SubjectOf(const Model& model, const ContactExclusion& pair) {
  const std::string &a = model.link(pair.a).name, &b = model.link(pair.b).name;
  return {SubjectKind::kContactExclusion,     pair.name, a, {}, pair.where,
          InQuotes(a) + " and " + InQuotes(b)};
}

Subject SubjectOf(const NativeData& data, const Subject& owner) {
  return {SubjectKind::kNative,
          data.element,
          owner.link,
          owner.joint,
          PlaceOfPart(data.where, owner.where),
          Text(owner)};
}

Subject MaterialOf(const Subject& visual) {
  return {SubjectKind::kMaterial, {}, visual.link, {}, visual.where, Text(visual)};
}

Subject SubjectOf(const Model& model, const Element& element) {
  Subject subject{element.kind, std::string(element.name), {}, {}, element.where};
  if (element.link != kNoLink && element.joint == kNoJoint)
    subject.link = model.link(element.link).name;
  if (element.joint != kNoJoint) subject.joint = model.joint(element.joint).name;
  // An inertial goes by the name of its link: it is not "link 'a' of link 'a'".
  if (element.owner != nullptr && element.owner->kind != element.kind)
    subject.of = Text(SubjectOf(model, *element.owner));
  if (element.name.empty()) subject.number = element.number;
  return subject;
}

namespace {

// Visits the origin of everything that has one of its own, and gives parts that of their whole.
template <class Visit>
void EachOrigin(Model& model, const Visit& visit) {
  std::uint32_t whole = 0;
  ForEachElement(model, [&]<class Item>(Item& item, const Element&) {
    if constexpr (std::same_as<Item, Inertial> || std::same_as<Item, Material>) {
      item.where.origin = whole;
    } else if constexpr (requires { item.where; }) {
      visit(item.where.origin);
      whole = item.where.origin;
    }
    if constexpr (HasNativeList<Item>)
      for (NativeData& data : item.native) visit(data.where.origin);
  });
}

}  // namespace

void NumberElements(Model& model) {
  // Numbers that elements brought along stay: the parts of a report that speak of the source and of
  // the lowered model are paired by them.
  std::uint32_t last = 0;
  EachOrigin(model, [&](std::uint32_t origin) { last = std::max(last, origin); });
  EachOrigin(model, [&](std::uint32_t& origin) { origin = origin > 0 ? origin : ++last; });
}

Diagnostic MessageAt(const Model& model, SourceLocation where, Severity severity, std::string code,
                     Statement statement) {
  std::string file = model.FileName(where);
  const std::uint32_t line = file.empty() ? 0 : where.line;
  return MakeDiagnostic(severity, std::move(code), std::move(file), line, "", std::move(statement));
}

Subject Called(std::string_view word, Subject subject) {
  subject.word = word;
  return subject;
}

}  // namespace kinemorph
