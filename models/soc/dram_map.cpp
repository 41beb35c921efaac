#include "models/soc/dram_map.h"

#include <sstream>
#include <vector>

#include "models/base/refusal.h"

namespace presil {
namespace {

constexpr unsigned kAtomBits = 6, kMostBits = 20;  // of columns, banks and channel: 1 MiB

struct Word {
  std::string name;
  unsigned bits = 0;
};

[[noreturn]] void refuse(const std::string& map, const std::string& why) {
  throw Refusal("soc",
                "dram.map is '" + map + "': " + why +
                    "; must be words from the highest bits down to bit 6, as "
                    "row-col2-bank3-col2-channel-col2: row first, then colN, bankN, groupN of "
                    "N bits each and channel once; see sim/socs/edge.yaml");
}

Word word_of(const std::string& map, const std::string& text) {
  Word word;
  word.name = text.substr(0, text.find_first_of("0123456789"));
  const std::string digits = text.substr(word.name.size());
  const bool counted = word.name == "col" || word.name == "bank" || word.name == "group";
  if (!counted && word.name != "row" && word.name != "channel")
    refuse(map, "'" + text + "' is no part of an address");
  if (counted == digits.empty() || digits.size() > 2 ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    refuse(map, "'" + text + "' has " + (counted ? "no" : "a") + " number of bits");
  if (counted) word.bits = static_cast<unsigned>(std::stoul(digits));
  return word;
}

/// From the highest bits down.
std::vector<Word> words_of(const std::string& map) {
  std::vector<Word> words;
  std::istringstream text(map);
  for (std::string word; std::getline(text, word, '-');) words.push_back(word_of(map, word));
  if (words.empty() || words.front().name != "row") refuse(map, "row is not its first word");
  unsigned rows = 0, channels = 0, bits = 0;
  for (const Word& word : words) {
    rows += word.name == "row";
    channels += word.name == "channel";
    bits += word.bits;
  }
  if (rows != 1) refuse(map, "row is there more than once");
  if (channels != 1) refuse(map, "channel is there " + std::to_string(channels) + " times");
  if (words.size() > 12) refuse(map, "it has more than 12 words");
  if (bits + kAtomBits > kMostBits) refuse(map, "a row of all banks is more than 1 MiB");
  return words;
}

}  // namespace

void DramMap::add(Number& number, unsigned from, unsigned to, unsigned bits) {
  if (bits == 0) return;
  number.parts.at(number.size++) = {from, to, (1u << bits) - 1};
}

DramMap::DramMap(const DramConfig& config) : m_hash(config.bank_hash != 0) {
  const std::vector<Word> words = words_of(config.map);
  unsigned banks = 0, parts = 0;
  for (const Word& word : words) {
    if (word.name == "group") m_group_bits += word.bits;
    if (word.name == "bank") banks += word.bits;
    parts += word.name == "group" || word.name == "bank";
  }
  m_bank_bits = m_group_bits + banks;
  if (1u << m_bank_bits > kMostDramBanks) refuse(config.map, "it has more than 32 banks");
  if (parts > m_bank.parts.size()) refuse(config.map, "more than 8 words are of banks");
  unsigned at = kAtomBits, group = 0, bank = m_group_bits;
  for (size_t i = words.size(); i-- > 0;) {
    const std::string& name = words[i].name;
    const unsigned bits = name == "channel" ? (config.channels == 2 ? 1 : 0) : words[i].bits;
    // the first bit that is not of a column ends what lies in one row
    if (name != "col" && (bits != 0 || name == "row") && m_chunk_bytes == 0)
      m_chunk_bytes = uint64_t{1} << at;
    if (name == "group") {
      add(m_bank, at, group, bits);
      group += bits;
    } else if (name == "bank") {
      add(m_bank, at, bank, bits);
      bank += bits;
    } else if (name == "channel") {
      add(m_channel, at, 0, bits);
    }
    at += bits;
  }
  m_row_bit = at;
}

}  // namespace presil
