#include "verify/excuses.h"

#include <algorithm>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/native_weight.h"

namespace kinemorph::verify {
namespace {

// A difference may be excused by the report of the conversion A to B, by that of B to A, by the
// caller, or because a format never holds such a thing. Whatever is excused becomes an exception of
// the verdict with the feature and subject of the loss; nothing is excused without appearing there.

// Whose native content it keeps.
std::string_view FamilyOf(const Model& model) {
  Target target;
  target.format = FindFormat(model.format);
  return target.format == nullptr ? std::string_view(model.format) : TraitsOf(target).native_format;
}

FeatureSet Lacking(const Model& model) {
  Target target;
  std::string version;
  target.format = FindFormat(model.format, version);
  target.options.version = model.format_version;
  if (target.format == nullptr) return {};
  return FeaturesWhere([&](Feature feature) {
    const Capability cell = CapabilityOf(feature, target);
    return cell.support == Support::kLost || !cell.as_itself;
  });
}

std::string Plural(std::string word) {
  if (word.ends_with("y")) return word.substr(0, word.size() - 1) + "ies";
  return word + (word.ends_with("s") || word.ends_with("x") || word.ends_with("sh") ? "es" : "s");
}

std::string Counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + (count == 1 ? word : Plural(word));
}

// As the subject of an exclusion has it.
std::string PairOf(const std::string& first, const std::string& second) {
  return "'" + first + "' and '" + second + "'";
}

// Parts of different links share their names.
bool SharesItsName(const Subject& subject) {
  return subject.kind == SubjectKind::kVisual || subject.kind == SubjectKind::kCollision ||
         subject.kind == SubjectKind::kMaterial || subject.kind == SubjectKind::kNative;
}

}  // namespace

Excuses::Excuses(const Side& a, const Side& b, const VerifyOptions& options)
    : a_(a), b_(b), written_(options.written), assumed_(options.assumed) {
  same_format_ = !a.model.format.empty() && FamilyOf(a.model) == FamilyOf(b.model);
  // A feature that a format holds only in the shape of others counts as lacking: it cannot be read
  // back.
  lost_by_a_ = Lacking(a.model), lost_by_b_ = Lacking(b.model);
  for (const Feature feature : options.allow) allowed_.set(Position(feature));
  of_a_ = WordOf(options.report), of_b_ = WordOf(options.back);
}

Excuses::Word Excuses::WordOf(const LossReport* report) {
  Word word;
  word.report = report;
  if (report == nullptr) return word;
  // Losses by feature and field, and in it by all that a difference may know its subject by: origin,
  // text, name, and the joint or link that it hangs on. A loss of the model as a whole covers every
  // subject.
  for (const NameChange& change : report->names) word.other[change.from].push_back(change.to);
  const auto add = [](const Loss& loss, Losses& of) {
    const Subject& subject = loss.subject;
    if (subject.kind == SubjectKind::kModel || subject.kind == SubjectKind::kWorldModel)
      of.whole = &loss;
    if (subject.where.origin > 0) of.origins.emplace(subject.where.origin, &loss);
    of.texts.emplace(Text(subject), &loss);
    // Content of one format is what it is, and excuses nothing else on its owner.
    if (subject.kind == SubjectKind::kNative) return;
    if (!subject.joint.empty()) of.joints.emplace(subject.joint, &loss);
    if (SharesItsName(subject)) return;
    if (!subject.name.empty()) of.names.emplace(subject.name, &loss);
    if (!subject.link.empty()) of.links.emplace(subject.link, &loss);
  };
  for (const Loss& loss : report->losses) {
    AddContacts(loss, word.contacts);
    if (loss.fields.empty()) add(loss, word.losses[{loss.feature, ""}]);
    for (const std::string& field : loss.fields) add(loss, word.losses[{loss.feature, field}]);
  }
  return word;
}

