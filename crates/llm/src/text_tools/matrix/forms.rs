//! Notations of calls from chat templates, parsers and bug reports.

use serde_json::{Value, json};

use super::writers::{
    COMMENTED, GEMMA, JS, JSON5, PYTHON, SMART, each, escaped, members, raw, yaml,
};

/// A notation: its name and its writer.
pub(super) type Form = (&'static str, fn(&str, &Value) -> String);

fn call(n: &str, a: &Value) -> Value {
    json!({ "name": n, "arguments": a })
}

fn with(head: &Value, args: &Value) -> String {
    let mut all = head.as_object().unwrap().clone();
    all.extend(members(args).clone());
    Value::Object(all).to_string()
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

/// JSON with all the usual keys, bare and fenced.
pub(super) const OBJECTS: &[Form] = &[
    ("tool_calls", |n, a| json!({ "tool_calls": [call(n, a)] }).to_string()),
    ("tool_calls, one", |n, a| json!({ "tool_calls": call(n, a) }).to_string()),
    ("name, arguments", |n, a| call(n, a).to_string()),
    ("name, arguments, pretty", |n, a| pretty(&call(n, a))),
    ("arguments first", |n, a| json!({ "arguments": a, "name": n }).to_string()),
    ("name, parameters", |n, a| json!({ "name": n, "parameters": a }).to_string()),
    ("name, args", |n, a| json!({ "name": n, "args": a }).to_string()),
    ("name, params", |n, a| json!({ "name": n, "params": a }).to_string()),
    ("tool, args", |n, a| json!({ "tool": n, "args": a }).to_string()),
    ("tool, parameters", |n, a| json!({ "tool": n, "parameters": a }).to_string()),
    ("tool, input", |n, a| json!({ "tool": n, "input": a }).to_string()),
    ("tool_name, tool_input", |n, a| json!({ "tool_name": n, "tool_input": a }).to_string()),
    ("tool_name, parameters (Command R)", |n, a| {
        json!([{ "tool_call_id": "0", "tool_name": n, "parameters": a }]).to_string()
    }),
    ("function, kwargs", |n, a| json!({ "function": n, "kwargs": a }).to_string()),
    ("action, action_input", |n, a| {
        json!({ "thought": "I need it.", "action": n, "action_input": a }).to_string()
    }),
    ("action, action_input as text", |n, a| {
        json!({ "action": n, "action_input": a.to_string() }).to_string()
    }),
    ("OpenAI", |n, a| {
        json!({ "id": "call_1", "type": "function", "function": { "name": n, "arguments": a.to_string() } }).to_string()
    }),
    ("OpenAI message", |n, a| {
        json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "call_1", "type": "function", "function": { "name": n, "arguments": a.to_string() } }] }).to_string()
    }),
    ("OpenAI, object arguments", |n, a| {
        json!({ "tool_calls": [{ "type": "function", "function": { "name": n, "arguments": a } }] })
            .to_string()
    }),
    ("function_call", |n, a| {
        json!({ "function_call": { "name": n, "arguments": a.to_string() } }).to_string()
    }),
    ("Gemini", |n, a| json!({ "functionCall": { "name": n, "args": a } }).to_string()),
    ("Anthropic", |n, a| {
        json!({ "type": "tool_use", "id": "toolu_01", "name": n, "input": a }).to_string()
    }),
    ("Bedrock", |n, a| {
        json!({ "toolUse": { "toolUseId": "t1", "name": n, "input": a } }).to_string()
    }),
    ("multi_tool_use", |n, a| {
        json!({ "tool_uses": [{ "recipient_name": format!("functions.{n}"), "parameters": a }] })
            .to_string()
    }),
    ("JSON-RPC", |n, a| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": n, "arguments": a } }).to_string()
    }),
    ("array", |n, a| json!([call(n, a)]).to_string()),
    ("flat", |n, a| with(&json!({ "tool": n }), a)),
    ("flat, action", |n, a| with(&json!({ "action": n }), a)),
    ("single key", |n, a| json!({ n: a }).to_string()),
    ("array of single keys (Apertus)", |n, a| {
        format!("<|tools_prefix|>{}<|tools_suffix|>", json!([{ n: a }]))
    }),
    ("fence json", |n, a| format!("```json\n{}\n```", pretty(&call(n, a)))),
    ("fence JSON5", |n, a| format!("```JSON5\n{}\n```", JSON5.value(&call(n, a)))),
    ("fence without language", |n, a| format!("I do it now.\n\n```\n{}\n```", call(n, a))),
    ("fence tool_call", |n, a| format!("```tool_call\n{}\n```", call(n, a))),
    ("fence never closed", |n, a| format!("```json\n{}", call(n, a))),
    ("fence named by the tool", |n, a| format!("```{n}\n{a}\n```")),
    ("prose before", |n, a| format!("Sure, I'll do that: {}", call(n, a))),
    ("single quotes", |n, a| PYTHON.value(&call(n, a))),
    ("bare keys", |n, a| JS.value(&call(n, a))),
    ("smart quotes", |n, a| SMART.value(&json!({ "tool_calls": [call(n, a)] }))),
    ("comments and trailing commas", |n, a| COMMENTED.value(&call(n, a))),
    ("last bracket missing", |n, a| {
        let text = call(n, a).to_string();
        text[..text.len() - 1].to_owned()
    }),
    ("last brackets missing in a fence", |n, a| {
        let text = json!({ "tool_calls": [call(n, a)] }).to_string();
        format!("```json\n{}\n```", &text[..text.len() - 3])
    }),
    ("one bracket too many", |n, a| format!("{}}}", call(n, a))),
    ("arguments twice in strings", |n, a| {
        json!({ "name": n, "arguments": Value::String(Value::String(a.to_string()).to_string()) })
            .to_string()
    }),
    ("a string with all of it", |n, a| Value::String(call(n, a).to_string()).to_string()),
    ("plan", |n, a| {
        json!({ "status": "continue", "reasoning": "r", "action": "I do.", "tools": [{ "id": "a", "tool": n, "args": a, "needs": [] }] }).to_string()
    }),
    ("plan, fenced, with OpenAI keys", |n, a| {
        format!(
            "```json\n{}\n```",
            pretty(
                &json!({ "status": "continue", "action": "", "tools": [{ "id": 1, "name": n, "arguments": a, "depends_on": [] }] })
            )
        )
    }),
];

