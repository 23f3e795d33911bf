// Which loops of an aggregate are closed one after the other, and which only together. Order takes
// couplings and loops off one by one, as soon as their rows determine every column that is still
// unknown (the order of Assur groups); the rest is one numerical block. Outline and Complete
// describe a step, Schedule says which bodies each must place, so that Position places only what
// formulas need and Rates what is left.
#include <algorithm>

#include "closures/closure_sequence.h"

namespace kinemorph {

ClosureSequence::ClosureSequence(ClosureWorkspace& shared, const Aggregate& g,
                                 const AggregateCoordinates& coordinates, Division division,
                                 bool warm, bool nearest)
    : s_(shared),
      m_(shared.m),
      g_(g),
      independent_(coordinates.independent),
      dependent_(coordinates.dependent),
      reference_(shared.postures.front()),
      warm_(warm),
      nearest_(nearest) {
  kinematics_.Resize(g_);
  known_row_.setZero(g_.nv);
  for (std::size_t i = 0; i < g_.bodies.size(); ++i) {
    const Body& body = m_.bodies[At(g_.bodies[i])];
    for (int c = 0; c < body.nv; ++c) {
      position_of_.push_back(static_cast<int>(i));
      q_of_.push_back(body.nq == body.nv ? body.q + c : -1);
    }
  }
  // A ball or free joint that depends as a whole is integrated along its quaternion; one of which
  // only a part depends has no coordinate to be given, and then nothing here is explicit.
  known_.assign(At(g_.nv), true);
  for (const int c : dependent_) known_[At(c)] = false;
  for (std::size_t i = 0; i < g_.bodies.size(); ++i) {
    const Body& body = m_.bodies[At(g_.bodies[i])];
    const auto first = known_.begin() + g_.column[i], last = first + body.nv;
    if (body.nq == body.nv) {
      for (int c = 0; c < body.nv; ++c)
        if (!known_[At(g_.column[i] + c)]) dependent_q_.push_back(body.q + c);
    } else if (std::none_of(first, last, [](bool known) { return known; })) {
      for (int k = 0; k < body.nq; ++k) dependent_q_.push_back(body.q + k);
    } else if (!std::all_of(first, last, [](bool known) { return known; })) {
      explicit_ = false;
    }
  }
  before_.resize(std::ssize(dependent_q_));
  Order(division != Division::kOneBlock && explicit_);
  // Everything is allocated here for the widest use (gamma needs one right side, G one per
  // independent coordinate), since calls must not allocate.
  int most_rows = 0;
  for (ClosureStep& step : steps_) {
    const Eigen::Index unknown = static_cast<Eigen::Index>(step.unknown.size()),
                       known = static_cast<Eigen::Index>(step.known.size());
    step.tableau.resize(step.rows, unknown + std::max<Eigen::Index>(1, std::ssize(independent_)));
    step.pivots.resize(At(step.rows));
    most_rows = std::max(most_rows, step.rows);
    FindLiveRows(step);
    step.K_known.resize(step.rows, known);
    step.by_known.resize(unknown, known);
  }
  bias_.resize(most_rows);
  if (division == Division::kSteps && explicit_) {
    for (ClosureStep& step : steps_) Recognise(step);
  }
  Schedule();
  numerical_ = std::any_of(steps_.begin(), steps_.end(), [](const ClosureStep& step) {
    return step.form == StepForm::kNumerical;
  });
}

void ClosureSequence::Order(bool one_by_one) {
  std::vector<bool> known = known_;
  std::vector<int> loops, couplings;
  for (std::size_t l = 0; l < g_.loops.size(); ++l) loops.push_back(static_cast<int>(l));
  for (std::size_t c = 0; c < g_.couplings.size(); ++c) couplings.push_back(static_cast<int>(c));
  const auto take = [&](ClosureStep step) {
    Complete(step, known);
    for (const int c : step.unknown) known[At(c)] = true;
    if (!step.unknown.empty()) steps_.push_back(std::move(step));
  };
  // Couplings first: they cost nothing, and what they determine may free a loop. After every
  // success from the start again, so that the order depends on the model only.
  for (bool progress = one_by_one; progress;) {
    progress = false;
    for (auto it = couplings.begin(); it != couplings.end(); ++it) {
      ClosureStep step;
      step.couplings = {*it};
      if (!Determined(step, known)) continue;
      take(step), couplings.erase(it), progress = true;
      break;
    }
    for (auto it = loops.begin(); !progress && it != loops.end(); ++it) {
      ClosureStep step;
      step.loops = {*it};
      if (!Determined(step, known)) continue;
      take(step), loops.erase(it), progress = true;
      break;
    }
  }
  ClosureStep rest;
  rest.loops = loops, rest.couplings = couplings;
  take(rest);
}

void ClosureSequence::Outline(ClosureStep& step, const std::vector<bool>& known) const {
  step.unknown.clear(), step.known.clear(), step.cycles.clear(), step.joints.clear();
  step.rows = 0;
  std::vector<bool> there(At(g_.nv), false);
  const auto meet = [&](int c) {
    if (there[At(c)]) return;
    there[At(c)] = true;
    (known[At(c)] ? step.known : step.unknown).push_back(c);
  };
  for (const int l : step.loops) {
    const LoopConstraint& loop = g_.loops[At(l)];
    std::vector<CycleTurn>& cycle = step.cycles.emplace_back();
    step.joints.push_back(loop);
    for (const auto& [path, sign] :
         {std::pair(&loop.predecessor_path, -1.0), std::pair(&loop.successor_path, 1.0)}) {
      for (const int i : *path) {
        const int nv = m_.bodies[At(g_.bodies[At(i)])].nv;
        for (int c = g_.column[At(i)]; c < g_.column[At(i)] + nv; ++c)
          cycle.push_back({c, sign}), meet(c);
      }
    }
    step.rows += loop.rows;
  }
  for (const int c : step.couplings) {
    for (const auto& term : g_.couplings[At(c)].terms) meet(term.column);
    ++step.rows;
  }
}

void ClosureSequence::Complete(ClosureStep& step, const std::vector<bool>& known) {
  Outline(step, known);
  // Which bodies the step reads, and which of them its unknown joints move. Tree order lets one
  // pass inherit from the parents.
  std::vector<bool> here(g_.bodies.size(), false), unknown(g_.bodies.size(), false);
  for (const int c : step.unknown) unknown[At(position_of_[At(c)])] = true;
  const auto mark = [&](int i) {
    for (; i >= 0 && !here[At(i)]; i = g_.parent_in[At(i)]) here[At(i)] = true;
  };
  for (const int l : step.loops) mark(g_.loops[At(l)].predecessor), mark(g_.loops[At(l)].successor);
  std::vector<bool> moves(g_.bodies.size(), false);
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (!here[i]) continue;
    moves[i] = unknown[i] || (g_.parent_in[i] >= 0 && moves[At(g_.parent_in[i])]);
    step.path.push_back(static_cast<int>(i));
    if (moves[i]) step.moved.push_back(static_cast<int>(i));
  }
}

