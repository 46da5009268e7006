"""Fuzzes everything that reads text from outside: only ValueError may come out.

python tests/fuzz/fuzz_text.py -max_total_time=600
"""

import sys
import warnings

import atheris

with atheris.instrument_imports(include=["treewise.spec", "treewise.part", "treewise.search", "treewise.game"]):
    import treewise
    from treewise import spec

GAMES = [treewise.load_game(name) for name in treewise.game_names()]
warnings.simplefilter("ignore")  # Python's parser warns about odd literals


def read_text(data: bytes) -> None:
    source = atheris.FuzzedDataProvider(data)
    kind = source.ConsumeIntInRange(0, 3)
    player = source.ConsumeIntInRange(-2, 6)
    game = source.PickValueInList(GAMES)
    text = source.ConsumeUnicodeNoSurrogates(200)
    try:
        if kind == 0:
            spec.parse(text)
        elif kind == 1:
            search = treewise.parse_search(text)
            assert treewise.parse_search(search.text()) == search
        elif kind == 2:
            treewise.load_game(text)
        else:
            state = game.parse_state(text, player)
            state.playout(1, max_length=100)
    except ValueError:
        pass


if __name__ == "__main__":
    atheris.Setup(sys.argv, read_text)
    atheris.Fuzz()
