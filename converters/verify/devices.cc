// Sensors and actuators, compared by name and by what they are on.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>

#include "kinemorph/formats/drive_law.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/checks/feature.h"
#include "kinemorph/graph/model/field_text.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/sensor_parts.h"
#include "verify/content.h"

namespace kinemorph::verify {
namespace {

std::string Quoted(const std::string& name) { return "'" + name + "'"; }

// By name, and where several have it, the one that is most alike.
class Devices : Compared {
 public:
  Devices(const Compared& sides, NativeText& native) : Compared(sides), native_(native) {}

  void Run(std::vector<Worst>& checks) {
    CompareSensors();
    CompareDrives();
    AddMade({&drives_, &sensors_}, checks);
  }

 private:
  template <class Item>
  using ByName = std::unordered_multimap<std::string, const Item*>;

  // What is kept of it, less its pose on a link and, where a conversion may have merged that, the
  // link's name: both are compared as such.
  [[nodiscard]] NativeData SaidOf(const Sensor& sensor) const {
    NativeData said = sensor.native;
    if (sensor.link == kNoLink) return said;
    said.content = Without(said, ContentRole::kPlace);
    if (Converted()) said.content = Without(said, ContentRole::kOwner);
    return said;
  }

  void CompareSensors() {
    const Model &model_a = *a_.original, &model_b = *b_.original;
    // Formats call sensors otherwise, so that between formats kind and place come first; names are
    // for the rest.
    const std::set<const Sensor*> met =
        excuses_.same_format() ? std::set<const Sensor*>() : MeetByKind();
    ByName<Sensor> there;
    for (const Sensor& sensor : model_b.sensors)
      if (!met.contains(&sensor)) there.emplace(PlainName(sensor.name), &sensor);
    const auto name_in_b = [&](const Sensor& sensor) {
      return match_.renames.Of(SubjectKind::kSensor, sensor.where, sensor.name);
    };
    // Those first whose words stand there too: they may share their name with one that is lost.
    std::vector<const Sensor*> here;
    for (const Sensor& sensor : model_a.sensors)
      if (!met.contains(&sensor)) here.push_back(&sensor);
    std::stable_partition(here.begin(), here.end(), [&](const Sensor* sensor) {
      const auto [begin, end] = there.equal_range(PlainName(name_in_b(*sensor)));
      return std::any_of(begin, end, [&](const auto& other) {
        return NativeText::SaysTheSame(sensor->native, other.second->native);
      });
    });
    for (const Sensor* const each : here) {
      const Sensor& sensor = *each;
      const std::string name_b = name_in_b(sensor);
      const Subject subject = SubjectOf(model_a, sensor);
      std::string why = "is not in B";
      double error = kMissing;
      const auto best = Best(there, PlainName(name_b), sensor, error, why);
      if (error > sensors_.check().tolerance) {
        sensors_.Differ(excuses_.Take(Feature::kSensor, subject), sensor.name,
                        Text(subject) + " " + why);
      } else {
        sensors_.Add(error, sensor.name);
        // Kept text holds the sensor's name as an attribute, which a conversion may have changed.
        CompareNumbers(sensor, *best->second, subject, SubjectOf(model_b, *best->second));
        NativeData said = SaidOf(sensor);
        if (name_b != sensor.name) SetAttribute(said.content.attributes, "name", name_b);
        native_.Compare({std::move(said)}, {SaidOf(*best->second)}, subject);
      }
      if (best != there.end()) there.erase(best);
    }
    for (const auto& [name, sensor] : there) {
      const Subject subject = SubjectOf(model_b, *sensor);
      sensors_.Differ(excuses_.TakeOfB(Feature::kSensor, subject), sensor->name,
                      Text(subject) + " is not in A");
    }
  }

