//! `add_object`: a ready-made object or scene of the catalogue, where it is wanted.

use std::collections::HashSet;
use std::sync::Arc;

use catalogue::{
    CatalogueError, Found, Natural, Object, ObjectParameters, ObjectSize, OwnObject, OwnObjects,
    Theme, catalogue,
};
use glam::DVec3;
use scene::{
    Angle, Displacement, Edit, Group, Id, Kind, Length, LengthOrZero, LightSource, Motion,
    MotionError, Objects, Rotation, Shape, Violations, properties,
};
use serde_json::json;

use crate::args::{Ids, Word};
use crate::plan::{Plan, Planned};
use crate::space::{Object as Body, Space, Unit};

use super::merge::renamed;
use super::names::Names;
use super::object_args::{Choice, Materials, Options, Spot};
use super::place::{Level, Place, Where};
use super::room::Room;

properties! {
    /// Arguments of `add_object`.
    pub struct AddObject {
        /// A name from find_objects.
        pub object: Word,
        /// Of its group; default its name.
        pub id: Option<Id> = None,
        /// The middle of its underside; [x, z] rests it on what is there.
        pub at: Option<Spot> = None,
        /// Instead of at, as in place.
        pub relation: Option<Where> = None,
        /// As in place.
        pub to: Option<Ids> = None,
        /// As in place.
        pub gap: Option<LengthOrZero> = None,
        /// As in place.
        pub offset: Option<Displacement> = None,
        /// Degrees about y; it faces +z at 0, +x at 90.
        pub turn: Option<Angle> = None,
        /// {option: true, false or how many}.
        pub options: Options = Options::default(),
        /// {role or part: material, "#rrggbb" or CSS colour}; body is most of it.
        pub materials: Materials = Materials::default(),
        /// Metres; default life-size.
        pub height: Option<Length> = None,
    }
    check(self, reader) {
        if self.relation.is_some() != self.to.is_some() {
            reader.error("takes 'relation' and 'to' together");
        }
        if self.relation.is_some() && self.at.is_some() {
            reader.error("takes 'at' or 'relation', not both");
        }
    }
}

impl Planned for AddObject {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let name = self.object.as_str();
        // A name that somebody gave is meant before a synonym.
        if let Some(object) = space.own_objects().and_then(|own| own.named(name)) {
            return self.plan_own(&object, space);
        }
        if let Some(object) = catalogue().find(name) {
            return self.plan_built_in(object, space);
        }
        if let Some(object) = space.own_objects().and_then(|own| own.find(name)) {
            return self.plan_own(&object, space);
        }
        match catalogue().theme(name) {
            Some(theme) => self.plan_theme(theme, space),
            None => Err(Violations::one(unknown(name, space))),
        }
    }
}

fn unknown(name: &str, space: &Space<'_>) -> String {
    let own = space.own_objects().map(OwnObjects::all).unwrap_or_default();
    let similar = catalogue().search_with(&own, name, None);
    let similar: Vec<&str> = similar.iter().take(3).map(Found::name).collect();
    let hint = match similar[..] {
        [] => "find_objects tells what there is".to_owned(),
        _ => format!("there are: {}", similar.join(", ")),
    };
    format!("add_object: there is no object '{name}'; {hint}; or build it from shapes")
}

/// An object that is built about the origin and not yet in its place.
struct Built<'a> {
    /// Its name in the catalogue or among the user's own.
    name: &'a str,
    group: Id,
    objects: Objects,
    natural_size: [f64; 3],
    is_own: bool,
}

impl AddObject {
    fn plan_built_in(&self, object: &Object, space: &Space<'_>) -> Result<Plan, Violations> {
        let group = self.group(object.name(), space)?;
        let has_part = |name: &str| object.has_part(name);
        let parameters =
            self.parameters(|name| object.option_named(name).map(str::to_owned), has_part)?;
        let shapes = object.build(group.as_str(), &parameters).map_err(|error| refused(&error))?;
        let shapes = shapes.into_iter().map(Arc::new).collect();
        let objects = Objects { shapes, ..Objects::default() };
        let Natural { size, .. } = object.natural();
        let name = object.name();
        self.plan_built(Built { name, group, objects, natural_size: size, is_own: false }, space)
    }