std::string Excuses::KeyOf(const Loss& loss) {
  return std::string(FeatureName(loss.feature)) + "|" + Text(loss.subject) + "|" + loss.what + "|" +
         loss.source;
}

// A loss is of its own subject, whatever it was called when it was lost; of what hangs on the joint
// or link that is lost; of all there is in the model.
const Loss* Excuses::NamedAs(const Word& word, const Losses& of, const Subject& subject,
                             bool itself) {
  // Under this name, or under one that the conversion gave it later.
  const auto any = [&](const LossByName& losses, const std::string& name) -> const Loss* {
    if (name.empty()) return nullptr;
    if (const auto at = losses.find(name); at != losses.end()) return at->second;
    const auto others = word.other.find(name);
    if (others == word.other.end()) return nullptr;
    for (const std::string& other : others->second)
      if (const auto at = losses.find(other); at != losses.end()) return at->second;
    return nullptr;
  };
  const bool part = SharesItsName(subject);

  // An origin is sure. Only a subject without one is looked for by its text.
  if (subject.where.origin > 0) {
    if (const auto own = of.origins.find(subject.where.origin); own != of.origins.end())
      return own->second;
  } else if (const auto same = of.texts.find(Text(subject)); same != of.texts.end()) {
    return same->second;
  }
  if (const Loss* loss = part ? nullptr : any(of.names, subject.name)) return loss;
  // What a thing takes along goes with it, and not with another thing that hangs on the same joint or
  // link.
  if (const Loss* loss = subject.kind == SubjectKind::kNative ? any(of.texts, subject.of) : nullptr)
    return loss;
  const auto takes = [&](const Loss* loss, auto... owners) {
    return loss != nullptr && (itself || ((loss->subject.kind == owners) || ...));
  };
  if (const Loss* loss = any(of.joints, subject.joint);
      takes(loss, SubjectKind::kJoint, SubjectKind::kLoopJoint))
    return loss;
  const bool of_link =
      part || subject.kind == SubjectKind::kLink || subject.kind == SubjectKind::kContactExclusion;
  if (const Loss* loss = of_link ? any(of.links, subject.link) : nullptr;
      takes(loss, SubjectKind::kLink))
    return loss;
  return of.whole;
}

// The loss of the feature itself goes before one that takes the feature along.
const Loss* Excuses::Named(const Word& word, Feature feature, const Subject& subject,
                           std::string_view field) {
  for (const bool itself : {true, false})
    for (const auto& [lost, of] : word.losses) {
      const auto& [lost_feature, lost_field] = lost;
      if (itself != (lost_feature == feature) || !Covers(lost_feature, feature)) continue;
      if (itself && !lost_field.empty() && !field.empty() && lost_field != field) continue;
      if (const Loss* loss = NamedAs(word, of, subject, itself)) return loss;
    }
  return nullptr;
}

bool Excuses::Take(Feature feature, const Subject& subject, std::string_view field) {
  if (const Loss* loss = Named(of_a_, feature, subject, field)) {
    Except(*loss);
    return true;
  }
  if (!allowed_[Position(feature)]) return false;
  Except(feature, subject);
  return true;
}

bool Excuses::TakeEither(Feature feature, const Subject& of_a, const Subject& of_b,
                         std::string_view field) {
  if (Take(feature, of_a, field)) return true;
  const Loss* const loss = Named(of_b_, feature, of_b, field);
  if (loss != nullptr) Except(*loss);
  return loss != nullptr;
}

// Exclusions are of two links, words of self-collision of a link and those that it names.
void Excuses::AddContacts(const Loss& loss, LossByName& contacts) {
  const Subject& subject = loss.subject;
  if (loss.feature == Feature::kContactExclusion) contacts.emplace(subject.of, &loss);
  if (loss.feature != Feature::kSelfCollision) return;
  if (loss.others.empty()) contacts.emplace(subject.link, &loss);  // of a model: ""
  for (const std::string& other : loss.others) contacts.emplace(PairOf(subject.link, other), &loss);
}

