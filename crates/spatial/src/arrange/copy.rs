//! Copies: `duplicate` and `mirror`.

use std::collections::HashMap;

use glam::DVec3;
use scene::{
    Displacement, Group, Id, LightSource, Motion, Rotation, Shape, Violations, properties,
};

use crate::args::{Axis, Coordinate, Ids};
use crate::plan::{Plan, PlanBuilder, Planned};
use crate::space::{Object, Space, Unit};

use super::axes::Axes;
use super::names::Names;
use super::object_args::{Spot, Spots};

/// Makes copies of one thing.
pub(crate) struct Copier<'a> {
    pub(crate) space: &'a Space<'a>,
    pub(crate) names: Names,
}

/// What a copy is to be.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Copy<'a> {
    /// Counts from 1, the original; used in names.
    pub(crate) number: u64,
    /// The name of the copy itself; made up when there is none.
    pub(crate) id: Option<&'a Id>,
    /// The group it is put into, in place of the original's.
    pub(crate) group: Option<&'a Id>,
}

impl<'a> Copier<'a> {
    pub(crate) fn new(space: &'a Space<'a>) -> Self {
        Self { space, names: Names::of(space.scene) }
    }

    fn name(&mut self, old: &str, number: u64) -> Result<Id, Violations> {
        let name = self.names.copy_of(old, number);
        name.ok_or_else(|| Violations::one(format!("no free name is left for a copy of '{old}'")))
    }

    /// The name of a part of a group whose copy is called `copy`: by that name and its own, `chair_2_leg_1`, so that
    /// the parts of a copy are found by its name. What begins with the group's name begins with the copy's instead.
    fn name_in(
        &mut self,
        unit: &Unit,
        copy: &Id,
        old: &str,
        number: u64,
    ) -> Result<Id, Violations> {
        let rest = old.strip_prefix(unit.name.as_str()).filter(|rest| rest.starts_with('_'));
        let rest = rest.map_or_else(|| format!("_{old}"), str::to_owned);
        match Id::new(&format!("{copy}{rest}")).filter(|id| self.names.take(id)) {
            Some(id) => Ok(id),
            None => self.name(old, number),
        }
    }

    /// Adds a copy of `unit`, moved by `motion`; what groups there are in it are copied, too.
    pub(crate) fn copy(
        &mut self,
        unit: &Unit,
        motion: &Motion,
        copy: Copy<'_>,
        changes: &mut PlanBuilder,
    ) -> Result<(), Violations> {
        let is_group = self.space.place_of(&unit.name).is_none();
        let own_name = match copy.id {
            Some(id) => id.clone(),
            None => self.name(&unit.name, copy.number)?,
        };
        let mut groups: HashMap<String, Id> = HashMap::new();
        if is_group {
            let mut inside: Vec<String> =
                self.space.groups_in(&unit.name).into_iter().map(str::to_owned).collect();
            inside.sort_unstable();
            for old in inside.into_iter().filter(|old| *old != unit.name) {
                let new = self.name_in(unit, &own_name, &old, copy.number)?;
                groups.insert(old, new);
            }
            groups.insert(unit.name.clone(), own_name.clone());
            changes.groups(self.listed(unit, &groups, copy.group, motion));
        }
        for at in &unit.members {
            let body = &self.space.bodies()[*at];
            let id = match is_group {
                true => self.name_in(unit, &own_name, body.id, copy.number)?,
                false => own_name.clone(),
            };
            let group = match body.group() {
                Some(old) if is_group => groups.get(old.as_str()).cloned(),
                old => copy.group.or(old).cloned(),
            };
            match body.object {
                Object::Shape(shape) => match shape.geometry.moved(motion) {
                    Ok(geometry) => {
                        changes.shape(Shape { id, group, geometry, ..(**shape).clone() });
                    }
                    Err(fault) => changes.fault("shape", id.as_str(), &fault),
                },
                Object::Light(light) => match light.light.moved(motion) {
                    Ok(moved) => {
                        changes.light(LightSource { id, group, light: moved, ..(**light).clone() });
                    }
                    Err(fault) => changes.fault("light", id.as_str(), &fault),
                },
            }
        }
        Ok(())
    }

