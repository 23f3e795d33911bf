#include "read/actuator_defaults.h"

#include <algorithm>

namespace kinemorph::mjcf {
namespace {

// MuJoCo keeps one actuator per default class, not one per kind. The elements of a class, from the
// general class to the specific, and last of all the actuator itself, are steps that change it.
// After each step the state is told in the words of the kind that spoke last.

constexpr std::size_t kMostStates = 20'000;  // that are remembered

// Attributes that replace each other: where one is said the other is not inherited.
std::string_view Rival(std::string_view attribute) {
  constexpr std::pair<std::string_view, std::string_view> kRivals[] = {{"kv", "dampratio"},
                                                                       {"area", "diameter"}};
  for (const auto& [a, b] : kRivals) {
    if (attribute == a) return b;
    if (attribute == b) return a;
  }
  return {};
}

// The range that inheritrange replaces.
std::string_view RangeOf(std::string_view kind) {
  if (kind == "position" || kind == "pid") return "ctrlrange";
  return kind == "intvelocity" ? "actrange" : "";
}

// False: `next`, of another kind, cannot inherit from this state.
bool Inherit(const ActuatorState& from, ActuatorState& next, ActuatorWords& words) {
  if (from.kind == next.kind) {
    next.own = from.kind == "dcmotor" ? words.Resolved(from) : from.own;
    next.unknown = from.unknown;
    // MuJoCo keeps neither beyond the element that says it.
    if (Number(from.own, "ki", 0) == 0) next.own.erase("imax");
    next.own.erase("actlimited");
    next.own.erase("posrange");  // which ctrlrange says
    return true;
  }
  if (from.kind != "general" || GainOf(from) != GainOf({next.kind, {}, {}})) return false;
  next.own = words.FromGeneral(from.own, next.kind);
  next.unknown = from.unknown || next.kind == "dcmotor";
  return true;
}

// What is said takes away what it replaces.
void Override(const Words& said, ActuatorState& next) {
  for (const auto& word : said) next.own.erase(Rival(word.first));
  const std::string_view range = RangeOf(next.kind);
  if (said.contains(range) || said.contains("posrange"))
    next.own.erase("inheritrange");
  else if (Number(said, "inheritrange", 0) > 0)
    next.shared.erase(range);
  if (!said.contains("saturation")) return;
  next.shared.erase("forcerange");
  next.shared.erase("forcelimited");
}

// What the kind sets besides, for all that inherit from it.
void Imply(ActuatorState& next, ActuatorWords& words) {
  if (next.kind == "damper" || next.kind == "adhesion") next.shared["ctrllimited"] = "true";
  if (const auto range = next.own.find("posrange"); range != next.own.end())
    next.shared["ctrlrange"] = range->second;
  if (const double torque = TorqueOf(next); torque > 0) {
    next.shared["forcerange"] = words.Keep({-torque, torque});
    next.shared["forcelimited"] = "true";
  }
}

// Numbers that are none are said where they stand.
void CheckNumbers(const DefaultLayer& layer) {
  constexpr std::string_view kTexts[] = {"gaintype",    "biastype",   "dyntype",      "interp",
                                         "ctrllimited", "actlimited", "forcelimited", "actearly",
                                         "input",       "user"};
  for (const auto& attribute : layer.attributes)
    if (std::find(std::begin(kTexts), std::end(kTexts), attribute.first) == std::end(kTexts))
      static_cast<void>(layer.element.Numbers(attribute.first, 1, 32));
}

// The actuator itself, when all its defaults have spoken.
class Folding {
 public:
  Folding(const Attributes& actuator, Words references, ActuatorState state, ActuatorWords& words)
      : actuator_(actuator),
        references_(std::move(references)),
        state_(std::move(state)),
        words_(words) {}

  ActuatorInForce Result() {
    if (state_.unknown && state_.kind != "plugin") ReportUnknown();
    if (state_.kind == "dcmotor") SayTorque();
    // Of a slider and crank alone: MuJoCo refuses what says it of another drive itself.
    if (!references_.contains("cranksite") && !actuator_.HasOwn("cranklength"))
      state_.shared.erase("cranklength");
    if (LeavesOut())
      BecomeGeneral();
    else
      std::erase_if(state_.own, [&](const auto& w) { return !IsParameter(state_.kind, w.first); });
    return {std::string(state_.kind), InOrder()};
  }

  // No name of something else, nor what defaults cannot give.
  static bool IsParameter(std::string_view kind, std::string_view name) {
    return IsOfDefault(kind, name) || (kind == "muscle" && name == "tausmooth");
  }

 private:
  // Whether `name`, which the kind cannot say, changes what the actuator does.
  bool Acts(std::string_view name, std::string_view value) {
    const std::string_view kind = state_.kind;
    if (name == "forcerange" || name == "forcelimited") {
      const auto limited = state_.shared.find("forcelimited");
      return state_.shared.contains("forcerange") &&
             (limited == state_.shared.end() || limited->second != "false");
    }
    if (name == "ffrange" || name == "velrange") return kind == "dcmotor";
    if (name == "ctrllimited") return kind == "orientation" && value == "false";
    if (name == "actrange")
      return kind != "dcmotor" && words_.InGeneral(state_).contains("dyntype");
    return kind == "orientation";  // the force of an adhesion has no gear
  }

