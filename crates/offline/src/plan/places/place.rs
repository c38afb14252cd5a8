//! Where things go: the spot for a body of some size, so that it neither floats nor cuts into
//! others unless it was told to.

use std::collections::HashSet;
use std::f64::consts::TAU;

use glam::DVec3;

use crate::language::{Determiner, Noun, Place, Relation, Sides, Target, Way};
use crate::plan::scenery::camera::sees;
use crate::plan::{Planner, Problem};
use crate::world::{Bounds, Thing, World};

/// In scenes of more shapes than this new things find a place in the picture as it is.
const CROWD: usize = 60;

/// Steps to each side that are tried first.
const NEAR_RINGS: usize = 40;

/// Rings about the middle of the picture, and places on each.
const FAR_RINGS: usize = 120;
pub(in crate::plan) const WAYS: usize = 16;

/// How a body that stands on the origin is to be moved, and scaled where it would not fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    pub(crate) offset: DVec3,
    pub(crate) scale: f64,
}

impl Spot {
    pub(crate) fn at(offset: DVec3) -> Self {
        Self { offset, scale: 1.0 }
    }
}

impl Planner {
    /// The spot for a body with these bounds. `own` are the ids that move along and are not in
    /// their own way.
    pub(crate) fn spot(
        &mut self,
        bounds: Bounds,
        places: &[Place],
        own: &[String],
    ) -> Result<Spot, Problem> {
        // "on the floor to the left of the box": the floor says no more than resting does.
        let telling = places.iter().rev().find(|place| !self.is_on_floor(place));
        match telling {
            None => Ok(self.free_spot(bounds, own)),
            Some(Place::At(point)) => {
                Ok(self.told(Spot::at(*point - bounds.center()), bounds, own))
            }
            Some(Place::Ground(x, z)) => {
                let foot = DVec3::new(*x, self.world.ground(), *z);
                Ok(self.told(Spot::at(foot - bounds.foot()), bounds, own))
            }
            Some(Place::Former) => {
                let foot = self.former_foot()?;
                Ok(self.told(Spot::at(foot - bounds.foot()), bounds, own))
            }
            Some(Place::Where(target)) => {
                let foot = self.place_of(target)?;
                Ok(self.told(Spot::at(foot - bounds.foot()), bounds, own))
            }
            Some(Place::Origin) => {
                let foot = DVec3::Y * self.world.ground();
                let spot = self.fitted(Spot::at(foot - bounds.foot()), bounds, own);
                if spot.scale < 1.0 {
                    return Ok(spot);
                }
                Ok(self.told(spot, bounds, own))
            }
            Some(Place::Corner(sides)) => Ok(self.corner(*sides, bounds, own)),
            Some(Place::Aside(way)) => {
                let upon = self.upon_that_side(places, *way, bounds, own)?;
                Ok(upon.unwrap_or_else(|| self.aside(*way, bounds, own)))
            }
            Some(Place::OtherSide(of)) => self.opposite(of.as_ref(), bounds, own),
            Some(Place::Relative { relation, target, metres }) => {
                let target = &self.among_what_is_carried(target, places);
                let spot = self.relative(*relation, target, *metres, bounds, own)?;
                Ok(self.on_as_well(spot, *relation, places, bounds))
            }
        }
    }

    /// "on the table to the right of the ball": beside the ball, and upon the table; "against the
    /// wall, right of the sofa" at the wall.
    fn on_as_well(&self, spot: Spot, relation: Relation, places: &[Place], bounds: Bounds) -> Spot {
        let aside = matches!(
            relation,
            Relation::Left
                | Relation::Right
                | Relation::Front
                | Relation::Behind
                | Relation::Beside
        );
        // "on the wall above the sofa": as high as that, at the wall.
        let higher = relation == Relation::Above;
        let carrier = places.iter().find_map(|place| match place {
            Place::Relative { relation, target, metres: None } if !self.is_on_floor(place) => {
                matches!(relation, Relation::On | Relation::Against).then_some((relation, target))
            }
            _ => None,
        });
        let Some((relation, target)) = carrier.filter(|_| aside || higher) else { return spot };
        let Ok(ids) = self.resolve(target) else { return spot };
        let Some(whole) = self.bounds_of(&ids) else { return spot };
        let mut offset = spot.offset;
        if higher && !ids.iter().any(|id| self.is_wall(id)) {
            return spot;
        }
        if *relation == Relation::On && !ids.iter().any(|id| self.is_wall(id)) {
            offset.y = self.surface(&ids, whole).max.y - bounds.min.y;
        } else {
            let wall = self.at_wall(&ids, bounds, &[], *relation == Relation::On).offset;
            let across = if whole.size().x < whole.size().z { DVec3::X } else { DVec3::Z };
            offset += across * (wall - offset).dot(across);
            offset.y = if higher { offset.y } else { wall.y };
        }
        Spot { offset, ..spot }
    }

