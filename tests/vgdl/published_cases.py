"""Cases of what is known from publications only: no recorded trajectory has these classes and effects."""

from __future__ import annotations

from small_games import Case

CLASSES = [
    Case(
        "ErraticMissile that never errs", "m > ErraticMissile orientation=RIGHT prob=0", "m..\nA..",
        """
        NIL m 0,0
        NIL m 10,0
        NIL m 20,0
        """,
    ),
    Case(
        "Spreader: four more in its second tick, and it is gone after its limit",
        "avatar > ShootAvatar stype=s\ns > Spreader limit=2 stype=b\nb > Immovable", "...\nA..\n...",
        """
        USE s 10,10 b gone
        NIL s 10,10 b 10,0 0,10 10,20 20,10
        NIL s 10,10
        NIL s gone
        """,
    ),
    Case(
        "ResourcePack is collected like a resource", "r > ResourcePack limit=1", "Arr",
        """
        RIGHT r 20,0 r.held=1
        RIGHT r 20,0 r.held=1
        """,
        "r avatar > collectResource",
    ),
    Case(
        "HorizontalAvatar", "avatar > HorizontalAvatar", "...\n.A.",
        """
        UP    avatar 10,10
        LEFT  avatar 0,10
        DOWN  avatar 0,10
        RIGHT avatar 10,10
        """,
    ),
    Case(
        "VerticalAvatar", "avatar > VerticalAvatar", "...\n.A.",
        """
        LEFT avatar 10,10
        UP   avatar 10,0
        DOWN avatar 10,10
        """,
    ),
    Case(
        "OrientedAvatar turns, then moves", "avatar > OrientedAvatar", "A..\n...",
        """
        RIGHT avatar 10,0 facing=4
        DOWN  avatar 10,0 facing=3
        DOWN  avatar 10,10 facing=3
        USE   avatar 10,10
        """,
    ),
    Case(
        "MissileAvatar flies by itself", "avatar > MissileAvatar orientation=RIGHT speed=0.5", "A..\n...",
        """
        DOWN avatar 0,0
        LEFT avatar 5,0
        NIL  avatar 10,0
        """,
    ),
    Case(
        "MissileAvatar takes the direction of what it was",
        "avatar >\n n > OrientedAvatar\n f > MissileAvatar\nx > Immovable", "nx..",
        """
        RIGHT n gone f 10,0
        NIL   f 10,0
        NIL   f 20,0
        """,
        "n x > transformTo stype=f",
    ),
    Case(
        "ShootAvatar with ammunition: none, no shot; one for each",
        "avatar > ShootAvatar stype=s ammo=r\ns > Flicker limit=0\nr > Resource limit=9", "Arr.",
        """
        USE   s gone
        RIGHT r.held=1 r 20,0
        USE   s 20,0
        USE   s gone
        USE   s gone
        RIGHT r.held=1
        USE   s 30,0
        """,
        "r avatar > collectResource",
    ),
    Case(
        "ShootAvatar: a shot that is not made takes none", "avatar > ShootAvatar stype=s ammo=r\n"
        "s > Immovable singleton=True\nr > Resource limit=9", "Arr.",
        """
        RIGHT r.held=1
        RIGHT r.held=2
        USE   s 30,0 r.held=1
        USE   s 30,0 r.held=1
        """,
        "r avatar > collectResource",
    ),
    Case(
        "FlakAvatar with ammunition", "avatar > FlakAvatar stype=s ammo=r\ns > Immovable\nr > Resource limit=9", "Ar.",
        """
        USE   s gone
        RIGHT r.held=1
        USE   s 10,0
        RIGHT avatar 20,0
        USE   s 10,0
        """,
        "r avatar > collectResource",
    ),
]  # fmt: skip

