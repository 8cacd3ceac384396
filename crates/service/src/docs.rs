//! The description of the API as a page to be read, made from the OpenAPI description.

use std::fmt::Write;

use serde_json::{Map, Value};
use tilebase_schema::{ApiIndex, ApiPath, VERSION};

use crate::openapi::openapi;

/// Where examples expect the server.
const SERVER: &str = "http://127.0.0.1:2048";

/// The page's own style, beside that of the web page.
pub const DOCS_STYLE: &str = "\
.docs { max-inline-size: 70rem; grid-template-columns: minmax(0, 1fr); }
.docs .panel { grid-template-columns: minmax(0, 1fr); }
.docs h2 { font-size: 1.05rem; }
.docs h3 { font-size: 0.86rem; color: var(--soft); margin-block-start: 0.4rem; }
.docs ul { list-style: none; display: grid; gap: 0.3rem; }
.docs pre { margin: 0; padding: 0.6rem 0.8rem; background: var(--well); border-radius: 0.4rem; overflow-x: auto; \
font-size: 0.86rem; }
.docs table { table-layout: fixed; }
.docs th, .docs td { vertical-align: top; overflow-wrap: anywhere; }
.docs th:first-child { inline-size: 27%; }
.docs th:nth-child(2) { inline-size: 22%; }
";

/// What most people come for.
const FIRST: [&str; 3] = ["/api/v1/position", "/api/v1/positions", "/api/v1/verdicts"];

/// The addresses of the API.
pub fn api_index() -> ApiIndex {
    let description = openapi();
    let paths = operations(&description).map(|operation| ApiPath {
        method: operation.method.to_uppercase(),
        path: operation.path.to_owned(),
        summary: operation.text("summary").to_owned(),
    });
    ApiIndex {
        docs: "/docs",
        openapi: "/openapi.json",
        paths: paths.collect(),
    }
}

/// The page: plain HTML in the style of the web page.
pub fn docs() -> String {
    let description = openapi();
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>tilebase: the API</title>\n\
         <link rel=\"icon\" href=\"icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"style.css\">\n\
         <link rel=\"stylesheet\" href=\"docs.css\">\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
         <header class=\"top\">\n<p class=\"brand\"><a href=\"./\"><span class=\"mark\" \
         aria-hidden=\"true\"></span>tilebase</a></p>\n<nav aria-label=\"Areas\">\
         <a href=\"./\">Analyse</a> <a href=\"openapi.json\">OpenAPI</a></nav>\n</header>\n\
         <main id=\"main\" class=\"area docs\">\n<section class=\"panel\">\n<h1>The HTTP API</h1>\n\
         <p>{}</p>\n<p>All answers are JSON objects with a version, this is {VERSION}. Examples \
         expect a server at <code>{SERVER}</code>, which <code>tilebase serve</code> starts. A \
         wrong request gets an object with <code>error</code>, one line that says what is \
         wrong.</p>\n<ul>\n",
        escaped(text(&description["info"], "description")),
    );
    // Writing to a string cannot fail.
    for operation in operations(&description) {
        let _ = writeln!(
            page,
            "<li><a class=\"mono\" href=\"#{}\">{}</a> {}</li>",
            operation.anchor(),
            operation.title(),
            escaped(operation.text("summary")),
        );
    }
    page.push_str("</ul>\n</section>\n");
    for operation in operations(&description) {
        operation.write(&mut page, &description);
    }
    write_schemas(&mut page, &description);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// What a path does with a method.
struct Operation<'a> {
    path: &'a str,
    method: &'a str,
    content: &'a Value,
}

/// All operations, the most useful first.
fn operations(description: &Value) -> impl Iterator<Item = Operation<'_>> {
    let paths = description["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, content)| Operation {
            path,
            method,
            content,
        })
    });
    let mut all: Vec<Operation<'_>> = all.collect();
    let last = FIRST.len();
    all.sort_by_key(|operation| {
        FIRST
            .iter()
            .position(|&path| path == operation.path)
            .unwrap_or(last)
    });
    all.into_iter()
}

