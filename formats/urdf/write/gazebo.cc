// <gazebo> blocks: what SDFormat has and URDF lacks, in the tags of libsdformat's URDF reader where
// it has such, else as SDFormat's own elements.
#include <algorithm>
#include <span>

#include "fragment.h"
#include "gazebo_tags.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "lumping.h"
#include "urdf.h"
#include "write/writer.h"
#include "xml_reader.h"

namespace kinemorph::urdf_format {
namespace {

// WriteLinkTags and WriteJointTags gather what the model says for SDFormat and choose its words: a
// tag of libsdformat's URDF reader where there is one, else a piece of SDFormat. Tags of one link
// stand in one block, and each piece in a block of its own.

bool IsBlock(const NativeData& data) {
  return data.format == "urdf" && data.element == "gazebo" &&
         data.content.Attribute("reference") != nullptr;
}

// The tag for each leaf of a piece; none where a leaf has no tag.
std::vector<std::pair<std::string, std::string>> TagsOf(const std::vector<xml::Leaf>& leaves,
                                                        std::span<const GazeboTag> tags) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const GazeboTag& tag : tags)
    for (const xml::Leaf& leaf : leaves)
      if (leaf.path == tag.path && leaf.plain) words.emplace_back(tag.tag, leaf.text);
  // All leaves or none: a tag and a piece for one element would make it twice.
  if (words.size() != leaves.size()) words.clear();
  return words;
}

// <surface> of a collision: as it was kept, or of its coefficients; empty where nothing is said, or
// its friction stands in the collision itself.
NativeElement SurfaceOf(const Collision& c, bool has_friction) {
  for (const NativeData& data : c.native)
    if (data.format == "sdf" && data.element == "surface") return data.content;
  if (has_friction || (!c.mu && !c.mu2 && !c.torsional)) return {};
  NativeElement surface{.name = "surface"};
  const auto say = [&](const char* path, const std::optional<double>& value) {
    if (value) xml::SetLeaf(surface, path, xml::NumberText(*value));
  };
  say("friction/ode/mu", c.mu), say("friction/ode/mu2", c.mu2);
  say("friction/torsional/coefficient", c.torsional);
  return surface;
}

NativeElements OthersOf(const std::vector<NativeData>& native, std::string_view but) {
  NativeElements others;
  for (const NativeData& data : native)
    if (data.format == "sdf" && data.element != but) others.push_back(data.content);
  return others;
}

bool HasOwnMaterial(const Visual& visual) {
  return std::any_of(visual.native.begin(), visual.native.end(), [](const NativeData& data) {
    return data.format == "urdf" && data.element == "material";
  });
}

// A material that only Gazebo has: the name of one of its own, or all that SDFormat says.
struct GazeboMaterial {
  std::string name;
  NativeElement element;
  friend bool operator==(const GazeboMaterial&, const GazeboMaterial&) = default;
};
GazeboMaterial MaterialOf(const Visual& visual) {
  GazeboMaterial out;
  if (!visual.material) return out;
  const Material& m = *visual.material;
  NativeElements native = OthersOf(m.native, "");
  const bool own = HasOwnMaterial(visual), light = m.ambient || m.specular || m.emissive;
  if (!own && !light && native.empty()) return out;
  // The tag <material> means a script with Gazebo's own list; anything else is written out.
  if (!own && !light && native.size() == 1) {
    const std::vector<xml::Leaf> leaves = xml::LeavesOf(native[0]);
    const bool named = native[0].name == "script" && leaves.size() == 2 &&
                       xml::LeafText(leaves, "uri") == kGazeboMaterials;
    if (named) out.name = xml::LeafText(leaves, "name");
    if (!out.name.empty()) return out;
  }
  out.element.name = "material";
  const auto color = [&](const char* element, const std::optional<Rgba>& rgba) {
    if (rgba) out.element.Add(element, xml::NumbersText(std::span<const double>(rgba->data(), 4)));
  };
  color("ambient", m.ambient), color("diffuse", m.diffuse);
  color("specular", m.specular), color("emissive", m.emissive);
  std::move(native.begin(), native.end(), std::back_inserter(out.element.children));
  return out;
}

}  // namespace

bool HasOwnMaterialText(const Visual& visual) { return HasOwnMaterial(visual); }

