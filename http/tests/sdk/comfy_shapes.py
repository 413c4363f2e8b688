"""Makes the same calls of Comfy API v2 with the protocol layers of the official Python and JavaScript SDKs to the server at
COMFY_BASE_URL and to comfy-api-proxy in front of a ComfyUI server, and compares the shapes of the answers: statuses, fields,
their types, words of statuses and codes of errors. DIFFERENCES has what may differ; any other difference fails. COMFY_WORKER is
the program of the ComfyUI server, COMFY_PROXY that of the proxy, COMFY_LOW_JS the entry of the JavaScript layer."""

import base64
import io
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path

import httpx
from blake3 import blake3
from comfy_low import ApiError, ComfyLow

from limits import all_within
from pictures import load_image, png

# Seconds that one answer, or the end of a job, may take. Only what hangs takes as long.
PATIENCE = 120
# A name and a picture that only this run has.
RUN = uuid.uuid4().hex
PICTURE = png(RUN)
UNKNOWN = str(uuid.uuid4())
# How a job of this run can end. None is old enough to expire: the proxy says so of a job that leaves the queue between two
# of its requests.
ENDED = {"succeeded", "canceled", "failed"}

# Fields whose values depend on the moment.
MAY_BE_NULL = {"started_at", "completed_at", "queue_position", "progress", "error", "message"}
# Fields whose values are words of the API.
WORDS = {"status", "type", "code", "format"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")

# Whose lines, which, and why.
DIFFERENCES = (
    ("ours", r".*: metrics(\.\w+)? .*", "the proxy does not measure"),
    ("ours", r".*: metadata object", "labels of a job; the proxy has one text, and leaves it out"),
    ("proxy", r".*: outputs_reused flag", "the proxy tells of ComfyUI's cache; Comfy Cloud does not have the field"),
    ("ours", r".*: expires_at (null|time)", "the proxy leaves out when an upload expires"),
    ("proxy", r"list: .*", "the proxy lists whole jobs, and no pages"),
    ("ours", r"list: (jobs\[\]\.(create_time|update_time|metadata)|next_cursor) .*", "a page as Comfy Cloud documents it"),
    ("both", r"unknown (job|workflow|events|cancel): code .*", "Comfy Cloud has job_not_found, the proxy not_found"),
    ("both", r"(unknown asset|deleted again): code .*", "Comfy Cloud has asset_not_found, the proxy not_found"),
    ("proxy", r".*: details null", "the proxy sends details without content"),
    ("ours", r".*: details object", "what is wrong with which field"),
    ("ours", r".*: details\.(fields|error)\b.*", "what is wrong with which field"),
    ("ours", r".*: details\.code .*", "which refusal it is, where the API has one word for several"),
    ("ours", r"saved format: details\.node_errors.*", "ComfyUI's answer to such a graph"),
    ("both", r"invalid graph: details\.node_errors\..*", "ComfyUI's own errors, with what each server adds"),
    ("both", r"key again: .*", "a repeated key gets its first job again here; the proxy refuses it"),
    ("ours", r"events: progress\.current_node_class text", "the proxy leaves it out"),
    ("both", r"events: status\.queue_position .*", "the proxy leaves it out of a job that does not wait"),
    ("both", r"events: status\.status (queued|running)", "depends on when the stream begins"),
    ("both", r"submitted: status (queued|running|succeeded)", "a job may have begun before the answer"),
    ("ours", r"submitted: outputs\[\].*", "a job may have ended before the answer"),
)
# Events that a stream may end without.
MAY_BE_MISSING = ("progress", "preview", "output")


def kind(name: str, value) -> str:
    """The type of a value, or the value if it is a word."""
    if name in MAY_BE_NULL:
        return "may be null"
    if name in WORDS and isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, list):
        return "list"
    if isinstance(value, dict):
        return "object"
    if TIME.fullmatch(value):
        return "time"
    if re.match(r"https?://", value):
        return "address"
    return "hash" if value.startswith("blake3:") else "text"


