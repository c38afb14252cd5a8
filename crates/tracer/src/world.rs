//! The world: a scene prepared for ray tracing.

use std::sync::Arc;

use fearless_simd::{Level, Simd, dispatch};
use glam::Vec3A;
use scene::{Id, Scene};

use crate::bounds::Bounds;
use crate::bsdf::{Bsdf, Scatters, ShadingArena};
use crate::bvh::{Bvh, LeafCosts};
use crate::camera::Camera;
use crate::fog::Fog;
use crate::instructions::InstructionSet;
use crate::light::{Environment, Light, LightSet, Sun};
use crate::mesh::Meshes;
use crate::object_kind::ObjectKind;
use crate::primitive::{Intersection, Primitive};
use crate::ray::{Ray, SurfacePoint};
use crate::settings::Integrator;
use crate::surface_kind::SurfaceKind;

/// Where a light coincides with a surface it is the light that is met: its distance counts as
/// smaller by this share, some roundings of a distance.
const LIGHT_ADVANTAGE: f32 = 64.0 * f32::EPSILON;

/// Analytic intersections cost several box tests, which are done eight at once.
const COSTS: LeafCosts = LeafCosts { batch: 1, batch_cost: 4.0, largest: 4 };

/// A scene made ready for rendering, with the camera it is seen by. Cheap to clone.
#[derive(Debug, Clone)]
pub struct World {
    content: Arc<Content>,
    pub(crate) camera: Camera,
    /// Detected once, not at each ray.
    level: Level,
}

#[derive(Debug)]
struct Content {
    bvh: Bvh,
    /// In the order of the tree.
    bodies: Vec<Body>,
    lights: LightSet,
    objects: Vec<(Id, ObjectKind)>,
    /// Whether any surface transmits light without a change of direction, so that shadow rays pass
    /// it.
    has_transparent_shadows: bool,
    /// See [`World::is_simple`].
    is_simple: bool,
    fog: Option<Fog>,
}

/// A primitive with its surface.
#[derive(Debug, Clone)]
struct Body {
    primitive: Primitive,
    kind: SurfaceKind,
    object: u32,
    /// The factor of hit distances before comparison: lights win where they coincide with a
    /// surface.
    handicap: f32,
}

impl Body {
    fn new(primitive: Primitive, kind: SurfaceKind, object: usize) -> Self {
        let handicap = match kind {
            SurfaceKind::Surface(_) | SurfaceKind::Varied(_) => 1.0,
            SurfaceKind::Light(_) | SurfaceKind::Emissive(_) => 1.0 - LIGHT_ADVANTAGE,
        };
        Self { primitive, kind, object: object as u32, handicap }
    }
}

/// A ray hit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit<'a> {
    pub(crate) surface: SurfacePoint,
    pub(crate) distance: f32,
    /// The part of the primitive that was hit.
    pub(crate) part: u32,
    pub(crate) kind: &'a SurfaceKind,
    /// The index of the object in the document: shapes first, then lights.
    pub(crate) object: u32,
}

impl<'world> Hit<'world> {
    /// The BSDF at the hit point, if the surface scatters light; perturbs the shading normal by
    /// normal and bump maps.
    pub(crate) fn bsdf<'a>(&mut self, arena: &'a ShadingArena) -> Option<&'a Bsdf>
    where
        'world: 'a,
    {
        match self.kind {
            SurfaceKind::Surface(bsdf) => Some(bsdf),
            SurfaceKind::Varied(shader) => Some(shader.at(&mut self.surface, self.part, arena)),
            SurfaceKind::Light(_) => None,
            SurfaceKind::Emissive(emissive) => {
                emissive.bsdf_at(&mut self.surface, self.part, arena)
            }
        }
    }
}

impl World {
    /// As [`build_with`](Self::build_with) for a scene without meshes.
    pub fn build(scene: &Scene) -> Self {
        Self::build_with(scene, &Meshes::default())
    }

    /// Prepares a scene. The cost grows as n log n with the number n of objects; 50 take well
    /// under a millisecond, whatever the size of their meshes, whose trees are built already.
    ///
    /// Shapes whose mesh is not among `meshes` are left out; see [`Scene::check_assets`]. Shapes that
    /// are met as triangles are found there, too, or else made anew: see [`Meshes::with_forms`].
    #[expect(clippy::expect_used, reason = "a build that is never cancelled has a world")]
    pub fn build_with(scene: &Scene, meshes: &Meshes) -> Self {
        Self::build_unless(scene, meshes, &|| false).expect("nothing cancels it")
    }

