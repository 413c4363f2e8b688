"""What schemathesis does not know by itself: how lines of JSON are written, and what no schema can say."""

import json
import re
import urllib.parse

import schemathesis

# Fields that a request may fill as the description says and have refused all the same. A cursor must be one of ours, a
# code right and an id somebody's; the JSON texts of the generic calls have a grammar; words must be seen by a reader; and
# some fields depend on others, on the day or on what is there.
UNSAID = {
    "after", "body", "code", "content", "contentEn", "contentKo", "cover", "cursor", "days", "depth", "email", "expiresAt",
    "endDate", "filter", "from", "homepage", "Idempotency-Key", "ids", "instagram", "into", "isChecked", "json", "kind",
    "name", "nameKo", "options", "outputs", "inputs", "parentTag", "password", "path", "pool", "populate", "prompt", "q",
    "select", "startDate", "state", "status", "takes", "makes", "text", "thumbnails", "titleEn", "titleKo", "to", "types", "url",
    "webhookUrl",
    "workflow", "workflowTags", "youtubeCreatedAt", "image", "video", "audio", "reason", "warning", "folder", "keyword",
}


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(ctx, value):
    """A text is sent as it is; anything else is a line."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return json.dumps(value).encode() + b"\n"


@schemathesis.check
def valid_requests_are_accepted(ctx, response, case):
    """A request that the schema allows is refused for what no schema can say, and for nothing else.

    The check of schemathesis, positive_data_acceptance, wants none refused at all.
    """
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    refusal = response.json()
    # A refusal with a name of its own (AUTH_TERMS_REQUIRED) is described by it. And 1.0 is an integer to a schema.
    if refusal["code"] != "VALIDATION_FAILED" or "floating point" in refusal["message"]:
        return
    details = refusal.get("details") or []
    fields = {re.split(r"[.\[]", detail["field"])[0] for detail in details if isinstance(detail, dict)}
    # A file is named by the input that it is for, in the words of who asks.
    files = case.body.get("files") if isinstance(case.body, dict) else None
    said = fields - UNSAID - set(files or {})
    if not fields or said:
        raise AssertionError(f"the schema allows this request, and it is refused for {sorted(said) or 'no field'}")


# What an address has room for, in characters as they are sent; a longer one is refused before there is an answer in JSON.
ADDRESS = 60_000


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Long texts of an address are sent in signs that need no escape: they are as long, and there is room for them."""
    query = case.query or {}
    if len(urllib.parse.urlencode(query, doseq=True)) > ADDRESS:
        case.query = {name: "0" * len(value) if isinstance(value, str) and len(value) > 500 else value
                      for name, value in query.items()}