def lines(value, path: str = "") -> set[str]:
    """The shape of a value: a line for each field."""
    name = path.rpartition(".")[2]
    found = {f"{path} {kind(name, value)}"} if path else set()
    if name in MAY_BE_NULL:
        return found
    if isinstance(value, dict):
        for key, inner in value.items():
            found |= lines(inner, f"{path}.{key}" if path else key)
    if isinstance(value, list):
        for inner in value:
            found |= lines(inner, f"{path}[]")
    return found


def tells_end(events: list[tuple[str, dict]]) -> bool:
    """Whether one of the events is the end. Of a job that has ended, the proxy repeats the outputs after it."""
    return any(name == "status" and data["status"] in ENDED for name, data in events)


class Shapes:
    """The shapes of a server's answers by the names of the calls."""

    def __init__(self) -> None:
        self.lines: set[str] = set()

    def note(self, name: str, status: int, body) -> None:
        self.lines.add(f"{name}: status code {status}")
        if status >= 400 and body is not None:
            assert set(body) == {"error"}, f"{name}: an error has another shape: {body}"
            body = body["error"]
        if body is not None:
            self.lines |= {f"{name}: {line}" for line in lines(body)}

    def note_events(self, events: Iterable[tuple[str, dict]]) -> None:
        events = list(events)
        assert events and events[0][0] == "status", f"the first event is a snapshot: {events}"
        assert tells_end(events), f"one event is the end: {events}"
        for name, data in events:
            self.lines |= {f"events: {line}" for line in lines(data, name)}


class Server:
    """The calls to one server, and the shapes of its answers."""

    def __init__(self, base: str, key: str | None) -> None:
        self.last: httpx.Response | None = None
        self.is_proxy = key is None
        self.http = httpx.Client(
            event_hooks={"response": [self.heard]}, follow_redirects=True, timeout=PATIENCE, trust_env=False
        )
        self.low = ComfyLow(base, key, client=self.http)
        self.shapes = Shapes()

    def heard(self, response: httpx.Response) -> None:
        self.last = response
        if response.headers.get("content-type", "").startswith("application/json"):
            response.read()

    def note(self, name: str, call: Callable):
        """Makes a call. Its answer is compared, also if it is an error."""
        result = None
        try:
            result = call()
        except ApiError:
            pass
        answer = self.last
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        body = json.loads(answer.content) if is_json and answer.request.method != "HEAD" and answer.content else None
        self.shapes.note(name, answer.status_code, body)
        return result

    def wait(self, job: str) -> None:
        limit = time.monotonic() + PATIENCE
        while (status := self.low.get_job(job).status.value) not in ENDED:
            assert time.monotonic() < limit, f"{job} does not end: it is {status}"
            time.sleep(0.2)

    def note_events(self, job: str) -> None:
        events = self.events(job)
        if self.is_proxy and not tells_end(events):
            # ComfyUI announces the end of a prompt before its history has it. If the proxy reads the history in between, its
            # stream ends with the status before.
            self.wait(job)
            events = self.events(job)
        self.shapes.note_events(events)

    def events(self, job: str) -> list[tuple[str, dict]]:
        events = all_within(PATIENCE, f"the events of {job}", self.low.get_job_events(job))
        return [(event.event, event.data) for event in events]


def upload(server: Server, expected: str | None = None):
    return server.low.post_assets(io.BytesIO(PICTURE), "image/png", f"{RUN}.png", expected_hash=expected)


def content(server: Server, asset: str, part: tuple[int, int] | None) -> int:
    with server.low.get_asset_content(asset, range=part) as answer:
        return len(answer.read())


