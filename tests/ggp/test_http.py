"""The transport, byte by byte: what the server of messages takes, gives and refuses."""

from __future__ import annotations

import select
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from talking import Serve, talk

from treewise.ggp.client import Unreachable, ask
from treewise.ggp.http import Limits, Request


def echo(request: Request) -> str:
    return f"[{request.text}]"


def split(reply: bytes) -> tuple[str, dict[str, str], str]:
    head, _, body = reply.decode("ascii").partition("\r\n\r\n")
    status, *lines = head.split("\r\n")
    return status, dict(line.split(": ", 1) for line in lines), body


def test_a_stock_request_and_all_of_the_reply(serve: Serve) -> None:
    request = (
        b"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\nReceiver: \r\n"
        b"Content-Type: text/acl\r\nContent-Length: 20\r\n\r\n( PLAY match.1 NIL )"
    )
    status, headers, body = split(talk(serve(echo), request))
    assert status == "HTTP/1.0 200 OK"
    assert body == "[( PLAY match.1 NIL )]"
    assert headers == {
        "Content-type": "text/acl",
        "Content-length": str(len(body)),
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": "POST, GET, OPTIONS",
        "Access-Control-Allow-Headers": "Content-Type",
        "Connection": "close",
    }


@pytest.mark.parametrize(
    "head",
    [
        b"POST / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nContent-Length: 6\r\n\r\n",
        b"POST / HTTP/1.0\r\ncOnTeNt-LeNgTh:6\r\n\r\n",
        b"POST / HTTP/1.0\nCONTENT-LENGTH: 6\n\n",
        b"POST /anything HTTP/1.1\r\nHost: x\r\ncontent-length:   6  \r\n\r\n",
        b"POST /\r\nContent-Length: 6\r\n\r\n",
    ],
)
def test_any_version_and_any_case(serve: Serve, head: bytes) -> None:
    assert split(talk(serve(echo), head + b"(INFO)"))[2] == "[(INFO)]"


def test_without_a_length_the_end_of_the_stream_ends_the_message(serve: Serve) -> None:
    port = serve(echo)
    assert split(talk(port, b"POST / HTTP/1.0\r\n\r\nhello", finish=True))[2] == "[hello]"
    assert split(talk(port, b"POST / HTTP/1.0\r\n\r\n(INFO ; ((\n)", finish=True))[2] == "[(INFO ; ((\n)]"


def test_without_a_length_or_an_end_the_last_parenthesis_does(serve: Serve) -> None:
    assert split(talk(serve(echo), b"POST / HTTP/1.0\r\n\r\n(A ; )\n (B))"))[2] == "[(A ; )\n (B))]"


def test_a_length_that_counts_characters(serve: Serve) -> None:
    body = "(A ; ä€\n b)".encode()
    head = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body.decode())
    assert split(talk(serve(echo), head + body))[2].endswith("b)]")


def test_a_length_that_is_too_long(serve: Serve) -> None:
    assert (
        split(talk(serve(echo), b"POST / HTTP/1.0\r\nContent-Length: 99\r\n\r\n(INFO)", finish=True))[2] == "[(INFO)]"
    )


def test_get_and_options(serve: Serve) -> None:
    port = serve(echo)
    assert split(talk(port, b"GET /%28PLAY%20m+%28a%201%29%29 HTTP/1.0\r\n\r\n"))[2] == "[(PLAY m (a 1))]"
    status, headers, body = split(talk(port, b"OPTIONS / HTTP/1.1\r\nOrigin: x\r\n\r\n"))
    assert (status, headers["Content-length"], body) == ("HTTP/1.0 200 OK", "0", "")


def test_chunks_and_expectations(serve: Serve) -> None:
    port = serve(echo)
    head = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert split(talk(port, head + b"3\r\n(IN\r\n3;x=y\r\nFO)\r\n0\r\n\r\n"))[2] == "[(INFO)]"
    reply = talk(port, b"POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 6\r\n\r\n(INFO)")
    assert reply.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK")


