// SPDX-License-Identifier: BSD-3-Clause
// A JSON document from anywhere, in which nothing is believed: whatever is wrong is a Failure (invalid argument) that names the file
// and the place in it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace suite::app::stored {

// A place in a file: read with the type that is expected there, or a Failure "old.json: /kernels/0/samples_s
// is text; it must be a list of numbers". A place that does not exist, and null (JSON's word for NaN and
// infinity), are both false and absent.
class Value {
public:
  struct Document {
    std::string name;  // of the file, as the user gave it
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

  Value operator[](const std::string& name) const;  // absent where there is none; fails when this is something else than an object
  Value operator[](size_t index) const;
  std::vector<Value> items() const;  // of a list; none where it is absent
  std::vector<std::pair<std::string, Value>> members() const;  // of an object, in the order of the file; none where it is absent

  // What must be there.
  double number() const;                         // finite
  double number(double low, double high) const;  // and within
  long whole(long low, long high) const;
  std::string text(size_t longest = 1 << 20) const;  // control characters, which could write to a terminal, are replaced
  bool flag() const;
  std::vector<double> numbers(double low, double high) const;
  std::vector<std::string> texts() const;
  // What may be absent.
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
