"""What a set of rules says as a whole, what is wrong with it, and how it is played nevertheless.

In reading order:

- `conditions`: a rule's body as a tree, while it is being read
- `connected`: which nodes of a graph depend on each other
- `dependencies`: which predicates read which: recursion, negation in it, what changes with the state
- `finding`: what can be said about a sheet; `checks`: who says it, one module a subject; `validate`: all of them
- `stratify`: negation inside a cycle made harmless where the atoms themselves form none
- `sorts`: what arguments can be
- `repair`: a sheet ready to be played
"""