EFFECTS = [
    Case(
        "TIME: once, to all that are there", "a > Immovable\nb > Immovable\ns > SpawnPoint stype=a", "Aa\nsa",
        """
        NIL a 10,0 10,10 0,10 b gone
        NIL a gone b 10,0 10,10 0,10 0,10
        NIL a 0,10 b 10,0 10,10 0,10 0,10
        """,
        "a TIME > transformTo stype=b timer=1 nextExecution=1",
    ),
    Case(
        "TIME: without a timer, in the first tick; what it makes waits", "g > Immovable\n a >\n b >", "Aa",
        """
        NIL a gone b 10,0 score=1
        NIL a gone b 10,0 score=1
        """,
        "g TIME > transformTo stype=b scoreChange=1",
    ),
    Case(
        "TIME: nothing is done to a dead avatar, and it comes before meetings", "x > Immovable\nb > Immovable", "Ax",
        """
        NIL   b 0,0
        RIGHT b 0,0 10,0 alive=0
        NIL   b 0,0 10,0
        """,
        "avatar x > killSprite\navatar TIME > spawn stype=b repeating=True",
    ),
    Case(
        "setSpeedForAll: those that are there, not those that come",
        "g >\n a > Missile orientation=RIGHT speed=0\n b > Passive orientation=RIGHT\nx > Immovable\n"
        "s > SpawnPoint stype=a cooldown=3",
        "A.x\na..\nb..\ns..",
        """
        NIL   a 0,10 0,30 b 0,20 score=0
        RIGHT a 0,10 0,30 b 0,20 avatar 10,0
        RIGHT a 0,10 0,30 b 0,20 avatar 20,0 score=1
        LEFT  a 5,10 5,30 0,30 b 5,20
        NIL   a 10,10 10,30 0,30 b 10,20 score=1
        """,
        "x avatar > setSpeedForAll stype=g value=0.5 scoreChange=1",
    ),
    Case(
        "setSpeedForAll lets things stop, and start at another speed",
        "m > Missile orientation=RIGHT\nx > Immovable\ny > Immovable", "Axy\nm..\n",
        """
        RIGHT m 0,10
        NIL   m 0,10
        RIGHT m 0,10
        NIL   m 20,10
        """,
        "x avatar > setSpeedForAll stype=m value=0\ny avatar > setSpeedForAll stype=m value=2",
    ),
    Case(
        "spawn", "x > Immovable\nb > Immovable", "Ax",
        """
        NIL   b gone
        RIGHT b 10,0 score=1
        """,
        "x avatar > spawn stype=b scoreChange=1",
    ),
    Case(
        "spawn of what never comes", "x > Immovable\nb > Immovable", "Ax", "RIGHT b gone score=0",
        "x avatar > spawn stype=b prob=0 scoreChange=1",
    ),
    Case(
        "spawn in the cells around", "x > Immovable\na > Immovable\nb > Immovable\nc > Immovable\nd > Immovable",
        "...\nAx.\n...",
        "RIGHT a 10,0 b 10,20 c 0,10 d 20,10",
        "x avatar > spawnAbove stype=a\nx avatar > spawnBelow stype=b\nx avatar > spawnLeft stype=c\n"
        "x avatar > spawnRight stype=d",
    ),
    Case(
        "spawnIfHasMore spends, spawnIfHasLess does not mind",
        "r > Resource limit=9\nx > Immovable\nb > Immovable\nc > Immovable", "xArr.",
        """
        RIGHT r.held=1 b gone
        LEFT  avatar 10,0
        LEFT  avatar 0,0 b 0,0 c 0,0 score=3
        """,
        "r avatar > collectResource\navatar x > spawnIfHasMore resource=r limit=1 spend=1 stype=b scoreChange=2\n"
        "avatar x > spawnIfHasLess resource=r limit=0 stype=c scoreChange=1",
    ),
    Case(
        "transformToAll", "a > Immovable\nb > Immovable\nx > Immovable", "Axa.a",
        """
        NIL   a 20,0 40,0
        RIGHT a gone b 20,0 40,0 x 10,0
        """,
        "x avatar > transformToAll stype=a stypeTo=b",
    ),
    Case(
        "transformIfCount", "a > Immovable\nb > Immovable\nc > Immovable\nd > Immovable", "Aacd.d",
        """
        RIGHT a gone b 10,0
        RIGHT c gone
        RIGHT d 50,0 20,0
        """,
        "d avatar > killSprite\na avatar > transformIfCount stype=b stypeCount=d geq=2 leq=2\n"
        "c avatar > transformIfCount stype=b stypeCount=d leq=1 estype=d",
    ),
    Case(
        "transformToRandomChild", "x > Immovable\ng > Immovable\n a >", "Ax", "RIGHT x gone a 10,0",
        "x avatar > transformToRandomChild stype=g",
    ),
    Case(
        "changeResource up to the limit and down to nothing", "r > Resource limit=2\nx > Immovable\ny > Immovable",
        "Axxxy",
        """
        RIGHT r.held=1 score=1 x 20,0 30,0
        RIGHT r.held=2 score=2 x 30,0
        RIGHT r.held=2 score=2 x 30,0
        RIGHT alive=0 score=7
        """,
        "avatar x > changeResource resource=r killResource=True scoreChange=1\n"
        "avatar y > changeResource resource=r value=-5 scoreChange=5\navatar y > killIfHasLess resource=r limit=0",
    ),
    Case(
        "killIfHasMore and killIfHasLess", "r > Resource limit=9\nx > Immovable\navatar > MovingAvatar", "xAr.x",
        """
        RIGHT r.held=1 alive=1
        RIGHT alive=1
        RIGHT alive=0 score=1
        """,
        "r avatar > collectResource\navatar x > killIfHasMore resource=r limit=1 scoreChange=1\n"
        "avatar x > killIfHasLess resource=r limit=0 scoreChange=5",
    ),
    Case(
        "killIfHasLess", "r > Resource limit=9\nx > Immovable", "xAr", "LEFT alive=0 score=5",
        "avatar x > killIfHasLess resource=r limit=0 scoreChange=5",
    ),
    Case(
        "killAll", "a > Immovable\nx > Immovable", "Axaa", "RIGHT a gone x 10,0",
        "x avatar > killAll stype=a",
    ),
    Case(
        "killIfAlive", "x > Immovable\ny > Immovable\nz > Immovable", "Ac",
        "RIGHT x gone y 10,0 z gone score=1",
        "x avatar > killIfAlive scoreChange=1\nz avatar > killSprite\ny z > killIfAlive scoreChange=1",
        mapping="c > x y z",
    ),
    Case(
        "killIfFrontal and killIfNotFrontal",
        "m > Missile orientation=RIGHT\nn > Missile orientation=LEFT\nk > Missile orientation=UP", "m.n\n...\nA.c",
        """
        NIL m 0,0  n 20,0
        NIL m gone n 10,0 k 20,10
        """,
        "m n > killIfFrontal\nn m > killIfNotFrontal",
        mapping="c > k",
    ),
    Case(
        "killIfNotFrontal", "m > Missile orientation=RIGHT\nx > Immovable", "m.x\nA..",
        """
        NIL m 0,0
        NIL m 10,0
        NIL m gone score=1
        """,
        "m x > killIfFrontal scoreChange=5\nm x > killIfNotFrontal scoreChange=1",
    ),
    Case(
        "attractGaze turns, and aligns if told to",
        "m > Missile orientation=RIGHT speed=0.5\nb > Immovable orientation=DOWN", "m.b\n...\nA..",
        """
        NIL m 0,0
        NIL m 5,0
        NIL m 10,0
        NIL m 20,0
        NIL m 20,5
        """,
        "m b > attractGaze align=True",
    ),
    Case(
        "align", "m > Missile orientation=RIGHT speed=0.5\nb > Immovable orientation=UP", "...\nm.b\nA..",
        """
        NIL m 0,10
        NIL m 5,10
        NIL m 10,10
        NIL m 20,10
        NIL m 20,10
        """,
        "m b > align",
    ),
    Case(
        "removeScore", "x > Immovable\ny > Immovable", "Axy",
        """
        RIGHT score=7
        RIGHT score=2
        """,
        "x avatar > killSprite scoreChange=7\ny avatar > removeScore scoreChange=2",
    ),
]  # fmt: skip
