// What may differ, and who says so.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "verify/correspondence.h"

namespace kinemorph::verify {

/// Asked of every difference; what is excused is an exception of the verdict, never forgotten.
class Excuses {
 public:
  Excuses(const Side& a, const Side& b, const VerifyOptions& options);

  /// A has it, B has not (or has another value). True where the report or the caller excuses it:
  /// then it is an exception, under the feature and the subject that the report names.
  bool Take(Feature feature, const Subject& subject);
  /// Both have it, with other values: a loss excuses that only where it says that there is a value
  /// left.
  bool TakeChanged(Feature feature, const Subject& subject);
  /// B has it, A has not. True where A's format cannot say it and it moves nothing: then it is
  /// skipped.
  bool TakeOfB(Feature feature, const Subject& subject);
  /// B has it because the conversion added it, or A's format does not know such things.
  bool SkipOfB(Feature feature, const Subject& subject);
  /// A loss that was taken out of A before anything was compared.
  void Except(Feature feature, const Subject& subject);

  /// A and B are in one format: names and native text are compared too.
  [[nodiscard]] bool same_format() const { return same_format_; }
  /// B as a conversion writes it; null where there is none.
  [[nodiscard]] const Model* written() const { return written_; }
  /// What the report loses between two formats although nothing here tells the difference: what
  /// the target holds as a remark that nobody enforces is lost all the same.
  void ExceptUnseen();
  /// Exceptions and skipped rows.
  void Tell(VerifyResult& result) const;

 private:
  [[nodiscard]] const Loss* Named(Feature feature, const Subject& subject) const;
  [[nodiscard]] const Loss* NamedAs(Feature lost, const Subject& subject) const;

  using LossByName = std::unordered_map<std::string, const Loss*>;
  using Place = std::tuple<SubjectKind, std::uint32_t, std::uint32_t>;  // with file and line
  struct Losses {                                                       // of one feature
    LossByName texts, names, joints, links;
    std::map<Place, const Loss*> places;  // of parts that a pass moved to another link
    const Loss* whole = nullptr;          // of the model
  };
  struct Item {
    std::vector<std::string> subjects;
    std::set<std::string> told;
    Weight weight = Weight::kLooks;
  };
  const Side& a_;
  const Side& b_;
  const LossReport* report_;
  const Model* written_;
  bool same_format_ = false;
  FeatureSet allowed_, lost_by_b_, lost_by_a_;  // by feature
  std::map<Feature, Losses> losses_;
  std::unordered_map<std::string, std::vector<std::string>> other_;  // names that A's went through
  std::map<Feature, Item> exceptions_, skipped_;
};

/// "spring of 4 joints", "2 sensors": what the verdict says of an exception.
[[nodiscard]] std::string Phrase(const VerifyException& exception);

}  // namespace kinemorph::verify
