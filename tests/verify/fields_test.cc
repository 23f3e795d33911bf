// For every field of the model, in every format that holds it, one change is made and noticed; a
// change of spelling is not.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <numbers>
#include <set>
#include <sstream>

#include "conversion.h"
#include "field_changes.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/checks/contacts.h"

namespace kinemorph {
namespace {

using test::FieldChange;

template <class Item>
FieldChange Without(const char* name, std::vector<Item> Model::*list) {
  return {name, true, [=](Model& model) {
            if ((model.*list).empty()) return false;
            (model.*list).erase((model.*list).begin());
            return true;
          }};
}
template <class Item>
FieldChange WithOneMore(const char* name, std::vector<Item> Model::*list) {
  return {name, true, [=](Model& model) {
            if ((model.*list).empty()) return false;
            Item item = (model.*list).front();
            item.name += "_more";
            (model.*list).push_back(item);
            return true;
          }};
}

// Whether a change of this owner's field changes what the model says.
struct IsSaid {
  template <class Owner, class Value>
  bool operator()(const Owner& owner, const Field<Owner, Value>& field) const {
    const Value& value = owner.*field.member;
    if constexpr (std::same_as<Value, bool>) return value;
    if constexpr (std::same_as<Value, std::optional<bool>>) return value == false;
    if constexpr (std::same_as<Owner, Inertial>) return owner.mass > 0;
    if constexpr (std::same_as<Value, std::optional<Inertial>>) return value && value->mass > 0;
    if constexpr (std::same_as<Owner, JointAxis>)
      return Says(owner, field);  // a zero is often the same as nothing
    if constexpr (std::same_as<Owner, Sensor> && std::same_as<Value, RigidTransform>)
      return owner.link != kNoLink;
    // No format but those that place models says where they stand.
    if constexpr (std::same_as<Owner, Scope> && std::same_as<Value, RigidTransform>)
      return Says(owner, field);
    // Some drives are kept as text, which has the name.
    if constexpr (std::same_as<Owner, Actuator>)
      if (field.key == "name" && owner.native.content.Attribute("name")) return false;
    // A frame that stays with its joint is seen where that moves, or closes a loop.
    if constexpr (std::same_as<Owner, Joint>) {
      if (owner.implicit) return false;
      if constexpr (std::same_as<Value, RigidTransform>)
        return field.member == &Joint::X_PF ? NumVelocities(owner.kind) == 1
                                            : owner.role == JointRole::kLoop;
    }
    return true;
  }
};

std::vector<FieldChange> Changes() {
  std::vector<FieldChange> changes = test::FieldChanges(IsSaid());
  // A constant is changed by whole turns, below.
  std::erase_if(changes, [](const FieldChange& change) {
    return !change.is_content || change.name == "coupling constant";
  });
  const std::vector<FieldChange> more = {
      {"coupling by turns", true,
       [](Model& model) {
         for (Coupling& c : model.couplings) {
           if (c.terms.empty() || c.terms.back().coefficients[0] == 0) continue;
           c.constant += 2 * std::numbers::pi * std::abs(c.terms.back().coefficients[0]);
           return true;
         }
         return false;
       }},
      Without("coupling gone", &Model::couplings),
      Without("frame gone", &Model::frames),
      WithOneMore("frame more", &Model::frames),
      Without("sensor gone", &Model::sensors),
      WithOneMore("sensor more", &Model::sensors),
      Without("actuator gone", &Model::actuators),
      WithOneMore("actuator more", &Model::actuators),
      Without("exclusion gone", &Model::contact_exclusions)};
  changes.insert(changes.end(), more.begin(), more.end());
  return changes;
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
  const NativeData data{model.format == "urdf+" ? "urdf" : model.format,
                        "extra",
                        test::Tree("<extra size=\"1.5\"/>"),
                        {}};
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
      if (axis.calibration)
        axis.calibration->falling = 0.2, axis.calibration->reference_position = 0.3;
  }
  for (const LinkId id : Links(model)) {
    for (Collision& collision : model.link(id).collisions)
      if (collision.mu) collision.rolling = 0.001;
  }
  if (model.num_joints() < 2 || model.num_links() < 3) return;
  if (!model.contact_exclusions.empty()) {
    // One that keeps two links apart: who never touches is not missed.
    for (const LinkId id : Links(model))
      model.link(id).collisions.emplace_back().shape = Sphere{0.1};
    model.contact_exclusions.clear();
    const LinkPair pair = CollidingPairs(model).back();
    model.contact_exclusions = {{pair.first, pair.second, {}, "extra_pair"}};
  }
  Sensor sensor;
  sensor.name = "extra_sensor", sensor.type = "torque", sensor.joint = JointId{0},
  sensor.native = data;
  sensor.update_rate = 10, sensor.angular_noise = 0.1, sensor.noise = 0.2;
  sensor.fov = 0.8, sensor.width = 640, sensor.height = 480, sensor.range = 20;
  model.sensors.push_back(sensor);
  Actuator drive;
  drive.name = "extra_drive", drive.type = "motor", drive.joint = JointId{0}, drive.native = data,
  drive.effort_lower = -5, drive.effort_upper = 5, drive.target = 0.3;
  model.actuators.push_back(drive);
  const Shape shapes[] = {Box{},
                          Sphere{1},
                          Cylinder{0.1, 0.2},
                          Capsule{0.1, 0.2},
                          Cone{0.1, 0.2},
                          Ellipsoid{},
                          Plane{Vector3::UnitZ(), {4, 5}},
                          Mesh{"meshes/extra.stl", {1, 1, 2}, "lid", true, ""},
                          Polyline{{{{0, 0}, {1, 0}, {0, 1}}}, 0.3},
                          NativeShape{"heightmap", data}};
  for (const Shape& shape : shapes) {
    Collision collision;
    collision.name = "extra_" + std::string(kShapeNames[shape.index()]), collision.shape = shape;
    model.link(LinkId{1}).collisions.push_back(collision);
  }
}

std::string FormatOf(const Model& model) { return model.format == "urdf+" ? "urdf" : model.format; }

TEST(Fields, OneChangeOfEachInEveryFormatIsNoticed) {
  std::map<std::string, std::map<std::string, std::pair<int, int>>>
      tally;  // field, format: caught, made
  std::map<std::string, std::string> missed;
  const std::vector<FieldChange> changes = Changes();
  VerifyOptions options;
  options.states = 2;
  for (const std::string& file : FixtureFiles()) {
    Diagnostics reading;
    std::optional<Model> model = test::ReadFile(file, reading);
    if (!model) continue;
    Enrich(*model);
    for (const FieldChange& field : changes) {
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
  for (const FieldChange& field : changes) {
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
