//! Making things.

use glam::DVec3;

use super::arrange::Layout;
use super::assembly::is_part_of;
use super::list::{in_one_row, is_of_it, ones_named, share_places};
use super::naming::{base_name, material_of};
use super::place::Spot;
use super::rotate::turn_upon_ground;
use super::template::{floor, template, wall};
use super::variant::{in_cubes, lamp_upon};
use super::{Done, Planner, Problem, Saying, as_id, cannot_build};
use crate::language::{
    Assembly, Determiner, LightKind, Like, Noun, Pattern, Phrase, Place, Relation, ShapeKind, Size,
    Target,
};
use crate::resolve::{pattern_name, shape_name};
use crate::world::{Body, Bounds, Form, Material, Thing, World};

/// The most things one phrase makes: more is rarely meant and slow to look at.
const MOST_AT_ONCE: usize = 400;

/// More than these are laid out as a grid when nothing else was said.
const LONGEST_ROW: usize = 12;

impl Planner {
    pub(crate) fn create(&mut self, phrases: &[Phrase]) -> Done {
        let mut made = Vec::new();
        let mut phrases = ones_named(phrases);
        share_places(&mut phrases);
        let row = in_one_row(&mut phrases);
        let listed = phrases.len() > 1;
        let mut last: Vec<String> = Vec::new();
        for phrase in &mut phrases {
            if row && let Some(last) = last.pop() {
                phrase.places.push(Place::Relative {
                    relation: Relation::Right,
                    target: Target::of(Phrase::named(last)),
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
            if !made.is_empty() && phrase.places.iter().any(is_of_it) {
                // "a red sphere and a box next to it".
                self.context.focus.clone_from(&made);
            }
            if let (Some(Noun::Later(word)), true) = (&phrase.head, listed) {
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
        self.context.focus = made;
        Ok(())
    }

    /// "a smaller blue one": of the kind that was made or spoken of last, sized against it.
    pub(crate) fn like_the_last(&self, phrase: &Phrase) -> Option<Phrase> {
        let counted = phrase.determiner == Determiner::Bare
            && (phrase.count.is_some() || !phrase.places.is_empty());
        let told =
            phrase.head == Some(Noun::Thing) && (phrase.determiner == Determiner::A || counted);
        if !told {
            return None;
        }
        let mut like = phrase.clone();
        let last = self.context.focus.last().and_then(|id| self.world.find(id));
        let Some(last) = last.filter(|thing| !thing.is_light()) else {
            // A light, or what is there no more: another of the kind.
            let light = last.is_some().then_some(Noun::Light(LightKind::Any));
            like.head = Some(light.or_else(|| self.context.kind.clone())?);
            return Some(like);
        };
        let model = match last.assembly() {
            Some(group) => {
                let kind = crate::resolve::stem(group).replace('_', " ");
                let words: Vec<&str> = kind.split(' ').collect();
                let object = (0..words.len()).find_map(|first| {
                    crate::catalogue::catalogue().find(&words[first..].join(" "))
                })?;
                like.head = Some(Noun::Assembly(Assembly(object.name())));
                group.to_owned()
            }
            None => {
                let kind = ShapeKind::of_type(last.type_name())?;
                like.head = Some(Noun::Shape(kind));
                last.id.clone()
            }
        };
        if like.size.is_unsaid() || like.size.factors != DVec3::ONE {
            let factor = like.size.factors.element_product().cbrt();
            like.size.factors = DVec3::ONE;
            let model = Box::new(Phrase::named(model));
            like.size.like = Some(Like { factor, model, than: false });
        }
        Some(like)
    }

    /// Makes what a phrase says and what comes with it; the ids of the main things.
    pub(crate) fn make(&mut self, phrase: &Phrase) -> Result<Vec<String>, Problem> {
        if phrase.count == Some(0) {
            return Err(Problem::Cannot("None of them is to be made, so I made none.".to_owned()));
        }
        let like = self.like_the_last(phrase).or_else(|| lamp_upon(phrase));
        let phrase = like.as_ref().unwrap_or(phrase);
        let places = self.places(&phrase.places)?;
        let size = &phrase.size;
        self.size_told = size.like.is_some() || size.lengths().next().is_some();
        if let Some(each) = self.one_for_each(phrase, &places)? {
            return Ok(each);
        }
        let ids = match &phrase.head {
            Some(Noun::Shape(kind)) => self.make_shapes(*kind, phrase, &places)?,
            Some(Noun::Floor) => self.make_floor(phrase)?,
            Some(Noun::Wall) => self.make_wall(phrase),
            Some(Noun::Light(kind)) => self.make_lights(*kind, phrase, &places)?,
            Some(Noun::Assembly(assembly)) => self.make_assemblies(*assembly, phrase, &places)?,
            None if phrase.pattern.is_some() => {
                self.make_shapes(ShapeKind::Box, phrase, &places)?
            }
            Some(Noun::Thing) | None if phrase.determiner == Determiner::Another => {
                self.another(phrase, &places)?
            }
            Some(Noun::Later(word)) => return Err(cannot_build(word)),
            Some(Noun::Named(name)) => self.copy_named(name, &places)?,
            Some(Noun::Thing | Noun::Scene | Noun::Sky | Noun::Camera | Noun::Lens) | None => {
                return Err(Problem::Cannot(format!(
                    "I don't know what to make of “{}”. Say for example “a red sphere”.",
                    phrase.text()
                )));
            }
        };
        // What comes with it speaks of it: "with a light above it".
        let outer = std::mem::replace(&mut self.context.focus, ids.clone());
        let head = phrase.head.as_ref();
        for companion in phrase.companions.iter().filter(|part| !is_part_of(head, part)) {
            match self.make(companion) {
                // The thing itself is made all the same.
                Err(Problem::Cannot(text)) => self.sayings.push(Saying::Refused(text)),
                made => drop(made?),
            }
        }
        self.context.focus = outer;
        Ok(ids)
    }

    /// "a ball on each box": one for every target.
    fn one_for_each(
        &mut self,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Option<Vec<String>>, Problem> {
        let [Place::Relative { relation, target, metres }] = places else { return Ok(None) };
        let each = target.0.iter().all(|phrase| phrase.determiner == Determiner::All);
        let one = phrase.count.is_none() && !phrase.plural && phrase.pattern.is_none();
        if !each || !one || matches!(relation, Relation::Around | Relation::Between) {
            return Ok(None);
        }
        let mut made = Vec::new();
        for id in self.resolve(target)? {
            let place = Place::Relative {
                relation: *relation,
                target: Target::of(Phrase::named(id)),
                metres: *metres,
            };
            made.extend(self.make(&Phrase { places: vec![place], ..phrase.clone() })?);
        }
        Ok(Some(made))
    }

    /// Makes what the places need first: "on a grey floor".
    fn places(&mut self, places: &[Place]) -> Result<Vec<Place>, Problem> {
        let mut ready = Vec::new();
        for place in places {
            if *place == Place::Former {
                ready.push(self.former_place()?);
                continue;
            }
            let Place::Relative { relation, target, metres } = place else {
                ready.push(place.clone());
                continue;
            };
            let mut known = Vec::new();
            for phrase in &target.0 {
                let no_floor = phrase.head == Some(Noun::Floor) && self.world.floor().is_none();
                if phrase.is_new() && phrase.determiner != Determiner::Bare || no_floor {
                    for id in self.make(phrase)? {
                        known.push(Phrase::named(id));
                    }
                } else {
                    known.push(phrase.clone());
                }
            }
            let (relation, metres) = (*relation, *metres);
            ready.push(Place::Relative { relation, target: Target(known), metres });
        }
        Ok(ready)
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
        let size = in_cubes(kind, phrase);
        let mut form = template(kind, &size, usual)?;
        self.size_like(&mut form, &phrase.size)?;
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
        let (cell, round) = (form.bounds().size(), matches!(form, Form::Sphere { .. }));
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
        let feet = if free_ground { self.scattered(&layout) } else { layout.feet() };
        let forms: Vec<Form> = feet
            .into_iter()
            .map(|foot| {
                let mut form = form.clone();
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
            let colour = colours.get(index % colours.len().max(1)).map(|colour| colour.rgb);
            Body::Shape { form, material: material_of(phrase, colour) }
        });
        let bodies: Vec<Body> = bodies.collect();
        let group = phrase.pattern.filter(|_| count > 1);
        let group = group.map(|pattern| self.world.free_id(pattern_name(pattern)));
        let names: Vec<String> =
            (0..bodies.len()).map(|index| base_name(phrase, shape_name(kind), index)).collect();
        if free_ground {
            let spot = Spot { offset: DVec3::Y * self.world.ground(), scale: 1.0 };
            return Ok(self.stand(bodies, &names, group.as_deref(), spot));
        }
        self.settle(bodies, &names, group.as_deref(), places)
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
            _ if phrase.colours.len() > 1 => phrase.colours.len(),
            Some(Pattern::Row | Pattern::Column | Pattern::Stack | Pattern::Arc) => 5,
            Some(Pattern::Steps) => 6,
            Some(Pattern::Circle | Pattern::Scatter) => 8,
            Some(Pattern::Grid) => 9,
            Some(Pattern::Wall | Pattern::Spiral) => 12,
            Some(Pattern::Pyramid) => 14,
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
            let ids = self.resolve(&Target::of((**model).clone()))?;
            let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
            let Some(model) = World::bounds_of(things) else { return Ok(()) };
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

    fn make_floor(&mut self, phrase: &Phrase) -> Result<Vec<String>, Problem> {
        super::template::check(&phrase.size)?;
        let existing = self.world.floor().map(|floor| floor.id.clone());
        if let Some(id) = existing {
            self.remark("There was a floor already, so I used that one.");
            let colour = phrase.colours.first().map(|colour| colour.rgb);
            if let Some(Thing { body: Body::Shape { material, .. }, .. }) = self.world.find_mut(&id)
                && (colour.is_some() || phrase.finish.is_some())
            {
                *material = material_of(phrase, colour);
            }
            return Ok(vec![id]);
        }
        let bounds = World::bounds_of(self.world.objects());
        let height = bounds.map_or(0.0, |bounds| bounds.min.y);
        let colour = phrase.colours.first().map(|colour| colour.rgb);
        let body = Body::Shape {
            form: floor(bounds, &phrase.size, height),
            material: material_of(phrase, colour),
        };
        let wanted = phrase.name.as_deref().map_or_else(|| "floor".to_owned(), as_id);
        let id = self.world.free_id(&wanted);
        self.world.things.push(Thing { id: id.clone(), origin: None, group: None, body });
        Ok(vec![id])
    }

    fn make_wall(&mut self, phrase: &Phrase) -> Vec<String> {
        let bounds = World::bounds_of(self.world.objects());
        let colour = phrase.colours.first().map(|colour| colour.rgb);
        let form = wall(bounds, &phrase.size, self.world.ground());
        let body = Body::Shape { form, material: material_of(phrase, colour) };
        let wanted = phrase.name.as_deref().map_or_else(|| "wall".to_owned(), as_id);
        let id = self.world.free_id(&wanted);
        self.world.things.push(Thing { id: id.clone(), origin: None, group: None, body });
        vec![id]
    }

    /// "add another one": what was spoken of last, once more.
    fn another(&mut self, phrase: &Phrase, places: &[Place]) -> Result<Vec<String>, Problem> {
        let it = self.resolve(&Target::of(Phrase::new(Determiner::It)))?;
        let last = self.wholes(&it).pop().unwrap_or_default();
        let ids = self.copies(&last, phrase.count.unwrap_or(1), places, None)?;
        for id in &ids {
            let colour = phrase.colours.first().map(|colour| colour.rgb);
            if let Some(Thing { body: Body::Shape { material, .. }, .. }) = self.world.find_mut(id)
            {
                *material = match (phrase.finish, colour) {
                    (Some(finish), colour) => Material::made_of(finish, colour),
                    (None, Some(colour)) => material.coloured(colour),
                    (None, None) => material.clone(),
                };
            }
        }
        Ok(ids)
    }

    fn copy_named(&mut self, name: &str, places: &[Place]) -> Result<Vec<String>, Problem> {
        let ids = self.resolve(&Target::of(Phrase::named(name.to_owned())))?;
        self.copies(&ids, 1, places, None)
    }

    fn make_lights(
        &mut self,
        kind: LightKind,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Vec<String>, Problem> {
        let count = self.count(phrase, false).min(16);
        (0..count).map(|index| self.make_light(kind, phrase, places, index, count)).collect()
    }
}

/// How big each thing is, of the one before or below, where each is to be smaller.
const TAPER: f64 = 0.75;

/// How big things of different sizes are, of the biggest.
const VARIED: [f64; 7] = [0.7, 1.0, 0.45, 0.85, 0.6, 0.35, 0.92];

/// Makes a thing smaller about its foot.
fn shrink(form: &mut Form, scale: f64) {
    let foot = form.bounds().foot();
    form.scaled(DVec3::splat(scale), foot);
}

/// Makes the thing at `index` of a layout smaller; in a stack each rests on the one below.
fn taper(form: &mut Form, index: usize, pattern: Pattern, height: f64) {
    let scale = TAPER.powf(index as f64);
    let foot = form.bounds().foot();
    form.scaled(DVec3::splat(scale), foot);
    if pattern == Pattern::Stack {
        // The sum of the heights below: h (1 + q + q^2 + ...).
        form.moved(DVec3::Y * (height * (1.0 - scale) / (1.0 - TAPER) - foot.y));
    }
}
