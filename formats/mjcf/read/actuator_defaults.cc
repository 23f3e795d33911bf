#include "read/actuator_defaults.h"

#include <algorithm>
#include <numbers>

#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// MuJoCo keeps one actuator per default class, not one per kind. Law replays what the layers of
// that class did to it, from the general to the specific; Heir says the outcome in the words of the
// element that inherits. Both follow MuJoCo 3.16 and newer, where parameters pass within a kind,
// and from or to `general`.

// Which kinds know what almost all know, and which know what few know.
bool Knows(std::string_view kind, std::string_view attribute) {
  const auto one_of = [](std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (one_of(attribute, {"actdim", "actearly"})) return one_of(kind, {"general", "plugin"});
  if (one_of(attribute, {"actlimited", "actrange"}))
    return one_of(kind, {"general", "plugin", "intvelocity"});
  if (attribute == "ctrllimited") return !one_of(kind, {"orientation", "adhesion", "damper"});
  if (one_of(attribute, {"forcelimited", "forcerange"})) return kind != "dcmotor";
  if (one_of(attribute, {"gear", "armature", "damping", "lengthrange", "cranklength"}))
    return !one_of(kind, {"orientation", "adhesion"});
  return true;
}

// The one default of a class, as `general` says it.
struct Law {
  using Numbers = std::vector<double>;
  std::string kind = "general";  // who spoke last
  Numbers gain = {1}, bias, dynamics = {1};
  std::string gain_type = "fixed", bias_type = "none", dynamics_type = "none";
  double inherit_range = 0;

  [[nodiscard]] static double At(const Numbers& numbers, std::size_t i) {
    return i < numbers.size() ? numbers[i] : 0;
  }
};

void OverlayNumbers(const xml::Element& element, const char* attribute, Law::Numbers& numbers) {
  const auto own = element.Numbers(attribute, 1, 32);
  if (!own) return;
  numbers.resize(std::max(numbers.size(), own->size()));
  std::copy(own->begin(), own->end(), numbers.begin());
}

void SpeakGeneral(const xml::Element& element, Law& law) {
  law.gain_type = element.Attribute("gaintype", law.gain_type);
  law.bias_type = element.Attribute("biastype", law.bias_type);
  law.dynamics_type = element.Attribute("dyntype", law.dynamics_type);
  law.inherit_range = element.Number("inheritrange", law.inherit_range);
  OverlayNumbers(element, "gainprm", law.gain);
  OverlayNumbers(element, "biasprm", law.bias);
  OverlayNumbers(element, "dynprm", law.dynamics);
}

// gain = kp, bias = -kp l - kv l'. What `before` holds as a fixed gain and as the third number of
// the bias is the kp and kv of an earlier layer.
// A servo for a position: also one whose command is a velocity.
Law ServoLaw(const xml::Element& element, const Law& before) {
  const double kp = element.Number("kp", before.gain_type == "fixed" ? before.gain.front() : 1);
  double rate = Law::At(before.bias, 2);  // a damping, or if positive a damping ratio
  if (const auto kv = element.Number("kv")) rate = -*kv;
  if (const auto ratio = element.Number("dampratio")) rate = *ratio;
  Law law;
  law.gain = {kp};
  law.bias = {0, -kp, rate};
  law.bias_type = "affine";

  // A filter of the control is inherited with its time constant; a new constant of zero takes the
  // filter away again.
  law.inherit_range = element.Number("inheritrange", before.inherit_range);
  if (before.dynamics_type == "filterexact")
    law.dynamics = before.dynamics, law.dynamics_type = before.dynamics_type;
  if (const auto time = element.Number("timeconst"))
    law.dynamics = {*time}, law.dynamics_type = *time == 0 ? "none" : "filterexact";
  if (element.name() == "intvelocity") law.dynamics_type = "integrator", law.dynamics = {1};
  return law;
}

// Pressure times area, behind a filter of the first order. The area may be said as a diameter,
// which wins.
Law CylinderLaw(const xml::Element& element, const Law& before) {
  Law law;
  law.gain = {element.Number("area", before.gain_type == "fixed" ? before.gain.front() : 1)};
  if (const auto diameter = element.Number("diameter"))
    law.gain = {std::numbers::pi / 4 * *diameter * *diameter};
  law.bias = {Law::At(before.bias, 0), Law::At(before.bias, 1), Law::At(before.bias, 2)};
  OverlayNumbers(element, "bias", law.bias);
  law.bias_type = "affine";
  law.dynamics = {element.Number("timeconst", before.dynamics.front())};
  law.dynamics_type = "filter";
  return law;
}

constexpr const char* kMuscleNumbers[] = {"force", "scale", "lmin", "lmax",
                                          "vmax",  "fpmax", "fvmax"};

// The numbers of gain are, in order: the range of lengths, then those of kMuscleNumbers; the
// passive force (bias) has the same. Two time constants: of activation and of deactivation (s).
Law MuscleLaw(const xml::Element& element, const Law& before) {
  Law law;
  law.gain = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  law.dynamics = {0.01, 0.04};
  if (before.gain_type == "muscle") law.gain = before.gain, law.dynamics = before.dynamics;
  law.gain.resize(9);
  OverlayNumbers(element, "range", law.gain);
  for (std::size_t i = 0; i < std::size(kMuscleNumbers); ++i)
    law.gain[i + 2] = element.Number(kMuscleNumbers[i], law.gain[i + 2]);
  OverlayNumbers(element, "timeconst", law.dynamics);
  law.bias = law.gain;
  law.gain_type = law.bias_type = law.dynamics_type = "muscle";
  return law;
}

// Nothing for kinds whose law is not known here.
std::optional<Law> Shortcut(const xml::Element& element, const Law& before) {
  const std::string_view kind = element.name();
  const double fixed = before.gain_type == "fixed" ? before.gain.front() : 1;
  Law law;
  if (kind == "motor") return law;
  if (kind == "position" || kind == "intvelocity") return ServoLaw(element, before);
  if (kind == "cylinder") return CylinderLaw(element, before);
  if (kind == "muscle") return MuscleLaw(element, before);
  if (kind == "velocity") {
    law.gain = {element.Number("kv", fixed)};
    law.bias = {0, 0, -law.gain.front()};
    law.bias_type = "affine";
    return law;
  }
  if (kind == "damper") {
    const double kv = before.gain_type == "affine" ? -Law::At(before.gain, 2) : 0;
    law.gain = {0, 0, -element.Number("kv", kv)};
    law.gain_type = "affine";
    return law;
  }
  if (kind != "adhesion") return std::nullopt;
  law.gain = {element.Number("gain", fixed)};
  return law;
}

// What the layer and those behind it come to; nothing where that is not known.
std::optional<Law> LawOf(const DefaultLayer* layer) {
  // DefaultLayer leads from the specific to the general, while MuJoCo applies them the other way.
  std::vector<xml::Element> layers;
  for (; layer != nullptr; layer = layer->general) layers.push_back(layer->element);
  std::optional<Law> law = Law();
  for (auto it = layers.rbegin(); it != layers.rend(); ++it) {
    const std::string kind(it->name());
    if (kind == "general") {
      if (law) SpeakGeneral(*it, *law);
    } else {
      // A kind that follows another one starts afresh; `general` leaves the parameters of any kind
      // to the one after it.
      const bool heirs = law && (law->kind == "general" || law->kind == kind);
      law = Shortcut(*it, heirs ? *law : Law());
    }
    if (law) law->kind = kind;
  }
  return law;
}

// Attributes that replace each other: where one is said the other is not inherited.
std::string_view Rival(std::string_view attribute) {
  constexpr std::pair<std::string_view, std::string_view> kRivals[] = {
      {"kv", "dampratio"}, {"area", "diameter"}, {"ctrlrange", "posrange"}};
  for (const auto& [a, b] : kRivals) {
    if (attribute == a) return b;
    if (attribute == b) return a;
  }
  return {};
}

// The attributes of one element, its own first. Each Add and TakeWord leaves alone what is there
// already, so the nearest layer wins.
class Heir {
 public:
  explicit Heir(const Attributes& attributes) : attributes_(attributes) {
    for (const auto& [name, value] : attributes.element().Attributes()) {
      static_cast<void>(attributes.element().Attribute(name));
      if (name != "class") all_.emplace_back(name, value);
    }
  }

  // From the most specific layer on; its own parameters until another kind has set them.
  AttributeList Take() {
    bool own = true;
    for (const DefaultLayer* layer = attributes_.defaults(); layer != nullptr;
         layer = layer->general) {
      const std::string_view from = layer->element.name();
      const bool same = from == Kind();
      // From here on the layers are of another kind. Their parameters come at once, as the numbers
      // they amount to, and what lies behind them is part of these numbers. Only `general` can take
      // those of any kind, and only it can leave them to any.
      if (own && !same) {
        if (Kind() == "general" || from == "general") TakeNumbers(layer);
        own = false;
      }
      for (const auto& attribute : layer->element.Attributes())
        if ((own && same) || IsOfEveryActuator(attribute.first))
          TakeWord(layer->element, attribute.first);
    }
    return std::move(all_);
  }

 private:
  [[nodiscard]] std::string_view Kind() const { return attributes_.element().name(); }

  void TakeWord(const xml::Element& from, std::string_view name) {
    if (FindAttribute(all_, Rival(name)) != nullptr) return;
    if (!Knows(Kind(), name)) return SayWhatIsLeftOut(name);
    // A range that is not in force, of a kind that cannot say so.
    if (name == "ctrlrange" && Kind() == "orientation" &&
        attributes_.Text("ctrllimited") == "false")
      return;
    const auto value = attributes_.CopyFrom(from, name);
    if (!value) return;
    const std::string* const said = FindAttribute(all_, name);
    if (said == nullptr) {
      all_.emplace_back(name, *value);
      return;
    }
    // A shorter list replaces the first numbers.
    if (!xml::ParseNumbers(*said)) return;
    const std::vector<std::string_view> words = xml::SplitWords(*value);
    std::string longer = *said;
    for (std::size_t i = xml::SplitWords(*said).size(); i < words.size(); ++i)
      longer.append(" ").append(words[i]);
    SetAttribute(all_, name, std::move(longer));
  }

  // Of a motion; a kind that has no word for what bounds its control bounds it anyway.
  void SayWhatIsLeftOut(std::string_view name) const {
    const bool acts = name == "gear" || name == "armature" || name == "damping" ||
                      name == "forcerange" || name == "forcelimited";
    if (!acts) return;
    attributes_.element().Warn(
        "actuator-default",
        {"actuator", attributes_.element().Attribute("name", ""),
         "'" + std::string(name) + "' of its default class is in force, but an element '" +
             std::string(Kind()) + "' cannot say it; it is left out"});
  }

  void Add(const char* name, Law::Numbers numbers) {
    // A shorter list of the element replaces the first numbers; trailing zeros are what MuJoCo
    // fills in itself.
    if (FindAttribute(all_, Rival(name)) != nullptr) return;
    if (const std::string* const said = FindAttribute(all_, name)) {
      const auto own = xml::ParseNumbers(*said);
      if (!own || own->size() >= numbers.size()) return;
      std::copy(own->begin(), own->end(), numbers.begin());
    }
    while (numbers.size() > 1 && numbers.back() == 0) numbers.pop_back();
    if (!numbers.empty()) SetAttribute(all_, name, xml::NumbersText(numbers));
  }
  void AddWord(const char* name, const std::string& word, std::string_view usual) {
    if (word != usual && FindAttribute(all_, name) == nullptr) all_.emplace_back(name, word);
  }

  // Guessing the numbers of a law that is not known here would drive the robot with other forces,
  // so that is an error.
  void TakeNumbers(const DefaultLayer* layer) {
    const std::optional<Law> law = LawOf(layer);
    if (!law) {
      attributes_.element().Error(
          "actuator-default",
          {"actuator", attributes_.element().Attribute("name", ""),
           "its class has a default of the kind '" + std::string(layer->element.name()) +
               "', whose parameters kinemorph cannot give to '" + std::string(Kind()) +
               "'; write the parameters at the actuator, in a class of its own"});
      return;
    }
    if (Kind() == "general")
      SayGeneral(*law);
    else
      SayShortcut(*law);
    const bool ranged = Kind() == "general" || Kind() == "position" || Kind() == "intvelocity";
    if (ranged && law->inherit_range != 0) Add("inheritrange", {law->inherit_range});
  }

  void SayGeneral(const Law& law) {
    AddWord("gaintype", law.gain_type, "fixed");
    AddWord("biastype", law.bias_type, "none");
    AddWord("dyntype", law.dynamics_type, "none");
    Add("gainprm", law.gain);
    if (!law.bias.empty()) Add("biasprm", law.bias);
    if (law.dynamics != Law::Numbers{1}) Add("dynprm", law.dynamics);
  }

  // As far as this kind can say it.
  void SayShortcut(const Law& law) {
    const std::string_view kind = Kind();
    const double rate = Law::At(law.bias, 2);
    if (kind == "position" || kind == "intvelocity") {
      if (law.gain_type == "fixed") Add("kp", {law.gain.front()});
      if (rate != 0) Add(rate < 0 ? "kv" : "dampratio", {std::abs(rate)});
      if (kind == "position" && law.dynamics_type == "filterexact")
        Add("timeconst", {law.dynamics.front()});
    } else if (kind == "damper" && law.gain_type == "affine") {
      Add("kv", {-Law::At(law.gain, 2)});
    } else if (kind == "muscle" && law.gain_type == "muscle") {
      SayMuscle(law);
    } else if (law.gain_type == "fixed") {
      if (kind == "velocity") Add("kv", {law.gain.front()});
      if (kind == "adhesion") Add("gain", {law.gain.front()});
      if (kind == "cylinder") {
        Add("area", {law.gain.front()});
        if (!law.bias.empty()) Add("bias", {Law::At(law.bias, 0), Law::At(law.bias, 1), rate});
        Add("timeconst", {law.dynamics.front()});
      }
    }
  }

  void SayMuscle(const Law& law) {
    Add("range", {Law::At(law.gain, 0), Law::At(law.gain, 1)});
    for (std::size_t i = 0; i < std::size(kMuscleNumbers); ++i)
      Add(kMuscleNumbers[i], {Law::At(law.gain, i + 2)});
    Add("timeconst", {Law::At(law.dynamics, 0), Law::At(law.dynamics, 1)});
    if (Law::At(law.dynamics, 2) != 0) Add("tausmooth", {law.dynamics[2]});
  }

  const Attributes& attributes_;
  AttributeList all_;
};

}  // namespace

AttributeList ActuatorAttributes(const Attributes& attributes) { return Heir(attributes).Take(); }

}  // namespace kinemorph::mjcf
