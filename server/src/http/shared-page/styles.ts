import { tokens } from './tokens.ts'

/** The look of the public pages, the same as the dashboard's. */
export const styles = `
${tokens}
@media screen and (prefers-color-scheme: dark) {
  .logo { background: #fff; padding: .5rem; border-radius: var(--radius-small); }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; padding: 3rem 1.5rem; background: var(--page); color: var(--text); font: .9375rem/1.5 var(--font); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1, h2, p, dl, dd, table { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .06em; }
:focus-visible { outline: var(--focus); outline-offset: 2px; border-radius: var(--radius-small); }
h2, caption { font-size: .8125rem; font-weight: 600; line-height: 1.5; color: var(--text-soft); text-align: start; margin: 0 0 .4rem; }
address { font-style: normal; }
address span { display: block; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.prose { white-space: pre-wrap; max-width: 40rem; }
.reference dd { font-family: var(--font-mono); font-size: .86em; }

.sheet { max-width: 54rem; margin: 0 auto; padding: 3.5rem 4rem 4rem; background: linear-gradient(var(--accent) 4px, var(--surface) 4px); border-radius: var(--radius); box-shadow: var(--shadow-raised); }
.sheet > * + * { margin-top: 2.25rem; }
.banner { margin: 0 0 2.5rem; padding: .8rem 1.1rem; border-radius: var(--radius); background: var(--warn-wash); color: var(--warn); }
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 1.5rem 2rem; }
header > * { min-width: 0; }
.logo { display: block; max-width: 14rem; max-height: 4rem; object-fit: contain; object-position: left center; }
.wordmark { font-size: 1.125rem; font-weight: 650; line-height: 1.35; letter-spacing: -.01em; max-width: 22rem; }
h1 { flex: 0 1 auto; font-size: 1.125rem; font-weight: 400; line-height: 1.35; text-align: end; color: var(--text-soft); }
h1 bdi { color: var(--text); font-weight: 600; }

.headline { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: flex-end; gap: 1.5rem 2rem; padding-bottom: 2rem; border-bottom: 1px solid var(--edge); }
.headline > div { flex: 1 1 22rem; min-width: 0; }
.label { color: var(--text-soft); }
.amount { font-size: clamp(1.75rem, 1.1rem + 3.2vw, 2.75rem); font-weight: 650; line-height: 1.15; letter-spacing: -.025em; font-variant-numeric: tabular-nums; }
.currency { font-size: .9375rem; font-weight: 400; letter-spacing: 0; color: var(--text-soft); }
.state { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem .75rem; margin-top: .75rem; color: var(--text-soft); }
.state strong { flex: none; font-size: .875rem; font-weight: 600; line-height: 1.5; padding: .1rem .7rem; border-radius: 99px; }
.state span { flex: 0 1 auto; min-width: 0; }
.settled { color: var(--good); background: var(--good-wash); }
.open { color: var(--warn); background: var(--warn-wash); }
.late { color: var(--bad); background: var(--bad-wash); }
.quiet { color: var(--text-soft); background: var(--surface-sunken); }
.actions { display: flex; flex-wrap: wrap; gap: .6rem; }
.button { display: block; padding: .6rem 1.15rem; border: 1px solid var(--accent); border-radius: var(--radius); background: var(--accent); color: var(--on-accent); font-weight: 600; text-align: center; text-decoration: none; }
.button:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
.plain { background: none; color: var(--accent); border-color: var(--edge-strong); }
.plain:hover { background: var(--hover); border-color: var(--edge-strong); }

.correction { display: grid; gap: .75rem; padding-inline-start: 1.1rem; border-inline-start: 3px solid var(--edge-strong); }
.correction dd { white-space: pre-wrap; }
.about { display: grid; grid-template-columns: minmax(0, 4fr) minmax(0, 5fr) minmax(0, 5fr); gap: 1.75rem 2rem; }
.facts { display: grid; align-content: start; gap: .9rem 2rem; }
dt { font-size: .8125rem; color: var(--text-soft); }
.facts dd { font-weight: 500; }
.party { font-size: .875rem; }
.party-name { font-size: .9375rem; font-weight: 600; }
.party a { color: inherit; text-decoration-color: var(--edge-strong); }
.numbers { margin-top: .5rem; }
.numbers dt, .numbers dd { display: inline; font-size: inherit; }

table { width: 100%; border-collapse: collapse; font-size: .875rem; line-height: 1.5; }
th { text-align: start; font-weight: 400; }
thead th { padding: 0; padding-block-end: .5rem; padding-inline-start: 1rem; border-bottom: 1px solid var(--edge-strong); font-size: .8125rem; color: var(--text-soft); vertical-align: bottom; overflow-wrap: normal; }
tbody > tr > * { padding: .85rem 0; padding-inline-start: 1rem; border-bottom: 1px solid var(--edge); vertical-align: top; }
tr > :first-child { padding-inline-start: 0; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
.lines .number, .price .more, .totals dd { white-space: nowrap; }
.crowded .number, .crowded .price .more { white-space: normal; }
.taxes .number { overflow-wrap: normal; }
.lines thead th:first-child { width: 46%; }
.what { display: block; font-weight: 550; white-space: pre-line; }
.more { display: block; font-size: .8125rem; color: var(--text-soft); white-space: pre-line; }
.unit { color: var(--text-soft); white-space: normal; overflow-wrap: normal; }
.crowded .unit { overflow-wrap: anywhere; }
.net { font-weight: 550; }

.sums { display: grid; grid-template-columns: minmax(min-content, 1fr) minmax(14rem, 1fr); gap: 2rem 3rem; align-items: start; }
.taxes { font-size: .8125rem; }
.taxes tbody > tr > * { padding-block: .5rem; }
.taxes tbody > tr:last-child > * { border-bottom: 0; }
.totals > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .3rem 0; }
.totals dt { font-size: inherit; }
.totals dd { margin-inline-start: auto; text-align: end; font-variant-numeric: tabular-nums; }
.totals .sum, .totals .final { margin-top: .4rem; padding-top: .7rem; border-top: 1px solid var(--edge); }
.totals .sum > * { color: var(--text); font-weight: 600; }
.totals .final { border-top: 2px solid var(--accent); }
.totals .final > * { color: var(--text); font-size: 1.125rem; font-weight: 650; }

.pay { padding: 1.5rem 1.75rem; border-radius: var(--radius); background: var(--surface-sunken); scroll-margin-top: 1rem; }
.pay h2 { font-size: 1.0625rem; font-weight: 650; color: var(--text); margin-bottom: .15rem; }
.account { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem 2rem; margin-top: 1.1rem; }
.account dd { font-weight: 550; }
.account dd, .reference dd { font-variant-numeric: tabular-nums; user-select: all; -webkit-user-select: all; }
.closing { display: flex; gap: 2.25rem 3.5rem; padding-top: 2.25rem; border-top: 1px solid var(--edge); }
.remarks { flex: 1; min-width: 0; display: grid; gap: 1.5rem; align-content: start; }
.signature { flex: none; width: 12rem; }
.signature:only-child { display: flex; align-items: center; gap: 1.5rem; width: auto; }
.qr { flex: none; display: block; width: 9.5rem; height: 9.5rem; margin-bottom: .75rem; border-radius: var(--radius-small); }
footer { max-width: 54rem; margin: 1.5rem auto 0; text-align: center; font-size: .8125rem; color: var(--text-soft); }
.languages { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem 1rem; margin-top: .75rem; }
.languages a { padding: .25rem 0; color: inherit; text-decoration-color: var(--edge-strong); }
h1 .more { font-weight: 400; }
[dir=rtl] .logo { object-position: right center; }
[dir=rtl] :is(.wordmark, .party p, address span, .what, .more, .prose, .facts dd, .account dd, .correction dd) { unicode-bidi: plaintext; text-align: right; }
[dir=rtl] :is(.number, .amount, .totals dd) { unicode-bidi: plaintext; text-align: right; }
:lang(ar) { letter-spacing: normal; }
.lost { max-width: 32rem; margin-top: 12vh; text-align: center; }
.lost h1 { font-size: 1.375rem; font-weight: 650; text-align: center; color: var(--text); }
.lost > p { margin-top: .75rem; color: var(--text-soft); }
.lost .ways { display: flex; flex-wrap: wrap; justify-content: center; gap: .75rem; margin-top: 1.5rem; }

.check { max-width: 36rem; }
.check h1 { font-size: 1.375rem; font-weight: 650; text-align: start; color: var(--text); }
.check > * + * { margin-top: 1.25rem; }
.check form { display: grid; gap: 1rem; }
.check button { justify-self: start; font: inherit; font-weight: 600; cursor: pointer; }
.field { display: grid; gap: .25rem; }
.field label { font-weight: 550; }
.field :is(input, textarea) { width: 100%; min-height: 2.5rem; padding: .4rem .7rem; border: 1px solid var(--edge-strong); border-radius: var(--radius); background: var(--surface); color: inherit; font: inherit; }
.field .hint, .field .fault { font-size: .8125rem; color: var(--text-soft); }
.field .fault { color: var(--bad); }
.answering form { display: grid; gap: 1rem; margin-top: 1.1rem; }
.answering button { font: inherit; font-weight: 600; cursor: pointer; }
.answer { padding: 1.1rem 1.25rem; border-radius: var(--radius); }
.answer h2 { font-size: 1.0625rem; font-weight: 650; color: inherit; }
.answer .facts { margin-top: .75rem; color: var(--text); }
.good { color: var(--good); background: var(--good-wash); }
.warn { color: var(--warn); background: var(--warn-wash); }
.bad { color: var(--bad); background: var(--bad-wash); }

@media screen and (max-width: 60rem) {
  .sheet { padding-inline: 2.5rem; }
  .sums { column-gap: 2.5rem; }
  .about { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .facts { grid-column: 1 / -1; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); }
}
@media screen and (max-width: 46rem) {
  body { padding: 0; background: var(--surface); }
  .sheet { padding: 1.75rem 1.25rem 2.5rem; border-radius: 0; box-shadow: none; }
  .sheet > * + * { margin-top: 1.75rem; }
  .banner { margin: 0; }
  header { flex-direction: column; gap: .75rem; }
  h1 { text-align: start; font-size: 1rem; }
  .headline { padding-bottom: 1.75rem; }
  .headline > div, .actions { flex: 1 1 100%; }
  .button { flex: 1 1 auto; padding-inline: .75rem; white-space: nowrap; }
  .facts { grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 1rem 1.25rem; }
  .sums { grid-template-columns: minmax(0, 1fr); }
  .totals { order: -1; }
  .lines, .lines tbody { display: block; }
  .lines thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .lines tbody { border-top: 1px solid var(--edge-strong); }
  .lines tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: .15rem .35rem; padding: .9rem 0; border-bottom: 1px solid var(--edge); }
  .lines tr > * { padding: 0; border: 0; }
  .lines tbody th { flex: 1 1 100%; margin-bottom: .15rem; }
  .lines .quantity, .lines .price, .price .more { white-space: normal; text-align: start; color: var(--text-soft); }
  .lines .net { margin-inline-start: auto; align-self: flex-end; font-size: .9375rem; }
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
@page { size: A4; margin: 13mm 15mm 14mm; @bottom-right { content: counter(page) ' / ' counter(pages); font: 8pt sans-serif; color: #56625b; } }
@media print {
  :root { color-scheme: light; --page: #fff; --edge: #d3d9d4; }
  body { padding: 0; font-size: 9.5pt; line-height: 1.4; }
  .sheet { max-width: none; padding: 0; background: none; box-shadow: none; }
  .sheet > * + * { margin-top: 5mm; }
  .actions, .answering, footer { display: none; }
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
  .qr { width: 33mm; height: 33mm; margin-block: -1mm 1mm; margin-inline-start: -1mm; }
  .lines thead { display: table-header-group; }
  tr, .party, .totals, .pay, .signature, .headline, .facts > div { break-inside: avoid; }
  h2, caption { break-after: avoid; }
  .banner, .state strong, .pay { border: 1px solid currentcolor; }
  .state strong { background: none; padding-block: 0; }
  .banner { background: none; padding: 2mm 4mm; margin-bottom: 6mm; }
  .pay { padding: 3mm 4mm; border-color: var(--edge-strong); background: none; }
  .party a { text-decoration: none; }
  .prose { max-width: none; orphans: 3; widows: 3; }
}
`
