// The reader: files -> Description -> frame graph -> Model.
#include "commanded.h"
#include "kinemorph/formats/xml_tags.h"
#include "leftovers.h"
#include "missing_files.h"
#include "read/describe.h"
#include "sdf_model/builder.h"
#include "sdformat.h"

// One pass for each question: what is written (Describe), where everything is (FrameGraph), what it
// means (Builder). Then what the model says of files is held against the files, and what nobody
// asked for is kept.

namespace kinemorph {
namespace {

// A mass that a mesh gives is not known for another reason where the mesh is not there at all.
void NameMissingMeshes(const xml::MissingFiles& missing, Model& model) {
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    if (!link.inertial || link.inertial->unknown.empty()) continue;
    for (const Collision& collision : link.collisions) {
      const auto* mesh = std::get_if<Mesh>(&collision.shape);
      if (mesh == nullptr || !missing.Lacks(mesh->uri)) continue;
      link.inertial->unknown = "mesh '" + mesh->uri + "' was not found";
      break;
    }
  }
}

std::optional<Model> Read(std::string_view text, const ReadOptions& options,
                          Diagnostics& diagnostics, xml::Asked* asked) {
  const std::optional<sdformat::Description> description =
      sdformat::Describe(text, options, diagnostics, asked);
  if (!description) return std::nullopt;
  const sdformat::FrameGraph frames(*description);
  std::optional<Model> model(std::in_place);
  model->format = "sdf";
  model->unsaid = UnsaidIndependence::kNothing;
  model->format_version = description->version_text;
  model->files = description->files;
  // A writer's own note, which says how to write it again.
  if (WordBeforeRoot(text, "SDFormat profile: ") == "drake") model->dialect = "drake";
  sdformat::Builder(*description, frames, *model).Build();
  if (model->dialect == "drake") model->contact_rule = ContactRule::kUnlessTreeJoined;
  xml::MarkCommandedJoints(*model);
  // The second reading only collects the names that are asked for: it is told nothing, and looks
  // for no files.
  if (asked) return model;
  xml::MissingFiles missing(options);
  missing.LookForAll(*model);
  missing.Report(*model, diagnostics);
  NameMissingMeshes(missing, *model);
  xml::Leftovers leftovers(model->native, [&](xml::Asked& names) {
    Diagnostics said;
    static_cast<void>(Read(text, options, said, &names));
  });
  for (const auto& document : description->documents) leftovers.Add(*document);
  return model;
}

}  // namespace

std::optional<Model> ReadSdf(std::string_view text, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  return Read(text, options, diagnostics, nullptr);
}

}  // namespace kinemorph
