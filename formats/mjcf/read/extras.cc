// Contacts, actuators, sensors, and the sections that only MuJoCo reads.
#include <algorithm>
#include <numeric>

#include "native.h"
#include "read/actuator_defaults.h"
#include "read/reader.h"

namespace kinemorph::mjcf {
namespace {

// Controls and measurements are counted: those of attached models, which are read first, go behind
// those of the file.
template <class Part>
void Arrange(std::vector<Part>& parts, const std::vector<ListPlace>& places) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::vector<Part> arranged;
  for (const std::size_t i : order) arranged.push_back(std::move(parts[i]));
  parts = std::move(arranged);
}

std::optional<std::vector<double>> NumbersOf(const AttributeList& attributes, const char* name,
                                             std::size_t count) {
  const std::string* const text = FindAttribute(attributes, name);
  auto numbers = text == nullptr ? std::nullopt : xml::ParseNumbers(*text, count);
  if (numbers && numbers->size() != count) numbers.reset();
  return numbers;
}

}  // namespace

// What is left when the mechanism is read. Part of it has a place in the model (contacts,
// actuators, sensors); the whole element is kept beside that, because MJCF says more than the model
// holds.

// They are no shape of any link.
void Reader::KeepUnusedMeshes() {
  for (const auto& [name, mesh] : assets_.meshes()) {
    if (used_meshes_.count(name) != 0) continue;
    AttributeList all =
        Attributes(mesh.element, defaults_.ClassOf(mesh.element, "class", defaults_.main()), "mesh")
            .All();
    if (!mesh.uri.empty()) SetAttribute(all, "file", mesh.uri);
    model_.native.push_back(MakeNative(mesh.element, "mesh", all, true));
    model_.native.back().element = "asset/mesh";
  }
}

// A material that geoms show in its own colour is in their visuals: only what goes beyond is
// native. One that other elements name, or that nothing shows as it is, stays whole.
void Reader::KeepMaterials() {
  // Only what is kept as text can name a material that the writer does not know of.
  std::set<std::string, std::less<>> named;
  const auto note = [&](const std::vector<NativeData>& natives) {
    for (const NativeData& native : natives)
      ForEachIn(native.content, [&](const NativeElement& element) {
        if (const std::string* const material = element.Attribute("material"))
          named.insert(*material);
      });
  };
  note(model_.native);
  for (const Frame& frame : model_.frames) note(frame.native);
  for (std::uint32_t v = 0; v < model_.num_links(); ++v) {
    const Link& link = model_.link(LinkId{v});
    note(link.native);
    for (const Collision& collision : link.collisions) note(collision.native);
  }
  assets_.KeepMaterials(named, model_);
}

void Reader::ReadContacts() {
  // filterparent: MuJoCo does not let a body touch its parent, unless this flag is off.
  model_.contact_rule = IsOff("filterparent") ? ContactRule::kAll : ContactRule::kUnlessParent;
  for (const auto& [element, place] : ElementsOf("contact")) {
    if (element.name() == "exclude") {
      element.Consume();
      const auto a = FindBody(element, "body1"), b = FindBody(element, "body2");
      if (a && b)
        model_.contact_exclusions.push_back(
            {*a, *b, element.where(), element.Attribute("name", "")});
    } else if (element.name() == "pair") {
      const Attributes attributes(element, defaults_.ClassOf(element, "class", defaults_.main()),
                                  "pair");
      // A pair has parameters of its own and names geoms, not bodies; the model holds who may touch
      // whom.
      model_.native.push_back(MakeNative(element, "pair", attributes.All()));
      model_.native.back().element = "contact/pair";
      const auto first = geoms_by_name_.find(attributes.Text("geom1", "")),
                 second = geoms_by_name_.find(attributes.Text("geom2", ""));
      if (first != geoms_by_name_.end() && second != geoms_by_name_.end())
        model_.contact_pairs.push_back({first->second, second->second, element.where()});
      element.ConsumeAll();
    }
  }
}

// An actuator is understood as far as its joint, gear and force range go; the rest stays native.
void Reader::ReadActuators() {
  ActuatorDefaults defaults;
  for (const auto& [element, place] : ElementsOf("actuator")) {
    element.Consume();
    const Attributes attributes(element, defaults_.ClassOf(element, "class", defaults_.main()),
                                "general");
    Actuator actuator;
    actuator.name = element.Attribute("name", "");
    actuator.where = element.where();
    if (!actuator.name.empty()) static_cast<void>(Claim("actuator", actuator.name, element));
    bool defined = true;
    for (const char* target : {"joint", "jointinparent"}) {
      const auto name = element.Attribute(target);
      if (!name) continue;
      const auto found = joints_by_name_.find(*name);
      if (found == joints_by_name_.end()) {
        Undefined(element, "joint", *name, JointNames());
        defined = false;
      } else {
        actuator.joint = found->second;
      }
    }
    if (!defined) continue;
    // A drive of a fixed tendon moves all its joints.
    if (const auto pulled = fixed_tendons_.find(element.Attribute("tendon", ""));
        pulled != fixed_tendons_.end() && !IsOff("actuation"))
      for (const TendonTerm& term : pulled->second) model_.joint(term.joint).commanded = true;
    // Of a hinge or slide only the first number counts.
    if (actuator.joint != kNoJoint && attributes.Has("gear"))
      actuator.gear = attributes.Overlaid("gear", {1, 0, 0, 0, 0, 0}).front();
    const auto force = attributes.Numbers("forcerange", 2, 2);
    // A range that is empty or reversed is no limit to MuJoCo.
    const std::string limited = attributes.Text("forcelimited", "auto");
    if (force && limited != "false" && (*force)[0] < (*force)[1]) {
      actuator.effort_lower = (*force)[0];
      actuator.effort_upper = (*force)[1];
    }
    ActuatorInForce in_force = defaults.Fold(attributes);
    actuator.native = MakeNative(element, in_force.kind, in_force.attributes, true);
    actuator.type = std::move(in_force.kind);
    if (!IsOff("actuation")) {
      model_.actuators.push_back(std::move(actuator));
      actuator_places_.push_back(place);
      continue;
    }
    // A drive that is off must not make its joint an actuated one: that decides about cuts and
    // independent coordinates.
    element.Note(
        "actuator-off",
        {"actuator", actuator.name,
         "a flag switches this actuator off; MJCF keeps the actuator, which drives nothing"});
    actuator.native.element = "actuator/" + actuator.type;
    model_.native.push_back(std::move(actuator.native));
  }
  Arrange(model_.actuators, actuator_places_);
}

