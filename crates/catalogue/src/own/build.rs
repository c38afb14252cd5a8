//! From an object of the user's own to placed shapes.

use std::sync::Arc;

use glam::DVec3;
use scene::{Group, Id, LightSource, Material, Motion, Objects, Rotation, Scene, Shape};

use super::object::{BODY, OwnObject, shines};
use crate::build::{Bounds, turned_off};
use crate::error::CatalogueError;
use crate::object::{LIGHT_OPTION, ObjectParameters, ObjectSize};
use crate::portrait::portrait;

impl OwnObject {
    /// Its shapes, lights and groups, standing on y = 0 around the origin, all in the group `group`. Each id
    /// begins with it: `lamp_shade`. Of the parameters, size, materials, turn and the option `light` count.
    ///
    /// # Errors
    /// A size out of the range of the document, a part or option it does not have, or an id that is too long.
    pub fn build(
        &self,
        group: &str,
        parameters: &ObjectParameters,
    ) -> Result<Objects, CatalogueError> {
        let motion = self.motion(parameters);
        let id = |name: &str| {
            let name = format!("{group}_{name}");
            Id::new(&name).ok_or(CatalogueError::Name(name))
        };
        let root = Id::new(group).ok_or_else(|| CatalogueError::Name(group.to_owned()))?;
        let inside = |inner: Option<&Id>| match inner {
            Some(inner) => id(inner.as_str()),
            None => Ok(root.clone()),
        };
        let is_dark = parameters.without.iter().any(|option| option == LIGHT_OPTION);
        let materials = self.materials(parameters)?;
        let mut objects = Objects::default();
        for (shape, material) in self.parts.shapes.iter().zip(materials) {
            let geometry = moved(shape.id.as_str(), shape.geometry.moved(&motion))?;
            let material = if is_dark { turned_off(material) } else { material };
            objects.shapes.push(Arc::new(Shape {
                id: id(shape.id.as_str())?,
                group: Some(inside(shape.group.as_ref())?),
                geometry,
                material,
                ..(**shape).clone()
            }));
        }
        for light in self.parts.lights.iter().filter(|_| !is_dark) {
            objects.lights.push(Arc::new(LightSource {
                id: id(light.id.as_str())?,
                group: Some(inside(light.group.as_ref())?),
                light: moved(light.id.as_str(), light.light.moved(&motion))?,
                ..(**light).clone()
            }));
        }
        objects.groups = self.groups(&root, &motion, inside)?;
        Ok(objects)
    }

    /// A scene of the object alone, as its picture shows it.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn portrait(&self, parameters: &ObjectParameters) -> Result<Scene, CatalogueError> {
        let objects = self.build("object", parameters)?;
        let [width, height, depth] = self.size;
        let reach = DVec3::new(0.5 * width, 0.0, 0.5 * depth);
        let natural = Bounds { min: -reach, max: reach.with_y(height) };
        portrait(self.name(), &objects, natural)
    }

    fn motion(&self, parameters: &ObjectParameters) -> Motion {
        let [width, height, depth] = self.size;
        let factor = match parameters.size {
            ObjectSize::Factor(factor) => factor,
            ObjectSize::Height(metres) => metres / height.max(1e-9),
            ObjectSize::Width(metres) => metres / width.max(1e-9),
            ObjectSize::Depth(metres) => metres / depth.max(1e-9),
            ObjectSize::Longest(metres) => metres / width.max(height).max(depth),
        };
        let turn = Motion::turn([0.0, parameters.turn_degrees, 0.0], [0.0; 3]);
        Motion::scale(factor, [0.0; 3]).then(turn)
    }

    /// The groups inside it, within `root`.
    fn groups(
        &self,
        root: &Id,
        motion: &Motion,
        inside: impl Fn(Option<&Id>) -> Result<Id, CatalogueError>,
    ) -> Result<Vec<Group>, CatalogueError> {
        let mut names: Vec<&str> = self.parts.group_ids().collect();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let mut groups = vec![Group::new(root.clone(), None)];
        for name in names {
            let listed = self.parts.groups.iter().find(|group| group.id.as_str() == name);
            let own = listed.map_or(Rotation::NONE, |group| group.rotation);
            let rotation = Rotation::new(motion.rotation(own.get())).unwrap_or(own);
            let parent = inside(listed.and_then(|group| group.parent.as_ref()))?;
            let id = inside(Id::new(name).as_ref())?;
            groups.push(Group { id, parent: Some(parent), rotation });
        }
        Ok(groups)
    }

    /// The material of each shape, in order.
    fn materials(&self, parameters: &ObjectParameters) -> Result<Vec<Material>, CatalogueError> {
        let shapes = &self.parts.shapes;
        let mut materials: Vec<Material> =
            shapes.iter().map(|shape| shape.material.clone()).collect();
        for (name, paint) in &parameters.materials {
            let painted: Vec<usize> =
                (0..shapes.len()).filter(|at| self.is_named(&shapes[*at], name)).collect();
            if painted.is_empty() {
                return Err(CatalogueError::UnknownPart {
                    object: self.name().to_owned(),
                    part: name.chars().take(60).collect(),
                    known: self.part_names().into_iter().take(40).collect::<Vec<_>>().join(", "),
                });
            }
            for at in painted {
                materials[at] = paint.over(&shapes[at].material)?;
            }
        }
        Ok(materials)
    }

    /// Whether a name of a part means a shape: it is the shape's, that of a group around it, or that of what
    /// it is a copy or a part of.
    fn is_named(&self, shape: &Shape, name: &str) -> bool {
        let fits = |id: &str| {
            id.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        fits(shape.id.as_str())
            || self.groups_of(shape.group.as_ref()).into_iter().any(fits)
            || (name == BODY && !self.has_part(BODY) && self.is_of_body(shape))
    }

    fn has_part(&self, name: &str) -> bool {
        let shapes = self.parts.shapes.iter().map(|shape| shape.id.as_str());
        shapes.chain(self.parts.group_ids()).any(|id| id == name)
    }

    /// Whether a shape has the material of the largest one, or is the only one.
    fn is_of_body(&self, shape: &Shape) -> bool {
        let volume = |shape: &Arc<Shape>| match shape.geometry.bounds() {
            Some(bounds) => {
                let size = DVec3::from(bounds.size()).max(DVec3::splat(1e-3));
                size.x * size.y * size.z
            }
            // What a mesh measures is not known here; it is seldom the least of an object.
            None => f64::INFINITY,
        };
        let opaque = self.parts.shapes.iter().filter(|shape| !shines(&shape.material));
        let largest = opaque.max_by(|one, other| volume(one).total_cmp(&volume(other)));
        largest.is_some_and(|largest| largest.material == shape.material)
    }
}

fn moved<T>(name: &str, moved: Result<T, scene::MotionError>) -> Result<T, CatalogueError> {
    moved.map_err(|error| CatalogueError::Motion { name: name.to_owned(), error })
}