    /// As [`build_with`](Self::build_with); `None` when cancelled. `cancelled` is asked before each
    /// shape and light and before the trees over them.
    pub fn build_unless(
        scene: &Scene,
        meshes: &Meshes,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let meshes = &meshes.with_forms_unless(scene, cancelled);
        let mut objects = Vec::with_capacity(scene.shapes.len() + scene.lights.len());
        let mut bodies = Vec::with_capacity(objects.capacity());
        let mut bounds = Vec::with_capacity(objects.capacity());
        let mut lights = Vec::with_capacity(scene.lights.len());
        for shape in &scene.shapes {
            if cancelled() {
                return None;
            }
            let Some(primitive) = Primitive::new(&shape.geometry, meshes) else { continue };
            let Some(aabb) = primitive.bounds(&shape.geometry, meshes) else { continue };
            let kind = SurfaceKind::of_shape(shape, &primitive, aabb, meshes, &mut lights);
            bodies.push(Body::new(primitive, kind, objects.len()));
            bounds.push(Bounds::enclosing(aabb));
            objects.push((shape.id.clone(), ObjectKind::Shape));
        }
        let highest = bounds.iter().map(|bounds| f64::from(bounds.max.y)).fold(f64::MIN, f64::max);
        let fog = scene.environment.fog().map(|fog| Fog::new(fog, highest));
        let mut suns = Vec::new();
        for source in &scene.lights {
            if cancelled() {
                return None;
            }
            let Some(light) = Light::new(&source.light) else {
                suns.extend(Sun::of(&source.light));
                objects.push((source.id.clone(), ObjectKind::Light));
                continue;
            };
            if let Some(primitive) = light.body() {
                bodies.push(Body::new(primitive, SurfaceKind::Light(lights.len()), objects.len()));
                bounds.push(Bounds::enclosing(source.light.bounds()));
            }
            lights.push(light);
            objects.push((source.id.clone(), ObjectKind::Light));
        }
        if cancelled() {
            return None;
        }
        let (bvh, order) = Bvh::build(&bounds, COSTS);
        let bodies: Vec<Body> = order.iter().map(|&index| bodies[index as usize].clone()).collect();
        let is_transparent = |body: &Body| body.kind.bsdf().is_some_and(Bsdf::is_straight);
        let has_transparent_shadows = bodies.iter().any(is_transparent);
        let is_simple = bodies.iter().all(|body| match &body.kind {
            SurfaceKind::Surface(bsdf) => bsdf.simple().is_some(),
            SurfaceKind::Light(_) => true,
            SurfaceKind::Varied(_) | SurfaceKind::Emissive(_) => false,
        });
        let all = bounds.iter().fold(Bounds::EMPTY, |all, &bounds| all.union(bounds));
        if cancelled() {
            return None;
        }
        let lights = LightSet::new(lights, Environment::new(&scene.environment, suns, meshes), all);
        Some(Self {
            content: Arc::new(Content {
                bvh,
                bodies,
                lights,
                objects,
                has_transparent_shadows,
                is_simple,
                fog,
            }),
            camera: Camera::new(&scene.camera),
            level: InstructionSet::Best.level(),
        })
    }

    /// The same world, asked with other instructions.
    #[must_use]
    pub fn with_instructions(&self, instructions: InstructionSet) -> Self {
        Self { level: instructions.level(), ..self.clone() }
    }

    /// The same world seen by another camera. Nothing is built anew.
    #[must_use]
    pub fn with_camera(&self, camera: &scene::Camera) -> Self {
        Self { camera: Camera::new(camera), ..self.clone() }
    }

