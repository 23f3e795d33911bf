// The lists of fields are complete, and say each thing once.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "field_changes.h"

namespace kinemorph {
namespace {

using test::kOwnerNames;
using test::OwnersWithFields;

// Calls visit(type_identity<Owner>, name) for every struct with fields.
template <class Visit, std::size_t... kPlace>
void ForEachList(const Visit& visit, std::index_sequence<kPlace...>) {
  (visit(std::type_identity<std::tuple_element_t<kPlace, OwnersWithFields>>(), kOwnerNames[kPlace]),
   ...);
}
template <class Visit>
void ForEachList(const Visit& visit) {
  ForEachList(visit, std::make_index_sequence<std::tuple_size_v<OwnersWithFields>>());
}

// Between the members that are listed there is no room for another one, but for alignment.
template <class Owner>
std::string Gaps(const Owner& owner) {
  const auto place = [&](const auto& member) {
    return static_cast<std::size_t>(reinterpret_cast<const char*>(&member) -
                                    reinterpret_cast<const char*>(&owner));
  };
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> members;  // place: size, alignment
  const auto note = [&]<class Value>(const Value& member) {
    members[place(member)] = {sizeof(Value), alignof(Value)};
  };
  ForEachField<Owner>([&](const auto& field) { note(owner.*field.member); });
  if constexpr (requires { owner.where; }) note(owner.where);
  if constexpr (std::same_as<Owner, NativeShape>) note(owner.data);
  if constexpr (std::same_as<Owner, Mesh>) note(owner.content);  // the bytes of its file
  members[sizeof(Owner)] = {0, alignof(Owner)};
  std::string gaps;
  std::size_t end = 0;
  for (const auto& [at, member] : members) {
    if (at - end >= member.second)
      gaps += std::to_string(at - end) + " bytes at " + std::to_string(end) + "; ";
    end = at + member.first;
  }
  return gaps;
}

TEST(FieldLists, EveryMemberIsListed) {
  ForEachList([]<class Owner>(std::type_identity<Owner>, const char* name) {
    // A model is more than its fields.
    if constexpr (!std::same_as<Owner, Model>) { EXPECT_EQ(Gaps(Owner()), "") << name; }
  });
}

TEST(FieldLists, KeysAreOfOneFieldEach) {
  ForEachList([]<class Owner>(std::type_identity<Owner>, const char* name) {
    std::set<std::string_view> keys;
    ForEachField<Owner>([&](const auto& field) {
      EXPECT_TRUE(keys.insert(field.key).second) << name << " " << field.key;
    });
  });
}

TEST(FieldLists, ZeroesAndHugeNumbersMaySayNothing) {
  JointAxis axis;
  axis.damping = 0, axis.upper = FormatLimits::kNone, axis.initial_position = 0;
  axis.spring_reference = 0.5;
  EXPECT_EQ(FeaturesSaid(axis), FeatureSet());
  axis.spring_stiffness = 2, axis.upper = 1;
  FeatureSet said;
  said.set(Position(Feature::kSpring)), said.set(Position(Feature::kPositionLimit));
  EXPECT_EQ(FeaturesSaid(axis), said);
  Joint joint;
  joint.axes = {JointAxis(), axis}, joint.independent = false;
  said.set(Position(Feature::kIndependent));
  EXPECT_EQ(FeaturesSaid(joint), said);
}

TEST(FieldLists, ShapesSayWhatTheirMeshSays) {
  Visual visual;
  visual.shape = Mesh{"part.stl", {1, 1, 2}, "lid", false, "part"};
  visual.transparency = 0;
  FeatureSet said;
  said.set(Position(Feature::kShapeMeshScale)), said.set(Position(Feature::kShapeSubmesh));
  EXPECT_EQ(FeaturesSaid(visual), said);
}

}  // namespace
}  // namespace kinemorph
