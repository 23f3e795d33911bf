// Numbers of elements: one each, kept by whoever has one already.
#include "kinemorph/graph/model/elements.h"

#include <gtest/gtest.h>

#include <set>

namespace kinemorph::test {
namespace {

Model TwoLinks() {
  Model model;
  model.scopes.emplace_back().native.resize(1);
  Link link;
  link.name = "a";
  link.inertial.emplace().native.resize(1);
  link.visuals.emplace_back().material.emplace().native.resize(1);
  link.collisions.emplace_back();
  link.native.resize(2);
  const LinkId a = model.AddLink(link);
  link.name = "b";
  const LinkId b = model.AddLink(link);
  Joint joint;
  joint.name = "j", joint.kind = Fixed{};
  model.AddJoint(a, b, joint);
  model.frames.emplace_back();
  model.couplings.emplace_back();
  model.sensors.emplace_back();
  model.actuators.emplace_back();
  model.contact_exclusions.push_back({a, b, {}});
  return model;
}

// Of all that has one of its own.
std::vector<std::uint32_t> Origins(const Model& model) {
  std::vector<std::uint32_t> origins;
  ForEachElement(model, [&]<class Item>(const Item& item, const Element& element) {
    if constexpr (std::same_as<Item, Inertial> || std::same_as<Item, Material>) {
      EXPECT_EQ(item.where.origin, element.where.origin);  // of the link, of the visual
    } else if constexpr (requires { item.where; }) {
      origins.push_back(item.where.origin);
      EXPECT_EQ(item.where.origin, element.where.origin);
    }
    if constexpr (HasNativeList<const Item>)
      for (const NativeData& data : item.native) origins.push_back(data.where.origin);
  });
  return origins;
}

TEST(Elements, HaveANumberEach) {
  Model model = TwoLinks();
  NumberElements(model);
  const std::vector<std::uint32_t> origins = Origins(model);
  const std::set<std::uint32_t> different(origins.begin(), origins.end());
  EXPECT_EQ(different.size(), origins.size());
  EXPECT_EQ(*different.begin(), 1u);
  EXPECT_EQ(*different.rbegin(), origins.size());
  EXPECT_EQ(model.link(LinkId{1}).inertial->where.origin, model.link(LinkId{1}).where.origin);
}

TEST(Elements, KeepTheirNumbers) {
  Model model = TwoLinks();
  NumberElements(model);
  const std::vector<std::uint32_t> before = Origins(model);
  Model more = model;
  const LinkId added = more.AddLink(Link());
  NumberElements(more);
  EXPECT_EQ(more.link(added).where.origin, before.size() + 1);
  EXPECT_EQ(more.frames.front().where.origin, model.frames.front().where.origin);
  Model again = TwoLinks();
  NumberElements(again);
  EXPECT_EQ(Origins(again), before);
}

// A part without a line stands at its owner's, and is still itself.
TEST(Elements, APartAtThePlaceOfItsOwner) {
  EXPECT_EQ(PlaceOfPart({0, 0, 0, 7}, {1, 5, 3, 2}).line, 5u);
  EXPECT_EQ(PlaceOfPart({0, 0, 0, 7}, {1, 5, 3, 2}).origin, 7u);
  EXPECT_EQ(PlaceOfPart({}, {1, 5, 3, 2}).origin, 2u);
  EXPECT_EQ(PlaceOfPart({1, 9, 4, 8}, {1, 5, 3, 2}).line, 9u);
}

}  // namespace
}  // namespace kinemorph::test
