//! The OpenAPI description of the API, built from the types of requests and answers.

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};
use tilebase_schema::{
    ApiIndex, ErrorAnswer, JobLayers, JobProgress, JobStatus, Jobs, VERSION, Versioned,
};

use crate::job_request::JobRequest;
use crate::question::{Method, Question};
use crate::request::Request;

/// The OpenAPI 3.1 description of the API.
///
/// ```
/// let description = tilebase_service::openapi();
/// let position = &description["paths"]["/api/v1/position"]["get"];
/// assert_eq!(position["parameters"].as_array().map(Vec::len), Some(4));
/// ```
pub fn openapi() -> Value {
    let mut description = Description::new();
    Request::describe(&mut description);
    description.jobs();
    description.events();
    let this = json!({
        "summary": "This description",
        "responses": {"200": response("OpenAPI 3.1", "application/json", &json!({"type": "object"}))},
    });
    description.add("/openapi.json", "get", this);
    let index = description.answer::<ApiIndex>();
    let index = json!({
        "summary": "All addresses of the API",
        "responses": {"200": response("The addresses.", "application/json", &index)},
    });
    description.add("/api/v1", "get", index);
    let docs = json!({
        "summary": "This description, to be read",
        "responses": {"200": response("A page.", "text/html", &json!({"type": "string"}))},
    });
    description.add("/docs", "get", docs);
    description.finish()
}

/// A description in the making.
pub(crate) struct Description {
    paths: Map<String, Value>,
    requests: SchemaGenerator,
    answers: SchemaGenerator,
}

/// Statuses of errors, and what they mean.
const ERRORS: [(u16, &str); 7] = [
    (400, "The request is wrong."),
    (404, "There is no such variant, table or job."),
    (408, "The body did not arrive in time."),
    (413, "The body is too large."),
    (415, "The body is not JSON."),
    (429, "Too much is being worked on."),
    (500, "A table is damaged, or the work failed."),
];
const BODY_ERRORS: [u16; 3] = [408, 413, 415];

impl Description {
    fn new() -> Description {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        Description {
            paths: Map::new(),
            requests: settings.clone().for_deserialize().into_generator(),
            answers: settings.for_serialize().into_generator(),
        }
    }

    /// Adds a kind of request.
    pub fn question<Q: Question>(&mut self) {
        let schema = match Q::MEDIA {
            "application/json" => self.answer::<Q::Answer>(),
            _ => self.answers.subschema_for::<Q::Answer>().to_value(),
        };
        let mut ok = response("The answer.", Q::MEDIA, &schema);
        for &media in Q::OTHER_MEDIA {
            ok["content"][media] = json!({"schema": schema});
        }
        let path = format!("/api/v1/{}", Q::PATH);
        match Q::METHOD {
            Method::Get => {
                let parameters = self.parameters::<Q>();
                let errors: &[u16] = match parameters.is_empty() {
                    true => &[],
                    false => &[400, 404, 429, 500],
                };
                let operation = json!({
                    "summary": Q::SUMMARY,
                    "parameters": parameters,
                    "responses": self.responses("200", ok, errors),
                });
                self.add(&path, "get", operation);
            }
            Method::Post => {
                let errors = [&[400, 404, 429, 500][..], &BODY_ERRORS].concat();
                let operation = json!({
                    "summary": Q::SUMMARY,
                    "requestBody": self.body::<Q>(Q::EXAMPLE),
                    "responses": self.responses("200", ok, &errors),
                });
                self.add(&path, "post", operation);
            }
        }
    }

    fn jobs(&mut self) {
        let job = self.answer::<JobStatus>();
        let jobs = self.answer::<Jobs>();
        let json = "application/json";
        let list = json!({
            "summary": "All jobs, the newest first",
            "responses": self.responses("200", response("The jobs.", json, &jobs), &[]),
        });
        self.add("/api/v1/jobs", "get", list);
        let errors = [&[400, 404, 429, 500][..], &BODY_ERRORS].concat();
        let start = json!({
            "summary": "Start a job that counts or solves a game",
            "requestBody": self.body::<JobRequest>(
                r#"{"kind": "count", "shape": "3x3", "to": 64}"#
            ),
            "responses": self.responses("202", response("The job.", json, &job), &errors),
        });
        self.add("/api/v1/jobs", "post", start);
        for (method, summary) in [("get", "A job"), ("delete", "Cancel a job")] {
            let operation = json!({
                "summary": summary,
                "parameters": [job_id()],
                "responses": self.responses("200", response("The job.", json, &job), &[404]),
            });
            self.add("/api/v1/jobs/{id}", method, operation);
        }
    }

    fn events(&mut self) {
        // Events are text to OpenAPI: their types are components that the text refers to.
        self.answer::<JobLayers>();
        self.answer::<JobProgress>();
        let about = "Server-sent events: layers (JobLayersAnswer) with new layers, progress \
                     (JobProgressAnswer), and at last end (JobAnswer).";
        let ok = response(about, "text/event-stream", &json!({}));
        let operation = json!({
            "summary": "The progress of a job as server-sent events",
            "parameters": [job_id()],
            "responses": self.responses("200", ok, &[404, 429]),
        });
        self.add("/api/v1/jobs/{id}/events", "get", operation);
    }

