//! `add_object`: a ready-made object or scene of the catalogue, where it is wanted.

use std::collections::HashSet;
use std::sync::Arc;

use catalogue::{Natural, Object, ObjectParameters, ObjectSize, Theme, catalogue};
use glam::DVec3;
use scene::{
    Angle, Displacement, Edit, Geometry, Id, Kind, Length, LengthOrZero, Motion, Objects, Shape,
    Violations, properties,
};
use serde_json::json;

use crate::args::{Ids, Word};
use crate::check::grounds;
use crate::plan::{Plan, Planned};
use crate::solid::{Extent, Solid};
use crate::space::{Body, Space, Unit};

use super::merge::renamed;
use super::names::Names;
use super::object_args::{Choice, Materials, Options, Spot};
use super::place::{Level, Place, Where};

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
        if let Some(object) = catalogue().find(name) {
            return self.plan_object(object, space);
        }
        match catalogue().theme(name) {
            Some(theme) => self.plan_theme(theme, space),
            None => Err(Violations::one(unknown(name))),
        }
    }
}

fn unknown(name: &str) -> String {
    let similar: Vec<&str> =
        catalogue().search(name, None).iter().take(3).map(|found| found.object.name()).collect();
    let hint = match similar[..] {
        [] => "find_objects tells what there is".to_owned(),
        _ => format!("there are: {}", similar.join(", ")),
    };
    format!("add_object: there is no object '{name}'; {hint}; or build it from shapes")
}

