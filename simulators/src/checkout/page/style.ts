/** The page's whole look, with the colours and sizes of the dashboard, whose page it is reached from and leads back to. Inline, and named by its hash in the page's policy, so that nothing else can style it. */
export const style = `
:root {
  color-scheme: light dark;
  --font: Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --page: light-dark(#f6f7f5, #101412);
  --surface: light-dark(#ffffff, #181d1a);
  --hover: light-dark(#f0f3f0, #222925);
  --text: light-dark(#16201b, #e8ede9);
  --text-soft: light-dark(#55615b, #a3afa8);
  --edge: light-dark(#dde2de, #2c3430);
  --edge-strong: light-dark(#7d8a83, #74817a);
  --accent: light-dark(#0a6b4f, #4cc79b);
  --accent-strong: light-dark(#07513c, #7bdab7);
  --on-accent: light-dark(#ffffff, #06281d);
  --warn: light-dark(#7d5300, #e8b85b);
  --warn-wash: light-dark(#fdf1d8, #362a10);
  --bad: light-dark(#a32420, #f39a92);
  --bad-wash: light-dark(#fce8e6, #3a1c1a);
  --radius: 8px;
  --shadow-raised: 0 8px 28px light-dark(rgb(20 40 30 / 16%), rgb(0 0 0 / 55%));
  --focus: 2px solid var(--accent);
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  background: var(--page); color: var(--text);
  font: 15px/1.5 var(--font); font-variant-numeric: tabular-nums;
}
main {
  width: 100%; max-width: 27rem; overflow: hidden; background: var(--surface);
  border: 1px solid var(--edge); border-radius: var(--radius); box-shadow: var(--shadow-raised);
}
.simulator {
  margin: 0; padding: 0.7rem 1.5rem; background: var(--warn-wash); color: var(--warn);
  border-bottom: 1px solid var(--edge); font-size: 0.9rem;
}
.inside { padding: 1.5rem; }
h1 { margin: 0; font-size: 1.05rem; font-weight: 600; color: var(--text-soft); overflow-wrap: anywhere; }
.amount { margin: 0.15rem 0 1.25rem; font-size: 2.4rem; line-height: 1.2; font-weight: 700; letter-spacing: -0.02em;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
dl { margin: 0 0 1.5rem; padding: 0.35rem 0; border-block: 1px solid var(--edge); }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: 0.45rem 0; }
dt { color: var(--text-soft); }
dd { margin: 0; overflow-wrap: anywhere; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { padding: 0; margin-bottom: 0.5rem; font-weight: 600; }
label {
  display: flex; align-items: center; gap: 0.75rem; min-height: 3rem; padding: 0.5rem 0.9rem;
  border: 1px solid var(--edge-strong); border-radius: var(--radius); cursor: pointer;
}
label + label { margin-top: 0.5rem; }
label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
label small { display: block; color: var(--text-soft); }
input { flex: none; width: 1.15rem; height: 1.15rem; accent-color: var(--accent); }
button {
  width: 100%; min-height: 3rem; padding: 0.65rem 1rem; border-radius: var(--radius); font: inherit; font-weight: 600;
  cursor: pointer; background: transparent; color: var(--text); border: 1px solid var(--edge-strong);
}
button:hover { background: var(--hover); }
button.pay { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-size: 1.05rem; }
button.pay:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
.others { display: grid; grid-template-columns: 3fr 2fr; gap: 0.6rem; margin-top: 0.6rem; }
@media (max-width: 22rem) { .others { grid-template-columns: 1fr; } }
:is(button, input, a):focus-visible { outline: var(--focus); outline-offset: 2px; }
.declined { margin: 0 0 1.25rem; padding: 0.7rem 0.9rem; border-radius: var(--radius); background: var(--bad-wash);
  color: var(--bad); font-weight: 600; }
.state { margin: 0; font-size: 1.15rem; font-weight: 600; }
.state + p { margin: 0.35rem 0 0; color: var(--text-soft); }
a { color: var(--accent); }
`