    /// The listed groups of a copied group.
    fn listed(
        &self,
        unit: &Unit,
        new: &HashMap<String, Id>,
        parent: Option<&Id>,
        motion: &Motion,
    ) -> Vec<Group> {
        let listed = self.space.scene.groups.iter().filter_map(|group| {
            let id = new.get(group.id.as_str())?.clone();
            let is_top = group.id.as_str() == unit.name;
            let held = group.parent.as_ref().and_then(|parent| new.get(parent.as_str()));
            let parent = if is_top { parent.or(group.parent.as_ref()) } else { held };
            let turned = self.space.turned(group.id.clone(), motion);
            Some(Group { id, parent: parent.cloned(), ..turned })
        });
        let mut listed: Vec<Group> = listed.collect();
        let top = &new[&unit.name];
        let turned = Id::new(&unit.name).map(|id| self.space.turned(id, motion));
        let rotation = turned.map_or(Rotation::NONE, |turned| turned.rotation);
        let has_more = parent.is_some() || rotation != Rotation::NONE;
        if has_more && !listed.iter().any(|group| group.id == *top) {
            listed.push(Group { id: top.clone(), parent: parent.cloned(), rotation });
        }
        listed
    }
}

properties! {
    /// Arguments of `duplicate`.
    pub struct Duplicate {
        /// Shapes, lights, groups.
        pub ids: Ids,
        /// Way from the original.
        pub offset: Option<Displacement> = None,
        /// Or a copy at each [x, y, z] or [x, z].
        pub at: Option<Spots> = None,
        /// Default: name_2.
        pub new_id: Option<Id> = None,
        /// In its axes.
        pub along: Option<Id> = None,
    }
    check(self, reader) {
        if self.new_id.is_some() && self.ids.as_slice().len() > 1 {
            reader.error("'new_id' can only be given for a single thing");
        }
        if self.offset.is_some() == self.at.is_some() {
            reader.error("takes 'offset' (from the original) or 'at' (where copies are to stand)");
        }
        if self.at.is_some() && self.ids.as_slice().len() > 1 {
            reader.error("'at' can only be given for a single thing; group several first");
        }
    }
}

properties! {
    /// Arguments of `mirror`.
    pub struct Mirror {
        /// Shapes, lights, groups.
        pub ids: Ids,
        /// Across the mirror.
        pub axis: Axis,
        /// Of the plane, default 0.
        pub at: Coordinate = Coordinate::ORIGIN,
        /// false moves the original instead.
        pub copy: bool = true,
    }
}

impl Planned for Duplicate {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let units = space.units(self.ids.as_slice())?;
        if let Some(id) = &self.new_id
            && let Some(kind) = space.scene.kind_of(id.as_str())
        {
            return Err(Violations::one(format!(
                "duplicate property 'new_id': a {kind} '{id}' already exists; choose another id"
            )));
        }
        let (mut copier, mut changes) = (Copier::new(space), PlanBuilder::default());
        let axes = Axes::of(space, self.along.as_ref())?;
        for unit in &units {
            for (number, shift) in (2..).zip(self.shifts(unit, &axes)) {
                // The first copy gets the new name, the others are counted on from it.
                let name = match (&self.new_id, number) {
                    (Some(id), 3..) => Some(copier.name(id.as_str(), number - 1)?),
                    (id, _) => id.clone(),
                };
                let copy = Copy { number, id: name.as_ref(), group: None };
                copier.copy(unit, &Motion::shift(shift), copy, &mut changes)?;
            }
        }
        changes.finish()
    }
}

impl Duplicate {
    /// The ways from the original to its copies.
    fn shifts(&self, unit: &Unit, axes: &Axes) -> Vec<[f64; 3]> {
        let offset = self.offset.map(|offset| axes.vector(offset.get()));
        let extent = unit.solid.extent();
        let stand = extent.center().with_y(extent.min.y);
        let spots = self.at.as_ref().map_or(&[][..], Spots::as_slice).iter();
        let to_spots = spots.map(|spot| match *spot {
            Spot::Point(at) => (DVec3::from(at) - stand).to_array(),
            Spot::Ground([x, z]) => (DVec3::new(x, stand.y, z) - stand).to_array(),
        });
        offset.into_iter().chain(to_spots).collect()
    }
}

impl Planned for Mirror {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let units = space.units(self.ids.as_slice())?;
        let (mut copier, mut changes) = (Copier::new(space), PlanBuilder::default());
        let motion = Motion::mirror(self.axis.index(), self.at.get());
        for unit in &units {
            if self.copy {
                let copy = Copy { number: 2, ..Copy::default() };
                copier.copy(unit, &motion, copy, &mut changes)?;
            } else {
                changes.moved(space, unit, &motion);
            }
        }
        changes.finish()
    }
}
