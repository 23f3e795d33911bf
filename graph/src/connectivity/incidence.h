// The joints at each link, in document order, as one flat array (so that a million links cost two
// allocations).
#pragma once

#include <cstdint>
#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

class Incidence {
 public:
  /// Takes the joints for which `use` holds; a joint from a link to itself is left out.
  template <class Use>
  Incidence(const Model& model, Use&& use) : begin_(model.num_links() + 1, 0) {
    const auto wanted = [&](JointId id) {
      return model.predecessor(id) != model.successor(id) && use(id);
    };
    for (const JointId id : Joints(model)) {
      if (!wanted(id)) continue;
      ++begin_[Index(model.predecessor(id)) + 1];
      ++begin_[Index(model.successor(id)) + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    joints_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (const JointId id : Joints(model)) {
      if (!wanted(id)) continue;
      joints_[next[Index(model.predecessor(id))]++] = id;
      joints_[next[Index(model.successor(id))]++] = id;
    }
  }

  struct Range {
    const JointId *first, *last;
    [[nodiscard]] const JointId* begin() const { return first; }
    [[nodiscard]] const JointId* end() const { return last; }
  };
  [[nodiscard]] Range At(LinkId link) const {
    return {joints_.data() + begin_[Index(link)], joints_.data() + begin_[Index(link) + 1]};
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<JointId> joints_;
};

[[nodiscard]] inline LinkId OtherEnd(const Model& model, JointId joint, LinkId link) {
  return model.predecessor(joint) == link ? model.successor(joint) : model.predecessor(joint);
}

}  // namespace kinemorph
