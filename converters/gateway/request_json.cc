// A conversion's options by name.
#include <nlohmann/json.hpp>

#include "gateway/did_you_mean.h"
#include "kinemorph/gateway.h"

namespace kinemorph {
namespace {

using Options = nlohmann::json;

// Each returns why the value cannot be taken; empty where it was.
using Setter = std::string (*)(const Options& value, ConversionRequest& request);

std::string Take(const Options& value, std::string& out) {
  if (!value.is_string()) return "must be a text";
  out = value.get<std::string>();
  return {};
}
std::string Take(const Options& value, bool& out) {
  if (!value.is_boolean()) return "must be true or false";
  out = value.get<bool>();
  return {};
}
std::string Take(const Options& value, std::vector<std::string>& out) {
  const Options list = value.is_string() ? Options::array({value}) : value;
  if (!list.is_array()) return "must be a list of texts";
  out.clear();
  for (const Options& item : list) {
    if (!item.is_string()) return "must be a list of texts";
    out.push_back(item.get<std::string>());
  }
  return {};
}

template <class Value>
struct Choice {
  const char* name;
  Value value;
};
template <class Value, class Choices>
std::string Choose(const Options& value, const Choices& choices, Value& out) {
  std::string name;
  if (const std::string why = Take(value, name); !why.empty()) return why;
  std::vector<std::string> known;
  for (const Choice<Value>& choice : choices) {
    known.emplace_back(choice.name);
    if (name != choice.name) continue;
    out = choice.value;
    return {};
  }
  std::string all;
  for (const std::string& each : known) all += (all.empty() ? "" : ", ") + each;
  return "'" + name + "' is none of " + all + DidYouMean(name, known);
}

std::string TakeFeatures(const Options& value, std::vector<Feature>& out) {
  std::vector<std::string> names;
  if (const std::string why = Take(value, names); !why.empty()) return why;
  for (const std::string& name : names) {
    Feature feature{};
    if (FeatureFromName(name, feature)) {
      out.push_back(feature);
      continue;
    }
    std::vector<std::string> known;
    for (const Feature each : kFeatures) known.emplace_back(FeatureName(each));
    return "'" + name + "' is not a feature" + DidYouMean(name, known);
  }
  return {};
}

std::string TakeStrict(const Options& value, ConversionRequest& request) {
  constexpr Choice<Weight> kWeights[] = {
      {"any", Weight::kLooks}, {"interface", Weight::kInterface}, {"motion", Weight::kMotion}};
  if (value.is_boolean()) {
    request.strict = value.get<bool>() ? std::optional(Weight::kLooks) : std::nullopt;
    return {};
  }
  Weight weight{};
  const std::string why = Choose(value, kWeights, weight);
  if (why.empty()) request.strict = weight;
  return why;
}

std::string TakeMassless(const Options& value, ConversionRequest& request) {
  if (!value.is_number() || !(value.get<double>() > 0)) return "must be a positive number (kg)";
  request.options.massless = value.get<double>();
  return {};
}

constexpr Choice<BaseChoice> kBases[] = {{"auto", BaseChoice::kAuto},
                                         {"fixed", BaseChoice::kFixed},
                                         {"floating", BaseChoice::kFloating}};
constexpr Choice<MimicChoice> kMimics[] = {{"exact", MimicChoice::kExact},
                                           {"fit", MimicChoice::kFit}};
constexpr Choice<LoopChoice> kLoops[] = {{"gazebo", LoopChoice::kGazebo},
                                         {"detachable", LoopChoice::kDetachable},
                                         {"none", LoopChoice::kNone}};
constexpr Choice<bool> kRoots[] = {{"world", false}, {"base", true}};
constexpr Choice<bool> kFrames[] = {{"keep", true}, {"drop", false}};
constexpr Choice<bool> kFixed[] = {{"keep", false}, {"merge", true}};
constexpr Choice<bool> kActuators[] = {{"keep", false}, {"motor", true}};

std::string TakeProfile(const Options& value, ConversionRequest& request) {
  std::vector<Choice<std::string_view>> profiles;
  for (const std::string_view name : AllProfiles()) profiles.push_back({name.data(), name});
  std::string_view name;
  const std::string why = Choose(value, profiles, name);
  if (why.empty()) request.options.target.options.profile = ProfileNamed(name);
  return why;
}

std::string TakeLoops(const Options& value, ConversionRequest& request) {
  LoopChoice choice{};
  const std::string why = Choose(value, kLoops, choice);
  if (why.empty()) request.options.target.options.loops = choice;
  return why;
}

struct Option {
  const char* name;
  Setter set;
};
const Option kOptions[] = {
    {"to", [](const Options& v, ConversionRequest& r) { return Take(v, r.to); }},
    {"out", [](const Options& v, ConversionRequest& r) { return Take(v, r.out); }},
    {"verify", [](const Options& v, ConversionRequest& r) { return Take(v, r.verify); }},
    {"scene", [](const Options& v, ConversionRequest& r) { return Take(v, r.scene); }},
    {"strict", TakeStrict},
    {"massless", TakeMassless},
    {"profile", TakeProfile},
    {"loops", TakeLoops},
    {"drop",
     [](const Options& v, ConversionRequest& r) { return TakeFeatures(v, r.options.drop); }},
    {"cut", [](const Options& v, ConversionRequest& r) { return Take(v, r.options.cut); }},
    {"independent",
     [](const Options& v, ConversionRequest& r) { return Take(v, r.options.independent); }},
    {"model", [](const Options& v, ConversionRequest& r) { return Take(v, r.options.model); }},
    {"sidecar", [](const Options& v,
                   ConversionRequest& r) { return Take(v, r.options.target.options.side_cars); }},
    {"hardware-plugin",
     [](const Options& v, ConversionRequest& r) {
       return Take(v, r.options.target.options.hardware_plugin);
     }},
    {"physx", [](const Options& v,
                 ConversionRequest& r) { return Take(v, r.options.target.options.physx); }},
    {"base",
     [](const Options& v, ConversionRequest& r) { return Choose(v, kBases, r.options.base); }},
    {"mimic",
     [](const Options& v, ConversionRequest& r) { return Choose(v, kMimics, r.options.mimic); }},
    {"root", [](const Options& v,
                ConversionRequest& r) { return Choose(v, kRoots, r.options.base_as_root); }},
    {"frames", [](const Options& v,
                  ConversionRequest& r) { return Choose(v, kFrames, r.options.keep_frames); }},
    {"fixed", [](const Options& v,
                 ConversionRequest& r) { return Choose(v, kFixed, r.options.merge_fixed); }},
    {"actuators", [](const Options& v,
                     ConversionRequest& r) { return Choose(v, kActuators, r.options.motors); }},
};

}  // namespace

std::optional<ConversionRequest> RequestFromJson(std::string_view json, std::string& why) {
  const Options object = Options::parse(json, nullptr, false);
  if (!object.is_object()) {
    why = "the options are no JSON object";
    return std::nullopt;
  }
  ConversionRequest request;
  std::vector<std::string> known;
  for (const Option& option : kOptions) known.emplace_back(option.name);
  for (const auto& [key, value] : object.items()) {
    const Option* found = nullptr;
    for (const Option& option : kOptions)
      if (key == option.name) found = &option;
    why = found == nullptr ? "'" + key + "' is not an option" + DidYouMean(key, known)
                           : found->set(value, request);
    if (why.empty()) continue;
    if (found != nullptr) why = "'" + key + "' " + why;
    return std::nullopt;
  }
  return request;
}

}  // namespace kinemorph
