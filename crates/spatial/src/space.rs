//! A scene as solids in space, with lookup of groups, neighbours and contacts.

mod contacts;

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

use catalogue::{OwnObject, OwnObjects};
use glam::DVec3;
use scene::read::nearest;
use scene::{Assets, Geometry, Group, Id, LightSource, Motion, Rotation, Scene, Shape, Violations};

use crate::solid::Solid;
use crate::solids::Solids;
use crate::tree::Tree;

/// A shape or a light with its solid.
#[derive(Debug, Clone)]
pub struct Body<'a> {
    /// Its id.
    pub id: &'a str,
    /// The object in the document.
    pub object: Object<'a>,
    /// The volume it occupies.
    pub solid: Solid,
}

/// A shape or a light of the document.
#[derive(Debug, Clone, Copy)]
pub enum Object<'a> {
    /// A shape.
    Shape(&'a Arc<Shape>),
    /// A light.
    Light(&'a Arc<LightSource>),
}

impl<'a> Body<'a> {
    /// The group it belongs to.
    pub fn group(&self) -> Option<&'a Id> {
        match self.object {
            Object::Shape(shape) => shape.group.as_ref(),
            Object::Light(light) => light.group.as_ref(),
        }
    }

    /// The shape; `None` for a light.
    pub fn shape(&self) -> Option<&'a Arc<Shape>> {
        match self.object {
            Object::Shape(shape) => Some(shape),
            Object::Light(_) => None,
        }
    }

    /// Whether other objects may lie inside of it: it is clear, open at its ends, or contains the camera at
    /// `eye`, as a room or a dome does.
    fn may_hold_things(&self, eye: DVec3) -> bool {
        let is_clear = self.shape().is_some_and(|shape| shape.material.is_clear());
        is_clear || self.solid.has_room_in_it() || self.solid.covers(eye, 0.0)
    }
}

/// Objects that move as one: a shape, a light, or all members of a group.
#[derive(Debug, Clone)]
pub struct Unit {
    /// The id of the object or group.
    pub name: String,
    /// Indices of its bodies in the [`Space`].
    pub members: Vec<usize>,
    /// The volume it occupies.
    pub solid: Solid,
}

/// Whether a name that nothing bears stands for all that it fits.
pub(crate) fn is_pattern(scene: &Scene, id: &str) -> bool {
    id.contains('*') && scene.kind_of(id).is_none()
}

/// Whether `name` is as `pattern` says, in which each `*` stands for any characters.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

/// The bodies of a scene: its shapes, then its lights. Meshes that are not loaded are left out.
#[derive(Debug)]
pub struct Space<'a> {
    /// The scene.
    pub scene: &'a Scene,
    assets: &'a dyn Assets,
    /// The objects of the user's own that may be added.
    own: Option<&'a OwnObjects>,
    bodies: Vec<Body<'a>>,
    /// The numbers of the bodies in the order of their ids, sorted on first use.
    by_id: OnceLock<Vec<usize>>,
    /// Bounding volume hierarchy of the bodies, built on first use.
    tree: OnceLock<Tree>,
}

