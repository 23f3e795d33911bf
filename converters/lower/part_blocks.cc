// What a format says of visuals and collisions by link, in blocks of another family.
#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "edit/model_edit.h"
#include "edit/native_text.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/model/model_dump.h"
#include "lower/drop_parts.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

constexpr const char* kOneForAll =
    "a block of the target holds one value for the whole link, but the values differ";

// What a part says that a block can say.
struct SpokenOf {
  std::string values;
  std::vector<NativeElement> kept;
  [[nodiscard]] auto Key() const { return std::tie(values, kept); }
  friend bool operator<(const SpokenOf& a, const SpokenOf& b) { return a.Key() < b.Key(); }
  friend bool operator==(const SpokenOf& a, const SpokenOf& b) { return a.Key() == b.Key(); }
};

// libsdformat gives what a block says to all visuals (collisions) of a link that it reaches: those
// without a name, and those whose name begins with the link's. If all parts say the same the block
// can say it, after renaming those it would not reach; else what they say is lost.
class PartBlock {
 public:
  PartBlock(Model& model, Link& link, PassContext& context)
      : model_(model), link_(link), context_(context) {}

  void Run() {
    for (Collision& c : link_.collisions) {
      if (!friction_ || !c.rolling) continue;
      Loss& loss =
          Lose(Feature::kSurfaceFriction, c, "the rolling friction coefficient is not written", "");
      loss.source = "rolling " + FormatNumber(*c.rolling);
      loss.target = "none, but the other coefficients";
      loss.fields = {"rolling"};
      c.rolling.reset();
    }
    // One set of numbers can stand in a block: parts that say different things lose them all, since
    // nobody could choose.
    Unite(link_.collisions, SubjectKind::kCollision, [&](const Collision& c) {
      return SpokenOf{FrictionOf(c).value_or(""), InBlocks(c.native)};
    });
    const bool own = model_.format.starts_with(context_.traits.native_format);
    for (Visual& visual : link_.visuals)
      if (!own) LoseLight(visual);
    Unite(link_.visuals, SubjectKind::kVisual, [&](const Visual& visual) {
      SpokenOf said{"", InBlocks(visual.native)};
      if (!visual.material) return said;
      const Material& m = *visual.material;
      for (const std::optional<Rgba>& color : {m.ambient, m.specular, m.emissive})
        said.values += color ? " " + ValueText(*color) : "";
      std::vector<NativeElement> of_material = InBlocks(m.native);
      bool named = false;
      for (const NativeElement& each : of_material)
        ForEachIn(each, [&](const NativeElement& element) {
          named = named || element.Text() == kGazeboMaterials;
        });
      if (!of_material.empty() && !named && m.diffuse) said.values += " " + ValueText(*m.diffuse);
      std::move(of_material.begin(), of_material.end(), std::back_inserter(said.kept));
      return said;
    });
  }

 private:
  [[nodiscard]] std::optional<std::string> FrictionOf(const Collision& c) const {
    return friction_ ? SaidText(c, Feature::kSurfaceFriction) : std::nullopt;
  }
  bool InBlock(const NativeData& data) const { return data.format == kFormatOfBlocks; }
  std::vector<NativeElement> InBlocks(const std::vector<NativeData>& native) const {
    std::vector<NativeElement> kept;
    for (const NativeData& data : native)
      if (InBlock(data)) kept.push_back(data.content);
    return kept;
  }
  template <class Part>
  Loss& Lose(Feature feature, const Part& part, std::string what, std::string why) {
    return context_.Lose(model_, feature, SubjectOf(link_, part), std::move(what), std::move(why));
  }
  bool Reaches(const std::string& name) const {
    return name.empty() || name.starts_with(link_.name);
  }

  // All alike, or nothing; who says nothing and is not reached may stay so.
  template <class Part, class SaidOf>
  void Unite(std::vector<Part>& parts, SubjectKind kind, const SaidOf& said_of) {
    std::set<SpokenOf> said;
    for (const Part& part : parts) {
      SpokenOf own = said_of(part);
      if (own != SpokenOf() || Reaches(part.name)) said.insert(std::move(own));
    }
    if (said.empty() || *said.rbegin() == SpokenOf()) return;
    if (said.size() > 1) {
      for (Part& part : parts) LoseSaid(part);
      return;
    }
    for (Part& part : parts) {
      if (Reaches(part.name) || said_of(part) == SpokenOf()) continue;
      std::string name = link_.name + "_" + part.name;
      const auto taken = [&](const Part& other) { return other.name == name; };
      while (std::any_of(parts.begin(), parts.end(), taken)) name += "_";
      context_.Renamed(kind, part.where, part.name, name);
      part.name = name;
    }
  }

  void LoseNative(std::vector<NativeData>& native, const Subject& owner) {
    std::erase_if(native, [&](const NativeData& data) {
      if (!InBlock(data)) return false;
      context_.Lose(model_, Feature::kNativeData, SubjectOf(data, owner),
                    ContentText(data) + " is not written", kOneForAll);
      return true;
    });
  }
  void LoseSaid(Collision& c) {
    if (const auto said = FrictionOf(c)) {
      Lose(Feature::kSurfaceFriction, c, "surface friction is not written", kOneForAll).source =
          *said;
      c.mu.reset(), c.mu2.reset(), c.torsional.reset();
    }
    LoseNative(c.native, SubjectOf(link_, c));
  }
  void LoseSaid(Visual& visual) {
    LoseNative(visual.native, SubjectOf(link_, visual));
    LoseLight(visual);
    if (visual.material) LoseNative(visual.material->native, MaterialOf(SubjectOf(link_, visual)));
  }
  // A format with one colour shows the ambient one where there is no other.
  void LoseLight(Visual& visual) {
    if (!visual.material) return;
    Material& m = *visual.material;
    if (!m.ambient && !m.specular && !m.emissive) return;
    if (!m.diffuse && m.ambient) m.diffuse = m.ambient;
    if ((m.ambient && m.ambient != m.diffuse) || m.specular || m.emissive)
      Lose(Feature::kMaterialLighting, visual,
           "ambient, specular and emissive colours are not written", "");
    m.ambient.reset(), m.specular.reset(), m.emissive.reset();
  }

  Model& model_;
  Link& link_;
  PassContext& context_;
  const bool friction_ = context_.Mine(Feature::kSurfaceFriction);  // else collisions say it
};

}  // namespace

void PartBlocks(Model& model, PassContext& context) {
  for (std::uint32_t v = 0; v < model.num_links(); ++v)
    PartBlock(model, model.link(LinkId{v}), context).Run();
}

}  // namespace kinemorph
