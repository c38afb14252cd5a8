//! Frames that say only a part, completed from earlier ones.

use crate::frames::{
    Act, Amount, Determiner, Frame, Head, Phrase, Place, Quality, Relation, Say, Shift, View, Way,
};

use scene::Scene;

use super::asked::answered;
use super::back::brought_back;
use super::follow::{alone, as_change, follow_up, moved_on, put_to};
use super::overlay::{laid_over, lessened, overwritten, put_quality, repeated};
use super::reverse::reversed;
use super::selected::of_selection;
use super::state::{Base, State};
use super::within::{is_exception, is_it, joined};

/// The frames of a message with nothing left out, and from where they are to be carried out.
pub(crate) fn complete(
    frames: &[Frame],
    selection: &[String],
    state: &State,
    scene: &Scene,
) -> (Vec<Frame>, Base) {
    let mut whole: Vec<Frame> = Vec::new();
    let mut base = Base::Now;
    let mut frames = joined(frames);
    if state.asked.is_none() && !selection.is_empty() {
        of_selection(&mut frames, selection);
    }
    for frame in &frames {
        let earlier = whole.last().or(state.frames.last());
        let own_message = !whole.is_empty();
        let (completed, own_base) = completed(frame, earlier, state, scene, own_message);
        if own_base == Base::Checkpoint {
            base = Base::Checkpoint;
            if own_message {
                // Corrected within the message: it takes the place of what was said before.
                whole.pop();
                base = Base::Now;
            }
        }
        whole.push(completed);
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
    if frame.say == Some(Say::Again)
        && let Some(earlier) = earlier
    {
        return (repeated(earlier, None), Base::Now);
    }
    if frame.act == Some(Act::Again) {
        if let Some(earlier) = earlier {
            return (
                Frame { theme: frame.theme.clone(), tokens: frame.tokens, ..as_change(earlier) },
                Base::Now,
            );
        }
        return (frame.clone(), Base::Now);
    }
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
        return (
            Frame {
                act: Some(Act::Say),
                say,
                theme: frame.theme.clone(),
                tokens: frame.tokens,
                ..Frame::default()
            },
            Base::Now,
        );
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
        return (Frame { theme: taken.theme.clone(), ..frame.clone() }, Base::Checkpoint);
    }
    // "further" after something was moved, or made beside something, moves it on.
    let was_put = |earlier: &&Frame| match earlier.act {
        Some(Act::Create) => put_to(earlier).is_some_and(|target| !is_it(&target)),
        act => act == Some(Act::Move),
    };
    if frame.act == Some(Act::Camera)
        && frame.bare
        && let Some(earlier) = earlier.filter(was_put)
    {
        return (moved_on(frame, earlier), Base::Now);
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
        return (Frame { act, theme, fragment: false, ..frame.clone() }, Base::Now);
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
        return (Frame { act: Some(Act::Say), say, theme, ..Frame::default() }, Base::Now);
    }
    if let Some(changed) = changed_as_much(frame, earlier) {
        return (changed, Base::Now);
    }
    if let Some(made) = made_after_question(frame, state) {
        return (made, Base::Now);
    }
    if !frame.fragment {
        return whole_act(frame, earlier, own_message);
    }
    let Some(earlier) = earlier else { return (alone(frame), Base::Now) };
    if frame.reverse {
        return (reversed(earlier), Base::Checkpoint);
    }
    if is_exception(frame) && earlier.act != Some(Act::Create) {
        return (Frame { except: frame.except.clone(), ..earlier.clone() }, Base::Checkpoint);
    }
    let went_too_far = earlier.act == Some(Act::Camera) && frame.shift.is_none();
    if frame.too && frame.theme.is_empty() && went_too_far {
        return (lessened(earlier, 0.5), Base::Checkpoint);
    }
    if frame.too
        && let Some(shift) = &frame.shift
    {
        if earlier.act == Some(Act::Camera) {
            let zoom = match shift.way {
                Some(Way::Near | Way::Front) => Some("out"),
                Some(Way::Far | Way::Back) => Some("in"),
                _ => None,
            };
            let view = View { zoom, ..View::default() };
            let back = zoom
                .is_none()
                .then(|| Shift { way: shift.way.map(Way::opposite), ..shift.clone() });
            return (
                Frame {
                    act: Some(Act::Camera),
                    view,
                    shift: back,
                    tokens: frame.tokens,
                    ..Frame::default()
                },
                Base::Now,
            );
        }
        return (lessened(earlier, 0.5), Base::Checkpoint);
    }
    if frame.too {
        return (Frame { act: Some(Act::Change), fragment: false, ..frame.clone() }, Base::Now);
    }
    if frame.less {
        // What was come close to is left by half a step.
        let zoom = match earlier.view.zoom {
            Some("in") => Some("out"),
            Some(_) => Some("in"),
            None => None,
        };
        if earlier.act == Some(Act::Camera) && zoom.is_some() && !earlier.view.look.is_empty() {
            let view = View { zoom, ..View::default() };
            let amount = Some(Amount::Degree(0.5));
            let act = Some(Act::Camera);
            let tokens = frame.tokens;
            return (Frame { act, view, amount, tokens, ..Frame::default() }, Base::Now);
        }
        return (lessened(earlier, 0.5), Base::Checkpoint);
    }
    if frame.again {
        let mut again = repeated(earlier, frame.amount);
        // "the same but red".
        if let (Some(Act::Create), Some(made)) = (again.act, again.theme.first_mut()) {
            for quality in &frame.qualities {
                put_quality(&mut made.qualities, quality);
            }
        }
        // "the same on the other side".
        if !frame.places.is_empty() {
            again.theme.iter_mut().for_each(|made| made.at.clear());
            again.places.clone_from(&frame.places);
        }
        return (again, Base::Now);
    }
    if frame.fix {
        return (overwritten(earlier, frame), Base::Checkpoint);
    }
    follow_up(frame, earlier)
}

