/** The page's whole look. Inline, and named by its hash in the page's policy, so that nothing else can style it. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #f1f4f3; --sheet: #ffffff; --ink: #14201c; --soft: #51605a; --line: #d5dedb; --edge: #74837d;
  --accent: #0b6b4f; --on-accent: #ffffff; --accent-deep: #08523c;
  --note: #fff4d6; --note-ink: #5c4300; --note-line: #e4c465;
  --bad: #a3231b; --bad-ground: #fdecea; --focus: #1b5fd0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1513; --sheet: #17211e; --ink: #ecf3f0; --soft: #a9b8b2; --line: #33423d; --edge: #7a8d86;
    --accent: #57d3a8; --on-accent: #06241a; --accent-deep: #86e4c3;
    --note: #3a2f10; --note-ink: #ffe3a0; --note-line: #6f5a1f;
    --bad: #ffa49c; --bad-ground: #3b1917; --focus: #8fb8ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main {
  width: 100%; max-width: 27rem; overflow: hidden; background: var(--sheet);
  border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 1rem 2.5rem rgb(10 30 24 / 0.10);
}
.simulator {
  margin: 0; padding: 0.7rem 1.5rem; background: var(--note); color: var(--note-ink);
  border-bottom: 1px solid var(--note-line); font-size: 0.9rem;
}
.inside { padding: 1.5rem; }
h1 { margin: 0; font-size: 1.05rem; font-weight: 600; color: var(--soft); overflow-wrap: anywhere; }
.amount { margin: 0.15rem 0 1.25rem; font-size: 2.4rem; line-height: 1.2; font-weight: 700; letter-spacing: -0.02em;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
dl { margin: 0 0 1.5rem; padding: 0.35rem 0; border-block: 1px solid var(--line); }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: 0.45rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: 0.5rem; font-weight: 600; }
label {
  display: flex; align-items: center; gap: 0.75rem; min-height: 3rem; padding: 0.5rem 0.9rem;
  border: 1px solid var(--edge); border-radius: 0.7rem; cursor: pointer;
}
label + label { margin-top: 0.5rem; }
label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
label small { display: block; color: var(--soft); }
input { flex: none; width: 1.15rem; height: 1.15rem; accent-color: var(--accent); }
button {
  width: 100%; min-height: 3rem; padding: 0.65rem 1rem; border-radius: 0.7rem; font: inherit; font-weight: 600;
  cursor: pointer; background: transparent; color: var(--ink); border: 1px solid var(--edge);
}
button:hover { border-color: var(--ink); }
button.pay { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-size: 1.05rem; }
button.pay:hover { background: var(--accent-deep); border-color: var(--accent-deep); }
.others { display: grid; grid-template-columns: 3fr 2fr; gap: 0.6rem; margin-top: 0.6rem; }
@media (max-width: 22rem) { .others { grid-template-columns: 1fr; } }
:is(button, input, a):focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.declined { margin: 0 0 1.25rem; padding: 0.7rem 0.9rem; border-radius: 0.7rem; background: var(--bad-ground);
  color: var(--bad); font-weight: 600; }
.state { margin: 0; font-size: 1.15rem; font-weight: 600; }
.state + p { margin: 0.35rem 0 0; color: var(--soft); }
a { color: var(--accent); }
`