def test_replies_are_ascii(serve: Serve) -> None:
    assert split(talk(serve(lambda request: "grün"), b"GET /x HTTP/1.0\r\n\r\n"))[2] == "gr?n"


def test_megabytes(serve: Serve) -> None:
    received = []
    port = serve(lambda request: str(received.append(len(request.text))))
    body = b"(" + b"x " * 4_000_000 + b")"
    talk(port, b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    talk(port, b"POST / HTTP/1.0\r\n\r\n" + body)
    assert received == [len(body)] * 2


def test_too_much_is_refused_and_said_so(serve: Serve) -> None:
    much = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n(" % (17 * 2**20)
    assert talk(serve(echo), much).startswith(b"HTTP/1.0 413 ")
    port = serve(echo, Limits(size=1000, head=2000, receive=5))
    assert talk(port, b"POST / HTTP/1.0\r\nContent-Length: 1001\r\n\r\n" + b"x" * 1001).startswith(b"HTTP/1.0 413 ")
    assert talk(port, b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n").startswith(b"HTTP/1.0 413 ")
    assert b"too many" in talk(port, b"POST / HTTP/1.0\r\n\r\n(" + b"x" * 5000)
    chunks = b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + b"258\r\n" + b"x" * 600 + b"\r\n"
    assert talk(port, chunks + b"258\r\n").startswith(b"HTTP/1.0 413 ")
    assert talk(port, b"GET /" + b"x" * 5000).startswith(b"HTTP/1.0 413 ")
    assert split(talk(port, b"GET /fine HTTP/1.0\r\n\r\n"))[2] == "[fine]"


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff\xfe\x80 \x01 garbage\r\n\r\n",
        b"hello\r\n\r\n",
        b"\r\n\r\n",
        b"PUT / HTTP/1.0\r\n\r\n",
        b"POST / HTTP/1.0\r\nContent-Length: six\r\n\r\n(INFO)",
        b"POST / HTTP/1.0\r\nContent-Length: -6\r\n\r\n(INFO)",
        b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        bytes(range(256)) * 8,
        b"",
    ],
)
def test_garbage_is_answered(serve: Serve, data: bytes) -> None:
    port = serve(echo)
    assert talk(port, data, finish=True).startswith(b"HTTP/1.0 400 Bad Request")
    assert split(talk(port, b"GET /fine HTTP/1.0\r\n\r\n"))[2] == "[fine]"


def test_an_error_inside_is_nil(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    def fail(request: Request) -> str:
        raise KeyError("inside")

    assert split(talk(serve(fail), b"GET /x HTTP/1.0\r\n\r\n"))[2] == "nil"
    assert "no answer to x" in caplog.text


def test_slow_clients_are_cut_off_and_block_nobody(serve: Serve) -> None:
    port = serve(echo, Limits(receive=0.6))
    with socket.create_connection(("127.0.0.1", port), 10) as slow, socket.create_connection(("127.0.0.1", port)):
        slow.settimeout(10)
        begun = time.monotonic()
        slow.sendall(b"POST / HTTP/1.0\r\nContent-Length: 1000\r\n\r\n(")
        trickle = threading.Timer(0.3, lambda: slow.sendall(b"I"))
        trickle.start()
        assert split(talk(port, b"GET /fine HTTP/1.0\r\n\r\n"))[2] == "[fine]"
        reply = slow.recv(1000)
        trickle.join()
    assert reply.startswith(b"HTTP/1.0 408 ")
    assert time.monotonic() - begun < 5


def test_who_does_not_read_the_reply_blocks_nobody(serve: Serve) -> None:
    port = serve(lambda request: "x" * 50_000_000 if "big" in request.text else "small", Limits(send=0.3))
    with socket.create_connection(("127.0.0.1", port), 10) as deaf:
        deaf.sendall(b"GET /big HTTP/1.0\r\n\r\n")
        assert split(talk(port, b"GET /x HTTP/1.0\r\n\r\n"))[2] == "small"


def test_silent_connections_give_way(serve: Serve) -> None:
    port = serve(echo, Limits(connections=3, receive=60))
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(("127.0.0.1", port), 10)) for _ in range(9)]
        while len(select.select(silent, [], [], 10)[0]) < 6:  # all but three are cut off
            time.sleep(0.01)
        assert split(talk(port, b"GET /fine HTTP/1.0\r\n\r\n"))[2] == "[fine]"
        while len(select.select(silent, [], [], 10)[0]) < 7:
            time.sleep(0.01)


