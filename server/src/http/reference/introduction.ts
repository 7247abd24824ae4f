import { type RefusalName, refusals } from '../../kernel/refusals.ts'
import type { Form } from '../definitions/form.ts'
import { exampleMeta, examplePagination, examples } from '../openapi/example-values.ts'
import type { OpenApiDocument } from '../openapi/index.ts'
import { badge, code, inline, pathText, prose, statusBadge, table } from './elements.ts'
import { html, type Markup } from './markup.ts'
import { pretty } from './samples.ts'

const chapters = {
  authentication: 'Authentication',
  replies: 'Replies',
  errors: 'Errors',
  paging: 'Paging',
  idempotency: 'Idempotency',
  versions: 'Versions',
  'rate-limits': 'Rate limits',
  'other-form': 'The other form',
}
type ChapterId = keyof typeof chapters

/** The chapters of a form's reference, in their order. */
export const chaptersOf = (others: readonly Form[]): [id: string, title: string][] =>
  Object.entries(chapters).filter(([id]) => id !== 'other-form' || others.length > 0)

export const introduction = (
  document: OpenApiDocument,
  form: Form,
  others: readonly Form[],
) => html`<div class="opening">
<p class="eyebrow">API reference · Form ${form.name} · version ${document.info.version}</p>
<h1>${document.info.title}</h1>
${prose(form.description, 'lead')}
<dl class="facts"><div><dt>Base address</dt><dd><code data-fill>$RISITI_URL${form.prefix}</code></dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="${form.prefix}/openapi.json"><code>${form.prefix}/openapi.json</code></a></dd></div>
<div><dt>As Markdown</dt><dd><a href="${form.prefix}/docs.md"><code>${form.prefix}/docs.md</code></a></dd></div>
<div><dt>What changed</dt><dd><a href="${form.prefix}/docs/changes">Day by day</a></dd></div>
<div><dt>Format</dt><dd>JSON, UTF-8</dd></div></dl>
</div>
${chapter('authentication', authentication, 'export RISITI_URL="$RISITI_URL"\nexport RISITI_TOKEN="$RISITI_TOKEN"')}
${chapter(
  'replies',
  prose(
    'Every reply is one envelope: what was asked for is under `data`, facts about the request are under `meta`. Each reply also carries `X-Request-Id`; name it when you ask us about a request.',
  ),
  pretty({ meta: exampleMeta, data: { id: examples.uuid } }),
)}
${chapter(
  'errors',
  prose(
    'A refusal has `error` where `data` would be. `code` is for programs, `message` says in one sentence what to do, and `details` lists every fault. Several reasons can share a code; `reason` tells them apart, and is also sent as the header `Risiti-Reason`.',
  ),
  pretty({ meta: { ...exampleMeta, mode: undefined }, error: exampleError(form) }),
  errorTable(form),
)}
${chapter(
  'paging',
  html`${prose(
    'Lists come in pages. The query says which page and how long; `meta.pagination` answers with `page`, `limit`, the exact `total` and `totalPages`.',
  )}${prose(
    'To go through a whole list, send `nextCursor` as `after` until `hasMore` is false. Then no entry is lost or given twice while others are added, change or leave the list. With `page`, entries move from one page to another when the list changes.',
  )}`,
  pretty({ pagination: examplePagination }),
)}
${chapter(
  'idempotency',
  prose(
    'Send an `Idempotency-Key` of your own (8 to 128 letters, digits, `_` or `-`) with a change, and repeat the request as often as you must: it has its effect once. For 24 hours the same key with the same body answers the first reply again, marked `Idempotent-Replayed: true`. Secrets are not repeated. Another body under the same key is refused.',
  ),
  '→ Idempotency-Key: order-4711-attempt\n← Idempotent-Replayed: true',
)}
${chapter(
  'versions',
  prose(
    'Objects that people edit carry a version as `ETag`. Send it back as `If-Match` with a change, and the change is refused if somebody else was faster. Send it as `If-None-Match` with a read, and the answer is 304 while nothing changed.',
  ),
  '← ETag: "3"\n→ If-Match: "3"',
)}
${chapter(
  'rate-limits',
  prose(
    'Each reply says how many requests the window allows (`RateLimit-Limit`), how many are left (`RateLimit-Remaining`) and in how many seconds it begins anew (`RateLimit-Reset`). Beyond that the answer is 429; wait for the seconds in `Retry-After`.',
  ),
  '← RateLimit-Limit: 600\n← RateLimit-Remaining: 599\n← RateLimit-Reset: 60',
)}
${others.map((other) => chapter('other-form', otherForm(form, other)))}`

function chapter(id: ChapterId, text: Markup, shown?: string, below?: Markup): Markup {
  return html`<section class="chapter" id="${id}"><div class="told"><h2>${chapters[id]}</h2>${text}</div>
${shown !== undefined && html`<div class="shown">${code(shown)}</div>`}${below && html`<div class="below">${below}</div>`}</section>`
}

const authentication = html`${prose(
  'Send a token with each request as `Authorization: Bearer <token>`. There are two kinds, and each operation says which it takes.',
)}<ul><li>${inline('**Access token.** A person signs in and gets one. It is short-lived; the refresh token gets the next.')}</li>
<li>${inline('**API key.** For programs. A key that begins with `sk_test_` works on sandbox data, one that begins with `sk_live_` on live data. It is shown once, when it is made.')}</li></ul>
${prose('What a token may do is a list of capabilities such as `invoice.read`. The examples on this page take the server and the token from two variables.')}`

function exampleError(form: Form) {
  const message = refusals['request.invalid']
  const details = [{ path: 'lineItems[2].quantity', rule: 'required', message: 'is required' }]
  return { code: form.answers['request.invalid'].code, reason: 'request.invalid', message, details }
}

function errorTable(form: Form): Markup {
  const rows = new Map<string, { status: number; code: string; names: RefusalName[] }>()
  for (const [name, { status, code }] of Object.entries(form.answers)) {
    const row = rows.get(`${status} ${code}`) ?? { status, code, names: [] }
    row.names.push(name as RefusalName)
    rows.set(`${status} ${code}`, row)
  }
  const sorted = [...rows.values()].sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
  return table(
    'errors-table',
    ['Status', 'Code', 'Reasons'],
    sorted.map(
      ({
        status,
        code,
        names,
      }) => html`<tr><td>${statusBadge(status)}</td><td><a href="${form.prefix}/docs/errors/${code}"><code>${code}</code></a></td>
<td><dl class="reasons">${names.map((name) => html`<div><dt><code>${name}</code></dt><dd>${refusals[name]}</dd></div>`)}</dl></td></tr>`,
    ),
  )
}

function otherForm(form: Form, other: Form): Markup {
  return html`<p>The same organisations, tokens and data are also served in Form ${other.name}, below
<code>${other.prefix || '/'}</code>, in other words and shapes: see <a href="${other.prefix}/docs">its reference</a>.</p>
${
  form.elsewhere.length > 0 &&
  html`<details class="fold"><summary>Only in Form ${other.name} <span class="count">${form.elsewhere.length}</span></summary>
<ul class="elsewhere">${form.elsewhere.map(({ method, path }) => html`<li>${badge(method)} ${pathText(other.prefix + path)}</li>`)}</ul></details>`
}`
}
