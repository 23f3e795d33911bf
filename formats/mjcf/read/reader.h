// The state of one reading, shared by the parts of the reader. MJCF is read section by section into
// the Model.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinemorph/graph/base/unique_names.h"
#include "kinemorph/graph/mechanics/mechanism.h"
#include "kinemorph/graph/model/point_joint.h"
#include "mjcf.h"
#include "native.h"
#include "read/assets.h"
#include "read/compiler.h"
#include "read/defaults.h"
#include "read/geom_inertia.h"
#include "read/source_tree.h"

namespace kinemorph::mjcf {

/// Where MuJoCo has an element of a section, compared from the left: what stands in the file comes
/// first (nothing), then, as their ends stand among the bodies, what each <attach> brings and each
/// <replicate> copies, copy by copy.
using ListPlace = std::vector<std::pair<std::pair<std::uint32_t, std::size_t>, std::size_t>>;

/// An element of a section, or one of the copies that replicates make of it.
struct SectionElement {
  xml::Element element;
  ListPlace place;
};

/// One of the copies that a <replicate> makes of what is in it.
struct Copy {
  std::size_t replicate = 0;    ///< Reader::replicates_
  std::size_t index = 0;        ///< among the copies of that one
  std::string suffix;           ///< that this replicate gives
  const Copy* outer = nullptr;  ///< the copy that the replicate stands in
};

/// A <replicate>: what is in it, by kind and name without the suffix it gives.
struct Replicate {
  xml::Element element;
  std::vector<std::string> suffixes;
  std::set<std::pair<std::string, std::string>> names;
};

/// An element below a body, with the <frame>s and <replicate>s around it worked in.
struct Item {
  xml::Element element;
  RigidTransform X_BF;                       ///< frame around it, in the body
  const DefaultClass* childclass = nullptr;  ///< for elements without a class of their own
  std::string suffix;                        ///< of names, from <replicate>
  int frame = -1;                            ///< the innermost <frame> around it, Reader::frames_
  const Copy* copy = nullptr;                ///< the innermost <replicate> around it
};

/// A <frame>, for what attaches it to another model.
struct FrameElement {
  std::string name;
  int around = -1;      ///< the frame it stands in
  LinkId link;          ///< the body it stands in
  RigidTransform X_BF;  ///< in that body
};

/// How many parts a link had of each kind, and the model of frames.
struct PartCount {
  std::size_t visuals = 0, collisions = 0, natives = 0, frames = 0;
};

/// What one element of a body, in a frame, became.
struct FrameParts {
  int frame = -1;
  LinkId link;
  PartCount from, to;
};

/// A body while it is read.
struct Body {
  xml::Element element;
  LinkId link = kWorld;
  RigidTransform X_PB;  ///< in the parent body at qpos0
  const DefaultClass* childclass = nullptr;
  std::string suffix;
  const Copy* copy = nullptr;
  std::vector<Item> items;  ///< all children, frames opened
};

/// Stiffness and damping by time constant (s) and damping ratio, both positive.
struct SpringDamper {
  double time_constant, damping_ratio;
  xml::Element element;
};

/// A joint of a body, before the chain of links is built.
struct BodyJoint {
  Joint joint;
  Vector3 p_BJ = Vector3::Zero();  ///< anchor, body frame
  std::optional<SpringDamper> springdamper;
  bool aligned = false;  ///< of a free joint: with the inertia of its body
};

/// What a geom adds to its body's inertia.
struct GeomMass {
  double mass = 0;
  RigidTransform X_BI;  ///< centre of mass and axes
  Matrix3 I_I = Matrix3::Zero();
};

/// Where a site sits.
struct SitePlace {
  LinkId link = kWorld;
  RigidTransform X_LS;
};

/// One term of a fixed tendon.
struct TendonTerm {
  JointId joint;
  double coefficient;
};

/// The two ends of a connect or weld.
struct LoopEnds {
  LinkId a = kWorld, b = kWorld;
  bool by_sites = false;
  RigidTransform X_AS, X_BS;  ///< the sites, when by_sites
};

/// A connect: one point of each body.
struct PointConnect {
  Attributes attributes;
  std::string name;
  LoopEnds ends;
  Vector3 p_A, p_B;
};

class Reader {
 public:
  /// `asked` may be null (xml::Context).
  Reader(const ReadOptions& options, Diagnostics& diagnostics, xml::Asked* asked)
      : options_(options), diagnostics_(diagnostics), asked_(asked), assets_(options) {}
  [[nodiscard]] std::optional<Model> Read(std::string_view text);

