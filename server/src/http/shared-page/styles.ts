export const styles = `
:root {
  color-scheme: light dark;
  --desk: #f1f3f0; --sheet: #fff; --raised: #f5f8f5; --line: #e0e5e0; --strong: #b9c3bc; --ink: #17211c; --soft: #56625b;
  --accent: #0b5d3b; --on-accent: #fff; --shade: 0 1px 2px rgb(18 38 28 / .06), 0 12px 40px -12px rgb(18 38 28 / .14);
  --settled: #0b5d3b; --settled-tint: #e2f2e9; --open: #744900; --open-tint: #fbefd5;
  --late: #a11a14; --late-tint: #fce7e4; --quiet: #454f49; --quiet-tint: #eaeeea;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --desk: #0c100e; --sheet: #151b18; --raised: #1c2420; --line: #2a342f; --strong: #47544d; --ink: #e8eeea; --soft: #a0ada6;
    --accent: #6fd3a5; --on-accent: #062417; --shade: none;
    --settled: #7fdcb0; --settled-tint: #153427; --open: #f1c374; --open-tint: #382a10;
    --late: #ffaca3; --late-tint: #43191a; --quiet: #c4cec8; --quiet-tint: #29322d;
  }
  .logo { background: #fff; padding: .5rem; border-radius: 6px; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; padding: 3rem 1.5rem; background: var(--desk); color: var(--ink); font: .9375rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif; overflow-wrap: anywhere; }
h1, h2, p, dl, dd, table { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .06em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
h2, caption { font-size: .8125rem; font-weight: 600; line-height: 1.5; color: var(--soft); text-align: left; margin: 0 0 .4rem; }
address { font-style: normal; }
address span { display: block; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.prose { white-space: pre-wrap; max-width: 40rem; }
.irn dd { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: .86em; }

.sheet { max-width: 54rem; margin: 0 auto; padding: 3.5rem 4rem 4rem; background: linear-gradient(var(--accent) 4px, var(--sheet) 4px); border-radius: 10px; box-shadow: var(--shade); }
.sheet > * + * { margin-top: 2.25rem; }
.banner { margin: 0 0 2.5rem; padding: .8rem 1.1rem; border-radius: 8px; background: var(--open-tint); color: var(--open); }
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 1.5rem 2rem; }
header > * { min-width: 0; }
.logo { display: block; max-width: 14rem; max-height: 4rem; object-fit: contain; object-position: left center; }
.wordmark { font-size: 1.125rem; font-weight: 650; line-height: 1.35; letter-spacing: -.01em; max-width: 22rem; }
h1 { flex: 0 1 auto; font-size: 1.125rem; font-weight: 400; line-height: 1.35; text-align: right; color: var(--soft); }
h1 bdi { color: var(--ink); font-weight: 600; }

.headline { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: flex-end; gap: 1.5rem 2rem; padding-bottom: 2rem; border-bottom: 1px solid var(--line); }
.headline > div { flex: 1 1 22rem; min-width: 0; }
.label { color: var(--soft); }
.amount { font-size: clamp(1.75rem, 1.1rem + 3.2vw, 2.75rem); font-weight: 650; line-height: 1.15; letter-spacing: -.025em; font-variant-numeric: tabular-nums; }
.currency { font-size: .9375rem; font-weight: 400; letter-spacing: 0; color: var(--soft); }
.state { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem .75rem; margin-top: .75rem; color: var(--soft); }
.state strong { flex: none; font-size: .875rem; font-weight: 600; line-height: 1.5; padding: .1rem .7rem; border-radius: 99px; }
.state span { flex: 0 1 auto; min-width: 0; }
.settled { color: var(--settled); background: var(--settled-tint); }
.open { color: var(--open); background: var(--open-tint); }
.late { color: var(--late); background: var(--late-tint); }
.quiet { color: var(--quiet); background: var(--quiet-tint); }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; }
.button { display: block; padding: .6rem 1.15rem; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 600; text-align: center; text-decoration: none; }
.button:hover { background: color-mix(in srgb, var(--accent) 88%, var(--ink)); }
.plain { background: none; color: var(--accent); border-color: var(--strong); }
.plain:hover { background: var(--raised); }

.correction { display: grid; gap: .75rem; padding-left: 1.1rem; border-left: 3px solid var(--strong); }
.correction dd { white-space: pre-wrap; }
.about { display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 5fr) minmax(0, 5fr); gap: 1.75rem 2rem; }
.facts { display: grid; align-content: start; gap: .9rem 2rem; }
dt { font-size: .8125rem; color: var(--soft); }
.facts dd { font-weight: 500; }
.party { font-size: .875rem; }
.party-name { font-size: .9375rem; font-weight: 600; }
.party a { color: inherit; text-decoration-color: var(--strong); }
.numbers { margin-top: .5rem; }
.numbers dt, .numbers dd { display: inline; font-size: inherit; }

table { width: 100%; border-collapse: collapse; font-size: .875rem; line-height: 1.5; }
th { text-align: left; font-weight: 400; }
thead th { padding: 0 0 .5rem 1rem; border-bottom: 1px solid var(--strong); font-size: .8125rem; color: var(--soft); vertical-align: bottom; overflow-wrap: normal; }
tbody > tr > * { padding: .85rem 0 .85rem 1rem; border-bottom: 1px solid var(--line); vertical-align: top; }
tr > :first-child { padding-left: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.lines .number, .price .more, .totals dd { white-space: nowrap; }
.crowded .number, .crowded .price .more { white-space: normal; }
.taxes .number { overflow-wrap: normal; }
.lines thead th:first-child { width: 46%; }
.what { display: block; font-weight: 550; white-space: pre-line; }
.more { display: block; font-size: .8125rem; color: var(--soft); white-space: pre-line; }
.unit { color: var(--soft); white-space: normal; overflow-wrap: normal; }
.crowded .unit { overflow-wrap: anywhere; }
.net { font-weight: 550; }

.sums { display: grid; grid-template-columns: minmax(min-content, 1fr) minmax(14rem, 1fr); gap: 2rem 3rem; align-items: start; }
.taxes { font-size: .8125rem; }
.taxes tbody > tr > * { padding-block: .5rem; }
.taxes tbody > tr:last-child > * { border-bottom: 0; }
.totals > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .3rem 0; }
.totals dt { font-size: inherit; }
.totals dd { margin-left: auto; text-align: right; font-variant-numeric: tabular-nums; }
.totals .sum, .totals .final { margin-top: .4rem; padding-top: .7rem; border-top: 1px solid var(--line); }
.totals .sum > * { color: var(--ink); font-weight: 600; }
.totals .final { border-top: 2px solid var(--accent); }
.totals .final > * { color: var(--ink); font-size: 1.125rem; font-weight: 650; }

.pay { padding: 1.5rem 1.75rem; border-radius: 10px; background: var(--raised); scroll-margin-top: 1rem; }
.pay h2 { font-size: 1.0625rem; font-weight: 650; color: var(--ink); margin-bottom: .15rem; }
.account { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem 2rem; margin-top: 1.1rem; }
.account dd { font-weight: 550; }
.account dd, .irn dd { font-variant-numeric: tabular-nums; user-select: all; -webkit-user-select: all; }
.closing { display: flex; gap: 2.25rem 3.5rem; padding-top: 2.25rem; border-top: 1px solid var(--line); }
.remarks { flex: 1; min-width: 0; display: grid; gap: 1.5rem; align-content: start; }
.signature { flex: none; width: 12rem; }
.signature:only-child { display: flex; align-items: center; gap: 1.5rem; width: auto; }
.qr { flex: none; display: block; width: 9.5rem; height: 9.5rem; margin-bottom: .75rem; border-radius: 6px; }
footer { max-width: 54rem; margin: 1.5rem auto 0; text-align: center; font-size: .8125rem; color: var(--soft); }
.lost { max-width: 32rem; margin-top: 12vh; text-align: center; }
.lost h1 { font-size: 1.375rem; font-weight: 650; text-align: center; color: var(--ink); }
.lost > p { margin-top: .75rem; color: var(--soft); }

@media screen and (max-width: 60rem) {
  .sheet { padding-inline: 2.5rem; }
  .sums { column-gap: 2.5rem; }
  .about { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .facts { grid-column: 1 / -1; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); }
}
@media screen and (max-width: 46rem) {
  body { padding: 0; background: var(--sheet); }
  .sheet { padding: 1.75rem 1.25rem 2.5rem; border-radius: 0; box-shadow: none; }
  .sheet > * + * { margin-top: 1.75rem; }
  .banner { margin: 0; }
  header { flex-direction: column; gap: .75rem; }
  h1 { text-align: left; font-size: 1rem; }
  .headline { padding-bottom: 1.75rem; }
  .headline > div, .actions { flex: 1 1 100%; }
  .button { flex: 1 1 auto; padding-inline: .75rem; white-space: nowrap; }
  .facts { grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 1rem 1.25rem; }
  .sums { grid-template-columns: minmax(0, 1fr); }
  .totals { order: -1; }
  .lines, .lines tbody { display: block; }
  .lines thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .lines tbody { border-top: 1px solid var(--strong); }
  .lines tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: .15rem .35rem; padding: .9rem 0; border-bottom: 1px solid var(--line); }
  .lines tr > * { padding: 0; border: 0; }
  .lines tbody th { flex: 1 1 100%; margin-bottom: .15rem; }
  .lines .quantity, .lines .price, .price .more { white-space: normal; text-align: left; color: var(--soft); }
  .lines .net { margin-left: auto; align-self: flex-end; font-size: .9375rem; }
  .price::before { content: '× '; }
  .taxes .number { overflow-wrap: anywhere; }
  .pay { padding: 1.25rem; margin-inline: -.25rem; }
  .closing { flex-direction: column; }
  .signature, .signature:only-child { display: block; width: auto; }
  footer { padding: 0 1.25rem 2rem; margin-top: 0; }
  .lost { margin-top: 0; padding-top: 18vh; }
}
@media (max-width: 30rem) {
  .about, .account { grid-template-columns: minmax(0, 1fr); gap: 1.25rem; }
  .account { gap: .75rem; }
}
@page { size: A4; margin: 13mm 15mm 14mm; @bottom-right { content: 'Page ' counter(page) ' of ' counter(pages); font: 8pt sans-serif; color: #56625b; } }
@media print {
  :root { color-scheme: light; --desk: #fff; --line: #d3d9d4; }
  body { padding: 0; font-size: 9.5pt; line-height: 1.4; }
  .sheet { max-width: none; padding: 0; background: none; box-shadow: none; }
  .sheet > * + * { margin-top: 5mm; }
  .actions, footer { display: none; }
  .headline { padding-bottom: 4mm; }
  .state { margin-top: 1.5mm; }
  .amount { font-size: 22pt; }
  table, .party { font-size: 9pt; line-height: 1.4; }
  .wordmark, h1 { font-size: 12pt; }
  .party-name { font-size: 9.5pt; }
  .taxes, .more, h2, caption, dt, thead th { font-size: 8.5pt; }
  .signature h2 { margin: 0; }
  tbody > tr > * { padding-block: 1.6mm; }
  .taxes tbody > tr > *, .totals > div { padding-block: .8mm; }
  .totals .sum, .totals .final { margin-top: .8mm; padding-top: 1.6mm; }
  .totals .final > * { font-size: 11.5pt; }
  .account { grid-template-columns: repeat(4, auto); gap: 2mm 6mm; margin-top: 2mm; }
  .pay h2 { font-size: 10.5pt; }
  .about { gap: 5mm 7mm; }
  .facts { gap: 2mm; }
  .closing { gap: 8mm; padding-top: 4mm; }
  .remarks { gap: 4mm; }
  .signature { width: 52mm; }
  .qr { width: 33mm; height: 33mm; margin: -1mm 0 1mm -1mm; }
  .lines thead { display: table-header-group; }
  tr, .party, .totals, .pay, .signature, .headline, .facts > div { break-inside: avoid; }
  h2, caption { break-after: avoid; }
  .banner, .state strong, .pay { border: 1px solid currentcolor; }
  .state strong { background: none; padding-block: 0; }
  .banner { background: none; padding: 2mm 4mm; margin-bottom: 6mm; }
  .pay { padding: 3mm 4mm; border-color: var(--strong); background: none; }
  .party a { text-decoration: none; }
  .prose { max-width: none; orphans: 3; widows: 3; }
}
`
