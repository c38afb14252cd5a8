//! Making things.

use glam::DVec3;

use crate::language::{
    Arrangement, Determiner, Finish, LightKind, Like, Noun, Pattern, Phrase, Place, Relation,
    ShapeKind, Size, Surface, Target, Tone,
};
use crate::plan::acts::naming::{base_name, material_of, said_noun};
use crate::plan::acts::rotate::turn_upon_ground;
use crate::plan::acts::taper::{TAPER, VARIED, shrink, taper};
use crate::plan::acts::variant::{building, in_cubes, lamp_upon, plain_pyramid};
use crate::plan::places::arrange::Layout;
use crate::plan::places::company::{lamps_among_furniture, put_upon, share_company};
use crate::plan::places::place::Spot;
use crate::plan::scenery::assembly::is_part_of;
use crate::plan::scenery::list::{
    in_one_row, is_of_it, middle_first, ones_named, parts_taken_in, share_places,
};
use crate::plan::scenery::template::{lettering, template};
use crate::plan::{Done, Planner, Problem, Saying, cannot_build};
use crate::resolve::pattern_name;
use crate::world::{Body, Bounds, Form, Thing, World};

/// The most things one phrase makes: more is rarely meant and slow to look at.
const MOST_AT_ONCE: usize = 400;

/// The most lights one phrase makes: each is sampled.
const MOST_LIGHTS: usize = 16;

/// More than these are laid out as a grid when nothing else was said.
const LONGEST_ROW: usize = 12;

impl Planner {
    pub(crate) fn create(&mut self, phrases: &[Phrase]) -> Done {
        let mut made = Vec::new();
        let whole = |phrase: &Phrase| plain_pyramid(phrase).unwrap_or_else(|| phrase.clone());
        let phrases: Vec<Phrase> = phrases.iter().map(whole).collect();
        let mut phrases = parts_taken_in(ones_named(&phrases));
        self.share_new_support(&mut phrases)?;
        let it = self.object_of(&self.context.focus);
        share_places(&mut phrases, it.is_some_and(|it| it.carries().is_some()));
        share_company(&mut phrases);
        lamps_among_furniture(&mut phrases);
        let row = in_one_row(&mut phrases);
        middle_first(&mut phrases);
        let listed = phrases.len() > 1;
        let first_places = phrases.first().map(|phrase| phrase.places.clone());
        let mut last: Vec<String> = Vec::new();
        for phrase in &mut phrases {
            if row && !last.is_empty() {
                let before = last.drain(..).map(Phrase::named).collect();
                phrase.places.push(Place::Relative {
                    relation: Relation::Right,
                    target: Target(before),
                    metres: None,
                });
            }
            if let (true, Some(Noun::Thing)) = (made.is_empty(), &phrase.head)
                && let [Place::Relative { relation, target, .. }] = phrase.places.as_mut_slice()
                && matches!(
                    relation,
                    Relation::Behind | Relation::Front | Relation::Left | Relation::Right
                )
                && target.0.iter().all(|phrase| phrase.determiner == Determiner::It)
                && let Some(partner) = self.placed_by()
            {
                *target = partner;
            }
            let phrase = &*phrase;
            let shared = first_places.as_ref() == Some(&phrase.places);
            let sized_by_it = phrase
                .size
                .like
                .as_ref()
                .is_some_and(|like| like.model.determiner == Determiner::It);
            let placed_by_it = phrase.places.iter().any(is_of_it) && !shared;
            if !made.is_empty() && (placed_by_it || sized_by_it) {
                // "a red sphere and a box next to it", "... twice its size".
                self.context.focus.clone_from(&made);
            }
            let further = made.is_empty() && self.context.focus.is_empty();
            if let (Some(Noun::Later(word)), true) = (&phrase.head, listed && further) {
                // The rest of the list can be made.
                if let Problem::Cannot(text) = cannot_build(word) {
                    self.sayings.push(Saying::Refused(text));
                }
                continue;
            }
            let ids = self.make(phrase)?;
            last.clone_from(&ids);
            let scenery = |id: &String| {
                self.world
                    .find(id)
                    .is_none_or(|thing| thing.is_floor() || thing.is_wall() || thing.is_light())
            };
            // "it" is the thing, not the floor or the light that came with it.
            if made.iter().all(scenery) || !ids.iter().all(scenery) {
                made.extend(ids);
            }
        }
        self.context.focus.clone_from(&made);
        let gap = phrases.last().filter(|last| last.count.is_none() && last.pattern.is_none());
        if let Some(gap) = gap.and_then(|last| last.gap).filter(|_| listed) {
            // "a ball and a cube, 2 m apart".
            let apart = Arrangement::Distribute { axis: None, gap: Some(gap) };
            return self.arrange(&Target(made.into_iter().map(Phrase::named).collect()), &apart);
        }
        Ok(())
    }

