//! Addresses of servers and of their pages.

use reqwest::Url;

use crate::error::ClientError;

/// The address of a server, and the session if it was the address of a session's page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAddress {
    /// Ends with a slash; a server may be mounted below a path.
    pub(crate) base: Url,
    /// From `#session=ID` or `?session=ID`.
    pub session: Option<String>,
}

impl ServerAddress {
    /// Reads `http://HOST:PORT`, `HOST:PORT`, or the address of a page.
    pub fn parse(text: &str) -> Result<Self, ClientError> {
        let refused = |reason: String| ClientError::Address { address: text.to_owned(), reason };
        let text = text.trim();
        let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let mut base = Url::parse(&whole).map_err(|error| refused(error.to_string()))?;
        match base.scheme() {
            "http" | "https" => {}
            other => return Err(refused(format!("'{other}' is neither http nor https"))),
        }
        let fragment = base.fragment().unwrap_or_default().to_owned();
        let in_query = base.query_pairs().find(|(name, _)| name == "session");
        let session = in_query.map(|(_, value)| value.into_owned()).or_else(|| {
            fragment.split('&').find_map(|pair| pair.strip_prefix("session=")).map(str::to_owned)
        });
        base.set_query(None);
        base.set_fragment(None);
        if !base.path().ends_with('/') {
            let path = format!("{}/", base.path());
            base.set_path(&path);
        }
        Ok(Self { base, session: session.filter(|session| !session.is_empty()) })
    }

    /// Whether the server runs on this machine: then no proxy is asked.
    pub(crate) fn is_of_this_machine(&self) -> bool {
        let host = self.base.host_str().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

impl std::fmt::Display for ServerAddress {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.base.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, base: &str, session: Option<&str>) {
        let address = ServerAddress::parse(text).unwrap();
        assert_eq!((address.to_string().as_str(), address.session.as_deref()), (base, session));
    }

    #[test]
    fn addresses_of_servers_and_pages() {
        check("localhost:8080", "http://localhost:8080", None);
        check("127.0.0.1:8080", "http://127.0.0.1:8080", None);
        check(" https://scenes.example/tool ", "https://scenes.example/tool", None);
        check("http://127.0.0.1:8080/#session=abc", "http://127.0.0.1:8080", Some("abc"));
        check("http://127.0.0.1:8080/?session=abc&x=1#top", "http://127.0.0.1:8080", Some("abc"));
        check("http://127.0.0.1:8080/#session=", "http://127.0.0.1:8080", None);
    }

    #[test]
    fn what_is_no_address_is_named() {
        for (text, word) in [("", "empty host"), ("ftp://a", "ftp"), ("http://a b", "domain name")]
        {
            let error = ServerAddress::parse(text).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn loopback_is_this_machine() {
        let is = |text: &str| ServerAddress::parse(text).unwrap().is_of_this_machine();
        assert!(is("localhost:1") && is("127.0.0.1:1") && is("http://[::1]:1"));
        assert!(!is("scenes.example"));
    }
}
