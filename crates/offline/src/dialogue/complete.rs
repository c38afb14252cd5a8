//! Frames that say only a part, completed from earlier ones.

use crate::frames::{Act, Amount, Determiner, Frame, Head, Phrase, Place, Relation, Say, Way};

use scene::Scene;

use super::asked::answered;
use super::back::brought_back;
use super::degree::{by_amount, by_degree, changed_as_much, sized};
use super::follow::{alone, as_change, follow_up, moved_on, put_to};
use super::made::{made_after_question, named_again, told_of_made};
use super::overlay::{is_it, overwritten, put_quality, repeated};
use super::selected::of_selection;
use super::state::{Base, State};
use super::within::{is_topic, joined};

/// The frames of a message with nothing left out, and from where they are to be carried out. `is_whole` tells whether
/// all words that matter were read.
pub(crate) fn complete(
    frames: &[Frame],
    selection: &[String],
    state: &State,
    scene: &Scene,
    is_whole: bool,
) -> (Vec<Frame>, Base) {
    let mut whole: Vec<Frame> = Vec::new();
    let mut base = Base::Now;
    let mut frames = undone_anew(joined(frames));
    if state.asked.is_none() && !selection.is_empty() {
        of_selection(&mut frames, selection);
    }
    let says = |frame: &Frame| frame.act == Some(Act::Say);
    let is_alone = is_whole && frames.iter().filter(|frame| !says(frame)).count() == 1;
    for frame in &frames {
        let own = whole.iter().rev().find(|frame| frame.act != Some(Act::Say));
        let own_message = own.is_some();
        // What came to nothing is corrected by a wish of its own, not what was done before.
        let missed = state.missed.as_ref().filter(|_| frame.fix && !own_message);
        let earlier = own.or(missed.unwrap_or(&state.frames).last());
        let (completed, own_base) = match frame.theme.first() {
            // A thing that is only named goes on with what an earlier message asked for where nothing else is said.
            Some(_) if is_topic(frame) && !own_message && !is_alone && state.asked.is_none() => {
                (frame.clone(), Base::Now)
            }
            _ => completed(frame, earlier, state, scene, own_message),
        };
        if own_base == Base::Checkpoint && missed.is_none() {
            if own_message {
                // Corrected within the message: it takes the place of what was said before.
                whole.pop();
            } else {
                base = Base::Checkpoint;
            }
        }
        whole.push(completed);
    }
    // What is put back is back already where the correction begins.
    if base == Base::Checkpoint && whole.len() > 1 {
        whole.retain(|frame| frame.say != Some(Say::Undo));
    }
    // What else was done in the message that is corrected is done again.
    if base == Base::Checkpoint && state.frames.len() > 1 {
        let mut again: Vec<Frame> = state.frames[..state.frames.len() - 1].to_vec();
        again.append(&mut whole);
        whole = again;
    }
    (whole, base)
}

fn completed(
    frame: &Frame,
    earlier: Option<&Frame>,
    state: &State,
    scene: &Scene,
    own_message: bool,
) -> (Frame, Base) {
    if let (Some(asked), false) = (&state.asked, own_message) {
        if asked.frame.act == Some(Act::Move) && frame.act == Some(Act::Camera) && frame.bare {
            return (moved_on(frame, &asked.frame), Base::Now);
        }
        if let Some(answered) = answered(frame, asked) {
            return (answered, Base::Now);
        }
    }
    let went_on = done_again(frame, earlier)
        .or_else(|| taken_before(frame, earlier, state, scene, own_message))
        .or_else(|| moved_or_of_scene(frame, earlier))
        .or_else(|| Some((in_place_of_gone(frame, earlier, state)?, Base::Now)))
        .or_else(|| Some((sized(frame, earlier?)?, Base::Now)))
        .or_else(|| Some((by_amount(frame, earlier)?, Base::Checkpoint)))
        .or_else(|| Some((changed_as_much(frame, earlier)?, Base::Now)))
        .or_else(|| Some((made_after_question(frame, state)?, Base::Now)));
    if let Some(went_on) = went_on {
        return went_on;
    }
    if let Some(measured) = set_as_asked(frame, state).filter(|_| !own_message) {
        return (measured, Base::Now);
    }
    if !frame.fragment {
        return whole_act(frame, earlier, own_message);
    }
    let Some(earlier) = earlier else { return (alone(frame), Base::Now) };
    if let Some(other) = by_degree(frame, earlier) {
        return other;
    }
    if frame.fix {
        return (overwritten(earlier, frame), Base::Checkpoint);
    }
    follow_up(frame, earlier)
}

