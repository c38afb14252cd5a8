//! The metrics that a document names and the ones that the server registers.

use crate::tokens::{Token, tokens};

/// A metric that the server registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name with the prefix of all and with its unit.
    pub name: String,
    /// `Counter`, `Gauge` or `Histogram`.
    pub kind: String,
}

impl Metric {
    /// Whether the text for Prometheus has this name because of this metric.
    pub fn shows(&self, name: &str) -> bool {
        let endings: &[&str] = match &*self.kind {
            "Counter" => &["_total"],
            "Histogram" => &["", "_bucket", "_sum", "_count"],
            _ => &[""],
        };
        name.strip_prefix(&self.name).is_some_and(|ending| endings.contains(&ending))
    }
}

/// The name of a metric that begins with `prefix`, in a piece of inline code; its labels are left out.
pub fn named_metric<'a>(code: &'a str, prefix: &str) -> Option<&'a str> {
    let name = code.split('{').next()?;
    name.starts_with(prefix).then_some(name)
}

/// The metrics that a Rust source registers: `register("runs", "...", self.runs.clone())`, where `runs`
/// is a field of a type with the kind in its name.
pub fn registered_metrics(source: &str) -> Vec<Metric> {
    let tokens = tokens(source);
    let prefix = tokens.windows(3).find(|three| three[0].is("with_prefix"));
    let prefix = prefix.and_then(|three| literal(&three[2])).unwrap_or_default();
    let statements = tokens.split(|token| token.is(";"));
    statements.filter_map(|statement| registered(statement, &tokens, prefix)).collect()
}

fn registered(statement: &[Token], all: &[Token], prefix: &str) -> Option<Metric> {
    let call = statement.iter().position(|token| token.text.starts_with("register"))?;
    let name = literal(statement.get(call + 2)?)?;
    let arguments = &statement[call..];
    let after = |first: &str, mark: &str| {
        let three = arguments.windows(3).find(|three| three[0].is(first) && three[1].is(mark));
        three.map(|three| &three[2].text)
    };
    let unit = after("Unit", "::").map(|unit| format!("_{}", unit.to_lowercase()));
    let kind = kind(after("self", ".")?, all)?;
    Some(Metric { name: format!("{prefix}_{name}{}", unit.unwrap_or_default()), kind })
}

/// The kind of a field's metric: the first of the three words after the field's name and colon.
fn kind(field: &str, tokens: &[Token]) -> Option<String> {
    let field = tokens.windows(2).position(|pair| pair[0].is(field) && pair[1].is(":"))?;
    let mut kinds = tokens[field..].iter().map(|token| &token.text);
    kinds.find(|text| ["Counter", "Gauge", "Histogram"].contains(&text.as_str())).cloned()
}

/// What stands in a string.
fn literal(token: &Token) -> Option<&str> {
    token.text.strip_prefix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"
        struct Metrics { runs: Family<Labels, Counter>, time: Histogram, open: Gauge<u64, A> }
        fn register(&mut self) {
            let registry = Registry::with_prefix("us");
            registry.register("runs", "Runs", self.runs.clone());
            let what = "Time";
            registry.register_with_unit("run", what, Unit::Seconds, self.time.clone());
            registry.register("open", "Open ones", self.open.clone());
        }
    "#;

    fn right(name: &str) -> bool {
        registered_metrics(SOURCE).iter().any(|metric| metric.shows(name))
    }

    #[test]
    fn metrics_are_found_with_prefix_unit_and_ending() {
        assert_eq!(registered_metrics(SOURCE).len(), 3);
        for name in ["us_runs_total", "us_run_seconds", "us_run_seconds_bucket", "us_open"] {
            assert!(right(name), "{name}");
        }
    }

    #[test]
    fn wrong_metrics_are_found() {
        for name in ["us_runs", "us_run", "us_run_seconds_total", "us_open_total", "runs_total"] {
            assert!(!right(name), "{name}");
        }
    }

    #[test]
    fn labels_are_no_part_of_a_name() {
        assert_eq!(named_metric("us_runs_total{reason,loop}", "us_"), Some("us_runs_total"));
        assert_eq!(named_metric("runs_total", "us_"), None);
    }
}