impl<'a> Space<'a> {
    /// The meshes that the scene may use.
    pub(crate) fn assets(&self) -> &'a dyn Assets {
        self.assets
    }

    /// The group as the document lists it, or as it would.
    pub(crate) fn listed(&self, id: Id) -> Group {
        let listed = self.scene.groups.iter().find(|group| group.id == id);
        listed.cloned().unwrap_or_else(|| Group::new(id, None))
    }

    /// The same after a motion of the whole group.
    pub(crate) fn turned(&self, id: Id, motion: &Motion) -> Group {
        let group = self.listed(id);
        let turned = Rotation::new(motion.rotation(group.rotation.get()));
        Group { rotation: turned.unwrap_or(group.rotation), ..group }
    }

    /// The Euler angles of the own axes of a group or a shape.
    pub(crate) fn axes_of(&self, name: &str) -> Result<[f64; 3], Violations> {
        let shape = |name: &str| {
            let mut geometry = self.scene.shape(name)?.geometry.clone();
            geometry.rotation_mut().map(|rotation| rotation.get())
        };
        match self.scene.kind_of(name) {
            None => Err(Violations::one(self.unknown(name))),
            Some("group") => {
                let listed = self.scene.groups.iter().find(|group| group.id.as_str() == name);
                Ok(listed.map_or([0.0; 3], |group| group.rotation.get()))
            }
            Some(_) => Ok(shape(name).unwrap_or([0.0; 3])),
        }
    }

    /// The bodies of `scene`.
    pub fn of(scene: &'a Scene, assets: &'a dyn Assets) -> Self {
        Self::with(scene, assets, |shape| Solid::of_shape(&shape.geometry, assets))
    }

    /// The same with solids that are known already. They have to be of the same assets.
    pub fn of_known(scene: &'a Scene, assets: &'a dyn Assets, solids: &Solids) -> Self {
        Self::with(scene, assets, |shape| solids.of(shape, assets))
    }

    fn with(
        scene: &'a Scene,
        assets: &'a dyn Assets,
        solid: impl Fn(&Arc<Shape>) -> Option<Solid>,
    ) -> Self {
        let shapes = scene.shapes.iter().filter_map(|shape| {
            Some(Body { id: shape.id.as_str(), object: Object::Shape(shape), solid: solid(shape)? })
        });
        let lights = scene.lights.iter().map(|light| Body {
            id: light.id.as_str(),
            object: Object::Light(light),
            solid: Solid::of_light(&light.light),
        });
        let bodies: Vec<Body<'a>> = shapes.chain(lights).collect();
        let (by_id, tree) = (OnceLock::new(), OnceLock::new());
        Self { scene, assets, own: None, bodies, by_id, tree }
    }

    /// The same, with objects of the user's own that may be added.
    #[must_use]
    pub fn with_own_objects(self, own: &'a OwnObjects) -> Self {
        Self { own: Some(own), ..self }
    }

    /// The objects of the user's own that may be added.
    pub(crate) fn own_objects(&self) -> Option<&'a OwnObjects> {
        self.own
    }

    /// The volume of a shape that is not in the scene; `None` for a mesh that is not at hand.
    pub(crate) fn solid_of(&self, geometry: &Geometry) -> Option<Solid> {
        Solid::of_shape(geometry, self.assets)
    }

    /// Whether the meshes and pictures of an object are at hand.
    pub(crate) fn check_assets_of(&self, object: &OwnObject) -> Result<(), Violations> {
        object.parts().check_assets(self.assets).map_err(|violations| {
            Violations::one(format!(
                "the object '{}' cannot be added, import its file again: {violations}",
                object.name()
            ))
        })
    }

    /// The bodies of `scene`, which is the scene of this space with more shapes and lights at the end.
    pub(crate) fn with_new_bodies<'b>(&'b self, scene: &'b Scene) -> Space<'b> {
        let new_lights = scene.lights.iter().skip(self.scene.lights.len()).map(|light| Body {
            id: light.id.as_str(),
            object: Object::Light(light),
            solid: Solid::of_light(&light.light),
        });
        let new = scene.shapes.iter().skip(self.scene.shapes.len()).filter_map(|shape| {
            Some(Body {
                id: shape.id.as_str(),
                object: Object::Shape(shape),
                solid: Solid::of_shape(&shape.geometry, self.assets)?,
            })
        });
        let known = self.bodies.iter().cloned();
        let bodies: Vec<Body<'b>> = known.chain(new).chain(new_lights).collect();
        let (by_id, tree) = (OnceLock::new(), OnceLock::new());
        Space { scene, assets: self.assets, own: self.own, bodies, by_id, tree }
    }

    /// The bodies.
    pub fn bodies(&self) -> &[Body<'a>] {
        &self.bodies
    }

    /// The index of the body with an id.
    pub fn place_of(&self, id: &str) -> Option<usize> {
        let by_id = self.by_id.get_or_init(|| {
            let mut numbers: Vec<usize> = (0..self.bodies.len()).collect();
            numbers.sort_unstable_by_key(|at| self.bodies[*at].id);
            numbers
        });
        by_id.binary_search_by_key(&id, |at| self.bodies[*at].id).ok().map(|place| by_id[place])
    }

    /// The bodies that are shapes, with their indices.
    pub fn shapes(&self) -> impl Iterator<Item = (usize, &Body<'a>)> {
        self.bodies.iter().enumerate().filter(|(_, body)| body.shape().is_some())
    }

    /// The union of all shapes but floors and walls, which count only if there is nothing else. `None`
    /// without shapes.
    pub fn contents(&self) -> Option<Solid> {
        let solids = || self.shapes().map(|(_, body)| &body.solid);
        Solid::union(solids().filter(|solid| !solid.is_flat())).or_else(|| Solid::union(solids()))
    }

    /// The group `group` and all groups inside it.
    pub fn groups_in<'b>(&'b self, group: &'b str) -> HashSet<&'b str> {
        let mut inside = HashSet::from([group]);
        loop {
            let before = inside.len();
            let held = self.scene.groups.iter().filter(|inner| {
                inner.parent.as_ref().is_some_and(|parent| inside.contains(parent.as_str()))
            });
            let held: Vec<&str> = held.map(|inner| inner.id.as_str()).collect();
            inside.extend(held);
            if inside.len() == before {
                return inside;
            }
        }
    }

    /// The groups that a body belongs to, from the innermost out.
    pub fn groups_of(&self, body: &Body<'a>) -> Vec<&'a str> {
        let mut groups: Vec<&'a str> = body.group().map(Id::as_str).into_iter().collect();
        // A document has no circles among its groups.
        while let Some(last) = groups.last()
            && let Some(group) = self.scene.groups.iter().find(|group| group.id.as_str() == *last)
            && let Some(parent) = &group.parent
        {
            groups.push(parent.as_str());
        }
        groups
    }

    /// The outermost group that a body belongs to.
    pub fn whole_of(&self, body: &Body<'a>) -> Option<&'a str> {
        self.groups_of(body).pop()
    }

    /// The shape, light or group called `id`.
    pub fn unit(&self, id: &str) -> Result<Unit, Violations> {
        if let Some(at) = self.place_of(id) {
            let solid = self.bodies[at].solid.clone();
            return Ok(Unit { name: id.to_owned(), members: vec![at], solid });
        }
        if self.scene.kind_of(id).is_none() {
            return Err(Violations::one(self.unknown(id)));
        }
        let groups = self.groups_in(id);
        let is_member = |(at, body): (usize, &Body<'_>)| {
            body.group().is_some_and(|group| groups.contains(group.as_str())).then_some(at)
        };
        let members: Vec<usize> = self.bodies.iter().enumerate().filter_map(is_member).collect();
        let solid = Solid::union(members.iter().map(|at| &self.bodies[*at].solid));
        let solid = solid.ok_or_else(|| {
            Violations::one(format!("'{id}' takes up no room: it has no shapes or lights at hand"))
        })?;
        Ok(Unit { name: id.to_owned(), members, solid })
    }

    /// Each of the named things, and what a pattern such as `pine_*` fits; all unknown names are told at
    /// once, and a thing that is named twice, also by its group, is refused.
    pub fn units(&self, ids: &[Id]) -> Result<Vec<Unit>, Violations> {
        let (mut units, mut faults) = (Vec::with_capacity(ids.len()), Vec::new());
        for id in ids {
            let id = id.as_str();
            if !is_pattern(self.scene, id) {
                match self.unit(id) {
                    Ok(unit) => units.push(unit),
                    Err(violations) => faults.push(violations),
                }
                continue;
            }
            let fitting = self.fitting(id);
            // A group that fits, but holds nothing at hand, is left out.
            let fitting = fitting.iter().filter_map(|name| self.unit(name).ok());
            let before = units.len();
            units.extend(fitting);
            if units.len() == before {
                faults.push(Violations::one(self.unknown(id)));
            }
        }
        let mut seen = HashSet::new();
        for unit in &units {
            if let Some(twice) = unit.members.iter().find(|at| !seen.insert(**at)) {
                faults.push(Violations::one(format!(
                    "'{}' is named twice, by itself or by its group; name each thing once",
                    self.bodies[*twice].id
                )));
            }
        }
        Violations::joined(faults).map_or(Ok(units), Err)
    }

    /// The groups whose names fit a pattern, without those inside one another, and the shapes and lights
    /// that fit and are in none of these.
    fn fitting(&self, pattern: &str) -> Vec<&str> {
        let groups: BTreeSet<&str> =
            self.scene.group_ids().filter(|id| fits(pattern, id)).collect();
        let (mut held, mut inner) = (HashSet::new(), HashSet::new());
        for group in &groups {
            let within = self.groups_in(group);
            inner.extend(within.iter().filter(|inner| *inner != group).map(|it| (*it).to_owned()));
            held.extend(within.into_iter().map(str::to_owned));
        }
        let is_free =
            |body: &&Body<'a>| body.group().is_none_or(|group| !held.contains(group.as_str()));
        let bodies = self.bodies.iter().filter(|body| fits(pattern, body.id)).filter(is_free);
        let groups = groups.iter().copied().filter(|group| !inner.contains(*group));
        groups.chain(bodies.map(|body| body.id)).collect()
    }

    /// What to say of a name that nothing bears.
    pub(crate) fn unknown(&self, id: &str) -> String {
        /// Enough names to choose from without flooding the model.
        const MAX_NAMES: usize = 20;
        let groups: BTreeSet<&str> = self.scene.group_ids().collect();
        let names: Vec<&str> = self.bodies.iter().map(|body| body.id).chain(groups).collect();
        if names.is_empty() {
            return format!("there is no '{id}': the scene is empty");
        }
        let near = nearest(id, names.iter().copied());
        let rest = if names.len() > MAX_NAMES { ", ..." } else { "" };
        let listed = names.into_iter().take(MAX_NAMES).collect::<Vec<_>>().join(", ");
        format!("there is no '{id}'; did you mean '{near}'? The scene has: {listed}{rest}")
    }
}
