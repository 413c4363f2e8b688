//! JSON schemas of what the tools return. Clients check every result by them, also one that failed.

use serde_json::{Value, json};

/// The fields that every job has.
const JOB: [&str; 7] = ["job_id", "status", "created_at", "started_at", "ended_at", "credits_used", "max_credits"];

pub fn found_apps() -> Value {
    result(
        &["apps", "next_cursor"],
        json!({ "apps": list(object(&APP, app())), "next_cursor": or_null("string", "For the next page.") }),
    )
}

pub fn read_app() -> Value {
    let output = object(&["node_id", "name"], json!({ "node_id": text(), "name": text() }));
    let more = json!({
        "version": text(),
        "inputs": { "type": "object", "description": "The JSON schema of the inputs." },
        "outputs": list(output),
    });
    result(&[APP.as_slice(), ["version", "inputs", "outputs"].as_slice()].concat(), with(app(), more))
}

pub fn quoted() -> Value {
    let fits = or_null("boolean", "Whether a run is accepted with max_credits; null without it.");
    result(&["price", "fits_max_credits"], json!({ "price": price("object".into()), "fits_max_credits": fits }))
}

pub fn uploaded() -> Value {
    let fields = ["asset_id", "workflow_value", "name", "kind", "content_type", "size_bytes", "width", "height"];
    result(
        &fields,
        json!({
            "asset_id": described("string", "The value of a file input of an app."),
            "workflow_value": described("string", "The file name in a workflow."),
            "name": text(),
            "kind": text(),
            "content_type": text(),
            "size_bytes": whole(),
            "width": or_null("integer", "In pixels."),
            "height": or_null("integer", "In pixels."),
        }),
    )
}

/// Of a tool that waits for the job that it submits.
pub fn run() -> Value {
    result(&JOB, with(with(job(), submitted()), json!({ "outputs": outputs() })))
}

pub fn runs() -> Value {
    let each = with(submitted(), json!({ "job_id": text(), "error": error() }));
    result(
        &["runs", "accepted", "max_credits_each"],
        json!({
            "runs": list(json!({ "type": "object", "properties": each })),
            "accepted": described("integer", "The number of runs that have a job."),
            "max_credits_each": whole(),
        }),
    )
}

pub fn read_job() -> Value {
    result(&JOB, job())
}

/// Of a wait for a job that an earlier call submitted.
pub fn waited_job() -> Value {
    result(&JOB, with(job(), json!({ "outputs": outputs() })))
}

pub fn job_outputs() -> Value {
    let fields = json!({ "job_id": text(), "status": status(), "seeds": seeds(), "outputs": outputs() });
    result(&["job_id", "status", "seeds", "outputs"], fields)
}

pub fn canceled_job() -> Value {
    let returned = or_null("integer", "Null before its end, and for a job that had ended before.");
    result(
        &[JOB.as_slice(), ["credits_returned"].as_slice()].concat(),
        with(job(), json!({ "credits_returned": returned })),
    )
}

pub fn jobs() -> Value {
    let one = object(&JOB, with(job(), json!({ "error": error() })));
    result(
        &["jobs", "next_cursor"],
        json!({ "jobs": list(one), "next_cursor": or_null("string", "For the next page.") }),
    )
}

pub fn account() -> Value {
    let ceiling = || or_null("integer", "Null for none.");
    let ceilings = json!({ "per_run": ceiling(), "per_day": ceiling() });
    let plan = ["name", "monthly_credits", "max_run_seconds", "max_queued_jobs", "storage_bytes", "pools"];
    result(
        &["credits", "ceilings", "plan", "jobs"],
        json!({
            "credits": object(&["available", "held"], json!({ "available": whole(), "held": whole() })),
            "ceilings": object(&["per_run", "per_day"], ceilings),
            "plan": object(&plan, json!({
                "name": text(),
                "monthly_credits": whole(),
                "max_run_seconds": whole(),
                "max_queued_jobs": whole(),
                "storage_bytes": whole(),
                "pools": list(text()),
            })),
            "jobs": object(&["queued", "running"], json!({ "queued": whole(), "running": whole() })),
        }),
    )
}

/// The fields of an app that is listed.
const APP: [&str; 8] = ["app_id", "title", "what", "price", "takes", "makes", "works_now", "page"];

fn app() -> Value {
    json!({
        "app_id": text(),
        "title": text(),
        "what": described("string", "What it does, in the words of its author."),
        "price": price(json!(["object", "null"])),
        "takes": list(text()),
        "makes": list(text()),
        "works_now": or_null("boolean", "Whether a worker can run it; null where that is not known."),
        "page": described("string", "The address of its page."),
    })
}

