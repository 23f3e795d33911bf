// The specs of a crate, from the layer downwards -> text.
#include <algorithm>
#include <array>

#include "crate/crate.h"
#include "crate/tables.h"
#include "crate/values.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph::usd {
namespace {

constexpr int kDeepestCratePrim = 101;  // the reader of the text says that it is too deep
constexpr std::uint64_t kPrimBytes = 512, kPropertyBytes = 192;  // what the reader makes of each

// What the text calls a field otherwise.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOtherNames = {
    {{"documentation", "doc"},
     {"inheritPaths", "inherits"},
     {"variantSetNames", "variantSets"},
     {"variantSelection", "variants"},
     {"layerRelocates", "relocates"}}};

// Fields that stand elsewhere than in parentheses, or are in how the text is built.
bool IsStructure(std::string_view field) {
  constexpr std::array<std::string_view, 22> kFields = {"specifier",
                                                        "typeName",
                                                        "primChildren",
                                                        "properties",
                                                        "variantSetChildren",
                                                        "variantChildren",
                                                        "connectionChildren",
                                                        "targetChildren",
                                                        "mapperChildren",
                                                        "mapperArgChildren",
                                                        "expressionChildren",
                                                        "variability",
                                                        "custom",
                                                        "default",
                                                        "timeSamples",
                                                        "spline",
                                                        "connectionPaths",
                                                        "targetPaths",
                                                        "primOrder",
                                                        "propertyOrder",
                                                        "subLayers",
                                                        "subLayerOffsets"};
  return std::find(kFields.begin(), kFields.end(), field) != kFields.end();
}

// A word that the text can say without quotes.
bool IsPlainWord(std::string_view word, std::string_view also) {
  return !word.empty() && !IsDigit(word[0]) && std::all_of(word.begin(), word.end(), [&](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80 || also.find(c) != std::string_view::npos;
  });
}

// A recursive descent over prims, which nest up to a bound and are written once each.
class LayerText {
 public:
  explicit LayerText(const CrateTables& tables)
      : tables_(tables), decoding_(tables.decoding()), values_(tables) {}

  std::optional<std::string> Run() {
    written_.resize(tables_.paths().size());
    out_ = "#usda 1.0\n";
    const std::uint32_t root = tables_.root();
    if (root != kNone && tables_.paths()[root].spec != kNone) OfLayer(root);
    if (decoding_.failed()) return std::nullopt;
    return std::move(out_);
  }

 private:
  // The fields of a spec, by name.
  class Fields {
   public:
    Fields(const CrateTables& tables, std::uint32_t path)
        : tables_(tables), all_(tables.FieldsOf(tables.specs()[tables.paths()[path].spec])) {}
    [[nodiscard]] const std::vector<CrateField>& all() const { return all_; }
    [[nodiscard]] std::optional<std::uint64_t> Find(std::string_view name) const {
      for (const CrateField& field : all_)
        if (tables_.Token(field.name) == name) return field.value;
      return std::nullopt;
    }

   private:
    const CrateTables& tables_;
    std::vector<CrateField> all_;
  };

