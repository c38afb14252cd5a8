use glam::DVec3;
use proptest::prelude::*;

use super::*;
use crate::chi_square::Random;

/// `count` triangles of size `size` within `spread` of the origin.
fn crowd(random: &mut Random, count: usize, spread: f32, size: f32) -> MeshData {
    let mut data = MeshData::default();
    for _ in 0..count {
        let center = random.direction() * (spread * random.next());
        let first = data.positions.len() as u32;
        data.positions.extend(
            (0..3).map(|_| (center + random.direction() * (size * random.next())).to_array()),
        );
        data.triangles.push([first, first + 1, first + 2]);
    }
    data
}

/// A sphere of radius 1 with 8 * 4^levels triangles and shared vertices.
pub(crate) fn ball(levels: u32) -> MeshData {
    let mut triangles: Vec<[Vec3A; 3]> = Vec::new();
    for signs in 0..8_u32 {
        let sign = |axis: u32| if signs >> axis & 1 == 0 { 1.0 } else { -1.0 };
        let [x, y, z] = [Vec3A::X * sign(0), Vec3A::Y * sign(1), Vec3A::Z * sign(2)];
        // Counter-clockwise seen from outside.
        triangles.push(if signs.count_ones() % 2 == 0 { [x, y, z] } else { [x, z, y] });
    }
    for _ in 0..levels {
        let split = |[a, b, c]: [Vec3A; 3]| {
            let [ab, bc, ca] = [a + b, b + c, c + a].map(Vec3A::normalize);
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    let mut data = MeshData::default();
    let mut places = std::collections::HashMap::new();
    for triangle in triangles {
        data.triangles.push(triangle.map(|corner| {
            let key = corner.to_array().map(f32::to_bits);
            *places.entry(key).or_insert_with(|| {
                data.positions.push(corner.to_array());
                data.positions.len() as u32 - 1
            })
        }));
    }
    data
}

/// A brute-force intersection in double precision: Moeller and Trumbore 1997. Returns the distance,
/// and how far inside the triangle the hit is, relative to its size; negative outside.
fn exact(corners: [[f32; 3]; 3], origin: Vec3A, direction: Vec3A) -> (f64, f64) {
    let [a, b, c] = corners.map(|corner| DVec3::from(corner.map(f64::from)));
    let (origin, direction) = (origin.as_dvec3(), direction.as_dvec3());
    let (u, v) = (b - a, c - a);
    let across = direction.cross(v);
    let inverse = 1.0 / u.dot(across);
    let from = origin - a;
    let beta = from.dot(across) * inverse;
    let turned = from.cross(u);
    let gamma = direction.dot(turned) * inverse;
    (v.dot(turned) * inverse, beta.min(gamma).min(1.0 - beta - gamma))
}

/// Compares the mesh with brute force in double precision. Where a ray passes an edge within
/// rounding, either answer is right.
fn check_against_all(data: &MeshData, random: &mut Random, rays: usize, spread: f32) -> usize {
    let mesh = Mesh::new(data.clone()).unwrap();
    let mut met = 0;
    for _ in 0..rays {
        let origin = random.direction() * (2.0 * spread * random.next());
        let direction = random.direction();
        let (mut surely, mut maybe) = (f64::INFINITY, f64::INFINITY);
        for triangle in &data.triangles {
            let corners = triangle.map(|vertex| data.positions[vertex as usize]);
            let (distance, inside) = exact(corners, origin, direction);
            if distance > 0.0 && inside > -1e-3 {
                maybe = maybe.min(distance);
                surely = if inside > 1e-3 { surely.min(distance) } else { surely };
            }
        }
        for set in InstructionSet::available() {
            let ray = (origin.to_array(), direction.to_array());
            let hit = mesh.intersect(set, ray.0, ray.1, f32::INFINITY);
            let distance = hit.map_or(f64::INFINITY, |hit| f64::from(hit.distance));
            let slack = 1e-4 * f64::from(spread);
            assert!(distance <= surely + slack, "{set:?}: {distance} beyond {surely}");
            assert!(distance >= maybe - slack, "{set:?}: {distance} before {maybe}");
            met += usize::from(hit.is_some());
            let blocked = |t_max| mesh.is_met(set, ray.0, ray.1, t_max);
            assert_eq!(blocked(f32::INFINITY), hit.is_some());
            if let Some(hit) = hit {
                assert!(!blocked(hit.distance * 0.9999) && blocked(hit.distance * 1.0001));
            }
        }
    }
    met
}

#[test]
fn finds_what_asking_every_triangle_finds() {
    let mut random = Random(41);
    for (count, size) in [(1, 1.0), (7, 2.0), (9, 2.0), (300, 0.4), (5000, 0.1)] {
        let data = crowd(&mut random, count, 1.0, size);
        let met = check_against_all(&data, &mut random, 600, 1.0);
        assert!(count < 300 || met > 200, "only {met}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_crowd_is_answered_as_by_asking_all(
        seed in any::<u64>(), count in 1_usize..200, size in 1e-3_f32..2.0, power in -3_i32..6
    ) {
        let mut random = Random(seed | 1);
        let spread = 10.0_f32.powi(power);
        let data = crowd(&mut random, count, spread, size * spread);
        check_against_all(&data, &mut random, 30, spread);
    }
}

/// Rays from inside a closed mesh through its vertices and edges all hit it.
#[test]
fn a_closed_mesh_has_no_holes() {
    let data = ball(4);
    let mesh = Mesh::new(data.clone()).unwrap();
    let mut random = Random(42);
    for set in InstructionSet::available() {
        for round in 0..40_000 {
            let triangle = data.triangles[round % data.triangles.len()];
            let [a, b, _] =
                triangle.map(|vertex| Vec3A::from_array(data.positions[vertex as usize]));
            let target = match round % 3 {
                0 => a,
                1 => (a + b) * 0.5,
                _ => a + (b - a) * random.next(),
            };
            let origin = random.direction() * (0.9 * random.next());
            let direction = (target - origin).normalize();
            let hit = mesh.intersect(set, origin.to_array(), direction.to_array(), f32::INFINITY);
            let distance = hit.map_or(f32::INFINITY, |hit| hit.distance);
            assert!((distance - origin.distance(target)).abs() < 1e-4, "{set:?}: {distance}");
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_within_rounding() {
    let mut random = Random(43);
    let mesh = Mesh::new(crowd(&mut random, 20_000, 1.0, 0.05)).unwrap();
    let mut others = 0;
    for _ in 0..20_000 {
        let (origin, direction) = (random.direction() * 2.0, random.direction());
        let answer = |set| {
            mesh.intersect(set, origin.to_array(), direction.to_array(), f32::INFINITY)
                .map(|hit| (hit.triangle, hit.distance))
        };
        for set in InstructionSet::available() {
            match (answer(InstructionSet::Best), answer(set)) {
                (Some((a, near)), Some((b, far))) if a == b => {
                    assert!((near - far).abs() <= 1e-5 * near.max(0.1), "{near} {far}");
                }
                (a, b) => others += u32::from(a != b),
            }
        }
    }
    // At edges of triangles.
    assert!(others <= 8, "{others}");
}

#[test]
fn triangles_without_area_are_harmless() {
    let mut random = Random(44);
    let mut data = ball(2);
    for _ in 0..500 {
        let vertex = |random: &mut Random| (random.next() * 60.0) as u32;
        let (a, b) = (vertex(&mut random), vertex(&mut random));
        data.triangles.extend([[a, a, b], [a, b, b], [a, a, a]]);
    }
    let mesh = Mesh::new(data).unwrap();
    for _ in 0..5000 {
        let origin = random.direction() * (0.7 * random.next());
        for set in InstructionSet::available() {
            let ray = (origin.to_array(), random.direction().to_array());
            let hit = mesh.intersect(set, ray.0, ray.1, f32::INFINITY).unwrap();
            let triangle = mesh.data().triangles[hit.triangle as usize];
            assert!(hit.distance.is_finite() && hit.distance > 0.0);
            assert!(triangle[0] != triangle[1] && triangle[1] != triangle[2], "{triangle:?}");
        }
    }
}

#[test]
fn many_equal_triangles_are_found_and_built() {
    let one = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let data = MeshData {
        positions: one.to_vec(),
        triangles: vec![[0, 1, 2]; 10_000],
        ..MeshData::default()
    };
    let mesh = Mesh::new(data).unwrap();
    for set in InstructionSet::available() {
        let hit = mesh.intersect(set, [0.2, 0.2, 5.0], [0.0, 0.0, -2.0], f32::INFINITY).unwrap();
        assert!((hit.distance - 2.5).abs() < 1e-6, "in lengths of the direction: {hit:?}");
        assert!(mesh.intersect(set, [0.2, 0.2, 5.0], [0.0, 0.0, -1.0], 4.999).is_none());
        assert!(mesh.intersect(set, [0.9, 0.9, 5.0], [0.0, 0.0, -1.0], 9.0).is_none());
    }
}

#[test]
fn the_tree_is_the_same_on_any_number_of_threads() {
    let data = crowd(&mut Random(45), 30_000, 1.0, 0.05);
    let tree = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mesh = pool.install(|| Mesh::new(data.clone()).unwrap());
        format!("{:?} {:?}", mesh.bvh, mesh.blocks)
    };
    assert!(tree(1) == tree(3));
}

#[test]
fn memory_is_as_stated() {
    let mesh = Mesh::new(ball(6)).unwrap();
    let data = mesh.data();
    let given = 12 * data.triangles.len() + 12 * data.positions.len();
    let tree = (mesh.memory() - given) as f64 / data.triangles.len() as f64;
    assert!((50.0..90.0).contains(&tree), "{tree} bytes a triangle");
}

#[test]
fn the_extent_is_known_before_the_tree_is_built() {
    let mut data = ball(1);
    // An unused vertex.
    data.positions.push([9.0; 3]);
    let extent = data.bounds();
    assert_eq!(extent, Some(Mesh::new(data).unwrap().bounds()));
    assert_eq!(MeshData::default().bounds(), None);
}

#[test]
fn faults_name_what_is_wrong() {
    let good = ball(0);
    let fault = |change: &dyn Fn(&mut MeshData)| {
        let mut data = good.clone();
        change(&mut data);
        Mesh::new(data).unwrap_err().to_string()
    };
    for (fault, expected) in [
        (fault(&|data| data.triangles.clear()), "the mesh has no triangles"),
        (
            fault(&|data| data.triangles[3][1] = 6),
            "triangle 3 names vertex 6, but there are 6 vertices",
        ),
        (
            fault(&|data| data.positions[2][0] = f32::NAN),
            "vertex 2 lies at [NaN, 1.0, 0.0]; coordinates must be within ±1000000",
        ),
        (fault(&|data| data.normals = vec![[0.0; 3]; 5]), "there are 5 normals for 6 vertices"),
        (
            fault(&|data| data.uv = vec![[0.0; 2]; 7]),
            "there are 7 texture coordinates for 6 vertices",
        ),
    ] {
        assert!(fault.contains(expected) || fault.contains("NaN"), "{fault}");
    }
}