  // Of those of a name the one that is most alike; of several that are as much, the one that says the
  // same.
  template <class Item>
  typename ByName<Item>::const_iterator Best(const ByName<Item>& there, const std::string& name,
                                             const Item& item, double& error,
                                             std::string& why) const {
    const auto [begin, end] = there.equal_range(name);
    auto best = there.end();
    for (auto at = begin; at != end; ++at) {
      std::string reason;
      const double apart = ErrorOf(item, *at->second, reason);
      const bool nearer = best == there.end() || apart < error;
      const bool alike = !nearer && apart == error &&
                         NativeText::SaysTheSame(item.native, at->second->native) &&
                         !NativeText::SaysTheSame(item.native, best->second->native);
      if (nearer || alike) best = at, error = apart, why = reason;
    }
    return best;
  }

  // Formats call sensors differently, and what is one in one is two in the other: those of a kind at
  // one place are the same. Returns the sensors all of whose parts have met.
  std::set<const Sensor*> MeetByKind() {
    const Model &model_a = *a_.original, &model_b = *b_.original;
    struct Half {
      const Sensor* whole;
      Sensor part;
      std::size_t other;  // of the other side
    };
    constexpr std::size_t kAlone = std::numeric_limits<std::size_t>::max();
    const auto halves = [](const Model& model) {
      std::vector<Half> all;
      for (const Sensor& sensor : model.sensors)
        if (const std::optional<Sensor> placed = OnLink(model, sensor);
            placed && sensor.kind != SensorKind::kOther && placed->link != kNoLink)
          for (Sensor& part : PartsOf(*placed)) all.push_back({&sensor, std::move(part), kAlone});
      return all;
    };
    std::vector<Half> of_a = halves(model_a), of_b = halves(model_b);

    // Halves of one kind at one place meet, each once: those of one name first, for others may be
    // lost; then in the order of the files.
    const auto of_one_name = [&](const Half& a, const Half& b) {
      return PlainName(match_.renames.Of(SubjectKind::kSensor, a.whole->where, a.whole->name)) ==
             PlainName(b.whole->name);
    };
    for (std::size_t k = 0; k < 2 * of_a.size(); ++k)
      for (std::size_t i = k % of_a.size(), j = 0; j < of_b.size() && of_a[i].other == kAlone;
           ++j) {
        const Half &a = of_a[i], &b = of_b[j];
        if (b.other == kAlone && a.part.kind == b.part.kind &&
            (k >= of_a.size() || of_one_name(a, b)) &&
            a.whole->native.format != b.whole->native.format &&
            Apart(a.part, b.part) <= sensors_.check().tolerance)
          of_a[i].other = j, of_b[j].other = i;
      }

    // A sensor has met only if all its halves have, and all halves of those that they met.
    std::set<const Sensor*> incomplete, met;
    const auto leave = [&](const std::vector<Half>& here, const std::vector<Half>& there) {
      for (const Half& half : here)
        if (half.other == kAlone || incomplete.contains(there[half.other].whole))
          incomplete.insert(half.whole);
    };
    leave(of_a, of_b), leave(of_b, of_a), leave(of_a, of_b);
    for (const Half& half : of_a) {
      if (incomplete.contains(half.whole)) continue;
      const Half& other = of_b[half.other];
      sensors_.Add(0, half.whole->name);
      CompareNumbers(half.part, other.part, SubjectOf(model_a, *half.whole),
                     SubjectOf(model_b, *other.whole));
      CompareChoices(half.part, other.part, SubjectOf(model_a, *half.whole),
                     SubjectOf(model_b, *other.whole));
      if (met.insert(half.whole).second)
        native_.Compare(Untold(*half.whole), {}, SubjectOf(model_a, *half.whole));
      if (met.insert(other.whole).second)
        native_.Compare({}, Untold(*other.whole), SubjectOf(model_b, *other.whole));
    }
    return met;
  }

  static std::vector<NativeData> Untold(const Sensor& sensor) {
    const std::optional<NativeData> rest = BeyondFields(sensor);
    return rest ? std::vector{*rest} : std::vector<NativeData>();
  }

