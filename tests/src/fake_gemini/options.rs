//! How the fake behaves.

/// How the fake behaves beside its script.
#[derive(Debug, Clone)]
pub struct Options {
    /// The only key that is accepted; any one is when `None`.
    pub api_key: Option<String>,
    /// The models it lists and answers for, with what they can do.
    pub models: Vec<(String, Vec<String>)>,
    /// Whether answers that this server did not give may stand in the history, e.g. of another
    /// model. They still may not hold signatures or call ids of this server's answers.
    pub foreign_answers: bool,
    /// Whether the reader of an answer that was given to its end may have kept only the beginning of
    /// it, because the reader was stopped or killed meanwhile.
    pub readers_may_die: bool,
}

impl Default for Options {
    fn default() -> Self {
        let generating = |name: &str| (name.to_owned(), vec!["generateContent".to_owned()]);
        Self {
            api_key: None,
            models: vec![
                generating("gemini-3.8-flash"),
                generating("gemini-3.5-flash"),
                ("gemini-embedding-001".to_owned(), vec!["embedContent".to_owned()]),
                generating("gemini-3.1-pro-preview"),
                generating("gemini-2.5-flash"),
            ],
            foreign_answers: false,
            readers_may_die: false,
        }
    }
}
