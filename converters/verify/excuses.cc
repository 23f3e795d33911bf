#include "verify/excuses.h"

#include <algorithm>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/formats.h"

namespace kinemorph::verify {
namespace {

bool IsAxisData(Feature feature) {
  return feature >= Feature::kPositionLimit && feature <= Feature::kInitialPosition;
}
bool IsShape(Feature feature) {
  return feature >= Feature::kShapeBox && feature <= Feature::kShapeNative;
}
bool IsLook(Feature feature) {
  return feature >= Feature::kMaterialColor && feature <= Feature::kSurfaceFriction;
}
bool IsCoupling(Feature feature) {
  return feature >= Feature::kCouplingMimic && feature <= Feature::kCouplingLinear;
}
bool IsTreeJoint(Feature feature) {
  return feature >= Feature::kJointFixed && feature <= Feature::kJointFree;
}

// A loss of `lost` takes `feature` of the same thing along.
bool Covers(Feature lost, Feature feature) {
  using enum Feature;
  if (lost == feature) return true;
  const bool of_axis = IsAxisData(feature) || feature == kIndependent;
  if (of_axis && (lost == kLoopAxisData || IsLoop(lost) || IsTreeJoint(lost))) return true;
  if (feature == kPositionLimit && lost == kOneSidedLimit) return true;
  if (feature == kEffortLimit && lost == kAsymmetricEffortLimit) return true;
  const bool of_part = IsShape(feature) || IsLook(feature) || feature == kNativeData;
  if (of_part && (lost == kVisual || lost == kCollision || IsShape(lost))) return true;
  if ((feature == kVisual || feature == kCollision) && IsShape(lost)) return true;
  if (IsShape(feature) && IsShape(lost)) return true;
  if (feature == kMaterialColor && (lost == kMaterialLighting || lost == kTransparency))
    return true;
  if (feature == kNativeData && (lost == kSensor || lost == kActuator)) return true;
  return IsCoupling(feature) && IsCoupling(lost);
}

std::string Family(const std::string& format) { return format == "urdf+" ? "urdf" : format; }

FeatureSet Lacking(const Model& model) {
  FeatureSet lacking;
  Target target;
  std::string version;
  target.format = FindFormat(model.format, version);
  target.options.version = model.format_version;
  if (target.format == nullptr) return lacking;
  for (std::size_t f = 0; f < lacking.size(); ++f) {
    const Capability cell = CapabilityOf(static_cast<Feature>(f), target);
    lacking[f] = cell.support == Support::kLost || !cell.as_itself;
  }
  return lacking;
}

std::string Plural(std::string word) {
  if (word.ends_with("y")) return word.substr(0, word.size() - 1) + "ies";
  return word + (word.ends_with("s") || word.ends_with("x") || word.ends_with("sh") ? "es" : "s");
}

std::string Counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + (count == 1 ? word : Plural(word));
}

// What a subject is, by how it is told: "joint 'knee'" -> "joint".
std::string KindOf(const std::string& subject) {
  std::string kind = subject.substr(0, subject.find(" '"));
  if (kind.starts_with("<")) return "element";
  if (const std::size_t of = kind.find(" of "); of != std::string::npos) kind.resize(of);
  while (!kind.empty() &&
         (std::isdigit(static_cast<unsigned char>(kind.back())) != 0 || kind.back() == ' '))
    kind.pop_back();
  return kind;
}

// What the thing itself is called where it is gone; empty for what is said of another thing.
std::string Thing(Feature feature) {
  using enum Feature;
  if (IsLoop(feature)) return "loop";
  if (IsCoupling(feature)) return "coupling";
  const std::pair<Feature, const char*> things[] = {
      {kVisual, "visual"}, {kCollision, "collision"}, {kFrame, "frame"},
      {kSensor, "sensor"}, {kActuator, "actuator"},   {kContactExclusion, "contact exclusion"}};
  for (const auto& [of, word] : things)
    if (of == feature) return word;
  return {};
}

}  // namespace

Excuses::Excuses(const Side& a, const Side& b, const VerifyOptions& options)
    : a_(a), b_(b), report_(options.report), written_(options.written) {
  same_format_ = !a.model.format.empty() && Family(a.model.format) == Family(b.model.format);
  lost_by_a_ = Lacking(a.model), lost_by_b_ = Lacking(b.model);
  for (const Feature feature : options.allow) allowed_.set(Position(feature));
  if (options.report == nullptr) return;
  std::set<std::pair<Place, std::string>> parts;  // of A, each with its link
  const auto place = [](const Subject& part) {
    return Place(part.kind, part.where.file, part.where.line);
  };
  for (const LinkId id : Links(a.model)) {
    const Link& link = a.model.link(id);
    const std::string name = id == kWorld ? "" : link.name;
    for (const Visual& part : link.visuals)
      parts.emplace(Place(SubjectKind::kVisual, part.where.file, part.where.line), name);
    for (const Collision& part : link.collisions)
      parts.emplace(Place(SubjectKind::kCollision, part.where.file, part.where.line), name);
  }
  for (const Loss& loss : options.report->losses) {
    Losses& of = losses_[loss.feature];
    const Subject& subject = loss.subject;
    if (subject.kind == SubjectKind::kModel || subject.kind == SubjectKind::kWorldModel)
      of.whole = &loss;
    if (!subject.name.empty()) of.names.emplace(subject.name, &loss);
    if (!subject.joint.empty()) of.joints.emplace(subject.joint, &loss);
    const bool part =
        subject.kind == SubjectKind::kVisual || subject.kind == SubjectKind::kCollision;
    if (part || !subject.link.empty())
      of.links.emplace(subject.link.empty() ? "world" : subject.link, &loss);
    if (part && subject.where.line > 0 && !parts.contains({place(subject), subject.link}))
      of.places.emplace(place(subject), &loss);  // a pass moved it there
    of.texts.emplace(Text(subject), &loss);
  }
  for (const NameChange& change : options.report->names) other_[change.from].push_back(change.to);
}

