//! An agent card: what an agent says of itself, as far as it concerns us.

use agent::untrusted::clean;
use reqwest::Url;
use serde_json::Value;

/// Bytes of the description that the model reads.
const MAX_DESCRIPTION: usize = 600;
/// Skills that the model reads of.
const MAX_SKILLS: usize = 8;

/// What is known of an agent by its card.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Card {
    /// What it says of itself, for the model.
    pub(crate) about: String,
    /// Where its methods are called.
    pub(crate) endpoint: Url,
    /// Whether it tells how a task goes on.
    pub(crate) streams: bool,
}

impl Card {
    /// Reads a card that came from `origin`. Calls go to the same server only, so that a card can
    /// neither send the token elsewhere nor make us call others.
    pub(crate) fn read(card: &Value, origin: &Url) -> Result<Self, String> {
        let name = card["name"].as_str().ok_or("its card has no 'name'")?;
        let interfaces = card["supportedInterfaces"].as_array();
        let interfaces = interfaces.ok_or("its card has no 'supportedInterfaces' (A2A 1.0)")?;
        let is_ours = |interface: &&Value| {
            let version = interface["protocolVersion"].as_str().unwrap_or_default();
            interface["protocolBinding"] == "JSONRPC"
                && (version == "1" || version.starts_with("1."))
        };
        let ours = interfaces.iter().find(is_ours);
        let ours = ours.ok_or("its card offers no interface for JSONRPC of A2A 1.x")?;
        let address = ours["url"].as_str().unwrap_or_default();
        let endpoint = Url::parse(address)
            .map_err(|_| format!("its card names no usable address: '{}'", clean(address, 100)))?;
        if endpoint.origin() != origin.origin() {
            return Err(format!(
                "its card is at {} and sends us to {}: name that address in the configuration if it \
                 is right",
                origin.origin().ascii_serialization(),
                endpoint.origin().ascii_serialization()
            ));
        }
        let skills = card["skills"].as_array().into_iter().flatten().take(MAX_SKILLS);
        let skills: Vec<String> =
            skills.filter_map(|skill| Some(clean(skill["name"].as_str()?, 80))).collect();
        let description = clean(card["description"].as_str().unwrap_or_default(), MAX_DESCRIPTION);
        let mut about = format!("{}: {description}", clean(name, 80));
        if !skills.is_empty() {
            about = format!("{about} (skills: {})", skills.join(", "));
        }
        let streams = card["capabilities"]["streaming"] == true;
        Ok(Self { about, endpoint, streams })
    }
}

#[cfg(test)]
mod tests {
    use damage::{damage, value, with_value};
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_card_is_checked_and_bounded() {
        let origin = Url::parse("https://a.example/.well-known/agent-card.json").unwrap();
        let good = json!({ "name": "Painter", "description": "d".repeat(5_000),
            "supportedInterfaces": [
                { "url": "https://a.example/rest", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0" },
                { "url": "https://a.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0" }],
            "capabilities": { "streaming": true },
            "skills": (0..50).map(|n| json!({ "name": format!("s{n}\u{202e}") })).collect::<Vec<_>>() });
        let card = Card::read(&good, &origin).unwrap();
        assert_eq!(card.endpoint.as_str(), "https://a.example/rpc");
        assert!(card.streams && card.about.len() < 1_500, "{}", card.about);
        assert!(
            card.about.starts_with("Painter: ddd")
                && card.about.ends_with("(skills: s0, s1, s2, s3, s4, s5, s6, s7)")
        );
        let wrong = |change: &dyn Fn(&mut Value), said: &str| {
            let mut card = good.clone();
            change(&mut card);
            let error = Card::read(&card, &origin).unwrap_err();
            assert!(error.contains(said), "{error}");
        };
        wrong(&|card| card["name"] = json!(5), "no 'name'");
        wrong(&|card| card["supportedInterfaces"] = json!({}), "no 'supportedInterfaces'");
        wrong(
            &|card| card["supportedInterfaces"][1]["protocolVersion"] = json!("0.3"),
            "no interface",
        );
        wrong(&|card| card["supportedInterfaces"][1]["url"] = json!("rpc"), "no usable address");
        for elsewhere in
            ["https://b.example/rpc", "http://a.example/rpc", "https://a.example:8443/rpc"]
        {
            wrong(&|card| card["supportedInterfaces"][1]["url"] = json!(elsewhere), "sends us to");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_damaged_card_is_refused_or_leads_to_its_own_server(
            lies in prop::collection::vec((0.0..1.0, value()), 0..4), damage in damage(),
        ) {
            let origin = Url::parse("https://a.example/.well-known/agent-card.json").unwrap();
            let mut card = json!({ "name": "Painter", "description": "paints", "supportedInterfaces": [
                { "url": "https://a.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0" }],
                "capabilities": { "streaming": true }, "skills": [{ "name": "sky" }] });
            lies.iter().for_each(|(at, lie)| with_value(&mut card, *at, lie));
            let mut text = card.to_string().into_bytes();
            damage.of(&mut text);
            let damaged = serde_json::from_slice(&text).unwrap_or_default();
            for read in [card, damaged].map(|card| Card::read(&card, &origin)) {
                match read {
                    Ok(card) => {
                        prop_assert_eq!(card.endpoint.origin(), origin.origin());
                        prop_assert!(card.about.len() < 1_500);
                    }
                    Err(error) => prop_assert!(!error.is_empty()),
                }
            }
        }
    }
}
