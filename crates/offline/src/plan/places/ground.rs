//! Floors and walls: what other things stand on and before.

use glam::DVec3;

use crate::language::{Phrase, Size};
use crate::plan::acts::naming::material_of;
use crate::plan::scenery::template::{check, floor, wall};
use crate::plan::{Planner, Problem, as_id};
use crate::world::{Body, Form, Thing, World};

impl Planner {
    /// The floor, or the one that is there in another material.
    pub(in crate::plan) fn make_floor(&mut self, phrase: &Phrase) -> Result<Vec<String>, Problem> {
        check(&phrase.size)?;
        let existing = self.world.floor().map(|floor| floor.id.clone());
        if let Some(id) = existing {
            self.remark("There was a floor already, so I used that one.");
            let colour = phrase.colours.first().map(|colour| colour.rgb);
            let size = self.world.find(&id).map_or(DVec3::ONE, |floor| floor.bounds().size());
            if let Some(Thing { body: Body::Shape { material, .. }, .. }) = self.world.find_mut(&id)
                && (colour.is_some() || phrase.finish.is_some())
            {
                *material = material_of(phrase, colour).suited_to(size);
            }
            return Ok(vec![id]);
        }
        let bounds = World::bounds_of(self.world.objects());
        let height = bounds.map_or(0.0, |bounds| bounds.min.y);
        let colour = phrase.colours.first().map(|colour| colour.rgb);
        let form = floor(bounds, &phrase.size, height);
        let material = material_of(phrase, colour).suited_to(form.bounds().size());
        let body = Body::Shape { form, material };
        let wanted = phrase.name.as_deref().map_or_else(|| "floor".to_owned(), as_id);
        let id = self.world.free_id(&wanted);
        self.world.things.push(Thing { id: id.clone(), origin: None, group: None, body });
        Ok(vec![id])
    }

    /// Grass: a floor of that name, green where nothing else was said.
    pub(in crate::plan) fn make_lawn(&mut self, phrase: &Phrase) -> Result<Vec<String>, Problem> {
        let mut lawn = phrase.clone();
        if lawn.colours.is_empty() && lawn.finish.is_none() {
            lawn.colours.extend(crate::colour::Colour::named("green"));
        }
        lawn.name = Some(lawn.name.unwrap_or_else(|| "grass_floor".to_owned()));
        lawn.finish = None;
        self.make_floor(&lawn)
    }

    /// A wall behind what is there.
    pub(in crate::plan) fn make_wall(&mut self, phrase: &Phrase) -> Vec<String> {
        let bounds = World::bounds_of(self.world.objects());
        let colour = phrase.colours.first().map(|colour| colour.rgb);
        let form = thick(wall(bounds, &phrase.size, self.world.ground()), &phrase.size);
        let material = material_of(phrase, colour).suited_to(form.bounds().size());
        let body = Body::Shape { form, material };
        let wanted = phrase.name.as_deref().map_or_else(|| "wall".to_owned(), as_id);
        let id = self.world.free_id(&wanted);
        self.world.things.push(Thing { id: id.clone(), origin: None, group: None, body });
        vec![id]
    }
}

/// A wall that is told to be thick is a box, as wide and as high as the plain one.
fn thick(plain: Form, size: &Size) -> Form {
    let depth = size.thickness.or(size.depth.filter(|_| size.height.is_some()));
    let Some(depth) = depth else { return plain };
    let bounds = plain.bounds();
    let center = bounds.center() - DVec3::Z * (depth / 2.0);
    Form::Box { center, size: bounds.size().with_z(depth), rotation: DVec3::ZERO }
}