const Loss* Excuses::NamedAs(Feature lost, const Subject& subject) const {
  const auto found = losses_.find(lost);
  if (found == losses_.end()) return nullptr;
  const Losses& of = found->second;
  const auto any = [&](const LossByName& losses, const std::string& name) -> const Loss* {
    if (name.empty()) return nullptr;
    if (const auto at = losses.find(name); at != losses.end()) return at->second;
    const auto others = other_.find(name);
    if (others == other_.end()) return nullptr;
    for (const std::string& other : others->second)
      if (const auto at = losses.find(other); at != losses.end()) return at->second;
    return nullptr;
  };
  const bool part =
      subject.kind == SubjectKind::kVisual || subject.kind == SubjectKind::kCollision ||
      subject.kind == SubjectKind::kMaterial || subject.kind == SubjectKind::kNative ||
      subject.kind == SubjectKind::kLink || subject.kind == SubjectKind::kContactExclusion;
  if (const auto same = of.texts.find(Text(subject)); same != of.texts.end()) return same->second;
  if (const Loss* loss = any(of.names, subject.name)) return loss;
  if (const Loss* loss = any(of.joints, subject.joint)) return loss;
  if (const Loss* loss =
          part ? any(of.links, subject.link.empty() ? "world" : subject.link) : nullptr)
    return loss;
  if (const auto moved =
          of.places.find(Place(subject.kind, subject.where.file, subject.where.line));
      moved != of.places.end())
    return moved->second;
  return of.whole;
}

const Loss* Excuses::Named(Feature feature, const Subject& subject) const {
  if (const Loss* loss = NamedAs(feature, subject)) return loss;
  for (const auto& [lost, of] : losses_) {
    if (const Loss* loss = Covers(lost, feature) ? NamedAs(lost, subject) : nullptr) return loss;
  }
  return nullptr;
}

bool Excuses::Take(Feature feature, const Subject& subject) {
  if (const Loss* loss = Named(feature, subject)) {
    Except(loss->feature, loss->subject);
    return true;
  }
  if (!allowed_[Position(feature)]) return false;
  Except(feature, subject);
  return true;
}

bool Excuses::TakeChanged(Feature feature, const Subject& subject) {
  const Loss* loss = Named(feature, subject);
  return (loss == nullptr || loss->feature != feature || !loss->target.empty()) &&
         Take(feature, subject);
}

bool Excuses::TakeOfB(Feature feature, const Subject& subject) {
  const Weight weight = WeightOf(feature, subject.kind);
  if (allowed_[Position(feature)]) {
    Except(feature, subject);
    return true;
  }
  if (same_format_ || !lost_by_a_[Position(feature)] || weight == Weight::kMotion) return false;
  return SkipOfB(feature, subject);
}

bool Excuses::SkipOfB(Feature feature, const Subject& subject) {
  Item& item = skipped_[feature];
  if (item.told.insert(Text(subject)).second) item.subjects.push_back(Text(subject));
  return true;
}

void Excuses::Except(Feature feature, const Subject& subject) {
  Item& item = exceptions_[feature];
  item.weight = std::max(item.weight, WeightOf(feature, subject.kind));
  if (item.told.insert(Text(subject)).second) item.subjects.push_back(Text(subject));
}

void Excuses::ExceptUnseen() {
  if (report_ == nullptr || same_format_) return;
  for (const Loss& loss : report_->losses) Except(loss.feature, loss.subject);
}

void Excuses::Tell(VerifyResult& result) const {
  for (const auto& [feature, item] : exceptions_) {
    result.exceptions.push_back({feature, item.weight, item.subjects});
    if (lost_by_b_[Position(feature)]) {
      result.skipped.push_back(b_.model.format + " has no " + std::string(FeatureTitle(feature)) +
                               " (A has " + std::to_string(item.subjects.size()) + ")");
    }
  }
  for (const auto& [feature, item] : skipped_) {
    const char* what =
        lost_by_a_[Position(feature)] ? " has no " : ", A's format, does not say this ";
    result.skipped.push_back(a_.model.format + what + std::string(FeatureTitle(feature)) +
                             " (B has " + std::to_string(item.subjects.size()) + ")");
  }
}

std::string Phrase(const VerifyException& exception) {
  const std::size_t count = exception.subjects.size();
  if (const std::string thing = Thing(exception.feature); !thing.empty())
    return Counted(count, thing);
  const std::string title(FeatureTitle(exception.feature));
  const std::string kind = count == 0 ? "" : KindOf(exception.subjects.front());
  const bool alike = std::all_of(exception.subjects.begin(), exception.subjects.end(),
                                 [&](const std::string& s) { return KindOf(s) == kind; });
  return title + " of " + Counted(count, alike && !kind.empty() ? kind : "element");
}

}  // namespace kinemorph::verify