impl AddObject {
    fn plan_object(&self, object: &Object, space: &Space<'_>) -> Result<Plan, Violations> {
        let group = self.group(object.name(), space)?;
        let shapes = object.build(group.as_str(), &self.parameters(object)?);
        let shapes = shapes.map_err(|error| Violations::one(format!("add_object: {error}")))?;
        let shapes: Vec<Arc<Shape>> = shapes.into_iter().map(Arc::new).collect();
        // The objects of the scene and the new one, which is placed among them.
        let mut scene = space.scene.clone();
        scene.shapes.extend(shapes.iter().cloned());
        let with_object = space.with_new_shapes(&scene);
        let placed = self.placed(&group, &with_object)?;
        let about = shapes.iter().map(|shape| (Kind::Shape, shape.id.as_str().to_owned()));
        let Natural { size, .. } = object.natural();
        let parts: Vec<&str> = shapes
            .iter()
            .filter_map(|shape| shape.id.as_str().strip_prefix(group.as_str()))
            .map(|part| part.trim_start_matches('_'))
            .take(MAX_PARTS)
            .collect();
        Ok(Plan {
            about: about.collect(),
            result: Some(json!({
                "id": group, "object": object.name(), "shapes": shapes.len(), "parts": parts,
                "natural_size": size.map(crate::measure::short),
            })),
            edits: vec![Edit::Put(placed)],
        })
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

    fn parameters(&self, object: &Object) -> Result<ObjectParameters, Violations> {
        let mut parameters = ObjectParameters {
            size: self
                .height
                .map_or(ObjectSize::Factor(1.0), |height| ObjectSize::Height(height.get())),
            turn_degrees: self.turn.map_or(0.0, Angle::get),
            materials: self.materials.as_slice().to_vec(),
            ..ObjectParameters::default()
        };
        for (name, wanted) in self.options.as_slice() {
            let option = match object.option_named(name) {
                Err(_) if object.has_part(name) => name,
                option => option.map_err(|error| {
                    Violations::one(format!("add_object property 'options': {error}"))
                })?,
            };
            let list = match wanted {
                Choice::Present(false) => &mut parameters.without,
                Choice::Present(true) | Choice::Count(_) => &mut parameters.with,
            };
            list.push(option.to_owned());
            if let Choice::Count(count) = wanted {
                parameters.counts.push((option.to_owned(), *count as usize));
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
    let mut objects = Objects::default();
    for at in &unit.members {
        let Some(shape) = space.bodies()[*at].shape() else { continue };
        let geometry = shape.geometry.moved(&motion).map_err(|error| {
            Violations::one(format!("add_object: '{}' cannot be put there: {error}", shape.id))
        })?;
        objects.shapes.push(Arc::new(Shape { geometry, ..(**shape).clone() }));
    }
    Ok(objects)
}

/// The room around an object that stands on y = 0 about the origin.
struct Room<'a> {
    space: &'a Space<'a>,
    subject: &'a Solid,
    own: &'a HashSet<usize>,
}

impl Room<'_> {
    /// Where it comes to rest over a point of the ground: on the highest thing there that is no ceiling,
    /// or on y = 0.
    fn resting(&self, at: DVec3) -> DVec3 {
        let eye = self.space.scene.camera.center.get()[1];
        let tops = self.space.shapes().map(|(_, body)| body.solid.extent().max.y);
        let mut start = at.with_y(tops.fold(0.0, f64::max) + self.subject.size());
        loop {
            let Some((way, on)) = self.space.fall_from(self.subject, start, self.own) else {
                return at;
            };
            let body = &self.space.bodies()[on];
            let carrier = body.solid.extent();
            let is_ceiling = carrier.min.y > eye && self.is_wide(carrier);
            if !is_ceiling && self.may_stand_on(body) {
                return start - DVec3::Y * way;
            }
            start.y = carrier.min.y - self.subject.extent().max.y - 1e-6;
        }
    }

    /// Whether it stands on a shape, and would not roll off: a crown of leaves carries no bench, a hill does.
    fn may_stand_on(&self, body: &Body<'_>) -> bool {
        let Some(shape) = body.shape() else { return false };
        let is_round = matches!(
            shape.geometry,
            Geometry::Sphere(_)
                | Geometry::Ellipsoid(_)
                | Geometry::Cone(_)
                | Geometry::Capsule(_)
                | Geometry::Tube(_)
        );
        let width = |extent: Extent| extent.size().x.min(extent.size().z);
        !is_round || width(body.solid.extent()) > 3.0 * width(self.subject.extent())
    }

    /// Whether something is a floor or a ceiling by its size: level and three metres wide.
    fn is_wide(&self, extent: Extent) -> bool {
        let size = extent.size();
        let width = size.x.min(size.z);
        width >= 3.0 && size.y <= 0.05 * width
    }

    /// The free place nearest to the origin, on the ground.
    fn free(&self) -> DVec3 {
        let ground = self.ground();
        let size = self.subject.extent().size();
        let step = 0.5 * size.x.max(size.z).max(0.05);
        const RINGS: i32 = 24;
        let mut spots: Vec<(i32, i32)> =
            (-RINGS..=RINGS).flat_map(|x| (-RINGS..=RINGS).map(move |z| (x, z))).collect();
        spots.sort_by_key(|(x, z)| x * x + z * z);
        let spots = spots
            .into_iter()
            .map(|(x, z)| DVec3::new(f64::from(x) * step, ground, f64::from(z) * step));
        let mut spots = spots.peekable();
        let first = spots.peek().copied().unwrap_or(DVec3::Y * ground);
        spots.find(|spot| self.is_free(*spot)).unwrap_or(first)
    }

    fn is_free(&self, at: DVec3) -> bool {
        let extent = self.subject.extent().moved(at);
        let slack = 1e-3 * self.subject.size();
        // What it stands on does not count.
        let extent = Extent { min: extent.min.with_y(extent.min.y + slack), ..extent };
        self.space.near(extent, 0.0).into_iter().all(|other| self.own.contains(&other))
    }

    /// The height of the widest ground, 0 without one.
    fn ground(&self) -> f64 {
        let eye = self.space.scene.camera.center.get()[1];
        let flat = grounds(self.space);
        let widest = self
            .space
            .shapes()
            .filter(|(at, _)| !self.own.contains(at))
            .map(|(at, body)| (at, body.solid.extent()))
            .filter(|(at, extent)| {
                self.is_wide(*extent) || (flat.contains(at) && extent.size().y < 1e-6)
            })
            .filter(|(_, extent)| extent.max.y <= eye.max(0.0))
            .map(|(_, extent)| (extent.size().x.min(extent.size().z), extent.max.y))
            .max_by(|(one, _), (other, _)| one.total_cmp(other));
        widest.map_or(0.0, |(_, height)| height)
    }
}
