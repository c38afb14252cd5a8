//! Copies: `duplicate` and `mirror`.

use std::collections::HashMap;

use scene::{
    Displacement, Group, Id, LightSource, Motion, Rotation, Shape, Violations, properties,
};

use crate::args::{Axis, Coordinate, Ids};
use crate::plan::{Plan, PlanBuilder, Planned};
use crate::space::{Object, Space, Unit};

use super::axes::Axes;
use super::names::Names;

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

    /// Adds a copy of `unit`, moved by `motion`; what groups there are in it are copied, too.
    pub(crate) fn copy(
        &mut self,
        unit: &Unit,
        motion: &Motion,
        copy: Copy<'_>,
        changes: &mut PlanBuilder,
    ) -> Result<(), Violations> {
        let is_group = self.space.place_of(&unit.name).is_none();
        let mut groups: HashMap<String, Id> = HashMap::new();
        if is_group {
            let mut inside: Vec<String> =
                self.space.groups_in(&unit.name).into_iter().map(str::to_owned).collect();
            inside.sort_unstable();
            for old in inside {
                let given = copy.id.filter(|_| old == unit.name).cloned();
                let new = given.map_or_else(|| self.name(&old, copy.number), Ok)?;
                groups.insert(old, new);
            }
            changes.groups(self.listed(unit, &groups, copy.group, motion));
        }
        for at in &unit.members {
            let body = &self.space.bodies()[*at];
            let given = copy.id.filter(|_| !is_group).cloned();
            let id = given.map_or_else(|| self.name(body.id, copy.number), Ok)?;
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
                    Ok(moved) => changes.light(LightSource { id, group, light: moved }),
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
        pub offset: Displacement,
        /// Default: name_2.
        pub new_id: Option<Id> = None,
        /// In its axes.
        pub along: Option<Id> = None,
    }
    check(self, reader) {
        if self.new_id.is_some() && self.ids.as_slice().len() > 1 {
            reader.error("'new_id' can only be given for a single thing");
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
        /// Where the plane crosses it, default 0.
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
        let motion = Motion::shift(axes.vector(self.offset.get()));
        for unit in &units {
            let copy = Copy { number: 2, id: self.new_id.as_ref(), group: None };
            copier.copy(unit, &motion, copy, &mut changes)?;
        }
        changes.finish()
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
