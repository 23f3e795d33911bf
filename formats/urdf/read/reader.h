// The URDF reader's state: what is known so far of the robot, and the parts that read one kind of
// element each.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinemorph/formats/format.h"
#include "kinemorph/graph/base/name_map.h"
#include "kinemorph/graph/base/unique_names.h"
#include "link_tree.h"
#include "sdf_model/description.h"
#include "xml_reader.h"

namespace kinemorph::urdf_format {

class RobotReader {
 public:
  /// What the comment before the root says of the file.
  struct Profile {
    bool paper = false;                 ///< the paper's types and ratio
    bool axis_missing_is_ball = false;  ///< a revolute loop without <axis> joins two points
  };
  RobotReader(const xml::Element& robot, const ReadOptions& options, Profile profile);
  [[nodiscard]] Model Read() &&;

 private:
  // reader.cc
  void ReadRobotAttributes();
  void ReadOther(const xml::Element& child);
  void ReadTransmission(const xml::Element& transmission);
  void ReadSensor(const xml::Element& sensor);
  void ReportRoots();
  void ReportCycles();
  /// Keeps children that are not in `known` as text, with a warning unless their kind is a
  /// well-known extension.
  void KeepUnknown(const xml::Element& element, std::initializer_list<std::string_view> known,
                   std::vector<NativeData>& native);
  /// Warns about a foreign spelling, once per kind.
  void Dialect(const std::string& kind, const xml::Element& element, Statement statement,
               std::string code = "dialect");
  /// The link of that name, the world for an undeclared "world", or kNoLink.
  [[nodiscard]] LinkId FindLink(const std::string& name, const xml::Element& element);
  [[nodiscard]] RigidTransform ReadPose(const xml::Element& origin);
  /// The axis `tag` of `element`; `fallback` when there is none; nothing (reported) when it is no
  /// direction.
  [[nodiscard]] std::optional<Vector3> ReadAxis(const xml::Element& element, const char* tag,
                                                const Vector3& fallback,
                                                const std::string& subject);
  [[nodiscard]] std::string UnusedName(const std::string& base);
  /// For suggestions: of all links, once they are read, and of the joints so far.
  [[nodiscard]] const std::vector<std::string>& LinkNames();
  [[nodiscard]] const std::vector<std::string>& JointNames();

  // links.cc
  void ReadGlobalMaterial(const xml::Element& material);
  void ReadLink(const xml::Element& link);
  [[nodiscard]] std::optional<Inertial> ReadInertial(const xml::Element& inertial,
                                                     const std::string& link);
  [[nodiscard]] std::optional<Shape> ReadGeometry(const xml::Element& geometry,
                                                  const xml::Element& owner,
                                                  const std::string& link);
  [[nodiscard]] Shape ReadMesh(const xml::Element& mesh, const std::string& link);
  [[nodiscard]] Material ReadMaterial(const xml::Element& material);
  void ReadVisual(const xml::Element& visual, Link& link);
  void ReadCollision(const xml::Element& collision, Link& link);
  void ReadProximity(const xml::Element& element, Collision& collision);
  void ResolveMaterials();

  // joints.cc
  void ReadJoint(const xml::Element& joint);
  [[nodiscard]] std::string ReadJointName(const xml::Element& joint);
  [[nodiscard]] std::optional<JointKind> ReadUniversal(const xml::Element& joint,
                                                       const char* second_tag,
                                                       const std::optional<Vector3>& first,
                                                       const std::string& subject);
  void RefuseJointType(const xml::Element& joint, const std::string& subject,
                       const std::string& type) const;
  [[nodiscard]] std::optional<JointKind> ReadJointKind(const xml::Element& joint,
                                                       const std::string& subject,
                                                       const std::string& type);
  /// The link that <parent> or <child> names (link=, or the paper's name=); kNoLink with an error.
  [[nodiscard]] LinkId ReadJointEnd(const xml::Element& joint, const char* end,
                                    const std::string& subject);
  [[nodiscard]] std::optional<bool> ReadIndependent(const xml::Element& joint,
                                                    const std::string& subject);
  void ReadJointAxis(const xml::Element& joint, const std::string& subject, const std::string& type,
                     JointAxis& axis);
  static void KeepIdle(const xml::Element& element, Joint& joint);
  void ReadLimit(const xml::Element& limit, const std::string& subject, const std::string& type,
                 JointAxis& axis);
  void ChooseParents();
  void TellFurtherParent(JointId loop, JointId tree);
  void ReadMimics();

