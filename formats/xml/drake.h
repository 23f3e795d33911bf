// Drake's elements for what URDF and SDFormat lack. Both formats hold the same ones: loops as points
// that coincide, sums of joints as tendons that cannot stretch, links that do not collide as groups.
// What they mean is from the documentation of Drake's parsers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/base/unique_names.h"
#include "kinemorph/graph/model/model.h"
#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph::xml {

/// How a file says a value or a name.
enum class DrakeForm {
  kAttributes,  ///< URDF: `<drake:x value="1"/>`, `<drake:y name="arm"/>`
  kText,        ///< SDFormat: `<drake:x>1</drake:x>`, `<drake:y>arm</drake:y>`
};

/// What Drake's points hold: balls, hinges and welds.
[[nodiscard]] bool DrakeHolds(const JointKind& kind);

class DrakeWriter {
 public:
  /// The name of a link or joint where the elements will stand.
  using LinkNames = std::function<std::string(LinkId)>;
  using JointNames = std::function<std::string(JointId)>;
  DrakeWriter(const Model& model, Writer& out, DrakeForm form, LinkNames links, JointNames joints);

  /// One point for a ball, two for a hinge, three for a weld.
  void WriteLoop(JointId id);
  /// A linear coupling of joints of one coordinate.
  void WriteTendon(const Coupling& coupling, const std::string& name);
  /// Links that are kept from the same others are one group; of two groups the first ignores the
  /// other, and one that is kept apart within itself.
  void WriteGroups(const std::vector<ContactExclusion>& pairs);

 private:
  void WritePoint(JointId id, const std::string& suffix, const Vector3& p_F);
  void WriteName(const std::string& element, const char* attribute, const std::string& name);
  void WriteValue(const std::string& element, const Vector3& value);
  void WriteValue(const std::string& element, double value);
  /// Names of groups: all that stands in a model of Drake's has a name of its own.
  [[nodiscard]] UniqueNames OtherNames() const;

  const Model& model_;
  Writer& out_;
  DrakeForm form_;
  LinkNames links_;
  JointNames joints_;
  double lever_;  // m, between the points of one loop
};

/// A <drake:tendon_constraint>, not consumed.
struct DrakeTendon {
  Coupling coupling;
  std::string undefined,  ///< a joint that is not there
      wrong;              ///< why it is no coupling; empty: it is one
};
[[nodiscard]] DrakeTendon ReadDrakeTendon(
    const Element& element, DrakeForm form, const Model& model,
    const std::function<JointId(const std::string&)>& joint_named);

/// A <drake:collision_filter_group> and the model that it stands in.
struct DrakeGroup {
  Element element;
  std::string prefix = {};  ///< of the names in that model: "", "arm::", "arm::hand::"
  int model = 0;
};

/// Pairs of links that do not collide, from all the groups of a file; nothing where a group says
/// more than that, or names what is not there. `link_named` gets the name as the group says it. Not
/// consumed.
[[nodiscard]] std::optional<std::vector<ContactExclusion>> ReadDrakeGroups(
    const std::vector<DrakeGroup>& groups, DrakeForm form,
    const std::function<LinkId(const DrakeGroup&, const std::string&)>& link_named);

/// What Drake reads of how a shape touches, mu_static and mu_dynamic as mu and mu2 of `collision`;
/// the element without them where it says more. Consumed.
[[nodiscard]] std::optional<NativeData> ReadDrakeProximity(const Element& element, DrakeForm form,
                                                           Collision& collision);

}  // namespace kinemorph::xml
