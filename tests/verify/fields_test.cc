// For every field of the model, in every format that holds it, one change is made and noticed; a
// change of spelling is not.
#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <map>
#include <numbers>
#include <set>
#include <sstream>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/base/number.h"
#include "native_xml.h"

namespace kinemorph {
namespace {

// Changes the first thing that has the field; false where nothing has it.
using Change = std::function<bool(Model&)>;
struct Field {
  std::string name;
  Change change;
};

bool Each(Model& model, const std::function<bool(Link&)>& change) {
  for (const LinkId id : Links(model))
    if (change(model.link(id))) return true;
  return false;
}

Change OfLink(std::function<bool(Link&)> change) {
  return [change](Model& model) { return Each(model, change); };
}
Change OfInertial(std::function<bool(Inertial&)> change) {
  return OfLink([change](Link& link) {
    return link.inertial && link.inertial->mass > 0 && change(*link.inertial);
  });
}
Change OfVisual(std::function<bool(Visual&)> change) {
  return OfLink([change](Link& link) {
    return std::any_of(link.visuals.begin(), link.visuals.end(), change);
  });
}
Change OfCollision(std::function<bool(Collision&)> change) {
  return OfLink([change](Link& link) {
    return std::any_of(link.collisions.begin(), link.collisions.end(), change);
  });
}
Change OfMaterial(std::function<bool(Material&)> change) {
  return OfVisual([change](Visual& visual) { return visual.material && change(*visual.material); });
}
Change OfJoint(std::function<bool(Joint&)> change) {
  return [change](Model& model) {
    for (const JointId id : Joints(model))
      if (!model.joint(id).implicit && change(model.joint(id))) return true;
    return false;
  };
}
Change OfAxis(std::optional<double> JointAxis::*member) {
  return OfJoint([member](Joint& joint) {
    for (JointAxis& axis : joint.axes) {
      if (!(axis.*member) || *(axis.*member) == 0 || std::abs(*(axis.*member)) >= 1e15) continue;
      *(axis.*member) *= 1.001;
      return true;
    }
    return false;
  });
}
template <class Part>
Change OfAxisPart(std::optional<Part> JointAxis::*part, std::optional<double> Part::*member) {
  return OfJoint([=](Joint& joint) {
    for (JointAxis& axis : joint.axes) {
      if (!(axis.*part) || !((*(axis.*part)).*member)) continue;
      *((*(axis.*part)).*member) += 0.01;
      return true;
    }
    return false;
  });
}
template <class Item>
Change OfItem(std::vector<Item> Model::*list, std::function<bool(Item&)> change) {
  return
      [=](Model& model) { return std::any_of((model.*list).begin(), (model.*list).end(), change); };
}
template <class Item>
Change Without(std::vector<Item> Model::*list) {
  return [=](Model& model) {
    if ((model.*list).empty()) return false;
    (model.*list).erase((model.*list).begin());
    return true;
  };
}
template <class Item>
Change WithOneMore(std::vector<Item> Model::*list) {
  return [=](Model& model) {
    if ((model.*list).empty()) return false;
    Item item = (model.*list).front();
    item.name += "_more";
    (model.*list).push_back(item);
    return true;
  };
}

using test::Longer;
using test::Tree;

bool Longer(std::string& text) { return !text.empty() && (text += "_x", true); }
bool Grown(std::optional<double>& value) { return value && (*value = *value * 1.01 + 0.001, true); }
bool Darker(std::optional<Rgba>& color) {
  return color && ((*color)[0] = (*color)[0] > 0.5 ? 0.25 : 0.75, true);
}
bool Moved(RigidTransform& X) { return (X.p.x() += 0.001, true); }
bool Rewritten(std::vector<NativeData>& native) {
  for (NativeData& data : native) {
    if (Longer(data.content)) return true;
  }
  return false;
}
bool Resized(Shape& shape) {
  if (auto* box = std::get_if<Box>(&shape)) return (box->size.x() *= 1.01, true);
  if (auto* sphere = std::get_if<Sphere>(&shape)) return (sphere->radius *= 1.01, true);
  if (auto* cylinder = std::get_if<Cylinder>(&shape)) return (cylinder->length *= 1.01, true);
  if (auto* mesh = std::get_if<Mesh>(&shape)) return (mesh->scale.y() *= 1.01, true);
  return false;
}
bool Refiled(Shape& shape) {
  auto* mesh = std::get_if<Mesh>(&shape);
  if (mesh == nullptr) return false;
  const std::size_t slash = mesh->uri.rfind('/');
  mesh->uri.insert(slash == std::string::npos ? 0 : slash + 1, "elsewhere/");
  return true;
}

// Another joint of the same kind, for what hangs on joints.
bool ToAnotherJoint(const Model& model, JointId& id) {
  if (id == kNoJoint) return false;
  for (const JointId other : Joints(model)) {
    if (other == id || model.joint(other).kind.index() != model.joint(id).kind.index()) continue;
    id = other;
    return true;
  }
  return false;
}

std::vector<Field> Fields() {
  using C = Collision;
  std::vector<Field> fields = {
      {"model name", [](Model& m) { return Longer(m.name); }},
      {"model native", [](Model& m) { return Rewritten(m.native); }},
      {"gravity", [](Model& m) { return m.gravity && (m.gravity->z() += 0.5, true); }},
      {"native text of a scope", OfItem<Scope>(&Model::scopes, [](Scope& s) { return Rewritten(s.native); })},
      {"link name", OfLink([](Link& l) { return Longer(l.name); })},
      {"link native", OfLink([](Link& l) { return Rewritten(l.native); })},
      {"link gravity", OfLink([](Link& l) { return l.gravity == false && (l.gravity.reset(), true); })},
      {"mass", OfInertial([](Inertial& i) { return (i.mass *= 1.001, true); })},
      {"centre of mass", OfInertial([](Inertial& i) { return Moved(i.X_LI); })},
      {"inertia", OfInertial([](Inertial& i) { return i.I_I(0, 0) > 0 && (i.I_I(0, 0) *= 1.001, true); })},
      {"inertial native", OfInertial([](Inertial& i) { return Rewritten(i.native); })},
      {"visual name", OfVisual([](Visual& v) { return Longer(v.name); })},
      {"visual pose", OfVisual([](Visual& v) { return Moved(v.X_LG); })},
      {"visual size", OfVisual([](Visual& v) { return Resized(v.shape); })},
      {"visual mesh", OfVisual([](Visual& v) { return Refiled(v.shape); })},
      {"visual gone", OfLink([](Link& l) { return !l.visuals.empty() && (l.visuals.pop_back(), true); })},
      {"visual native", OfVisual([](Visual& v) { return Rewritten(v.native); })},
      {"transparency", OfVisual([](Visual& v) { return Grown(v.transparency); })},
      {"diffuse", OfMaterial([](Material& m) { return Darker(m.diffuse); })},
      {"ambient", OfMaterial([](Material& m) { return Darker(m.ambient); })},
      {"specular", OfMaterial([](Material& m) { return Darker(m.specular); })},
      {"emissive", OfMaterial([](Material& m) { return Darker(m.emissive); })},
      {"texture", OfMaterial([](Material& m) { return m.texture && Longer(*m.texture); })},
      {"material name", OfMaterial([](Material& m) { return Longer(m.name); })},
      {"material native", OfMaterial([](Material& m) { return Rewritten(m.native); })},
      {"collision name", OfCollision([](C& c) { return Longer(c.name); })},
      {"collision pose", OfCollision([](C& c) { return Moved(c.X_LG); })},
      {"collision size", OfCollision([](C& c) { return Resized(c.shape); })},
      {"collision mesh", OfCollision([](C& c) { return Refiled(c.shape); })},
      {"collision gone", OfLink([](Link& l) { return !l.collisions.empty() && (l.collisions.pop_back(), true); })},
      {"collision native", OfCollision([](C& c) { return Rewritten(c.native); })},
      {"friction", OfCollision([](C& c) { return Grown(c.mu); })},
      {"second friction", OfCollision([](C& c) { return Grown(c.mu2); })},
      {"torsional friction", OfCollision([](C& c) { return Grown(c.torsional); })},
      {"rolling friction", OfCollision([](C& c) { return Grown(c.rolling); })},
      {"joint name", OfJoint([](Joint& j) { return Longer(j.name); })},
      {"joint native", OfJoint([](Joint& j) { return Rewritten(j.native); })},
      {"joint frame", OfJoint([](Joint& j) { return NumVelocities(j.kind) == 1 && (j.X_PF.p += Vector3(1e-4, 2e-4, 3e-4), true); })},
      {"joint kind", OfJoint([](Joint& j) {
         const auto* hinge = std::get_if<Revolute>(&j.kind);
         if (hinge == nullptr) return false;
         j.kind = Prismatic{Vector3(hinge->axis)};
         return true;
       })},
      {"loop anchor", OfJoint([](Joint& j) { return j.role == JointRole::kLoop && (j.X_SM.p += Vector3(1e-4, 1e-4, 1e-4), true); })},
      {"independent", OfJoint([](Joint& j) { return j.independent == false && (j.independent.reset(), true); })},
      {"must be loop joint", OfJoint([](Joint& j) { return j.cut_hint && (j.cut_hint = false, true); })},
      {"lower limit", OfAxis(&JointAxis::lower)},
      {"upper limit", OfAxis(&JointAxis::upper)},
      {"effort", OfAxis(&JointAxis::effort)},
      {"lower effort", OfAxis(&JointAxis::effort_lower)},
      {"velocity", OfAxis(&JointAxis::velocity)},
      {"acceleration", OfAxis(&JointAxis::acceleration)},
      {"deceleration", OfAxis(&JointAxis::deceleration)},
      {"jerk", OfAxis(&JointAxis::jerk)},
      {"damping", OfAxis(&JointAxis::damping)},
      {"joint friction", OfAxis(&JointAxis::friction)},
      {"spring stiffness", OfAxis(&JointAxis::spring_stiffness)},
      {"spring reference", OfAxis(&JointAxis::spring_reference)},
      {"armature", OfAxis(&JointAxis::armature)},
      {"limit stiffness", OfAxis(&JointAxis::limit_stiffness)},
      {"limit dissipation", OfAxis(&JointAxis::limit_dissipation)},
      {"initial position", OfAxis(&JointAxis::initial_position)},
      {"soft lower limit", OfAxisPart(&JointAxis::safety, &Safety::soft_lower)},
      {"soft upper limit", OfAxisPart(&JointAxis::safety, &Safety::soft_upper)},
      {"k position", OfAxisPart(&JointAxis::safety, &Safety::k_position)},
      {"k velocity", OfAxisPart(&JointAxis::safety, &Safety::k_velocity)},
      {"rising edge", OfAxisPart(&JointAxis::calibration, &Calibration::rising)},
      {"falling edge", OfAxisPart(&JointAxis::calibration, &Calibration::falling)},
      {"coupling name", OfItem<Coupling>(&Model::couplings, [](Coupling& c) { return Longer(c.name); })},
      {"coupling factor",
       OfItem<Coupling>(&Model::couplings, [](Coupling& c) { return !c.terms.empty() && (c.terms.back().coefficients[0] += 0.01, true); })},
      {"coupling offset by turns", OfItem<Coupling>(&Model::couplings,
                                                    [](Coupling& c) {
                                                      if (c.terms.empty() || c.terms.back().coefficients[0] == 0) return false;
                                                      c.constant += 2 * std::numbers::pi * std::abs(c.terms.back().coefficients[0]);
                                                      return true;
                                                    })},
      {"coupling gone", Without(&Model::couplings)},
      {"coupling native", OfItem<Coupling>(&Model::couplings, [](Coupling& c) { return Rewritten(c.native); })},
      {"frame name", OfItem<Frame>(&Model::frames, [](Frame& f) { return Longer(f.name); })},
      {"frame pose", OfItem<Frame>(&Model::frames, [](Frame& f) { return Moved(f.X_LF); })},
      {"frame gone", Without(&Model::frames)},
      {"frame more", WithOneMore(&Model::frames)},
      {"frame native", OfItem<Frame>(&Model::frames, [](Frame& f) { return Rewritten(f.native); })},
      {"sensor name", OfItem<Sensor>(&Model::sensors, [](Sensor& s) { return Longer(s.name); })},
      {"sensor type", OfItem<Sensor>(&Model::sensors, [](Sensor& s) { return (s.type += "_x", true); })},
      {"sensor pose", OfItem<Sensor>(&Model::sensors, [](Sensor& s) { return s.link != kNoLink && Moved(s.X_LS); })},
      {"sensor gone", Without(&Model::sensors)},
      {"sensor more", WithOneMore(&Model::sensors)},
      {"sensor native", OfItem<Sensor>(&Model::sensors, [](Sensor& s) { return Longer(s.native.content); })},
      {"sensor joint",
       [](Model& m) { return std::any_of(m.sensors.begin(), m.sensors.end(), [&](Sensor& s) { return ToAnotherJoint(m, s.joint); }); }},
      {"drive name", OfItem<Actuator>(&Model::actuators, [](Actuator& d) { return (Longer(d.native.content), Longer(d.name)); })},
      {"drive type", OfItem<Actuator>(&Model::actuators, [](Actuator& d) { return (d.type += "_x", true); })},
      {"drive gear", OfItem<Actuator>(&Model::actuators, [](Actuator& d) { return (d.gear *= 2, true); })},
      {"drive range", OfItem<Actuator>(&Model::actuators, [](Actuator& d) { return Grown(d.effort_upper); })},
      {"drive gone", Without(&Model::actuators)},
      {"drive more", WithOneMore(&Model::actuators)},
      {"drive native", OfItem<Actuator>(&Model::actuators, [](Actuator& d) { return Longer(d.native.content); })},
      {"drive joint",
       [](Model&
              m) { return std::any_of(m.actuators.begin(), m.actuators.end(), [&](Actuator& d) { return ToAnotherJoint(m, d.joint); }); }},
      {"exclusion gone", Without(&Model::contact_exclusions)},
  };
  return fields;
}

std::vector<std::string> FixtureFiles() {
  std::vector<std::string> files =
      test::FilesBelow(test::Fixtures() + "/features", {".urdf", ".sdf", ".xml", ".mbs"});
  const std::vector<std::string> more =
      test::FilesBelow(test::Fixtures() + "/mechanisms", {".urdf", ".sdf", ".xml", ".mbs"});
  files.insert(files.end(), more.begin(), more.end());
  const std::vector<std::string> hung =
      test::FilesBelow(test::Fixtures() + "/accounting", {".urdf", ".sdf", ".xml", ".mbs"});
  files.insert(files.end(), hung.begin(), hung.end());
  return files;
}

// Every `step`-th file of the shared corpora, from the first on; none where they are absent.
std::vector<std::string> CorpusFiles(std::size_t step) {
  std::vector<std::string> files;
  for (const char* folder : {"/corpus", "/legs", "/mbs", "/urdf_plus"}) {
    const std::vector<std::string> all =
        test::FilesBelow(test::Shared() + folder, {".urdf", ".sdf", ".xml", ".mbs", ".world"});
    for (std::size_t i = 0; i < all.size(); i += step) files.push_back(all[i]);
  }
  return files;
}

// What few fixtures have: text of the model's own format on everything that can hold it, a sensor
// and a drive on a joint, a mesh.
void Enrich(Model& model) {
  const NativeData data{
      model.format == "urdf+" ? "urdf" : model.format, "extra", Tree("<extra size=\"1.5\"/>"), {}};
  model.native.push_back(data);
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    link.native.push_back(data);
    if (link.inertial) link.inertial->native.push_back(data);
    for (Visual& visual : link.visuals) {
      visual.native.push_back(data);
      if (visual.material) visual.material->native.push_back(data);
    }
    for (Collision& collision : link.collisions) collision.native.push_back(data);
  }
  for (const JointId id : Joints(model)) model.joint(id).native.push_back(data);
  for (Coupling& coupling : model.couplings) coupling.native.push_back(data);
  for (Frame& frame : model.frames) frame.native.push_back(data);
  for (const JointId id : Joints(model)) {
    for (JointAxis& axis : model.joint(id).axes)
      if (axis.calibration) axis.calibration->falling = 0.2;
  }
  for (const LinkId id : Links(model)) {
    for (Collision& collision : model.link(id).collisions)
      if (collision.mu) collision.rolling = 0.001;
  }
  if (model.num_joints() < 2 || model.num_links() < 3) return;
  Sensor sensor;
  sensor.name = "extra_sensor", sensor.type = "torque", sensor.joint = JointId{0},
  sensor.native = data;
  model.sensors.push_back(sensor);
  Actuator drive;
  drive.name = "extra_drive", drive.type = "motor", drive.joint = JointId{0}, drive.native = data,
  drive.effort_upper = 5;
  model.actuators.push_back(drive);
  Collision mesh;
  Mesh shape;
  shape.uri = "meshes/extra.stl";
  mesh.name = "extra_mesh", mesh.shape = shape;
  model.link(LinkId{1}).collisions.push_back(mesh);
}

std::string FormatOf(const Model& model) { return model.format == "urdf+" ? "urdf" : model.format; }

TEST(Fields, OneChangeOfEachInEveryFormatIsNoticed) {
  std::map<std::string, std::map<std::string, std::pair<int, int>>>
      tally;  // field, format: caught, made
  std::map<std::string, std::string> missed;
  VerifyOptions options;
  options.states = 2;
  for (const std::string& file : FixtureFiles()) {
    Diagnostics reading;
    std::optional<Model> model = test::ReadFile(file, reading);
    if (!model) continue;
    Enrich(*model);
    for (const Field& field : Fields()) {
      auto& [caught, made] = tally[field.name][FormatOf(*model)];
      if (made >= 3) continue;  // three files say enough
      Model changed = *model;
      if (!field.change(changed)) continue;
      ++made;
      if (VerifyEquivalent(*model, changed, options).verdict != Verdict::kEquivalent)
        ++caught;
      else
        missed[field.name] += " " + std::filesystem::path(file).filename().string();
    }
  }
  std::cout << "caught of made by field:   urdf      sdf     mjcf      mbs\n";
  for (const Field& field : Fields()) {
    std::string row = field.name;
    row.resize(26, ' ');
    int made = 0;
    for (const char* format : {"urdf", "sdf", "mjcf", "mbs"}) {
      const auto [caught, of] = tally[field.name][format];
      std::string cell = of == 0 ? "-" : std::to_string(caught) + "/" + std::to_string(of);
      row += std::string(cell.size() < 9 ? 9 - cell.size() : 0, ' ') + cell;
      made += of;
      EXPECT_EQ(caught, of) << field.name << " in " << format << ":" << missed[field.name];
    }
    std::cout << row << '\n';
    EXPECT_GT(made, 0) << field.name << ": no fixture has it";
  }
  // Every format has a column, and what each can say is in it.
  std::map<std::string, int> fields;
  for (const auto& [name, formats] : tally)
    for (const auto& [format, cell] : formats) fields[format] += cell.second > 0 ? 1 : 0;
  for (const auto& [format, least] :
       std::map<std::string, int>{{"urdf", 62}, {"sdf", 70}, {"mjcf", 60}, {"mbs", 60}})
    EXPECT_GE(fields[format], least) << format;
}

// "0.5" -> "0.50e0"; versions, names and whole numbers, which may be counts, stay.
std::string RespeltNumbers(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n\"';,", at), text.size());
    const std::string word = text.substr(at, end - at);
    double value = 0;
    const auto [stop, error] = ParseDouble(word.data(), word.data() + word.size(), value);
    const bool plain = error == std::errc() && stop == word.data() + word.size() &&
                       word.find('.') != std::string::npos &&
                       word.find_first_not_of("+-.0123456789") == std::string::npos;
    out += plain ? word + "0e0" : word;
    if (end < text.size()) out += text[end];
    at = end + 1;
  }
  return out;
}