/// `kind` is the type of a price, which may be missing.
fn price(kind: Value) -> Value {
    let expected = json!({
        "type": ["object", "null"],
        "description": "By earlier runs; null before the first one.",
        "properties": {
            "credits": whole(),
            "upper_credits": described("integer", "Few runs cost more."),
            "seconds": { "type": "number" },
        },
    });
    json!({
        "type": kind,
        "properties": {
            "pool": text(),
            "credits_per_second": whole(),
            "expected": expected,
            "least_credits": described("integer", "The least max_credits with which a run is accepted."),
            "most_credits": described("integer", "No run costs more."),
            "starts_in_seconds": start(),
        },
    })
}

/// The earliest and the latest expected start.
fn start() -> Value {
    let description = "From now, at the earliest and at the latest; null while no worker can run it.";
    json!({ "type": ["array", "null"], "items": { "type": "integer" }, "description": description })
}

fn job() -> Value {
    let time = |description: &str| or_null("string", description);
    let place = json!({ "place": whole(), "starts_in_seconds": start() });
    let reason = ["code", "message", "released_by"];
    json!({
        "job_id": text(),
        "status": status(),
        "created_at": text(),
        "started_at": time("Null before its start."),
        "ended_at": time("Null before its end."),
        "credits_used": or_null("integer", "Null before its end."),
        "max_credits": or_null("integer", "The limit that it was submitted with."),
        "queue": object(&["place", "starts_in_seconds"], place),
        "waits_for": object(&reason, json!({ "code": text(), "message": text(), "released_by": text() })),
        "progress": object(&["done", "node"], json!({
            "done": { "type": "number", "description": "From 0 to 1." },
            "node": text(),
        })),
    })
}

/// What a submit tells beside its job.
fn submitted() -> Value {
    json!({
        "seeds": seeds(),
        "workers": or_null("integer", "Connected workers that can run it; null for a repeated call."),
        "replayed": described("boolean", "Whether an earlier call with the same key made the job."),
    })
}

fn seeds() -> Value {
    or_null("object", "The seed of each seed field.")
}

fn status() -> Value {
    json!({ "type": "string", "enum": ["queued", "running", "canceling", "succeeded", "failed", "canceled"] })
}

/// Each output has the fields of its kind.
fn outputs() -> Value {
    list(object(
        &["node_id", "kind"],
        json!({
            "node_id": text(),
            "kind": { "type": "string", "enum": ["image", "video", "audio", "text", "file", "undelivered"] },
            "text": text(),
            "is_cut": described("boolean", "Whether the end of the text is left out."),
            "output_id": text(),
            "workflow_value": described("string", "The file name in a workflow."),
            "name": text(),
            "content_type": text(),
            "size_bytes": whole(),
            "width": or_null("integer", "In pixels."),
            "height": or_null("integer", "In pixels."),
            "url": described("string", "The whole file; needs no key."),
            "url_expires_at": text(),
            "code": described("string", "Why it is not delivered."),
            "message": text(),
            "count": described("integer", "The number of files that are not delivered."),
        }),
    ))
}

/// Why a call failed, or why its job did.
fn error() -> Value {
    let field = json!({
        "field": text(),
        "message": text(),
        "given": { "description": "What was sent; null for a missing field." },
        "allowed": { "description": "The JSON schema of the field." },
    });
    object(
        &["code", "message"],
        json!({
            "code": text(),
            "message": text(),
            "fields": list(object(&["field", "message", "given"], field)),
            "details": { "description": "For programs, such as the errors of nodes." },
            "retry_after_seconds": described("integer", "When the same call may succeed."),
            "node_id": or_null("string", "The node of a graph that failed."),
            "class_type": or_null("string", "Its class."),
            "traceback": or_null("string", "Of its exception."),
        }),
    )
}

/// The schema of a tool's result. A failure has `error` in place of the other fields, or beside those of a failed job.
fn result(required: &[&str], properties: Value) -> Value {
    json!({
        "type": "object",
        "properties": with(properties, json!({ "error": error() })),
        "anyOf": [{ "required": required }, { "required": ["error"] }],
    })
}

fn object(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The properties of both.
fn with(mut properties: Value, more: Value) -> Value {
    if let (Some(properties), Value::Object(more)) = (properties.as_object_mut(), more) {
        properties.extend(more);
    }
    properties
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn whole() -> Value {
    json!({ "type": "integer" })
}

fn described(kind: &str, description: &str) -> Value {
    json!({ "type": kind, "description": description })
}

fn or_null(kind: &str, description: &str) -> Value {
    json!({ "type": [kind, "null"], "description": description })
}
