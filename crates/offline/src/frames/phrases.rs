//! Slots of the grammar to descriptions, qualities, places and ways.

use crate::chart::Node;

use super::company::{
    held, is_at_owner, is_company, is_elsewhere, is_number_of, parted, take_company,
};
use super::head::head;
use super::measured::{give_to_company, give_to_ring};
use super::plain::{amount, axis, colour, measures, name, pattern};
use super::units::{fitted, share_unit};
use super::{
    Amount, Determiner, Dimension, Head, Layout, Member, Pattern, Phrase, Place, Quality, Recent,
    Region, Relation, Shift, Tokens, Usual, Way,
};

/// A phrase and those joined to it.
pub(super) fn list(node: &Node) -> Vec<Phrase> {
    let mut phrases = parted(phrase(node), node);
    let mut next = node.node("and");
    while let Some(node) = next {
        let mut own = parted(phrase(node), node).into_iter();
        let Some(phrase) = own.next() else { break };
        if let Some(last) = phrases.last_mut().filter(|last| last.tokens.0 < node.from) {
            last.tokens.1 = last.tokens.1.min(node.from);
        }
        // "a sofa with a lamp on its left and a plant on its right": the plant comes with the sofa, too.
        match phrases.last_mut() {
            // "a dresser with plates, six of them": of what was named last.
            Some(owner) if is_number_of(&phrase) && owner.with.last().unwrap_or(owner).plural => {
                held(owner).count = phrase.count;
            }
            Some(owner) if !owner.with.is_empty() && is_at_owner(&phrase.at) => {
                owner.with.push(phrase);
            }
            // "a table with a bowl and two cups": the cups are on the table, too.
            Some(owner) if !owner.with.is_empty() && is_company(&phrase) => {
                owner.with.push(phrase);
            }
            _ => phrases.push(phrase),
        }
        phrases.extend(own);
        next = node.node("and");
    }
    phrases
}

