#include <algorithm>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "mbs.h"
#include "write/build_file.h"
#include "write/user_code.h"

namespace kinemorph {
namespace {

// The file the model was read from, read again; nothing when it came from elsewhere.
std::optional<mbs::Source> FindSource(const Model& model) {
  for (const NativeData& native : model.native) {
    if (native.format != "mbs" || native.element != "diagram") continue;
    Diagnostics known;  // everything in it was reported when it was first read
    const auto document = xml::Document::Of(native.content, {&known, "", 0, "mbs"});
    if (!document) return std::nullopt;
    mbs::Source source;
    source.file = mbs::ParseFile(document->root());
    source.built = mbs::BuildModel(source.file, document->context());
    if (!known.has_errors()) return source;
  }
  return std::nullopt;
}

// Names and roles as they will be written, where they are not said yet: joints that no file names
// are named after their link, open roles are decided.
std::optional<Model> Completed(const Model& model) {
  const SpanningTree tree = ChooseSpanningTree(model);
  const auto role = [&](JointId id) {
    return tree.IsLoop(id) ? JointRole::kLoop : JointRole::kTree;
  };
  bool complete = true;
  for (const JointId id : Joints(model))
    complete = complete && !model.joint(id).name.empty() && model.joint(id).role == role(id);
  if (complete) return std::nullopt;
  std::optional<Model> named(model);
  for (const JointId id : Joints(model)) {
    Joint& joint = named->joint(id);
    if (joint.name.empty()) joint.name = model.link(model.successor(id)).name + "_joint";
    joint.role = role(id);
  }
  return named;
}

}  // namespace

// The side file holds the equations of couplings and screws, without which Robotran's model would
// have too many freedoms.
Bundle WriteMbs(const Model& model, const WriteOptions& options, Diagnostics& diagnostics) {
  const std::optional<Model> completed = Completed(model);
  const Model& named = completed ? *completed : model;
  if (!model.gravity) {
    diagnostics.Add(MakeDiagnostic(
        Severity::kNote, "gravity-assumed", "", 0, "",
        {"", model.name, "no gravity is given; MBS needs one, 0 0 -9.81 was written"}));
  }
  const std::optional<mbs::Source> source = FindSource(model);
  const std::size_t errors = diagnostics.num_errors();
  const mbs::MbsFile file = mbs::BuildFile(named, source ? &*source : nullptr, diagnostics);
  if (diagnostics.num_errors() > errors) return {};
  Bundle bundle{mbs::PrintFile(file), {}};
  if (std::string code = mbs::UserConstraintCode(model); !code.empty())
    bundle.side_files.push_back(
        {(options.stem.empty() ? "" : options.stem + "_") + "user_cons_hJ.c", std::move(code)});
  return bundle;
}

}  // namespace kinemorph