// One block speaks for all parts that it reaches, so that all must say the same.
template <class Part, class Said>
Said RobotWriter::SaidOfAll(const Link& link, const std::vector<Part>& parts,
                            const std::function<Said(const Part&)>& said_of) {
  Said said, nothing;
  bool first = true, same = true;
  // A part whose name the block does not reach must have nothing to say, for it will hear nothing.
  for (const Part& part : parts) {
    const Said own = said_of(part);
    if (!IsReached(link, part.name)) {
      same = same && own == nothing;
    } else {
      same = same && (first || own == said);
      if (first) said = own;
      first = false;
    }
  }
  if (!same)
    Refuse("gazebo-parts-differ", link.where,
           {"link", link.name,
            "its visuals or collisions differ in what a <gazebo> block says of all of them"});
  return said;
}

void RobotWriter::WriteLinkTags(LinkId id) {
  const Link& link = model_.link(id);
  GazeboTagList tags;
  NativeElements pieces;
  if (link.gravity) tags.emplace_back("turnGravityOff", *link.gravity ? "false" : "true");
  if (link.self_collide) tags.emplace_back("selfCollide", *link.self_collide ? "true" : "false");
  for (const NativeData& data : link.native)
    if (data.format == "sdf") pieces.push_back(data.content);
  // dampingFactor is one number for both decays: where they differ the piece is written.
  std::erase_if(pieces, [&](const NativeElement& piece) {
    const std::vector<xml::Leaf> leaves = xml::LeavesOf(piece);
    const std::string linear = xml::LeafText(leaves, "linear");
    const bool both = piece.name == "velocity_decay" && leaves.size() == 2 &&
                      xml::ParseNumber(linear) && linear == xml::LeafText(leaves, "angular");
    if (both) tags.emplace_back("dampingFactor", linear);
    return both;
  });
  AddSurfaceTags(link, tags, pieces);
  AddLooksTags(link, tags, pieces);
  WriteBlock(LinkName(id), tags, pieces);
}

void RobotWriter::AddSurfaceTags(const Link& link, GazeboTagList& tags, NativeElements& pieces) {
  using Said = NativeElements;  // the surface, then the rest
  const Said said = SaidOfAll<Collision, Said>(link, link.collisions, [&](const Collision& c) {
    Said all = OthersOf(c.native, "surface");
    const NativeElement surface = SurfaceOf(c, drake_);
    if (all.empty() && surface.empty()) return Said();
    all.insert(all.begin(), surface);
    return all;
  });
  if (said.empty()) return;
  NativeElement collision{.name = "collision"};
  // Each element becomes tags where all of it has tags, else it goes into a <collision> of the
  // block, which is copied into each collision.
  const GazeboTagList words = TagsOf(xml::LeavesOf(said[0]), kSurfaceTags);
  tags.insert(tags.end(), words.begin(), words.end());
  if (words.empty() && !said[0].empty()) collision.children.push_back(said[0]);
  for (std::size_t i = 1; i < said.size(); ++i) {
    const GazeboTagList one = TagsOf(xml::LeavesOf({.children = {said[i]}}), kCollisionTags);
    tags.insert(tags.end(), one.begin(), one.end());
    if (one.empty()) collision.children.push_back(said[i]);
  }
  if (!collision.children.empty()) pieces.push_back(std::move(collision));
}

void RobotWriter::AddLooksTags(const Link& link, GazeboTagList& tags, NativeElements& pieces) {
  struct Said {
    GazeboMaterial material;
    NativeElements others;
    bool operator==(const Said&) const = default;
  };
  const Said said = SaidOfAll<Visual, Said>(link, link.visuals, [](const Visual& visual) {
    return Said{MaterialOf(visual), OthersOf(visual.native, "")};
  });
  if (!said.material.name.empty()) tags.emplace_back("material", said.material.name);
  NativeElement visual{.name = "visual", .children = said.others};
  if (!said.material.element.empty())
    visual.children.insert(visual.children.begin(), said.material.element);
  if (!visual.children.empty()) pieces.push_back(std::move(visual));
}

