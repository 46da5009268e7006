"""From rules with variables to few rules without: the steps of `treewise.gdl.grounder`, in its order.

Rewrites of rules:

- `specialise`: predicates made for the constants that they are called with
- `linear`: recursions that begin at constants run forwards
- `demand`: wide predicates restricted to what is asked of them
- `projection`: bodies split into small joins; `functional`: what facts determine

Grounding:

- `limits`: what a build may cost
- `numbers`: rules in numbers for the engine's grounder (`cpp/gdl/grounding`), and terms back again
- `assemble`: a `GroundProgram` of what it found

Rewrites of ground programs:

- `rulebook`: a program taken apart, and put together again
- `fold`: constants worked in; `prune`: what nothing reads left out; `merge`: equal atoms made one
- `still`: atoms that matter only while a fact holds, looked at through it

For people and tests:

- `listing`: a ground program as a rulesheet
- `evaluate`: a ground program run in plain Python
"""
