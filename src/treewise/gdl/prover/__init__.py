"""The reference reasoner: it proves what holds, for the arguments asked for, and grounds nothing beforehand.

In reading order:

- `values`: ground terms as numbers
- `program`: facts in tables, rules by predicate; `levels`: what each predicate changes with
- `plan`: in which order a body is asked
- `emit`: rules as Python functions, whose lines `source` writes; `tabling`: recursion without recursing
- `code`: the functions, made when they are first asked for, and their tables
- `reasoner`: the `Prover`: legal actions, next facts, goals, percepts
- `game`: its states as an ordinary game; `hidden`: what players do not see (GDL-II)
- `machine`: the `ProverMachine`
"""
