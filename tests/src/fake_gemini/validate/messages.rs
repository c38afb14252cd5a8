//! The messages of a `GenerateContentRequest` with their documented fields (v1beta, November 2026:
//! `google.ai.generativelanguage.v1beta` and the newer fields of Google's own client library).

use super::fields::Kind::{
    Any, Bool, Bytes, Enum, Integer, List, Map, Message as Nested, Number, Struct, Text,
};
use super::fields::{Kind, Message};

const TEXTS: Kind = List(&Text);

const fn message(fields: &'static [(&'static str, Kind)]) -> Message {
    Message { fields, required: &[], one_of: &[] }
}

pub(super) static REQUEST: Message = Message {
    required: &["contents"],
    ..message(&[
        ("model", Text),
        ("contents", List(&Nested(&CONTENT))),
        ("systemInstruction", Nested(&CONTENT)),
        ("tools", List(&Nested(&TOOL))),
        ("toolConfig", Nested(&TOOL_CONFIG)),
        ("safetySettings", List(&Nested(&SAFETY_SETTING))),
        ("generationConfig", Nested(&GENERATION_CONFIG)),
        ("cachedContent", Text),
        ("serviceTier", Text),
        ("store", Bool),
    ])
};

static CONTENT: Message = message(&[("parts", List(&Nested(&PART))), ("role", Text)]);

static PART: Message = Message {
    one_of: &[
        "text",
        "inlineData",
        "functionCall",
        "functionResponse",
        "fileData",
        "executableCode",
        "codeExecutionResult",
        "toolCall",
        "toolResponse",
    ],
    ..message(&[
        ("text", Text),
        ("inlineData", Nested(&BLOB)),
        ("functionCall", Nested(&FUNCTION_CALL)),
        ("functionResponse", Nested(&FUNCTION_RESPONSE)),
        ("fileData", Nested(&FILE_DATA)),
        ("executableCode", Struct),
        ("codeExecutionResult", Struct),
        ("toolCall", Struct),
        ("toolResponse", Struct),
        ("thought", Bool),
        ("thoughtSignature", Bytes),
        ("videoMetadata", Struct),
        ("partMetadata", Struct),
        ("mediaResolution", Struct),
    ])
};

static BLOB: Message =
    Message { required: &["mimeType", "data"], ..message(&[("mimeType", Text), ("data", Bytes)]) };

static FILE_DATA: Message =
    Message { required: &["fileUri"], ..message(&[("mimeType", Text), ("fileUri", Text)]) };

static FUNCTION_CALL: Message =
    Message { required: &["name"], ..message(&[("id", Text), ("name", Text), ("args", Struct)]) };

static FUNCTION_RESPONSE: Message = Message {
    required: &["name", "response"],
    ..message(&[
        ("id", Text),
        ("name", Text),
        ("response", Struct),
        ("parts", List(&Nested(&FUNCTION_RESPONSE_PART))),
        ("willContinue", Bool),
        ("scheduling", Enum(&["SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT"])),
    ])
};

static FUNCTION_RESPONSE_PART: Message = Message {
    one_of: &["inlineData", "fileData"],
    ..message(&[("inlineData", Nested(&BLOB)), ("fileData", Nested(&FILE_DATA))])
};

static TOOL: Message = message(&[
    ("functionDeclarations", List(&Nested(&FUNCTION_DECLARATION))),
    ("googleSearchRetrieval", Struct),
    ("codeExecution", Struct),
    ("googleSearch", Struct),
    ("computerUse", Struct),
    ("urlContext", Struct),
    ("fileSearch", Struct),
    ("googleMaps", Struct),
    ("mcpServers", List(&Struct)),
]);

static FUNCTION_DECLARATION: Message = Message {
    required: &["name", "description"],
    ..message(&[
        ("name", Text),
        ("description", Text),
        ("parameters", Nested(&SCHEMA)),
        ("parametersJsonSchema", Any),
        ("response", Nested(&SCHEMA)),
        ("responseJsonSchema", Any),
        ("behavior", Enum(&["UNSPECIFIED", "BLOCKING", "NON_BLOCKING"])),
    ])
};

static SCHEMA: Message = Message {
    required: &["type"],
    ..message(&[
        ("type", Enum(&["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"])),
        ("format", Text),
        ("title", Text),
        ("description", Text),
        ("nullable", Bool),
        ("enum", TEXTS),
        ("items", Nested(&SCHEMA)),
        ("maxItems", Any),
        ("minItems", Any),
        ("properties", Map(&Nested(&SCHEMA))),
        ("required", TEXTS),
        ("minProperties", Any),
        ("maxProperties", Any),
        ("minimum", Number),
        ("maximum", Number),
        ("minLength", Any),
        ("maxLength", Any),
        ("pattern", Text),
        ("example", Any),
        ("anyOf", List(&Nested(&SCHEMA))),
        ("propertyOrdering", TEXTS),
        ("default", Any),
    ])
};

static TOOL_CONFIG: Message = message(&[
    ("functionCallingConfig", Nested(&FUNCTION_CALLING_CONFIG)),
    ("retrievalConfig", Struct),
    ("includeServerSideToolInvocations", Bool),
]);

static FUNCTION_CALLING_CONFIG: Message = message(&[
    ("mode", Enum(&["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"])),
    ("allowedFunctionNames", TEXTS),
]);

static SAFETY_SETTING: Message = message(&[("category", Text), ("threshold", Text)]);

static GENERATION_CONFIG: Message = message(&[
    ("candidateCount", Integer),
    ("stopSequences", TEXTS),
    ("maxOutputTokens", Integer),
    ("temperature", Number),
    ("topP", Number),
    ("topK", Integer),
    ("seed", Integer),
    ("responseMimeType", Text),
    ("responseSchema", Nested(&SCHEMA)),
    ("responseJsonSchema", Any),
    ("presencePenalty", Number),
    ("frequencyPenalty", Number),
    ("responseLogprobs", Bool),
    ("logprobs", Integer),
    ("enableEnhancedCivicAnswers", Bool),
    ("responseModalities", TEXTS),
    ("speechConfig", Struct),
    ("thinkingConfig", Nested(&THINKING_CONFIG)),
    ("imageConfig", Struct),
    ("mediaResolution", Text),
]);

static THINKING_CONFIG: Message = message(&[
    ("includeThoughts", Bool),
    ("thinkingBudget", Integer),
    ("thinkingLevel", Enum(&["MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH"])),
]);
