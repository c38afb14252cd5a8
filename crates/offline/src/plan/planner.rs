//! The working state while frames are carried out.

use std::rc::Rc;
use std::sync::Arc;

use scene::{Edit, Scene, Violations};
use serde_json::Value;
use spatial::Call;

use super::before::as_before;
use super::draft::PlanDraft;
use super::new_fog::NewFog;
use super::wish::Wish;
use crate::frames::{Act, Frame, Head, Phrase, Quality, Say, Tokens, View};
use crate::resolve::{Context, Kin, SceneWorld, World};

/// Something to tell the user.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Remark {
    /// The answer to a question.
    Answer(String),
    /// A kind word, for when there is nothing else to say.
    Courtesy(String),
    /// What the user should know about what was done.
    Note(String),
    /// Nothing fits a description: its words.
    Missing(String, Box<Phrase>),
    /// Several fit it: its words, and their ids.
    Which(String, Vec<String>, Box<Phrase>),
    /// Nothing was spoken of that a pronoun could mean.
    Whom(String, Box<Phrase>),
    /// A noun that nobody knows.
    Unknown(String),
    /// Why something could not be done.
    Refused(String),
    /// Something is needed to go on.
    Question(String),
}

impl Remark {
    /// What a reading loses by it.
    fn cost(&self) -> f32 {
        match self {
            Self::Answer(_) | Self::Courtesy(_) | Self::Note(_) => 0.0,
            Self::Which(..) => 1.2,
            Self::Question(_) | Self::Whom(..) => 1.5,
            Self::Refused(_) => 2.5,
            Self::Missing(..) => 3.0,
            Self::Unknown(_) => 3.2,
        }
    }
}

/// What frames come to.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// The scene as it is to be.
    pub(crate) scene: Scene,
    pub(crate) remarks: Vec<Remark>,
    /// What "it" means afterwards.
    pub(crate) focus: Vec<String>,
    /// The frame that asks for something, if one does.
    pub(crate) stopped: Option<Frame>,
    /// The frames that were not carried out.
    pub(crate) failed: Vec<Frame>,
    /// The kind of what was taken away last.
    pub(crate) gone: Option<Kin>,
    /// What was named beside it: the table that something was put on.
    pub(crate) mentioned: Vec<String>,
    /// What was made.
    pub(crate) made: Vec<String>,
    /// What was wished off the ground.
    pub(crate) aloft: Vec<String>,
    /// The calls, for those who want to see them.
    pub(crate) calls: Vec<(String, Value)>,
    /// What was carried out and changed nothing, though something else did.
    pub(crate) idle: Vec<Tokens>,
    /// What speaks against having read it so.
    pub(crate) cost: f32,
    /// Whether something that is there may have been meant where something new was made.
    pub(crate) doubtful: bool,
    /// Wants of the dialogue: a step back, a step forward.
    pub(crate) say: Option<(Say, usize)>,
}

/// Why a frame was not carried out.
#[derive(Debug)]
pub(crate) struct Stopped(pub(crate) Remark);

impl From<Violations> for Stopped {
    fn from(violations: Violations) -> Self {
        Self(Remark::Refused(crate::wording::in_plain_words(&violations.to_string())))
    }
}

/// The result of a step.
pub(crate) type Done<T = ()> = Result<T, Stopped>;

/// Carries frames out.
pub(crate) struct Planner<'a> {
    pub(crate) draft: PlanDraft,
    /// The scene before.
    pub(crate) known: Rc<SceneWorld>,
    pub(crate) context: Context,
    pub(crate) remarks: Vec<Remark>,
    pub(crate) focus: Vec<String>,
    pub(crate) mentioned: Vec<String>,
    pub(crate) made: Vec<String>,
    pub(crate) calls: Vec<(String, Value)>,
    pub(crate) say: Option<(Say, usize)>,
    /// What was said, by tokens.
    pub(crate) words: &'a dyn Fn(Tokens) -> String,
    /// Things whose places were asked for: they may float.
    pub(crate) aloft: Vec<String>,
    /// What speaks against having read it so, besides remarks.
    pub(crate) doubt: f32,
    /// What speaks for it all the same: of a list some are there.
    pub(crate) forgiven: f32,
    /// From one to the next of what is put somewhere, where that was told.
    pub(crate) pitch: Option<f64>,
    /// New things whose size was told.
    pub(crate) sized: Vec<String>,
    /// Where things were put, and what they were to look like.
    pub(crate) wishes: Vec<Wish>,
    pub(crate) looks: Vec<(Vec<String>, Vec<Quality>)>,
    /// What was carried out and changed nothing.
    pub(crate) idle: Vec<Tokens>,
    /// Whether the camera was spoken of.
    pub(crate) camera_told: bool,
    pub(crate) new_fog: Option<NewFog>,
}

