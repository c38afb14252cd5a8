//! The words of an answer: what was done, from the difference of the scenes; what was not understood,
//! in the user's words; questions last.

mod changes;
mod findings;
mod motion;
mod news;
mod surroundings;

use scene::Scene;

use crate::plan::Remark;
use crate::wording::Names;

pub(crate) use findings::findings;
pub(crate) use news::news;

/// What helps where nothing was understood.
const HINT: &str =
    "I read plain English, for example “a red sphere on a wooden table” or “make it blue”.";
/// What helps those who speak other languages.
const OTHER_LANGUAGES: &str = "I read plain English only, for example “a red sphere on a wooden table”. With a key \
    (GEMINI_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY) you can choose a model that knows your language.";

/// What there is to tell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told<'a> {
    /// What was done.
    pub(crate) news: &'a [String],
    pub(crate) remarks: &'a [Remark],
    /// The words that were left out, each stretch by itself.
    pub(crate) unread: &'a [String],
    /// Whether anything was understood.
    pub(crate) understood: bool,
    /// Whether most words belong to no language that is known here.
    pub(crate) foreign: bool,
    /// The scene as it stands, for the names of things to choose from.
    pub(crate) scene: &'a Scene,
}

/// What was done and what there is to say.
pub(crate) fn answer(told: Told<'_>) -> String {
    let mut sentences = told.news.to_vec();
    let acted = !sentences.is_empty();
    let mut questions = Vec::new();
    for remark in told.remarks {
        match remark {
            Remark::Answer(text) | Remark::Note(text) => sentences.push(text.clone()),
            Remark::Courtesy(text) if !acted => sentences.push(text.clone()),
            Remark::Courtesy(_) => {}
            Remark::Missing(..) | Remark::Unknown(_) | Remark::Refused(_) => {
                sentences.extend(trouble(remark));
            }
            Remark::Whom(words, _) => questions.push(format!("What do you mean by “{words}”?")),
            Remark::Which(words, ids, _) => {
                let names = Names::of(told.scene).each(ids, "or");
                questions.push(format!("Which one do you mean by “{words}”: {names}?"));
            }
            Remark::Question(text) => questions.push(text.clone()),
        }
    }
    let quoted: Vec<String> = told.unread.iter().map(|words| format!("“{words}”")).collect();
    // Of another language a word or two may look like ours: what would be asked about them helps nobody.
    let answers = |remark: &Remark| matches!(remark, Remark::Answer(_) | Remark::Courtesy(_));
    let foreign = told.foreign && !acted && !told.remarks.iter().any(answers);
    if foreign {
        sentences.clear();
        questions.clear();
    }
    let nothing_done = sentences.is_empty() && questions.is_empty();
    if !quoted.is_empty() {
        let so = if nothing_done { ", so I changed nothing" } else { "" };
        let words = crate::wording::joined(&quoted, "and");
        sentences.push(format!("I did not understand {words}{so}."));
    }
    if nothing_done && (foreign || !told.understood) {
        if quoted.is_empty() {
            sentences.push("I did not understand that, so I changed nothing.".to_owned());
        }
        sentences.push(if foreign { OTHER_LANGUAGES } else { HINT }.to_owned());
    }
    sentences.extend(questions);
    if sentences.is_empty() {
        sentences.push("That is how it is already, so there was nothing to change.".to_owned());
    }
    sentences.join(" ")
}

/// What went wrong, if a remark tells of that.
pub(crate) fn trouble(remark: &Remark) -> Option<String> {
    Some(match remark {
        Remark::Missing(words, _) => format!("I found no “{words}” in the scene."),
        Remark::Unknown(word) => format!("I don't know what “{word}” is, so I left it out."),
        Remark::Refused(text) => text.clone(),
        _ => return None,
    })
}