  // How often and how well the two measure.
  void CompareNumbers(const Sensor& a, const Sensor& b, const Subject& of_a, const Subject& of_b) {
    ForEachField<Sensor>([&]<class Value>(const Field<Sensor, Value>& field) {
      if constexpr (std::same_as<Value, std::optional<double>>) {
        const std::optional<double> x = Said(a, field), y = Said(b, field);
        if ((!x && !y) || (x && y && RelativeError(*x, *y, 0) <= options_.tolerance)) return;
        const std::string told = Text(of_a) + " has " + std::string(field.words) + " " +
                                 ValueText(x) + ", not " + ValueText(y);
        sensors_.Differ(x ? excuses_.Take(Feature::kNativeData, SubjectOf(a.native, of_a))
                          : excuses_.TakeOfB(Feature::kNativeData, SubjectOf(b.native, of_b)),
                        of_a.name, told);
      }
    });
  }

  // What is counted from where, which way forces act, and about which point their moments.
  void CompareChoices(const Sensor& a, const Sensor& b, const Subject& of_a, const Subject& of_b) {
    const auto differ = [&](bool differs, const std::string& what) {
      if (differs)
        sensors_.Differ(excuses_.TakeEither(Feature::kNativeData, SubjectOf(a.native, of_a),
                                            SubjectOf(b.native, of_b)),
                        of_a.name, Text(of_a) + " " + what);
    };
    differ(a.orientation != b.orientation, "counts its orientation " + ValueText(a.orientation) +
                                               ", not " + ValueText(b.orientation));
    differ(a.on_parent != b.on_parent, "measures the forces of the other side");
    differ(a.kind == SensorKind::kTorque && PlaceError(a, b) > sensors_.check().tolerance,
           "measures moments about another point");
  }

  [[nodiscard]] double ErrorOf(const Sensor& a, const Sensor& b, std::string& why) const {
    const Model &model_a = *a_.original, &model_b = *b_.original;
    if (a.type != b.type) {
      why = "is of type '" + b.type + "', not '" + a.type + "'";
      return kMissing;
    }
    if (a.joint != kNoJoint && b.joint != kNoJoint &&
        !SameJointName(model_a.joint(a.joint).name, model_b.joint(b.joint).name)) {
      why = "is on joint " + Quoted(model_b.joint(b.joint).name) + ", not on " +
            Quoted(model_a.joint(a.joint).name);
      return kMissing;
    }
    if (!Converted() && ((a.joint == kNoJoint) != (b.joint == kNoJoint) ||
                         (a.link == kNoLink) != (b.link == kNoLink))) {
      why = "is on something else";
      return kMissing;
    }
    why = "is at another place";
    return Apart(a, b);
  }

  // A's name, through the report, or a part of a joint that was split.
  [[nodiscard]] bool SameJointName(const std::string& a, const std::string& b) const {
    const auto ja = names_a_.Joint(a), jb = names_b_.Joint(b);
    const SourceLocation where = ja ? a_.model.joint(*ja).where : SourceLocation{};
    if (match_.renames.Of(SubjectKind::kJoint, where, a) == b) return true;
    if (!Converted()) return false;
    if (ja && jb && relations_.b_of_a[Index(*ja)] == *jb) return true;
    return PlainName(a) == PlainName(b) || (!ja || relations_.b_of_a[Index(*ja)] == kNoJoint);
  }

  [[nodiscard]] double Apart(const Sensor& a, const Sensor& b) const {
    if (a.link == kNoLink || b.link == kNoLink) return 0;  // on a joint
    // A force is the same wherever on the link it is measured; moments are compared apart.
    return PlaceError(a, b, MeasuresForces(a.kind) && a.native.format != b.native.format);
  }

  [[nodiscard]] double PlaceError(const Sensor& a, const Sensor& b, bool turn_only = false) const {
    // Places are compared in the rigid group, as links may have been merged.
    const int body = a_.m.body_of[Index(a.link)], body_b = b_.m.body_of[Index(b.link)];
    const auto group = groups_.b_of_a.find(groups_.a.group[U(body)]);
    if (group == groups_.b_of_a.end() || group->second.b != groups_.b.group[U(body_b)])
      return kMissing;
    RigidTransform X_a = group->second.X_ba * groups_.a.X[U(body)] * a.X_LS;
    const RigidTransform X_b = groups_.b.X[U(body_b)] * b.X_LS;
    if (turn_only) X_a.p = X_b.p;
    return PoseError(X_a, X_b, a_.m.length);
  }

