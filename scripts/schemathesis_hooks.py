"""What schemathesis does not know by itself: how lines of JSON are written."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(ctx, value):
    """A text is sent as it is; anything else is a line."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return json.dumps(value).encode() + b"\n"