  bool Fail(const std::string& what, std::uint32_t path) {
    return decoding_.Fail(decoding_.last,
                          what + " ('" + tables_.PathText(path).substr(0, 200) + "')");
  }
  void Say(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) out_ += word;
  }
  std::string_view WordOf(const Fields& fields, std::string_view name) {
    const auto value = fields.Find(name);
    return value ? values_.Word(*value) : std::string_view();
  }
  std::uint32_t ChoiceOf(const Fields& fields, std::string_view name, std::uint32_t otherwise) {
    const auto value = fields.Find(name);
    return value ? values_.Choice(*value) : otherwise;
  }

  void OfLayer(std::uint32_t path) {
    const Fields fields(tables_, path);
    Say({"(\n"});
    Metadata(fields, path);
    if (const auto layers = fields.Find("subLayers")) {
      Say({"subLayers = "});
      values_.AppendSublayers(*layers, fields.Find("subLayerOffsets").value_or(0), out_);
      Say({"\n"});
    }
    Say({")\n"});
    Body(fields, path, 0);
  }

  // In parentheses. What is said in the body instead is passed over.
  bool Metadata(const Fields& fields, std::uint32_t path) {
    for (const CrateField& field : fields.all()) {
      std::string_view name = tables_.Token(field.name);
      if (IsStructure(name)) continue;
      for (const auto& [crate, text] : kOtherNames)
        if (name == crate) name = text;
      if (!IsPlainWord(name, ":")) return Fail("a field has a name that is none", path);
      if (name == "comment")  // the text has no name for it
        AppendQuoted(values_.Word(field.value), out_), Say({"\n"});
      else if (!values_.AppendEdits(field.value, name, out_))
        return false;
    }
    return !decoding_.failed();
  }

  // What stands between { and }: properties, variants, prims.
  bool Body(const Fields& fields, std::uint32_t path, int depth) {
    const auto words = [&](std::string_view name) {
      const auto value = fields.Find(name);
      return value ? values_.Words(*value) : std::vector<std::string_view>();
    };
    const auto properties = words("properties"), sets = words("variantSetChildren"),
               prims = words("primChildren");
    const bool layer = path == tables_.root();
    const auto order = fields.Find("primOrder"), ordered = fields.Find("propertyOrder");
    if (order &&
        !values_.AppendEdits(*order, layer ? "reorder rootPrims" : "reorder nameChildren", out_))
      return false;
    if (ordered && !values_.AppendEdits(*ordered, "reorder properties", out_)) return false;
    if (!properties.empty()) {
      const auto named = tables_.Children(path, true);
      for (const std::string_view name : properties)
        if (!OneProperty(ChildOf(named, name, path))) return false;
    }
    if (sets.empty() && prims.empty()) return !decoding_.failed();
    const auto named = tables_.Children(path, false);
    for (const std::string_view set : sets)
      if (!OneVariantSet(named, set, path, depth)) return false;
    for (const std::string_view name : prims)
      if (!OnePrim(ChildOf(named, name, path), depth)) return false;
    return !decoding_.failed();
  }

  // The child of a name, which must be described, and is written once. kNone, and a fault, else.
  std::uint32_t ChildOf(const std::unordered_map<std::string_view, std::uint32_t>& named,
                        std::string_view name, std::uint32_t parent) {
    const auto found = named.find(name);
    const bool is = found != named.end() && tables_.paths()[found->second].spec != kNone;
    if (!is || written_[found->second]) {
      Fail(std::string(is ? "two children" : "a child that is not there:") + " '" +
               std::string(name.substr(0, 200)) + "'",
           parent);
      return kNone;
    }
    written_[found->second] = true;
    return found->second;
  }

  bool OnePrim(std::uint32_t path, int depth) {
    if (path == kNone || !decoding_.Take(1, kPrimBytes, decoding_.last)) return false;
    if (depth > kDeepestCratePrim) return Fail("prims nest more than 100 levels deep", path);
    constexpr std::array<const char*, 3> kSpecifiers = {"def", "over", "class"};
    const Fields fields(tables_, path);
    const std::uint32_t specifier = ChoiceOf(fields, "specifier", 1);
    const std::string_view type = WordOf(fields, "typeName");
    const std::string_view name = tables_.Token(tables_.paths()[path].token);
    if (specifier > 2 || (!type.empty() && !IsPlainWord(type, ":")) ||
        name.find_first_of("/<>.\"'\\ \n[]{}()@") != std::string_view::npos)
      return Fail("a prim of no known kind, or with a name that is none", path);
    Say({kSpecifiers[specifier], " ", type, type.empty() || type == "__AnyType__" ? "" : " ", "\"",
         name, "\" (\n"});
    if (!Metadata(fields, path)) return false;
    Say({")\n{\n"});
    if (!Body(fields, path, depth + 1)) return false;
    Say({"}\n"});
    return true;
  }

  // Sets and their variants are children of the prim side by side: "{set=}", "{set=variant}".
  bool OneVariantSet(const std::unordered_map<std::string_view, std::uint32_t>& named,
                     std::string_view set, std::uint32_t parent, int depth) {
    const std::string start = "{" + std::string(set) + "=";
    const std::uint32_t path = ChildOf(named, start + "}", parent);
    if (path == kNone) return false;
    Say({"variantSet "});
    AppendQuoted(set, out_);
    Say({" = {\n"});
    const auto variants = Fields(tables_, path).Find("variantChildren");
    for (const std::string_view name :
         variants ? values_.Words(*variants) : std::vector<std::string_view>()) {
      const std::uint32_t variant = ChildOf(named, start + std::string(name) + "}", parent);
      if (variant == kNone || !decoding_.Take(1, kPrimBytes, decoding_.last)) return false;
      if (depth > kDeepestCratePrim) return Fail("prims nest more than 100 levels deep", path);
      const Fields fields(tables_, variant);
      AppendQuoted(name, out_);
      Say({" (\n"});
      if (!Metadata(fields, variant)) return false;
      Say({") {\n"});
      if (!Body(fields, variant, depth + 1)) return false;
      Say({"}\n"});
    }
    Say({"}\n"});
    return !decoding_.failed();
  }

  // [custom] [uniform] type name [= value] [(metadata)]; what else there is of it, on lines of its
  // own.
  bool OneProperty(std::uint32_t path) {
    if (path == kNone || !decoding_.Take(1, kPropertyBytes, decoding_.last)) return false;
    const Fields fields(tables_, path);
    const std::string_view name = tables_.Token(tables_.paths()[path].token);
    if (!IsPlainWord(name, ":")) return Fail("a property has a name that is none", path);
    const SpecForm form = tables_.specs()[tables_.paths()[path].spec].form;
    if (form == SpecForm::kRelationship) return OneRelationship(fields, name, path);
    if (form != SpecForm::kAttribute) return Fail("a property of no known kind", path);
    const std::string_view type = WordOf(fields, "typeName");
    if (!IsPlainWord(type.ends_with("[]") ? type.substr(0, type.size() - 2) : type, ":"))
      return Fail("an attribute of no type", path);
    if (ChoiceOf(fields, "custom", 0) != 0) Say({"custom "});
    if (ChoiceOf(fields, "variability", 0) != 0) Say({"uniform "});
    const std::string start = std::string(type) + " " + std::string(name);
    Say({start});
    if (const auto value = fields.Find("default")) {
      Say({" = "});
      if (!values_.Append(*value, out_)) return false;
    }
    Say({" (\n"});
    if (!Metadata(fields, path)) return false;
    Say({")\n"});
    if (const auto samples = fields.Find("timeSamples")) {
      Say({start, ".timeSamples = "});
      if (!values_.AppendFirstSample(*samples, out_)) return false;
      Say({"\n"});
    }
    if (fields.Find("spline")) Say({start, ".spline = {\n}\n"});
    const auto connected = fields.Find("connectionPaths");
    return !connected || values_.AppendEdits(*connected, start + ".connect", out_);
  }

  bool OneRelationship(const Fields& fields, std::string_view name, std::uint32_t path) {
    const std::string start = std::string(ChoiceOf(fields, "custom", 0) != 0 ? "custom " : "") +
                              (ChoiceOf(fields, "variability", 0) == 0 ? "varying " : "") + "rel " +
                              std::string(name);
    Say({start, " (\n"});
    if (!Metadata(fields, path)) return false;
    Say({")\n"});
    const auto targets = fields.Find("targetPaths");
    return !targets || values_.AppendEdits(*targets, "rel " + std::string(name), out_);
  }

  const CrateTables& tables_;
  Decoding& decoding_;
  CrateValues values_;
  std::vector<bool> written_;
  std::string out_;
};

}  // namespace

bool IsCrate(std::string_view bytes) { return bytes.starts_with("PXR-USDC"); }

std::optional<std::string> TextOfCrate(Decoding& decoding) {
  const CrateTables tables(decoding);
  if (decoding.failed()) return std::nullopt;
  return LayerText(tables).Run();
}

}  // namespace kinemorph::usd
