// The tags of <gazebo reference="..."> that libsdformat's URDF reader makes elements of SDFormat
// of: what the model has a field for becomes that, the rest SDFormat's own element. They are read
// as libsdformat reads them, with a warning where that surprises.
#include "gazebo_tags.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "fragment.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/text.h"
#include "lumping.h"
#include "read/reader.h"
#include "sdf_model/geometry.h"
#include "xml_writer.h"

namespace kinemorph::urdf_format {
namespace {

// All blocks of one link or joint are collected in its GazeboTags and applied when the whole file
// is read: of two equal tags the last counts for most of them, and the first for those that
// libsdformat copies as they are. A tag that counts for nothing is kept as idle, one that is no
// number as text.

constexpr std::array<std::string_view, 6> kLinkWords = {
    "turnGravityOff", "selfCollide", "dampingFactor", "material", "gravity", "self_collide"};
constexpr std::array<std::string_view, 2> kJointWords = {"springStiffness", "springReference"};
// libsdformat copies these into a joint after the element of that name that it has made itself, or
// where nothing looks for them.
constexpr std::array<std::string_view, 8> kIdleAtJoints = {
    "physics",           "axis", "axis2", "stopKp", "stopKd", "initial_joint_position", "damping",
    "screw_thread_pitch"};
// It heeds these, or passes over them, and nobody else knows them.
constexpr std::array<std::string_view, 2> kLumping = {kPreserve, kNoLumping};

bool Among(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool IsTag(std::span<const GazeboTag> tags, std::string_view name) {
  return std::any_of(tags.begin(), tags.end(), [&](const GazeboTag& t) { return t.tag == name; });
}
bool IsLinkTag(std::string_view name) {
  return Among(kLinkWords, name) || IsTag(kSurfaceTags, name) || IsTag(kCollisionTags, name) ||
         name == "collision" || name == "visual";
}
bool IsJointTag(std::string_view name) {
  return Among(kJointWords, name) || IsTag(kPhysicsTags, name);
}

// Its attribute `value`, else its text, which a comment before it hides.
std::string WordOf(const xml::Element& tag) {
  if (const auto value = tag.Attribute("value")) return std::string(xml::Trimmed(*value));
  const std::string_view text = tag.Text();
  const NativeElement whole = tag.Native().content;
  return whole.text.empty() && !whole.children.empty() &&
                 whole.children.front().kind == NativeElement::Kind::kComment
             ? ""
             : std::string(text);
}

std::string InQuotes(const std::string& word) { return "'" + word.substr(0, 60) + "'"; }

NativeData Sdf(NativeElement element, SourceLocation where) {
  std::string name = element.name;
  return {"sdf", std::move(name), std::move(element), where};
}

// What an element that is not there means all the same.
bool IsDefault(std::string_view name, std::string_view text) {
  const auto number = xml::ParseNumber(text);
  return (name == "max_contacts" && number == 10) || (name == "laser_retro" && number == 0) ||
         (name == "cast_shadows" && (text == "true" || text == "1"));
}

std::optional<Rgba> ColorAt(const std::vector<xml::Leaf>& leaves, std::string_view name) {
  const auto numbers = xml::ParseNumbers(xml::LeafText(leaves, name), 4);
  if (!numbers || numbers->size() < 3) return std::nullopt;
  return Rgba((*numbers)[0], (*numbers)[1], (*numbers)[2],
              numbers->size() == 4 ? (*numbers)[3] : 1);
}

// <material> of SDFormat.
Material MaterialOfSdf(const xml::Element& element) {
  Material material;
  material.where = element.where();
  const NativeElement whole = element.Native().content;
  const std::vector<xml::Leaf> leaves = xml::LeavesOf(whole);
  material.ambient = ColorAt(leaves, "ambient"), material.diffuse = ColorAt(leaves, "diffuse");
  material.specular = ColorAt(leaves, "specular"), material.emissive = ColorAt(leaves, "emissive");
  for (const NativeElement& piece : whole.children) {
    if (!piece.IsElement()) continue;
    const bool color = (piece.name == "ambient" && material.ambient) ||
                       (piece.name == "diffuse" && material.diffuse) ||
                       (piece.name == "specular" && material.specular) ||
                       (piece.name == "emissive" && material.emissive);
    if (!color) material.native.push_back(Sdf(piece, element.where()));
  }
  return material;
}

// URDF's own, in a visual that Gazebo shows otherwise.
NativeElement MaterialElement(const Material& material) {
  NativeElement out{.name = "material", .attributes = {{"name", material.name}}};
  if (material.diffuse)
    out.Add("color").attributes = {
        {"rgba", xml::NumbersText(std::span<const double>(material.diffuse->data(), 4))}};
  if (material.texture) out.Add("texture").attributes = {{"filename", *material.texture}};
  return out;
}

NativeElement ScriptElement(const std::string& name) {
  NativeElement out{.name = "script"};
  out.Add("name", name);
  out.Add("uri", std::string(kGazeboMaterials));
  return out;
}

}  // namespace

bool RobotReader::IsGazeboTag(std::string_view name) { return IsLinkTag(name) || IsJointTag(name); }

bool RobotReader::HasNoEffect(std::string_view name, bool at_link) {
  if (name == "static" || name == "canonicalBody") return true;
  return at_link ? IsJointTag(name) || Among(kLumping, name)
                 : IsLinkTag(name) || Among(kIdleAtJoints, name) || Among(kLumping, name);
}

bool RobotReader::TakeGazeboTag(const xml::Element& tag, GazeboTags& tags, bool at_link) {
  const std::string_view name = tag.name();
  if (at_link ? !IsLinkTag(name) : !IsJointTag(name)) return false;
  // <visual> and <collision> hold SDFormat that goes into each visual and collision that the block
  // reaches; several of them add up.
  tag.Consume();
  if (name == "collision" || name == "visual") {
    for (const xml::Element child : tag.Children())
      (name == "visual" ? tags.visual : tags.collision).push_back(child);
    tag.ConsumeAll();
    return true;
  }
  static_cast<void>(WordOf(tag));
  // SDFormat's own words are copied side by side, and its reader takes the first.
  const bool first_counts = name == "gravity" || name == "self_collide" || name == "dampingFactor";
  const auto [at, fresh] = tags.word.emplace(name, tag);
  if (fresh) return true;
  if (WordOf(at->second) != WordOf(tag))
    tag.Warn("gazebo-tag-twice",
             {"<" + std::string(name) + "> of", tags.of,
              "is " + InQuotes(WordOf(tag)) + " here and " + InQuotes(WordOf(at->second)) +
                  " in line " + std::to_string(at->second.where().line) + "; " +
                  (first_counts ? "the first" : "the last") + " counts, as libsdformat reads it"});
  if (name == "dampingFactor") return true;  // again it would count where it comes first
  tags.idle.push_back(first_counts ? tag : at->second);
  if (!first_counts) at->second = tag;
  return true;
}

// As std::stod reads it.
std::optional<double> RobotReader::GazeboNumber(const xml::Element& tag, GazeboTags& tags) {
  const std::string word = WordOf(tag);
  // std::stod skips "+", takes the longest prefix that is a number, and throws without one, which
  // nobody catches in libsdformat.
  const std::string subject = "<" + std::string(tag.name()) + "> of '" + tags.of + "'";
  const char* const begin = word.data() + (word.starts_with('+') ? 1 : 0);
  const char* const end = word.data() + word.size();
  double value = 0;
  const auto [stop, error] = ParseDouble(begin, end, value);
  if (error != std::errc() || !(value >= std::numeric_limits<double>::lowest())) {
    tag.Warn("gazebo-number",
             {subject, "is " + InQuotes(word) +
                           (value < 0 ? ", which SDFormat does not know as a number"
                                      : ", which is not a number; libsdformat stops the program "
                                        "there") +
                           ", and kinemorph keeps the text"});
    tags.text.push_back(tag);
    return std::nullopt;
  }
  if (stop != end)
    tag.Warn("gazebo-number",
             {subject,
              "is " + InQuotes(word) + ", read as " + FormatNumber(value) +
                  ", as libsdformat reads up to the first character that is not part of a number",
              {{"value", value}}});
  return value;
}

bool RobotReader::GazeboBoolean(const xml::Element& tag, const GazeboTags& tags) {
  const std::string word = WordOf(tag), lower = LowerCase(word);
  // Everything but these words is false, silently.
  const bool yes = lower == "true" || lower == "yes" || lower == "1";
  if (!yes && lower != "false" && lower != "no" && lower != "0")
    tag.Warn("gazebo-boolean",
             {"<" + std::string(tag.name()) + "> of", tags.of,
              "is " + InQuotes(word) + ", which libsdformat takes for false; write true or false"});
  return yes;
}

void RobotReader::ApplyGazeboTags() {
  // Applying comes before keeping: it decides which tags turn out idle or unreadable.
  for (auto& [id, tags] : link_tags_) {
    Link& link = model_.link(id);
    ApplyLinkTags(link, tags);
    ApplySurface(link, tags);
    ApplyLooks(link, tags);
    KeepTags(tags, link.name, link.native);
    TellLumped(id, tags);
  }
  for (auto& [id, tags] : joint_tags_) {
    Joint& joint = model_.joint(id);
    ApplyJointTags(joint, tags);
    KeepTags(tags, joint.name, joint.native);
  }
}

void RobotReader::KeepTags(const GazeboTags& tags, const std::string& reference,
                           std::vector<NativeData>& native) {
  if (!tags.text.empty()) native.push_back(GazeboBlock(reference, tags.text, false));
  if (!tags.idle.empty()) native.push_back(GazeboBlock(reference, tags.idle, true));
  // Back into an element of their own name: loose in the block they would be tags of another
  // meaning.
  for (const auto& [name, inner] : tags.idle_inside) {
    NativeData block = GazeboBlock(reference, inner, true);
    NativeElement part{.name = name, .children = std::move(block.content.children)};
    block.content.children = {std::move(part)};
    native.push_back(std::move(block));
  }
}

void RobotReader::ApplyLinkTags(Link& link, GazeboTags& tags) {
  const auto find = [&](std::string_view name) {
    const auto found = tags.word.find(name);
    return found == tags.word.end() ? xml::Element() : found->second;
  };
  // This one tag is true unless it is said to be false.
  if (const xml::Element off = find("turnGravityOff")) {
    const std::string word = WordOf(off), lower = LowerCase(word);
    link.gravity = lower == "false" || lower == "no" || lower == "0";
    if (!*link.gravity && lower != "true" && lower != "yes" && lower != "1")
      off.Warn("gazebo-boolean", {"<turnGravityOff> of", tags.of,
                                  "is " + InQuotes(word) +
                                      ", which libsdformat takes for true; write true or false"});
  }
  // SDFormat's own elements, copied behind what the tags make.
  for (const auto& [name, field] :
       {std::pair{"gravity", &Link::gravity}, std::pair{"self_collide", &Link::self_collide}}) {
    const xml::Element own = find(name);
    if (!own) continue;
    const bool before = static_cast<bool>(find(name[0] == 'g' ? "turnGravityOff" : "selfCollide"));
    const std::string word = LowerCase(WordOf(own));
    if (before)
      tags.idle.push_back(own);
    else
      link.*field = word == "true" || word == "1";
  }
  if (const xml::Element self = find("selfCollide")) link.self_collide = GazeboBoolean(self, tags);
  if (const xml::Element decay = find("dampingFactor")) {
    if (const auto factor = GazeboNumber(decay, tags)) {
      // One factor for the decay of linear and angular velocity, where SDFormat has two.
      NativeElement both{.name = "velocity_decay"};
      both.Add("linear", FormatNumber(*factor));
      both.Add("angular", FormatNumber(*factor));
      link.native.insert(link.native.begin(), Sdf(std::move(both), decay.where()));
    }
  }
}

void RobotReader::TellMissed(const Link& link, const GazeboTags& tags, const xml::Element& tag,
                             std::string_view kind, const std::string& part) {
  tag.Warn(
      "gazebo-part-missed",
      {"<" + std::string(tag.name()) + "> of", tags.of,
       "does not reach " + std::string(kind) + " '" + part +
           "', whose name does not begin with the link's, in libsdformat, nor here; name it '" +
           link.name + "_" + part + "' or leave its name out"});
}

void RobotReader::ApplySurface(Link& link, GazeboTags& tags) {
  // First all that is said is gathered into one <surface> and the other elements; then it is given
  // to every collision that the block reaches. Where it reaches none it stays idle.
  std::vector<xml::Element> said;  // all that is for collisions
  std::vector<NativeData> others;
  NativeElement surface{.name = "surface"};
  for (const xml::Element& child : tags.collision) {
    said.push_back(child);
    // A <surface> in the block is the base, and the tags overwrite its leaves, whichever came
    // first.
    NativeElement whole = child.Native().content;
    if (child.name() == "surface") {
      surface = std::move(whole);
      Collision numbers;
      sdformat::ReadSurface(child, numbers);  // says which are none
    } else if (!IsDefault(child.name(), child.Text())) {
      others.push_back(Sdf(std::move(whole), child.where()));
    }
  }
  const auto reached = Reached(link, link.collisions);
  const auto number_of = [&](const xml::Element& tag) {
    return reached.empty() ? std::optional<double>(0) : GazeboNumber(tag, tags);
  };
  for (const GazeboTag& each : kSurfaceTags) {
    const auto found = tags.word.find(each.tag);
    if (found == tags.word.end()) continue;
    // A word that is no number has gone to the text, and says nothing of the surface.
    const std::size_t before = tags.text.size();
    const std::string word = each.tag == "fdir1" ? WordOf(found->second) : [&] {
      const auto number = number_of(found->second);
      return number ? FormatNumber(*number) : std::string();
    }();
    if (tags.text.size() > before) continue;
    said.push_back(found->second);
    xml::SetLeaf(surface, each.path, word);
  }
  for (const GazeboTag& each : kCollisionTags) {
    const auto found = tags.word.find(each.tag);
    if (found == tags.word.end()) continue;
    const auto number = number_of(found->second);
    if (!number) continue;
    // An integer in SDFormat, which libsdformat cuts off towards zero.
    std::string text = FormatNumber(each.tag == "maxContacts" ? std::trunc(*number) : *number);
    const std::string name(each.path);
    if (!reached.empty() && IsDefault(name, text)) {
      tags.idle.push_back(found->second);
      continue;
    }
    said.push_back(found->second);
    others.push_back(Sdf({.name = name, .text = std::move(text)}, found->second.where()));
  }
  if (said.empty()) return;
  if (reached.empty()) {
    KeepUnreached(said, tags.collision, "collision", tags);
    for (const Collision& collision : link.collisions)
      TellMissed(link, tags, said.front(), "collision", collision.name);
    return;
  }
  for (const Collision& collision : link.collisions)
    if (!IsReached(link, collision.name))
      TellMissed(link, tags, said.front(), "collision", collision.name);
  // The three coefficients that the model has become its fields; if the surface says anything else,
  // it is kept whole beside them, for SDFormat.
  const std::vector<xml::Leaf> leaves = xml::LeavesOf(surface);
  const auto number_at = [&](std::string_view path) -> std::optional<double> {
    const auto number = xml::ParseNumber(xml::LeafText(leaves, path));
    return number && std::isfinite(*number) ? number : std::nullopt;
  };
  const auto mu = number_at("friction/ode/mu"), mu2 = number_at("friction/ode/mu2"),
             torsional = number_at("friction/torsional/coefficient");
  const bool more = std::any_of(leaves.begin(), leaves.end(), [&](const xml::Leaf& leaf) {
    return !(leaf.path == "friction/ode/mu" && mu) && !(leaf.path == "friction/ode/mu2" && mu2) &&
           !(leaf.path == "friction/torsional/coefficient" && torsional);
  });
  for (Collision* collision : reached) {
    // Drake's coefficients, in the collision itself, say more than a block.
    if (!collision->mu && !collision->mu2) collision->mu = mu, collision->mu2 = mu2;
    collision->torsional = torsional;
    if (more) collision->native.push_back(Sdf(surface, said.front().where()));
    collision->native.insert(collision->native.end(), others.begin(), others.end());
  }
}

// What reaches nothing: children of <collision> (<visual>) in such an element again.
void RobotReader::KeepUnreached(const std::vector<xml::Element>& said,
                                const std::vector<xml::Element>& inner, std::string_view kind,
                                GazeboTags& tags) {
  for (const xml::Element& element : said)
    if (std::find(inner.begin(), inner.end(), element) == inner.end()) tags.idle.push_back(element);
  if (!inner.empty()) tags.idle_inside.emplace_back(kind, inner);
}

void RobotReader::ApplyLooks(Link& link, GazeboTags& tags) {
  const auto material = tags.word.find("material");
  const xml::Element script = material == tags.word.end() ? xml::Element() : material->second;
  if (!script && tags.visual.empty()) return;
  std::vector<xml::Element> said = tags.visual;
  if (script) said.push_back(script);
  const auto reached = Reached(link, link.visuals);
  for (const Visual& visual : link.visuals)
    if (!IsReached(link, visual.name)) TellMissed(link, tags, said.front(), "visual", visual.name);
  if (reached.empty()) return KeepUnreached(said, tags.visual, "visual", tags);
  std::optional<Material> given;
  std::vector<NativeData> others;
  for (const xml::Element& child : tags.visual) {
    if (child.name() == "material") {
      given = MaterialOfSdf(child);
    } else if (!IsDefault(child.name(), child.Text())) {
      others.push_back(Sdf(child.Native().content, child.where()));
    }
  }
  for (Visual* visual : reached) {
    // In Gazebo the visual shows this material, elsewhere URDF's own, which is kept for URDF
    // output.
    if (given) {
      if (visual->material)
        visual->native.push_back(
            {"urdf", "material", MaterialElement(*visual->material), visual->material->where});
      visual->material = given;
    }
    // The name of a material of Gazebo's own list; a script that came with <material> gives way to
    // it.
    if (script) {
      if (!visual->material) visual->material.emplace().where = script.where();
      std::erase_if(visual->material->native,
                    [](const NativeData& data) { return data.element == "script"; });
      visual->material->native.push_back(Sdf(ScriptElement(WordOf(script)), script.where()));
    }
    visual->native.insert(visual->native.end(), others.begin(), others.end());
  }
}

void RobotReader::ApplyJointTags(Joint& joint, GazeboTags& tags) {
  // A spring is one of a single coordinate: N m/rad or N/m, and rad or m where it rests.
  const bool one = NumVelocities(joint.kind) == 1 && !joint.axes.empty();
  for (const auto& [name, field] : {std::pair{"springStiffness", &JointAxis::spring_stiffness},
                                    std::pair{"springReference", &JointAxis::spring_reference}}) {
    const auto found = tags.word.find(name);
    if (found == tags.word.end()) continue;
    if (!one) {
      tags.idle.push_back(found->second);
    } else if (const auto number = GazeboNumber(found->second, tags)) {
      if (std::isfinite(*number))
        joint.axes[0].*field = number;
      else
        tags.text.push_back(found->second);
    }
  }
  NativeElement physics{.name = "physics"};
  std::optional<SourceLocation> where;
  for (std::size_t i = 0; i < kPhysicsTags.size(); ++i) {
    const auto found = tags.word.find(kPhysicsTags[i].tag);
    if (found == tags.word.end()) continue;
    std::string word;
    if (i < kPhysicsNumbers) {
      const auto number = GazeboNumber(found->second, tags);
      if (!number) continue;
      word = FormatNumber(*number);
    } else {
      word = GazeboBoolean(found->second, tags) ? "true" : "false";
    }
    // libsdformat writes both the new word and the old one; so does the model, which may be written
    // as SDFormat.
    if (kPhysicsTags[i].tag == "implicitSpringDamper" || kPhysicsTags[i].tag == "cfmDamping") {
      xml::SetLeaf(physics, "ode/implicit_spring_damper", word);
      xml::SetLeaf(physics, "ode/cfm_damping", word);
    } else {
      xml::SetLeaf(physics, kPhysicsTags[i].path, word);
    }
    if (kPhysicsTags[i].tag == "provideFeedback")
      xml::SetLeaf(physics, "ode/provide_feedback", word);
    if (!where) where = found->second.where();
  }
  if (where) joint.native.push_back(Sdf(std::move(physics), *where));
}

// libsdformat makes one link of those that a fixed joint joins, and gives it what was said of one.
void RobotReader::TellLumped(LinkId id, const GazeboTags& tags) {
  const auto word = tags.word.find("turnGravityOff");
  const JointId up = tree_.parent_joint[Index(id)];
  if (word == tags.word.end() || up == kNoJoint || tree_.parent[Index(id)] == kWorld ||
      !std::holds_alternative<Fixed>(model_.joint(up).kind))
    return;
  const Link &link = model_.link(id), &parent = model_.link(tree_.parent[Index(id)]);
  if (parent.gravity.value_or(true) == link.gravity.value_or(true)) return;
  const bool kept = std::any_of(
      model_.joint(up).native.begin(), model_.joint(up).native.end(), [](const NativeData& data) {
        return data.element == "gazebo" &&
               std::any_of(kLumping.begin(), kLumping.end(), [&](std::string_view tag) {
                 return data.content.Child(tag) != nullptr;
               });
      });
  if (kept) return;
  word->second.Warn("gazebo-lumped",
                    {"link", link.name,
                     "is connected to link '" + parent.name +
                         "' by a fixed joint; libsdformat makes one link of them and takes gravity "
                         "off both, here "
                         "it is off '" +
                         link.name + "' alone (preserveFixedJoint keeps them apart there too)"});
}

}  // namespace kinemorph::urdf_format