    /// Makes what a phrase says and what comes with it; the ids of the main things.
    pub(crate) fn make(&mut self, phrase: &Phrase) -> Result<Vec<String>, Problem> {
        if phrase.count == Some(0) {
            return Err(Problem::Cannot("None of them is to be made, so I made none.".to_owned()));
        }
        let part = |id: &String| self.world.find(id).is_some_and(|it| it.assembly().is_some());
        let is_object =
            |target: &Target| self.resolve(target).is_ok_and(|ids| ids.iter().any(part));
        let like = self
            .like_the_last(phrase)
            .or_else(|| lamp_upon(phrase, is_object, |target| self.is_carried(target)))
            .or_else(|| building(phrase))
            .or_else(|| self.toy_ball(phrase))
            .or_else(|| plain_pyramid(phrase));
        let phrase = like.as_ref().unwrap_or(phrase);
        let told = self.places(&phrase.places)?.into_iter().chain(self.table_for(phrase));
        let placed = Phrase { places: told.collect(), ..phrase.clone() };
        let stretched = self.stretched(&placed)?;
        let phrase = stretched.as_ref().unwrap_or(&placed);
        let places = phrase.places.clone();
        let size = &phrase.size;
        self.size_told = size.like.is_some() || size.lengths().next().is_some();
        if let Some(each) = self.one_for_each(phrase, &places)? {
            return Ok(each);
        }
        let ids = match &phrase.head {
            _ if self.twin_of(phrase).is_some() => {
                let twin = self.twin_of(phrase).unwrap_or_default();
                self.copies(&twin, phrase.count.unwrap_or(1), &places, None)?
            }
            Some(Noun::Shape(kind)) => self.make_shapes(*kind, phrase, &places)?,
            Some(Noun::Floor) => self.make_floor(phrase)?,
            Some(Noun::Wall) => self.make_wall(phrase),
            Some(Noun::Light(_)) if self.lamp_like(phrase).is_some() => {
                let lamp = self.lamp_like(phrase).unwrap_or_default();
                self.copies(&lamp, phrase.count.unwrap_or(1), &places, None)?
            }
            // "30 glowing spheres in a spiral" are too many for lights.
            Some(Noun::Light(LightKind::Sphere))
                if phrase.pattern.is_some()
                    || phrase.count.is_some_and(|count| count > MOST_LIGHTS) =>
            {
                let finish = Some(Finish::Plain(Surface::Glowing));
                let glowing = Phrase { finish, ..phrase.clone() };
                self.make_shapes(ShapeKind::Sphere, &glowing, &places)?
            }
            Some(Noun::Light(kind)) => self.make_lights(*kind, phrase, &places)?,
            Some(Noun::Assembly(assembly)) => self.make_assemblies(*assembly, phrase, &places)?,
            None if phrase.pattern.is_some() => {
                self.make_shapes(ShapeKind::Box, phrase, &places)?
            }
            Some(Noun::Thing) | None
                if phrase.determiner == Determiner::Another || self.spoke_of_pattern() =>
            {
                let made = self.another(phrase, &places)?;
                let factors = phrase.size.factors;
                if factors != DVec3::ONE {
                    self.scale_by(&made, factors)?;
                }
                made
            }
            Some(Noun::Later(word)) if ["grass", "lawn", "meadow"].contains(&word.as_str()) => {
                self.make_lawn(phrase)?
            }
            Some(Noun::Later(word)) => {
                // "and a blue scarf", after the snowman.
                let it = Target::of(Phrase::new(Determiner::It));
                let owner = self.resolve(&it).unwrap_or_default();
                if self.object_of(&owner).is_none() || !phrase.places.is_empty() {
                    return Err(cannot_build(word));
                }
                self.give_parts(&it, std::slice::from_ref(phrase))?;
                self.context.focus.clone()
            }
            Some(Noun::Named(name)) => self.copy_named(name, &places)?,
            Some(Noun::Thing | Noun::Scene | Noun::Sky | Noun::Camera | Noun::Lens) | None => {
                return Err(Problem::Cannot(format!(
                    "I don't know what to make of “{}”. Say for example “a red sphere”.",
                    phrase.text()
                )));
            }
        };
        if phrase.facing {
            self.turn_to_face(phrase, &ids)?;
        }
        // What comes with it speaks of it: "with a light above it".
        let outer = std::mem::replace(&mut self.context.focus, ids.clone());
        let head = phrase.head.as_ref();
        for companion in phrase.companions.iter().filter(|part| !is_part_of(head, part)) {
            let upon = put_upon(phrase, companion);
            let made = match self.company_of_each(companion, &ids) {
                Some(each) => each,
                None => self.make(upon.as_ref().unwrap_or(companion)),
            };
            match made {
                // The thing itself is made all the same.
                Err(Problem::Cannot(text)) => self.sayings.push(Saying::Refused(text)),
                made => drop(made?),
            }
        }
        self.context.focus = outer;
        Ok(ids)
    }