const Loss* Excuses::OfContact(const Word& word, std::vector<std::string> first,
                               std::vector<std::string> second) {
  // Under the names that they went through, too.
  for (std::vector<std::string>* names : {&first, &second})
    for (std::size_t i = names->size(); i-- > 0;)
      if (const auto more = word.other.find((*names)[i]); more != word.other.end())
        names->insert(names->end(), more->second.begin(), more->second.end());
  const auto find = [&](const std::string& key) {
    const auto found = word.contacts.find(key);
    return found == word.contacts.end() ? nullptr : found->second;
  };
  for (const std::string& x : first)
    for (const std::string& y : second)
      for (const std::string& key : {PairOf(x, y), PairOf(y, x), x, y})
        if (const Loss* loss = find(key)) return loss;
  return find("");
}

bool Excuses::TakeContact(const std::vector<std::string>& first,
                          const std::vector<std::string>& second) {
  const Loss* loss = OfContact(of_a_, first, second);
  // What only a conversion back would lose excuses no conversion that was made.
  if (loss == nullptr && assumed_) loss = OfContact(of_b_, first, second);
  if (loss != nullptr) {
    Except(*loss);
    return true;
  }
  for (const Feature feature : {Feature::kSelfCollision, Feature::kContactExclusion}) {
    if (!allowed_[Position(feature)]) continue;
    Except(feature, {SubjectKind::kContactExclusion,
                     {},
                     first.front(),
                     {},
                     {},
                     PairOf(first.front(), second.front())});
    return true;
  }
  return false;
}

// A loss that names a value in the target says that the value changed; one without says that
// nothing is left, which does not excuse another value.
bool Excuses::TakeChanged(Feature feature, const Subject& subject) {
  const Loss* loss = Named(of_a_, feature, subject);
  if ((loss == nullptr || !loss->target.empty()) && Take(feature, subject)) return true;
  loss = Named(of_b_, feature, subject);
  if (loss == nullptr || loss->feature != feature || loss->target.empty()) return false;
  Except(*loss);
  return true;
}

bool Excuses::IsReplaced(Feature feature, const Subject& subject) const {
  const Loss* const loss = Named(of_a_, feature, subject);
  return loss != nullptr && !loss->target.empty();
}

bool Excuses::TakeOfB(Feature feature, const Subject& subject) {
  if (allowed_[Position(feature)]) {
    Except(feature, subject);
    return true;
  }
  if (of_b_.report != nullptr) {
    const Loss* const loss = Named(of_b_, feature, subject);
    // A conversion that adds what moves bodies is wrong, whoever has no place for it.
    if (loss == nullptr || (!assumed_ && loss->weight == Weight::kMotion)) return false;
    Except(*loss);
    return true;
  }
  if (same_format_ || !lost_by_a_[Position(feature)] ||
      WeightOf(feature, subject.kind) == Weight::kMotion)
    return false;
  return SkipOfB(feature, subject);
}

bool Excuses::SkipOfB(Feature feature, const Subject& subject) {
  skipped_[feature].Add(subject);
  return true;
}

// Loops and motion are always told; other losses that the other side's conversion makes good are
// not.
void Excuses::Except(const Loss& loss) {
  if (loss.weight != Weight::kMotion && expected_.contains(KeyOf(loss))) return;
  Item& item = ItemOf(loss.feature, loss.weight, loss.asked);
  if (!item.Add(loss.subject)) return;
  for (const std::string& name : loss.content) item.content.push_back(name);
}

void Excuses::Except(Feature feature, const Subject& subject) {
  ItemOf(feature, WeightOf(feature, subject.kind)).Add(subject);
}

void Excuses::Except(const NativeData& data, const Subject& owner) {
  Item& item = ItemOf(Feature::kNativeData, WeightOfContent(data, owner.kind));
  if (!item.Add(SubjectOf(data, owner))) return;
  for (std::string& name : NamesOfContent(data, owner.kind))
    item.content.push_back(std::move(name));
}

