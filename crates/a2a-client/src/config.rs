//! The configuration of an agent.

use std::time::Duration;

use reqwest::Url;
use secrecy::SecretString;

/// The default limit on the time of a task.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(300);

/// An agent of others.
#[derive(Debug, Clone)]
pub struct RemoteAgent {
    /// Its name, of which its tool's is made.
    pub name: String,
    /// The address of its server, below which its card is, or of the card itself.
    pub url: Url,
    /// The token that every request carries.
    pub token: Option<SecretString>,
    /// The longest time a task may take.
    pub time_limit: Duration,
    /// Whether each task needs the user's approval.
    pub ask: bool,
}

impl RemoteAgent {
    /// An agent with the defaults of the configuration. The error says what is wrong with the name or the
    /// address.
    pub fn new(name: &str, url: &str) -> Result<Self, String> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        if name.is_empty() || name.len() > 40 || !name.chars().all(fits) {
            return Err(format!(
                "'name' is '{name}'; it must be 1 to 40 letters, digits, '-' and '_', since the tool is \
                 called by it"
            ));
        }
        let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or("'url' must be an address that begins with http:// or https://")?;
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(
                "'url' must have no user, password or query: a secret goes into a token".into()
            );
        }
        Ok(Self {
            name: name.to_owned(),
            url,
            token: None,
            time_limit: DEFAULT_TIME_LIMIT,
            ask: true,
        })
    }

    /// Where its card is.
    pub(crate) fn card_url(&self) -> Url {
        let mut url = self.url.clone();
        if !url.path().ends_with(".json") {
            url.set_path(&format!(
                "{}/.well-known/agent-card.json",
                url.path().trim_end_matches('/')
            ));
        }
        url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_addresses_are_checked() {
        let card = |url: &str| RemoteAgent::new("a", url).map(|agent| agent.card_url().to_string());
        let known = "https://a.example/.well-known/agent-card.json";
        assert_eq!(card("https://a.example").as_deref(), Ok(known));
        assert_eq!(card("https://a.example/").as_deref(), Ok(known));
        assert_eq!(card(known).as_deref(), Ok(known));
        let below = "http://a.example:9/b/.well-known/agent-card.json";
        assert_eq!(card("http://a.example:9/b").as_deref(), Ok(below));
        for url in ["a.example", "ftp://a.example", ""] {
            assert!(card(url).unwrap_err().contains("http://"), "{url}");
        }
        assert!(card("https://me:secret@a.example").unwrap_err().contains("no user"));
        for name in ["", "a b", "ä", &"x".repeat(41)] {
            assert!(RemoteAgent::new(name, known).unwrap_err().contains("'name'"), "{name}");
        }
    }
}