    fn make_shapes(
        &mut self,
        kind: ShapeKind,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Vec<String>, Problem> {
        let around = places.iter().find_map(|place| match place {
            Place::Relative { relation: Relation::Around, target, .. } => Some(target),
            _ => None,
        });
        let count = self.count(phrase, around.is_some());
        let usual = if count > 4 { 0.5 } else { 1.0 };
        let usual = usual * self.small_among_others(kind, phrase);
        let size = in_cubes(kind, phrase);
        let mut form = match kind {
            ShapeKind::Text => lettering(phrase.inscription.as_deref(), &size)?,
            kind => template(kind, &size, usual)?,
        };
        self.size_like(&mut form, &phrase.size)?;
        let tall = phrase.size.height.is_some()
            || phrase.size.like.is_some() && phrase.size.words.iter().any(|word| word == "tall");
        if tall && phrase.head.is_none() && phrase.pattern == Some(Pattern::Stack) {
            // The tower is as tall as told, not each of its boxes.
            shrink(&mut form, 1.0 / count.max(1) as f64);
        }
        if let Some(angle) = phrase.turn {
            turn_upon_ground(&mut form, angle);
        }
        let clear_radius = match around {
            Some(target) => self.reach_of(target)?,
            None => 0.0,
        };
        let pattern = phrase.pattern.unwrap_or(match around {
            Some(_) if count > 1 => Pattern::Circle,
            _ if count > LONGEST_ROW => Pattern::Grid,
            _ => Pattern::Row,
        });
        let own = self.forms_of_members(kind, phrase, usual)?;
        let largest = own.iter().map(|form| form.bounds().size());
        let cell = largest.fold(form.bounds().size(), DVec3::max);
        let round = matches!(form, Form::Sphere { .. });
        let gap = match phrase.gap {
            Some(gap) if phrase.centre_to_centre => Some((gap - cell.x).max(0.0)),
            gap => gap,
        };
        let layout = Layout {
            pattern,
            count,
            grid: phrase.grid,
            cell,
            round,
            clear_radius,
            gap,
            radius: phrase.ring_radius,
        };
        // A row runs from left to right as the person sees it.
        let right = self.world.camera.right();
        let turned = |foot: DVec3| {
            DVec3::new(0.0, foot.y, 0.0) + right * foot.x + self.world.camera.towards() * foot.z
        };
        // Scattered things find their places one by one, among what stands there.
        let free_ground = pattern == Pattern::Scatter
            && places.iter().all(|place| self.is_on_floor(place))
            && phrase.count != Some(1);
        let feet = match around {
            _ if free_ground => self.scattered(&layout),
            Some(target) if pattern == Pattern::Circle => self.clear_ring(&layout, target)?,
            _ => layout.feet(),
        };
        let forms: Vec<Form> = feet
            .into_iter()
            .enumerate()
            .map(|(index, foot)| {
                let mut form = own.get(index).unwrap_or(&form).clone();
                form.moved(turned(foot));
                form
            })
            .enumerate()
            .map(|(index, mut form)| {
                if phrase.tapering {
                    taper(&mut form, index, pattern, cell.y);
                } else if phrase.growing {
                    shrink(&mut form, TAPER.powf((count - 1 - index.min(count - 1)) as f64));
                } else if phrase.varied {
                    shrink(&mut form, VARIED[index % VARIED.len()]);
                }
                form
            })
            .collect();
        let colours = &phrase.colours;
        let bodies = forms.into_iter().enumerate().map(|(index, form)| {
            if phrase.members.is_empty() {
                let colour = colours.get(index % colours.len().max(1)).map(|colour| colour.rgb);
                let material = material_of(phrase, colour).suited_to(form.bounds().size());
                return Body::Shape { form, material };
            }
            let own = phrase.member(index);
            let colour = own.colours.first().map(|colour| colour.rgb);
            let material = material_of(&own, colour).suited_to(form.bounds().size());
            Body::Shape { form, material }
        });
        let bodies: Vec<Body> = bodies.collect();
        let group = phrase.pattern.filter(|_| count > 1);
        let group = group.map(|pattern| self.world.free_id(pattern_name(pattern)));
        let names: Vec<String> = (0..bodies.len())
            .map(|index| base_name(&phrase.member(index), said_noun(kind, phrase), index))
            .collect();
        if free_ground {
            let spot = Spot { offset: DVec3::Y * self.world.ground(), scale: 1.0 };
            return Ok(self.stand(bodies, &names, group.as_deref(), spot));
        }
        self.settle(bodies, &names, group.as_deref(), places)
    }

    /// Where things stand in a ring round `target`: turned or widened until none of them cuts into
    /// anything, as far as that goes.
    pub(crate) fn clear_ring(
        &self,
        layout: &Layout,
        target: &Target,
    ) -> Result<Vec<DVec3>, Problem> {
        const WIDER: u32 = 10;
        const TURNS: u32 = 4;
        let usual = layout.feet();
        let ids = self.resolve(target)?;
        let Some(middle) = self.bounds_of(&ids).map(Bounds::center) else { return Ok(usual) };
        let middle = middle.with_y(self.world.ground());
        let (right, towards) = (self.world.camera.right(), self.world.camera.towards());
        let half = layout.cell.x.max(layout.cell.z) / 2.0;
        let free = |feet: &Vec<DVec3>| {
            feet.iter().all(|foot| {
                let foot = middle + right * foot.x + towards * foot.z;
                let min = foot - DVec3::new(half, -1e-3, half);
                let max = foot + DVec3::new(half, layout.cell.y, half);
                self.is_free(Bounds { min, max }, &ids)
            })
        };
        let step = std::f64::consts::TAU / usual.len().max(1) as f64 / f64::from(TURNS);
        let mut others = (0..WIDER).flat_map(|wider| (0..TURNS).map(move |turn| (wider, turn)));
        let clear = others.find_map(|(wider, turn)| {
            let scale = if layout.radius.is_some() { 1.0 } else { 1.0 + 0.15 * f64::from(wider) };
            let turned = glam::DMat3::from_rotation_y(step * f64::from(turn));
            Some(usual.iter().map(|foot| turned * *foot * scale).collect()).filter(free)
        });
        Ok(clear.unwrap_or(usual))
    }

    /// Where scattered things stand, about the origin and clear of everything.
    pub(crate) fn scattered(&self, layout: &Layout) -> Vec<DVec3> {
        let half = layout.cell.with_y(0.0) / 2.0;
        let ground = DVec3::Y * self.world.ground();
        let (right, towards) = (self.world.camera.right(), self.world.camera.towards());
        layout.scatter_among(|foot| {
            let foot = right * foot.x + towards * foot.z + ground;
            let top = foot + DVec3::Y * layout.cell.y;
            self.is_free(Bounds { min: foot - half, max: top + half }, &[])
        })
    }

    pub(crate) fn count(&mut self, phrase: &Phrase, around: bool) -> usize {
        let by_grid = phrase.grid.filter(|(columns, _)| *columns > 0);
        let by_grid = by_grid.map(|(columns, rows)| columns.saturating_mul(rows));
        let usual = match phrase.pattern {
            // One of each colour.
            _ if phrase.colours.len() > 1 && !is_printed(phrase) => phrase.colours.len(),
            Some(Pattern::Row | Pattern::Column | Pattern::Stack | Pattern::Arc) => 5,
            Some(Pattern::Steps) => 6,
            Some(Pattern::Circle | Pattern::Scatter) => 8,
            Some(Pattern::Grid) => 9,
            Some(Pattern::Wall | Pattern::Spiral) => 12,
            Some(Pattern::Pyramid) => 14,
            Some(Pattern::Triangle) => 10,
            None if around && phrase.plural => 6,
            None if phrase.plural => 3,
            None => 1,
        };
        let count = by_grid.or(phrase.count).unwrap_or(usual);
        if count > MOST_AT_ONCE {
            self.remark(format!(
                "You asked for {count}; I make at most {MOST_AT_ONCE} at a time, so I made that many."
            ));
        }
        count.clamp(1, MOST_AT_ONCE)
    }

    /// "as big as the box": the longest edge is made equal, times the factor.
    pub(crate) fn size_like(&mut self, form: &mut Form, size: &Size) -> Done {
        if let Some(Like { factor, model, .. }) = &size.like {
            let Some(model) = self.bounds_of_model(model)? else { return Ok(()) };
            let scale = factor * model.extent() / form.bounds().extent().max(1e-9);
            form.scaled(DVec3::splat(scale), form.bounds().foot());
        }
        Ok(())
    }

    pub(crate) fn reach_of(&self, target: &Target) -> Result<f64, Problem> {
        let ids = self.resolve(target)?;
        let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        Ok(World::bounds_of(things).map_or(0.0, |bounds| bounds.size().with_y(0.0).length() / 2.0))
    }

    /// Finds the spot for bodies that belong together and adds them.
    pub(crate) fn settle(
        &mut self,
        bodies: Vec<Body>,
        names: &[String],
        group: Option<&str>,
        places: &[Place],
    ) -> Result<Vec<String>, Problem> {
        let draft = |body: &Body| {
            Thing { id: String::new(), origin: None, group: None, body: body.clone() }.bounds()
        };
        let Some(bounds) = bodies.iter().map(draft).reduce(|a, b| a.union(b)) else {
            return Ok(Vec::new());
        };
        // Flat things lie a hair above what they rest on.
        let lift = if bounds.size().y == 0.0 { bounds.min.y } else { 0.0 };
        let Spot { offset, scale } = self.spot(bounds, places, &[])?;
        Ok(self.stand(bodies, names, group, Spot { offset: offset + DVec3::Y * lift, scale }))
    }

    /// Adds bodies that belong together, moved and scaled as the spot says.
    pub(crate) fn stand(
        &mut self,
        bodies: Vec<Body>,
        names: &[String],
        group: Option<&str>,
        spot: Spot,
    ) -> Vec<String> {
        let draft = |body: &Body| match body {
            Body::Shape { form, .. } => form.bounds(),
            Body::Light(lamp) => lamp.bounds(),
        };
        let bounds = bodies.iter().map(draft).reduce(|a, b| a.union(b));
        let foot = bounds.map_or(DVec3::ZERO, Bounds::foot);
        let Spot { offset, scale } = spot;
        let mut ids = Vec::new();
        for (index, body) in bodies.into_iter().enumerate() {
            let wanted = names.get(index).map_or("thing", String::as_str);
            let id = self.world.free_id(wanted);
            let mut thing =
                Thing { id: id.clone(), origin: None, group: group.map(str::to_owned), body };
            if scale != 1.0
                && let Body::Shape { form, .. } = &mut thing.body
            {
                form.scaled(DVec3::splat(scale), foot);
            }
            thing.moved(offset);
            self.world.things.push(thing);
            ids.push(id);
        }
        ids
    }

    fn make_lights(
        &mut self,
        kind: LightKind,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Vec<String>, Problem> {
        let count = self.count(phrase, false).min(MOST_LIGHTS);
        let tint = phrase.tones.iter().find_map(|tone| match tone {
            Tone::Warm => Some(crate::plan::scenery::light::WARM),
            Tone::Cool => Some(crate::plan::scenery::light::COOL),
            _ => None,
        });
        if let Some(tint) = tint
            && phrase.determiner == Determiner::Bare
            && phrase.count.is_none()
            && places.is_empty()
        {
            // "warm light" is how all light is to be.
            self.tint_environment(tint);
        }
        (0..count).map(|index| self.make_light(kind, phrase, places, index, count)).collect()
    }
}

/// Whether its colours are those of one pattern.
fn is_printed(phrase: &Phrase) -> bool {
    matches!(phrase.finish, Some(Finish::Print(_)))
}
