// The steps from a model to an MbsFile, and what they share.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/base/unique_names.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"
#include "mbs_file.h"
#include "write/body_points.h"
#include "write/source_index.h"

namespace kinemorph::mbs {

/// One use: FileBuilder(...).Build().
class FileBuilder {
 public:
  FileBuilder(const Model& model, const SpanningTree& tree, const Source* source,
              Diagnostics& diagnostics)
      : model_(model), tree_(tree), source_(source, model), diagnostics_(diagnostics) {}

  MbsFile Build();

 private:
  static constexpr std::size_t kNone = BuiltModel::kNoBody;

  // A body to be written, before the order is known. Bodies 0.. stand for links; copies of solid
  // cuts follow.
  struct Body {
    FileBody out;
    BodyPoints points;
    LinkId link = kNoLink;
    std::size_t parent = kNone;      // index here; kNone: the base
    std::vector<const Joint*> path;  // from the parent body
    std::vector<JointId> joints;
    std::size_t source = kNone;  // body of the source with the same name
  };

  void Refuse(SourceLocation where, Statement statement);

  // --- bodies ---
  void RegisterNames();
  // Massless links that only join two joints become part of a chain; the writer of the reader's
  // rods takes them back.
  void PlanBodies();
  // Whether link and loop joint are what the reader makes of a rod.
  [[nodiscard]] bool IsRod(LinkId id, const Joint& ball) const;
  void StartBodies();
  void StartBody(Body& body);
  FileGraphics Graphics(const Link& link, const FileGraphics* before, const Link* link_before);
  static bool SameVisual(const Visual& a, const Visual& b, const std::optional<FileShape>& shape_a);

  // --- points ---
  // The source's points, without the sensors and frames that are gone.
  BodyPoints KeptPoints(const std::vector<FilePoint>& points, LinkId link, std::size_t source_body);
  void IndexFramesAndSensors();
  // Whether the model still has the frame a point of the source was read as; it needs no point of
  // its own then.
  bool TakeFrame(const Frame& before, LinkId link);
  bool TakeSensor(const std::string& name, LinkId link, const Vector3& p);
  [[nodiscard]] BodyPoints& PointsOf(std::size_t body) {
    return body == kNone ? base_points_ : bodies_[body].points;
  }
  [[nodiscard]] std::string NameOf(std::size_t body) const {
    return body == kNone ? "base" : bodies_[body].out.name;
  }
  [[nodiscard]] std::size_t BodyOf(LinkId link) const {
    return link == kWorld ? kNone : body_of_[Index(link)];
  }

  // --- joints ---
  // The flag stands at the joint its actuator is named after (MBS), or at every joint of the
  // actuated one (other formats).
  void MarkActuated(const std::vector<JointId>& ids, std::vector<FileJoint>& joints) const;
  // A follower of a coupling is dependent where nobody says otherwise; initial velocities and joint
  // forces of the source stay.
  void Finish(const std::vector<JointId>& ids, std::vector<FileJoint>& joints) const;
  static void ApplyNative(const Joint& joint,
                          const std::unordered_map<std::string, FileJoint*>& by_name);
  void IndexCoordinates();
  void AddTreeChains();
  std::string AnchorLike(const FileBody& before, std::size_t parent);

  // --- loops ---
  void AddLoops();
  void KeepCut(JointId id, std::size_t c);
  // Ball: the two points coincide. Fixed: the two bodies do. Any other kind: a massless copy of the
  // successor hangs on the predecessor by the joint, and a solid cut says that copy and successor
  // coincide.
  void AddLoop(JointId id);
  void AddRods();

  // --- frames and sensors that no point of the source carries ---
  void AddFrames();
  void AddSensors();
  // Depth-first preorder, siblings in the order of their anchor points: joints are numbered in
  // document order, and the editor saves so.
  void OrderBodies();
  [[nodiscard]] std::vector<std::size_t> OrderOf(const MbsFile& source,
                                                 std::vector<std::size_t> order) const;

  // --- what has no element ---
  void AddUserData();
  // "body/point" of everything written.
  [[nodiscard]] UniqueNames WrittenPoints() const;
  void AddNative();
  void FillHeader();

  const Model& model_;
  const SpanningTree& tree_;
  const SourceIndex source_;
  Diagnostics& diagnostics_;
  MbsFile file_;
  std::vector<Body> bodies_;
  BodyPoints base_points_;
  std::vector<std::size_t> body_of_;  // by link
  std::vector<bool> collapsed_;       // by link
  std::vector<JointId> rod_;          // by link: the ball joint at the rod's far end
  UniqueNames joint_names_, body_names_, followers_;
  std::unordered_map<std::string, std::size_t> frames_, sensors_;
  std::unordered_multimap<std::uint32_t, std::size_t> actuators_;  // by joint
  std::vector<JointId> written_joints_;
  std::vector<bool> frame_written_, sensor_written_;
  std::vector<UserModel> frame_rotations_, ours_;
  std::vector<UserConstraint> screws_;
};

}  // namespace kinemorph::mbs