def test_who_waits_for_an_answer_keeps_the_place(serve: Serve) -> None:
    asked, answered = threading.Semaphore(0), threading.Event()

    def answer(request: Request) -> str:
        asked.release()
        answered.wait(20)
        return "at last"

    port = serve(answer, Limits(connections=2))
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(talk, port, b"GET /x HTTP/1.0\r\n\r\n") for _ in range(2)]
        for _ in waiting:
            asked.acquire()
        refused = talk(port, b"GET /x HTTP/1.0\r\n\r\n")
        answered.set()
        assert [split(reply.result())[2] for reply in waiting] == ["at last"] * 2
    assert refused.startswith(b"HTTP/1.0 503")
    assert b"busy" in refused


# ---- the client


class Fake:
    """Answers one connection with raw bytes."""

    def __init__(self, reply: bytes, close: bool = True) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.reply, self.close = reply, close
        self.request = b""
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        connection, _ = self.listener.accept()
        self.request = connection.recv(2**16)
        connection.sendall(self.reply)
        if not self.close:
            self.done.wait(10)
        connection.close()

    def __enter__(self) -> Fake:
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join(10)
        self.listener.close()


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (b"HTTP/1.0 200 OK\r\nContent-length: 12\r\n\r\n( mark 2 2 )", "( mark 2 2 )"),
        (b"HTTP/1.1 500 Oh no\r\nCONTENT-LENGTH: 4\r\n\r\nnoop", "noop"),
        (b"HTTP/1.0 200 OK\n\n \r\n noop\r\n\n", "noop"),
        (b"HTTP/1.0 200 OK\r\n\r\n", ""),
        (b"noop\n", "noop"),
        (b"", ""),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nnoop\r\n0\r\n\r\n", "noop"),
    ],
)
def test_any_reply_is_read(reply: bytes, text: str) -> None:
    with Fake(reply) as fake:
        assert ask("127.0.0.1", fake.port, "(INFO)", 10) == text


def test_a_reply_with_a_length_on_a_connection_that_stays_open() -> None:
    with Fake(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnoop", close=False) as fake:
        assert ask("127.0.0.1", fake.port, "(PLAY m NIL)", 10, receiver="alpha") == "noop"
    head, _, body = fake.request.partition(b"\r\n\r\n")
    assert body == b"(PLAY m NIL)"
    assert head.split(b"\r\n") == [
        b"POST / HTTP/1.0",
        b"Accept: text/delim",
        b"Host: 127.0.0.1",
        b"Sender: GAMESERVER",
        b"Receiver: alpha",
        b"Content-Type: text/acl",
        b"Content-Length: 12",
    ]


def test_what_can_go_wrong() -> None:
    with Fake(b"HTTP/1.1 200 OK\r\n", close=False) as fake, pytest.raises(TimeoutError):
        ask("127.0.0.1", fake.port, "(INFO)", 0.2)
    with Fake(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n") as fake, pytest.raises(Unreachable):
        ask("127.0.0.1", fake.port, "(INFO)", 10)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(Unreachable):
        ask("127.0.0.1", port, "(INFO)", 10)
    with pytest.raises(Unreachable, match=r"^\.\.:80 cannot be reached"):
        ask("..", 80, "(INFO)", 10)
