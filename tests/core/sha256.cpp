// SPDX-License-Identifier: BSD-3-Clause
// Both paths of the hash are reached, whatever the processor has.
#include "../../core/src/sha256.hpp"

#include "support.hpp"

#include <fstream>
#include <random>

BOOST_AUTO_TEST_SUITE(sha256_is_right)

using suite::core::hexadecimal;
using suite::core::sha256;

// FIPS 180-4's examples and the million letters.
BOOST_AUTO_TEST_CASE(published_digests) {
  const auto of = [](const std::string& text) { return hexadecimal(sha256(text.data(), text.size())); };
  BOOST_TEST(of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  BOOST_TEST(of(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

BOOST_AUTO_TEST_CASE(pieces_of_any_length) {
  const std::string text(1000, 'q');
  const auto whole = sha256(text.data(), text.size());
  for (size_t piece : {1, 3, 63, 64, 65, 127, 128, 999}) {
    suite::core::Sha256 hash;
    for (size_t from = 0; from < text.size(); from += piece) hash.update(text.data() + from, std::min(piece, text.size() - from));
    BOOST_TEST((hash.finish() == whole));
  }
}

BOOST_AUTO_TEST_CASE(both_paths_agree) {
#if defined(__x86_64__)
  if (!suite::sha256_detail::cpu_has_sha()) {
    BOOST_TEST_MESSAGE("skipped: this processor has no SHA instructions");
    return;
  }
  std::mt19937 random(1);
  std::vector<uint8_t> blocks(64 * 50);
  for (auto& b : blocks) b = static_cast<uint8_t>(random());
  uint32_t one[8], two[8];
  for (int i = 0; i < 8; ++i) one[i] = two[i] = random();
  suite::sha256_detail::compress(one, blocks.data(), 50);
  suite::sha256_detail::compress_sha_ni(two, blocks.data(), 50);
  for (int i = 0; i < 8; ++i) BOOST_TEST(one[i] == two[i]);
#endif
}

BOOST_AUTO_TEST_CASE(files) {
  const std::string file = std::string(TEST_PLUGINS) + "/hashed.txt";
  std::ofstream(file) << "abc";
  char digits[65];
  suite_error error{};
  BOOST_TEST(suite_hash_file(file.c_str(), digits, &error) == SUITE_OK);
  BOOST_TEST(std::string(digits) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(suite_hash_file("/nowhere/at/all", digits, &error) == SUITE_NOT_FOUND);
  BOOST_TEST(std::string(error.message) == "cannot open /nowhere/at/all: No such file or directory");
}

BOOST_AUTO_TEST_SUITE_END()