  void CompareDrives() {
    const Model &model_a = *a_.original, &model_b = *b_.original;

    // By name, and of what is left by what a drive does: a name is the surer sign where several
    // drives are alike.
    ByName<Actuator> there;
    for (const Actuator& drive : model_b.actuators) there.emplace(PlainName(drive.name), &drive);
    num_drives_.assign(model_a.num_joints(), 0);
    for (const Actuator& drive : model_a.actuators)
      if (drive.joint != kNoJoint) ++num_drives_[Index(drive.joint)];
    std::vector<const Actuator*> unmatched;
    for (const Actuator& drive : model_a.actuators) {
      std::string why;
      double error = kMissing;
      const auto best = Best(there, PlainName(drive.name), drive, error, why);
      if (best == there.end()) {
        unmatched.push_back(&drive);
      } else {
        ConcludeDrive(drive, best->second, why);
        there.erase(best);
      }
    }
    // A format may call a drive after its joint. Of several there one is left, whose law it knows.
    std::stable_partition(unmatched.begin(), unmatched.end(),
                          [](const Actuator* drive) { return drive->kind != DriveKind::kOther; });
    for (const Actuator* drive : unmatched) {
      const auto on_it = [&](const auto& item) {
        return AreOnOneJoint(*drive, *item.second) && DriveDifference(*drive, *item.second).empty();
      };
      const auto found =
          Converted() ? std::find_if(there.begin(), there.end(), on_it) : there.end();
      ConcludeDrive(*drive, found == there.end() ? nullptr : found->second,
                    found == there.end() ? "is not in B" : "");
      if (found != there.end()) there.erase(found);
    }
    for (const auto& [name, drive] : there) {
      const Subject subject = SubjectOf(model_b, *drive);
      if (excuses_.written() != nullptr && WasAdded(*drive))
        excuses_.SkipOfB(DriveFeature(*drive), subject);
      else
        drives_.Differ(excuses_.TakeOfB(DriveFeature(*drive), subject), drive->name,
                       Text(subject) + " is not in A");
    }
  }

  // Both on none, or on two that are one: what hung on a joint that is gone is nobody's.
  [[nodiscard]] bool AreOnOneJoint(const Actuator& a, const Actuator& b) const {
    if (a.joint == kNoJoint || b.joint == kNoJoint) return a.joint == b.joint;
    const Joint &joint_a = a_.original->joint(a.joint), &joint_b = b_.original->joint(b.joint);
    const auto ja = names_a_.Joint(joint_a.name), jb = names_b_.Joint(joint_b.name);
    return (ja && jb && relations_.b_of_a[Index(*ja)] == *jb) ||
           match_.renames.Of(SubjectKind::kJoint, joint_a.where, joint_a.name) == joint_b.name ||
           PlainName(joint_a.name) == PlainName(joint_b.name);
  }

  void ConcludeDrive(const Actuator& drive, const Actuator* other, const std::string& why) {
    const Subject subject = SubjectOf(*a_.original, drive);
    if (why.empty()) {
      drives_.Add(0, drive.name);
      CompareCommands(drive, *other, subject);
      // The law was compared: the word for it is no content.
      NativeData words = other->native;
      if (words.format == drive.native.format)
        words.element = drive.native.element, words.content.name = drive.native.content.name;
      if (!InOtherWords(drive, *other))
        native_.Compare({drive.native}, {words}, subject);
      else
        CompareRest(drive, *other, subject);
    } else {
      drives_.Differ(excuses_.Take(DriveFeature(drive), subject), drive.name,
                     Text(subject) + " " + why);
    }
  }

  // Two formats, and a law that both have words for: the elements differ, and the fields must not.
  [[nodiscard]] static bool InOtherWords(const Actuator& a, const Actuator& b) {
    return a.native.format != b.native.format && a.kind != DriveKind::kOther && a.kind == b.kind;
  }