// The same rotation by other angles, or by the quaternion of the other sign.
std::string RespeltRotation(const std::string& attribute) {
  const bool angles = attribute.starts_with("rpy="), quaternion = attribute.starts_with("quat=");
  if (!angles && !quaternion) return attribute;
  std::istringstream words(attribute.substr(attribute.find_first_of("\"'") + 1));
  std::vector<double> n;
  for (double x = 0; words >> x;) n.push_back(x);
  if (n.size() != (angles ? 3U : 4U)) return attribute;
  for (std::size_t i = 0; i < n.size(); ++i)
    n[i] = quaternion ? -n[i] : i == 1 ? std::numbers::pi - n[i] : n[i] + std::numbers::pi;
  std::string out = angles ? "rpy=\"" : "quat=\"";
  for (const double x : n) out += FormatNumber(x) + " ";
  return out + "\"";
}

// Attributes in the other order, numbers and rotations spelt in other ways, comments between
// elements.
std::string Respelt(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 4, "<!--") == 0 || text.compare(at, 2, "<?") == 0) {
      const std::size_t end =
          std::min(text.find(text[at + 1] == '!' ? "-->" : "?>", at), text.size());
      out += text.substr(at, end - at);
      at = end;
    } else if (text[at] == '<' && at + 1 < text.size() &&
               std::isalpha(static_cast<unsigned char>(text[at + 1])) != 0) {
      const std::size_t end = text.find('>', at);
      std::string tag = text.substr(at, end - at);
      const bool empty = tag.ends_with("/");
      if (empty) tag.pop_back();
      std::vector<std::string> attributes;
      const std::size_t name = std::min(tag.find_first_of(" \t\r\n"), tag.size());
      for (std::size_t begin = tag.find_first_not_of(" \t\r\n", name);
           begin != std::string::npos;) {
        const std::size_t open = tag.find_first_of("\"'", begin);
        const std::size_t close = open == std::string::npos ? open : tag.find(tag[open], open + 1);
        if (close == std::string::npos) break;
        std::string attribute = tag.substr(begin, close + 1 - begin);
        if (!attribute.starts_with("version") && !attribute.starts_with("name"))
          attribute = RespeltRotation(RespeltNumbers(attribute));
        attributes.push_back(attribute);
        begin = tag.find_first_not_of(" \t\r\n", close + 1);
      }
      out += tag.substr(0, name);
      for (auto a = attributes.rbegin(); a != attributes.rend(); ++a) out += "  " + *a;
      out += empty ? " />" : ">";
      at = end + 1;
    } else if (text.compare(at, 2, "</") == 0) {
      const std::size_t end = text.find('>', at);
      out += text.substr(at, end + 1 - at) + "<!-- said otherwise -->";
      at = end + 1;
    } else {
      const std::size_t end = std::min(text.find('<', at + 1), text.size());
      out += RespeltNumbers(text.substr(at, end - at));
      at = end;
    }
  }
  return out;
}