impl Operation<'_> {
    fn text(&self, name: &str) -> &str {
        text(self.content, name)
    }

    fn title(&self) -> String {
        format!("{} {}", self.method.to_uppercase(), self.path)
    }

    fn anchor(&self) -> String {
        let words = self.path.replace(['/', '{', '}', '.'], " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        format!("{}-{}", self.method, words.join("-"))
    }

    fn write(&self, page: &mut String, description: &Value) {
        let _ = writeln!(
            page,
            "<section class=\"panel\" id=\"{}\">\n<h2 class=\"mono\">{}</h2>\n<p>{}</p>",
            self.anchor(),
            self.title(),
            escaped(self.text("summary")),
        );
        let parameters = self.content["parameters"].as_array();
        if let Some(parameters) = parameters.filter(|list| !list.is_empty()) {
            page.push_str("<h3>Parameters</h3>\n");
            let rows = parameters.iter().map(|parameter| {
                let required = parameter["required"] == true;
                let schema = &parameter["schema"];
                // What a parameter is may be said where its type is.
                let about = match text(parameter, "description") {
                    "" => text(resolved(description, schema), "description"),
                    about => about,
                };
                row(text(parameter, "name"), required, schema, about)
            });
            write_table(page, rows);
        }
        let body = &self.content["requestBody"]["content"]["application/json"];
        if body.is_object() {
            page.push_str("<h3>Body</h3>\n");
            write_fields(page, resolved(description, &body["schema"]), description);
        }
        page.push_str("<h3>Example</h3>\n");
        for example in [self.curl(), self.python()] {
            let example = escaped(&example);
            let _ = writeln!(page, "<pre class=\"mono\" tabindex=\"0\">{example}</pre>");
        }
        self.write_answer(page, description);
        page.push_str("</section>\n");
    }

    fn write_answer(&self, page: &mut String, description: &Value) {
        let responses = self.content["responses"].as_object();
        let mut errors = Vec::new();
        for (status, response) in responses.into_iter().flatten() {
            let about = escaped(text(response, "description"));
            if !status.starts_with('2') {
                errors.push(format!("{status}: {about}"));
                continue;
            }
            let content = response["content"].as_object().into_iter().flatten();
            for (media, content) in content {
                let _ = writeln!(page, "<h3>Answer</h3>\n<p>{status}, {media}. {about}</p>");
                let schema = resolved(description, &content["schema"]);
                write_fields(page, schema, description);
            }
        }
        if !errors.is_empty() {
            let _ = writeln!(page, "<p class=\"note\">Errors: {}</p>", errors.join(" "));
        }
    }

    /// The address of the example.
    fn address(&self) -> String {
        let parameters = self.content["parameters"].as_array().into_iter().flatten();
        let mut path = self.path.to_owned();
        let mut query = Vec::new();
        for parameter in parameters.filter(|parameter| !parameter["example"].is_null()) {
            let name = text(parameter, "name");
            let value = plain(&parameter["example"]);
            match text(parameter, "in") {
                "path" => path = path.replace(&format!("{{{name}}}"), &value),
                _ => query.push(format!("{name}={value}")),
            }
        }
        match query.is_empty() {
            true => format!("{SERVER}{path}"),
            false => format!("{SERVER}{path}?{}", query.join("&")),
        }
    }

    fn body(&self) -> Option<&Value> {
        let body = &self.content["requestBody"]["content"]["application/json"]["example"];
        (!body.is_null()).then_some(body)
    }

    fn curl(&self) -> String {
        let address = self.address();
        match (self.body(), self.method) {
            (Some(body), _) => {
                format!(
                    "curl '{address}' \\\n  -H 'content-type: application/json' \\\n  -d '{body}'"
                )
            }
            (None, "get") => format!("curl '{address}'"),
            (None, method) => format!("curl -X {} '{address}'", method.to_uppercase()),
        }
    }

    fn python(&self) -> String {
        let address = self.address();
        let is_json = !self.content["responses"]["200"]["content"].is_object()
            || self.content["responses"]["200"]["content"]["application/json"].is_object();
        let print = match is_json {
            true => "print(json.load(answer))",
            false => "print(answer.read().decode())",
        };
        let request = match (self.body(), self.method) {
            (Some(body), _) => format!(
                "body = {body}\nrequest = urllib.request.Request(\n    \"{address}\",\n    \
                 json.dumps(body).encode(),\n    {{\"content-type\": \"application/json\"}},\n)"
            ),
            (None, "get") => format!("request = \"{address}\""),
            (None, method) => format!(
                "request = urllib.request.Request(\"{address}\", method=\"{}\")",
                method.to_uppercase()
            ),
        };
        format!(
            "import json\nimport urllib.request\n\n{request}\nwith urllib.request.urlopen(request) \
             as answer:\n    {print}"
        )
    }
}