void ClosureSequence::Schedule() {
  std::vector<bool> placed(g_.bodies.size(), false), spoken = placed;
  for (ClosureStep& step : steps_) {
    for (const int i : step.path) spoken[At(i)] = true;
    if (step.form == StepForm::kCoupling || step.form == StepForm::kParallelogram) continue;
    // A closed form without known joints beyond its bases needs the poses of these two bodies only.
    // Newton, noisy frames and arms that depend on y need the whole path.
    const bool all = step.form == StepForm::kNumerical || step.noisy || !step.constant;
    std::vector<bool> needed(g_.bodies.size(), false);
    for (const int i : step.path) needed[At(i)] = all;
    for (const int end : {step.base, step.other}) {
      // Frames of one body see each other as they always do.
      for (int i = all || step.base == step.other ? -1 : end; i >= 0; i = g_.parent_in[At(i)])
        needed[At(i)] = true;
    }
    for (const int i : step.moved) needed[At(i)] = false;
    for (const int i : step.path) {
      if (!needed[At(i)] || placed[At(i)]) continue;
      step.fresh.push_back(i);
      placed[At(i)] = true;
    }
    // A closed form alone leaves the bodies it moves where they were: they count as unplaced, and
    // what nobody else places is late_, left to Rates.
    for (const int i : step.moved) placed[At(i)] = placed[At(i)] || all;
  }
  for (std::size_t i = 0; i < spoken.size(); ++i) {
    if (spoken[i]) all_.push_back(static_cast<int>(i));
    if (spoken[i] && !placed[i]) late_.push_back(static_cast<int>(i));
  }
}

}  // namespace kinemorph