TEST(Fields, AChangeOfSpellingIsNoChange) {
  int compared = 0;
  for (const std::string& file : FixtureFiles()) {
    Diagnostics reading, again;
    const std::string text = test::ReadAll(file);
    if (text.find("<!DOCTYPE") != std::string::npos || text.find("CDATA") != std::string::npos)
      continue;
    const std::optional<Model> model = test::ReadFile(file, reading);
    if (!model) continue;
    const std::string other = Respelt(text);
    const std::optional<Model> same = test::ReadText(other, file, again);
    if (!same) continue;
    ++compared;
    VerifyOptions options;
    options.states = 1;
    const VerifyResult result = VerifyEquivalent(*model, *same, options);
    EXPECT_EQ(result.line, "equivalent") << file << "\n" << test::Rendered(result.diagnostics);
  }
  EXPECT_GE(compared, 100);
}

TEST(Fields, AFileIsItselfWithEverySeed) {
  int files = 0;
  std::vector<std::string> all = FixtureFiles();
  const std::vector<std::string> corpus = CorpusFiles(15);
  all.insert(all.end(), corpus.begin(), corpus.end());
  for (const std::string& file : all) {
    Diagnostics reading;
    const std::optional<Model> model = test::ReadFile(file, reading);
    if (!model) continue;
    for (std::uint64_t seed = 1; seed <= (++files % 5 == 0 ? 10U : 2U); ++seed) {
      VerifyOptions options;
      options.seed = seed, options.states = 2;
      EXPECT_EQ(VerifyEquivalent(*model, *model, options).line, "equivalent")
          << file << " with seed " << seed;
    }
  }
}