    /// A spot that was told is taken as it is; what stands there is named.
    fn told(&mut self, spot: Spot, bounds: Bounds, own: &[String]) -> Spot {
        let bounds = bounds.moved(spot.offset);
        self.warn_of_overlap(bounds, own);
        if self.world.floor().is_some_and(|floor| bounds.min.y < floor.bounds().max.y - 1e-6) {
            self.remark("Part of it is below the floor there.");
        }
        spot
    }

    /// Smaller where something new would cut into what stands around it; as it is where that does
    /// not help.
    fn fitted(&mut self, spot: Spot, bounds: Bounds, own: &[String]) -> Spot {
        if !own.is_empty() || self.size_told {
            return spot;
        }
        let there = bounds.moved(spot.offset);
        let foot = there.foot();
        let small = |scale: f64| Bounds {
            min: foot + (there.min - foot) * scale,
            max: foot + (there.max - foot) * scale,
        };
        let free = |scale: &f64| self.is_free(small(*scale * 1.1), own);
        match [1.0, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2].into_iter().find(free) {
            Some(scale) if scale < 1.0 && !self.is_free(there, own) => {
                self.remark("I made it smaller so that it fits there.");
                Spot { scale, ..spot }
            }
            _ => spot,
        }
    }

    /// Names what a body with these bounds would cut into.
    pub(crate) fn warn_of_overlap(&mut self, bounds: Bounds, own: &[String]) {
        let there: Vec<String> = self
            .world
            .objects()
            .filter(|thing| !own.contains(&thing.id) && thing.bounds().overlaps(bounds))
            .map(|thing| thing.id.clone())
            .collect();
        if !there.is_empty() {
            let names = self.names_of(&there);
            self.remark(format!("It overlaps {} there.", crate::answer::list(&names)));
        }
    }

    pub(crate) fn is_on_floor(&self, place: &Place) -> bool {
        // "over the floor", "around the room": on it, too.
        let Place::Relative { relation, target, metres: None } = place else { return false };
        if !matches!(relation, Relation::On | Relation::Above | Relation::Around | Relation::Inside)
        {
            return false;
        }
        let floor = target.0.iter().all(|phrase| phrase.head == Some(Noun::Floor));
        if floor && self.world.floor().is_none() {
            return true;
        }
        self.resolve(target)
            .is_ok_and(|ids| ids.iter().all(|id| self.world.find(id).is_some_and(Thing::is_floor)))
    }

    fn obstacles<'a>(&'a self, own: &'a [String]) -> impl Iterator<Item = Bounds> + 'a {
        let own: HashSet<&str> = own.iter().map(String::as_str).collect();
        let others = self.world.shapes().filter(move |thing| !own.contains(thing.id.as_str()));
        others.filter(|thing| !thing.is_floor()).map(Thing::bounds)
    }

    pub(crate) fn is_free(&self, bounds: Bounds, own: &[String]) -> bool {
        !self.obstacles(own).any(|other| other.overlaps(bounds))
    }

