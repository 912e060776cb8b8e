// SPDX-License-Identifier: BSD-3-Clause
#include "segment_lists.hpp"

namespace suite::dfpt::cl {

SegmentLists::SegmentLists(Engine& engine)
    : batch(engine.backend, engine.queue, "the batches"),
      wave_at(engine.backend, engine.queue, "the batches"),
      place(engine.backend, engine.queue, "the functions of batches"),
      list(engine.backend, engine.queue, "the functions of batches"),
      segment_batch(engine.backend, engine.queue, "the segments"),
      segment_function(engine.backend, engine.queue, "the segments"),
      function(engine.backend, engine.queue, "the functions of segments") {}

void SegmentLists::set(const Batches& batches, const int32_t* i_basis) {
  const std::vector<Segment> segments = segments_of(batches, i_basis);
  as_int(batches.n_points, "points");
  std::vector<int32_t> of_batch, places(at(batches.n_list)), of_basis, first_batch, first_function, functions;
  std::vector<cl_ulong> wave;
  for (const Batch& b : batches.batch) {
    for (const int64_t n : {b.first_point, b.points, b.first_function, b.functions}) of_batch.push_back(static_cast<int32_t>(n));
    wave.push_back(static_cast<cl_ulong>(b.wave));
  }
  for (int64_t i = 0; i < batches.n_list; ++i) of_basis.push_back(i_basis[i] - 1);
  most_functions = 0;
  for (const Segment& s : segments) {
    first_batch.push_back(static_cast<int32_t>(s.first_batch));
    first_function.push_back(static_cast<int32_t>(functions.size()));
    each_function(s.runs, [&](int64_t, int64_t outside) { functions.push_back(static_cast<int32_t>(outside)); });
    for (int64_t b = s.first_batch; b < s.last_batch; ++b)
      each_function(s.batch[at(b - s.first_batch)], [&](int64_t inside, int64_t outside) {
        places[at(batches.batch[at(b)].first_function + inside)] = static_cast<int32_t>(outside);
      });
    most_functions = std::max(most_functions, s.functions);
  }
  n_segments = std::ssize(segments);
  first_batch.push_back(as_int(batches.count(), "batches"));
  first_function.push_back(static_cast<int32_t>(functions.size()));
  batch.upload(of_batch);
  wave_at.upload(wave);
  place.upload(places);
  list.upload(of_basis);
  segment_batch.upload(first_batch);
  segment_function.upload(first_function);
  function.upload(functions);
}

}  // namespace suite::dfpt::cl
