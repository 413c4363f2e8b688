"""What Comfy Cloud documents for its first API, and the same for ComfyUI's own server: upload, socket, submit, poll,
history, file, queue, jobs, errors. The dialect is the first argument, `cloud` or `local`. The server is at COMFY_V1_URL,
and COMFY_V1_KEY is the key."""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import websocket

from pictures import empty_image, load_image, png

# Seconds that one answer, a message of the socket, or the end of a job may take. Only what hangs takes as long.
PATIENCE = 120
# A name that only this run has.
RUN = uuid.uuid4().hex


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirects, urllib.request.ProxyHandler({}))


def read(path: str, status: int, body: bytes):
    try:
        return json.loads(body)
    except ValueError:
        raise AssertionError(f"{path} answers with {status} and no JSON: {body[:500]}") from None


class Server:
    def __init__(self, base: str, key: str, is_cloud: bool) -> None:
        self.base, self.key, self.is_cloud = base, key, is_cloud
        self.client = str(uuid.uuid4())
        self.headers = {"X-API-Key": key} if is_cloud else {"Authorization": f"Bearer {key}"}

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict | None = None):
        """Status, headers and bytes of an answer."""
        headers = self.headers if headers is None else headers
        url = path if path.startswith("http") else f"{self.base}/api/{path}"
        request = urllib.request.Request(url, data=body, method=method, headers=headers)
        try:
            with OPENER.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def get(self, path: str):
        status, _, body = self.ask("GET", path)
        return status, read(path, status, body)

    def post(self, path: str, value: dict):
        body = json.dumps(value).encode()
        status, _, body = self.ask("POST", path, body, {**self.headers, "Content-Type": "application/json"})
        return status, read(path, status, body) if body else None

    def upload(self, name: str, data: bytes) -> str:
        edge = uuid.uuid4().hex
        head = f'--{edge}\r\nContent-Disposition: form-data; name="image"; filename="{name}"\r\n\r\n'
        body = head.encode() + data + f"\r\n--{edge}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={edge}"}
        status, _, answer = self.ask("POST", "upload/image", body, {**self.headers, **kind})
        assert status == 200, answer
        return json.loads(answer)["name"]

    def socket(self) -> websocket.WebSocket:
        """The cloud takes the key in the address, and sends all messages of the account to each socket."""
        query = {"clientId": self.client}
        if self.is_cloud:
            query = {"clientId": str(uuid.uuid4()), "token": self.key}
        address = self.base.replace("http", "ws", 1) + "/ws?" + urllib.parse.urlencode(query)
        headers = [] if self.is_cloud else [f"{name}: {value}" for name, value in self.headers.items()]
        return websocket.create_connection(address, timeout=PATIENCE, header=headers, http_no_proxy=["127.0.0.1"])

    def submit(self, graph: dict) -> str:
        status, answer = self.post("prompt", {"prompt": graph, "client_id": self.client})
        assert status == 200 and answer["node_errors"] == {} and "number" in answer, answer
        return answer["prompt_id"]

    def wait(self, job: str) -> dict:
        """Polls a job until its end, and returns its entry of the history."""
        limit = time.monotonic() + PATIENCE
        while True:
            if self.is_cloud:
                status, told = self.get(f"job/{job}/status")
                assert status == 200 and told["id"] == job, told
                done = told["status"] in ("success", "error", "non_retryable_error", "lost", "cancelled")
                if done:
                    status, history = self.get(f"history_v2/{job}")
                    assert status == 200 and job in history, history
                    return history[job]
            else:
                status, told = self.get(f"history/{job}")
                assert status == 200, told
                if job in told:
                    return told[job]
            assert time.monotonic() < limit, f"{job} does not end: {told}"
            time.sleep(0.1)

    def fetch(self, file: dict) -> bytes:
        query = {key: file[key] for key in ("filename", "subfolder", "type")}
        status, headers, body = self.ask("GET", "view?" + urllib.parse.urlencode(query))
        if not self.is_cloud:
            assert status == 200, (status, body[:500])
            return body
        assert status == 302, (status, body[:500])
        # The address is signed, so the key is not sent along.
        status, _, body = self.ask("GET", headers["Location"], headers={})
        assert status == 200, (status, body[:500])
        return body


