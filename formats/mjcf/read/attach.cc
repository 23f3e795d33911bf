// <attach>: a body, a frame or the whole world of another model with all that belongs to it, under
// names with a prefix.
#include "read/attach.h"

#include <algorithm>
#include <filesystem>

namespace kinemorph::mjcf {
namespace {

constexpr int kMaxDepth = 16;  // models attached inside each other

}  // namespace

// An <attach> is read in three steps: the other file by a Reader of its own (OpenModel), what of
// its model is meant (Select), and the move of these parts into this model (Arrival, in
// attached_parts.cc). A model is read once, however often it is attached.

namespace {

template <class Part>
void Append(const std::vector<Part>& from, std::size_t first, std::size_t last,
            std::vector<Part>& to) {
  for (std::size_t i = first; i < last; ++i) to.push_back(from[i]);
}

}  // namespace

// Only reading them tells what such models are called, so all of them are opened at the first name
// that the file does not know.
// A model without a name in this file has the one that its own file gives it.
Reader::Attached* Reader::OpenAttached(const xml::Element& attach, const std::string& name) {
  const auto known = [&] {
    const auto found = attached_.find(name);
    return found == attached_.end() ? nullptr : found->second.get();
  };
  const xml::Element asset = assets_.FindModel(name);
  if (!asset && !nameless_opened_) {
    nameless_opened_ = true;
    for (const xml::Element& nameless : assets_.nameless_models())
      static_cast<void>(OpenModel(nameless, ""));
  }
  if (Attached* const attached = known()) return attached->read ? attached : nullptr;
  if (name.empty()) return OpenSelf();
  if (!asset) {
    attach.Error("model-undefined", "attach: model '" + name +
                                        "' is not defined; write <asset><model name=\"" + name +
                                        "\" file=\"...\"/>");
    return nullptr;
  }
  return OpenModel(asset, name);
}

// Without a name the model is this one, as it is without what is attached of itself.
Reader::Attached* Reader::OpenSelf() {
  auto attached = std::make_shared<Attached>();
  attached_[""] = attached;
  attached->reader = std::make_unique<Reader>(options_, attached->unsaid, nullptr);
  attached->reader->depth_ = depth_;
  attached->reader->outer_ = this;
  attached->reader->attaches_itself_ = false;
  std::optional<Model> model = attached->reader->Read(text_);
  if (!model) return nullptr;  // which this reading says, too
  attached->read = true;
  attached->reader->model_ = std::move(*model);
  return attached.get();
}

Reader::Attached* Reader::OpenModel(const xml::Element& asset, std::string name) {
  auto attached = std::make_shared<Attached>();
  // The entry stands also where the file cannot be read, so that this is said once.
  if (!name.empty()) attached_[name] = attached;
  const std::string file = asset.Attribute("file", "");
  static_cast<void>(asset.Attribute("content_type"));
  const auto refuse = [&](const std::string& why) -> Attached* {
    asset.Error("attach-not-found",
                {"model", name,
                 "file '" + file + "' " + why + "; the bodies that come from it would be missing"});
    return nullptr;
  };
  if (depth_ >= kMaxDepth) return refuse("is attached inside too many others, or inside itself");
  if (options_.resolver == nullptr) return refuse("cannot be opened here");
  std::string why;
  const auto resource = options_.resolver->Open(file, SourceTree::FileOf(asset), why);
  if (!resource) return refuse("cannot be read: " + why);
  attached->options = {resource->path, options_.resolver};
  attached->reader = std::make_unique<Reader>(attached->options, diagnostics_, nullptr);
  attached->reader->depth_ = depth_ + 1;
  attached->reader->outer_ = this;
  std::optional<Model> model = attached->reader->Read(resource->content);
  if (!model) return nullptr;
  attached->read = true;
  attached->reader->model_ = std::move(*model);
  const Model& source = attached->reader->model_;
  if (name.empty()) attached_.emplace(source.name, attached);
  // The locations of the other file count from its own list of files; `files` is how far they move.
  attached->files = static_cast<std::uint32_t>(model_.files.size());
  model_.files.insert(model_.files.end(), source.files.begin(), source.files.end());
  attached->folder = std::filesystem::path(file).parent_path().generic_string();
  return attached.get();
}

bool Reader::IsWithin(int frame, int around) const {
  while (frame >= 0 && frame != around) frame = frames_[static_cast<std::size_t>(frame)].around;
  return frame >= 0;
}

// A body is attached with its pose in the frame or body that holds it.
// The joints of a body may stand on synthetic links between it and its parent; the top of the chain
// is what comes along.
Reader::Selection Reader::SelectBody(LinkId root) const {
  std::vector<JointId> parent(model_.num_links(), kNoJoint);
  for (const JointId id : Joints(model_))
    if (model_.joint(id).role != JointRole::kLoop) parent[Index(model_.successor(id))] = id;
  JointId top = parent[Index(root)];
  while (model_.link(model_.predecessor(top)).synthetic)  // links between its joints
    top = parent[Index(model_.predecessor(top))];
  Selection selection;
  selection.holder = model_.predecessor(top);
  selection.tops = {top};
  selection.whole = model_.num_links() > 1 && CountBelow(selection.tops) + 1 == model_.num_links();
  if (const auto frame = frame_of_top_.find(top); frame != frame_of_top_.end())
    selection.X_HA = frames_[static_cast<std::size_t>(frame->second)].X_BF;
  return selection;
}

Reader::Selection Reader::SelectWorld() const {
  Selection selection;
  selection.whole = selection.world = true;
  selection.parts = model_.link(kWorld);
  for (const JointId id : Joints(model_))
    if (model_.joint(id).role != JointRole::kLoop && model_.predecessor(id) == kWorld)
      selection.tops.push_back(id);
  for (const Frame& frame : model_.frames)
    if (frame.link == kWorld) selection.frames.push_back(frame);
  return selection;
}

// The parts of a frame are no list of its own: frame_parts_ remembers for each element which ranges
// of the vectors of its link it filled. Frames inside the chosen one belong to it.
Reader::Selection Reader::SelectFrame(int chosen) const {
  const FrameElement& frame = frames_[static_cast<std::size_t>(chosen)];
  Selection selection;
  selection.holder = frame.link;
  if (frame.around >= 0) selection.X_HA = frames_[static_cast<std::size_t>(frame.around)].X_BF;
  for (const auto& [top, around] : frame_of_top_)
    if (IsWithin(around, chosen)) selection.tops.push_back(top);
  const Link& link = model_.link(frame.link);
  for (const FrameParts& parts : frame_parts_) {
    if (!IsWithin(parts.frame, chosen)) continue;
    Append(link.visuals, parts.from.visuals, parts.to.visuals, selection.parts.visuals);
    Append(link.collisions, parts.from.collisions, parts.to.collisions, selection.parts.collisions);
    Append(link.native, parts.from.natives, parts.to.natives, selection.parts.native);
    for (std::size_t i = parts.from.frames; i < parts.to.frames; ++i)
      if (model_.frames[i].link == frame.link) selection.frames.push_back(model_.frames[i]);
  }
  return selection;
}

// Of `this`, the reader of the attached model.
std::optional<Reader::Selection> Reader::Select(const xml::Element& attach,
                                                const std::string& name) const {
  const auto body = attach.Attribute("body"), frame = attach.Attribute("frame");
  if (body && frame) {
    attach.Error("attach-twice", {"attach of model", name, "both a body and a frame"});
    return std::nullopt;
  }
  if (frame) {
    for (std::size_t i = 0; i < frames_.size(); ++i)
      if (frames_[i].name == *frame) return SelectFrame(static_cast<int>(i));
    attach.Error("frame-undefined", "attach: frame '" + std::string(*frame) +
                                        "' is not defined in model '" + name + "'");
    return std::nullopt;
  }
  if (!body) return SelectWorld();
  const auto root = model_.FindLink(*body);
  if (!root) {
    attach.Error("body-undefined", "attach: body '" + std::string(*body) +
                                       "' is not defined in model '" + name + "'");
    return std::nullopt;
  }
  return *root == kWorld ? SelectWorld() : SelectBody(*root);
}

std::size_t Reader::CountBelow(const std::vector<JointId>& tops) const {
  std::vector<bool> inside(model_.num_links(), false);
  TakeBelow(model_, tops, inside);
  return static_cast<std::size_t>(std::count(inside.begin(), inside.end(), true));
}

void Reader::ReadAttach(const Item& item, LinkId link, bool weigh) {
  const xml::Element& element = item.element;
  element.Consume();
  const std::string name = element.Attribute("model", ""), prefix = element.Attribute("prefix", "");
  // A reading that only notes what is asked for (xml::Asked) opens no other file.
  if (asked_ != nullptr || (name.empty() && !attaches_itself_)) {
    for (const char* attribute : {"body", "frame"}) static_cast<void>(element.Attribute(attribute));
    return;
  }
  Attached* const attached = OpenAttached(element, name);
  if (attached == nullptr) return;
  auto selection = attached->reader->Select(element, name);
  if (!selection) return;
  // The inertia of the receiving body was summed before this one came, and MuJoCo would sum over
  // these geoms too.
  if (weigh && !(selection->parts.visuals.empty() && selection->parts.collisions.empty())) {
    element.Error("attach-geoms",
                  {"attach of model", name,
                   "its world or frame has geoms, which would add to the inertia of "
                   "the body they come to; give that body an <inertial>"});
    return;
  }
  incomplete_ = incomplete_ || attached->reader->incomplete_;
  Arrival(*this, item, link, *attached, std::move(*selection), prefix).Take();
}

}  // namespace kinemorph::mjcf
