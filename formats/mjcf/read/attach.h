// What of another model is attached, and its way into this one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "read/reader.h"

namespace kinemorph::mjcf {

/// Everything below the joints in `tops`; `inside` by link.
void TakeBelow(const Model& model, const std::vector<JointId>& tops, std::vector<bool>& inside);

/// A part of the attached model on its way into this one.
struct Reader::Moved {
  std::string prefix, suffix;
  std::string folder;       // of the attached file, seen from the main one
  std::uint32_t files = 0;  // to be added to its file numbers

  [[nodiscard]] std::string Name(const std::string& name) const;
  [[nodiscard]] std::string Names(const std::string& names) const;
  [[nodiscard]] std::string Prefixed(const std::string& name) const;
  [[nodiscard]] std::string Uri(const std::string& uri) const;
  void Place(SourceLocation& where) const;
  void Native(NativeData& native, const RigidTransform* X = nullptr) const;
  // Native elements of a body hold their pose as pos with quat or dir.
  static std::string Placed(std::string_view attribute, const std::string& value,
                            const RigidTransform& X);
  void Natives(std::vector<NativeData>& natives) const;
  template <class Part>
  void Geometry(Part& part) const;
  void Visual(kinemorph::Visual& visual) const;
  void Link(kinemorph::Link& link) const;
};

// What of a model is attached: bodies, and parts of the one link that holds them.
struct Reader::Selection {
  LinkId holder = kWorld;
  RigidTransform X_HA;        ///< what is put onto the place of the attach, in the holder
  std::vector<JointId> tops;  ///< that hold the bodies
  kinemorph::Link parts;      ///< of the holder: visuals, collisions, native
  std::vector<Frame> frames;  ///< of the holder
  bool whole = false;         ///< nothing of the model is left behind
  bool world = false;         ///< the world itself comes, with its sites
};

struct Reader::Attached {
  ReadOptions options;
  std::unique_ptr<Reader> reader;
  Diagnostics unsaid;       ///< of this file, read again
  bool read = false;        ///< then the model is the reader's
  std::uint32_t files = 0;  ///< its first file among ours
  std::string folder;
};

/// One attach: the parts of another model that come, and where they come to.
struct Reader::Arrival {
  Arrival(Reader& to, const Item& item, LinkId link, Attached& from, Selection selection,
          const std::string& prefix);
  void Take();

 private:
  void TakeLinks();
  void TakeJoints();
  void TakeLoop(JointId id, Joint copy);
  void TakeFrames();
  void TakeCouplings();
  void TakeContacts();
  void TakeDevices();
  void TakeRest();
  void TakeTendon(const std::string* old_name);
  void NoteParts(const kinemorph::Link& parts) const;
  void Note(const char* kind, const std::string& name) const;
  void TellUnmerged(NativeData native);

  Reader& to_;
  const Item& item_;
  const LinkId link_;  // that holds what comes
  Attached& from_;
  const Model& source_;
  Selection selection_;
  const Moved moved_;
  std::vector<bool> inside_;       // by link of the source
  RigidTransform X_LH_, X_new_;    // the holder in the link; the source's world in ours
  std::vector<LinkId> link_of_;    // by link of the source; kNoLink: it stays behind
  std::vector<JointId> joint_of_;  // by joint of the source
};

}  // namespace kinemorph::mjcf