    /// The first free spot on the ground: the middle, then ever further to the right, left, back and
    /// front. In a crowded scene one that the camera sees is preferred, also all around the middle
    /// of the picture.
    pub(crate) fn free_spot(&self, bounds: Bounds, own: &[String]) -> Spot {
        let to_ground = DVec3::Y * self.world.ground() - bounds.foot();
        // The air to its sides.
        let margin = (0.1 * bounds.size().x.min(bounds.size().z)).clamp(0.02, 0.5);
        let step = (bounds.size().x.min(bounds.size().z) / 4.0).max(0.1);
        let (right, towards) = (self.world.camera.right(), self.world.camera.towards());
        let obstacles: Vec<Bounds> = self.obstacles(own).collect();
        let free = |offset: &DVec3| {
            let there = bounds.moved(*offset).widened(margin);
            !obstacles.iter().any(|other| other.overlaps(there))
        };
        let around = (0..400).flat_map(|ring| {
            let reach = step * f64::from(ring);
            // Rather to the sides: what is behind is hidden, what is in front hides others.
            [right, -right, towards * -0.5, towards * 0.5].map(|way| to_ground + way * reach)
        });
        let floor = self.world.floor().map(Thing::bounds);
        let on_floor = |there: Bounds| {
            floor.is_none_or(|floor| {
                let (low, high) = (there.min - floor.min, floor.max - there.max);
                low.x.min(low.z).min(high.x).min(high.z) >= 0.0
            })
        };
        let shown = |offset: &DVec3| {
            let there = bounds.moved(*offset);
            on_floor(there) && sees(&self.world.camera, there)
        };
        if obstacles.len() <= CROWD {
            // Among few things the camera makes room by going back.
            return Spot::at(around.clone().find(free).unwrap_or(to_ground));
        }
        // Of hundreds of things each may be in the way, so what is out of sight is left out first.
        let seen = around.clone().take(4 * NEAR_RINGS).filter(shown).find(free);
        let focus = self.world.camera.look_at.with_y(0.0);
        let rings = (0..FAR_RINGS).flat_map(|ring| {
            (0..WAYS).map(move |way| {
                // Each ring is turned a little against the one before.
                let angle = TAU * (way as f64 / WAYS as f64 + 0.382 * ring as f64);
                let reach = step * ring as f64;
                to_ground + focus + DVec3::new(angle.cos(), 0.0, angle.sin()) * reach
            })
        });
        let seen = seen.or_else(|| rings.filter(shown).find(free));
        Spot::at(seen.or_else(|| around.clone().find(free)).unwrap_or(to_ground))
    }

    /// The horizontal or vertical direction a person means.
    pub(crate) fn direction(&self, way: Way) -> DVec3 {
        let camera = &self.world.camera;
        match way {
            Way::Up => DVec3::Y,
            Way::Down => DVec3::NEG_Y,
            Way::Left => -camera.right(),
            Way::Right => camera.right(),
            Way::Front => camera.towards(),
            Way::Back => -camera.towards(),
        }
    }