  // What the elements say beside the law.
  void CompareRest(const Actuator& a, const Actuator& b, const Subject& subject) {
    const auto rest = [](const Actuator& drive) {
      const std::optional<NativeData> data = BeyondFields(drive);
      return data ? std::vector{*data} : std::vector<NativeData>();
    };
    native_.Compare(rest(a), {}, subject);
    native_.Compare({}, rest(b), SubjectOf(*b_.original, b));
  }

  [[nodiscard]] static bool IsOfCommands(const NumberField<Actuator>& field) {
    return field.member == &Actuator::control_lower || field.member == &Actuator::control_upper ||
           field.member == &Actuator::target;
  }

  // What may be asked of the two, and how hard they pull then.
  void CompareCommands(const Actuator& a, const Actuator& b, const Subject& subject) {
    if (!InOtherWords(a, b)) return;
    ForEachField<Actuator>([&]<class Value>(const Field<Actuator, Value>& field) {
      if constexpr (std::same_as<Value, std::optional<double>>) {
        const Value x = a.*field.member, y = b.*field.member;
        if (!IsOfCommands(field) || (!x && !y) ||
            (x && y && RelativeError(*x, *y, 1) <= options_.tolerance))
          return;
        const Subject of_b = SubjectOf(*b_.original, b);
        drives_.Differ(
            x ? excuses_.Take(Feature::kNativeData, SubjectOf(a.native, subject), field.key)
              : excuses_.TakeOfB(Feature::kNativeData, SubjectOf(b.native, of_b)),
            a.name,
            Text(subject) + " has " + std::string(field.words) + " " + ValueText(x) + ", not " +
                ValueText(y));
      }
    });
    const auto [lower_a, upper_a] = EffortRange(*a_.original, a);
    const auto [lower_b, upper_b] = EffortRange(*b_.original, b);
    const auto same = [&](double x, double y) {
      return x == y || RelativeError(x, y, 0) <= options_.tolerance;
    };
    // A joint may be turned round.
    if ((same(lower_a, lower_b) && same(upper_a, upper_b)) ||
        (same(lower_a, -upper_b) && same(upper_a, -lower_b)))
      return;
    // Several drives may share the limit of their joint; of one, a limit is one magnitude there, or is
    // lost.
    const double most = std::max(-lower_a, upper_a);
    const bool shared = num_drives_[Index(a.joint)] > 1,
               any = lower_b == -upper_b && std::isinf(upper_b),
               even = same(upper_b, most) && same(lower_b, -most);
    const Subject of_joint = SubjectOf(a_.original->joint(a.joint));
    drives_.Differ((any && excuses_.Take(Feature::kEffortLimit, subject)) ||
                       ((shared || even) && excuses_.Take(Feature::kEffortLimit, of_joint)),
                   a.name,
                   Text(subject) + " gives efforts from " + FormatNumber(lower_a) + " to " +
                       FormatNumber(upper_a) + ", not from " + FormatNumber(lower_b) + " to " +
                       FormatNumber(upper_b));
  }

  // At the joint (N m, N): within its own range and the joint's; infinite where nothing is said.
  [[nodiscard]] static std::pair<double, double> EffortRange(const Model& model,
                                                             const Actuator& drive) {
    const Actuator at_joint = AtJoint(drive);
    const Joint& joint = model.joint(drive.joint);
    double lower = at_joint.effort_lower.value_or(-HUGE_VAL),
           upper = at_joint.effort_upper.value_or(HUGE_VAL);
    if (joint.axes.size() == 1 && joint.axes[0].effort &&
        *joint.axes[0].effort < FormatLimits::kNone) {
      upper = std::min(upper, *joint.axes[0].effort);
      lower = std::max(lower, joint.axes[0].effort_lower.value_or(-*joint.axes[0].effort));
    }
    return {lower, upper};
  }

  // A drive that A does not have is the conversion's where the user asked for motors; a report of
  // what is assumed asks for none.
  [[nodiscard]] bool WasAdded(const Actuator& drive) const {
    const std::vector<Actuator>& written = excuses_.written()->actuators;
    return std::any_of(written.begin(), written.end(),
                       [&](const Actuator& other) { return other.name == drive.name; });
  }