/// Tags and special tokens.
pub(super) const MARKS: &[Form] = &[
    ("tool_code", |n, a| {
        format!("<tool_code><name>{n}</name><parameters>{a}</parameters></tool_code>")
    }),
    ("TOOL_CODE", |n, a| {
        format!(
            "<TOOL_CODE>\n<NAME>{n}</NAME>\n<PARAMETERS>\n{}\n</PARAMETERS>\n</TOOL_CODE>",
            pretty(a)
        )
    }),
    ("tool_code, arguments", |n, a| {
        format!(
            "<tool_code>\n  <tool_name> {n} </tool_name>\n  <arguments>{a}</arguments>\n</tool_code>"
        )
    }),
    ("tool_code never closed", |n, a| format!("<tool_code><name>{n}</name><parameters>{a}")),
    ("tool_code, only the inner closed", |n, a| {
        format!("<tool_code>\n<name>{n}</name>\n<parameters>{a}</parameters>")
    }),
    ("tool_code, arguments first", |n, a| {
        format!("<tool_code><parameters>{a}</parameters><name>{n}</name></tool_code>")
    }),
    ("tool_code with JSON", |n, a| format!("<tool_code>{}</tool_code>", call(n, a))),
    ("tool_code with Python", |n, a| {
        format!("<tool_code>\nprint(default_api.{n}({}))\n</tool_code>", PYTHON.keywords(a))
    }),
    ("tool_code in a fence", |n, a| {
        format!("```xml\n<tool_code><name>{n}</name><parameters>{a}</parameters></tool_code>\n```")
    }),
    ("tool_code escaped", |n, a| {
        format!(
            "<tool_code><name>{n}</name><parameters>{}</parameters></tool_code>",
            escaped(&a.to_string())
        )
    }),
    ("CDATA", |n, a| {
        format!(
            "<tool_code><name>{n}</name><parameters>{}</parameters></tool_code>",
            each(a, |k, v| format!("<{k}><![CDATA[{}]]></{k}>", raw(v)))
        )
    }),
    ("elements", |n, a| {
        format!(
            "<tool_code><name>{n}</name><parameters>\n{}</parameters></tool_code>",
            each(a, |k, v| format!("  <{k}>{}</{k}>\n", raw(v)))
        )
    }),
    ("hermes", |n, a| format!("<tool_call>\n{}\n</tool_call>", call(n, a))),
    ("hermes after thoughts", |n, a| {
        format!(
            "<think>\nI could call {}\n</think>\n\n<tool_call>\n{}\n</tool_call>",
            call("remove_shape", &json!({ "id": "draft" })),
            call(n, a)
        )
    }),
    ("hermes never closed", |n, a| format!("<tool_call>\n{}", call(n, a))),
    ("hermes with Python literals", |n, a| {
        format!("<tool_call>{}</tool_call>", PYTHON.value(&call(n, a)))
    }),
    ("hermes, attribute", |n, a| format!("<tool_call name=\"{n}\">{a}</tool_call>")),
    ("TOOLCALL (Nemotron)", |n, a| format!("<TOOLCALL>[{}]</TOOLCALL>", call(n, a))),
    ("tool_calls (Jamba)", |n, a| format!("<tool_calls>[{}]</tool_calls>", call(n, a))),
    ("Qwen3-Coder", |n, a| {
        format!(
            "<tool_call>\n<function={n}>\n{}</function>\n</tool_call>",
            each(a, |k, v| format!("<parameter={k}>\n{}\n</parameter>\n", raw(v)))
        )
    }),
    ("Llama function tag", |n, a| format!("<function={n}>{a}</function>")),
    ("function tag with attribute", |n, a| format!("<function name=\"{n}\">{a}</function>")),
    ("function_calls, invoke", |n, a| {
        format!(
            "<function_calls>\n<invoke name=\"{n}\">\n{}</invoke>\n</function_calls>",
            each(a, |k, v| format!("<parameter name=\"{k}\">{}</parameter>\n", raw(v)))
        )
    }),
    ("MiniMax M2", |n, a| {
        format!(
            "<minimax:tool_call>\n<invoke name=\"{n}\">\n{}</invoke>\n</minimax:tool_call>",
            each(a, |k, v| format!("<parameter name=\"{k}\">{}</parameter>\n", raw(v)))
        )
    }),
    ("DeepSeek V3.2", |n, a| {
        format!(
            "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"{n}\">\n{}</｜DSML｜invoke>\n</｜DSML｜function_calls>",
            each(a, |k, v| format!(
                "<｜DSML｜parameter name=\"{k}\" string=\"{}\">{}</｜DSML｜parameter>\n",
                v.is_string(),
                raw(v)
            ))
        )
    }),
    ("DeepSeek V3.1", |n, a| {
        format!(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{n}<｜tool▁sep｜>{a}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
        )
    }),
    ("DeepSeek V3", |n, a| {
        format!(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{n}\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            pretty(a)
        )
    }),
    ("Kimi K2", |n, a| {
        format!(
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.{n}:0<|tool_call_argument_begin|>{a}<|tool_call_end|><|tool_calls_section_end|>"
        )
    }),
    ("GLM", |n, a| {
        format!(
            "<tool_call>{n}\n{}</tool_call>",
            each(a, |k, v| format!("<arg_key>{k}</arg_key>\n<arg_value>{}</arg_value>\n", raw(v)))
        )
    }),
    ("Mistral", |n, a| format!("[TOOL_CALLS][{}]", call(n, a))),
    ("Mistral 3", |n, a| format!("[TOOL_CALLS]{n}[ARGS]{a}")),
    ("Phi", |n, a| {
        format!(
            "<|tool_call|>[{}]<|/tool_call|>",
            json!({ "type": "function", "function": { "name": n, "arguments": a } })
        )
    }),
    ("Granite", |n, a| format!("<|tool_call|>[{}]", call(n, a))),
    ("Llama 3, python_tag", |n, a| {
        format!(
            "<|python_tag|>{}<|eom_id|>",
            json!({ "type": "function", "name": n, "parameters": a })
        )
    }),
    ("Llama 3, python_tag and call", |n, a| {
        format!("<|python_tag|>{n}.call({})", PYTHON.keywords(a))
    }),
    ("Llama 4", |n, a| format!("[{n}({})]", PYTHON.keywords(a))),
    ("LFM2", |n, a| format!("<|tool_call_start|>[{n}({})]<|tool_call_end|>", PYTHON.keywords(a))),
    ("Olmo 3", |n, a| format!("<function_calls>\n{n}({})\n</function_calls>", PYTHON.keywords(a))),
    ("Gemma 4", |n, a| format!("<|tool_call>call:{n}{}<tool_call|>", GEMMA.value(a))),
    ("Harmony", |n, a| {
        format!(
            "<|channel|>analysis<|message|>I need it.<|end|><|start|>assistant<|channel|>commentary to=functions.{n} <|constrain|>json<|message|>{a}<|call|>"
        )
    }),
    ("Functionary 2", |n, a| {
        format!("<|from|>assistant\n<|recipient|>{n}\n<|content|>{a}<|stop|>")
    }),
    ("Functionary 3", |n, a| format!(">>>{n}\n{a}")),
    ("Command R7B", |n, a| {
        format!(
            "<|START_THINKING|>I do.<|END_THINKING|><|START_ACTION|>[\n    {}\n]<|END_ACTION|>",
            json!({ "tool_call_id": "0", "tool_name": n, "parameters": a })
        )
    }),
    ("InternLM", |n, a| {
        format!(
            "<|action_start|><|plugin|>\n{}<|action_end|>",
            json!({ "name": n, "parameters": a })
        )
    }),
    ("Hunyuan", |n, a| {
        format!(
            "<tool_calls>\n<tool_call>{n}\n```json\n{}\n```\n</tool_call>\n</tool_calls>",
            pretty(a)
        )
    }),
    ("Seed", |n, a| {
        format!(
            "<seed:tool_call>\n<function={n}>\n{}</function>\n</seed:tool_call>",
            each(a, |k, v| format!("<parameter={k}>{}</parameter>\n", raw(v)))
        )
    }),
    ("tag named by the tool", |n, a| format!("<{n}>{a}</{n}>")),
    ("tag named by the tool, elements (Cline)", |n, a| {
        format!("<{n}>\n{}</{n}>", each(a, |k, v| format!("<{k}>{}</{k}>\n", raw(v))))
    }),
    ("tool, args", |n, a| format!("<tool>{n}</tool>\n<args>{a}</args>")),
    ("use_tool", |n, a| {
        format!(
            "<use_tool>\n<tool_name>{n}</tool_name>\n<arguments>\n{}\n</arguments>\n</use_tool>",
            pretty(a)
        )
    }),
    ("attributes", |n, a| {
        format!(
            "<invoke name='{n}' arguments='{}'/>",
            escaped(&a.to_string()).replace('\'', "&#39;")
        )
    }),
    ("YAML in tags", |n, a| {
        format!(
            "<tool_call>\nname: {n}\narguments:\n{}</tool_call>",
            if members(a).is_empty() { "  {}\n".into() } else { yaml(a, 2) }
        )
    }),
];

