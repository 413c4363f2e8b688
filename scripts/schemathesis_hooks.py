"""What schemathesis does not know by itself: how lines of JSON are written, and what no schema can say."""

import json
import re
import urllib.parse

import schemathesis

# Fields with rules that no schema expresses: cursors must be ours, codes must be right, ids must be the caller's; JSON
# texts of the generic calls have a grammar; texts must be visible; and some fields depend on others, on the date or on
# data.
UNSAID = {
    "after", "benefit", "body", "code", "content", "contentEn", "contentKo", "cover", "cursor", "days", "depth", "email", "expiresAt",
    "endDate", "endsAt", "filter", "from", "homepage", "Idempotency-Key", "Last-Event-ID", "ids", "instagram", "into", "isChecked", "json", "kind",
    "name", "nameKo", "options", "outputs", "inputs", "parentTag", "password", "path", "pool", "populate", "prompt", "q",
    "search", "select", "startDate", "state", "status", "takes", "makes", "text", "thumbnails", "titleEn", "titleKo", "to", "types",
    "until", "url",
    "webhookUrl",
    # The plans are those of the installation.
    "plan",
    # A coupon has the fields of its kind of benefit, and no fewer uses than were made.
    "maxUses",
    # A promotion has the texts of a banner, with a path of the site, or a percentage.
    "audience", "textEn", "textKo", "labelEn", "labelKo", "link", "percent",
    # The price of an order is the one that is charged.
    "amount",
    # An item of the shop has at least one price, and credits or a plan.
    "prices", "credits",
    # An item to quote is a mini app with a form or a prompt with files.
    "items.form", "items.files", "items.prompt", "items.strict", "items.workflowApi",
    # The app at the address of a simple app is published and takes a picture.
    "workflowApi",
    "workflow", "workflowTags", "youtubeCreatedAt", "image", "video", "audio", "reason", "warning", "folder", "keyword", "like",
}


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(ctx, value):
    """A text is sent as it is; anything else is a line."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return json.dumps(value).encode() + b"\n"


def place_of(field):
    """The first part of a field's path; for one of an item to quote also its name."""
    first, *rest = re.split(r"[.\[]", field)
    return f"items.{rest[1]}" if first == "items" and len(rest) > 1 else first


@schemathesis.check
def valid_requests_are_accepted(ctx, response, case):
    """A request that the schema allows is refused for what no schema can say, and for nothing else.

    The check of schemathesis, positive_data_acceptance, wants none refused at all.
    """
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    refusal = response.json()
    # An error code of its own (AUTH_TERMS_REQUIRED) is described. And 1.0 is an integer for a schema.
    if refusal["code"] != "VALIDATION_FAILED" or "floating point" in refusal["message"]:
        return
    details = refusal.get("details") or []
    fields = {place_of(detail["field"]) for detail in details if isinstance(detail, dict)}
    # A file is identified by its input, which the caller names.
    files = case.body.get("files") if isinstance(case.body, dict) else None
    said = fields - UNSAID - set(files or {})
    if not fields or said:
        raise AssertionError(f"the schema allows this request, and it is refused for {sorted(said) or 'no field'}")


# Maximum encoded length of a URL; the server refuses longer ones before it can respond in JSON.
ADDRESS = 60_000


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Long texts of an address are sent in signs that need no escape: they are as long, and there is room for them."""
    query = case.query or {}
    if len(urllib.parse.urlencode(query, doseq=True)) > ADDRESS:
        case.query = {name: "0" * len(value) if isinstance(value, str) and len(value) > 500 else value
                      for name, value in query.items()}
