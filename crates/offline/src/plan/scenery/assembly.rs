//! Making objects of the catalogue: things built of several shapes.

use catalogue::{CatalogueError, Object, ObjectParameters, ObjectSize, catalogue};
use glam::DVec3;
use scene::Violations;

use crate::language::{
    Assembly, Determiner, Finish, Noun, Pattern, Phrase, Place, Print, Relation, Size, Target,
    id_like,
};
use crate::plan::acts::naming::material_of;
use crate::plan::acts::taper::{TAPER, VARIED};
use crate::plan::places::arrange::Layout;
use crate::plan::places::place::Spot;
use crate::plan::{Planner, Problem, as_id};
use crate::world::{Body, Bounds, Form, Material, Thing, World};

/// The most of them one phrase makes: each has many parts.
const MOST_AT_ONCE: usize = 20;

/// One object, standing on the origin.
struct Built {
    names: Vec<String>,
    bodies: Vec<Body>,
    bounds: Bounds,
}

impl Built {
    /// The size of the ball that it nearly is: an orange with its button.
    fn ball(&self) -> Option<DVec3> {
        let whole = self.bounds.size();
        self.bodies.iter().find_map(|body| match body {
            Body::Shape { form: Form::Sphere { radius, .. }, .. } => {
                let size = DVec3::splat(2.0 * radius);
                (size.min_element() >= 0.85 * whole.max_element()).then_some(size)
            }
            _ => None,
        })
    }
}

