import { tokens } from '../shared-page/tokens.ts'

export const styles = `
${tokens}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--page); color: var(--text); font: .9375rem/1.5 var(--font); overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; font-weight: 650; line-height: 1.3; letter-spacing: -.01em; }
h2 { margin: 0 0 .25rem; font-size: 1rem; font-weight: 600; }
p { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: var(--focus); outline-offset: 2px; border-radius: var(--radius-small); }
.soft { color: var(--text-soft); font-size: .875rem; }
.back { margin-bottom: 1rem; }
form { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin: 1.25rem 0; }
select, button { min-height: 2.5rem; padding: .4rem .8rem; border: 1px solid var(--edge-strong); border-radius: var(--radius); background: var(--surface); color: var(--text); font: inherit; }
select { min-width: 0; max-width: 100%; flex: 0 1 20rem; }
button { font-weight: 600; cursor: pointer; }
button:hover { background: var(--hover); }
.mails { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; }
.mail, section, .empty { padding: 1rem 1.25rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--surface); }
.mail h2 a { color: inherit; text-decoration: none; }
.mail h2 a:hover { text-decoration: underline; }
.excerpt { margin-top: .5rem; }
.links { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin-top: .5rem; }
.code { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin-top: .75rem; }
.code span { font: 650 2rem/1.2 var(--font-mono); letter-spacing: .08em; color: var(--accent); user-select: all; -webkit-user-select: all; }
section { margin-top: 1rem; }
section ul { margin: 0; padding-left: 1.25rem; }
.text { white-space: pre-wrap; }
iframe { display: block; width: 100%; height: 36rem; border: 0; border-radius: var(--radius-small); background: #fff; }
`