def assets(server: Server) -> str:
    low, own, other = server.low, f"blake3:{blake3(PICTURE).hexdigest()}", f"blake3:{blake3(RUN.encode()).hexdigest()}"
    server.note("head of unknown bytes", lambda: low.head_asset_by_hash(own))
    server.note("wrong hash", lambda: upload(server, other))
    asset = server.note("uploaded", lambda: upload(server, own))
    server.note("uploaded again", lambda: upload(server))
    server.note("head", lambda: low.head_asset_by_hash(own))
    server.note("from hash", lambda: low.asset_from_hash(own))
    server.note("from unknown hash", lambda: low.asset_from_hash(other))
    server.note("asset", lambda: low.get_asset(asset.id))
    server.note("asset content", lambda: content(server, asset.id, None))
    server.note("unknown asset", lambda: low.get_asset(UNKNOWN))
    return asset.id


def reference(asset: str) -> dict:
    return {"__type": "core/ASSET", "info": {"id": asset}}


def jobs(server: Server, asset: str) -> None:
    low, key = server.low, str(uuid.uuid4())
    graph = load_image(reference(asset))
    job = server.note("submitted", lambda: low.post_jobs(graph, idempotency_key=key))
    server.note_events(job.id)
    server.wait(job.id)
    ended = server.note("job", lambda: low.get_job(job.id))
    server.note("workflow", lambda: low.get_job_workflow(job.id))
    server.note("list", lambda: low.list_jobs(limit=1))
    server.note("canceled after its end", lambda: low.cancel_job(job.id))
    server.note("key again", lambda: low.post_jobs(graph, idempotency_key=key))
    output = ended.outputs[0]
    assert content(server, output.id, None) > 0
    server.note("output content", lambda: content(server, output.id, None))
    server.note("part of an output", lambda: content(server, output.id, (0, 3)))
    server.note("output as asset", lambda: low.get_asset(output.id))


def refusals(server: Server) -> None:
    low = server.low
    invalid = {"1": {"class_type": "SaveImage", "inputs": {"filename_prefix": "a"}}}
    server.note("invalid graph", lambda: low.post_jobs(invalid))
    server.note("saved format", lambda: low.post_jobs({"nodes": [], "links": [], "last_node_id": 1}))
    server.note("missing asset", lambda: low.post_jobs(load_image(reference(UNKNOWN))))
    server.note("no graph", lambda: low.raw_request("POST", "/jobs", json={}))
    server.note("reserved", lambda: low.raw_request("POST", "/jobs", json={"workflow": invalid, "inputs": {}}))
    server.note("other data", lambda: low.raw_request("POST", "/jobs", json={"workflow": {}, "extra_data": {"a": 1}}))
    server.note("unknown job", lambda: low.get_job(UNKNOWN))
    server.note("unknown workflow", lambda: low.get_job_workflow(UNKNOWN))
    server.note("unknown events", lambda: list(low.get_job_events(UNKNOWN)))
    server.note("unknown cancel", lambda: low.cancel_job(UNKNOWN))


def shapes(base: str, key: str | None) -> set[str]:
    server = Server(base, key)
    asset = assets(server)
    jobs(server, asset)
    refusals(server)
    server.note("deleted", lambda: server.low.delete_asset(asset))
    server.note("deleted again", lambda: server.low.delete_asset(asset))
    server.http.close()
    return server.shapes.lines