/// The types that answers and bodies are made of.
fn write_schemas(page: &mut String, description: &Value) {
    let schemas = description["components"]["schemas"].as_object();
    for (name, schema) in schemas.into_iter().flatten() {
        // Whole answers and bodies are described where they are asked for.
        if name.ends_with("Answer") || name.ends_with("Request") {
            continue;
        }
        let _ = writeln!(
            page,
            "<section class=\"panel\" id=\"{name}\">\n<h2>{name}</h2>\n<p>{}</p>",
            prose(text(schema, "description"))
        );
        write_fields(page, schema, description);
        page.push_str("</section>\n");
    }
}

/// The fields of an object, or the words of an enumeration.
fn write_fields(page: &mut String, schema: &Value, description: &Value) {
    if let Some(fields) = schema["properties"].as_object() {
        let required = schema["required"].as_array();
        let rows = fields.iter().map(|(name, field)| {
            let is_required = required.is_some_and(|names| names.iter().any(|other| other == name));
            let about = match text(field, "description") {
                "" => text(resolved(description, field), "description"),
                about => about,
            };
            row(name, is_required, field, about)
        });
        write_table(page, rows);
    } else if let Some(words) = schema["oneOf"].as_array() {
        let rows = words.iter().map(|word| {
            let name = plain(&word["const"]);
            [name, String::new(), prose(text(word, "description"))]
        });
        write_table(page, rows);
    }
}

/// A row of a table: name, type, what it is.
fn row(name: &str, is_required: bool, schema: &Value, about: &str) -> [String; 3] {
    let optional = if is_required { "" } else { ", optional" };
    let kind = format!("{}{optional}", kind(schema));
    [name.to_owned(), kind, prose(about)]
}

fn write_table(page: &mut String, rows: impl Iterator<Item = [String; 3]>) {
    page.push_str(
        "<table>\n<thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Type</th>\
         <th scope=\"col\">What it is</th></tr></thead>\n<tbody>\n",
    );
    for [name, kind, about] in rows {
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\" class=\"mono\">{name}</th><td>{kind}</td><td>{about}</td></tr>"
        );
    }
    page.push_str("</tbody>\n</table>\n");
}

/// A type in words, with a link to where it is described.
fn kind(schema: &Value) -> String {
    if let Some(name) = reference(schema) {
        return match name.ends_with("Answer") {
            true => name.to_owned(),
            false => format!("<a href=\"#{name}\">{name}</a>"),
        };
    }
    for name in ["anyOf", "oneOf"] {
        if let Some(kinds) = schema[name].as_array() {
            let kinds: Vec<String> = kinds.iter().map(kind).collect();
            return kinds.join(" or ");
        }
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| escaped(&plain(word))).collect();
        return words.join(" or ");
    }
    match &schema["type"] {
        Value::Array(kinds) => {
            let kinds = kinds.iter().map(|name| {
                let mut one = schema.clone();
                one["type"] = name.clone();
                kind(&one)
            });
            kinds.collect::<Vec<String>>().join(" or ")
        }
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) if name == "object" && schema["additionalProperties"].is_object() => {
            format!("object of {}", kind(&schema["additionalProperties"]))
        }
        Value::String(name) => name.clone(),
        _ => String::new(),
    }
}

/// The name of the component that a schema refers to.
fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

/// A schema, or the component that it refers to.
fn resolved<'a>(description: &'a Value, schema: &'a Value) -> &'a Value {
    match reference(schema) {
        Some(name) => &description["components"]["schemas"][name],
        None => schema,
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    let object = value
        .as_object()
        .and_then(|object: &Map<_, _>| object.get(name));
    object.and_then(Value::as_str).unwrap_or_default()
}

/// Text with what stands between backquotes as code.
fn prose(text: &str) -> String {
    let parts = escaped(text);
    let parts = parts.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.to_owned(),
        _ => format!("<code>{part}</code>"),
    });
    parts.collect()
}

/// A word without quotes.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_described_is_on_the_page() {
        let (description, page) = (openapi(), docs());
        for operation in operations(&description) {
            assert!(page.contains(&format!("id=\"{}\"", operation.anchor())));
            assert!(
                page.contains(&escaped(&operation.curl())),
                "{}",
                operation.title()
            );
        }
        // Links lead somewhere, and nothing needs a script or a style of its own.
        for link in page.split("href=\"#").skip(1) {
            let name = link.split('"').next().unwrap_or_default();
            assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
        }
        assert!(!page.contains("<script") && !page.contains("style=\""));
        assert!(page.contains("further_score") && page.contains("about_equal"));
        let index = api_index();
        assert!(
            index
                .paths
                .iter()
                .any(|path| path.path == "/api/v1/position")
        );
    }
}