  [[nodiscard]] double ErrorOf(const Actuator& a, const Actuator& b, std::string& why) const {
    why = DriveDifference(a, b);
    return why.empty() ? 0 : kMissing;
  }

  // But for the name, which a conversion gives to the nameless.
  static bool InSameWords(const Actuator& a, const Actuator& b) {
    NativeData of_a = a.native, of_b = b.native;
    for (NativeData* const native : {&of_a, &of_b})
      std::erase_if(native->content.attributes,
                    [](const auto& said) { return said.first == "name"; });
    return a.type == b.type && !of_a.format.empty() && NativeText::SaysTheSame(of_a, of_b);
  }

  // Empty: the two do the same.
  [[nodiscard]] std::string DriveDifference(const Actuator& a, const Actuator& b) const {
    const Model &model_a = *a_.original, &model_b = *b_.original;
    if (a.joint != kNoJoint && b.joint != kNoJoint &&
        !SameJointName(model_a.joint(a.joint).name, model_b.joint(b.joint).name))
      return "drives " + Quoted(model_b.joint(b.joint).name) + ", not " +
             Quoted(model_a.joint(a.joint).name);
    if ((a.joint == kNoJoint) != (b.joint == kNoJoint)) return "drives something else";
    // What is said in the same words is the same law, also where one side does not know the inertia
    // that a damping ratio goes by.
    const bool same_words = InSameWords(a, b);
    if (a.joint != kNoJoint && a.kind != b.kind && !same_words && (IsServo(a) || IsServo(b)))
      return "is commanded " + CommandText(b.kind) + ", not " + CommandText(a.kind);
    // A number that only one side has counts only if both say their drives in the same words.
    const bool comparable = !same_words && a.native.format == b.native.format &&
                            (!a.native.format.empty() || excuses_.same_format());
    const auto differ = [&](std::optional<double> x, std::optional<double> y) {
      return x && y ? RelativeError(*x, *y, 0) > options_.tolerance
                    : comparable && x.has_value() != y.has_value();
    };
    std::string difference;
    // Seen from the joint, where one of the formats has no gears.
    const bool at_joint = InOtherWords(a, b) && !(HasGear(a) && HasGear(b));
    const Actuator own_a = at_joint ? AtJoint(a) : a, own_b = at_joint ? AtJoint(b) : b;
    ForEachField<Actuator>([&]<class Value>(const Field<Actuator, Value>& field) {
      Value x = own_a.*field.member, y = own_b.*field.member;
      if constexpr (std::same_as<Value, std::optional<double>>) {
        const bool law = field.units != unit::kNone;
        if (law && InOtherWords(a, b)) x = x.value_or(0), y = y.value_or(0);
        if (IsOfCommands(field) && InOtherWords(a, b)) return;
      }
      if constexpr (requires { differ(x, y); })
        if (difference.empty() && differ(x, y))
          difference =
              "has " + std::string(field.words) + " " + ValueText(y) + ", not " + ValueText(x);
    });
    // One law has several words: MuJoCo saves a motor as `general`.
    const bool one_law = a.kind == b.kind && a.kind != DriveKind::kOther;
    if (difference.empty() && comparable && a.type != b.type && !one_law)
      difference = "is of type '" + b.type + "', not '" + a.type + "'";
    return difference;
  }

  [[nodiscard]] static bool HasGear(const Actuator& drive) {
    const Format* const format = FormatOfFamily(drive.native.format);
    return format == nullptr || format->drives.has_gears;
  }
  [[nodiscard]] static std::string CommandText(DriveKind kind) {
    return kind == DriveKind::kOther
               ? "by a law of its own"
               : "a" + std::string(kind == DriveKind::kEffort ? "n " : " ") + ValueText(kind);
  }

  NativeText& native_;
  std::vector<int> num_drives_;  // by joint of A
  const Names names_a_{a_.model}, names_b_{b_.model};
  Worst drives_{"drives", 0}, sensors_{"sensors", options_.tolerance};
};

}  // namespace

void CompareDevices(const Compared& sides, NativeText& native, std::vector<Worst>& checks) {
  Devices(sides, native).Run(checks);
}

}  // namespace kinemorph::verify
