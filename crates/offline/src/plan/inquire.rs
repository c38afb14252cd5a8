//! Answers to questions about the scene.

use super::{Done, Planner, Problem, Saying};
use crate::answer::{describe_contents, describe_sky, describe_thing, list, point};
use crate::language::{Determiner, Noun, Question, Target};
use crate::resolve::Lost;

impl Planner {
    pub(crate) fn inquire(&mut self, question: &Question) -> Done {
        let answer = match question {
            Question::Contents => describe_contents(&self.world),
            Question::Sky => describe_sky(&self.world.environment),
            Question::Camera => {
                let camera = &self.world.camera;
                format!(
                    "The camera stands at {} and looks at {}, with a vertical view of {}°.",
                    point(camera.center),
                    point(camera.look_at),
                    camera.vfov
                )
            }
            Question::Failure => match &self.failure {
                Some(error) => format!("The last call that failed said: {error}"),
                None => "Nothing has failed so far.".to_owned(),
            },
            Question::Count(target) => self.counted(target)?,
            Question::Exists(target) => self.exists(target)?,
            Question::About(target) => {
                let ids = self.all_meant(target)?;
                let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
                let lines: Vec<String> = things.map(describe_thing).take(12).collect();
                let more = ids.len().saturating_sub(lines.len());
                let rest = if more > 0 { format!(" And {more} more.") } else { String::new() };
                format!("{}{rest}", lines.join(" "))
            }
        };
        self.sayings.push(Saying::Answer(answer));
        Ok(())
    }

    /// For a question all that fit are meant, also where one was said.
    fn all_meant(&self, target: &Target) -> Result<Vec<String>, Problem> {
        match self.resolve(target) {
            Err(Problem::Lost(Lost::Ambiguous(_, candidates))) => Ok(candidates),
            other => other,
        }
    }

    fn counted(&self, target: &Target) -> Result<String, Problem> {
        let whole = target.0.iter().all(|phrase| {
            matches!(phrase.determiner, Determiner::Everything) || phrase.head == Some(Noun::Thing)
        });
        if whole {
            let (shapes, lights) = (self.world.shapes().count(), self.world.lights().count());
            return Ok(format!(
                "There {} {} and {}.",
                if shapes == 1 { "is" } else { "are" },
                counted_noun(shapes, "shape"),
                counted_noun(lights, "light")
            ));
        }
        let words: Vec<String> = target.0.iter().map(super::Phrase::text).collect();
        let words = words.join(" and ");
        let ids = self.found(target)?;
        Ok(match ids.len() {
            0 => format!("There are no {words}."),
            1 => format!("There is 1: {}.", list(&ids)),
            count => format!("There are {count} {words}: {}.", list(&ids)),
        })
    }

    fn exists(&self, target: &Target) -> Result<String, Problem> {
        let ids = self.found(target)?;
        let words: Vec<String> = target.0.iter().map(super::Phrase::text).collect();
        Ok(if ids.is_empty() {
            let plural = target.0.iter().any(|phrase| phrase.plural);
            let verb = if plural { "are" } else { "is" };
            format!("No, there {verb} no {}.", words.join(" and "))
        } else {
            format!("Yes: {}.", list(&ids))
        })
    }

    /// All that fit; nothing is no failure.
    fn found(&self, target: &Target) -> Result<Vec<String>, Problem> {
        let mut target = target.clone();
        for phrase in &mut target.0 {
            if matches!(phrase.determiner, Determiner::A | Determiner::Bare | Determiner::Another) {
                phrase.determiner = Determiner::All;
            }
        }
        match self.all_meant(&target) {
            Err(Problem::Lost(Lost::NotFound(_))) => Ok(Vec::new()),
            other => other,
        }
    }
}

fn counted_noun(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!(counted_noun(1, "light"), "1 light");
        assert_eq!(counted_noun(0, "light"), "0 lights");
    }
}
