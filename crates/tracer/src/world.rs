//! The world: a scene prepared for ray tracing.

mod body;
mod leaves;
mod many;
mod seen;
mod surroundings;

use std::sync::Arc;

use fearless_simd::{Level, Simd, dispatch};
use glam::Vec3A;
use scene::{Id, Scene};

use crate::bounds::Bounds;
use crate::bsdf::{Bsdf, Scatters, ShadingArena};
use crate::bvh::{Bvh, Stacks};
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
use body::{Body, LIGHT_ADVANTAGE};
use leaves::{Leaf, MAX_BODIES_WITHOUT_TREE, spheres_first};

/// A scene prepared for rendering, with its camera. Cheap to clone.
#[derive(Debug, Clone)]
pub struct World {
    content: Arc<Content>,
    lights: Arc<LightSet>,
    pub(crate) camera: Camera,
    /// Detected once, not for each ray.
    level: Level,
    /// See the method of this name.
    scattering_advantage: f32,
    /// See the method of this name.
    has_many_simple_surfaces: bool,
}

#[derive(Debug)]
struct Content {
    bvh: Bvh,
    /// In the order of the BVH.
    leaves: Vec<Leaf>,
    /// In the order of the leaves.
    bodies: Vec<Body>,
    /// Those of the bodies; empty where there are so many that all rays are traced through the tree.
    boxes: Vec<Bounds>,
    objects: Vec<(Id, ObjectKind)>,
    /// Whether any surface transmits light without a change of direction, so that shadow rays pass
    /// it.
    has_transparent_shadows: bool,
    /// Whether any light is hidden from the camera.
    has_hidden_lights: bool,
    /// Whether there are meshes among the bodies, which have trees of their own.
    has_instances: bool,
    /// See [`World::is_simple`].
    is_simple: bool,
    fog: Option<Fog>,
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

