//! Slots of the grammar to typed frames.

use crate::chart::Node;

use super::act::{Sun, View};
use super::phrases::{list, phrase, place, qualities, shift};
use super::plain::{amount, axis, name, pattern};
use super::{
    Act, Ask, Determiner, Dimension, Frame, Head, Layout, Motion, Number, Phrase, Place, Quality,
    Region, Say, Tokens, Way,
};

/// The frame of an utterance.
pub(crate) fn frames(utterance: &Node) -> Frame {
    let node = utterance;
    let yes = |slot: &str| node.has(slot);
    let phrases = |slot: &str| node.node(slot).map(list).unwrap_or_default();
    let mut frame = Frame {
        act: node.symbol("act").and_then(Act::of),
        ask: node.symbol("ask").and_then(Ask::of),
        say: node.symbol("say").and_then(Say::of),
        theme: phrases("theme").into_iter().chain(phrases("others")).collect(),
        other: phrases("other"),
        with: phrases("with"),
        without: phrases("without"),
        except: phrases("except"),
        wrong: phrases("wrong"),
        around: phrases("surround"),
        inside: phrases("inside"),
        out_of: phrases("of"),
        clear: phrases("clear"),
        qualities: qualities(node),
        places: node.nodes("place").map(place).collect(),
        shift: node.node("shift").map(shift),
        pattern: node.node("manner").map(pattern).unwrap_or_else(|| pattern(node)),
        count: node.number("count"),
        number: node.number("times").map(Number::Times).or(node.number("fewer").map(Number::Fewer)),
        amount: node.node("amount").and_then(amount),
        dimension: node.symbol("dim").and_then(Dimension::of),
        to: node.node("to").and_then(amount),
        more: node.symbol("way").map(|way| way == "more"),
        way: node.symbol("dir").and_then(Way::of),
        axis: node.symbol("axis").and_then(axis),
        name: name(node),
        mood: node.symbol("mood"),
        setup: node.symbol("setup"),
        fog: node.number("fog"),
        is_low: yes("low"),
        on: node.symbol("on").map(|on| on == "yes"),
        superlative: node.symbol("sup"),
        view: view(node),
        sun: sun(node),
        motion: node.symbol("motion").and_then(Motion::of),
        seconds: node.number("seconds"),
        steps: node.number("steps").map(|steps| steps.max(1.0) as usize),
        of_light: node.symbol("what") == Some("light"),
        glow: yes("glow"),
        flip: yes("flip"),
        labelled: yes("labelled"),
        fragment: yes("frag"),
        fix: yes("fix"),
        negated: yes("negated"),
        bare: yes("bare"),
        told: yes("told"),
        hides: yes("hides"),
        too: yes("too"),
        less: yes("less"),
        again: yes("again"),
        reverse: yes("reverse"),
        joined: yes("joined"),
        total: yes("total"),
        exact: yes("exact"),
        unwanted: yes("no"),
        tokens: Tokens(node.from, node.to),
    };
    if node.nodes("place").any(|place| place.has("scattered")) {
        frame.pattern.layout.get_or_insert(Layout::Scatter);
    }
    // "increase the height by half" tells how much more, not what it is to be.
    if node.symbol("by") == Some("by") {
        frame.amount = frame.to.take();
    }
    // "and leave everything else as it is" spares nothing of what is named.
    frame.except.retain(|phrase| !matches!(phrase.head, Head::Everything { .. }));
    if frame.act != Some(Act::Create) {
        frame.other.extend(phrases("facing"));
    }
    if frame.act == Some(Act::Face) {
        frame.other.extend(phrases("target"));
    }
    // "no dog" wants none there.
    let is_none = |phrase: &Phrase| phrase.determiner == Some(Determiner::No);
    if frame.act == Some(Act::Create) && !frame.theme.is_empty() && frame.theme.iter().all(is_none)
    {
        frame.act = Some(Act::Remove);
        frame.unwanted = true;
        frame.theme.iter_mut().for_each(|phrase| phrase.determiner = Some(Determiner::Definite));
    }
    if let Some(region) = node.symbol("region").and_then(Region::of) {
        frame.places.push(Place { region: Some(region), ..place(&Node::default()) });
    }
    if let (Some(verb), None) = (node.symbol("verb"), frame.pattern.layout) {
        frame.pattern.layout = Layout::of(verb);
    }
    if let Some(other) = node.node("alike") {
        let other = Some(Box::new(phrase(other)));
        frame.qualities.push(Quality::Same { dimension: Dimension::Colour, other });
    }
    if let Some(dimension) = node.symbol("distinct").and_then(Dimension::of) {
        frame.qualities.push(Quality::Distinct { dimension, more: None });
    }
    if let Some(factor) = node.number("factor") {
        let dimension = frame.dimension.unwrap_or(Dimension::Size);
        frame.qualities.push(Quality::Scaled { dimension, factor, than: None });
    }
    // "bring the key down a stop": half of its light.
    if let Some(stops) = node.number("stops") {
        let sign = if node.symbol("way") == Some("more") { 1.0 } else { -1.0 };
        let (dimension, factor) = (Dimension::Brightness, (sign * stops).exp2());
        frame.qualities.push(Quality::Scaled { dimension, factor, than: None });
        frame.more = None;
    }
    // "twice as big as it should be": half of it is meant.
    if let Some(over) = node.number("over").filter(|over| *over > 0.0) {
        let dimension = frame.dimension.take().unwrap_or(Dimension::Size);
        frame.qualities.push(Quality::Scaled { dimension, factor: over, than: None });
    }
    if let Some(shade) = node.symbol("shade").filter(|_| frame.too) {
        frame.qualities.push(Quality::Tone(shade));
    }
    frame
}

