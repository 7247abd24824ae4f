export const styles = `
:root {
  color-scheme: light dark;
  --page: #fff; --side: #f8f8f6; --raised: #f4f4f1; --line: #e3e3de; --edge: #868f98; --ink: #1b2024; --soft: #59626b;
  --accent: #0a6b4c; --tint: #e7f3ee; --must: #a8451a;
  --get: #0a6b4c; --post: #1d4fbf; --put: #8a5a00; --delete: #b3261e;
  --shell: #14191e; --shell-ink: #e2e8ed;
  --mono: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101316; --side: #14181c; --raised: #1a1f24; --line: #2a3138; --edge: #66717b; --ink: #e4e8eb; --soft: #9da7b0;
    --accent: #63d1a6; --tint: #14302a; --must: #f0a074;
    --get: #63d1a6; --post: #8db4ff; --put: #e5b567; --delete: #ff968c;
    --shell: #181d22; --shell-ink: #dfe5ea;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .06em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre, var { font-family: var(--mono); font-style: normal; }
code { font-size: .86em; }
p code, li code, dd code, .meaning code, .constraints code { background: var(--raised); border-radius: 4px; padding: .12em .35em; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--page); padding: .5rem 1rem; }

.layout { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); }
.sidebar { position: sticky; top: 0; height: 100vh; overflow-y: auto; background: var(--side); border-right: 1px solid var(--line); padding: 1.75rem 0 3rem; scrollbar-width: thin; }
.brand { display: block; padding: 0 1.5rem 1rem; font-weight: 650; font-size: 1.05rem; letter-spacing: -.01em; color: var(--ink); text-decoration: none; }
nav ul { list-style: none; margin: 0 0 1.5rem; padding: 0; }
nav li a { display: flex; align-items: baseline; justify-content: space-between; gap: .75rem; padding: .24rem 1.5rem; font-size: .875rem; line-height: 1.4; color: var(--soft); text-decoration: none; }
nav li li a { padding-left: 2.5rem; }
nav li ul { margin: .2rem 0 .6rem; }
nav a[aria-current] { color: var(--ink); font-weight: 600; }
#found { list-style: none; margin: .3rem 0 0; padding: 0; }
#found a { display: block; padding: .2rem 0; overflow-wrap: anywhere; }
.guide { max-width: 52rem; }
.guide .copied { margin-bottom: 1.25rem; }
.guide h2 { margin-top: 2.5rem; }
.guide h3 { margin-top: 2rem; }
.guide td:not(:last-child) { padding-right: 1rem; }
nav li a:hover { color: var(--ink); background: var(--raised); }
nav .method { padding: 0; background: none; border: 0; font-size: .625rem; flex: none; }
.nav-title { margin: 0 0 .3rem; padding: 0 1.5rem; font-size: .8125rem; font-weight: 650; }
.nav-title a { color: inherit; text-decoration: none; }
.menu > summary { cursor: pointer; padding: .3rem 1.5rem; font-weight: 600; }

.tools { padding: 0 1.5rem .9rem; font-size: .8125rem; }
.tools label { display: block; color: var(--soft); margin-bottom: .2rem; }
.tools p { margin: .3rem 0 0; color: var(--soft); min-height: 1.3em; }
input, textarea { width: 100%; font: .8125rem/1.5 var(--mono); color: var(--ink); background: var(--page); border: 1px solid var(--edge); border-radius: 6px; padding: .35rem .5rem; }
textarea { display: block; resize: vertical; }
.languages { display: flex; flex-wrap: wrap; gap: .3rem; margin-bottom: .5rem; }
button { font: inherit; font-size: .75rem; font-weight: 600; line-height: 1.5; color: var(--ink); background: var(--raised); border: 1px solid var(--edge); border-radius: 6px; padding: .15rem .6rem; cursor: pointer; }
button[aria-pressed='true'] { color: var(--accent); border-color: var(--accent); background: var(--tint); }
.copied { position: relative; }
.copied > pre { padding-top: 2.4rem; }
.copied > button { position: absolute; top: .5rem; right: .5rem; }
.trying { margin-top: .6rem; }
.trying > summary { cursor: pointer; font-size: .8125rem; padding: .3rem 0; }
.trying > * { margin-bottom: .4rem; }
.trying .said { margin: .4rem 0; font-size: .8125rem; min-height: 1.3em; }

main { padding: 3.5rem clamp(1.25rem, 3.2vw, 4rem) 6rem; min-width: 0; }
main > * { max-width: 78rem; margin-inline: auto; }
h1, h2, h3 { overflow-wrap: anywhere; line-height: 1.2; letter-spacing: -.02em; text-wrap: balance; }
h1 { font-size: clamp(2rem, 1.4rem + 2vw, 2.75rem); font-weight: 700; margin: .2rem 0 1rem; }
h2 { font-size: 1.5rem; font-weight: 680; margin: 0 0 .75rem; }
h3 { font-size: 1.2rem; font-weight: 650; margin: 0 0 .6rem; letter-spacing: -.01em; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
.operation h3 { font-size: .8125rem; font-weight: 650; line-height: 1.5; letter-spacing: 0; margin: 1.75rem 0 .5rem; }
.operations .path { overflow-wrap: anywhere; }
.operations { list-style: none; padding: 0; margin: 0 0 2rem; }
.operations li { display: grid; grid-template-columns: minmax(0, 20rem) minmax(0, 1fr); gap: .25rem 1.5rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
p { margin: 0 0 1rem; }
.opening > p, .chapter p, .chapter li { max-width: 44rem; }
.eyebrow { margin: 0; font-size: .875rem; color: var(--soft); }
.lead { font-size: 1.125rem; color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; margin: 1.75rem 0 0; padding: 1.1rem 0; border-block: 1px solid var(--line); }
.facts dt { font-size: .8125rem; color: var(--soft); }
.facts dd { margin: 0; }
.chapter { padding: 2.5rem 0 0; }
.day h3 { margin-top: 1.25rem; }
.day ul { padding-left: 1.2rem; font-size: .875rem; }
.day { margin-top: 2.5rem; }
.below { grid-column: 1 / -1; margin-top: 1.5rem; }
.chapter li { margin-bottom: .4rem; }
.chapter ul { padding-left: 1.2rem; }

.group { margin-top: 5rem; }
.group > h2 { font-size: 1.85rem; margin: 0; padding-bottom: .6rem; }
.group > .lead { font-size: 1rem; margin: 0; padding-bottom: 1rem; border-bottom: 1px solid var(--line); }
.operation, .chapter { display: grid; grid-template-columns: minmax(0, 1fr) clamp(24rem, 31vw, 28rem); gap: 0 2.25rem; }
.operation { padding: 1.5rem 0 2.5rem; border-bottom: 1px solid var(--line); }
.operation:last-child { border-bottom: 0; }
.shown { position: sticky; top: 1.5rem; align-self: start; }
.shown h3:first-child { margin-top: 0; }
.address { display: flex; align-items: baseline; gap: .6rem; margin-bottom: 1rem; }
code.path { font-size: .875rem; overflow-wrap: anywhere; background: none; padding: 0; }
.path var { color: var(--accent); }
.method { font: 700 .6875rem/1.5 var(--mono); letter-spacing: .02em; color: var(--hue); border: 1px solid color-mix(in srgb, var(--hue) 35%, transparent); background: color-mix(in srgb, var(--hue) 8%, transparent); border-radius: 4px; padding: .08rem .4rem; flex: none; }
.get { --hue: var(--get); } .post { --hue: var(--post); } .put, .patch { --hue: var(--put); } .delete { --hue: var(--delete); }
.access { margin: 0; padding: .65rem .9rem; background: var(--raised); border-radius: 8px; font-size: .875rem; color: var(--soft); }
.access code { background: var(--page); color: var(--ink); }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.5; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: .8125rem; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); }
td { padding: .6rem .9rem .6rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > td { border-bottom: 0; }
td:last-child, th:last-child { padding-right: 0; }
.fields { table-layout: fixed; }
.fields th:nth-child(1) { width: 36%; }
.fields th:nth-child(2) { width: 19%; }
.name { font-weight: 600; overflow-wrap: anywhere; margin-right: .5rem; }
.parents { font-weight: 400; color: var(--soft); }
.required, .mark { display: inline-block; font-size: .75rem; color: var(--soft); margin-right: .5rem; }
.required { color: var(--must); }
.type { color: var(--soft); }
.meaning, .constraints { display: block; overflow-wrap: anywhere; }
.constraints { color: var(--soft); }
.status { display: inline-block; font: 600 .75rem/1.5 var(--mono); padding: .05rem .4rem; border-radius: 4px; background: var(--raised); color: var(--soft); }
.s2 { color: var(--get); background: color-mix(in srgb, var(--get) 10%, transparent); }
.s4 { color: var(--put); background: color-mix(in srgb, var(--put) 10%, transparent); }
.s5 { color: var(--delete); background: color-mix(in srgb, var(--delete) 10%, transparent); }
.statuses th:nth-child(1), .errors-table th:nth-child(1) { width: 4.25rem; }
.statuses th:nth-child(2), .errors-table th:nth-child(2) { width: 5.5rem; }
.statuses .reason { display: block; color: var(--soft); }
.reasons { margin: 0; }
.reasons div { display: grid; grid-template-columns: minmax(0, 16rem) minmax(0, 1fr); gap: 0 1.25rem; padding: .12rem 0; }
.reasons dd { margin: 0; }
.reasons dt code { background: none; padding: 0; color: var(--soft); overflow-wrap: anywhere; }
.errors-table td > code { font-weight: 600; }
.fold { margin-top: 1.25rem; border-top: 1px solid var(--line); }
.fold > summary { cursor: pointer; list-style: none; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .6rem; padding: .7rem 0; }
.fold > summary::-webkit-details-marker { display: none; }
.fold > summary::before { content: ''; width: .4rem; height: .4rem; margin: 0 .15rem; border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); flex: none; }
.fold[open] > summary::before { transform: rotate(45deg); }
.fold + .fold { margin-top: 0; }
.operation .fold h3 { margin: 0; }
.note, .count { font-size: .8125rem; color: var(--soft); }
.count { margin-left: auto; }
.chips { display: flex; flex-wrap: wrap; gap: .3rem; margin-left: auto; }
.chapter .elsewhere { list-style: none; columns: 20rem; padding: 0; font-size: .875rem; }
.elsewhere li { break-inside: avoid; display: flex; gap: .5rem; align-items: baseline; }
pre { margin: 0; background: var(--shell); color: var(--shell-ink); border-radius: 10px; padding: 1rem; font-size: .75rem; line-height: 1.65; overflow: auto; scrollbar-width: thin; scrollbar-color: #55606a transparent; }
pre code { font-size: inherit; }
pre.tall { max-height: 24rem; }

@supports selector(::details-content) {
  @media (min-width: 53.01rem), print {
    .menu > summary { display: none; }
    .menu::details-content { content-visibility: visible; block-size: auto; }
  }
  @media print { .fold::details-content { content-visibility: visible; block-size: auto; } }
}
@media (max-width: 75rem) {
  .operation, .chapter, .operations li { grid-template-columns: minmax(0, 1fr); }
  .shown { position: static; }
  .shown h3:first-child { margin-top: 1.75rem; }
}
@media (max-width: 53rem) {
  .layout { display: block; }
  .sidebar { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem 0; }
  .brand { padding: 0 1.25rem .3rem; }
  .tools { padding-inline: 1.25rem; }
  .menu > summary { padding-inline: 1.25rem; }
  .menu nav { padding-top: 1rem; max-height: 70vh; overflow-y: auto; }
  .nav-title, nav li a { padding-inline: 1.25rem; }
  nav li a { padding-block: .45rem; }
  main { padding-top: 2rem; }
  .reasons div { grid-template-columns: 1fr; padding: .3rem 0; }
  .fields, .fields tbody, .fields tr, .fields td { display: block; }
  .fields thead { position: absolute; left: -999px; }
  .fields tr { padding: .65rem 0; border-bottom: 1px solid var(--line); }
  .fields tr:last-child { border-bottom: 0; }
  .fields td { border: 0; padding: 0; }
  .fields td:nth-child(-n + 2) { display: inline; }
  .chips { margin-left: 0; }
}
@media print {
  :root { --page: #fff; --raised: #f4f4f1; --line: #ccc; --ink: #000; --soft: #444; --shell: #f4f4f1; --shell-ink: #000; color-scheme: light; }
  .layout, .operation, .chapter { display: block; }
  .sidebar, .skip { display: none; }
  .shown { position: static; }
  pre, pre.tall { white-space: pre-wrap; max-height: none; }
  h2, h3, .address { break-after: avoid; }
  tr, pre { break-inside: avoid; }
}
`