impl Planner {
    /// Makes what a phrase asks for, one group each.
    pub(crate) fn make_assemblies(
        &mut self,
        assembly: Assembly,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Vec<String>, Problem> {
        crate::plan::scenery::template::check(&phrase.size)?;
        self.tell_of_stand_in(assembly, phrase);
        let around = places.iter().find_map(|place| match place {
            Place::Relative { relation: Relation::Around, target, .. } => Some(target),
            _ => None,
        });
        let around = around.filter(|_| !places.iter().all(|place| self.is_on_floor(place)));
        let count = self.count(phrase, around.is_some());
        if count > MOST_AT_ONCE {
            self.remark(format!("I made {MOST_AT_ONCE} of them: each has many parts."));
        }
        let count = count.min(MOST_AT_ONCE);
        let first = self.built(assembly, phrase, 0, 0.0)?;
        let clear_radius = match around {
            Some(target) => self.reach_of(target)?,
            None => 0.0,
        };
        let pattern = phrase.pattern.unwrap_or(if around.is_some() && count > 1 {
            Pattern::Circle
        } else {
            Pattern::Row
        });
        let mut cell = first.bounds.size();
        if phrase.growing || phrase.varied || !phrase.members.is_empty() {
            for index in 0..count {
                let one = phrase.member(index);
                let size = nth_size(&one, index, count);
                let own = self.built(assembly, &Phrase { size, ..one }, index, 0.0)?;
                cell = cell.max(own.bounds.size());
            }
        }
        let ball = first.ball();
        let layout = Layout {
            pattern,
            count,
            grid: phrase.grid,
            cell: ball.filter(|_| pattern == Pattern::Pyramid).unwrap_or(cell),
            round: ball.is_some(),
            clear_radius,
            gap: phrase.gap,
            radius: phrase.ring_radius,
        };
        let free_ground = pattern == Pattern::Scatter
            && count > 1
            && places.iter().all(|place| self.is_on_floor(place));
        let feet = match around {
            _ if free_ground => self.scattered(&layout),
            Some(target) if pattern == Pattern::Circle => self.clear_ring(&layout, target)?,
            _ => layout.feet(),
        };
        let (right, towards) = (self.world.camera.right(), self.world.camera.towards());
        let feet: Vec<DVec3> = feet
            .into_iter()
            .map(|foot| right * foot.x + towards * foot.z + DVec3::Y * foot.y)
            .collect();
        let whole = feet
            .iter()
            .map(|foot| first.bounds.moved(*foot - first.bounds.foot()))
            .reduce(Bounds::union)
            .unwrap_or(first.bounds);
        let Spot { offset, scale } = if free_ground {
            Spot { offset: DVec3::Y * self.world.ground(), scale: 1.0 }
        } else {
            self.spot(whole, places, &[])?
        };
        let mut ids = Vec::new();
        for (index, foot) in feet.into_iter().enumerate() {
            let turn = match (around, pattern) {
                (Some(_), Pattern::Circle | Pattern::Arc) => facing(-foot),
                (None, _) if phrase.facing && places.is_empty() && foot != DVec3::ZERO => {
                    facing(-foot)
                }
                // Trees do not all look the same way.
                (_, Pattern::Scatter) => (index as f64 * 137.5) % 360.0,
                _ => 0.0,
            };
            // "two red ones and a green one": a colour for each.
            let handed_out = count > 1 && phrase.colours.len() == count;
            let own = handed_out.then(|| Phrase {
                colours: phrase.colours.get(index).cloned().into_iter().collect(),
                ..phrase.clone()
            });
            let told = phrase.member(index);
            let phrase = own.as_ref().unwrap_or(&told);
            let size = nth_size(phrase, index, count);
            let built = self.built(assembly, &Phrase { size, ..phrase.clone() }, index, turn)?;
            let group = self.group_name(assembly, phrase);
            let names: Vec<String> =
                built.names.iter().map(|name| format!("{group}_{name}")).collect();
            let foot = foot * DVec3::new(scale, 1.0, scale);
            let to_ground = DVec3::Y * -built.bounds.min.y * scale;
            let spot = Spot { offset: offset + foot + to_ground, scale };
            ids.extend(self.stand(built.bodies, &names, Some(&group), spot));
        }
        Ok(ids)
    }

    /// "a lobster", which nobody made: that the nearest thing was taken.
    fn tell_of_stand_in(&mut self, assembly: Assembly, phrase: &Phrase) {
        let singular = id_like(&phrase.words).join(" ");
        let mut words = singular.split(' ');
        let wished = loop {
            let rest = words.clone().collect::<Vec<_>>().join(" ");
            let known = catalogue().find(&rest).is_some() || catalogue().stand_in(&rest).is_some();
            if rest.is_empty() || known {
                break rest;
            }
            words.next();
        };
        if !wished.is_empty() && catalogue().find(&wished).is_none() {
            let (one, other) =
                (crate::answer::article(&wished), crate::answer::article(assembly.0));
            self.remark(format!(
                "I cannot build {one} {wished}; {other} {} is the nearest thing I know.",
                assembly.0
            ));
        }
    }

    fn group_name(&self, assembly: Assembly, phrase: &Phrase) -> String {
        let wanted = phrase.name.as_deref().map_or_else(
            || match phrase.colours.first() {
                Some(colour) => as_id(&format!("{} {}", colour.name, assembly.0)),
                None => as_id(assembly.0),
            },
            as_id,
        );
        self.world.free_id(&wanted)
    }

    /// An object of the catalogue as a phrase wishes it; `index` tells several apart.
    fn built(
        &self,
        assembly: Assembly,
        phrase: &Phrase,
        index: usize,
        turn_degrees: f64,
    ) -> Result<Built, Problem> {
        let unknown = || crate::plan::cannot_build(assembly.0);
        let object = catalogue().find(assembly.0).ok_or_else(unknown)?;
        let turned = phrase.turn.filter(|turn| turn.axis.y.abs() > 0.5);
        let told = turned.map_or(0.0, |turn| turn.degrees * turn.axis.y);
        let cannot = |error: &dyn std::error::Error| {
            Problem::Cannot(format!("I cannot make {} so: {error}.", assembly.0))
        };
        let mut parameters = parameters(object, phrase, index).map_err(|error| cannot(&error))?;
        parameters.turn_degrees = turn_degrees + told;
        parameters.size = self.object_size(phrase)?;
        let things = parts(object, &parameters).map_err(|error| cannot(&error))?;
        let wanted = |thing: &Thing| !phrase.without.iter().any(|word| names_part(&thing.id, word));
        let things = things.into_iter().filter(wanted).collect();
        let mut world = World { things, ..World::default() };
        for companion in phrase.companions.iter().filter(|part| is_part(object, part)) {
            paint_part(&mut world, companion);
        }
        stretch(&mut world, &phrase.size);
        for thing in &mut world.things {
            let size = thing.bounds().size();
            if let Body::Shape { material, .. } = &mut thing.body {
                *material = material.clone().suited_to(size);
            }
        }
        let bounds = World::bounds_of(world.things.iter()).ok_or_else(unknown)?;
        let named = world.things.into_iter().map(|thing| {
            let name = thing.id.strip_prefix("part_").unwrap_or(&thing.id).to_owned();
            (name, thing.body)
        });
        let (names, bodies) = named.unzip();
        Ok(Built { names, bodies, bounds })
    }

    /// How big that is which something is to be as big as: "the box", or "a car" as cars are.
    pub(crate) fn bounds_of_model(&self, model: &Phrase) -> Result<Option<Bounds>, Problem> {
        let ids = self.resolve(&Target::of(model.clone()));
        if let (true, Err(_), Some(Noun::Assembly(assembly))) = (model.is_new(), &ids, &model.head)
        {
            return Ok(Some(self.built(*assembly, model, 0, 0.0)?.bounds));
        }
        Ok(self.bounds_of(&ids?))
    }

    fn object_size(&self, phrase: &Phrase) -> Result<ObjectSize, Problem> {
        let size = &phrase.size;
        if let Some(like) = &size.like
            && let Some(bounds) = self.bounds_of_model(&like.model)?
        {
            let tall = size.words.iter().any(|word| word == "tall" || word == "high");
            return Ok(match tall {
                true => ObjectSize::Height(bounds.size().y * like.factor),
                false => ObjectSize::Longest(bounds.extent() * like.factor),
            });
        }
        Ok(if let Some(height) = size.height {
            ObjectSize::Height(height)
        } else if let Some(width) = size.width {
            ObjectSize::Width(width)
        } else if let Some(depth) = size.depth {
            ObjectSize::Depth(depth)
        } else if let Some(longest) = size.extent.or(size.diameter) {
            ObjectSize::Longest(longest)
        } else {
            ObjectSize::Factor(size.factors.element_product().cbrt())
        })
    }
}

/// Gives an object all the edges that were told: one alone scales it evenly, as `extent` says.
fn stretch(world: &mut World, size: &Size) {
    let mut told = [size.width, size.height, size.depth];
    let Some(bounds) = World::bounds_of(world.things.iter()) else { return };
    let now = bounds.size();
    // "a book 5 cm thick": the way it is thinnest.
    let thinnest = (0..3).min_by(|a, b| now[*a].total_cmp(&now[*b])).unwrap_or(1);
    told[thinnest] = told[thinnest].or(size.thickness);
    if told.iter().flatten().count() < 2 && size.thickness.is_none() {
        return;
    }
    let factor = |axis: usize| told[axis].map_or(1.0, |edge| edge / now[axis].max(1e-6));
    let factors = DVec3::new(factor(0), factor(1), factor(2));
    for thing in &mut world.things {
        if let Body::Shape { form, .. } = &mut thing.body {
            form.scaled(factors, bounds.foot());
        }
    }
}

/// The size of one of several that get bigger or smaller, or are of different sizes.
fn nth_size(phrase: &Phrase, index: usize, count: usize) -> Size {
    let factor = match () {
        () if phrase.growing => TAPER.powf(count.saturating_sub(1 + index) as f64),
        () if phrase.tapering => TAPER.powf(index as f64),
        () if phrase.varied => VARIED[index % VARIED.len()],
        () => 1.0,
    };
    let scaled = |length: Option<f64>| length.map(|length| length * factor);
    let size = &phrase.size;
    Size {
        factors: size.factors * factor,
        width: scaled(size.width),
        height: scaled(size.height),
        depth: scaled(size.depth),
        extent: scaled(size.extent),
        diameter: scaled(size.diameter),
        ..size.clone()
    }
}

/// Whether an object has a pattern as it is.
fn has_print(object: &Object, finish: Finish) -> bool {
    finish == Finish::Print(Print::Stripes) && object.has_part("stripe")
}

/// How far something that faces +z is turned about y to face along `way`, in degrees.
fn facing(way: DVec3) -> f64 {
    way.x.atan2(way.z).to_degrees()
}

/// Whether a companion ("with a red hat") is a part of the object itself.
pub(crate) fn is_part_of(head: Option<&Noun>, companion: &Phrase) -> bool {
    let Some(Noun::Assembly(assembly)) = head else { return false };
    catalogue().find(assembly.0).is_some_and(|object| is_part(object, companion))
}

fn is_part(object: &Object, companion: &Phrase) -> bool {
    let words = id_like(&companion.words);
    let Some(noun) = words.last() else { return false };
    let optional = object.option(noun).is_some();
    let grown_together = optional && object.carries().is_none();
    let elsewhere = |place: &Place| match place {
        Place::Corner(_) | Place::Origin => false,
        // "with towers at the corners".
        Place::Relative { relation: Relation::Corners, target, metres: None } => {
            !target.0.iter().all(|phrase| phrase.determiner == Determiner::It)
        }
        // "with five candles on it".
        Place::Relative { relation: Relation::On | Relation::Inside, target, metres: None } => {
            !grown_together || !target.0.iter().all(|phrase| phrase.determiner == Determiner::It)
        }
        _ => true,
    };
    if companion.places.iter().any(elsewhere) {
        return false;
    }
    if optional || object.has_part(noun) {
        return true;
    }
    let parts = parts(object, &ObjectParameters::default()).unwrap_or_default();
    parts.iter().any(|part| names_part(&part.id, noun))
}

/// Whether one of the words of an id is, or means, this part.
pub(crate) fn names_part(id: &str, noun: &str) -> bool {
    crate::language::id_words(id).iter().any(|word| catalogue().names_part(word, noun))
}

/// Gives the parts a companion names its look.
fn paint_part(world: &mut World, companion: &Phrase) {
    let Some(noun) = id_like(&companion.words).last().cloned() else { return };
    let colour = companion.colours.first().map(|colour| colour.rgb);
    for thing in world.things.iter_mut().filter(|thing| names_part(&thing.id, &noun)) {
        if let Body::Shape { material, .. } = &mut thing.body {
            *material = match (companion.finish, colour) {
                (Some(finish), colour) => Material::made_of(finish, colour),
                (None, Some(colour)) => material.coloured(colour),
                (None, None) => continue,
            };
        }
    }
}

/// The parts of an object, standing on the origin; their ids begin with `part_`.
pub(crate) fn parts(
    object: &Object,
    parameters: &ObjectParameters,
) -> Result<Vec<Thing>, CatalogueError> {
    Ok(object.build("part", parameters)?.iter().map(Thing::from).collect())
}

/// The parameters of an object that the words of a phrase ask for, but for its size.
fn parameters(
    object: &Object,
    phrase: &Phrase,
    index: usize,
) -> Result<ObjectParameters, Violations> {
    let option = |word: &String| object.option(word).map(str::to_owned);
    let called = |companion: &&Phrase| id_like(&companion.words).pop();
    // "a sofa with two cushions on it": these instead of its own.
    let (own, put_on_it): (Vec<&Phrase>, Vec<&Phrase>) =
        phrase.companions.iter().partition(|part| is_part(object, part));
    let with: Vec<String> = own.iter().filter_map(called).collect();
    let put_on_it: Vec<String> = put_on_it.iter().filter_map(called).collect();
    // What has stripes of its own gets their colours.
    let finish = phrase.finish.filter(|finish| !has_print(object, *finish));
    let material = finish.map(|_| {
        let colour = phrase.colours.first().map(|colour| colour.rgb);
        scene::Material::from_json(&material_of(phrase, colour).json())
    });
    Ok(ObjectParameters {
        colours: phrase.colours.iter().map(|colour| colour.rgb.to_array()).collect(),
        material: material.transpose()?,
        seed: index as u64,
        with: with.iter().filter_map(option).collect(),
        counts: counts(object, phrase),
        without: phrase.without.iter().chain(&put_on_it).filter_map(option).collect(),
        ..ObjectParameters::default()
    })
}

/// "with three candles": how many of its parts, where a number was said.
fn counts(object: &Object, phrase: &Phrase) -> Vec<(String, usize)> {
    let counted = |companion: &Phrase| {
        let count = companion.count.filter(|count| *count > 0)?;
        let noun = id_like(&companion.words).pop()?;
        Some((object.option(&noun).map_or(noun.clone(), str::to_owned), count))
    };
    phrase.companions.iter().filter_map(counted).collect()
}
