//! The address of a database.

use std::fmt;

/// The address of a PostgreSQL database, such as `postgres://user:password@host/database`. The password is
/// never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The address as it was given. Whether it is one is found out when it is opened.
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// All of it, with the password.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

/// Stands for a password.
const HIDDEN: &str = "***";

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(url) = self;
        let start = url.find("://").map_or(0, |at| at + 3);
        // The last one: a password may hold others, though it should not.
        let end = url.rfind('@').filter(|end| *end > start);
        let (login, rest) = match end {
            Some(end) => (&url[start..end], &url[end..]),
            None => ("", &url[start..]),
        };
        formatter.write_str(&url[..start])?;
        match login.split_once(':') {
            Some((user, _)) => write!(formatter, "{user}:{HIDDEN}")?,
            None => formatter.write_str(login)?,
        }
        let Some((place, parameters)) = rest.split_once('?') else {
            return formatter.write_str(rest);
        };
        formatter.write_str(place)?;
        for (number, parameter) in parameters.split('&').enumerate() {
            formatter.write_str(if number == 0 { "?" } else { "&" })?;
            match parameter.split_once('=') {
                Some((name @ "password", _)) => write!(formatter, "{name}={HIDDEN}")?,
                _ => formatter.write_str(parameter)?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DatabaseUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        for (url, shown) in [
            ("postgres://db/scenes", "postgres://db/scenes"),
            ("postgres://me@db/scenes", "postgres://me@db/scenes"),
            ("postgres://me:secret@db/scenes", "postgres://me:***@db/scenes"),
            ("postgres://me:se@cr/et@db:1/s", "postgres://me:***@db:1/s"),
            ("me:secret@db", "me:***@db"),
            (
                "postgres://db/s?password=secret&sslmode=require",
                "postgres://db/s?password=***&sslmode=require",
            ),
        ] {
            assert_eq!(DatabaseUrl::new(url).to_string(), shown);
            assert!(!format!("{:?}", DatabaseUrl::new(url)).contains("secret"));
        }
    }
}
