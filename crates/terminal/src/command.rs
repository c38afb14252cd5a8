//! Slash commands.

use protocol::{Access, ClientRequest, GoalRequest};

use crate::render_file::RenderFile;

/// A command of the user.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Command {
    Undo,
    Redo,
    /// Choose a model; without a name, list them.
    Model(Option<String>),
    Render(RenderFile),
    /// Tell the session; with a name, go to another; "new" begins one.
    Session(Option<String>),
    Share(Access),
    Goal(GoalCommand),
    Help,
    Quit,
}

/// What is to be done about the goal of the session.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GoalCommand {
    Show,
    /// Work until this is reached.
    Start(String),
    Pause,
    Resume,
    Cancel,
}

impl GoalCommand {
    /// What the server is asked for; `None` if nothing. `may_ask`: somebody is there to answer questions.
    pub(crate) fn request(self, may_ask: bool) -> Option<ClientRequest> {
        Some(match self {
            Self::Show => return None,
            Self::Start(objective) => ClientRequest::StartGoal(GoalRequest {
                objective,
                may_ask,
                ..GoalRequest::default()
            }),
            Self::Pause => ClientRequest::PauseGoal,
            Self::Resume => ClientRequest::ResumeGoal,
            Self::Cancel => ClientRequest::CancelGoal,
        })
    }
}

/// The commands as `/help` shows them.
pub(crate) const HELP: [(&str, &str); 9] = [
    ("/undo", "take back the last step"),
    ("/redo", "do it again"),
    ("/model [NAME]", "list the models, or choose one"),
    ("/render FILE [WIDTHxHEIGHT] [SAMPLES]", "save a picture: png, jpg, webp or exr"),
    ("/goal [TEXT | pause | resume | cancel]", "work until TEXT is reached; alone: how far it is"),
    ("/session [ID | new]", "this session and its page, or go to another"),
    ("/share [view | edit]", "make a link to this session"),
    ("/help", "these lines"),
    ("/quit", "leave; the session is kept"),
];

/// The name of a command in its line of help.
pub(crate) fn name(usage: &str) -> &str {
    usage.split(' ').next().unwrap_or(usage)
}

impl Command {
    /// Reads a line that begins with a slash; the error says what to type instead.
    pub(crate) fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let argument = (!rest.is_empty()).then(|| rest.to_owned());
        let alone = |command: Self| match &argument {
            None => Ok(command),
            Some(extra) => Err(format!("{word} takes nothing behind it, not '{extra}'")),
        };
        match word {
            "/undo" => alone(Self::Undo),
            "/redo" => alone(Self::Redo),
            "/help" | "/?" => alone(Self::Help),
            "/quit" | "/exit" | "/q" => alone(Self::Quit),
            "/model" => Ok(Self::Model(argument)),
            "/session" => match argument {
                Some(id) if id.contains(char::is_whitespace) => {
                    Err("/session takes one id, or 'new'".into())
                }
                argument => Ok(Self::Session(argument)),
            },
            "/share" => match rest {
                "" | "view" => Ok(Self::Share(Access::View)),
                "edit" => Ok(Self::Share(Access::Edit)),
                other => Err(format!("/share takes 'view' or 'edit', not '{other}'")),
            },
            "/goal" => Ok(Self::Goal(match rest {
                "" => GoalCommand::Show,
                "pause" => GoalCommand::Pause,
                "resume" => GoalCommand::Resume,
                "cancel" => GoalCommand::Cancel,
                objective => GoalCommand::Start(objective.to_owned()),
            })),
            "/render" => RenderFile::parse(rest).map(Self::Render),
            other => Err(unknown(other)),
        }
    }
}

fn unknown(word: &str) -> String {
    let near = |usage: &&str| strsim::damerau_levenshtein(word, name(usage));
    let nearest = HELP.iter().map(|(usage, _)| *usage).min_by_key(near);
    match nearest.filter(|usage| near(usage) <= 2) {
        Some(usage) => format!("there is no command {word}; did you mean {usage}?"),
        None => format!("there is no command {word}; /help lists them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        assert_eq!(Command::parse("/undo "), Ok(Command::Undo));
        assert_eq!(
            Command::parse("/model  openai/gpt-5"),
            Ok(Command::Model(Some("openai/gpt-5".into())))
        );
        assert_eq!(Command::parse("/session"), Ok(Command::Session(None)));
        assert_eq!(Command::parse("/share edit"), Ok(Command::Share(Access::Edit)));
        assert!(matches!(Command::parse("/render a.png 640x480 16"), Ok(Command::Render(_))));
        let goal = |line: &str| match Command::parse(line) {
            Ok(Command::Goal(goal)) => goal,
            other => panic!("{other:?}"),
        };
        assert_eq!((goal("/goal"), goal("/goal pause")), (GoalCommand::Show, GoalCommand::Pause));
        assert_eq!(goal("/goal pause  it all"), GoalCommand::Start("pause  it all".into()));
    }

    #[test]
    fn every_command_of_the_help_is_one() {
        for (usage, _) in HELP {
            let line = if usage.starts_with("/render") { "/render a.png" } else { name(usage) };
            assert!(Command::parse(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn mistakes_are_named_with_what_to_do() {
        let error = |line: &str| Command::parse(line).unwrap_err();
        assert_eq!(error("/undoo"), "there is no command /undoo; did you mean /undo?");
        assert_eq!(error("/frobnicate"), "there is no command /frobnicate; /help lists them");
        assert_eq!(error("/undo 3"), "/undo takes nothing behind it, not '3'");
        assert_eq!(error("/share me"), "/share takes 'view' or 'edit', not 'me'");
        assert_eq!(error("/render"), "say where to save the picture: /render FILE.png");
    }
}