    /// Prepares a scene. The cost grows as n log n with the number n of objects; 50 take well under
    /// a millisecond for meshes of any size, whose BVHs are built already.
    ///
    /// Shapes whose mesh is not in `meshes` are left out; see [`Scene::check_assets`]. Tessellated
    /// shapes are taken from there or else made: see [`Meshes::with_forms`].
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
                let kind = SurfaceKind::Light(lights.len());
                let body = Body::new(primitive, kind, objects.len());
                bodies.push(body.hidden_if(source.light.is_hidden_from_camera()));
                bounds.push(Bounds::enclosing(source.light.bounds()));
            }
            lights.push(light);
            objects.push((source.id.clone(), ObjectKind::Light));
        }
        if cancelled() {
            return None;
        }
        let (bvh, mut order, leaves) = Bvh::build(&bounds, leaves::costs(&bodies));
        leaves.iter().for_each(|leaf| spheres_first(&bodies, &mut order[leaf.clone()]));
        let bodies: Vec<Body> = order.iter().map(|&index| bodies[index as usize].clone()).collect();
        let has_tree = bodies.len() > MAX_BODIES_WITHOUT_TREE;
        let boxes = if has_tree { &[] } else { order.as_slice() };
        let boxes = boxes.iter().map(|&index| bounds[index as usize]).collect();
        let leaves = leaves.into_iter().map(|leaf| Leaf::new(&bodies, leaf)).collect();
        let is_transparent = |body: &Body| body.kind.bsdf().is_some_and(Bsdf::is_straight);
        let has_transparent_shadows = bodies.iter().any(is_transparent);
        let has_hidden_lights = bodies.iter().any(|body| body.is_hidden);
        let has_instances =
            bodies.iter().any(|body| matches!(body.primitive, Primitive::Instance(_)));
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
        let world = Self {
            content: Arc::new(Content {
                bvh,
                leaves,
                bodies,
                boxes,
                objects,
                has_transparent_shadows,
                has_hidden_lights,
                has_instances,
                is_simple,
                fog,
            }),
            lights: Arc::new(lights),
            camera: Camera::new(&scene.camera),
            level: InstructionSet::Best.level(),
            scattering_advantage: 1.0,
            has_many_simple_surfaces: false,
        };
        Some(world.with_surroundings())
    }

    /// The instructions it is asked with.
    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// The same world, asked with other instructions.
    #[must_use]
    pub fn with_instructions(&self, instructions: InstructionSet) -> Self {
        let level = instructions.level();
        Self { level, lights: Arc::new(self.lights.with_level(level)), ..self.clone() }
    }

    /// The same world seen by another camera. No tree is built anew.
    #[must_use]
    pub fn with_camera(&self, camera: &scene::Camera) -> Self {
        Self { camera: Camera::new(camera), ..self.clone() }.with_surroundings()
    }

    /// The objects that an [`Aovs`](crate::Aovs) refers to, in its order: shapes first, then
    /// lights.
    pub fn objects(&self) -> impl ExactSizeIterator<Item = (&Id, ObjectKind)> {
        self.content.objects.iter().map(|(id, kind)| (id, *kind))
    }

    /// The object that was hit.
    pub(crate) fn object_of(&self, hit: &Hit<'_>) -> &(Id, ObjectKind) {
        &self.content.objects[hit.object as usize]
    }

    /// Whether specular surfaces may cause caustics of area lights, and there is no point light.
    pub(crate) fn may_have_caustics(&self) -> bool {
        let lights = &self.lights.lights;
        let is_point = |light: &Light| matches!(light, Light::Point(_));
        // Thin walls do not refract.
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
        &self.lights
    }

    /// The fog, if there is any.
    pub(crate) fn fog(&self) -> Option<&Fog> {
        self.content.fog.as_ref()
    }

    /// Whether `integrator` supports the scene: fog only works with paths from the camera.
    pub fn is_for(&self, integrator: Integrator) -> bool {
        integrator == Integrator::Path || self.content.fog.is_none()
    }

    /// The first hit of the ray.
    pub(crate) fn intersect(&self, ray: &Ray) -> Option<Hit<'_>> {
        let (index, intersection) =
            dispatch!(self.level, simd => self.nearest(simd, &mut Stacks::new(), ray))?;
        Some(self.hit(ray, index, intersection))
    }

    /// The hit of the ray on a body, given by its index.
    #[inline(always)]
    pub(crate) fn hit(&self, ray: &Ray, index: usize, intersection: Intersection) -> Hit<'_> {
        let body = &self.content.bodies[index];
        Hit {
            surface: body.primitive.surface_at(ray, intersection),
            distance: intersection.distance,
            part: body.primitive.part_of(intersection),
            kind: &body.kind,
            object: body.object,
        }
    }

    /// The index of the first body the ray hits.
    #[inline(always)]
    fn nearest<S: Simd>(
        &self,
        simd: S,
        stacks: &mut Stacks,
        ray: &Ray,
    ) -> Option<(usize, Intersection)> {
        let Content { bvh, leaves, bodies, .. } = &*self.content;
        let Stacks { of_bodies, of_mesh } = stacks;
        let mut nearest: Option<(usize, Intersection)> = None;
        let mut nearest_rank = f32::INFINITY;
        // Of bodies at one distance the first of the world counts, in whichever order they are met.
        let is_first = |rank: f32, index: usize, nearest_rank: f32, nearest: Option<usize>| {
            rank < nearest_rank || rank == nearest_rank && nearest.is_none_or(|first| index < first)
        };
        bvh.walk(
            simd,
            of_bodies,
            ray,
            f32::INFINITY,
            #[inline(always)]
            |leaf, t_max| {
                let leaf = &leaves[leaf];
                if let Some(spheres) = &leaf.spheres
                    && let Some(sphere) = spheres.nearest(simd, ray, t_max)
                    && is_first(
                        sphere.rank,
                        sphere.body,
                        nearest_rank,
                        nearest.map(|(first, _)| first),
                    )
                {
                    nearest_rank = sphere.rank;
                    let intersection = Intersection { distance: sphere.distance, part: 0 };
                    nearest = Some((sphere.body, intersection));
                }
                for index in leaf.bodies.clone() {
                    let body = &bodies[index];
                    let Some(intersection) =
                        body.primitive.intersect_with(simd, of_mesh, ray, t_max)
                    else {
                        continue;
                    };
                    let rank = intersection.distance * body.handicap;
                    if is_first(rank, index, nearest_rank, nearest.map(|(first, _)| first)) {
                        nearest_rank = rank;
                        nearest = Some((index, intersection));
                    }
                }
                // A light slightly behind the nearest hit may still win.
                nearest_rank * (1.0 + 2.0 * LIGHT_ADVANTAGE)
            },
        );
        nearest
    }

    /// Whether anything is hit within `distance` along the ray.
    pub(crate) fn is_blocked(&self, ray: &Ray, distance: f32) -> bool {
        dispatch!(self.level, simd => {
            self.is_blocked_with(simd, &mut Stacks::new(), ray, distance)
        })
    }

    #[inline(always)]
    fn is_blocked_with<S: Simd>(
        &self,
        simd: S,
        stacks: &mut Stacks,
        ray: &Ray,
        distance: f32,
    ) -> bool {
        let Content { bvh, leaves, bodies, .. } = &*self.content;
        let Stacks { of_bodies, of_mesh } = stacks;
        let mut blocked = false;
        bvh.walk(
            simd,
            of_bodies,
            ray,
            distance,
            #[inline(always)]
            |leaf, t_max| {
                let leaf = &leaves[leaf];
                if let Some(spheres) = &leaf.spheres {
                    blocked = spheres.block(simd, ray, t_max);
                }
                for index in leaf.bodies.clone() {
                    blocked =
                        blocked || bodies[index].primitive.blocks_with(simd, of_mesh, ray, t_max);
                }
                if blocked { -1.0 } else { t_max }
            },
        );
        blocked
    }

    /// Whether anything is between two points.
    pub(crate) fn is_blocked_between(&self, start: Vec3A, end: Vec3A) -> bool {
        // Points at the same position: nothing is between.
        Ray::between(start, end).is_some_and(|(ray, distance)| self.is_blocked(&ray, distance))
    }
}

#[cfg(test)]
mod tests;
