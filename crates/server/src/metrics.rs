//! Metrics of runs for operators; `GET /metrics` returns them in the OpenMetrics text format, which
//! Prometheus reads (requirement A12).

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use agent::{Event, Outcome, Reason, Toolbox};
use llm::CacheCounts;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use studio::Bound;

/// The content type of [`Metrics::text`].
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RunLabels {
    reason: &'static str,
    /// `on` if results go back to the model, `off` if the run ends after one wave.
    r#loop: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LoopLabel {
    r#loop: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ToolLabels {
    tool: String,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ToolLabel {
    tool: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DirectionLabel {
    direction: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BoundLabel {
    of: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusLabel {
    status: u16,
}

/// The metrics of all sessions. Cheap to update: atomics, and a short lock for looking up labels.
pub(crate) struct Metrics {
    registry: Registry,
    runs: Family<RunLabels, Counter>,
    turns: Family<LoopLabel, Histogram>,
    run_time: Family<LoopLabel, Histogram>,
    answers: Family<OutcomeLabel, Counter>,
    answer_time: Histogram,
    first_text: Histogram,
    cancel_time: Histogram,
    tools: Family<ToolLabels, Counter>,
    tool_time: Family<ToolLabel, Histogram>,
    tokens: Family<DirectionLabel, Counter>,
    retries: Counter,
    compactions: Counter,
    cache_hits: Gauge<u64, AtomicU64>,
    cache_misses: Gauge<u64, AtomicU64>,
    in_use: Family<BoundLabel, Gauge<u64, AtomicU64>>,
    limits: Family<BoundLabel, Gauge<u64, AtomicU64>>,
    http_errors: Family<StatusLabel, Counter>,
    forwarded: Counter,
    taken_over: Counter,
    lost: Counter,
    opened: Counter,
    fenced: Counter,
    refilled: Counter,
    workers: Gauge<u64, AtomicU64>,
    tasks: Counter,
    tasks_again: Counter,
    tasks_done: Counter,
    tasks_lost: Counter,
    task_time: Histogram,
}

/// Histogram buckets from 5 ms to about 160 s, each twice the one before.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.005, 2.0, 16))
}

fn few() -> Histogram {
    Histogram::new([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 50.0, 100.0])
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("scene_llm"),
            runs: Family::default(),
            turns: Family::new_with_constructor(few),
            run_time: Family::new_with_constructor(seconds),
            answers: Family::default(),
            answer_time: seconds(),
            first_text: seconds(),
            cancel_time: seconds(),
            tools: Family::default(),
            tool_time: Family::new_with_constructor(seconds),
            tokens: Family::default(),
            retries: Counter::default(),
            compactions: Counter::default(),
            cache_hits: Gauge::default(),
            cache_misses: Gauge::default(),
            in_use: Family::default(),
            limits: Family::default(),
            http_errors: Family::default(),
            forwarded: Counter::default(),
            taken_over: Counter::default(),
            lost: Counter::default(),
            opened: Counter::default(),
            fenced: Counter::default(),
            refilled: Counter::default(),
            workers: Gauge::default(),
            tasks: Counter::default(),
            tasks_again: Counter::default(),
            tasks_done: Counter::default(),
            tasks_lost: Counter::default(),
            task_time: seconds(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("runs", "Runs that ended, by reason", self.runs.clone());
        registry.register("run_turns", "Model calls of a run", self.turns.clone());
        let time = "From the first request of a run to its end";
        registry.register_with_unit("run", time, Unit::Seconds, self.run_time.clone());
        registry.register("answers", "Answers of models", self.answers.clone());
        let time = "From a request to the end of its answer";
        registry.register_with_unit("answer", time, Unit::Seconds, self.answer_time.clone());
        let time = "From a request to the first text for the user";
        registry.register_with_unit("first_text", time, Unit::Seconds, self.first_text.clone());
        let time = "From a cancel to the end of the run";
        registry.register_with_unit("cancel", time, Unit::Seconds, self.cancel_time.clone());
        registry.register("tool_calls", "Tool calls, by outcome", self.tools.clone());
        let time = "Time of a tool call";
        registry.register_with_unit("tool_call", time, Unit::Seconds, self.tool_time.clone());
        registry.register("tokens", "Tokens counted by the models' providers", self.tokens.clone());
        registry.register(
            "retries",
            "Times a model's provider was asked again",
            self.retries.clone(),
        );
        let what = "Times the older part of a conversation was summarised";
        registry.register("compactions", what, self.compactions.clone());
        let what = "Answers given from the plan cache";
        registry.register("plan_cache_hits", what, self.cache_hits.clone());
        let what = "Answers the plan cache did not have";
        registry.register("plan_cache_misses", what, self.cache_misses.clone());
        let what = "How much of a limit that all clients share is in use";
        registry.register("in_use", what, self.in_use.clone());
        registry.register("limit", "The limit", self.limits.clone());
        let what = "Responses with status 429 or 5xx";
        registry.register("http_errors", what, self.http_errors.clone());
        let what = "Requests that were sent to the server that has the session";
        registry.register("forwarded_requests", what, self.forwarded.clone());
        let what =
            "Sessions taken over from servers that died, besides those that clients opened again";
        registry.register("sessions_taken_over", what, self.taken_over.clone());
        let what = "Sessions that ended here since another server owns them, or may";
        registry.register("sessions_lost", what, self.lost.clone());
        let what = "Times a session was opened here, which makes this server its owner";
        registry.register("sessions_opened", what, self.opened.clone());
        let what = "Appends that were refused since another server owns the session";
        registry.register("fenced_appends", what, self.fenced.clone());
        let what =
            "Times a client that was away or slow was sent the events that it missed, from the log";
        registry.register("gaps_refilled", what, self.refilled.clone());
        let what = "Render workers that are connected";
        registry.register("render_workers", what, self.workers.clone());
        let what = "Parts of pictures that were given to workers";
        registry.register("render_tasks_given", what, self.tasks.clone());
        let what = "Those that were given again, while another worker still had them";
        registry.register("render_tasks_given_again", what, self.tasks_again.clone());
        let what = "Parts of pictures that workers brought back in time";
        registry.register("render_tasks_done", what, self.tasks_done.clone());
        let what = "Parts of pictures whose worker went away, which others render";
        registry.register("render_tasks_lost", what, self.tasks_lost.clone());
        let time = "From giving a part of a picture to a worker to its result";
        registry.register_with_unit("render_task", time, Unit::Seconds, self.task_time.clone());
    }

    /// Counts an event of a run that works with `tools`.
    pub(crate) fn event(&self, event: &Event, tools: &Toolbox) {
        match event {
            Event::TurnFinished { usage, duration, first_text, success, .. } => {
                let outcome = if *success { "success" } else { "error" };
                self.answers.get_or_create(&OutcomeLabel { outcome }).inc();
                self.answer_time.observe(duration.as_secs_f64());
                if let Some(first_text) = first_text {
                    self.first_text.observe(first_text.as_secs_f64());
                }
                let tokens = |direction| self.tokens.get_or_create(&DirectionLabel { direction });
                tokens("input").inc_by(usage.input_tokens);
                tokens("output").inc_by(usage.output_tokens);
            }
            Event::Delegated { event, .. } => self.event(event, tools),
            Event::ToolFinished { name, response, duration, .. } => {
                // A model may invent names, which must not become labels.
                let known = tools.get(name).is_some();
                let tool = if known { name.clone() } else { "unknown".into() };
                let outcome = if response["success"] == true { "success" } else { "error" };
                self.tools.get_or_create(&ToolLabels { tool: tool.clone(), outcome }).inc();
                self.tool_time.get_or_create(&ToolLabel { tool }).observe(duration.as_secs_f64());
            }
            Event::Retrying { .. } => {
                self.retries.inc();
            }
            Event::Compacted { .. } => {
                self.compactions.inc();
            }
            _ => {}
        }
    }

    /// Counts the end of a run; `looping`: whether results went back to the model.
    pub(crate) fn run_finished(&self, outcome: &Outcome, looping: bool) {
        let r#loop = if looping { "on" } else { "off" };
        let reason = match outcome.reason {
            Reason::Completed => "completed",
            Reason::LengthLimit => "length_limit",
            Reason::EmptyAnswer => "empty_answer",
            Reason::TurnLimit(_) => "turn_limit",
            Reason::SingleWave => "single_wave",
            Reason::Looping(_) => "looping",
            Reason::Cancelled => "cancelled",
            Reason::Failed(_) => "error",
        };
        self.runs.get_or_create(&RunLabels { reason, r#loop }).inc();
        self.turns.get_or_create(&LoopLabel { r#loop }).observe(f64::from(outcome.turns));
        let time = self.run_time.get_or_create(&LoopLabel { r#loop });
        time.observe(outcome.duration.as_secs_f64());
        if let Some(latency) = outcome.cancel_latency {
            self.cancel_time.observe(latency.as_secs_f64());
        }
    }

    /// Sets how much of each limit is in use.
    pub(crate) fn bounds(&self, bounds: &[Bound]) {
        for Bound { name, used, limit } in bounds {
            self.in_use.get_or_create(&BoundLabel { of: name }).set(*used);
            self.limits.get_or_create(&BoundLabel { of: name }).set(*limit);
        }
    }

    /// Counts a response, if its status says that the server could not do what it was asked for.
    pub(crate) fn response(&self, status: u16) {
        if status == 429 || status >= 500 {
            self.http_errors.get_or_create(&StatusLabel { status }).inc();
        }
    }

    /// Counts a request that another server answered.
    pub(crate) fn forwarded(&self) {
        self.forwarded.inc();
    }

    /// Counts a session that a server left that died.
    pub(crate) fn taken_over(&self) {
        self.taken_over.inc();
    }

    /// Counts a session that another server owns now.
    pub(crate) fn session_lost(&self) {
        self.lost.inc();
    }

    /// Counts a session that was opened here.
    pub(crate) fn session_opened(&self) {
        self.opened.inc();
    }

    /// Counts an append that was refused since another server owns the session.
    pub(crate) fn append_fenced(&self) {
        self.fenced.inc();
    }

    /// Counts a client that was sent the events that it missed.
    pub(crate) fn gap_refilled(&self) {
        self.refilled.inc();
    }

    /// Sets how many render workers there are.
    pub(crate) fn workers(&self, connected: usize) {
        self.workers.set(connected as u64);
    }

    /// Counts a part of a picture that a worker gets; `again`: another worker has it, too.
    pub(crate) fn task_given(&self, again: bool) {
        self.tasks.inc();
        self.tasks_again.inc_by(u64::from(again));
    }

    /// Counts parts of pictures whose worker is gone.
    pub(crate) fn tasks_lost(&self, count: usize) {
        self.tasks_lost.inc_by(count as u64);
    }

    /// Counts a part of a picture that a worker brought back.
    pub(crate) fn task_done(&self, time: Duration) {
        self.tasks_done.inc();
        self.task_time.observe(time.as_secs_f64());
    }

    /// All metrics as text.
    pub(crate) fn text(&self, cache: CacheCounts) -> String {
        self.cache_hits.set(cache.hits);
        self.cache_misses.set(cache.misses);
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = text::encode(&mut out, &self.registry);
        out
    }
}

#[cfg(test)]
mod tests {
    use llm::Usage;
    use serde_json::json;

    use super::*;

    /// Requirements A12 and B5.
    #[test]
    fn runs_tools_tokens_and_latencies_are_counted() {
        let metrics = Metrics::new();
        let tools = Toolbox::default();
        metrics.event(
            &Event::TurnFinished {
                turn: 1,
                usage: Usage { input_tokens: 100, output_tokens: 7, ..Usage::default() },
                duration: Duration::from_millis(300),
                first_text: Some(Duration::from_millis(120)),
                success: true,
            },
            &tools,
        );
        metrics.event(
            &Event::ToolFinished {
                call_id: "c".into(),
                name: "invented by the model".into(),
                response: json!({ "success": false }),
                duration: Duration::from_millis(3),
                version: None,
            },
            &tools,
        );
        let outcome = Outcome {
            reason: Reason::Cancelled,
            turns: 2,
            usage: Usage::default(),
            duration: Duration::from_secs(1),
            cancel_latency: Some(Duration::from_millis(2)),
        };
        metrics.run_finished(&outcome, true);
        metrics.run_finished(&Outcome { reason: Reason::SingleWave, ..outcome }, false);
        let text = metrics.text(CacheCounts { hits: 4, misses: 6 });
        for line in [
            "scene_llm_runs_total{reason=\"cancelled\",loop=\"on\"} 1",
            "scene_llm_runs_total{reason=\"single_wave\",loop=\"off\"} 1",
            "scene_llm_run_turns_sum{loop=\"on\"} 2.0",
            "scene_llm_tool_calls_total{tool=\"unknown\",outcome=\"error\"} 1",
            "scene_llm_tokens_total{direction=\"input\"} 100",
            "scene_llm_first_text_seconds_sum 0.12",
            "scene_llm_cancel_seconds_count 2",
            "scene_llm_plan_cache_hits 4",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
