#include "host/uri_names.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph::tools {
namespace {

// glTF and COLLADA name files by addresses: percent signs stand for bytes, "data:" holds the bytes
// themselves. The places in the text are needed too, as the names of copies go there; a JSON
// library does not tell them, so the text is searched for "uri" and compared with what the library
// found.

using nlohmann::json;
using std::string_view;

int HexOfAddress(char c) {
  if (IsDigit(c)) return c - '0';
  const char letter = static_cast<char>(c | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

std::string FileOfAddress(string_view address) {
  std::string name;
  for (std::size_t i = 0; i < address.size(); ++i) {
    // A percent sign without two digits is a percent sign; many writers do not code it.
    const bool coded = address[i] == '%' && i + 2 < address.size() &&
                       HexOfAddress(address[i + 1]) >= 0 && HexOfAddress(address[i + 2]) >= 0;
    name +=
        coded ? static_cast<char>(16 * HexOfAddress(address[i + 1]) + HexOfAddress(address[i + 2]))
              : address[i];
    if (coded) i += 2;
  }
  return name;
}

bool IsDataAddress(string_view address) { return LowerCase(address.substr(0, 5)) == "data:"; }

// Where a string of JSON ends whose first quotation mark stands at `from`: behind the other one.
std::size_t EndOfJsonString(string_view text, std::size_t from) {
  for (std::size_t i = from + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

// Calls visit(at, size) for what stands between the quotation marks of each value of "uri".
// A key is a string before a colon; a string that is a value is never one, whatever it says.
template <class Visit>
void EachUriInJson(string_view text, const Visit& visit) {
  bool is_key = false;
  for (std::size_t i = text.find('"'); i < text.size();) {
    const std::size_t end = EndOfJsonString(text, i);
    const string_view inside = text.substr(i + 1, end - i - std::min<std::size_t>(end - i, 2));
    if (is_key) visit(i + 1, inside.size());
    const std::size_t colon = text.find_first_not_of(" \t\r\n", end);
    is_key = inside == "uri" && colon < text.size() && text[colon] == ':';
    const std::size_t value = is_key ? text.find_first_not_of(" \t\r\n", colon + 1) : end;
    is_key = is_key && value < text.size() && text[value] == '"';
    i = text.find('"', end);
  }
}

// The addresses of one list, with the bytes of buffers.
void CollectAddresses(const json& whole, const char* list, bool buffers,
                      std::map<std::string, std::optional<std::size_t>>& found) {
  const auto items = whole.find(list);
  if (items == whole.end() || !items->is_array()) return;
  for (const json& item : *items) {
    if (!item.is_object() || !item.contains("uri") || !item["uri"].is_string()) continue;
    std::optional<std::size_t>& bytes = found[item["uri"].get<std::string>()];
    const auto length = item.find("byteLength");
    if (buffers && length != item.end() && length->is_number_unsigned())
      bytes = length->get<std::size_t>();
  }
}

}  // namespace

std::vector<NamedAddress> AddressesInGltf(string_view text) {
  // What the library read decides: "uri" may also stand in texts of extensions, which name no file.
  const json whole = json::parse(text, nullptr, false);
  if (!whole.is_object()) return {};
  std::map<std::string, std::optional<std::size_t>> known;
  CollectAddresses(whole, "buffers", true, known), CollectAddresses(whole, "images", false, known);
  std::vector<NamedAddress> addresses;
  EachUriInJson(text, [&](std::size_t at, std::size_t size) {
    // Escapes of JSON are taken out by parsing the string alone.
    const json address = json::parse(text.substr(at - 1, size + 2), nullptr, false);
    if (!address.is_string()) return;
    const auto found = known.find(address.get<std::string>());
    if (found != known.end() && !IsDataAddress(found->first))
      addresses.push_back({{at, size}, FileOfAddress(found->first), found->second});
  });
  return addresses;
}

std::vector<NamedAddress> AddressesInDae(string_view text) {
  std::vector<NamedAddress> addresses;
  // Pictures of COLLADA are the init_from in library_images; other elements of this name are no
  // files.
  auto tag = NextTag(text, "library_images", 0);
  while (tag && !(tag->closes && tag->name == "library_images")) {
    const string_view address = TextBehind(text, *tag);
    if (tag->name == "init_from" && !tag->closes && !address.empty() && !IsDataAddress(address)) {
      const auto at = static_cast<std::size_t>(address.data() - text.data());
      addresses.push_back({{at, address.size()}, FileOfAddress(address), {}});
    }
    tag = NextTag(text, tag->end);
  }
  return addresses;
}

// RFC 3986: all but unreserved characters and the slash are coded.
std::string AddressOf(string_view name) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string address;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       string_view("-._~/").find(c) != string_view::npos;
    plain ? address += c
          : (address += '%', address += kDigits[byte / 16], address += kDigits[byte % 16]);
  }
  return address;
}

}  // namespace kinemorph::tools