    fn plan_own(&self, object: &OwnObject, space: &Space<'_>) -> Result<Plan, Violations> {
        space.check_assets_of(object)?;
        let options = object.option_infos();
        let option = |name: &str| match options.iter().find(|option| option.name == name) {
            Some(option) => Ok(option.name.to_owned()),
            None => Err(CatalogueError::UnknownOption {
                object: object.name().to_owned(),
                option: name.chars().take(60).collect(),
                known: options.first().map_or("none", |option| option.name).to_owned(),
            }),
        };
        let parameters = self.parameters(option, |_| false)?;
        let mut group = self.group(object.name(), space)?;
        let mut names = Names::of(space.scene);
        let objects = loop {
            let objects =
                object.build(group.as_str(), &parameters).map_err(|error| refused(&error))?;
            let Some(taken) = taken(&objects, &group, space) else { break objects };
            let next = match self.id {
                None => names.copy_of(group.as_str(), 2),
                Some(_) => None,
            };
            group = next.ok_or_else(|| {
                Violations::one(format!(
                    "add_object property 'id': '{taken}' already exists; choose another id"
                ))
            })?;
        };
        let name = object.name();
        self.plan_built(
            Built { name, group, objects, natural_size: object.size(), is_own: true },
            space,
        )
    }

    fn plan_built(&self, built: Built<'_>, space: &Space<'_>) -> Result<Plan, Violations> {
        let Built { name, group, objects, natural_size, is_own } = built;
        // The objects of the scene and the new one, which is placed among them.
        let mut scene = space.scene.clone();
        scene.shapes.extend(objects.shapes.iter().cloned());
        scene.lights.extend(objects.lights.iter().cloned());
        scene.groups.extend(objects.groups.iter().cloned());
        let with_object = space.with_new_bodies(&scene);
        let mut placed = self.placed(&group, &with_object)?;
        placed.groups = objects.groups;
        self.note_turn(&group, &mut placed.groups);
        let shapes = placed.shapes.iter().map(|shape| (Kind::Shape, shape.id.as_str().to_owned()));
        let lights = placed.lights.iter().map(|light| (Kind::Light, light.id.as_str().to_owned()));
        let about: Vec<(Kind, String)> = shapes.chain(lights).collect();
        let parts: Vec<&str> = about
            .iter()
            .filter_map(|(_, id)| id.strip_prefix(group.as_str()))
            .map(|part| part.trim_start_matches('_'))
            .take(MAX_PARTS)
            .collect();
        let mut result = json!({
            "id": group, "object": name, "shapes": placed.shapes.len(), "parts": parts,
            "natural_size": natural_size.map(crate::measure::short),
        });
        if is_own {
            result["own"] = true.into();
        }
        if !placed.lights.is_empty() {
            result["lights"] = placed.lights.len().into();
        }
        Ok(Plan { about, result: Some(result), edits: vec![Edit::Put(placed)] })
    }

    /// Its own axes are turned with it, so that `along` finds them.
    fn note_turn(&self, group: &Id, listed: &mut Vec<Group>) {
        let turn = self.turn.map_or(0.0, Angle::get);
        let rotation = Rotation::new([0.0, turn, 0.0]).unwrap_or(Rotation::NONE);
        if rotation == Rotation::NONE {
            return;
        }
        match listed.iter_mut().find(|listed| listed.id == *group) {
            Some(top) => top.rotation = rotation,
            None => listed.push(Group { id: group.clone(), parent: None, rotation }),
        }
    }

    /// The name of its group: the one that was asked for, or a free one.
    fn group(&self, name: &str, space: &Space<'_>) -> Result<Id, Violations> {
        if let Some(id) = &self.id {
            return match space.scene.kind_of(id.as_str()) {
                None => Ok(id.clone()),
                Some(kind) => Err(Violations::one(format!(
                    "add_object property 'id': a {kind} '{id}' already exists; choose another id"
                ))),
            };
        }
        let name = name.replace([' ', '-'], "_");
        let free = match space.scene.kind_of(&name) {
            None => Id::new(&name),
            Some(_) => Names::of(space.scene).copy_of(&name, 2),
        };
        free.ok_or_else(|| Violations::one(format!("no free name is left for a '{name}'")))
    }

    /// What it is built with; `option` reads the name of an option, `has_part` knows parts that may be counted.
    fn parameters(
        &self,
        option: impl Fn(&str) -> Result<String, CatalogueError>,
        has_part: impl Fn(&str) -> bool,
    ) -> Result<ObjectParameters, Violations> {
        let mut parameters = ObjectParameters {
            size: self
                .height
                .map_or(ObjectSize::Factor(1.0), |height| ObjectSize::Height(height.get())),
            turn_degrees: self.turn.map_or(0.0, Angle::get),
            materials: self.materials.as_slice().to_vec(),
            ..ObjectParameters::default()
        };
        for (name, wanted) in self.options.as_slice() {
            let option = match option(name) {
                Err(_) if has_part(name) => name.clone(),
                option => option.map_err(|error| {
                    Violations::one(format!("add_object property 'options': {error}"))
                })?,
            };
            let list = match wanted {
                Choice::Present(false) => &mut parameters.without,
                Choice::Present(true) | Choice::Count(_) => &mut parameters.with,
            };
            list.push(option.clone());
            if let Choice::Count(count) = wanted {
                parameters.counts.push((option, *count as usize));
            }
        }
        Ok(parameters)
    }