/// "make it 2.4" after "is the door taller than 2 m?": as tall as that; "make it five" after "how many sheep are
/// there?": as many as that.
fn set_as_asked(frame: &Frame, state: &State) -> Option<Frame> {
    let count = frame.count?;
    let is_bare = frame.fragment && frame.theme.is_empty() && frame.qualities.is_empty();
    let is_bare = is_bare && frame.pattern.is_empty();
    let tokens = frame.tokens;
    if let ([counted], true) = (state.counted.as_slice(), is_bare) {
        let determiner = Some(Determiner::Definite);
        let all = Phrase { count: Some(count), plural: true, determiner, ..counted.clone() };
        let (act, theme) = (Some(Act::Create), vec![all]);
        return Some(Frame { act, theme, total: true, exact: true, tokens, ..Frame::default() });
    }
    let dimension = Some(state.measured?);
    let to = Some(Amount::Plain(count));
    is_bare.then(|| Frame {
        act: Some(Act::Change),
        theme: vec![Phrase::it()],
        dimension,
        to,
        tokens,
        ..Frame::default()
    })
}

/// "leave the ants out. A jug instead": what is gone already leaves only the other to be made.
fn in_place_of_gone(frame: &Frame, earlier: Option<&Frame>, state: &State) -> Option<Frame> {
    let is_gone = match earlier {
        Some(earlier) => earlier.act == Some(Act::Remove),
        None => state.context.focus.is_empty(),
    };
    let is_instead = frame.act == Some(Act::Become) && frame.theme.is_empty();
    (is_instead && is_gone).then(|| Frame {
        act: Some(Act::Create),
        theme: frame.other.clone(),
        tokens: frame.tokens,
        ..Frame::default()
    })
}

/// "do it again", "the same for the lamp": the earlier frame once more, from now.
fn done_again(frame: &Frame, earlier: Option<&Frame>) -> Option<(Frame, Base)> {
    if frame.say == Some(Say::Again)
        && let Some(earlier) = earlier
    {
        return Some((repeated(earlier, None), Base::Now));
    }
    if frame.act == Some(Act::Again) {
        if let Some(earlier) = earlier {
            let theme = frame.theme.clone();
            let mut again = Frame { theme, tokens: frame.tokens, ..as_change(earlier) };
            for quality in &frame.qualities {
                put_quality(&mut again.qualities, quality);
            }
            return Some((again, Base::Now));
        }
        return Some((frame.clone(), Base::Now));
    }
    None
}

/// What was taken away, and is wanted again or goes somewhere else.
fn taken_before(
    frame: &Frame,
    earlier: Option<&Frame>,
    state: &State,
    scene: &Scene,
    own_message: bool,
) -> Option<(Frame, Base)> {
    // "bring the chair back" after it was taken away.
    let was_taken =
        || state.context.gone.is_some() || brought_back(&frame.theme, scene, state).is_some();
    let comes_back = frame.act == Some(Act::Move)
        && frame.places.is_empty()
        && !frame.theme.iter().all(is_it)
        && frame.shift.as_ref().is_some_and(|shift| {
            shift.way == Some(Way::Back) && shift.amount.is_none() && shift.more.is_none()
        })
        && was_taken();
    if frame.act == Some(Act::Back) || comes_back {
        let say = Some(Say::BringBack);
        return Some((
            Frame {
                act: Some(Act::Say),
                say,
                theme: frame.theme.clone(),
                tokens: frame.tokens,
                ..Frame::default()
            },
            Base::Now,
        ));
    }
    // "take the top one off", "put it on the floor": it is moved from where it was.
    if let Some(taken) = earlier.filter(|earlier| earlier.act == Some(Act::Remove))
        && frame.act == Some(Act::Move)
        && state.context.gone.is_some()
        && !own_message
        && !frame.places.is_empty()
        && !frame.theme.is_empty()
        && frame.theme.iter().all(is_it)
    {
        return Some((Frame { theme: taken.theme.clone(), ..frame.clone() }, Base::Checkpoint));
    }
    // "I do want it!" after it was taken away.
    let wanted = match frame.act {
        Some(Act::Create) => frame.theme.as_slice(),
        Some(Act::Camera) if frame.total => frame.view.look.as_slice(),
        _ => &[],
    };
    let wants_it = state.context.gone.is_some() && !wanted.is_empty() && wanted.iter().all(is_it);
    if wants_it {
        let say = Some(Say::BringBack);
        let theme = Vec::new();
        return Some((Frame { act: Some(Act::Say), say, theme, ..Frame::default() }, Base::Now));
    }
    None
}