  // loops.cc
  struct LoopEnd {
    std::string link;
    RigidTransform X_LF;
    xml::Element element;
    bool found = false;
  };
  struct ConstraintName {
    std::string name, subject;
  };
  void ReadLoopLike(const xml::Element& element);
  void ReadConstraint(const xml::Element& element);
  void ReadLoop(const xml::Element& element, std::string type);
  void ReadCoupling(const xml::Element& element);
  [[nodiscard]] ConstraintName ReadConstraintName(const xml::Element& element, const char* base);
  [[nodiscard]] LoopEnd ReadLoopEnd(const xml::Element& element, bool successor,
                                    const std::string& subject);
  /// Resolves both ends; false (reported) when a link is missing, unknown, or the same on both
  /// sides.
  [[nodiscard]] bool ResolveEnds(const xml::Element& element, const std::string& subject,
                                 const LoopEnd& p, const LoopEnd& s, LinkId& P, LinkId& S);
  [[nodiscard]] std::optional<JointKind> ReadLoopKind(const xml::Element& element,
                                                      const std::string& subject,
                                                      const std::string& type, const LoopEnd& p,
                                                      LoopEnd& s);
  [[nodiscard]] std::optional<Vector3> ReadLoopAxis(const xml::Element& element,
                                                    const std::string& subject, const LoopEnd& p);
  void RefuseLoopType(const xml::Element& element, const std::string& subject,
                      const std::string& type) const;
  void FillRatioTerms(const xml::Element& element, const std::string& subject, Coupling& coupling);

  // transmissions.cc
  /// HyRoDyn's linear couplings; false, with a warning, where it names what is not there.
  [[nodiscard]] bool ReadLinearTransmission(const xml::Element& transmission);

  // drake.cc
  struct BallConstraint {
    xml::Element element;
    std::string name;  ///< as we write it; Drake has none
    LinkId A = kNoLink, B = kNoLink;
    Vector3 p_A = Vector3::Zero(), p_B = Vector3::Zero();
  };
  std::optional<bool> groups_read_;
  void ReadBallConstraint(const xml::Element& element);
  void AddBallConstraints();
  /// A tendon that cannot stretch is a coupling; false, with a warning, where it is none.
  [[nodiscard]] bool ReadTendonConstraint(const xml::Element& element);
  /// Once for all groups: pairs of links that do not collide; false where they are kept as text.
  [[nodiscard]] bool ReadFilterGroups();
  /// The armature that the rotor of a joint's motor is, which its text does not say twice.
  void ReadRotor(const xml::Element& motor, Actuator& actuator);

  // gazebo.cc
  void ReadGazebo(const xml::Element& gazebo);
  void ReadGazeboOf(const xml::Element& gazebo, LinkId link, JointId joint);
  void JoinHalves();
  void ReadSdfSensor(const xml::Element& element, LinkId link, JointId joint);
  void ReadGazeboOfRobot(const xml::Element& gazebo);
  void HoldStill();
  /// A block of these children; without a reference where that is empty.
  [[nodiscard]] static NativeData GazeboBlock(const std::string& reference,
                                              const std::vector<xml::Element>& children, bool idle);

  /// What SDFormat has under a link, a joint or a model by the same name.
  [[nodiscard]] static bool IsSdformat(std::string_view name);

  // gazebo_parts.cc
  void FindPartNames(const std::vector<xml::Element>& others);
  [[nodiscard]] bool IsOfRobot(const std::string& name) const;
  [[nodiscard]] bool JoinsFrames(const xml::Element& joint) const;
  [[nodiscard]] bool TakeGazeboPart(const xml::Element& part);
  [[nodiscard]] bool IsFloatingFrame(const std::string& name) const;
  [[nodiscard]] bool JoinsLinks(const xml::Element& joint, const std::string& subject) const;
  void BuildGazeboParts();
  void JudgeRole(JointId id, std::size_t num_links);
  void TellMergedEnds() const;
  void KeepOldTags(const xml::Element& element, const std::string& name);