/// Carries frames out over a scene.
pub(crate) fn plan(
    frames: &[Frame],
    known: &Rc<SceneWorld>,
    context: &Context,
    words: &dyn Fn(Tokens) -> String,
) -> Outcome {
    let mut planner = Planner::new(known, context.clone(), words);
    let mut cost = 0.0;
    let mut stopped = None;
    let mut failed: Vec<Frame> = Vec::new();
    let mut is_lost = false;
    let frames = as_before(frames, known.world(), context);
    let frames = &picture_last(frames, known.world());
    for frame in frames {
        // What goes on from something that could not be done is not done either: "take an apple | out of the bowl".
        let of_it = |phrase: &Phrase| matches!(phrase.head, Head::Pronoun(_));
        let goes_on = !frame.theme.is_empty() && frame.theme.iter().all(of_it);
        if stopped.is_some() && frame.fragment || is_lost && goes_on {
            failed.push(frame.clone());
            continue;
        }
        let kept = planner.draft.clone();
        let before = planner.remarks.len();
        let calls = planner.calls.len();
        let made = planner.made.len();
        if let Err(Stopped(remark)) = planner.carry_out(frame) {
            planner.draft = kept.clone();
            planner.calls.truncate(calls);
            planner.remarks.truncate(before);
            planner.remarks.push(remark);
            stopped = Some(frame.clone());
            failed.push(frame.clone());
            // What is named is spoken of, whether or not something can be done to it.
            if planner.focus.is_empty() {
                planner.focus = planner.find_all(&frame.theme).unwrap_or_default();
            }
            // What "it" is after that, nobody knows.
            is_lost = planner.focus.is_empty() && !frame.theme.is_empty() && !goes_on;
        }
        // What changed nothing and was not told of is told of at the end, where something else was done.
        let acts = !frame.negated
            && !frame.told
            && !matches!(frame.act, Some(Act::Ask | Act::Say))
            && planner.remarks.len() == before;
        if frames.len() > 1 && acts && planner.draft.is_as(&kept) {
            planner.idle.push(frame.tokens);
        }
        if frames.len() > 1 && planner.made.len() > made {
            let new = planner.made[made..].to_vec();
            planner.context.made.push(new);
        }
        if !planner.focus.is_empty() {
            let focus = std::mem::take(&mut planner.focus);
            planner.context.gone = None;
            planner.context.focus.insert(0, focus);
        }
    }
    cost += planner.remarks.iter().map(Remark::cost).sum::<f32>();
    Outcome { stopped, failed, ..planner.finish(frames, cost) }
}

/// "low angle, a barn at dusk": of an empty scene what is to be seen is made before the camera and the lights are set up
/// around it, wherever they were named.
fn picture_last(frames: Vec<Frame>, world: &World<'_>) -> Vec<Frame> {
    if frames.len() < 2 || world.contents().next().is_some() {
        return frames;
    }
    let is_of_picture = |frame: &Frame| {
        let looks = frame.act == Some(Act::Camera) && frame.view.look.is_empty();
        looks || (frame.act == Some(Act::Mood) && frame.setup.is_some())
    };
    let (last, mut first): (Vec<Frame>, Vec<Frame>) = frames.into_iter().partition(is_of_picture);
    first.extend(last);
    first
}

impl<'a> Planner<'a> {
    pub(crate) fn new(
        known: &Rc<SceneWorld>,
        context: Context,
        words: &'a dyn Fn(Tokens) -> String,
    ) -> Self {
        Self {
            draft: PlanDraft::from(known),
            known: Rc::clone(known),
            context,
            remarks: Vec::new(),
            focus: Vec::new(),
            mentioned: Vec::new(),
            made: Vec::new(),
            calls: Vec::new(),
            say: None,
            words,
            aloft: Vec::new(),
            pitch: None,
            sized: Vec::new(),
            wishes: Vec::new(),
            looks: Vec::new(),
            camera_told: false,
            idle: Vec::new(),
            new_fog: None,
            doubt: 0.0,
            forgiven: 0.0,
        }
    }

    fn finish(mut self, frames: &[Frame], mut cost: f32) -> Outcome {
        cost += self.doubt - self.forgiven;
        let doubtful = self.doubt > 0.0;
        let changed = self.draft.scene() != self.known.world().scene;
        let acts = frames.iter().any(|frame| !matches!(frame.act, Some(Act::Ask | Act::Say)));
        if acts && !changed && self.remarks.is_empty() {
            cost += 1.0;
        }
        if changed {
            self.tell_what_does_not_hold();
        }
        if changed && !self.camera_told {
            self.keep_in_view();
        }
        self.see_through_fog();
        let scene = self.draft.scene().clone();
        let there = |id: &String| scene.kind_of(id).is_some();
        let focus = self.context.focus.first().cloned().unwrap_or_default();
        Outcome {
            stopped: None,
            failed: Vec::new(),
            gone: self.context.gone,
            focus: focus.into_iter().filter(there).collect(),
            mentioned: self.mentioned.iter().filter(|id| there(id)).cloned().collect(),
            made: self.made.iter().filter(|id| there(id)).cloned().collect(),
            scene,
            remarks: self.remarks,
            aloft: self.aloft,
            calls: self.calls,
            idle: if changed { self.idle } else { Vec::new() },
            doubtful,
            cost,
            say: self.say,
        }
    }