def run(server: Server) -> None:
    name = server.upload(f"{RUN}.png", png(RUN))
    socket = server.socket()
    job = server.submit(load_image(name))
    kinds = []
    limit = time.monotonic() + PATIENCE
    while True:
        assert time.monotonic() < limit, f"the socket told only {kinds} of {job}"
        try:
            # Pings are returned too: they come for as long as a job hangs.
            opcode, message = socket.recv_data(control_frame=True)
        except websocket.WebSocketException as error:
            raise AssertionError(f"the socket told {kinds} of {job}, then {error!r}") from error
        assert opcode != websocket.ABNF.OPCODE_CLOSE, f"the socket closed after {kinds} of {job}"
        if opcode != websocket.ABNF.OPCODE_TEXT:
            continue
        message = json.loads(message)
        data = message.get("data") or {}
        if data.get("prompt_id") == job:
            kinds.append(message["type"])
            if message["type"] == "executing" and data["node"] is None:
                break
    socket.close()
    assert "execution_start" in kinds and "executed" in kinds, kinds
    entry = server.wait(job)
    assert entry["status"]["completed"] is True, entry
    named = entry["prompt"]["prompt_id"] if server.is_cloud else entry["prompt"][1]
    assert named == job, entry
    files = [file for output in entry["outputs"].values() for file in output["images"]]
    assert len(files) == 1, entry
    picture = server.fetch(files[0])
    assert picture.startswith(b"\x89PNG"), picture[:100]
    status, detail = server.get(f"jobs/{job}")
    assert status == 200 and detail["status"] == "completed", (status, detail)
    assert detail["update_time"] >= detail["create_time"], detail
    assert ("execution_meta" in detail) == server.is_cloud, detail


def queue_and_jobs(server: Server) -> None:
    jobs = [server.submit(empty_image(number)) for number in range(4)]
    _, queue = server.get("queue")
    for item in queue["queue_running"] + queue["queue_pending"]:
        assert len(item) == 5 and item[1], item
        outputs, created = (item[3], item[4]) if server.is_cloud else (item[4], item[3])
        assert isinstance(outputs, list) and "create_time" in created, item
    _, told = server.get("prompt")
    assert isinstance(told["exec_info"]["queue_remaining"], int), told
    status, answer = server.post("queue", {"delete": jobs[-1:]})
    assert status == 200 and (not server.is_cloud or set(answer) == {"deleted", "cleared"}), answer
    status, answer = server.post("interrupt", {})
    assert status == 200, (status, answer)
    for job in jobs:
        for _ in range(2):
            status, answer = server.post(f"jobs/{job}/cancel", {})
            assert status == 200, (status, answer)
    for word in ("created_at", "create_time", "execution_duration", "execution_time"):
        status, listed = server.get(f"jobs?sort_by={word}&sort_order=asc&limit=2&status=completed,cancelled,failed")
        assert status == 200 and len(listed["jobs"]) <= 2, listed
        assert set(listed["pagination"]) == {"offset", "limit", "total", "has_more"}, listed


def errors(server: Server) -> None:
    unknown = str(uuid.uuid4())
    if server.is_cloud:
        status, told = server.get(f"history_v2/{unknown}")
        assert status == 404 and told["code"] and told["message"], told
        status, told = server.get(f"jobs/{unknown}")
        assert status == 404 and told["code"] and told["message"], told
    else:
        told = server.get(f"history/{unknown}")
        assert told == (200, {}), told
    graph = {"1": {"class_type": "SaveImage", "inputs": {"filename_prefix": "a"}}}
    status, told = server.post("prompt", {"prompt": graph})
    assert status == 400 and "1" in told["node_errors"] and told["error"]["message"], told
    status, _, body = server.ask("GET", "queue", headers={})
    assert status == 401, (status, body)
    status, _, body = server.ask("GET", "features", headers={})
    assert status == 200 and json.loads(body)["supports_preview_metadata"] is True, (status, body)


def main(dialect: str) -> int:
    server = Server(os.environ["COMFY_V1_URL"], os.environ["COMFY_V1_KEY"], dialect == "cloud")
    run(server)
    queue_and_jobs(server)
    errors(server)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