  // Something is in force that the kind cannot say, and `general` can. The rest goes.
  bool LeavesOut() {
    bool leaves = false;
    for (auto word = state_.shared.begin(); word != state_.shared.end();) {
      const bool known = IsOfDefault(state_.kind, word->first);
      const bool acts = !known && Acts(word->first, word->second);
      const bool lost = acts && state_.kind == "dcmotor";
      if (lost) SayLeftOut(word->first);
      leaves = leaves || (acts && !lost);
      word = known || (acts && !lost) ? std::next(word) : state_.shared.erase(word);
    }
    // It says the range twice.
    if (state_.own.contains("posrange")) state_.shared.erase("ctrlrange");
    return leaves;
  }

  void BecomeGeneral() {
    if (const auto range = state_.own.find("posrange"); range != state_.own.end())
      state_.shared["ctrlrange"] = range->second;
    state_.own = words_.InGeneral(state_);
    state_.kind = "general";
  }

  // A motor says a range of forces that is even as its saturation.
  void SayTorque() {
    const double force = EvenForce(state_.shared);
    if (force == 0 || !Acts("forcerange", "")) return;
    if (TorqueOf(state_) == 0) words_.Overlay(state_.own, "saturation", words_.Keep({force}));
    state_.shared.erase("forcerange");
    state_.shared.erase("forcelimited");
  }

  void SayLeftOut(std::string_view name) const {
    actuator_.element().Warn(
        "actuator-default",
        {"actuator", actuator_.element().Attribute("name", ""),
         "'" + std::string(name) + "' of its default class is in force, but an element '" +
             std::string(state_.kind) + "' cannot say it; it is left out"});
  }

  // Guessing the numbers of a law that is not known here would drive the robot with other forces.
  void ReportUnknown() const {
    const std::string kind(actuator_.element().name());
    actuator_.element().Error(
        "actuator-default", {"actuator", actuator_.element().Attribute("name", ""),
                             std::string("its class has a default of the kind '") +
                                 (IsRaw(kind) ? "dcmotor" : "general") +
                                 "', whose parameters kinemorph cannot give to '" + kind +
                                 "'; write the parameters at the actuator, in a class of its own"});
  }

  // Own words as they stand in the file, then what comes from defaults.
  AttributeList InOrder() {
    Words all = std::move(references_);
    all.insert(state_.own.begin(), state_.own.end());
    all.insert(state_.shared.begin(), state_.shared.end());
    AttributeList ordered;
    for (const auto& attribute : actuator_.element().Attributes())
      if (const auto word = all.find(attribute.first); word != all.end()) {
        ordered.emplace_back(*word);
        all.erase(word);
      }
    for (const auto& [name, value] : all)
      if (actuator_.Charge(name, value)) ordered.emplace_back(name, value);
    return ordered;
  }

  const Attributes& actuator_;
  Words references_;  // what it drives, its name
  ActuatorState state_;
  ActuatorWords& words_;
};

}  // namespace

ActuatorInForce ActuatorDefaults::Fold(const Attributes& actuator) {
  if (after_.size() > kMostStates) after_.clear(), words_ = {};
  const xml::Element& element = actuator.element();
  Words parameters, references;
  for (const auto& [name, value] : element.Attributes()) {
    static_cast<void>(element.Attribute(name));
    (Folding::IsParameter(element.name(), name) ? parameters : references)[name] = value;
  }
  references.erase("class");
  ActuatorWords words;
  ActuatorState state = Step(element.name(), parameters, actuator.defaults(), words);
  return Folding(actuator, std::move(references), std::move(state), words).Result();
}

// DefaultLayer leads from the specific to the general, while MuJoCo applies them the other way.
const ActuatorState& ActuatorDefaults::After(const DefaultLayer* layer) {
  static const ActuatorState kNothing;
  if (layer == nullptr) return kNothing;
  if (const auto known = after_.find(layer); known != after_.end()) return known->second;
  CheckNumbers(*layer);
  const Words said(layer->attributes.begin(), layer->attributes.end());
  return after_.emplace(layer, Step(layer->element.name(), said, layer->general, words_))
      .first->second;
}

// What a kind begins with: the parameters of the nearest class that it can inherit from.
ActuatorState ActuatorDefaults::Start(std::string_view kind, const DefaultLayer* before,
                                      ActuatorWords& words) {
  const ActuatorState& now = After(before);
  ActuatorState next{kind, {}, now.shared};
  if (IsRaw(kind)) {
    next.own = words.InGeneral(now);
    next.unknown = now.unknown || now.kind == "dcmotor";
    return next;
  }
  while (!Inherit(After(before), next, words) && before != nullptr) {
    // On to what the class around comes to.
    const DefaultClass* const owner = before->owner;
    while (before != nullptr && before->owner == owner) before = before->general;
  }
  return next;
}

// What an element of this kind makes of the state before it.
ActuatorState ActuatorDefaults::Step(std::string_view kind, const Words& said,
                                     const DefaultLayer* before, ActuatorWords& words) {
  ActuatorState next = Start(kind, before, words);
  Override(said, next);
  for (const auto& [name, value] : said)
    words.Overlay(IsOfEveryActuator(name) ? next.shared : next.own, name, value);
  Imply(next, words);
  // The signature of the control belongs to a type of gain.
  if (kind == "general" && GainOf(next) != GainOf(After(before)) && !said.contains("input"))
    next.own.erase("input");
  return next;
}

}  // namespace kinemorph::mjcf