    fn carry_out(&mut self, frame: &Frame) -> Done {
        if frame.negated {
            self.remarks.push(Remark::Courtesy("All right, I leave that as it is.".into()));
            return Ok(());
        }
        if let Some(named) = self.named_setting(frame) {
            self.create(&named)?;
            let View { from, lens, blur, .. } = &frame.view;
            if from.is_none() && lens.is_none() && blur.is_none() {
                return Ok(());
            }
            // "a macro of a strawberry": it is made, and seen so.
            let look = vec![Phrase::it()];
            self.context.focus.insert(0, self.focus.clone());
            let view = View { look, ..frame.view.clone() };
            return self.camera(&Frame { view, ..frame.clone() });
        }
        self.made_first(frame)?;
        match frame.act {
            Some(Act::Create) if frame.labelled => self.create_labelled(frame),
            Some(Act::Create) => self.create(frame),
            Some(Act::Furnish) => self.furnish(frame),
            Some(Act::Change) => self.change(frame),
            Some(Act::Become) => self.become_other(frame),
            Some(Act::Move) => self.move_things(frame),
            Some(Act::Spread) => self.spread(frame),
            Some(Act::Turn) => self.turn(frame),
            Some(Act::Face) => self.face(frame),
            Some(Act::Mirror) => self.mirror(frame),
            Some(Act::Remove) => self.remove(frame),
            Some(Act::Keep) => self.keep_only(frame),
            Some(Act::Copy) => self.copy(frame),
            Some(Act::Swap) => self.swap(frame),
            Some(Act::Name) => self.name(frame),
            Some(Act::Label) => self.label(frame),
            Some(Act::Group) => self.group(frame),
            Some(Act::Ungroup) => self.ungroup(frame),
            Some(Act::Arrange | Act::Align | Act::Distribute | Act::Sort) => self.arrange(frame),
            Some(Act::Switch) => self.switch(frame),
            Some(Act::Camera) => self.camera(frame),
            Some(Act::Mood) => self.mood(frame),
            Some(Act::Fog) => self.fog(frame),
            Some(Act::Animate) => self.animate(frame),
            Some(Act::Ask) => self.ask(frame),
            Some(Act::Say) => self.say(frame),
            Some(Act::Again | Act::Back) | None => {
                let words = (self.words)(frame.tokens);
                Err(Stopped(Remark::Question(format!("What shall I do with “{words}”?"))))
            }
        }
    }

    fn say(&mut self, frame: &Frame) -> Done {
        let courtesy = match frame.say {
            Some(Say::Hello) => {
                "Hello! Tell me what you want to see, for example “a red sphere on a wooden table”."
            }
            Some(Say::Thanks) => {
                // "The barn is fine": it is spoken of.
                self.focus = self.find_all(&frame.theme).unwrap_or_default();
                "You're welcome."
            }
            Some(Say::Yes | Say::No | Say::Nothing) => "All right, everything stays as it is.",
            Some(Say::Help) => {
                let help = "I build 3D scenes from plain English. I know shapes (sphere, box, cube, cylinder, cone, torus, \
                    capsule, disc, text), some 350 objects such as tables, trees, houses, cars and animals, whole scenes such \
                    as a living room or a beach, colours, materials such as gold, glass, wood, marble or mirror, lights, the \
                    camera, and the sky. Say “put a red ball on the table”, “make it twice as big”, “three chairs in a row”, \
                    “look from above”, “make it night”, “how tall is the tree?” or “undo”.";
                self.remarks.push(Remark::Answer(help.into()));
                return Ok(());
            }
            Some(Say::Beyond) => {
                let only = "I can only build and change this scene, so I left that alone.";
                self.remarks.push(Remark::Answer(only.into()));
                return Ok(());
            }
            Some(Say::Reset) => return self.clear(),
            Some(say) => {
                self.say = Some((say, frame.steps.unwrap_or(1)));
                return Ok(());
            }
            None => return Ok(()),
        };
        self.remarks.push(Remark::Courtesy(courtesy.into()));
        Ok(())
    }

    /// The scene as it stands, with its things.
    pub(crate) fn state(&self) -> Rc<SceneWorld> {
        self.draft.state()
    }

    /// The scene as it stands.
    pub(crate) fn scene(&self) -> Arc<Scene> {
        Arc::clone(self.state().scene())
    }

    /// Plans a call of `spatial` over the draft and applies it.
    pub(crate) fn call(&mut self, name: &str, args: Value) -> Done<Option<Value>> {
        let call = Call::parse(name, &args)?;
        let plan = match call.needs_space(self.draft.scene()) {
            true => call.plan(&self.state().world().space)?,
            false => call.plan_alone(),
        };
        match plan.edits.as_slice() {
            // An edit that fails leaves the draft as it was.
            [edit] => drop(self.draft.apply(edit)?),
            edits => {
                let mut draft = self.draft.clone();
                for edit in edits {
                    draft.apply(edit)?;
                }
                self.draft = draft;
            }
        }
        self.calls.push((name.to_owned(), args));
        Ok(plan.result)
    }

    /// Applies an edit that is no call.
    pub(crate) fn edit(&mut self, edit: &Edit) -> Done {
        self.draft.apply(edit).map(drop).map_err(Stopped::from)
    }
}
