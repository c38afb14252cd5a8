//! Making objects of the catalogue: things built of several shapes.

use serde_json::json;

use super::{Planner, Problem, as_id};
use crate::catalogue::{Extent, Wishes, catalogue};
use crate::language::{Assembly, Phrase, Place};
use crate::world::{Body, Material, World};

/// The most of them one phrase makes: each has many parts.
const MOST_AT_ONCE: usize = 20;

impl Planner {
    /// Makes what a phrase asks for, one group each.
    pub(crate) fn make_assemblies(
        &mut self,
        assembly: Assembly,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Vec<String>, Problem> {
        super::template::check(&phrase.size)?;
        let count = phrase.count.unwrap_or(if phrase.plural { 3 } else { 1 });
        let mut ids = Vec::new();
        for index in 0..count.clamp(1, MOST_AT_ONCE) {
            let wanted = phrase.name.as_deref().map_or_else(|| as_id(assembly.0), as_id);
            let group = self.world.free_id(&wanted);
            let (names, bodies) = parts(assembly, &group, &wishes(phrase, index))?;
            ids.extend(self.settle(bodies, &names, Some(&group), places)?);
        }
        Ok(ids)
    }
}

/// What the words of a phrase wish of an object; `index` tells several apart.
fn wishes(phrase: &Phrase, index: usize) -> Wishes {
    let size = &phrase.size;
    let extent = if let Some(height) = size.height {
        Extent::Height(height)
    } else if let Some(width) = size.width {
        Extent::Width(width)
    } else if let Some(depth) = size.depth {
        Extent::Depth(depth)
    } else if let Some(longest) = size.extent.or(size.diameter) {
        Extent::Longest(longest)
    } else {
        Extent::Factor(size.factors.element_product().cbrt())
    };
    Wishes {
        size: extent,
        colours: phrase.colours.iter().map(|colour| colour.rgb.to_array()).collect(),
        material: phrase.finish.map(|finish| {
            let colour = phrase.colours.first().map(|colour| colour.rgb);
            Material::made_of(finish, colour).json()
        }),
        seed: index as u64,
        ..Wishes::default()
    }
}

/// The parts with their ids, standing on the origin.
fn parts(
    assembly: Assembly,
    group: &str,
    wishes: &Wishes,
) -> Result<(Vec<String>, Vec<Body>), Problem> {
    let unknown = || super::cannot_build(assembly.0);
    let object = catalogue().find(assembly.0).ok_or_else(unknown)?;
    let shapes = object
        .build(group, wishes)
        .map_err(|fault| Problem::Cannot(format!("I cannot make {group} so: {fault}.")))?;
    let world = World::read(&json!({ "version": 1, "shapes": shapes })).ok_or_else(unknown)?;
    Ok(world.things.into_iter().map(|thing| (thing.id, thing.body)).unzip())
}