pub(crate) fn phrase(node: &Node) -> Phrase {
    let boxed = |slot: &str| node.node(slot).map(|node| Box::new(phrase(node)));
    let phrases = |slot: &str| node.node(slot).map(list).unwrap_or_default();
    let all = matches!(node.symbol("det"), Some("all"));
    // "every second one".
    let every = node.number("ordinal").filter(|ordinal| all && *ordinal > 1.0);
    // "every other plate".
    let is_every_other = all && node.has("singly") && node.has("other");
    let every = every.or(is_every_other.then_some(2.0));
    let count = node.number("portion").or_else(|| node.number("count"));
    let own = match head(node) {
        // "an underwater world": a scene of that kind.
        Head::Scene("scene") => {
            let theme = node.text("extra").and_then(|extra| catalogue::catalogue().theme(extra));
            theme.map_or(Head::Scene("scene"), |theme| Head::Theme(theme.name().to_owned()))
        }
        other => other,
    };
    let (mut with, mut at): (Vec<Phrase>, Vec<Place>) =
        (node.nodes("with").flat_map(list).collect(), node.nodes("at").map(place).collect());
    // "two ducks on the lawn, one white, one brown": the ducks are.
    let mut each: Vec<Member> = node
        .node("each")
        .map(|each| in_order(each).into_iter().flat_map(members).collect())
        .unwrap_or_default();
    for target in at.iter_mut().filter_map(|place| place.target.as_mut()) {
        if each.is_empty() && !target.plural {
            each = std::mem::take(&mut target.each);
        }
    }
    let scattered = node.nodes("at").any(|place| place.has("scattered"));
    // "a bowl with apples on the table": the bowl is on the table.
    let is_scene = matches!(own, Head::Theme(_) | Head::Scene(_));
    if let Some(last) = with.last_mut().filter(|last| at.is_empty() && !last.at.is_empty())
        && !is_scene
        && last.at.iter().all(is_elsewhere)
    {
        at = std::mem::take(&mut last.at);
    }
    // "a bed against the wall with a lamp on each side": what is there gets no company, the bed does.
    take_company(&mut at, &mut with, is_scene);
    // "a rocket in the sky with a cat in it": the cat is the rocket's.
    for target in at.iter_mut().filter_map(|place| place.target.as_mut()) {
        if matches!(target.head, Head::Scene(_)) {
            with.append(&mut target.with);
        }
    }
    // "six chairs round a table, three each side": the chairs are at its sides.
    for (place, told) in at.iter_mut().zip(node.nodes("at")) {
        let is_shared = told.node("target").is_some_and(|target| target.has("shared"));
        let target = place.target.as_mut().filter(|target| is_shared && !target.plural);
        let side = target.and_then(|target| target.at.pop());
        place.relation = side.map_or(place.relation, |_| Some(Relation::Flanking));
    }
    // "six chairs, three on each side": the number is that of all.
    let all_told = node.has("shared");
    at.iter_mut().for_each(|place| place.each_side &= !all_told);
    // "a bowl of cherries": they are in it.
    for mut held in phrases("holds").into_iter().filter(|held| held.head != own) {
        let of_it = Place {
            relation: Some(Relation::Inside),
            target: Some(Box::new(Phrase::it())),
            ..place(&Node::default())
        };
        held.at = vec![of_it];
        // "a table with a vase of flowers": they are in the vase.
        let holder = with.last_mut().filter(|last| last.tokens.1 <= held.tokens.0);
        match holder {
            Some(last) => last.with.push(held),
            None => with.push(held),
        }
    }
    // "a column with a ball on top": the ball is on top.
    let is_thing = |last: &&mut Phrase| last.at.is_empty() && !matches!(last.head, Head::Part(_));
    // "two cups with saucers, in front of it": of something else, of which there is one.
    let of_one = |place: &Place| {
        place.target.as_ref().is_some_and(|target| matches!(target.head, Head::Pronoun("it")))
    };
    let is_own = !node.has("several") || !at.iter().any(of_one);
    if let Some(last) = with.last_mut().filter(is_thing)
        && is_at_owner(&at)
        && is_own
    {
        last.at = std::mem::take(&mut at);
    }
    let told = pattern(node);
    let scattered = told.layout.or(scattered.then_some(Layout::Scatter));
    let mut own_pattern = Pattern { layout: scattered, ..told };
    // "a barn with sheep dotted about": one thing alone is not scattered.
    let is_single = count.is_none() && !node.has("several");
    if let Some(last) = with.last_mut().filter(|last| last.pattern.is_empty())
        && own_pattern.layout == Some(Layout::Scatter)
        && is_single
    {
        std::mem::swap(&mut last.pattern, &mut own_pattern);
    }
    let mut whole = Phrase {
        determiner: node.symbol("det").and_then(Determiner::of),
        plural: node.has("several"),
        headless: node.has("headless"),
        singly: node.has("singly"),
        count,
        ordinal: node.number("ordinal").filter(|_| every.is_none()).map(|ordinal| ordinal as i32),
        counted_from: node.symbol("from").and_then(side_of),
        age: node.number("age").map(|age| age as i32),
        every: node.number("every").or(every).map(|every| every as usize),
        superlative: node.symbol("sup"),
        other: node.has("other") && !is_every_other,
        same: node.has("same"),
        is_one: node.has("one"),
        each,
        mood: node.symbol("mood"),
        recent: node.symbol("ago").and_then(Recent::of),
        qualities: fitted(qualities(node), node, &own),
        places: node.nodes("place").map(place).collect(),
        at,
        with,
        without: phrases("without"),
        except: phrases("except"),
        lacking: node.nodes("lacking").flat_map(quality).collect(),
        nearest: boxed("nearest")
            .map(|other| (true, other))
            .or(boxed("farthest").map(|other| (false, other))),
        part_of: boxed("part_of"),
        of_them: boxed("of_them"),
        like: boxed("like"),
        facing: boxed("facing"),
        name: name(node),
        pattern: own_pattern,
        word: node.text("word").unwrap_or_default().to_owned(),
        usual: usual(node),
        extra: node.text("extra").map(str::to_owned),
        tokens: Tokens(node.from, node.to),
        ..Phrase::of(own)
    };
    give_to_ring(&mut whole);
    give_to_company(&mut whole, node);
    whole
}

