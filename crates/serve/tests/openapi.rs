//! The description of the API is what the server does.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeSet;

use crate::common::{Answer, Running, serve};
use serde_json::{Value, json};

struct Description(Value);

impl Description {
    /// What a path's method says about a status.
    fn response(&self, path: &str, method: &str, status: u16) -> &Value {
        let response = &self.0["paths"][path][method]["responses"][status.to_string()];
        assert!(
            response.is_object(),
            "{method} {path} does not describe {status}"
        );
        response
    }

    /// Checks an object against a schema of the description.
    fn check_schema(&self, schema: &Value, value: &Value, what: &str) {
        let mut root = schema.clone();
        root["components"] = self.0["components"].clone();
        let validator = jsonschema::draft202012::new(&root).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(value)
            .map(|e| format!("{e}"))
            .collect();
        assert!(errors.is_empty(), "{what}: {errors:?}");
    }

    /// Checks an answer.
    fn check(&self, path: &str, method: &str, answer: &Answer) {
        let what = format!("{method} {path} {}: {:.300}", answer.status, answer.text);
        let content = &self.response(path, method, answer.status)["content"];
        let kind = answer.kind.split(';').next().unwrap();
        let schema = &content[kind]["schema"];
        assert!(schema.is_object(), "{what}: {kind} is not described");
        if kind == "application/json" {
            let value = serde_json::from_str(&answer.text).unwrap();
            self.check_schema(schema, &value, &what);
        }
    }
}

/// Requests of every kind: the described path, the method, the address, the body.
fn requests(job: &Value) -> Vec<(&'static str, &'static str, String, Option<Value>)> {
    let v1 = |path: &str| format!("/api/v1/{path}");
    let game = json!({"variant": "2x2-to-16", "start": "2,2/.,4", "moves": [
        {"move": "down", "cell": 0, "tile": 2}, {"move": "left"}]});
    vec![
        ("/openapi.json", "get", "/openapi.json".to_owned(), None),
        ("/docs", "get", "/docs".to_owned(), None),
        ("/api/v1", "get", "/api/v1".to_owned(), None),
        (
            "/api/v1/position",
            "get",
            v1("position?variant=2x2-to-16&board=2,2/.,4"),
            None,
        ),
        (
            "/api/v1/position",
            "get",
            v1("position?variant=2x2-to-16&board=2,4/4,2"),
            None,
        ),
        (
            "/api/v1/position",
            "get",
            v1("position?variant=2x2-to-16-moves&board=2,2/.,4"),
            None,
        ),
        (
            "/api/v1/position",
            "get",
            v1("position?variant=2x2-score&board=2,2/.,4"),
            None,
        ),
        (
            "/api/v1/position",
            "get",
            v1("position?variant=2x2-to-16&board=8,8/8,8"),
            None,
        ),
        (
            "/api/v1/position",
            "get",
            v1("position?variant=2x2-to-16&board=8,8/8,8&search=true"),
            None,
        ),
        (
            "/api/v1/position",
            "get",
            v1("position?variant=2x2-to-16&board=x"),
            None,
        ),
        (
            "/api/v1/position",
            "get",
            v1("position?variant=x&board=x"),
            None,
        ),
        (
            "/api/v1/positions",
            "post",
            v1("positions"),
            Some(json!({"variant": "2x2-to-16", "boards": ["2,2/.,4", "0x0132", "2,4/4,2"]})),
        ),
        (
            "/api/v1/positions",
            "post",
            v1("positions"),
            Some(json!({})),
        ),
        (
            "/api/v1/spawns",
            "get",
            v1("spawns?variant=2x2-to-16&afterstate=4,./.,4"),
            None,
        ),
        (
            "/api/v1/spawns",
            "get",
            v1("spawns?variant=2x2-to-16&afterstate=2,4/4,2"),
            None,
        ),
        (
            "/api/v1/line",
            "get",
            v1("line?variant=2x2-to-16&seed=4"),
            None,
        ),
        (
            "/api/v1/line",
            "get",
            v1("line?variant=2x2-to-16&spawn_rule=worst&board=2,2/.,4"),
            None,
        ),
        ("/api/v1/verdicts", "post", v1("verdicts"), Some(game)),
        (
            "/api/v1/advice",
            "get",
            v1("advice?board=0xa962075400430011&depth=1"),
            None,
        ),
        ("/api/v1/advice", "get", v1("advice?board=2,4/4,2"), None),
        ("/api/v1/plan", "get", v1("plan?shape=3x3&to=32"), None),
        (
            "/api/v1/plan",
            "get",
            v1("plan?board=2,2/.,4&to=16&spawn_rule=best"),
            None,
        ),
        (
            "/api/v1/plan",
            "get",
            v1("plan?shape=3x3&to=16&spawn_rule=worst"),
            None,
        ),
        ("/api/v1/plan", "get", v1("plan?shape=2x2&to=131072"), None),
        (
            "/api/v1/diagram",
            "get",
            v1("diagram?variant=2x2-to-16"),
            None,
        ),
        (
            "/api/v1/diagram",
            "get",
            v1("diagram?variant=2x2-to-x"),
            None,
        ),
        (
            "/api/v1/strategy",
            "get",
            v1("strategy?shape=3x3&to=32&board=2,2,./.,.,./.,.,."),
            None,
        ),
        (
            "/api/v1/strategy",
            "get",
            v1("strategy?shape=2x2&to=1024"),
            None,
        ),
        (
            "/api/v1/jobs",
            "post",
            v1("jobs"),
            Some(json!({"kind": "count", "shape": "2x2", "to": 8})),
        ),
        (
            "/api/v1/jobs",
            "post",
            v1("jobs"),
            Some(json!({"kind": "count"})),
        ),
        ("/api/v1/jobs", "get", v1("jobs"), None),
        (
            "/api/v1/jobs/{id}/events",
            "get",
            v1(&format!("jobs/{job}/events")),
            None,
        ),
        ("/api/v1/jobs/{id}/events", "get", v1("jobs/0/events"), None),
        ("/api/v1/jobs/{id}", "get", v1(&format!("jobs/{job}")), None),
        ("/api/v1/jobs/{id}", "get", v1("jobs/0"), None),
        (
            "/api/v1/jobs/{id}",
            "delete",
            v1(&format!("jobs/{job}")),
            None,
        ),
        ("/api/v1/variants", "get", v1("variants"), None),
    ]
}

