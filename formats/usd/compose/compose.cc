#include "compose/compose.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compose/prim_index.h"
#include "crate/values.h"
#include "read/values.h"

namespace kinemorph::usd {
namespace {

constexpr int kDeepestComposed = 100;
// What the model needs of each, too.
constexpr std::uint64_t kComposedPrimBytes = 2000, kComposedPropertyBytes = 150;

// A prim of a layer that speaks of a prim of the stage.
struct Speaker {
  const Node* node;
  Spec spec;
  const Prim* prim;
};

// What one of them says of a property.
struct Saying {
  const Speaker* by;
  const Property* what;
};

class Composer {
 public:
  Composer(Layers& layers, const Reporter& report)
      : layers_(layers), report_(report), budget_(layers, report), index_(layers, report) {}

  Composed Run() {
    const Layer& main = layers_[0];
    out_.layer.default_prim = main.default_prim, out_.layer.up_axis = main.up_axis;
    out_.layer.metres = main.metres, out_.layer.kilograms = main.kilograms;
    Children(index_.Root(), kNoPrim, 0);
    return std::move(out_);
  }

 private:
  // From strong to weak.
  [[nodiscard]] std::vector<Speaker> SpeakersOf(const PrimIndex& nodes) const {
    std::vector<Speaker> speakers;
    for (const std::uint32_t i : ByStrength(nodes))
      for (const Spec& spec : nodes[i].specs)
        speakers.push_back(
            {&nodes[i], spec,
             spec.prim == kNoPrim ? nullptr : &layers_[spec.layer].prims[spec.prim]});
    return speakers;
  }

  // The weakest begin, and the others add what they have more.
  [[nodiscard]] std::vector<std::string_view> NamesBelow(
      const std::vector<Speaker>& speakers) const {
    std::vector<std::string_view> names;
    std::set<std::string_view> known;
    for (auto speaker = speakers.rbegin(); speaker != speakers.rend(); ++speaker) {
      const std::vector<Prim>& prims = layers_[speaker->spec.layer].prims;
      const PrimId root = prims.empty() ? kNoPrim : 0;
      for (PrimId child = speaker->prim ? speaker->prim->first : root; child != kNoPrim;
           child = prims[child].next)
        if (known.insert(prims[child].name).second) names.push_back(prims[child].name);
    }
    return names;
  }

  void Children(const PrimIndex& nodes, PrimId parent, int depth) {
    for (const std::string_view name : NamesBelow(SpeakersOf(nodes))) {
      if (index_.failed() || failed_) return;
      OnePrim(index_.Child(nodes, name), parent, name, depth);
    }
  }

  void OnePrim(const PrimIndex& nodes, PrimId parent, std::string_view name, int depth) {
    const std::vector<Speaker> speakers = SpeakersOf(nodes);
    if (speakers.empty() || index_.failed()) return;  // below an instance
    Prim prim;
    prim.name = name, prim.parent = parent, prim.line = speakers[0].prim->line;
    prim.specifier = SpecifierOf(speakers);
    for (const Speaker& speaker : speakers) {
      const Prim& said = *speaker.prim;
      if (prim.type.empty()) prim.type = said.type;
      if (prim.display_name.empty()) prim.display_name = said.display_name;
      if (!prim.active) prim.active = said.active;
      prim.custom_data = prim.custom_data || said.custom_data;
    }
    for (auto speaker = speakers.rbegin(); speaker != speakers.rend(); ++speaker)
      ForEachEdit(*speaker->prim, "apiSchemas", [&](const Edit& said) {
        ApplyEdit(said.edit, StringsIn(said.value), prim.apis);
      });
    prim.arcs = index_.TakeFailures();
    Properties(speakers, prim);
    if (depth > kDeepestComposed)
      Fail("usd-syntax", prim.line, "prims nest more than 100 levels deep");
    if (!budget_.Take(kComposedPrimBytes + kComposedPropertyBytes * prim.properties.size()) ||
        failed_) {
      failed_ = true;
      return;
    }
    const bool stands = prim.specifier == "def" && prim.active.value_or(true);
    const auto id = static_cast<PrimId>(out_.layer.prims.size());
    static_cast<void>(out_.layer.Add(std::move(prim)));
    if (stands) Children(nodes, id, depth + 1);
  }

  // A class is what it is for those who name it; who inherits from it is none thereby.
  static std::string_view SpecifierOf(const std::vector<Speaker>& speakers) {
    std::string_view of_class = "over";
    for (const Speaker& speaker : speakers) {
      const std::string_view word = speaker.prim->specifier;
      if (word == "over") continue;
      const bool inherited = speaker.node->kind == NodeKind::kInherit && speaker.node->direct;
      if (word != "class" || !inherited) return word;
      of_class = word;
    }
    return of_class;
  }

