"""Which nodes of a graph depend on each other."""

from __future__ import annotations

from collections.abc import Sequence


def connected(reads: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components of a graph, what is read before what reads it (Tarjan 1972, without recursion).

    >>> connected([[1], [2], [1], [0]])
    [[1, 2], [0], [3]]
    """
    found: list[list[int]] = []
    number = [0] * len(reads)  # order of the visit; 0: not yet
    low = [0] * len(reads)
    stack: list[int] = []
    on_stack = [False] * len(reads)
    visits = 0
    for root in range(len(reads)):
        if number[root]:
            continue
        path = [(root, 0)]
        while path:
            node, place = path.pop()
            if place == 0:
                visits += 1
                number[node] = low[node] = visits
                stack.append(node)
                on_stack[node] = True
            for index in range(place, len(reads[node])):
                other = reads[node][index]
                if not number[other]:
                    path += [(node, index + 1), (other, 0)]
                    break
                if on_stack[other]:
                    low[node] = min(low[node], number[other])
            else:
                _close(node, number, low, stack, on_stack, found)
                if path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[node])
    return found


def _close(
    node: int, number: list[int], low: list[int], stack: list[int], on_stack: list[bool], found: list[list[int]]
) -> None:
    """Takes a finished component from the stack."""
    if low[node] != number[node]:
        return
    part: list[int] = []
    while not part or part[-1] != node:
        part.append(stack.pop())
        on_stack[part[-1]] = False
    found.append(sorted(part))