/// "a driveway": what its noun tells of a thing besides the shape.
fn usual(node: &Node) -> Option<Usual> {
    let number = |slot: &str| node.number(slot);
    let edges = [number("wide")?, number("high")?, number("deep")?];
    Some(Usual { edges, material: node.symbol("of_material") })
}

/// The side from which things are counted.
fn side_of(symbol: &str) -> Option<Way> {
    match symbol {
        "top" => Some(Way::Up),
        "bottom" => Some(Way::Down),
        other => Way::of(other),
    }
}

/// What several are like, in the order in which they are laid out: "blue on top, then white" begins above.
fn in_order(each: &Node) -> Vec<&Node> {
    let mut all: Vec<&Node> = each.nodes("c").collect();
    let from = all.first().and_then(|first| first.symbol("region"));
    if matches!(from, Some("above" | "top" | "right")) {
        all.reverse();
    }
    all
}

/// As many as are told: "two red ones".
fn members(node: &Node) -> Vec<Member> {
    let count = node.number("count").map_or(1, |count| count.clamp(1.0, 100.0) as usize);
    vec![member(node); count]
}

fn member(node: &Node) -> Member {
    let own = if node.has("q") { quality(node) } else { Vec::new() };
    let colour = colour(node).filter(|_| own.is_empty()).map(Quality::Colour);
    let qualities = own.into_iter().chain(colour).chain(qualities(node)).collect();
    Member { qualities, places: node.nodes("place").map(place).collect() }
}

/// All qualities in the slot of a phrase or an act, and the size that stands alone.
pub(super) fn qualities(node: &Node) -> Vec<Quality> {
    let mut all: Vec<Quality> = node.nodes("qs").flat_map(quality).collect();
    if let Some(amount) = node.node("size").and_then(amount) {
        all.push(Quality::Measured { dimension: Dimension::Size, amount });
    }
    share_unit(&mut all);
    // "of different sizes, the smallest on the left" is said of one and the same.
    let is_ordered = |quality: &Quality| matches!(quality, Quality::Distinct { more: Some(_), .. });
    if all.iter().any(is_ordered) {
        all.retain(|quality| !matches!(quality, Quality::Distinct { more: None, .. }));
    }
    all
}

