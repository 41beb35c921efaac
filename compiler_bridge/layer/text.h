// Layers as text, and back: a line for what each is called and counts, then its engine's word and
// data. README.md has the grammar.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler_bridge/layer/fields.h"
#include "compiler_bridge/layer/layer.h"

namespace presil::layer {

struct PrintOptions {
  /// true: all weights and parameters, so that parse gives the same layers back. false: for people;
  /// of many values how many they are and a digest, which parse refuses.
  bool payload = true;
};

std::string print(const Layers& layers, const PrintOptions& options = {});

/// Reads what print wrote, or what a person did. Tensors are those of the graph by their numbers.
/// @param images  of the user: those whose kernels layers call
/// Refuses (presil::Refusal) with line and column.
Layers parse(const std::string& text, const std::vector<ImagePtr>& images = {});

/// What reads the data of a layer by its word, for engines from outside; the built-in ones are
/// known. @param read  as read_work<T> of work_model.h
void know_work(const std::string& word, std::function<Work(FieldReader& reader)> read);

}  // namespace presil::layer