// What `convert --verify` says of a file is what `verify IN OUT` says, which has no report; and
// every loss that changes the motion is in the verdict. Returns how many conversions were compared.
int CompareVerdicts(const std::vector<std::string>& files) {
  int conversions = 0;
  for (const std::string& file : files) {
    Diagnostics reading;
    const std::optional<Model> model = test::ReadFile(file, reading);
    if (!model) continue;
    for (const char* target : {"urdf", "urdf+", "sdf", "mjcf", "mbs"}) {
      ConvertOptions options;
      options.target = test::TargetNamed(target);
      Diagnostics unsaid;
      const std::optional<Converted> converted = Convert(*model, options, unsaid);
      if (!converted) continue;
      const std::optional<Model> written =
          test::ReadText(converted->text, "/tmp/out" + test::Extension(target), unsaid);
      if (!written) continue;  // another test's
      VerifyOptions verify;
      verify.states = 2;
      const VerifyResult without = VerifyEquivalent(*model, *written, verify);
      verify.report = &converted->lowered.report, verify.written = &*written;
      const VerifyResult with = VerifyEquivalent(*model, *written, verify);
      ++conversions;
      EXPECT_EQ(with.line, without.line) << file << " -> " << target;
      EXPECT_EQ(with.equivalent, with.verdict < Verdict::kNotProved) << file << " -> " << target;
      EXPECT_EQ(without.equivalent, without.verdict == Verdict::kEquivalent);
      const bool same_family = FormatOf(*model) == FormatOf(*written);
      for (const Loss& loss : converted->lowered.report.losses) {
        const bool said = std::any_of(
            with.exceptions.begin(), with.exceptions.end(),
            [&](const VerifyException& exception) { return exception.feature == loss.feature; });
        if (loss.weight != Weight::kMotion || same_family || with.verdict == Verdict::kDifferent)
          continue;
        EXPECT_TRUE(said) << file << " -> " << target << ": " << FeatureName(loss.feature);
      }
    }
  }
  return conversions;
}

TEST(Fields, TheVerdictOfAConversionIsThatOfItsFiles) {
  EXPECT_GE(CompareVerdicts(FixtureFiles()), 400);
}

TEST(Fields, TheVerdictOfAConversionIsThatOfItsFilesOverTheCorpus) {
  const std::vector<std::string> files = CorpusFiles(15);
  if (files.empty()) GTEST_SKIP() << test::Shared() << " is absent";
  EXPECT_GE(CompareVerdicts(files), 200);
}

}  // namespace
}  // namespace kinemorph