void RobotWriter::WriteJointTags(JointId id) {
  const Joint& joint = model_.joint(id);
  GazeboTagList tags;
  NativeElements pieces;
  const bool loop = joint.role == JointRole::kLoop;
  // Links that the source had apart, and those that a plugin looks for by name.
  if (KeepsApart(model_, id) || KeepsWeldedApart(id)) tags.emplace_back(kPreserve, "true");
  if (!loop && NumVelocities(joint.kind) == 1 && !joint.axes.empty()) {
    const JointAxis& axis = joint.axes[0];
    if (axis.spring_stiffness)
      tags.emplace_back("springStiffness", xml::NumberText(*axis.spring_stiffness));
    if (axis.spring_reference)
      tags.emplace_back("springReference", xml::NumberText(*axis.spring_reference));
  }
  for (const NativeData& data : joint.native) {
    if (data.format != "sdf" || IsWeldPlugin(data)) continue;
    const std::optional<GazeboTagList> words =
        data.element == "physics" && !loop ? PhysicsTags(data.content) : std::nullopt;
    if (words)
      tags.insert(tags.end(), words->begin(), words->end());
    else
      pieces.push_back(data.content);
  }
  WriteBlock(joint.name, tags, pieces);
}

void RobotWriter::WriteBlock(const std::string& reference, const GazeboTagList& tags,
                             const NativeElements& pieces) {
  if (!tags.empty()) {
    out_.Open("gazebo").Attribute("reference", reference);
    for (const auto& [tag, word] : tags) out_.Leaf(tag, word);
    out_.Close();
  }
  for (const NativeElement& piece : pieces)
    out_.Open("gazebo").Attribute("reference", reference).Native(piece).Close();
}

void RobotWriter::WriteGazebo() {
  // What is kept as text first: of two tags the last counts, and one that was outdone is among it.
  const auto blocks = [&](const std::vector<NativeData>& native, const std::string& name) {
    for (const NativeData& data : native)
      if (IsBlock(data)) out_.Native(WithAttribute(data.content, "gazebo", "reference", name));
  };
  for (std::uint32_t i = 0; i < model_.num_links(); ++i) {
    if (beside_tree_[i]) continue;
    blocks(model_.link(LinkId{i}).native, LinkName(LinkId{i}));
    WriteLinkTags(LinkId{i});
  }
  for (const JointId id : Joints(model_)) {
    if (!IsWritten(id) || (gazebo_ && model_.joint(id).role == JointRole::kLoop)) continue;
    blocks(model_.joint(id).native, model_.joint(id).name);
    WriteJointTags(id);
  }
  WriteGazeboLoops();
  // All that is said of the model itself in one block: libsdformat before 12.7 forgets a <static>
  // that a later one does not repeat.
  const bool is_static = std::any_of(model_.scopes.begin(), model_.scopes.end(),
                                     [](const Scope& scope) { return scope.is_static; });
  std::optional<bool> self_collide;
  for (const Scope& scope : model_.scopes)
    if (scope.self_collide && !self_collide) self_collide = scope.self_collide;
  if (!is_static && !self_collide) return;
  out_.Open("gazebo");
  if (self_collide) out_.Leaf("self_collide", *self_collide ? "true" : "false");
  if (is_static) out_.Leaf("static", "true");
  out_.Close();
}

std::optional<GazeboTagList> PhysicsTags(const NativeElement& physics) {
  std::vector<xml::Leaf> leaves = xml::LeavesOf(physics);
  // One tag stands for both.
  for (const auto& pair : {std::pair{"provide_feedback", "ode/provide_feedback"},
                           std::pair{"ode/implicit_spring_damper", "ode/cfm_damping"}}) {
    const std::string word = xml::LeafText(leaves, pair.first);
    if (!word.empty())
      std::erase_if(leaves, [&](const xml::Leaf& leaf) {
        return leaf.path == pair.second && leaf.text == word;
      });
  }
  GazeboTagList words = TagsOf(leaves, kPhysicsTags);
  return words.empty() ? std::nullopt : std::optional(std::move(words));
}

}  // namespace kinemorph::urdf_format

namespace kinemorph {

std::string UrdfRefuses(const Model&, const NativeData& native, const Joint* owner,
                        const WriteOptions&) {
  if (IsWeldPlugin(native))
    return "the joint is written instead of the plugin (--loops detachable writes plugins of its "
           "own)";
  if (native.format == "sdf" && native.content.name.starts_with("drake:"))
    return "Drake reads this element in SDFormat only";
  const bool of_loop = owner != nullptr && owner->role == JointRole::kLoop;
  if (of_loop && native.format == "urdf" && native.element != "gazebo")
    return "a loop joint has no place for it";
  if (of_loop || native.format != "sdf" || native.element != "physics" ||
      urdf_format::PhysicsTags(native.content))
    return "";
  return "the URDF reader of libsdformat ignores <physics> in a block, and its tags hold only "
         "limit/cfm, limit/erp, fudge_factor, provide_feedback, implicit_spring_damper, "
         "cfm_damping";
}

}  // namespace kinemorph