namespace {

// Said in the model, and enforced by user code only.
bool IsRemark(Feature feature, const Model& model, const Names& names, const Subject& subject) {
  Target target;
  target.format = FindFormat(model.format);
  if (target.format == nullptr || CapabilityOf(feature, target).enforced) return false;
  const auto called = [&](const std::string& name) {
    return !name.empty() && (name == subject.name || name == subject.joint);
  };
  return names.Joint(subject.joint).has_value() ||
         std::any_of(model.couplings.begin(), model.couplings.end(),
                     [&](const Coupling& c) { return called(c.name); });
}

}  // namespace

// Losses that no comparison could notice, since both sides look alike: they stand in the verdict
// all the same, so that "equivalent" is never said of a conversion with losses.
void Excuses::ExceptUnseen() {
  if (a_.model.format == b_.model.format || (same_format_ && of_b_.report == nullptr)) return;
  for (const Word* word : {&of_a_, &of_b_}) {
    if (word->report == nullptr) continue;
    const Model& other = word == &of_a_ ? b_.model : a_.model;
    const Names names(other);
    for (const Loss& loss : word->report->losses) {
      const bool in_another_way = IsConstraint(loss.feature) &&
                                  (keeps_constraints_ || (word == &of_b_ && !assumed_)) &&
                                  !IsRemark(loss.feature, other, names, loss.subject);
      // That a link got an inertia is a loss where that shows.
      const bool unseen = loss.feature == Feature::kMasslessLink && (assumed_ || word == &of_b_);
      if (!in_another_way && !unseen) Except(loss);
    }
  }
}

// By weight, motion first. What B's format never holds is also told as skipped.
void Excuses::Tell(VerifyResult& result) const {
  std::map<Feature, std::size_t> counts;
  for (const Weight weight : {Weight::kMotion, Weight::kInterface, Weight::kLooks}) {
    for (const auto& [key, item] : exceptions_) {
      const auto& [feature, of, asked] = key;
      if (of != weight) continue;
      result.exceptions.push_back({feature, weight, item.subjects, item.content, asked});
      counts[feature] += item.subjects.size();
    }
  }
  for (const auto& [feature, count] : counts) {
    if (lost_by_b_[Position(feature)])
      result.skipped.push_back({feature, true, count, b_.model.format});
  }
  for (const auto& [feature, item] : skipped_)
    result.skipped.push_back(
        {feature, false, item.subjects.size(), a_.model.format, lost_by_a_[Position(feature)]});
}

constexpr std::size_t kMostContent = 3;  // names of what only one format knows, in a verdict

std::string Phrase(const VerifyException& exception) {
  const std::size_t count = exception.subjects.size();
  const FeatureRow& row = RowOf(exception.feature);
  // The table's own word where there is one; shapes are told by what they are on.
  if (!row.word.empty() && !In(exception.feature, feature_group::kShapes))
    return Counted(count, std::string(row.word));
  const std::string kind(count == 0 ? "" : KindWord(exception.subjects.front()));
  const bool alike = std::all_of(exception.subjects.begin(), exception.subjects.end(),
                                 [&](const Subject& s) { return KindWord(s) == kind; });
  std::string content;
  std::vector<std::string> names;  // each once
  for (const std::string& name : exception.content)
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  for (std::size_t i = 0; i < std::min(names.size(), kMostContent); ++i)
    content += (content.empty() ? " (" : ", ") + names[i];
  if (names.size() > kMostContent) content += ", ...";
  if (!content.empty()) content += ")";
  const std::string counted = Counted(count, alike && !kind.empty() ? kind : "element");
  if (exception.feature == Feature::kNativeData)
    return "content of " + counted + " that only one format knows" + content;
  return std::string(row.title) + " of " + counted + content;
}

}  // namespace kinemorph::verify