 private:
  // reader.cc
  void ReadRoot();
  void KeepCompilerSettings();
  void ReadOption(const xml::Element& option);
  /// Several sections of one kind are one: of each attribute the last word counts.
  void KeepOption(const xml::Element& origin, std::string_view element,
                  const AttributeList& attributes);
  void ReadFlags(const xml::Element& flags);
  /// <flag> switches that part of the mechanics off: "equality", "limit", "spring" ...
  [[nodiscard]] bool IsOff(std::string_view part) const;
  void NameTheNameless();
  void KeepLeftovers(std::string_view text);
  // bodies.cc
  void ReadBodies();
  void ReadWorld(const xml::Element& worldbody);
  Body ReadBody(const Item& item, LinkId parent);
  void Expand(const xml::Element& parent, const DefaultClass* childclass, Body& body);
  void ReadContent(const Item& item, const Body& body, bool weigh, std::vector<GeomMass>& geoms,
                   std::string& unknown);
  [[nodiscard]] bool WeighsGeoms(const Body& body) const;
  template <class Work>
  void WithParts(const Item& item, LinkId link, const Work& work);
  [[nodiscard]] PartCount CountParts(LinkId link) const;
  void ExpandReplicate(const Item& replicate, std::vector<Item>& items);
  [[nodiscard]] bool ChargeCopies(const xml::Element& parent,
                                  const std::vector<xml::Element>& children, std::size_t count,
                                  std::size_t suffix_length);
  void ReadBodyContents(const Body& body);
  // copies.cc
  /// What `copy` is of has this name, without suffixes.
  void NoteCopied(const char* kind, const std::string& name, const Copy* copy);
  /// All in the sections of this name; what refers to parts of a replicate once for each copy.
  [[nodiscard]] std::vector<SectionElement> ElementsOf(std::string_view section);
  /// Of what `attach` brings into a copy.
  [[nodiscard]] ListPlace PlaceOf(const xml::Element& attach, const Copy* copy) const;
  struct Pieces;
  void Multiply(Replicate& replicate, std::string_view section, Pieces& pieces);
  [[nodiscard]] static bool IsHalfCopied(const xml::Element& element, NativeElement& now,
                                         const Replicate& replicate);
  /// An error about a word that is none of `known`; what the element says besides is no matter.
  static void ReportUnknown(const xml::Element& element, const char* code, Statement statement,
                            std::string_view word, const std::vector<std::string>& known);
  /// The bodies in a text that `element` stands for; they say its line. None (reported) when its
  /// `elements` are too many.
  [[nodiscard]] std::vector<xml::Element> MadeBodies(const xml::Element& element,
                                                     const std::string& text, std::size_t elements);
  void ReadSite(const Item& item, LinkId link);
  void ReadCameraOrLight(const Item& item, LinkId link);
  [[nodiscard]] bool Claim(const char* kind, const std::string& name, const xml::Element& element);
  // composite.cc, flexcomp.cc
  void ReadComposite(const Item& item, LinkId parent);
  [[nodiscard]] std::string ReadCablePlugin(const xml::Element& composite,
                                            const std::string& prefix);
  void ReadFlexcomp(const Item& item, LinkId parent);
  // attach.cc
  struct Attached;
  struct AttachedLoop {
    LinkId predecessor, successor;
    Joint joint;
  };
  struct Selection;
  struct Moved;
  struct Arrival;
  /// `weigh`: geoms of `link` make its inertia.
  void ReadAttach(const Item& item, LinkId link, bool weigh);
  [[nodiscard]] Attached* OpenAttached(const xml::Element& attach, const std::string& name);
  [[nodiscard]] Attached* OpenSelf();
  [[nodiscard]] Attached* OpenModel(const xml::Element& asset, std::string name);
  [[nodiscard]] std::optional<Selection> Select(const xml::Element& attach,
                                                const std::string& name) const;
  [[nodiscard]] Selection SelectBody(LinkId root) const;
  [[nodiscard]] Selection SelectWorld() const;
  [[nodiscard]] Selection SelectFrame(int frame) const;
  [[nodiscard]] std::size_t CountBelow(const std::vector<JointId>& tops) const;
  void MoveParts(const Link& parts, const RigidTransform& X, const Moved& moved, LinkId link);
  void AddFrame(Frame frame, const Moved& moved, LinkId link, const xml::Element& attach);
  [[nodiscard]] bool IsWithin(int frame, int around) const;
  // joints.cc
  [[nodiscard]] BodyJoint ReadJoint(const Item& item);
  void ReadJointLimits(const Attributes& attributes, double ref, bool angular, Joint& joint) const;
  void ReadJointDynamics(const Attributes& attributes, double ref, bool angular,
                         Joint& joint) const;
  [[nodiscard]] AttributeList SwitchedOff(const Attributes& attributes, bool angular) const;
  [[nodiscard]] bool IsAligned(const Attributes& free_joint) const;
  void ApplySpringDampers();
  [[nodiscard]] bool HasMoreInertia() const;
  [[nodiscard]] std::optional<Mechanism> KnownMechanism() const;
  void TakeDriveLaws();
  void CheckJoints(const Body& body, const std::vector<BodyJoint>& joints);
  void Connect(const Body& body, LinkId parent, std::vector<BodyJoint> joints);
  // geoms.cc
  /// `unknown`: why the mass of the body is not known, where it comes from geoms; else untouched.
  std::optional<GeomMass> ReadGeom(const Item& item, LinkId link, bool weigh, std::string& unknown);
  [[nodiscard]] GeomType ReadGeomType(const Attributes& attributes) const;
  [[nodiscard]] bool ReadGeomSize(const Attributes& attributes, GeomType type, Vector3& size,
                                  RigidTransform& X_FG);
  [[nodiscard]] bool FitGeom(const Attributes& attributes, const MeshAsset& mesh, GeomType type,
                             Vector3& size, RigidTransform& X_FG);
  void AddGeomShapes(const Attributes& attributes, const std::string& name, LinkId link,
                     const RigidTransform& X_LG, Shape shape);
  [[nodiscard]] std::optional<GeomMass> WeighGeom(const Attributes& attributes, GeomType type,
                                                  const Vector3& size, const RigidTransform& X_BG,
                                                  const MeshAsset* mesh, std::string& unknown);
  // inertia.cc
  void ReadInertia(const Body& body, const xml::Element& inertial,
                   const std::vector<GeomMass>& geoms, const std::string& unknown);
  [[nodiscard]] std::optional<Inertial> ReadInertial(const xml::Element& inertial) const;
  void ApplyBounds(const Body& body, std::optional<Inertial>& inertial) const;
  void ApplyTotalMass();
  // equality.cc, couplings.cc
  void ReadEqualities();
  void ReadConnect(const Attributes& attributes);
  void ReadWeld(const Attributes& attributes);
  [[nodiscard]] std::optional<LoopEnds> ReadEnds(const Attributes& attributes);
  void MergeConnects();
  void AddHeld(const PointJoint& held);  ///< what connects hold together
  void AddLoop(Joint joint, const LoopEnds& ends);
  void KeepNative(const Attributes& attributes, const std::string& why);
  void ReadJointEquality(const Attributes& attributes);
  void ReadTendons();
  void ReadTendonEquality(const Attributes& attributes);
  [[nodiscard]] std::vector<double> PolynomialOf(const Attributes& attributes) const;
  [[nodiscard]] std::optional<LinkId> FindBody(const xml::Element& element, const char* attribute);
  [[nodiscard]] std::vector<std::string> JointNames() const;
  [[nodiscard]] std::optional<JointId> FindScalarJoint(const xml::Element& element,
                                                       const char* attribute);
  /// An unknown name: an error, or only a warning where it may belong to something that was not
  /// read.
  Diagnostic& Undefined(const xml::Element& element, const char* kind, std::string_view name,
                        const std::vector<std::string>& known);
  // extras.cc
  void KeepUnusedMeshes();
  void KeepMaterials();
  void ReadContacts();
  void ReadActuators();
  void ReadSensors();
  void ReadRest();
  void CheckKeys();
  void TurnKeys();
  struct AlignedState {
    LinkId body;
    std::size_t q, v;  ///< its first numbers in qpos and qvel
  };
  [[nodiscard]] std::vector<AlignedState> AlignedStates() const;
  void TurnState(const AlignedState& at, std::vector<double>& qpos,
                 std::vector<double>& qvel) const;
  // gravcomp.cc
  [[nodiscard]] const Joint* JointThatBoundsCompensation() const;
  void ReadGravityCompensation();

