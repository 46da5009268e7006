"""What is asked of a rulesheet, one module a subject; `treewise.gdl.validate` asks all of it."""