fn quality(node: &Node) -> Vec<Quality> {
    let dimension = |slot: &str| node.symbol(slot).and_then(Dimension::of);
    let size = dimension("dim").unwrap_or(Dimension::Size);
    let than = || node.node("than").map(|than| Box::new(phrase(than)));
    let amount_of = || node.node("amount").and_then(amount);
    let factor = node.number("factor").unwrap_or(1.0);
    let one = match node.symbol("q") {
        Some("colour") => colour(node).map(Quality::Colour),
        Some("material") => node.text("material").map(|name| Quality::Material {
            name: name.to_owned(),
            tint: node.node("tint").and_then(colour),
        }),
        Some("texture") => node.symbol("texture").map(|name| {
            let colours = ["one", "two"].into_iter();
            let colours = colours.filter_map(|slot| colour(node.node(slot)?)).collect();
            Quality::Texture { name, colours }
        }),
        Some("size") => node.number("size").map(|factor| {
            let degree = node.number("degree").unwrap_or(1.0);
            Quality::Size { dimension: size, factor: factor.powf(degree.max(0.5)) }
        }),
        Some("dim") => {
            let amount = amount_of();
            let measured = |dimension| amount.map(|amount| Quality::Measured { dimension, amount });
            let second = dimension("dim2").and_then(measured);
            return measured(size).into_iter().chain(second).collect();
        }
        Some("dims") => measures(node).map(Quality::Measures),
        // "closer to us" is a way, and no size.
        Some("compare") if node.symbol("dim").is_none() => None,
        Some("compare") => Some(Quality::Compared {
            dimension: size,
            more: node.symbol("way") == Some("more"),
            amount: amount_of(),
            than: than(),
        }),
        Some("exceeds") => Some(Quality::Exceeds {
            dimension: size,
            more: node.symbol("way") == Some("more"),
            amount: amount_of(),
            than: than(),
        }),
        Some("scale" | "ratio") => {
            // "half as small" says the same as "half as big".
            let is_less = node.symbol("way") == Some("less") && factor > 1.0;
            let factor = if is_less { 1.0 / factor } else { factor };
            Some(Quality::Scaled { dimension: size, factor, than: than() })
        }
        Some("brightness") => {
            Some(Quality::Scaled { dimension: Dimension::Brightness, factor, than: None })
        }
        Some("same") => {
            let other = node.node("as").map(|other| Box::new(phrase(other)));
            let dimension = dimension("dim").filter(|_| node.symbol("what") == Some("size"));
            let dimension = dimension.or_else(|| node.symbol("what").and_then(Dimension::of));
            Some(Quality::Same { dimension: dimension.unwrap_or(Dimension::Size), other })
        }
        Some("distinct") => dimension("what").map(|dimension| Quality::Distinct {
            dimension,
            more: node.symbol("way").map(|way| way == "more").or_else(|| grows(node)),
        }),
        Some("most") => node.symbol("sup").map(Quality::Most),
        Some("form") => node.symbol("form").map(Quality::Form),
        Some("posture") => node.symbol("posture").map(Quality::Posture),
        Some("tone") => node.symbol("tone").map(Quality::Tone),
        Some("mood") => node.text("mood").map(|mood| Quality::Mood(mood.to_owned())),
        _ => None,
    };
    one.into_iter().collect()
}

/// "the smallest on the left": whether things grow in the order in which they are laid out.
fn grows(node: &Node) -> Option<bool> {
    let first = node.symbol("first")?;
    let is_small = matches!(first, "small" | "short" | "narrow");
    let is_last = matches!(node.symbol("side"), Some("right" | "above" | "top"));
    Some(is_small != is_last)
}

pub(super) fn place(node: &Node) -> Place {
    let target = |slot: &str| node.node(slot).map(|target| Box::new(phrase(target)));
    let from_way = node.symbol("dir").map(|dir| match dir {
        "left" => Relation::LeftOf,
        "right" => Relation::RightOf,
        "up" => Relation::Above,
        "down" => Relation::Under,
        "front" => Relation::InFrontOf,
        "back" => Relation::Behind,
        _ => Relation::NextTo,
    });
    let point = node.node("point");
    let point_coordinate =
        |point: &Node| Some((axis(point.symbol("axis")?)?, point.number("value")?));
    Place {
        relation: node.symbol("rel").and_then(Relation::of).or(from_way),
        target: target("target"),
        other: target("other"),
        region: node.symbol("region").or_else(|| node.symbol("side")).and_then(Region::of),
        gap: node.node("gap").and_then(amount),
        point: point
            .and_then(|point| Some([point.number("x")?, point.number("y")?, point.number("z")?])),
        coordinate: node
            .symbol("axis")
            .and_then(axis)
            .zip(node.number("value"))
            .or_else(|| point.and_then(point_coordinate)),
        height: node.node("height").and_then(amount).and_then(Amount::metres),
        each_side: node.has("per"),
    }
}

pub(super) fn shift(node: &Node) -> Shift {
    let toward = node.symbol("toward").zip(node.node("target"));
    Shift {
        way: node.symbol("dir").and_then(Way::of),
        amount: node.node("amount").and_then(amount),
        toward: toward.map(|(toward, target)| (toward == "to", Box::new(phrase(target)))),
        axis: node.symbol("axis").and_then(axis),
        more: node.node("more").map(|more| Box::new(shift(more))),
    }
}
