// What may differ, and who says so.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
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
  /// `field`: the key of the one of the feature's fields that differs; a loss of others excuses
  /// nothing.
  bool Take(Feature feature, const Subject& subject, std::string_view field = {});
  /// Both have it, with other values: a loss excuses that only where it says that there is a value
  /// left.
  bool TakeChanged(Feature feature, const Subject& subject);
  /// The loss of it in A, if there is one, names what is written instead.
  [[nodiscard]] bool IsReplaced(Feature feature, const Subject& subject) const;
  /// Both have it, with other values, and the conversion of either side may change it.
  bool TakeEither(Feature feature, const Subject& of_a, const Subject& of_b,
                  std::string_view field = {});
  /// Two links touch in one model only; each by its names in A and in B. A loss excuses the pairs
  /// that it names, and no others.
  bool TakeContact(const std::vector<std::string>& first, const std::vector<std::string>& second);
  /// B has it, A has not. True where A's format has no place for it: then it is an exception, or is
  /// skipped where the conversion adds it.
  bool TakeOfB(Feature feature, const Subject& subject);
  /// B has it because the conversion added it, or A's format does not know such things.
  bool SkipOfB(Feature feature, const Subject& subject);
  /// A loss that was taken out of its side before anything was compared.
  void Except(const Loss& loss);
  void Except(Feature feature, const Subject& subject);
  /// Content of one format that the other has no place for.
  void Except(const NativeData& data, const Subject& owner);
  /// Loops and couplings that a report calls lost are in the other model in another way.
  void KeepConstraints() { keeps_constraints_ = true; }
  /// The report of one side does not count this loss: the other side's conversion adds what is
  /// lost.
  void Expect(const Loss& loss) { expected_.insert(KeyOf(loss)); }

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
  using LossByName = std::unordered_map<std::string, const Loss*>;
  struct Losses {  // of one feature, and one of its fields where a loss says which
    std::unordered_map<std::uint32_t, const Loss*> origins;
    LossByName texts, names, joints, links;
    const Loss* whole = nullptr;  // of the model
  };
  using Lost = std::pair<Feature, std::string>;
  // What a conversion of one side says.
  struct Word {
    const LossReport* report = nullptr;
    std::map<Lost, Losses> losses;
    LossByName contacts;  // by two links, or by one that touches any other link otherwise
    std::unordered_map<std::string, std::vector<std::string>> other;  // names that it went through
  };
  static Word WordOf(const LossReport* report);
  static void AddContacts(const Loss& loss, LossByName& contacts);
  static const Loss* OfContact(const Word& word, std::vector<std::string> first,
                               std::vector<std::string> second);
  static const Loss* Named(const Word& word, Feature feature, const Subject& subject,
                           std::string_view field = {});
  static const Loss* NamedAs(const Word& word, const Losses& of, const Subject& subject,
                             bool itself);
  static std::string KeyOf(const Loss& loss);

  struct Item {
    std::vector<Subject> subjects;
    std::vector<std::string> content;
    std::set<std::string> told;
    bool Add(const Subject& subject) {  // false: it is there already
      const bool fresh = told.insert(Text(subject)).second;
      if (fresh) subjects.push_back(subject);
      return fresh;
    }
  };
  Item& ItemOf(Feature feature, Weight weight, bool asked = false) {
    return exceptions_[{feature, weight, asked}];
  }

  const Side& a_;
  const Side& b_;
  const Model* written_;
  bool assumed_ = false, same_format_ = false, keeps_constraints_ = false;
  FeatureSet allowed_, lost_by_b_, lost_by_a_;  // by feature
  Word of_a_, of_b_;
  std::set<std::string> expected_;
  std::map<std::tuple<Feature, Weight, bool>, Item> exceptions_;  // true: as asked
  std::map<Feature, Item> skipped_;
};

/// A loop joint or a coupling.
[[nodiscard]] inline bool IsConstraint(Feature feature) {
  return In(feature, feature_group::kLoops | feature_group::kCouplings);
}
/// "spring of 4 joints", "2 sensors": what the verdict says of an exception.
[[nodiscard]] std::string Phrase(const VerifyException& exception);

}  // namespace kinemorph::verify
