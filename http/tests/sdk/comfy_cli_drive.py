"""Drives comfy-cli in cloud mode against the server at COMFY_CLOUD_BASE_URL, as a user in a terminal would."""

import json
import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from pictures import empty_image, load_image, png

# Seconds that a command may take. Only what hangs takes as long.
PATIENCE = 300
# A name that only this run has.
RUN = uuid.uuid4().hex


class Terminal:
    """A terminal of a user without any settings, in an empty folder."""

    def __init__(self, folder: Path) -> None:
        home = folder / "home"
        home.mkdir()
        self.folder = folder
        self.environment = {
            **os.environ,
            "HOME": str(home),
            "COMFY_WHERE": "cloud",
            "DO_NOT_TRACK": "1",
            "COMFY_NO_UPDATE_CHECK": "1",
            "NO_PROXY": "127.0.0.1,localhost",
        }

    def comfy(self, *arguments: str, key: str | None = None) -> dict:
        """The envelope that a command prints last."""
        changes = {"COMFY_CLOUD_API_KEY": key} if key else {}
        program = Path(sys.executable).with_name("comfy")
        done = subprocess.run(
            [str(program), "--json", *arguments],
            capture_output=True,
            check=False,
            cwd=self.folder,
            env={**self.environment, **changes},
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=PATIENCE,
        )
        lines = done.stdout.strip().splitlines()
        assert lines, f"{arguments} prints nothing: {done.stderr}"
        try:
            return json.loads(lines[-1])
        except ValueError:
            raise AssertionError(f"{arguments} prints no envelope last: {done.stdout}{done.stderr}") from None

    def data(self, *arguments: str) -> dict:
        envelope = self.comfy(*arguments)
        assert envelope["ok"], f"{arguments}: {envelope['error']}"
        return envelope["data"]

    def code(self, *arguments: str, key: str | None = None) -> str:
        """The code of the error that a command ends with."""
        envelope = self.comfy(*arguments, key=key)
        assert not envelope["ok"], f"{arguments}: {envelope['data']}"
        return envelope["error"]["code"]

    def file(self, name: str, content: bytes | dict) -> str:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return str(path)


def run_and_download(terminal: Terminal) -> None:
    picture = terminal.file(f"{RUN}.png", png(RUN))
    terminal.data("upload", picture)
    fixture = terminal.file("load.json", load_image(f"{RUN}.png"))
    ran = terminal.data("run", "--workflow", fixture, "--wait")
    assert ran["status"] == "completed" and len(ran["outputs"]) == 1 and not ran["warnings"], ran
    job = ran["prompt_id"]
    told = terminal.data("jobs", "status", job)
    assert told["status"] == "completed", told
    listed = terminal.data("jobs", "ls")["jobs"]
    assert [row["status"] for row in listed if row["prompt_id"] == job] == ["completed"], listed
    saved = terminal.data("download", job, "--out-dir", str(terminal.folder / "out"))["files"]
    assert len(saved) == 1 and Path(saved[0]["path"]).read_bytes().startswith(b"\x89PNG"), saved


def cancel(terminal: Terminal) -> None:
    fixture = terminal.file("empty.json", empty_image(int(RUN[:6], 16)))
    job = terminal.data("run", "--workflow", fixture, "--no-watch", "--no-notify")["prompt_id"]
    terminal.data("jobs", "cancel", job)
    terminal.data("jobs", "cancel", job)
    ended = terminal.comfy("jobs", "watch", job)
    status = (ended["data"] or ended["error"]["details"] or {}).get("status")
    assert status in ("cancelled", "completed"), ended
    unknown = str(uuid.uuid4())
    for command in ("cancel", "status"):
        code = terminal.code("jobs", command, unknown)
        assert code == "prompt_not_found", f"{command}: {code}"


def library_and_workflows(terminal: Terminal) -> None:
    found = terminal.data("assets", "library", "ls", "--name", RUN, "--tags", "input")
    assert found["total"] == 1 and found["has_more"] is False, found
    same = terminal.data("assets", "library", "ensure", "--hash", found["assets"][0]["hash"])
    assert same["id"] == found["assets"][0]["id"] and same["created_new"] is False, same
    outputs = terminal.data("assets", "library", "ls", "--tags", "output", "--limit", "1")
    assert outputs["count"] == 1, outputs
    fixture = terminal.file("saved.json", empty_image(1))
    saved = terminal.data("workflow", "save", fixture, "--name", RUN)["workflow_id"]
    listed = terminal.data("workflow", "list", "--name", RUN)["workflows"]
    assert [row["id"] for row in listed] == [saved], listed
    copy = terminal.folder / "copy.json"
    terminal.data("workflow", "get", saved, "--out", str(copy))
    got = json.loads(copy.read_text())
    assert got == empty_image(1), got
    terminal.data("workflow", "delete", saved)
    code = terminal.code("workflow", "get", saved)
    assert code == "workflow_not_found", code


def account(terminal: Terminal) -> None:
    terminal.data("cloud", "status")
    terminal.data("model", "list-folders")
    code = terminal.code("cloud", "status", key="vg_wrong")
    assert code == "cloud_unauthorized", code


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(Path(folder))
        run_and_download(terminal)
        cancel(terminal)
        library_and_workflows(terminal)
        account(terminal)
    return 0


if __name__ == "__main__":
    sys.exit(main())