fn description(server: &Running) -> Description {
    let answer = server.send("GET", "/openapi.json", None);
    Description(serde_json::from_str(&answer.text).unwrap())
}

#[test]
fn all_that_is_described_is_served_so() {
    let server = serve(None);
    let description = description(&server);
    assert_eq!(description.0["info"]["version"], env!("CARGO_PKG_VERSION"));
    let job = server.post(
        "/api/v1/jobs",
        &json!({"kind": "solve", "shape": "2x2", "to": 16}),
    );
    let job = job.json()["id"].clone();
    server.wait(&job);
    let mut tried = BTreeSet::new();
    for (path, method, address, body) in requests(&job) {
        let body = body.map(|body| body.to_string());
        let answer = server.send(&method.to_uppercase(), &address, body.as_deref());
        description.check(path, method, &answer);
        if answer.status < 300 {
            tried.insert((path.to_owned(), method.to_owned()));
        }
    }
    let paths = description.0["paths"].as_object().unwrap();
    let described = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().keys();
        methods.map(move |method| (path.clone(), method.clone()))
    });
    assert_eq!(described.collect::<BTreeSet<_>>(), tried);
}

#[test]
fn examples_work() {
    let server = serve(None);
    let description = description(&server);
    // Examples are about the first job.
    server.post(
        "/api/v1/jobs",
        &json!({"kind": "count", "shape": "2x2", "to": 8}),
    );
    for (path, methods) in description.0["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let (mut address, mut query) = (path.clone(), Vec::new());
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().unwrap();
                let Some(example) = parameter.get("example") else {
                    assert_eq!(parameter["required"], false, "{path}: {name}");
                    continue;
                };
                description.check_schema(&parameter["schema"], example, path);
                let value = example.as_str().map_or(example.to_string(), str::to_owned);
                match parameter["in"].as_str() {
                    Some("path") => address = address.replace(&format!("{{{name}}}"), &value),
                    _ => query.push(format!("{name}={value}")),
                }
            }
            if !query.is_empty() {
                address = format!("{address}?{}", query.join("&"));
            }
            let body = &operation["requestBody"]["content"]["application/json"];
            if body.is_object() {
                let example = &body["example"];
                description.check_schema(&body["schema"], example, path);
            }
            let body = body.is_object().then(|| body["example"].to_string());
            let answer = server.send(&method.to_uppercase(), &address, body.as_deref());
            assert!(answer.status < 300, "{method} {address}: {}", answer.text);
            description.check(path, method, &answer);
        }
    }
}

#[test]
fn the_api_has_an_index_and_a_page() {
    let server = serve(None);
    let index = server.get("/api/v1");
    assert_eq!(index, server.get("/api/v1/"));
    let paths = index["paths"].as_array().unwrap();
    assert!(paths.iter().any(|path| path["path"] == "/api/v1/verdicts"));
    for name in ["docs", "openapi"] {
        let answer = server.send("GET", index[name].as_str().unwrap(), None);
        assert_eq!(answer.status, 200);
    }
    let docs = server.send("GET", "/docs", None);
    assert_eq!(docs.kind, "text/html; charset=utf-8");
    for path in paths {
        let path = path["path"].as_str().unwrap();
        assert!(docs.text.contains(path), "{path}");
    }
    let style = server.send("GET", "/docs.css", None);
    assert_eq!(
        (style.status, style.kind.as_str()),
        (200, "text/css; charset=utf-8")
    );
    assert!(docs.text.contains("urllib.request") && docs.text.contains("curl "));
}

#[test]
fn events_are_as_described() {
    let server = serve(None);
    let description = description(&server);
    let job = server.post(
        "/api/v1/jobs",
        &json!({"kind": "solve", "shape": "3x3", "to": 32}),
    );
    let id = job.json()["id"].clone();
    let events = server
        .send("GET", &format!("/api/v1/jobs/{id}/events"), None)
        .text;
    let mut seen = BTreeSet::new();
    for block in events
        .split("\n\n")
        .filter(|block| block.contains("data: "))
    {
        let field = |name: &str| {
            block
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .unwrap()
        };
        let schema = match field("event: ") {
            "layers" => "JobLayersAnswer",
            "progress" => "JobProgressAnswer",
            "end" => "JobAnswer",
            other => panic!("no event {other}"),
        };
        seen.insert(schema);
        let value = serde_json::from_str(field("data: ")).unwrap();
        let schema = json!({"$ref": format!("#/components/schemas/{schema}")});
        description.check_schema(&schema, &value, block);
    }
    assert_eq!(seen.len(), 3);
}
