// Values by name, as std::unordered_map has them.
#include "kinemorph/graph/base/name_map.h"

#include <gtest/gtest.h>

#include <unordered_map>

#include "kinemorph/graph/base/random.h"

namespace kinemorph {
namespace {

TEST(NameMap, HasWhatAnUnorderedMapHas) {
  for (const std::size_t reserved : {0, 100, 5000}) {
    NameMap<int> map;
    if (reserved > 0) map.Reserve(reserved);
    std::unordered_map<std::string, int> expected;
    EXPECT_EQ(map.Find("1"), nullptr);
    Random random(3);
    for (int i = 0; i < 4000; ++i) {
      const std::string name = std::to_string(random.Below(2000));
      const auto [known, is_new] = expected.emplace(name, i);
      const auto [value, fresh] = map.Add(name, i);
      ASSERT_EQ(fresh, is_new) << name;
      ASSERT_EQ(value, known->second) << name;
    }
    ASSERT_EQ(map.size(), expected.size());
    for (int i = 0; i < 2000; ++i) {
      const std::string name = std::to_string(i);
      const auto known = expected.find(name);
      const int* const found = map.Find(name);
      ASSERT_EQ(found != nullptr, known != expected.end()) << name;
      ASSERT_EQ(map.Has(name), found != nullptr);
      if (found) { ASSERT_EQ(*found, known->second) << name; }
    }
  }
}

TEST(NameMap, KeepsViewsWhereNamesStay) {
  const std::string first = "crank", again = "crank";
  NameMap<int, std::string_view> map;
  EXPECT_TRUE(map.Add(first, 1).second);
  EXPECT_FALSE(map.Add(again, 2).second);
  EXPECT_EQ(*map.Find("crank"), 1);
  EXPECT_TRUE(map.Add("", 3).second);
  EXPECT_EQ(*map.Find(""), 3);
}

}  // namespace
}  // namespace kinemorph