  const ReadOptions& options_;
  Diagnostics& diagnostics_;
  xml::Asked* asked_;
  std::string_view text_;  // while it is read
  Model model_;
  SourceTree sources_;
  Defaults defaults_;
  CompilerSettings compiler_;
  Assets assets_;

  std::vector<RigidTransform> X_WL_;  // by LinkId, at qpos0
  std::map<std::string, LinkId, std::less<>> links_by_name_;
  std::map<std::string, JointId, std::less<>> joints_by_name_;
  std::map<std::string, SitePlace, std::less<>> sites_by_name_;
  std::map<std::string, LinkId, std::less<>> geoms_by_name_;
  std::map<std::string, std::vector<TendonTerm>, std::less<>> fixed_tendons_;
  std::map<std::string, UniqueNames, std::less<>> names_;
  std::vector<PointConnect> connects_;
  std::vector<std::pair<JointId, SpringDamper>> springdampers_;
  std::set<std::string, std::less<>> used_meshes_;
  std::set<std::string, std::less<>> off_;  // flags that are disabled
  std::map<std::string, std::shared_ptr<Attached>, std::less<>>
      attached_;                              // models, by name; read once
  bool nameless_opened_ = false;              // models that have the name of their own file
  bool attaches_itself_ = true;               // what names no model is of this one
  std::vector<AttachedLoop> attached_loops_;  // they come after all tree joints
  std::vector<FrameElement> frames_;
  std::vector<Replicate> replicates_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> replicate_at_;  // by place
  std::vector<ListPlace> actuator_places_, sensor_places_;  // of those of the model
  std::deque<Copy> copies_made_;                            // addresses stay
  std::set<LinkId> aligned_;          // bodies whose frame MuJoCo takes from their inertia
  std::set<LinkId> weighed_in_axes_;  // whose inertia is written, or of one geom, in its own axes
  const Reader* outer_ = nullptr;     // of the model that this one is attached to
  std::vector<FrameParts> frame_parts_;
  std::map<JointId, int> frame_of_top_;  // the first joint of a body that stands in a frame
  int depth_ = 0;                        // of models attached inside each other
  bool incomplete_ = false;              // bodies of attach, composite or flexcomp are missing
  DefaultClass no_defaults_;             // of what a composite makes
  std::vector<std::unique_ptr<xml::Document>> made_;  // of what composites and flexcomps make
  std::set<LinkId> mocap_;
  std::set<JointId> loops_by_sites_;
  std::vector<LinkId> unweighed_;             // bodies whose mass could not be computed
  std::size_t copies_ = 0, copied_text_ = 0;  // what replicates made so far
  bool too_many_copies_ = false;
};

}  // namespace kinemorph::mjcf
