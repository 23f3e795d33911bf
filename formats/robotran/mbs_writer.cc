#include <algorithm>

#include "build_file.h"
#include "kinemorph/graph/spanning_tree.h"
#include "mbs.h"

namespace kinemorph {
namespace {

// The text the model was read from, read again; nothing when it came from elsewhere.
std::optional<mbs::Source> FindSource(const Model& model) {
  for (const NativeData& native : model.native) {
    if (native.format != "mbs" || native.element != "diagram") continue;
    Diagnostics known;  // everything in it was reported when it was first read
    const auto document = xml::Document::Parse(native.xml, {&known, "", 0, "mbs"});
    if (!document) return std::nullopt;
    mbs::Source source;
    source.file = mbs::ParseFile(document->root());
    source.built = mbs::BuildModel(source.file, document->context());
    if (!known.has_errors()) return source;
  }
  return std::nullopt;
}

}  // namespace

std::string WriteMbs(const Model& model, const WriteOptions&, Diagnostics& diagnostics) {
  // Names and roles as they will be written: joints that no file names are named after their link, open roles are decided.
  Model named = model;
  const SpanningTree tree = ChooseSpanningTree(model);
  for (const JointId id : Joints(named)) {
    Joint& joint = named.joint(id);
    if (joint.name.empty()) joint.name = named.link(named.successor(id)).name + "_joint";
    joint.role = JointRole::kTree;
  }
  for (const JointId id : tree.loop_joints) named.joint(id).role = JointRole::kLoop;
  if (!model.gravity) {
    diagnostics.Add({Severity::kNote,
                     "gravity-assumed",
                     "",
                     0,
                     "",
                     "'" + model.name + "': no gravity is given; MBS needs one, 0 0 -9.81 was written",
                     {}});
  }
  const std::optional<mbs::Source> source = FindSource(model);
  const std::size_t errors = diagnostics.num_errors();
  const mbs::MbsFile file = mbs::BuildFile(named, source ? &*source : nullptr, diagnostics);
  return diagnostics.num_errors() > errors ? "" : mbs::PrintFile(file);
}

}  // namespace kinemorph