fn view(node: &Node) -> View {
    let phrases = |slot: &str| node.node(slot).map(list).unwrap_or_default();
    // "blur what is behind the bottle": the bottle stays sharp.
    let blurred = phrases("blurred").into_iter().next();
    let before = blurred.and_then(|phrase| phrase.places.into_iter().next());
    let sharp = before.and_then(|place| place.target).map(|target| *target);
    View {
        look: phrases("look").into_iter().chain(sharp).collect(),
        frame: phrases("frame"),
        frame_all: node.symbol("frame").is_some(),
        from: node.symbol("from"),
        lens: node.symbol("lens"),
        zoom: node.symbol("zoom"),
        pan: node.symbol("pan").and_then(Way::of),
        stand: node.node("stand").map(place),
        orbit: node.has("orbit"),
        blur: node.symbol("blur").map(|blur| blur == "yes"),
        wider: node.symbol("wider").map(|way| way == "more"),
        height: node.node("height").and_then(amount),
        level: node.node("level").map(phrase),
        eyes: node.node("eyes").map(phrase),
        over: node.has("over"),
        fore: phrases("fore"),
    }
}

fn sun(node: &Node) -> Sun {
    let is_sun = node.has("sun") || node.symbol("mood").is_some();
    let of_sun = |slot: &str| node.symbol(slot).filter(|_| is_sun);
    Sun {
        hour: node.node("clock").and_then(hour),
        season: node.symbol("season"),
        side: of_sun("side"),
        height: of_sun("height"),
    }
}

/// The hour that a clock shows: "half past six" alone is in the evening, "nine" in the morning.
fn hour(clock: &Node) -> Option<f64> {
    const LATEST_MORNING: f64 = 7.0;
    let told = clock.number("hour").filter(|hour| (0.0..=24.0).contains(hour))?;
    let from = match clock.number("from") {
        Some(from) => from,
        None if told >= LATEST_MORNING => 0.0,
        None => 12.0,
    };
    let whole = if told < 12.0 || clock.number("from").is_none() && told >= 12.0 {
        told + if told < 12.0 { from } else { 0.0 }
    } else {
        // Twelve in the morning is midnight.
        told - 12.0 + from
    };
    Some((whole + clock.number("minutes").unwrap_or(0.0) / 60.0).rem_euclid(24.0))
}
