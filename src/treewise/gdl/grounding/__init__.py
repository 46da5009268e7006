"""From rules with variables to few rules without: the steps of `treewise.gdl.grounder`, in its order.

Rewrites of rules:

- `specialise`: predicates made for the constants that they are called with
- `linear`: recursions that begin at constants run forwards
- `demand`: wide predicates restricted to what is asked of them
- `projection`: bodies split into small joins; `functional`: what facts determine

Grounding:

- `asp`: rules as an answer set program, and terms back again
- `clingo_process`, `clingo_child`: the grounder, in a process of its own; `rule_arrays`: what it hands over
- `assemble`: a `GroundProgram` of that

Rewrites of ground programs:

- `rulebook`: a program taken apart, and put together again
- `fold`: constants worked in; `prune`: what nothing reads left out; `merge`: equal atoms made one

For people and tests:

- `listing`: a ground program as a rulesheet
- `evaluate`: a ground program run in plain Python
"""
