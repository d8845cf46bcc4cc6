"""A page in a real browser: Chromium opens it and prints what it ends with. Without Chromium such tests are skipped."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OPTIONS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--virtual-time-budget=20000"),
    *("--window-size=1200,900", "--dump-dom"),
]


def browse(page: str, folder: Path, address: str = "") -> Any:
    """What a script of the page leaves behind as JSON in an element `seen`; `address` follows the file's name."""
    if CHROMIUM is None:
        pytest.skip("no Chromium in PATH: the page is not tested in a browser")
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    command = [CHROMIUM, *OPTIONS, f"--user-data-dir={folder / 'profile'}", file.as_uri() + address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    match = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert match, done.stderr[-2000:]
    return json.loads(unescape(match[1]))
