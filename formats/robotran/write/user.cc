// Header, user data and native parts of a file.
#include <algorithm>
#include <iterator>

#include "kinemorph/graph/base/name_map.h"
#include "user_data.h"
#include "write/checks.h"
#include "write/file_builder.h"

namespace kinemorph::mbs {
namespace {

// In the order of another list, by name; what is not there comes last.
// So that a file that was read and written stays the same, and the differences between versions
// show what changed.
template <class Item>
void SortLike(const std::vector<Item>& other, std::vector<Item>& items) {
  NameMap<std::size_t> place;
  for (const Item& item : other) place.Add(item.name, place.size());
  const auto place_of = [&](const Item& item) {
    const std::size_t* const found = place.Find(item.name);
    return found ? *found : place.size();
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const Item& a, const Item& b) { return place_of(a) < place_of(b); });
}

NativeElement UsualX3D() {
  NativeElement out{.name = "x3D"};
  out.Add("background").Add("color").attributes = {{"R", "204"}, {"G", "204"}, {"B", "255"}};
  NativeElement& scales = out.Add("shapeScaleFactors");
  scales.Add("frame", "0.2");
  for (const char* part : {"joint", "com", "point"}) scales.Add(part, "0.3");
  out.Add("lights");
  return out;
}

}  // namespace

void FileBuilder::AddUserData() {
  for (const JointId id : written_joints_) {  // in the order of the file, so that writing what was
                                              // read changes nothing
    const Joint& joint = model_.joint(id);
    const auto drive = actuators_.find(static_cast<std::uint32_t>(id));
    if (std::optional<UserModel> data = JointDataModel(
            joint, drive == actuators_.end() ? 1 : model_.actuators[drive->second].gear))
      ours_.push_back(*std::move(data));
    if (std::holds_alternative<Screw>(joint.kind))
      screws_.push_back({joint.name + "_screw", CoordinateNames(joint), {}});
  }
  for (UserModel& frame : frame_rotations_) ours_.push_back(std::move(frame));
  UniqueNames names;
  for (const UserModel& model : ours_) names.Add(model.name);
  for (const Coupling& coupling : model_.couplings) {
    if (coupling.terms.empty()) continue;
    const Joint& first = model_.joint(coupling.terms[0].coordinate.joint);
    const std::string name =
        names.Take(IsLegalName(coupling.name) ? coupling.name : "coupling_" + first.name);
    file_.user_constraints.push_back(CouplingConstraint(model_, coupling, name));
    ours_.push_back(CouplingModel(model_, coupling, name));
  }
  for (UserConstraint& screw : screws_) file_.user_constraints.push_back(std::move(screw));
}

// "body/point" of everything written.
UniqueNames FileBuilder::WrittenPoints() const {
  UniqueNames written;
  const auto add = [&](const std::string& body, const std::vector<FilePoint>& points) {
    written.Add(body + "/origin");
    for (const FilePoint& point : points) written.Add(body + "/" + point.name);
  };
  add("base", file_.base_points);
  for (const FileBody& body : file_.bodies) add(body.name, body.points);
  return written;
}

// Forces of the file need both ends. Ours come after what was there, unless the source had them
// elsewhere.
void FileBuilder::AddNative() {
  MbsFile native = ParseNative(model_, diagnostics_);
  const UniqueNames written = native.links.empty() ? UniqueNames() : WrittenPoints();
  for (FileLink& link : native.links) {
    if (std::all_of(link.ends, link.ends + 2,
                    [&](const Endpoint& end) { return written.Has(end.body + "/" + end.point); }))
      file_.links.push_back(std::move(link));
    else
      Refuse({}, {"link", link.name, "a body or point it acts on is not there"});
  }
  file_.user_constraints.insert(file_.user_constraints.begin(), native.user_constraints.begin(),
                                native.user_constraints.end());
  file_.user_models = std::move(native.user_models);
  file_.user_models.insert(file_.user_models.end(), std::make_move_iterator(ours_.begin()),
                           std::make_move_iterator(ours_.end()));
  if (const MbsFile* before = source_.file()) {
    SortLike(before->user_models, file_.user_models);
    SortLike(before->user_constraints, file_.user_constraints);
  }
  file_.user_variables = std::move(native.user_variables);
}

void FileBuilder::FillHeader() {
  const MbsFile* before = source_.file();
  file_.name = model_.name.empty() ? "model" : model_.name;
  file_.version =
      model_.format == "mbs" && !model_.format_version.empty() ? model_.format_version : "1.30.0";
  file_.gravity = model_.gravity.value_or(Vector3(0, 0, -9.81));
  file_.base_name = before && !before->base_name.empty() ? before->base_name : "Body_0";
  file_.x3D = before && !before->x3D.empty() ? before->x3D : UsualX3D();
}

}  // namespace kinemorph::mbs