void Reader::ReadSensors() {
  for (const auto& [element, place] : ElementsOf("sensor")) {
    if (element.name() == "camera") continue;  // it is no sensor but where it stands in a body
    Sensor sensor;
    sensor.name = element.Attribute("name", "");
    sensor.where = element.where();
    if (!sensor.name.empty()) static_cast<void>(Claim("sensor", sensor.name, element));
    const char* unknown = nullptr;
    // How a body or a site is turned in the world.
    const bool turns = element.name() == "framequat" && !element.Has("reftype");
    const std::string of = turns ? element.Attribute("objtype", "") : "";
    const auto named = [&of, &sensed = element](const char* kind, const char* attribute) {
      return sensed.Attribute(of == kind ? "objname" : attribute);
    };
    if (const auto site = named("site", "site")) {
      if (const auto found = sites_by_name_.find(*site); found != sites_by_name_.end()) {
        sensor.link = found->second.link;
        sensor.X_LS = found->second.X_LS;
      } else {
        unknown = "site";
      }
    } else if (const auto joint = element.Attribute("joint")) {
      if (const auto found = joints_by_name_.find(*joint); found != joints_by_name_.end())
        sensor.joint = found->second;
      else
        unknown = "joint";
    } else if (const auto body = named("xbody", "body")) {
      if (const auto found = links_by_name_.find(*body); found != links_by_name_.end())
        sensor.link = found->second;
      else
        unknown = "body";
    }
    // It sits on a part that is not read.
    // Otherwise the name is left to MuJoCo to judge: sensors may name parts that the model does not
    // hold.
    if (unknown != nullptr && incomplete_) {
      Undefined(element, unknown,
                of.empty() ? element.Attribute(unknown, "") : element.Attribute("objname", ""), {});
      continue;
    }
    sensor.native = element.Native();
    static_cast<void>(ReadSensorWords(sensor.native.content, sensor));
    sensor.X_LS.R *= ModelAxes(sensor.kind);
    model_.sensors.push_back(std::move(sensor));
    sensor_places_.push_back(place);
  }
  Arrange(model_.sensors, sensor_places_);
}

// Cameras stand in bodies and are read with these, replicates and attached models with them; now
// that all are in place they are sensors.
void TakeCameras(Model& model) {
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    std::vector<NativeData>& native = model.link(LinkId{v}).native;
    for (NativeData& data : native) {
      if (data.element != "camera") continue;
      Sensor sensor;
      sensor.link = LinkId{v}, sensor.where = data.where;
      AttributeList& said = data.content.attributes;
      if (const std::string* const name = FindAttribute(said, "name")) sensor.name = *name;
      if (const auto p = NumbersOf(said, "pos", 3)) sensor.X_LS.p = Vector3(p->data());
      if (const auto q = NumbersOf(said, "quat", 4))
        sensor.X_LS.R = RotationFromQuaternion((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
      std::erase_if(said, [](const auto& a) { return a.first == "pos" || a.first == "quat"; });
      sensor.native = std::move(data);
      static_cast<void>(ReadSensorWords(sensor.native.content, sensor));
      sensor.X_LS.R *= ModelAxes(sensor.kind);
      model.sensors.push_back(std::move(sensor));
    }
    std::erase_if(native, [](const NativeData& data) { return data.element.empty(); });
  }
}

// Sections nobody else has a word for. Those that move bodies or make new ones are said aloud.
void Reader::ReadRest() {
  for (const xml::Element section : sources_.Children(sources_.root())) {
    const std::string_view kind = section.name();
    const SectionFate fate = FateOfSection(kind);
    // Kept whole, in the order of the file; names of files inside have to lead from the main file.
    if (fate == SectionFate::kWhole) {
      if (kind == "deformable")
        section.Warn("mjcf-deformable", "deformable: flexes and skins are kept for MJCF only");
      if (kind == "extension")
        section.Warn("mjcf-plugin",
                     "extension: only MJCF keeps plugins; kinemorph does not read their effects on "
                     "the model");
      model_.native.push_back(section.Native());
      if (kind == "deformable") assets_.NameFiles(section, compiler_, model_.native.back());
    } else if (fate == SectionFate::kUnknown) {
      section.ConsumeAll();
      section.Error("section-unknown",
                    "element '" + std::string(kind) + "' is not a section of MJCF");
    }
  }
}

}  // namespace kinemorph::mjcf
