"""Recorded dialogues of stock programs: our player hears that server, our server hears that player."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from talking import quick_player, say

from treewise.gdl.normalise import parse_sheet
from treewise.gdl.syntax import read
from treewise.ggp.machines import slow_machine
from treewise.ggp.messages import Play, Start, Stop, fold, read_info, read_message, read_move
from treewise.ggp.position import Position
from treewise.ggp.wire import Balance

MODES = ("plain", "illegal", "garbage", "slow", "upper", "scrambled")


def requests(log: Path) -> Iterator[tuple[str, str]]:
    """The body of every request, with the reply that the scripted player gave."""
    for part in log.read_text(encoding="utf-8").split(">>> REQUEST\n")[1:]:
        request, _, reply = part.partition("<<< REPLY ")
        yield request.replace("\r\n", "\n").partition("\n\n")[2].strip(), reply.strip()


@pytest.mark.parametrize("side", ["x", "o"])
@pytest.mark.parametrize("mode", MODES)
def test_our_player_answers_the_stock_server(transcripts: Path, mode: str, side: str) -> None:
    player = quick_player()
    position, role = None, -1
    for text, _ in requests(transcripts / f"ggpbase_server_{mode}_{side}.log"):
        message = read_message(text)
        assert Balance().complete(text.encode())
        if isinstance(message, Start):
            short = Start(message.match, message.role, message.rules, 1, 1)
            assert say(player, str(short)) == "ready"
            position = Position(slow_machine(parse_sheet(message.rules)))
            role = position.machine.roles.index(message.role)
            continue
        assert position is not None
        assert isinstance(message, Play | Stop)
        if message.moves is not None:
            position = position.after(message.moves)
        answer = say(player, text)
        if isinstance(message, Play):
            assert answer in position.legal_texts(role), "legal, and spelt as the server spells it"
        else:
            assert answer == "done"
            assert position.machine.is_terminal(position.state)
    assert position is not None
    player.close()


@pytest.mark.parametrize("mode", MODES)
def test_the_stock_record_is_what_our_machine_says(transcripts: Path, mode: str) -> None:
    text = (transcripts / f"ggpbase_server_{mode}_result.txt").read_text(encoding="utf-8")
    record = json.loads(text.partition("RESULT ")[2] or text)
    start = next(read_message(text) for text, _ in requests(transcripts / "ggpbase_server_plain_x.log"))
    assert isinstance(start, Start)
    position = Position(slow_machine(parse_sheet(start.rules)))
    for moves, state in zip([None, *record["moves"]], record["states"], strict=True):
        if moves is not None:
            position = position.after(moves)
        facts = {fold(str(fact)) for fact in read(state)[0].items}  # type: ignore[union-attr]
        assert facts == {fold(fact) for fact in position.machine.facts(position.state)}
    assert position.machine.goals(position.state) == record["goalValues"]


def test_our_server_understands_the_stock_player(transcripts: Path) -> None:
    dialogue = (transcripts / "ggpbase_player_dialogue.txt").read_text(encoding="utf-8")
    replies = {}
    for part in re.split(r"^=== ", dialogue, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        raw = rest.rpartition("<<< ")[2].strip()
        replies[name] = raw.replace("\\r\\n", "\n").partition("\n\n")[2]
    assert read_info(replies["INFO idle"]).status == "available"
    assert read_info(replies["INFO in match"]) == read_info(replies["GET INFO"])
    assert read_info(replies["INFO in match"]).status == "busy"
    assert read_move(replies["PLAY first"]) == "(mark 2 2)"
    assert read_move(replies["PLAY second (idle role)"]) == "noop"
    for name in ("START while busy", "PLAY other id", "ABORT again", "STOP without match"):
        assert read_move(replies[name]) == "busy"
