//! Single things: their shape, their size against others, their ids, and what they face.

use scene::Material;
use serde_json::json;

use crate::frames::{Head, Phrase, Place, Quality, Relation};

use super::create::hangs;
use super::objects::named;
use super::shapes;
use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "a knight facing a dragon": the dragon is made, too, and both look at each other.
    pub(in crate::plan) fn make_faced(
        &mut self,
        phrase: &mut Phrase,
        made: &[String],
        made_now: &mut Vec<String>,
    ) -> Done {
        let Some(faced) = phrase.facing.as_deref() else { return Ok(()) };
        let is_object = matches!(faced.head, Head::Object { .. } | Head::Shape { .. });
        if !is_object || faced.is_definite() || self.find(faced).is_ok() {
            return Ok(());
        }
        let faced = faced.clone();
        let ids = self.make(&faced)?;
        let place = Place::by(Relation::InFrontOf, made.first().map(|id| named(id)));
        let ids = self.settle_new(&faced, ids, &[place], &[])?;
        let back = Phrase { facing: made.first().map(|id| Box::new(named(id))), ..faced };
        self.look_at_target(&back, &ids)?;
        phrase.facing = ids.first().map(|id| Box::new(named(id)));
        made_now.extend(ids);
        Ok(())
    }

    /// "next to it a cone of the same height": as high as what was spoken of.
    pub(super) fn compare_with_last(&self, phrase: &mut Phrase) {
        let is_one = !phrase.plural && phrase.count.is_none();
        let last = self.find(&Phrase::it()).is_ok_and(|ids| ids.len() == 1);
        for quality in phrase.qualities.iter_mut().filter(|_| is_one && last) {
            if let Quality::Same { other: other @ None, .. } = quality {
                *other = Some(Box::new(Phrase::it()));
            }
        }
    }

    /// One or several alike, in a pattern if one is asked for.
    pub(in crate::plan) fn make_counted(&mut self, phrase: &Phrase) -> Done<Vec<String>> {
        let number = match phrase.count {
            None if phrase.each.len() > 1 && !phrase.plural => phrase.each.len(),
            _ => self.count_for(phrase),
        };
        if number == 0 {
            return Ok(Vec::new());
        }
        let first = self.make_one(phrase)?;
        if number == 1 {
            return Ok(vec![first]);
        }
        let mut ids = self.lay_out(&first, number, &phrase.pattern)?;
        self.vary(phrase, &mut ids)?;
        Ok(ids)
    }

    /// The single thing of a description.
    pub(crate) fn make_one(&mut self, phrase: &Phrase) -> Done<String> {
        match &phrase.head {
            Head::Object { name, .. } => self.make_object(phrase, name),
            Head::Light(_) if hangs(phrase) => self.make_object(phrase, "pendant lamp"),
            Head::Light(_) => self.make_object(phrase, "table lamp"),
            Head::Shape { name, cube } => self.make_shape(phrase, name, *cube),
            Head::Built(kind) => self.make_composed(phrase, kind),
            _ => Err(Stopped(Remark::Unknown(self.words_of(phrase)))),
        }
    }

    pub(in crate::plan) fn make_shape(
        &mut self,
        phrase: &Phrase,
        name: &str,
        cube: bool,
    ) -> Done<String> {
        let mut qualities = phrase.qualities.clone();
        self.resolve_same(&mut qualities)?;
        let usual = phrase.usual.filter(|_| !cube);
        let size = shapes::size_of(name, cube, &qualities, usual.map(|usual| usual.edges));
        let text = phrase.name.as_deref().filter(|_| name == "text");
        let (type_name, mut properties) = shapes::standing(name, size, text);
        let grey = Material::default();
        if let Some(surface) = shapes::surface(&qualities, &grey) {
            properties["material"] = surface;
        } else if let Some(material) = usual.and_then(|usual| usual.material) {
            properties["material"] = json!(material);
        } else {
            properties["material"] = json!({ "type": "lambertian", "albedo": [0.6, 0.6, 0.6] });
        }
        let id = self.new_id(phrase, name);
        self.call(
            "create_shape",
            json!({ "id": id, "type": type_name, "properties": properties }),
        )?;
        self.take_relative_size(&id, &qualities)?;
        self.take_posture(&id, &qualities)?;
        Ok(id)
    }

    /// Sizes that are told against something else: "twice as big as the box".
    pub(crate) fn take_relative_size(&mut self, id: &str, qualities: &[Quality]) -> Done {
        for quality in qualities {
            if matches!(quality, Quality::Compared { .. } | Quality::Scaled { .. }) {
                self.resize(&[id.to_owned()], quality)?;
            }
        }
        Ok(())
    }

    /// The id of something new: its own name, or what it is called with its colour.
    pub(crate) fn new_id(&self, phrase: &Phrase, kind: &str) -> String {
        if let Some(name) = &phrase.name {
            return self.free_id(name);
        }
        let colour = phrase.qualities.iter().find_map(|quality| match quality {
            Quality::Colour(word) if !word.name.starts_with('#') => Some(word.name.clone()),
            Quality::Material { name, .. } => Some(name.clone()),
            _ => None,
        });
        // The word that was said, in the singular; the kind where none was.
        let noun = match phrase.word.is_empty() {
            true => kind.to_owned(),
            false => crate::tokens::singular(&phrase.word),
        };
        // A group of that name is all that is staged, and none of the things.
        let noun = if noun == spatial::STAGE { format!("{noun} deck") } else { noun };
        match colour {
            Some(colour) => self.free_id(&format!("{colour} {noun}")),
            None => self.free_id(&noun),
        }
    }
}