  void Fail(const char* code, std::uint32_t line, const char* what) {
    report_.Say(Severity::kError, code, line, what);
    failed_ = true;
  }

  void Properties(const std::vector<Speaker>& speakers, Prim& prim) {
    // Of one layer the last statement is the strongest, among edits of a list that of most weight.
    std::vector<Saying> sayings;
    for (const Speaker& speaker : speakers) {
      const auto begin = static_cast<long>(sayings.size());
      const std::vector<Property>& said = speaker.prim->properties;
      for (auto property = said.rbegin(); property != said.rend(); ++property)
        sayings.push_back({&speaker, &*property});
      std::stable_sort(sayings.begin() + begin, sayings.end(),
                       [](const Saying& a, const Saying& b) {
                         return RankOf(a.what->edit) > RankOf(b.what->edit);
                       });
    }
    std::stable_sort(sayings.begin(), sayings.end(),
                     [](const Saying& a, const Saying& b) { return a.what->name < b.what->name; });
    for (std::size_t i = 0, end = 0; i < sayings.size(); i = end) {
      while (end < sayings.size() && sayings[end].what->name == sayings[i].what->name) ++end;
      prim.properties.push_back(Merged(
          {sayings.begin() + static_cast<long>(i), sayings.begin() + static_cast<long>(end)}));
    }
  }

  // The strongest value counts; lists of paths are edited.
  Property Merged(const std::vector<Saying>& sayings) {
    Property out;
    out.name = sayings[0].what->name, out.line = sayings[0].what->line;
    for (const Saying& saying : sayings) {
      if (out.type.empty()) out.type = saying.what->type;
      out.samples = out.samples || saying.what->samples;
    }
    out.connect = Paths(sayings, &Property::connect, out);
    if (out.type.empty()) {
      out.value = Paths(sayings, &Property::value, out);
      return out;
    }
    const auto said = std::find_if(sayings.begin(), sayings.end(),
                                   [](const Saying& saying) { return saying.what->value; });
    if (said == sayings.end()) return out;
    out.line = said->what->line;
    out.value = out.type == "asset" ? Assets(*said) : *said->what->value;
    return out;
  }

  // Names of files are relative to their layer.
  std::string_view Assets(const Saying& saying) {
    const std::string_view value = *saying.what->value;
    if (saying.by->spec.layer == 0 || value == "None") return value;
    std::string text;
    for (const AssetName& asset : AssetsIn(value)) {
      if (!text.empty()) text += ", ";
      AppendAsset(layers_.Seen(asset.file, saying.by->spec.layer), text);
    }
    return Keep(value.starts_with('[') ? "[" + text + "]" : text);
  }

  std::optional<std::string_view> Paths(const std::vector<Saying>& sayings,
                                        std::optional<std::string_view> Property::*what,
                                        Property& out) {
    std::vector<const Saying*> edits;  // down to the one that says all of it
    for (const Saying& saying : sayings) {
      if (!(saying.what->*what)) continue;
      edits.push_back(&saying);
      if (saying.what->edit.empty()) break;
    }
    if (edits.empty()) return std::nullopt;
    out.line = edits[0]->what->line;
    const Property& first = *edits[0]->what;
    const bool plain = first.edit != "delete" && first.edit != "reorder";
    if (edits.size() == 1 && plain && edits[0]->by->node->map == nullptr) return first.*what;
    std::vector<std::string> list;
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
      ApplyEdit((*edit)->what->edit, OnStage(**edit, *((*edit)->what->*what)), list);
    std::string text;
    for (const std::string& path : list) text += (text.empty() ? "<" : ", <") + path + ">";
    return Keep(list.size() == 1 ? text : "[" + text + "]");
  }

  // What leads out of the prim that an arc brings is lost, as in OpenUSD.
  std::vector<std::string> OnStage(const Saying& saying, std::string_view value) const {
    std::vector<std::string> paths;
    for (const std::string& path : PathsIn(value)) {
      std::optional<std::string> there = saying.by->node->OnStage(path);
      if (there)
        paths.push_back(std::move(*there));
      else
        report_.Say(Severity::kWarning, "usd-target", saying.what->line,
                    {"prim", saying.by->node->path,
                     "'" + std::string(saying.what->name) + "' names '" + path +
                         "', which is not part of what the reference to this layer brings; "
                         "kinemorph ignores the target, as OpenUSD does"});
    }
    return paths;
  }

  std::string_view Keep(std::string text) {
    static_cast<void>(budget_.Take(2 * text.size()));
    return out_.made.emplace_back(std::move(text));
  }

  Layers& layers_;
  const Reporter& report_;
  Budget budget_;
  Indexer index_;
  Composed out_;
  bool failed_ = false;
};

}  // namespace

Composed Compose(Layers& layers, const Reporter& report) { return Composer(layers, report).Run(); }

}  // namespace kinemorph::usd
