#include "normalise/bind_world_link.h"

#include "edit/model_edit.h"

namespace kinemorph {

void BindWorldLink(Model& model, PassContext& context) {
  for (const LinkId id : Links(model)) {
    if (model.link(id).name != "world") continue;
    const bool is_root = boost::in_degree(Index(id), model.graph()) == 0;
    const bool carries = boost::out_degree(Index(id), model.graph()) > 0;
    if (!is_root || !carries) return;
    context.Lowered(SubjectOf(model.link(id)),
                    IsMassless(model.link(id))
                        ? "is the world"
                        : "its mass is left out: it is the world, where mass has no effect");
    model.link(kWorld).where = model.link(id).where;
    DropInertial(model.link(id));
    MergeLinks(model, {{id, kWorld, RigidTransform()}});
    return;
  }
}

}  // namespace kinemorph
