// SPDX-License-Identifier: BSD-3-Clause
// Access to an untrusted JSON document: any error is a Failure (invalid argument) that names the file and the place in it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace suite::app::stored {

// A place in a file, read with the type expected there. A mismatch throws Failure: "old.json: /kernels/0/samples_s is text; it must be a
// list of numbers". Both a missing place and null (JSON's form of NaN and infinity) convert to false and count as absent.
class Value {
public:
  struct Document {
    std::string name;  // file name as given by the user
    nlohmann::ordered_json root;
  };
  explicit Value(std::shared_ptr<const Document> document);
  Value() = default;

  explicit operator bool() const { return node_ && !node_->is_null(); }
  bool is_null() const { return node_ && node_->is_null(); }
  bool is_object() const { return node_ && node_->is_object(); }
  bool is_list() const { return node_ && node_->is_array(); }
  bool is_number() const { return node_ && node_->is_number(); }
  bool is_text() const { return node_ && node_->is_string(); }
  bool is_switch() const { return node_ && node_->is_boolean(); }
  size_t size() const { return node_ ? node_->size() : 0; }  // of a list or an object

  Value operator[](const std::string& name) const;  // absent if there is no such member; throws if this is not an object
  Value operator[](size_t index) const;
  std::vector<Value> items() const;  // of a list; empty if absent
  std::vector<std::pair<std::string, Value>> members() const;  // of an object, in file order; empty if absent

  // Required values.
  double number() const;                         // finite
  double number(double low, double high) const;  // and within [low, high]
  long whole(long low, long high) const;
  std::string text(size_t longest = 1 << 20) const;  // control characters, which could affect a terminal, are replaced
  bool flag() const;
  std::vector<double> numbers(double low, double high) const;
  std::vector<std::string> texts() const;
  // Optional values.
  double number_or(double otherwise) const { return *this ? number() : otherwise; }
  std::string text_or(const std::string& otherwise) const { return *this ? text() : otherwise; }

  const std::string& path() const { return path_; }           // "/kernels/0/samples_s"
  std::string place() const;                                  // "old.json: /kernels/0/samples_s", or "old.json: the file"
  [[noreturn]] void fail(const std::string& sentence) const;  // "old.json: /kernels/0/samples_s " + sentence
  [[noreturn]] void fail_type(const char* expected) const;    // "... is text; it must be " + expected

private:
  Value(std::shared_ptr<const Document> document, const nlohmann::ordered_json* node, std::string path);

  std::shared_ptr<const Document> document_;
  const nlohmann::ordered_json* node_ = nullptr;
  std::string path_;
};

}  // namespace suite::app::stored
