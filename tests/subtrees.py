"""Trees of searches, to be compared."""

from typing import Any

import treewise


def subtree(node: treewise.tree.Node) -> list[Any]:
    """Everything below a node, in a form that does not depend on where it is stored."""
    found, open_nodes = [], [((), node)]
    while open_nodes:
        path, at = open_nodes.pop()
        found.append((path, at.player, at.visits))
        for edge in at.edges:
            found.append(((*path, edge.action), edge.visits, edge.value, edge.prior, edge.proven))
            if edge.node is not None:
                open_nodes.append(((*path, edge.action), edge.node))
    return sorted(found, key=repr)