def shapes_in_javascript(base: str, key: str | None) -> set[str]:
    """The shapes of the answers to the same calls of the JavaScript SDK, with a picture of its own."""
    run = uuid.uuid4().hex
    picture = png(run)
    given = {
        "base": base,
        "key": key,
        "name": f"{run}.png",
        "picture": base64.b64encode(picture).decode(),
        "hash": f"blake3:{blake3(picture).hexdigest()}",
        "other": f"blake3:{blake3(run.encode()).hexdigest()}",
        "unknown": UNKNOWN,
        "ended": sorted(ENDED),
        "patience": PATIENCE,
    }
    drive = Path(__file__).with_name("comfy-low-drive.mjs")
    done = subprocess.run(
        ["node", str(drive), os.environ["COMFY_LOW_JS"]],
        check=True,
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        text=True,
        timeout=PATIENCE * 5,
    )
    told = Shapes()
    for line in map(json.loads, done.stdout.splitlines()):
        if "events" in line:
            told.note_events((event["event"], event["data"]) for event in line["events"])
            continue
        # The proxy is only compared.
        assert key is None or line["misfit"] is None, f"{line['name']}: {line['misfit']}"
        told.note(line["name"], line["status"], line["body"])
    return told.lines


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Program:
    """A program that serves. Its output is in a file beside its data."""

    def __init__(self, folder: Path, name: str, command: list[str]) -> None:
        self.name, self.log = name, folder / f"{name}.log"
        # Settings of the server under test are not those of a worker.
        env = {key: value for key, value in os.environ.items() if not key.startswith("VERDIGRAPH_")}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env)

    def wait_for(self, found: Callable):
        """What `found` returns, once it is something; nothing if the program ends before."""
        limit = time.monotonic() + PATIENCE
        while not (value := found()):
            if self.process.poll() is not None:
                return None
            assert time.monotonic() < limit, f"{self.name} does not start: {self.told()}"
            time.sleep(0.1)
        return value

    def told(self) -> str:
        return self.log.read_text(errors="replace")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def health(proxy: str) -> dict | None:
    try:
        return httpx.get(f"{proxy}/api/v2/health", timeout=PATIENCE, trust_env=False).raise_for_status().json()
    except (httpx.HTTPError, ValueError):
        return None


def reference_server(folder: Path, running: list[Program]) -> str:
    """Starts a ComfyUI server and the proxy in front of it."""
    worker = Program(
        folder, "worker", [os.environ["COMFY_WORKER"], "worker", "--port", "0", "--data", str(folder / "comfy")]
    )
    running.append(worker)
    ready = worker.wait_for(lambda: re.search(r"^ready (http://\S+)$", worker.told(), re.MULTILINE))
    assert ready, f"the worker ended: {worker.told()}"
    comfy = ready[1]
    # The proxy must be given a port, which another program may take before it. Then it ends, or another one answers.
    for attempt in range(5):
        port = free_port()
        base = f"http://127.0.0.1:{port}"
        proxy = Program(
            folder, f"proxy-{attempt}", [os.environ["COMFY_PROXY"], "--comfyui", comfy, "--port", str(port)]
        )
        running.append(proxy)
        answer = proxy.wait_for(lambda base=base: health(base))
        if answer and answer.get("upstream") == comfy:
            return base
    raise AssertionError(f"the proxy does not start: {proxy.told()}")


def judge(ours: set[str], proxy: set[str]) -> list[str]:
    """The differences that are not known."""
    for event in MAY_BE_MISSING:
        with_event = [{line for line in these if re.match(rf"events: {event}\b", line)} for these in (ours, proxy)]
        if not all(with_event):
            ours, proxy = ours - with_event[0], proxy - with_event[1]
    unknown = []
    for side, these in (("ours", ours - proxy), ("proxy", proxy - ours)):
        for line in sorted(these):
            if not any(whose in (side, "both") and re.fullmatch(known, line) for whose, known, _ in DIFFERENCES):
                unknown.append(f"only {side}: {line}")
    return unknown


def main() -> int:
    speakers = {"Python": shapes, "JavaScript": shapes_in_javascript}
    ours = {name: speak(os.environ["COMFY_BASE_URL"], os.environ["COMFY_API_KEY"]) for name, speak in speakers.items()}
    running: list[Program] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            base = reference_server(Path(folder), running)
            proxy = {name: speak(base, None) for name, speak in speakers.items()}
        finally:
            for program in reversed(running):
                program.stop()
    unknown = [f"{name}, {line}" for name in speakers for line in judge(ours[name], proxy[name])]
    print("\n".join(unknown), end="\n" if unknown else "")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