    /// The shapes of the new object where they are to be.
    fn placed(&self, group: &Id, space: &Space<'_>) -> Result<Objects, Violations> {
        let unit = space.unit(group.as_str())?;
        if let (Some(relation), Some(to)) = (self.relation, &self.to) {
            let place = Place {
                ids: Ids::one(group.clone()),
                relation,
                to: to.clone(),
                gap: self.gap,
                offset: self.offset,
                level: Level::Bottom,
                each: false,
            };
            let plan = place.plan(space)?;
            return Ok(plan
                .edits
                .into_iter()
                .find_map(|edit| match edit {
                    Edit::Put(objects) => Some(objects),
                    _ => None,
                })
                .unwrap_or_default());
        }
        let own: HashSet<usize> = unit.members.iter().copied().collect();
        let room = Room { space, subject: &unit.solid, own: &own };
        let shift = match self.at {
            Some(Spot::Point(at)) => at.into(),
            Some(Spot::Ground([x, z])) => room.resting(DVec3::new(x, 0.0, z)),
            None => room.free(),
        };
        moved(space, &unit, shift)
    }

    fn plan_theme(&self, theme: &Theme, space: &Space<'_>) -> Result<Plan, Violations> {
        let placed = self.at.is_some() || self.relation.is_some() || self.turn.is_some();
        if placed || self.height.is_some() || !self.materials.as_slice().is_empty() {
            return Err(Violations::one(format!(
                "add_object: '{}' is a whole scene, which takes only 'object'; find_objects tells what \
                 is in it",
                theme.name()
            )));
        }
        let built = theme.build(&catalogue::Mood::default());
        let built = built.map_err(|error| Violations::one(format!("add_object: {error}")))?;
        let objects = renamed(&built, space.scene)?;
        let shapes = objects.shapes.iter().map(|shape| (Kind::Shape, shape.id.as_str().to_owned()));
        let lights = objects.lights.iter().map(|light| (Kind::Light, light.id.as_str().to_owned()));
        let about: Vec<(Kind, String)> = shapes.chain(lights).collect();
        let groups: HashSet<&str> = objects
            .shapes
            .iter()
            .filter_map(|shape| shape.group.as_ref())
            .map(Id::as_str)
            .collect();
        let mut groups: Vec<&str> = groups.into_iter().collect();
        groups.sort_unstable();
        let mut edits = vec![];
        let is_empty = space.scene.shapes.is_empty() && space.scene.lights.is_empty();
        let result = json!({
            "scene": theme.name(), "groups": groups, "shapes": objects.shapes.len(),
            "lights": objects.lights.len(), "camera_and_sky": is_empty,
        });
        edits.push(Edit::Put(objects));
        if is_empty {
            edits.push(Edit::SetEnvironment { environment: built.environment, keeps_fog: true });
            if let serde_json::Value::Object(camera) = built.camera.to_json() {
                edits.push(Edit::SetCamera(camera));
            }
        }
        Ok(Plan { edits, about, result: Some(result) })
    }
}

/// The most parts named in a result.
const MAX_PARTS: usize = 12;

fn moved(space: &Space<'_>, unit: &Unit, shift: DVec3) -> Result<Objects, Violations> {
    let motion = Motion::shift(shift.to_array());
    let refused = |id: &Id, error: MotionError| {
        Violations::one(format!("add_object: '{id}' cannot be put there: {error}"))
    };
    let mut objects = Objects::default();
    for at in &unit.members {
        match space.bodies()[*at].object {
            Body::Shape(shape) => {
                let geometry = shape.geometry.moved(&motion);
                let geometry = geometry.map_err(|error| refused(&shape.id, error))?;
                objects.shapes.push(Arc::new(Shape { geometry, ..(**shape).clone() }));
            }
            Body::Light(light) => {
                let moved = light.light.moved(&motion);
                let moved = moved.map_err(|error| refused(&light.id, error))?;
                objects.lights.push(Arc::new(LightSource { light: moved, ..(**light).clone() }));
            }
        }
    }
    Ok(objects)
}

fn refused(error: &CatalogueError) -> Violations {
    Violations::one(format!("add_object: {error}"))
}

/// An id among new objects, but that of their `group`, that the scene has already.
fn taken(objects: &Objects, group: &Id, space: &Space<'_>) -> Option<Id> {
    let shapes = objects.shapes.iter().map(|shape| &shape.id);
    let lights = objects.lights.iter().map(|light| &light.id);
    let groups = objects.groups.iter().map(|group| &group.id);
    let known = Names::of(space.scene);
    let mut ids = shapes.chain(lights).chain(groups).filter(|id| *id != group);
    ids.find(|id| known.has(id.as_str())).cloned()
}
