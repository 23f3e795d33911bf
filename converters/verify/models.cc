// Gravity, and the models and worlds of a file.
#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/model/field_text.h"
#include "verify/content.h"

namespace kinemorph::verify {
namespace {

class Models : Compared {
 public:
  explicit Models(const Compared& sides) : Compared(sides) {}

  void Run(std::vector<Worst>& checks) {
    CompareLinkGravity();
    CompareWorldGravity();
    if (!Converted()) CompareScopes();
    AddMade({&gravity_, &models_}, checks);
  }

 private:
  // Whether the world's gravity acts on a link.
  // Of a link without mass it does not matter.
  void CompareLinkGravity() {
    for (const LinkId id : Links(a_.model)) {
      const LinkId other = match_.b_of_a[Index(id)];
      if (other == kNoLink || other == kWorld) continue;
      const Link &x = a_.model.link(id), &y = b_.model.link(other);
      const bool acts = x.gravity.value_or(true);
      const bool weighs = x.inertial && x.inertial->mass > 0;
      if (acts == y.gravity.value_or(true) || !weighs) continue;
      const std::string told =
          Text(SubjectOf(x)) + ": gravity acts on it in " + (acts ? "A" : "B") + " only";
      gravity_.Differ(acts ? excuses_.TakeOfB(Feature::kLinkGravity, SubjectOf(y))
                           : excuses_.Take(Feature::kLinkGravity, SubjectOf(x)),
                      x.name, told);
    }
  }

  void CompareWorldGravity() {
    // Said by both, or meant by silence: compared as values. Said by one only: -9.81 along z is what
    // everybody assumes, so that saying it is no difference between formats.
    const Model &x = *a_.original, &y = *b_.original;
    const std::optional<Vector3> meant_x = GravityMeantBy(x), meant_y = GravityMeantBy(y);
    if (meant_x && meant_y) {
      const double error = (*meant_x - *meant_y).norm() / std::max(1e-9, meant_x->norm());
      if (error <= gravity_.check().tolerance && !(x.gravity && y.gravity)) return;
      const std::string told = GravityText(meant_x) + " against " + GravityText(meant_y);
      const bool excused = error > gravity_.check().tolerance && !(x.gravity && y.gravity) &&
                           (y.gravity ? excuses_.TakeOfB(Feature::kGravity, SubjectOf(y))
                                      : excuses_.Take(Feature::kGravity, SubjectOf(x)));
      excused ? gravity_.Except(told) : gravity_.Add(error, "gravity", told);
    } else if (x.gravity || y.gravity) {
      const Subject subject = SubjectOf(x.gravity ? x : y);
      const std::string told = GravityText(x.gravity) + " against " + GravityText(y.gravity);
      const bool usual = IsUsualGravity(x.gravity ? *x.gravity : *y.gravity);
      const bool excused = x.gravity ? excuses_.Take(Feature::kGravity, subject)
                                     : !usual && excuses_.TakeOfB(Feature::kGravity, subject);
      if (excused || !usual || !Converted()) gravity_.Differ(excused, "gravity", told);
    }
  }

  // Between formats, models and their names are the conversion's business; in one format, scopes
  // meet by path.
  void CompareScopes() {
    const Model &x = *a_.original, &y = *b_.original;
    models_.Add(x.name == y.name ? 0 : 1, x.name,
                "the name of the model, '" + x.name + "' against '" + y.name + "'");
    std::map<std::string, const Scope*> scopes;
    for (const Scope& scope : y.scopes) scopes.emplace(ScopePath(y, scope), &scope);
    for (const Scope& scope : x.scopes) {
      const auto found = scopes.find(ScopePath(x, scope));
      if (found == scopes.end()) {
        models_.Miss(scope.name, Text(SubjectOf(scope)) + " is not in B");
        continue;
      }
      const Scope& other = *found->second;
      if (scope.is_static != other.is_static)
        models_.Miss(scope.name, Text(SubjectOf(scope)) + ": only one is static");
      const auto canonical = [](const Model& model, const Scope& of) {
        return of.canonical_link ? model.link(*of.canonical_link).name : "";
      };
      if (canonical(x, scope) != canonical(y, other))
        models_.Miss(scope.name, Text(SubjectOf(scope)) + ": another canonical link");
      // Where a nested model stands shows in the poses of its links; here it is what the file says.
      models_.Add(PoseError(scope.X_WM, other.X_WM, a_.m.length), scope.name,
                  Text(SubjectOf(scope)) + " is at another place");
    }
    if (x.scopes.size() < y.scopes.size()) models_.Miss(y.name, "B has more models");
  }

  static std::string ScopePath(const Model& model, const Scope& scope) {
    return scope.parent == kNoScope
               ? scope.name
               : ScopePath(model, model.scopes[Index(scope.parent)]) + "::" + scope.name;
  }

  static std::string GravityText(const std::optional<Vector3>& g) {
    return g ? ValueText(*g) + " m/s^2" : "none";
  }

  Worst gravity_{"gravity", options_.tolerance}, models_{"models", options_.tolerance};
};

}  // namespace

void CompareModels(const Compared& sides, std::vector<Worst>& checks) { Models(sides).Run(checks); }

}  // namespace kinemorph::verify