  // gazebo_tags.cc
  /// What the blocks of one link or joint say in tags of libsdformat's URDF reader.
  struct GazeboTags {
    std::string of;                                 ///< the name of it
    std::map<std::string_view, xml::Element> word;  ///< by tag, the one that counts
    std::vector<xml::Element> collision, visual;    ///< what goes into each of them, in order
    std::vector<xml::Element> idle;                 ///< what turned out to have no effect
    /// Children of <collision> or <visual>, by its name, that have none.
    std::vector<std::pair<std::string, std::vector<xml::Element>>> idle_inside;
    std::vector<xml::Element> text;  ///< what could not be read
  };
  [[nodiscard]] static bool IsGazeboTag(std::string_view name);
  /// At a link, else at a joint.
  [[nodiscard]] static bool HasNoEffect(std::string_view name, bool at_link);
  /// False where it is none that counts there.
  [[nodiscard]] bool TakeGazeboTag(const xml::Element& tag, GazeboTags& tags, bool at_link);
  [[nodiscard]] std::optional<double> GazeboNumber(const xml::Element& tag, GazeboTags& tags);
  [[nodiscard]] bool GazeboBoolean(const xml::Element& tag, const GazeboTags& tags);
  void ApplyGazeboTags();
  void ApplyLinkTags(Link& link, GazeboTags& tags);
  void ApplySurface(Link& link, GazeboTags& tags);
  void ApplyLooks(Link& link, GazeboTags& tags);
  void ApplyJointTags(Joint& joint, GazeboTags& tags);
  static void KeepUnreached(const std::vector<xml::Element>& said,
                            const std::vector<xml::Element>& inner, std::string_view kind,
                            GazeboTags& tags);
  static void KeepTags(const GazeboTags& tags, const std::string& reference,
                       std::vector<NativeData>& native);
  void TellMissed(const Link& link, const GazeboTags& tags, const xml::Element& tag,
                  std::string_view kind, const std::string& part);
  void TellLumped(LinkId id, const GazeboTags& tags);

  xml::Element robot_;
  const ReadOptions& options_;
  bool paper_ = false;  ///< the file says that it uses the paper's types and ratio
  bool axis_missing_is_ball_ = false;
  bool plus_ = false;        ///< has a <loop>, a coupling or an independent attribute
  bool declares_ = false;    ///< in words of URDF+, not of Drake or Isaac only: what is not said
                             ///< independent="false" is declared
  bool looks_plus_ = false;  ///< the same, known before the joints are read
  int minor_version_ = 0;    ///< of URDF 1.x
  Model model_;
  LinkTree tree_;
  std::vector<RigidTransform> X_WL_;  ///< at zero, parts in <gazebo> too
  NameMap<LinkId> links_;
  NameMap<JointId> joints_;
  NameMap<std::uint32_t> constraints_;                 ///< names of loops and couplings -> line
  std::vector<std::string> link_names_, joint_names_;  ///< empty until somebody asks
  std::optional<UniqueNames>
      written_names_;                 ///< of joints, loops and couplings, once one is made up
  std::vector<bool> named_as_child_;  ///< by link, also by joints that are in error
  std::vector<JointId> joint_to_;     ///< by link: the joint of the tree that leads to it
  std::map<LinkId, std::vector<JointId>> further_parents_;  ///< joints that lead to it too
  std::vector<std::pair<xml::Element, JointId>> mimics_;
  std::set<std::string> faulty_joints_;  ///< an error was told of them: nothing that follows is
  /// @{
  /// Told: links or joints that seem to lack are not.
  bool duplicate_link_ = false, duplicate_joint_ = false;
  std::set<std::string> undefined_links_;
  /// @}
  /// A joint that is not there for a reason that was told.
  [[nodiscard]] bool IsToldOf(const std::string& joint) const {
    return duplicate_joint_ || faulty_joints_.count(joint) > 0;
  }
  std::vector<BallConstraint> balls_;
  struct KnownMaterial {
    Material material;
    bool global = false;
    bool used = false;
  };
  std::unordered_map<std::string, KnownMaterial> materials_;
  std::vector<std::string> material_names_;
  std::set<std::string> told_;
  sdformat::Description parts_;  ///< what <gazebo> says of the robot; its ros2_control
  std::set<std::string> part_names_,
      taken_parts_;  ///< of all among them that may be taken; of all taken
  std::map<LinkId, GazeboTags> link_tags_;
  std::map<JointId, GazeboTags> joint_tags_;
  xml::Element static_;  ///< the tag that says so, if it does
};

}  // namespace kinemorph::urdf_format