/// A complete act; a corrected one of the same kind starts from where the earlier did.
fn whole_act(frame: &Frame, earlier: Option<&Frame>, own_message: bool) -> (Frame, Base) {
    let Some(earlier) = earlier else { return (frame.clone(), Base::Now) };
    if let Some(told) = told_of_made(frame, earlier).filter(|_| !frame.exact) {
        return (told, Base::Checkpoint);
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

/// "make the cone twice as tall and the cylinder three times": the change of before, by another amount.
fn changed_as_much(frame: &Frame, earlier: Option<&Frame>) -> Option<Frame> {
    let shift = frame
        .shift
        .as_ref()
        .filter(|shift| shift.way.is_none() && shift.toward.is_none() && shift.axis.is_none())?;
    let (earlier, amount) =
        (earlier.filter(|earlier| earlier.act == Some(Act::Change))?, shift.amount?);
    let mut changed = Frame { theme: frame.theme.clone(), tokens: frame.tokens, ..earlier.clone() };
    let mut is_found = false;
    for quality in &mut changed.qualities {
        match (quality, amount) {
            (Quality::Scaled { factor, .. }, Amount::Times(times)) => *factor = times,
            (Quality::Measured { amount: old, .. }, _) => *old = amount,
            (Quality::Compared { amount: old, .. }, _) => *old = Some(amount),
            _ => continue,
        }
        is_found = true;
    }
    (is_found && frame.places.is_empty() && !frame.theme.is_empty()).then_some(changed)
}

/// "is there a pond? Then make one": what was asked about.
fn made_after_question(frame: &Frame, state: &State) -> Option<Frame> {
    let ([told], Some(asked)) = (frame.theme.as_slice(), &state.inquired) else { return None };
    (frame.act == Some(Act::Create) && (told.is_one || is_it(told))).then(|| {
        let count = told.count.or(asked.count);
        let made =
            Phrase { determiner: Some(Determiner::Indefinite), count, ..laid_over(asked, told) };
        Frame { theme: vec![made], ..frame.clone() }
    })
}

/// "a red one", "i want three cars", "make it five trees": what was made, with what is said of it now.
fn told_of_made(frame: &Frame, earlier: &Frame) -> Option<Frame> {
    let [made] = earlier.theme.as_slice() else { return None };
    let told = match frame.act {
        Some(Act::Create) => frame.theme.as_slice(),
        Some(Act::Become) if frame.theme.iter().all(is_it) => frame.other.as_slice(),
        _ => &[],
    };
    let [told] = told else { return None };
    let is_new =
        frame.joined || matches!(told.determiner, Some(Determiner::Another | Determiner::More));
    if earlier.act != Some(Act::Create) || is_new {
        return None;
    }
    let tells_kind = told.is_one && frame.bare && !told.qualities.is_empty() && told.at.is_empty();
    let counts = told.count.is_some() && told.count != made.count;
    let is_same = told.head == made.head || told.is_one || is_it(told);
    let tells_number = counts && is_same && (frame.total || frame.act == Some(Act::Become));
    let later = Frame {
        act: None,
        theme: vec![Phrase { is_one: true, head: Head::Thing, ..told.clone() }],
        pattern: told.pattern.clone(),
        ..frame.clone()
    };
    // "make that a cube" keeps the rest of what was said.
    let is_other = frame.act == Some(Act::Become) && made.plural == told.plural;
    if is_other && !tells_number {
        return Some(Frame { theme: vec![laid_over(made, told)], ..earlier.clone() });
    }
    (tells_kind || tells_number).then(|| overwritten(earlier, &later))
}
