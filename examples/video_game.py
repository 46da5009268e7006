"""A video game of your own (VGDL), and a search that plays it.

python examples/video_game.py [simulations]
"""

import sys

from treewise import uct
from treewise.vgdl import Source, make_game, observe

# Two gems open the door; something hunts whoever collects them.
GAME = """
BasicGame
    SpriteSet
        gem    > Resource limit=5
        exit   > Door
        hunter > Chaser stype=avatar cooldown=3
    LevelMapping
        g > gem
        e > exit
        h > hunter
    InteractionSet
        avatar wall   > stepBack
        hunter wall   > stepBack
        gem avatar    > collectResource scoreChange=1
        exit avatar   > killIfOtherHasMore resource=gem limit=2 scoreChange=5
        avatar hunter > killSprite
    TerminationSet
        SpriteCounter stype=exit   win=True
        SpriteCounter stype=avatar win=False
"""
LEVEL = """\
wwwwwwwww
wA  g  hw
w www w w
w   g  ew
wwwwwwwww"""


def main(simulations: int = 2_000) -> None:
    state = make_game(Source(GAME, LEVEL), win_value=10.0).initial_state()
    session = uct(simulations=simulations).session(seed=1)
    while not state.is_terminal():
        state.apply(session.run(state).action)
    seen = observe(state)
    print(state, f"score {seen.score} after {seen.tick} ticks, {['lost', 'won'][seen.winner]}", sep="\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
