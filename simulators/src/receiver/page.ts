import { createHash } from 'node:crypto'
import { html, Markup } from '../shared/html.ts'
import type { Reply } from '../shared/http.ts'
import type { Arrival } from './arrival.ts'
import { style } from './style.ts'

/** No script at all, and no style but ours. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

const mostShown = 200

/** What arrived, the newest first: of all, or of what came to one path. */
export function arrivalsPage(arrivals: readonly Arrival[], chosen: string | null): Reply {
  const shown = arrivals.filter(({ path }) => chosen === null || path === chosen).slice(0, mostShown)
  const counts = [...Map.groupBy(arrivals, ({ path }) => path)].sort(([one], [other]) => (one < other ? -1 : 1))
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>What arrived · Webhook receiver</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<p class="simulator"><strong>Webhook receiver.</strong> A test page of the playground: it takes what endpoints here are sent, and shows it.</p>
<div class="inside">
<h1>What arrived</h1>
${counts.length === 0 ? html`<p class="none">Nothing yet. Reload this page once something has happened.</p>` : navigation(counts, chosen, arrivals.length)}
${shown.length === 0 ? '' : html`<ol>${shown.map(arrival)}</ol>`}
</div>
</main>
</body>
</html>
`
  return { status: 200, headers, body: document.text }
}

function navigation(counts: [string, Arrival[]][], chosen: string | null, total: number): Markup {
  const link = (href: string, name: string, count: number, isHere: boolean) =>
    html`<li><a href="${href}"${new Markup(isHere ? ' aria-current="page"' : '')}>${name} <span>${String(count)}</span></a></li>`
  return html`<nav aria-label="Addresses"><ul>
${link('/', 'All', total, chosen === null)}
${counts.map(([path, some]) => link(`/?path=${encodeURIComponent(path)}`, path, some.length, path === chosen))}
</ul></nav>`
}

const timeIn = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 23)} UTC`

function answered(status: number | null): Markup {
  if (status === null) return html`<strong class="bad">no answer</strong>`
  return status < 300
    ? html`<strong class="good">${String(status)}</strong>`
    : html`<strong class="bad">${String(status)}</strong>`
}

const fact = (name: string, value: string | null): Markup | '' =>
  value === null ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const arrival = ({ at, path, type, id, attempt, signature, status, body }: Arrival): Markup => html`<li>
<details>
<summary>${answered(status)} <span class="type">${type ?? 'not JSON'}</span> <span class="path">${path}</span> <time datetime="${at}">${timeIn(at)}</time></summary>
<dl>
${fact('Event', id)}
${fact('Attempt', attempt)}
${fact('Signature', signature)}
</dl>
<pre tabindex="0">${indented(body)}</pre>
</details>
</li>
`

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
