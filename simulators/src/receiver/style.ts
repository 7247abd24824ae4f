/** The page's whole look. Inline, and named by its hash in the page's policy, so that nothing else can style it. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #f1f4f3; --sheet: #ffffff; --ink: #14201c; --soft: #51605a; --line: #d5dedb; --accent: #0b6b4f;
  --note: #fff4d6; --note-ink: #5c4300; --note-line: #e4c465;
  --good: #0b6b4f; --good-ground: #e2f2e9; --bad: #a3231b; --bad-ground: #fdecea; --focus: #1b5fd0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1513; --sheet: #17211e; --ink: #ecf3f0; --soft: #a9b8b2; --line: #33423d; --accent: #57d3a8;
    --note: #3a2f10; --note-ink: #ffe3a0; --note-line: #6f5a1f;
    --good: #7fdcb0; --good-ground: #153427; --bad: #ffa49c; --bad-ground: #3b1917; --focus: #8fb8ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere;
}
main {
  max-width: 60rem; margin: 0 auto; overflow: hidden; background: var(--sheet);
  border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 1rem 2.5rem rgb(10 30 24 / 0.10);
}
.simulator {
  margin: 0; padding: 0.7rem 1.5rem; background: var(--note); color: var(--note-ink);
  border-bottom: 1px solid var(--note-line); font-size: 0.9rem;
}
.inside { padding: 1.5rem; }
h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.2; letter-spacing: -0.01em; }
.none { margin: 0; color: var(--soft); }
ul, ol { margin: 0; padding: 0; list-style: none; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-bottom: 1.25rem; }
nav a {
  display: block; padding: 0.4rem 0.8rem; border: 1px solid var(--line); border-radius: 99px; color: var(--ink);
  text-decoration: none; font-size: 0.9rem;
}
nav a:hover { border-color: var(--accent); }
nav a[aria-current] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600; }
nav span { color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums; }
ol > li { border-top: 1px solid var(--line); }
summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.75rem; padding: 0.7rem 0; cursor: pointer; }
summary strong { flex: none; min-width: 3.2rem; padding: 0 0.5rem; border-radius: 99px; font-size: 0.85rem; text-align: center; }
.good { color: var(--good); background: var(--good-ground); }
.bad { color: var(--bad); background: var(--bad-ground); }
.type { font-weight: 600; }
.path, time { color: var(--soft); font-size: 0.9rem; }
time { margin-left: auto; font-variant-numeric: tabular-nums; }
dl { margin: 0 0 0.75rem; font-size: 0.9rem; }
dl div { display: flex; gap: 0.75rem; }
dt { flex: none; width: 5.5rem; color: var(--soft); }
dd { margin: 0; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.85rem; }
pre {
  margin: 0 0 1rem; padding: 0.9rem 1rem; max-height: 24rem; overflow: auto; border-radius: 0.7rem; background: var(--ground);
  font: 0.85rem/1.5 ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap;
}
:is(a, summary, pre):focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
`
