// Traces batches of rays with Embree 3, one thread, one ray at a time: the peer of
// `crates/tracer/examples/traversal`, which starts it, writes to its input and reads from its output.
// All numbers are little-endian, floats and counts of 32 bits:
//
//   in:  vertices, triangles, 3 floats a vertex, 3 indices a triangle, batches,
//        and for each batch: rays, 6 floats a ray (origin, direction)
//   out: build seconds (float)
//   then for each request (batch, 0 = first hit, 1 = any hit):
//   out: processor seconds (float), rays that hit, sum of the distances (double; 0 for any hit)

#include <embree3/rtcore.h>
#include <time.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

static void read_exactly(void *into, size_t bytes) {
  if (fread(into, 1, bytes, stdin) != bytes) exit(0);
}

template <typename T>
static void answer(T value) {
  fwrite(&value, sizeof value, 1, stdout);
  fflush(stdout);
}

static uint32_t count() {
  uint32_t value;
  read_exactly(&value, sizeof value);
  return value;
}

static double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static double wall_seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main() {
  const uint32_t vertices = count(), triangles = count();
  // Threads matter to the build only; rays are traced by this one.
  RTCDevice device = rtcNewDevice(nullptr);
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  read_exactly(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, vertices),
               size_t(vertices) * 12);
  read_exactly(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, triangles),
               size_t(triangles) * 12);
  std::vector<std::vector<float>> batches(count());
  for (auto &batch : batches) {
    batch.resize(size_t(count()) * 6);
    read_exactly(batch.data(), batch.size() * sizeof(float));
  }

  const double begun = wall_seconds();
  rtcCommitGeometry(geometry);
  RTCScene scene = rtcNewScene(device);
  rtcAttachGeometry(scene, geometry);
  rtcCommitScene(scene);
  answer(float(wall_seconds() - begun));

  for (;;) {
    const std::vector<float> &batch = batches.at(count());
    const bool any_hit = count() == 1;
    uint32_t hits = 0;
    double distances = 0;
    const double start = processor_seconds();
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (size_t at = 0; at < batch.size(); at += 6) {
      RTCRayHit found;
      RTCRay &ray = found.ray;
      ray.org_x = batch[at], ray.org_y = batch[at + 1], ray.org_z = batch[at + 2];
      ray.dir_x = batch[at + 3], ray.dir_y = batch[at + 4], ray.dir_z = batch[at + 5];
      ray.tnear = 0, ray.tfar = std::numeric_limits<float>::infinity();
      ray.time = 0, ray.mask = ~0u, ray.id = 0, ray.flags = 0;
      if (any_hit) {
        rtcOccluded1(scene, &context, &ray);
        hits += ray.tfar < 0;
      } else {
        found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        found.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene, &context, &found);
        if (found.hit.geomID != RTC_INVALID_GEOMETRY_ID) hits++, distances += ray.tfar;
      }
    }
    answer(float(processor_seconds() - start));
    answer(hits);
    answer(distances);
  }
}
