// Shapes of the links, link by link or, where rigidly joined links were merged, group by group, and
// how they look.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kinemorph/graph/model/fields.h"
#include "verify/native_text.h"

namespace kinemorph::verify {

// A visual or collision, or a part of a capsule.
struct Part {
  Feature feature{};  // of the shape as written
  Shape shape;
  RigidTransform X;  // in the link; for what is left over, in the rigid group
  const Visual* visual = nullptr;
  const Collision* collision = nullptr;
  const Link* link = nullptr;
  LinkId id = kNoLink;  // of the link
  bool whole = true;    // false: of a capsule

  [[nodiscard]] Subject subject() const {
    return visual != nullptr ? SubjectOf(*link, *visual) : SubjectOf(*link, *collision);
  }
  [[nodiscard]] const std::vector<NativeData>& native() const {
    return visual != nullptr ? visual->native : collision->native;
  }
  [[nodiscard]] const std::string& name() const {
    return visual != nullptr ? visual->name : collision->name;
  }
};

/// A shape of A that collides, and the one of B that is the same.
struct SameCollision {
  LinkId link_a, link_b;
  const Collision *a, *b;
};

/// Colours, materials and friction of shapes that were matched.
class LookComparison : Compared {
 public:
  LookComparison(const Compared& sides, NativeText& native) : Compared(sides), native_(native) {}

  void Compare(const Part& a, const Part& b);
  /// What was compared so far.
  [[nodiscard]] std::vector<SameCollision> collisions() { return std::move(collisions_); }
  void AddChecks(std::vector<Worst>& checks) const {
    AddMade({&colors_, &textures_, &surfaces_, &others_, &parts_}, checks);
  }

 private:
  void CompareNames(const Part& a, const Part& b);
  bool TakeMaterial(Feature feature, const Part& a, const Part& b);
  [[nodiscard]] bool HasColoursInFile(const Part& file, const Part& other);
  void CompareColors(const Part& a, const Part& b);
  void CompareMaterials(const Part& a, const Part& b);
  void CompareLight(const Part& a, const Part& b,
                    const Field<Material, std::optional<Rgba>>& color);
  void CompareTextures(const Part& a, const Part& b);
  template <class Owner>
  void CompareFields(const Part& a, const Part& b, const Owner& x, const Owner& y);
  template <class Owner, class Value>
  void CompareField(const Part& a, const Part& b, Value x, Value y,
                    const Field<Owner, Value>& field);
  [[nodiscard]] bool AddedSurface(const Part& a, const Part& b) const;

  NativeText& native_;
  std::vector<SameCollision> collisions_;
  Worst colors_{"colours", 1e-6}, textures_{"textures", 0},
      surfaces_{"surface friction", options_.tolerance},
      others_{"facts of shapes", options_.tolerance}, parts_{"names of shapes", 0};
};

/// Visuals and collisions, and their looks. Capsules equal their cylinder and spheres, planes are
/// compared by point and normal. Returns the collisions that both have.
std::vector<SameCollision> CompareShapes(const Compared& sides, NativeText& native,
                                         std::vector<Worst>& checks);
/// Which links touch which: as pairs of links; in one format, of shapes, too.
void CompareContacts(const Compared& sides, const std::vector<SameCollision>& shapes,
                     std::vector<Worst>& checks);

}  // namespace kinemorph::verify
