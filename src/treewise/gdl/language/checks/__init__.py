"""What is asked of a rulesheet, one module a subject; `treewise.gdl.language.validate` asks all of it.

- `source`: a rulesheet as the checks see it, with every atom and term at its place
- `rules`: safety, stratification, recursion
- `keywords`: the words that GDL gives a meaning
- `names`: what may be a slip, and what other programs may read differently
"""