    /// The objects that an [`Aovs`](crate::Aovs) counts, in its order: shapes first, then lights.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = (&Id, ObjectKind)> {
        self.content.objects.iter().map(|(id, kind)| (id, *kind))
    }

    /// The object that was hit.
    pub(crate) fn object_of(&self, hit: &Hit<'_>) -> &(Id, ObjectKind) {
        &self.content.objects[hit.object as usize]
    }

    /// Whether specular surfaces may cause caustics of area lights, and there is no point light.
    pub(crate) fn may_have_caustics(&self) -> bool {
        let lights = &self.content.lights.lights;
        let is_point = |light: &Light| matches!(light, Light::Point(_));
        // Panes bend no light.
        let is_specular = |body: &Body| {
            body.kind.bsdf().is_some_and(|bsdf| bsdf.is_specular() && !bsdf.is_thin())
        };
        !lights.is_empty()
            && !lights.iter().any(is_point)
            && self.content.bodies.iter().any(is_specular)
    }

    /// Whether shadow rays pass through transparent surfaces.
    #[inline(always)]
    pub(crate) fn has_transparent_shadows(&self) -> bool {
        self.content.has_transparent_shadows
    }

    /// Whether all there is are lights and surfaces that are [simple](Bsdf::simple), the same
    /// everywhere, and not emissive.
    #[inline(always)]
    pub(crate) fn is_simple(&self) -> bool {
        self.content.is_simple
    }

    pub(crate) fn lights(&self) -> &LightSet {
        &self.content.lights
    }

    /// The fog, if there is any.
    pub(crate) fn fog(&self) -> Option<&Fog> {
        self.content.fog.as_ref()
    }

    /// Whether light can be followed through the scene by `integrator`: through fog only from the
    /// camera.
    pub fn is_for(&self, integrator: Integrator) -> bool {
        integrator == Integrator::Path || self.content.fog.is_none()
    }

    /// The first hit of the ray.
    pub(crate) fn intersect(&self, ray: &Ray) -> Option<Hit<'_>> {
        let (index, intersection) = dispatch!(self.level, simd => self.nearest(simd, ray))?;
        let body = &self.content.bodies[index];
        Some(Hit {
            surface: body.primitive.surface_at(ray, intersection),
            distance: intersection.distance,
            part: intersection.part,
            kind: &body.kind,
            object: body.object,
        })
    }

    /// The index of the first body the ray hits.
    #[inline(always)]
    fn nearest<S: Simd>(&self, simd: S, ray: &Ray) -> Option<(usize, Intersection)> {
        let Content { bvh, bodies, .. } = &*self.content;
        let mut nearest: Option<(usize, Intersection)> = None;
        let mut nearest_rank = f32::INFINITY;
        bvh.walk(
            simd,
            ray,
            f32::INFINITY,
            #[inline(always)]
            |items, t_max| {
                for index in items {
                    let body = &bodies[index];
                    let Some(intersection) = body.primitive.intersect_with(simd, ray, t_max) else {
                        continue;
                    };
                    let rank = intersection.distance * body.handicap;
                    if rank < nearest_rank {
                        nearest_rank = rank;
                        nearest = Some((index, intersection));
                    }
                }
                // A light a little behind the nearest may still be preferred.
                nearest_rank * (1.0 + 2.0 * LIGHT_ADVANTAGE)
            },
        );
        nearest
    }

    /// Whether anything lies within `distance` along the ray.
    pub(crate) fn is_blocked(&self, ray: &Ray, distance: f32) -> bool {
        dispatch!(self.level, simd => self.is_blocked_with(simd, ray, distance))
    }

    #[inline(always)]
    fn is_blocked_with<S: Simd>(&self, simd: S, ray: &Ray, distance: f32) -> bool {
        let Content { bvh, bodies, .. } = &*self.content;
        let mut blocked = false;
        bvh.walk(
            simd,
            ray,
            distance,
            #[inline(always)]
            |items, t_max| {
                for index in items {
                    blocked = blocked || bodies[index].primitive.blocks_with(simd, ray, t_max);
                }
                if blocked { -1.0 } else { t_max }
            },
        );
        blocked
    }

    /// Whether anything lies between two points.
    pub(crate) fn is_blocked_between(&self, start: Vec3A, end: Vec3A) -> bool {
        let way = end - start;
        let distance = way.length();
        // Too close to tell apart: nothing fits between.
        distance > 0.0 && self.is_blocked(&Ray::new(start, way / distance), distance)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::chi_square::Random;

    /// `count` shapes and lights of all kinds, of size `scale` within ten times that.
    fn crowd(random: &mut Random, count: usize, scale: f32) -> Scene {
        let mut shapes = Vec::new();
        let mut lights = Vec::new();
        for index in 0..count {
            let mut vector = |size: f32| {
                let vector = random.direction() * (size * scale * (0.2 + 0.8 * random.next()));
                json!(vector.to_array())
            };
            let (center, side, other) = (vector(10.0), vector(1.0), vector(1.0));
            let size = scale * random.between(0.2, 1.0);
            let end: Vec<f64> = (0..3)
                .filter_map(|axis| Some(center[axis].as_f64()? + side[axis].as_f64()?))
                .collect();
            let capped = random.next() < 0.5;
            let id = index.to_string();
            let add = |list: &mut Vec<Value>, kind: &str, properties: Value| {
                list.push(json!({ "id": id, "type": kind, "properties": properties }));
            };
            match index % 8 {
                0 => add(&mut shapes, "sphere", json!({ "center": center, "radius": size })),
                1 => add(
                    &mut shapes,
                    "box",
                    json!({ "center": center,
                    "dimensions": [size, 0.5 * size, 2.0 * size], "rotation": [index, 30, -50] }),
                ),
                2 => add(&mut shapes, "quad", json!({ "corner": center, "u": side, "v": other })),
                3 => add(
                    &mut shapes,
                    "disc",
                    json!({ "center": center, "normal": side, "radius": size }),
                ),
                4 => add(
                    &mut shapes,
                    "cylinder",
                    json!({ "base_center": center,
                    "top_center": end, "radius": 0.3 * size, "capped": capped }),
                ),
                5 => add(
                    &mut shapes,
                    "cone",
                    json!({ "base_center": center, "base_radius": size,
                    "top_center": end, "top_radius": 0.0, "capped": capped }),
                ),
                6 => add(
                    &mut shapes,
                    "cone",
                    json!({ "base_center": center, "base_radius": size,
                    "top_center": end, "top_radius": 0.4 * size, "capped": capped }),
                ),
                _ => add(
                    &mut lights,
                    "area_sphere_light",
                    json!({ "center": center, "radius": 0.5 * size, "emission": [1, 1, 1] }),
                ),
            }
        }
        Scene::from_json(&json!({ "version": 1, "shapes": shapes, "lights": lights })).unwrap()
    }

    #[test]
    fn meets_what_asking_every_body_meets() {
        let mut random = Random(31);
        for (count, scale) in [(1, 1.0), (8, 1.0), (400, 1.0), (400, 1e-3), (400, 7e4)] {
            let scene = crowd(&mut random, count, scale);
            let world = World::build(&scene);
            let mut met = 0;
            for _ in 0..3000 {
                let origin = random.direction() * (15.0 * scale * random.next());
                let ray = Ray::new(origin, random.direction());
                let nearest = world
                    .content
                    .bodies
                    .iter()
                    .filter_map(|body| Some((body, body.primitive.intersect(&ray, f32::INFINITY)?)))
                    .min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance));
                let hit = world.intersect(&ray);
                assert_eq!(hit.is_some(), nearest.is_some());
                assert_eq!(world.is_blocked(&ray, f32::INFINITY), nearest.is_some());
                let (Some(hit), Some((body, intersection))) = (hit, nearest) else { continue };
                met += 1;
                assert_eq!(hit.distance, intersection.distance);
                assert_eq!(hit.object, body.object);
                assert!(!world.is_blocked(&ray, hit.distance * 0.999_99));
                assert!(world.is_blocked(&ray, hit.distance * 1.000_01));
            }
            assert!(count < 100 || met > 800, "only {met}");
        }
    }

    #[test]
    fn a_light_wins_over_the_surface_it_lies_on() {
        let ceiling = json!({ "corner": [-3, 2.3, -2], "u": [7, 0, 1.1], "v": [0.3, 0, 5] });
        let lamp = json!({ "corner": [-0.5, 2.3, -0.5], "u": [1, 0, 0], "v": [0, 0, 1],
                           "emission": [1, 1, 1] });
        let scene = Scene::from_json(&json!({
            "version": 1,
            "shapes": [{ "id": "ceiling", "type": "quad", "properties": ceiling }],
            "lights": [{ "id": "lamp", "type": "area_quad_light", "properties": lamp }],
        }))
        .unwrap();
        let world = World::build(&scene);
        let mut random = Random(32);
        for _ in 0..5000 {
            let origin = Vec3A::new(random.between(-3.0, 3.0), 0.1, random.between(-3.0, 3.0));
            let x = random.between(-0.49, 0.49);
            let target = Vec3A::new(x, 2.3, random.between(-0.49, 0.49));
            let ray = Ray::new(origin, (target - origin).normalize());
            let hit = world.intersect(&ray).unwrap();
            assert_eq!(world.object_of(&hit).1, ObjectKind::Light);
        }
    }
}