/// What goes on with a place, or with the scene as a whole.
fn moved_or_of_scene(frame: &Frame, earlier: Option<&Frame>) -> Option<(Frame, Base)> {
    // "further" after something was moved, or made beside something, moves it on.
    let was_put = |earlier: &&Frame| match earlier.act {
        Some(Act::Create) => put_to(earlier).is_some_and(|target| !is_it(&target)),
        act => act == Some(Act::Move),
    };
    if frame.act == Some(Act::Camera)
        && frame.bare
        && let Some(earlier) = earlier.filter(was_put)
    {
        return Some((moved_on(frame, earlier), Base::Now));
    }
    let earlier_is_of_scene = earlier
        .and_then(|earlier| earlier.theme.first())
        .filter(|theme| matches!(theme.head, Head::Scene(_)));
    if let Some(theme) = earlier_is_of_scene
        && !frame.qualities.is_empty()
        && matches!(frame.act, Some(Act::Change) | None)
        && frame.theme.iter().all(is_it)
        && !frame.of_light
    {
        let act = Some(Act::Change);
        let theme = vec![theme.clone()];
        return Some((Frame { act, theme, fragment: false, ..frame.clone() }, Base::Now));
    }
    None
}

/// A complete act; a corrected one of the same kind starts from where the earlier did.
fn whole_act(frame: &Frame, earlier: Option<&Frame>, own_message: bool) -> (Frame, Base) {
    let Some(earlier) = earlier else { return (frame.clone(), Base::Now) };
    if let Some(told) = told_of_made(frame, earlier).filter(|_| !frame.exact) {
        return (told, Base::Checkpoint);
    }
    if let Some(told) = named_again(frame, earlier).filter(|_| !own_message) {
        return (told, Base::Now);
    }
    let same = frame.act == earlier.act;
    let goes_back = matches!(
        frame.act,
        Some(
            Act::Create
                | Act::Remove
                | Act::Move
                | Act::Turn
                | Act::Copy
                | Act::Arrange
                | Act::Keep
                | Act::Mirror
        )
    );
    // What is to be made besides takes nothing away.
    let heads = (frame.theme.first(), earlier.theme.first());
    let other_kind = matches!(heads, (Some(new), Some(old)) if new.head != old.head && !new.is_one);
    let counted = frame.theme.iter().any(|phrase| phrase.count.is_some());
    let besides =
        frame.act == Some(Act::Create) && other_kind && (counted || !(frame.bare || frame.total));
    if frame.fix && same && goes_back && !own_message && !besides {
        let mut merged = frame.clone();
        if frame.bare || frame.act != Some(Act::Create) {
            merged = overwritten(earlier, frame);
        }
        return (merged, Base::Checkpoint);
    }
    let mut merged = frame.clone();
    // "move it closer" after it was put beside something: closer to that.
    if let (Some(Act::Move), Some(shift)) = (frame.act, merged.shift.as_mut())
        && matches!(shift.way, Some(Way::Near | Way::Far))
        && shift.toward.is_none()
        && frame.theme.iter().all(is_it)
        && let Some(target) = put_to(earlier)
    {
        shift.toward = Some((shift.way == Some(Way::Near), target));
    }
    // "raise the cone by 50 cm and the cylinder by 1 m".
    if let (Some(Act::Move), Some(shift)) = (frame.act, merged.shift.as_mut())
        && earlier.act == Some(Act::Move)
        && own_message
        && shift.way.is_none()
        && shift.toward.is_none()
        && shift.axis.is_none()
    {
        let old = earlier.shift.as_ref();
        shift.way = old.and_then(|old| old.way).or(earlier.way);
        shift.toward = old.and_then(|old| old.toward.clone());
    }
    // "and another": where the last one went to what was spoken of.
    if let ([new], [old]) = (merged.theme.as_mut_slice(), earlier.theme.as_slice())
        && frame.act == Some(Act::Create)
        && earlier.act == Some(Act::Create)
        && matches!(new.determiner, Some(Determiner::Another | Determiner::More))
        && (new.headless || new.is_one)
        && new.at.is_empty()
        && frame.places.is_empty()
    {
        let places = if old.at.is_empty() { &earlier.places } else { &old.at };
        let carries =
            |place: &Place| matches!(place.relation, Some(Relation::On | Relation::Inside));
        let is_relative = |place: &&Place| match &place.target {
            Some(target) => is_it(target) || carries(place),
            None => place.region.is_some(),
        };
        new.at = places.iter().filter(is_relative).cloned().collect();
        // What was made to put it on is there by now.
        for target in new.at.iter_mut().filter_map(|place| place.target.as_mut()) {
            target.determiner = Some(Determiner::Definite);
        }
    }
    if own_message
        && frame.act == Some(Act::Create)
        && frame.bare
        && earlier.act == Some(Act::Create)
        && frame.places.is_empty()
    {
        merged.bare = false;
    }
    (merged, Base::Now)
}

/// "undo that, only two": what is said after a step back is what was to be done.
fn undone_anew(mut frames: Vec<Frame>) -> Vec<Frame> {
    if let [undo, next, ..] = frames.as_mut_slice()
        && undo.say == Some(Say::Undo)
        && undo.theme.is_empty()
        && undo.except.is_empty()
        && undo.dimension.is_none()
        && next.fragment
        && next.theme.is_empty()
        && !(next.too || next.less)
    {
        next.fix = true;
        next.exact = false;
        frames.remove(0);
    }
    frames
}