/// Labels, Python and other notations.
pub(super) const LINES: &[Form] = &[
    ("Action lines", |n, a| format!("Thought: I need it.\nAction: {n}\nAction Input: {a}")),
    ("Action lines, bold", |n, a| {
        format!("**Thought:** I need it.\n\n**Action:** {n}\n**Action Input:** {a}\n")
    }),
    ("Action lines, pretty", |n, a| format!("Action: {n}\nAction Input:\n{}\n", pretty(a))),
    ("Action lines, fenced input", |n, a| {
        format!("Action: {n}\nAction Input: ```json\n{}\n```", pretty(a))
    }),
    ("Action lines, backticks", |n, a| {
        format!(
            "Action: `{n}`\nAction Input: {a}\nObservation: {{\"success\": true}}\nThought: Done."
        )
    }),
    ("Action lines, Python", |n, a| format!("Action: {n}\nAction Input: {}", PYTHON.value(a))),
    ("Action lines, keywords", |n, a| {
        if members(a).is_empty() {
            format!("Action: {n}\nAction Input: None")
        } else {
            format!("Action: {n}\nAction Input: {}", PYTHON.keywords(a))
        }
    }),
    ("Action lines, YAML", |n, a| {
        if members(a).is_empty() {
            format!("Action: {n}\nAction Input: {{}}")
        } else {
            format!("Action: {n}\nAction Input:\n{}", yaml(a, 2))
        }
    }),
    ("Action call", |n, a| format!("Action: {n}({})", PYTHON.keywords(a))),
    ("Action JSON", |n, a| {
        format!("Action:\n```\n{}\n```", json!({ "action": n, "action_input": a }))
    }),
    ("Action list (Command R)", |n, a| {
        format!("Action: ```json\n[{}]\n```", json!({ "tool_name": n, "parameters": a }))
    }),
    ("Tool lines", |n, a| format!("Tool: {n}\nArguments: {a}")),
    ("Tool call lines", |n, a| format!("TOOL CALL: {n}\nPARAMETERS: {a}")),
    ("Function lines", |n, a| format!("### Function: {n}\n### Input: {}", JSON5.value(a))),
    ("name and JSON", |n, a| format!("{n} {a}")),
    ("name and JSON below", |n, a| format!("I use this tool:\n{n}\n{}", pretty(a))),
    ("Python", |n, a| format!("{n}({})", PYTHON.keywords(a))),
    ("Python after prose", |n, a| format!("First I do this.\n\n{n}({})\n", PYTHON.keywords(a))),
    ("Python, a line each", |n, a| {
        format!("{n}(\n{})", each(a, |k, v| format!("    {k}={},\n", PYTHON.value(v))))
    }),
    ("Python, dict", |n, a| format!("{n}({})", PYTHON.value(a))),
    ("Python, print", |n, a| {
        format!("```tool_code\nprint(default_api.{n}({}))\n```", PYTHON.keywords(a))
    }),
    ("Python, fence", |n, a| {
        format!(
            "```python\n# Now the call.\nresult = {n}({})\nprint(result)\n```",
            PYTHON.keywords(a)
        )
    }),
    ("Python, call_tool", |n, a| {
        format!("```python\ncall_tool(\"{n}\", {})\n```", PYTHON.value(a))
    }),
    ("Python, tool_call of fields", |n, a| {
        format!("<tool_code>tool_call(name='{n}', arguments={})</tool_code>", PYTHON.value(a))
    }),
    ("JavaScript", |n, a| format!("```js\nawait functions.{n}({});\n```", JS.value(a))),
    ("Nexus", |n, a| format!("Call: {n}({})<bot_end>", PYTHON.keywords(a))),
    ("YAML fence", |n, a| {
        format!(
            "```yaml\ntool: {n}\narguments:\n{}```",
            if members(a).is_empty() { "  {}\n".into() } else { yaml(a, 2) }
        )
    }),
];