    fn add(&mut self, path: &str, method: &str, operation: Value) {
        let methods = self.paths.entry(path).or_insert_with(|| json!({}));
        methods[method] = operation;
    }

    /// The schema of an answer with its version.
    fn answer<T: JsonSchema>(&mut self) -> Value {
        self.answers.subschema_for::<Versioned<T>>().to_value()
    }

    fn body<T: JsonSchema>(&mut self, example: &str) -> Value {
        let schema = self.requests.subschema_for::<T>();
        let example: Value = serde_json::from_str(example).unwrap_or_default();
        let content = json!({"schema": schema, "example": example});
        json!({"required": true, "content": {"application/json": content}})
    }

    /// The fields of a request as parameters of a query.
    fn parameters<Q: Question>(&mut self) -> Vec<Value> {
        let schema = Q::json_schema(&mut self.requests);
        let examples: Vec<_> = form_urlencoded::parse(Q::EXAMPLE.as_bytes()).collect();
        let required = schema.get("required").cloned().unwrap_or_default();
        let is_required = |name: &str| {
            let names = required.as_array().map_or(&[][..], Vec::as_slice);
            names.iter().any(|other| other == name)
        };
        let fields = schema.get("properties").and_then(Value::as_object);
        let fields = fields.into_iter().flatten().map(|(name, field)| {
            let mut field = not_null(field);
            let about = field
                .as_object_mut()
                .and_then(|field| field.remove("description"));
            let mut parameter = json!({
                "name": name,
                "in": "query",
                "required": is_required(name),
                "schema": field,
            });
            if let Some(about) = about {
                parameter["description"] = about;
            }
            if let Some((_, example)) = examples.iter().find(|(other, _)| other == name) {
                parameter["example"] = typed(example, &parameter["schema"]);
            }
            parameter
        });
        fields.collect()
    }

    fn responses(&mut self, status: &str, ok: Value, errors: &[u16]) -> Value {
        let error = self.answer::<ErrorAnswer>();
        let mut responses = json!({status: ok});
        for (status, about) in ERRORS {
            if errors.contains(&status) {
                responses[status.to_string()] = response(about, "application/json", &error);
            }
        }
        responses
    }

    fn finish(mut self) -> Value {
        let mut schemas = self.requests.take_definitions(true);
        for (name, mut schema) in self.answers.take_definitions(true) {
            // Answers have no other fields, which a client may rely on.
            if let Some(object) = schema.as_object_mut()
                && object.contains_key("properties")
            {
                object.insert("additionalProperties".to_owned(), false.into());
            }
            schemas.insert(name, schema);
        }
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "tilebase",
                "version": VERSION,
                "description": "Positions of 2048 and its relatives: values, best moves, plans \
                                and strategies. Unknown is null, moves come best first.",
                "license": {"name": "MIT OR Apache-2.0"},
            },
            "paths": self.paths,
            "components": {"schemas": schemas},
        })
    }
}

fn response(about: &str, media: &str, schema: &Value) -> Value {
    json!({"description": about, "content": {media: {"schema": schema}}})
}

fn job_id() -> Value {
    let about = "Number of the job";
    json!({"name": "id", "in": "path", "required": true, "description": about,
        "schema": {"type": "string"}, "example": "1"})
}

/// A value of a query as JSON.
fn typed(text: &str, schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("integer" | "boolean") => serde_json::from_str(text).unwrap_or_default(),
        _ => text.into(),
    }
}

/// The schema of a field without null, which a query cannot have.
fn not_null(field: &Value) -> Value {
    let mut field = field.clone();
    if let Some(types) = field.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|kind| kind != "null");
        if let [kind] = types.as_slice() {
            field["type"] = kind.clone();
        }
    }
    if let Some(schemas) = field.get_mut("anyOf").and_then(Value::as_array_mut) {
        schemas.retain(|schema| schema != &json!({"type": "null"}));
        if let [schema] = schemas.as_slice() {
            let mut only = schema.clone();
            if let (Some(only), Some(about)) = (only.as_object_mut(), field.get("description")) {
                only.insert("description".to_owned(), about.clone());
            }
            field = only;
        }
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_has_a_schema() {
        let description = openapi();
        let schemas = description["components"]["schemas"].as_object().unwrap();
        let text = description.to_string();
        for reference in text.split("\"#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "{name}");
        }
        for name in [
            "PositionAnswer",
            "Move",
            "PlanAnswer",
            "JobAnswer",
            "ErrorAnswer",
        ] {
            assert!(schemas.contains_key(name), "{name}");
        }
    }

    #[test]
    fn parameters_are_those_of_the_requests() {
        let description = openapi();
        let names = |path: &str| -> Vec<String> {
            let parameters = &description["paths"][path]["get"]["parameters"];
            let parameters = parameters.as_array().unwrap().iter();
            let names = parameters.map(|parameter| {
                assert_eq!(parameter["in"], "query");
                assert!(!parameter["schema"].to_string().contains("null"));
                parameter["name"].as_str().unwrap().to_owned()
            });
            // Whether JSON objects keep their order depends on features of other crates.
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        };
        assert_eq!(
            names("/api/v1/position"),
            ["board", "depth", "search", "variant"]
        );
        assert_eq!(names("/api/v1/spawns"), ["afterstate", "variant"]);
    }
}
