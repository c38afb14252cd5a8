//! Measures rays per second on a mesh of a million triangles on one thread: ours with the best and
//! with the baseline instructions, and Embree's, in turns with the same rays. `traversal
//! [EMBREE_PEER] [SIDE]`; without the peer (`make bench-embree` builds it), ours alone.

mod peer;
mod processor;
mod terrain;

use std::io::Write;
use std::time::Instant;

use media::MeshData;
use peer::Peer;
use serde_json::{Value, json};
use terrain::terrain;
use tracer::{InstructionSet, Mesh};

/// Each batch is traced this often; the least time counts.
const ROUNDS: usize = 9;
/// The size of the image whose rays are traced.
const SIZE: [usize; 2] = [640, 480];

/// An origin and a direction.
type Ray = [f32; 6];

struct Batch {
    name: &'static str,
    any_hit: bool,
    rays: Vec<Ray>,
}

/// The result of tracing a batch.
#[derive(Clone, Copy)]
struct Traced {
    seconds: f64,
    hits: u32,
    distances: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (program, side) = (arguments.next(), arguments.next());
    let data = terrain(side.map_or(Ok(708), |side| side.parse())?);
    let built = Instant::now();
    let computed = processor::of_process();
    let mesh = Mesh::new(data)?;
    let (wall, computed) = (built.elapsed().as_secs_f64(), processor::of_process() - computed);
    let batches = batches(&mesh);
    let mut peer = match program {
        Some(program) if !program.is_empty() => Some(Peer::start(&program, mesh.data(), &batches)?),
        _ => None,
    };
    let triangles = mesh.data().triangles.len();
    let mut report = json!({
        "triangles": triangles,
        "build_wall_seconds": wall,
        "build_processor_seconds": computed,
        "embree_build_wall_seconds": peer.as_ref().map(|peer| peer.build_seconds),
        "bytes_a_triangle": mesh.memory() as f64 / triangles as f64,
        "rays": {},
    });
    for (number, batch) in batches.iter().enumerate() {
        report["rays"][batch.name] = compare(&mesh, peer.as_mut(), number as u32, batch)?;
    }
    writeln!(std::io::stdout(), "{report:#}")?;
    Ok(())
}

fn compare(
    mesh: &Mesh,
    mut peer: Option<&mut Peer>,
    number: u32,
    batch: &Batch,
) -> std::io::Result<Value> {
    let mut best: [Option<Traced>; 3] = [None; 3];
    for _ in 0..ROUNDS {
        let traced = [
            Some(trace(mesh, InstructionSet::Best, batch)),
            Some(trace(mesh, InstructionSet::Baseline, batch)),
            peer.as_deref_mut().map(|peer| peer.trace(number, batch.any_hit)).transpose()?,
        ];
        for (best, traced) in best.iter_mut().zip(traced) {
            if best.is_none_or(|best| traced.is_some_and(|new| new.seconds < best.seconds)) {
                *best = traced;
            }
        }
    }
    let rate = |traced: Traced| batch.rays.len() as f64 / traced.seconds / 1e6;
    let [ours, baseline, embree] = best;
    let mean = |traced: Traced| traced.distances / f64::from(traced.hits.max(1));
    Ok(json!({
        "rays": batch.rays.len(),
        "ours_mrays_per_s": ours.map(rate),
        "baseline_mrays_per_s": baseline.map(rate),
        "embree_mrays_per_s": embree.map(rate),
        "ours_over_embree": ours.zip(embree).map(|(ours, embree)| embree.seconds / ours.seconds),
        "hits": [ours.map(|traced| traced.hits), embree.map(|traced| traced.hits)],
        "mean_distance": [ours.map(mean), embree.map(mean)],
    }))
}

fn trace(mesh: &Mesh, instructions: InstructionSet, batch: &Batch) -> Traced {
    let (mut hits, mut distances) = (0, 0.0);
    let start = processor::of_thread();
    for &[ox, oy, oz, dx, dy, dz] in &batch.rays {
        let (origin, direction) = ([ox, oy, oz], [dx, dy, dz]);
        if batch.any_hit {
            hits += u32::from(mesh.is_met(instructions, origin, direction, f32::INFINITY));
        } else if let Some(hit) = mesh.intersect(instructions, origin, direction, f32::INFINITY) {
            hits += 1;
            distances += f64::from(hit.distance);
        }
    }
    Traced { seconds: processor::of_thread() - start, hits, distances }
}

/// Camera rays row by row, and from each hit one ray in a cosine-weighted direction.
fn batches(mesh: &Mesh) -> Vec<Batch> {
    let primary: Vec<Ray> = (0..SIZE[0] * SIZE[1])
        .map(|pixel| {
            let across = (pixel % SIZE[0]) as f32 / SIZE[0] as f32 - 0.5;
            let down = 0.5 - (pixel / SIZE[0]) as f32 / SIZE[1] as f32;
            let toward = [across * 0.9, down * 0.68 - 0.45, -1.0];
            let [dx, dy, dz] = unit(toward);
            [0.3, 4.6, 6.5, dx, dy, dz]
        })
        .collect();
    let mut random = Random(7);
    let diffuse: Vec<Ray> = primary
        .iter()
        .filter_map(|&[ox, oy, oz, dx, dy, dz]| {
            let (origin, direction) = ([ox, oy, oz], [dx, dy, dz]);
            let hit = mesh.intersect(InstructionSet::Best, origin, direction, f32::INFINITY)?;
            let normal = normal_of(mesh.data(), hit.triangle);
            let around = random.on_sphere();
            let [x, y, z] = unit(std::array::from_fn(|axis| normal[axis] * 1.0001 + around[axis]));
            let start: [f32; 3] = std::array::from_fn(|axis| {
                origin[axis] + direction[axis] * hit.distance + normal[axis] * 1e-4
            });
            Some([start[0], start[1], start[2], x, y, z])
        })
        .collect();
    vec![
        Batch { name: "primary", any_hit: false, rays: primary },
        Batch { name: "diffuse", any_hit: false, rays: diffuse.clone() },
        Batch { name: "diffuse, any hit", any_hit: true, rays: diffuse },
    ]
}

fn unit(vector: [f32; 3]) -> [f32; 3] {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.map(|x| x / length)
}

/// The upward normal of a triangle.
fn normal_of(data: &MeshData, triangle: u32) -> [f32; 3] {
    let [a, b, c] = data.triangles[triangle as usize].map(|vertex| data.positions[vertex as usize]);
    let [u, v] = [b, c].map(|corner| -> [f32; 3] { std::array::from_fn(|x| corner[x] - a[x]) });
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    unit(cross.map(|x| if cross[1] < 0.0 { -x } else { x }))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn on_sphere(&mut self) -> [f32; 3] {
        let z = 1.0 - 2.0 * self.next();
        let (sin, cos) = (std::f32::consts::TAU * self.next()).sin_cos();
        let radius = (1.0 - z * z).max(0.0).sqrt();
        [radius * cos, z, radius * sin]
    }
}
