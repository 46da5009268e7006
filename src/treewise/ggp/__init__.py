"""General game playing over HTTP: a player for game servers, and a server for players.

In reading order:

- `messages`: what is said, read and written in both forms of the protocol
- `wire`, `places`, `http`, `client`: bytes on a socket, room for some, a server that survives anybody, one question
  with a deadline
- `clock`: when an answer must be sent
- `position`: where a match stands on a machine; `tracking`: where it may stand after what a server told; `percepts`:
  what a role sees where rules hide something
- `thinker`: a search for one role; `crowd`: rules with more players than a search can take
- `building`: a fast machine, built elsewhere; `machines`: a slow one at once, the fast one when it is built
- `kind`: what random matches say of a game; `settings`: how a player plays
- `reasoning`: thinking about one match; `match_process`: the same in a process that ends with the match
- `playing`: one match of the player by its clocks; `player`: all of them
- `entrants`: who plays in a match of our server; `scramble`: a sheet without names that say something
- `match_server`: one match of our server; `record`: what is written of it
- `tournament`, `standings`: many matches, and what they say
"""
