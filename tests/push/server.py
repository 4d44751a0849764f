#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""server.py DIRECTORY [PORT]

A server for profiles on 127.0.0.1, which prints its port in DIRECTORY/port. Each
request is kept there: N.pprof has the profile, which is that of a collector as it came, and
N.labels the labels that come with it, a line each, by the descriptions of Pyroscope's /ingest and of Parca's
WriteRaw. The file DIRECTORY/answers has an answer for each of the next requests,
a line each: a status and a text, "partial" for a collector that has rejected a profile
in a request that it took, with "held" before them for an answer that waits for
the file DIRECTORY/release, "garbage", or "nothing". Without a line the answer is 200,
or 401 if there is a file DIRECTORY/authorization whose text is not that of the request's header Authorization.
N.headers has the header of a request.
"""

import base64
import gzip
import http.server
import json
import pathlib
import sys
import time
import urllib.parse

directory = pathlib.Path(sys.argv[1])


def next_answer():
    """The next line of the file of answers, which is removed there. A test that looks at
    the file finds the one before or the one after."""
    path = directory / "answers"
    lines = path.read_text().splitlines() if path.exists() else []
    rest = directory / "answers.rest"
    rest.write_text("".join(line + "\n" for line in lines[1:]))
    rest.replace(path)
    return lines[0] if lines else "200"


def read_pyroscope(query, body):
    """Profile and labels of a request to /ingest"""
    fields = dict(urllib.parse.parse_qsl(query, strict_parsing=True))
    name, rest = fields.pop("name").split("{")
    if fields.pop("format") != "pprof" or not rest.endswith("}"):
        raise ValueError(query)
    labels = dict(pair.split("=", 1) for pair in rest[:-1].split(",") if pair)
    return gzip.decompress(body), {"name": name, **fields, **labels}


def read_parca(body):
    """Profile and labels of a WriteRawRequest in JSON"""
    [series] = json.loads(body)["series"]
    [sample] = series["samples"]
    pairs = [(item["name"], item["value"]) for item in series["labels"]["labels"]]
    if len(dict(pairs)) != len(pairs):
        raise ValueError(pairs)
    profile = base64.b64decode(sample["rawProfile"], validate=True)
    return gzip.decompress(profile), dict(pairs)


class Handler(http.server.BaseHTTPRequestHandler):
    """One request"""

    protocol_version = "HTTP/1.1"

    def read(self):
        """Profile and labels of the request"""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        url = urllib.parse.urlsplit(self.path)
        if url.path.endswith("/ingest"):
            return read_pyroscope(url.query, body)
        if url.path.endswith("/v1development/profiles"):
            if self.headers["Content-Type"] != "application/x-protobuf":
                raise ValueError(self.headers["Content-Type"])
            return body, {}
        if self.headers["Content-Type"] != "application/json":
            raise ValueError(self.headers["Content-Type"])
        return read_parca(body)

    def keep(self, profile, labels):
        """Keep what has arrived."""
        number = len(list(directory.glob("*.pprof"))) + 1
        lines = sorted(f"{name}={value}\n" for name, value in labels.items())
        (directory / f"{number}.labels").write_text("".join(lines))
        (directory / f"{number}.headers").write_text(str(self.headers))
        (directory / f"{number}.pprof").write_bytes(profile)

    def is_authorized(self):
        """The request has the credentials that the test expects."""
        path = directory / "authorization"
        expected = path.read_text().rstrip("\n") if path.exists() else None
        return expected in (None, self.headers["Authorization"])

    def answer(self, status, text):
        """Answer with a status and a text."""
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", "http://127.0.0.1:1/ingest")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_POST(self):
        """A profile"""
        profile, labels = self.read()
        with open(directory / "requests", "a", encoding="ascii") as log:
            log.write("request\n")
        answer = next_answer()
        is_held = answer.startswith("held ")
        status, _, text = answer.removeprefix("held ").partition(" ")
        if status == "200" and not self.is_authorized():
            status, text = "401", "who are you"
        if status == "garbage":
            self.wfile.write(b"\x15\x03\x01\x00\x02\x02\x46 garbage\n")
        if status in ("garbage", "nothing"):
            self.close_connection = True
            return
        if status == "partial":
            status, text = "200", "\n\x02\b\x01"
        if status == "200":
            self.keep(profile, labels)
        while is_held and not (directory / "release").exists():
            time.sleep(0.05)
        self.answer(int(status), text)

    def log_message(self, *args):
        """Print nothing."""


class Server(http.server.ThreadingHTTPServer):
    """A server that takes its port again at once"""

    allow_reuse_address = True


port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
server = Server(("127.0.0.1", port), Handler)
(directory / "port.new").write_text(str(server.server_port))
(directory / "port.new").rename(directory / "port")
server.serve_forever()
