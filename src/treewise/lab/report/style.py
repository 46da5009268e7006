"""The style of a report's page: one column, light or dark as the reader's system is, readable on a phone."""

__all__ = ["CSS"]

CSS = """
:root {
  --back: #ffffff; --ink: #1c2024; --muted: #60646c; --faint: #d5d8dd; --shade: #f5f6f8; --alarm: #fff3d6;
  --good: #17754b; --bad: #b3261e;
  --series-0: #0b62a4; --series-1: #c2500a; --series-2: #17754b; --series-3: #8a3ffc; --series-4: #a2185b;
  --series-5: #6b6b00; --series-6: #00808f; --series-7: #d63384; --series-8: #6d4537; --series-9: #566373;
  --series-10: #5f8f00; --series-11: #3b3bb3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171a; --ink: #e6e8ea; --muted: #9aa1a9; --faint: #3a4047; --shade: #1d2125; --alarm: #4a3b12;
    --good: #4fc38a; --bad: #ff8078;
    --series-0: #6cb4f0; --series-1: #ff9d5c; --series-2: #4fc38a; --series-3: #c3a1ff; --series-4: #ff86b7;
    --series-5: #cfcf57; --series-6: #4fd0dc; --series-7: #ff5fb0; --series-8: #cda08e; --series-9: #a9b4c2;
    --series-10: #b4e64a; --series-11: #9a9aff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 78rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem; padding-top: .5rem; border-top: 1px solid var(--faint); }
h3 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p { margin: .5rem 0; max-width: 46rem; overflow-wrap: anywhere; }
.warning { background: var(--alarm); padding: .5rem .75rem; border-radius: .3rem; }
.note, figcaption { color: var(--muted); font-size: .875rem; max-width: 46rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--faint); }
th { font-weight: 600; vertical-align: bottom; max-width: 16rem; }
td { max-width: 32rem; }
th, td { overflow-wrap: anywhere; }
th.number { overflow-wrap: normal; }
th:first-child, td:first-child { position: sticky; left: 0; background: var(--back); }
.number { text-align: right; }
td.number { white-space: nowrap; }
.whole { white-space: nowrap; }
.long { display: inline-block; min-width: 12rem; }
.second { color: var(--muted); font-size: .85rem; }
.code { font: .8rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; min-width: 16rem; }
th.code { font: inherit; font-weight: 600; }
@media (max-width: 40rem) {
  td:first-child { max-width: 8rem; }
  td:first-child .whole { white-space: normal; }
}
figure { margin: 1.5rem 0; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1rem; }
.forest { max-width: 40rem; }
.bars { overflow-x: auto; }
.bars svg { min-width: 44rem; }
figure svg { display: block; width: 100%; height: auto; font-family: system-ui, sans-serif; }
.legend { margin: 0 0 .25rem; font-size: .875rem; }
.key { margin-right: 1rem; white-space: nowrap; }
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .35em; border-radius: 2px; }
details { margin: 1.5rem 0; border-top: 1px solid var(--faint); padding-top: .75rem; }
summary { font-size: 1.1rem; font-weight: 600; cursor: pointer; }
@media print { details::details-content { content-visibility: visible; height: auto; } }
"""