    /// In the first free corner of the floor, or of what there is when the floor is wide or none:
    /// the back ones first.
    fn corner(&self, sides: Sides, bounds: Bounds, own: &[String]) -> Spot {
        const WIDEST_ROOM: f64 = 25.0;
        let floor = self.world.floor().map(Thing::bounds);
        let walls = World::bounds_of(self.world.shapes().filter(|thing| thing.is_wall()));
        let walled = walls.filter(|walls| walls.size().x > 1.0).map(|walls| {
            // The room reaches from the wall to where its things stand.
            let all = self.everything();
            let front = walls.max.z.max(all.max.z + bounds.size().z);
            Bounds { min: walls.min, max: DVec3::new(walls.max.x, walls.max.y, front) }
        });
        let floor = floor.filter(|floor| floor.extent() <= WIDEST_ROOM);
        let room = walled.or(floor).unwrap_or_else(|| {
            let all = self.everything();
            let air = bounds.size().with_y(0.0) + DVec3::new(1.0, 0.0, 1.0);
            Bounds { min: all.min - air, max: all.max + air }
        });
        let camera = &self.world.camera;
        let reach = ((room.size() - bounds.size()) * 0.5 * 0.98).max(DVec3::ZERO);
        let middle = room.center().with_y(self.world.ground());
        let meant = |(side, depth): &(f64, f64)| {
            sides.right.is_none_or(|right| right == (*side > 0.0))
                && sides.back.is_none_or(|back| back == (*depth < 0.0))
        };
        let all = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].into_iter().filter(meant);
        let mut corners = all.map(|(side, depth)| {
            let way = camera.right() * side + camera.towards() * depth;
            middle + reach.with_y(0.0) * way - bounds.foot()
        });
        let free = corners.find(|by| self.is_free(bounds.moved(*by), own));
        free.map_or_else(|| self.free_spot(bounds, own), Spot::at)
    }

    fn aside(&self, way: Way, bounds: Bounds, own: &[String]) -> Spot {
        // A sea or a hill is where things are rather than one of them.
        const LARGEST: f64 = 25.0;
        let others = || self.world.objects().filter(|thing| !own.contains(&thing.id));
        let near = others().filter(|thing| thing.bounds().extent() < LARGEST);
        match World::bounds_of(near).or_else(|| World::bounds_of(others())) {
            Some(others) if matches!(way, Way::Up) => self.above(others, bounds, None),
            Some(others) if !matches!(way, Way::Down) => {
                self.beside(self.direction(way), others, bounds, None, own)
            }
            _ => self.free_spot(bounds, own),
        }
    }

    fn relative(
        &mut self,
        relation: Relation,
        target: &Target,
        metres: Option<f64>,
        bounds: Bounds,
        own: &[String],
    ) -> Result<Spot, Problem> {
        let mut target = target.clone();
        if relation == Relation::Between {
            // "between them": more than the last one.
            for phrase in &mut target.0 {
                phrase.plural |= phrase.determiner == Determiner::Them;
            }
        }
        let target = &target;
        let mut ids = self.resolve(target)?;
        ids.retain(|id| !own.contains(id));
        let lights = ids.iter().all(|id| self.world.find(id).is_some_and(Thing::is_light));
        let of_it = target.0.iter().all(|phrase| phrase.determiner == Determiner::It);
        if matches!(relation, Relation::On | Relation::Inside) && lights && of_it {
            // Nothing stands on a light: what was spoken of before it.
            let there =
                self.context.before.iter().take(1).flatten().filter(|id| self.is_plain_object(id));
            let there: Vec<String> = there.cloned().collect();
            let all = || self.world.objects().map(|thing| thing.id.clone()).collect();
            ids = if there.is_empty() { all() } else { there };
        }
        if ids.is_empty() && of_it {
            ids = self.placed_by_besides(own);
        }
        let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        let wholes = self.wholes(&ids);
        let each: Vec<Bounds> = wholes.iter().filter_map(|unit| self.bounds_of(unit)).collect();
        let Some(other) = World::bounds_of(things) else {
            return Err(Problem::Cannot("A thing cannot be placed relative to itself.".to_owned()));
        };
        let on_floor = ids.iter().all(|id| self.world.find(id).is_some_and(Thing::is_floor));
        let camera = self.world.camera;
        let beside = |direction| self.beside(direction, other, bounds, metres, own);
        Ok(match relation {
            Relation::Middle if on_floor || ids.len() > 1 && self.are_several(&ids) => {
                Spot::at(other.center().with_y(self.world.ground()) - bounds.foot())
            }
            Relation::On | Relation::Above if on_floor && metres.is_none() => {
                self.free_spot(bounds, own)
            }
            Relation::On if ids.iter().any(|id| self.is_wall(id)) => {
                self.at_wall(&ids, bounds, own, true)
            }
            // "a window in the wall" hangs there, a fireplace stands at it.
            Relation::Inside | Relation::Middle if ids.iter().any(|id| self.is_wall(id)) => {
                let hung = bounds.size().z < 0.3 && bounds.size().y < 1.6;
                self.at_wall(&ids, bounds, own, hung)
            }
            Relation::Against => self.at_wall(&ids, bounds, own, false),
            Relation::Along => beside(-camera.towards()),
            Relation::Left | Relation::Right | Relation::Front | Relation::Behind
                if metres.is_none() && self.stands_upon(bounds, &ids, other, own) =>
            {
                let way = match relation {
                    Relation::Left => -camera.right(),
                    Relation::Right => camera.right(),
                    Relation::Front => camera.towards(),
                    _ => -camera.towards(),
                };
                self.on_that_side(&ids, other, bounds, way)
            }
            Relation::On | Relation::Middle | Relation::Across => {
                self.upon(&ids, other, bounds, own)
            }
            Relation::Above => self.above(other, bounds, metres),
            Relation::Under => self.below(&ids, other, bounds, metres, own),
            Relation::Left => beside(-camera.right()),
            Relation::Right => beside(camera.right()),
            Relation::Front => beside(camera.towards()),
            Relation::Behind => beside(-camera.towards()),
            Relation::Beside
            | Relation::Flanking
            | Relation::Ends
            | Relation::LongSides
            | Relation::Corners => {
                let mut ways =
                    [camera.right(), -camera.right(), camera.towards(), -camera.towards()];
                if !own.is_empty() {
                    // What is there already comes from where it stands.
                    let path = |way: &DVec3| self.edge(*way, other, bounds, metres, own).length();
                    ways.sort_by(|a, b| path(a).total_cmp(&path(b)));
                }
                let near = |way: &DVec3| {
                    let edge = self.edge(*way, other, bounds, metres, own);
                    self.is_free(bounds.moved(edge), own)
                };
                // Beside what stands on a table is on the table, where there is room.
                let level = |way: &DVec3| {
                    let edge = self.edge(*way, other, bounds, metres, own);
                    (bounds.min.y + edge.y - other.min.y).abs() < 0.05
                };
                let found = ways.into_iter().find(|way| near(way) && level(way));
                match found.or_else(|| ways.into_iter().find(near)) {
                    Some(way) => beside(way),
                    None => self.close_by(other, bounds, own).unwrap_or_else(|| beside(ways[0])),
                }
            }
            Relation::Inside => self.inside(other, bounds),
            Relation::Around => self.around(other, bounds),
            Relation::Between => {
                let each = self.with_room_between(&wholes, each, bounds);
                self.between(&each, bounds, own)
            }
        })
    }

    /// Next to `other` in a horizontal direction, on the ground.
    fn edge(
        &self,
        way: DVec3,
        other: Bounds,
        bounds: Bounds,
        metres: Option<f64>,
        own: &[String],
    ) -> DVec3 {
        let gap = metres.unwrap_or_else(|| 0.25 * bounds.extent().min(other.extent()).max(0.2));
        let half = (other.size() + bounds.size()) * 0.5;
        let reach = half.dot(way.abs()) + gap;
        let foot = other.center().with_y(self.world.ground()) + way * reach;
        let level = self.level_at(foot, other);
        let carried = level <= self.world.ground() && metres.is_none();
        let closer =
            if carried { self.edge_of_carrier(way, other, half.dot(way.abs())) } else { None };
        // What is moved about a room stands on the rug there.
        let lies = if own.is_empty() { level } else { self.top_of_what_lies(foot, bounds) };
        closer.unwrap_or(foot.with_y(level.max(lies))) - bounds.foot()
    }

    pub(in crate::plan) fn beside(
        &self,
        way: DVec3,
        other: Bounds,
        bounds: Bounds,
        metres: Option<f64>,
        own: &[String],
    ) -> Spot {
        let edge = self.edge(way, other, bounds, metres, own);
        let step = (bounds.size().dot(way.abs()) / 4.0).max(0.05);
        let further = (0..400).map(|steps| {
            let offset = edge + way * step * f64::from(steps);
            // Beyond the edge of a table is the ground.
            let foot = bounds.foot() + offset;
            let off = steps > 0 && self.level_at(foot, other) < foot.y - 0.02;
            if off { offset.with_y(self.world.ground() - bounds.foot().y) } else { offset }
        });
        let mut free = further.filter(|offset| self.is_free(bounds.moved(*offset), own));
        Spot::at(free.next().unwrap_or(edge))
    }

    /// On top: in the middle, or beside what stands there already, or on top of that.
    pub(crate) fn on(&self, other: Bounds, bounds: Bounds, own: &[String]) -> Spot {
        let top = other.center().with_y(other.max.y) - bounds.foot();
        let room = ((other.size() - bounds.size()) * 0.5).max(DVec3::ZERO);
        let (right, towards) = (self.world.camera.right(), self.world.camera.towards());
        let aside = (0..=4).flat_map(|step| {
            let share = f64::from(step) / 4.0;
            [right, -right, towards, -towards].map(|way| top + way * room.dot(way.abs()) * share)
        });
        // What is small may lie close to the edge.
        let small =
            bounds.size().x.max(bounds.size().z) <= 0.8 * other.size().x.min(other.size().z);
        let edge = [0.6, 0.75, 0.9].into_iter().filter(|_| small).flat_map(|share| {
            (0..WAYS).map(move |way| {
                let angle = TAU * way as f64 / WAYS as f64;
                top + other.size() * DVec3::new(angle.cos(), 0.0, angle.sin()) * (0.5 * share)
            })
        });
        // Upon what lies there: the lines of a road are no reason to hang above it.
        let there = bounds.moved(top);
        let below = |thing: Bounds| {
            thing.min.x < there.max.x
                && there.min.x < thing.max.x
                && thing.min.z < there.max.z
                && there.min.z < thing.max.z
                && thing.max.y > there.min.y
        };
        let things = self.world.objects().map(Thing::bounds).filter(|thing| below(*thing));
        let mut heights: Vec<f64> = things.map(|thing| thing.max.y - there.min.y).collect();
        heights.sort_by(f64::total_cmp);
        let upon = heights.into_iter().map(|height| top + DVec3::Y * height);
        let rise = (0..200).map(|step| top + DVec3::Y * 0.05 * bounds.size().y * f64::from(step));
        // Asked of many places: what is in the way is gathered once.
        let obstacles: Vec<Bounds> = self.obstacles(own).collect();
        let free = |to: &DVec3| !obstacles.iter().any(|other| other.overlaps(bounds.moved(*to)));
        Spot::at(aside.chain(edge).chain(upon).chain(rise).find(free).unwrap_or(top))
    }
}
