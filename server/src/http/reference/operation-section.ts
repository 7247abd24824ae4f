import { refusals } from '../../kernel/refusals.ts'
import type { Form } from '../definitions/form.ts'
import { accessSentences } from '../openapi/access.ts'
import type { Response } from '../openapi/document.ts'
import type { WholeOperation } from '../openapi/resolved.ts'
import { badge, code, inline, pathText, prose, statusBadge, table } from './elements.ts'
import { exampleReply } from './example-calls.ts'
import { bodyTable, parameterTable, replyTable } from './field-tables.ts'
import { html, type Markup, raw } from './markup.ts'
import { curl, javascript, php, pretty, python, sampleOf } from './samples.ts'
import { type ServedOperation, successSchemaOf } from './served-operations.ts'

export function operationArticle(served: ServedOperation, form: Form): Markup {
  const { prefix } = form
  const { method, path, operation } = served
  const access = operation['x-risiti-access']
  const sentences = accessSentences(access)
  const paragraphs = operation.description.split('\n\n').filter((paragraph) => !sentences.includes(paragraph))
  return html`<article class="operation" id="${operation.operationId}">
<div class="told">
<h2>${operation.summary}</h2>
<p class="address">${badge(method)} ${pathText(prefix + path)}</p>
${paragraphs.map((paragraph) => prose(paragraph))}
<p class="access">${raw(sentences.map((sentence) => inline(sentence).text).join(' '))}</p>
${parameterTable(operation.parameters)}
${bodyTable(operation.requestBody?.content['application/json'].schema)}
${replyTable(successSchemaOf(operation)?.properties?.data)}
${statusTable(operation, form)}
</div>
<div class="shown">
<h3>Example request</h3>
${samples(served, form)}
<h3>Example reply</h3>
${code(pretty(exampleReply(operation)), 'tall')}
</div>
</article>`
}

function statusTable(operation: WholeOperation, form: Form): Markup {
  const responses = Object.entries(operation.responses)
  return html`<details class="fold"><summary><h3>Statuses</h3>
<span class="chips">${responses.map(([status]) => html`${statusBadge(Number(status))} `)}</span></summary>
${table(
  'statuses',
  ['Status', 'Code', 'When'],
  responses.flatMap(([status, response]) => statusRows(form, Number(status), response)),
)}</details>`
}

function statusRows(form: Form, status: number, { description, 'x-risiti-reasons': reasons = [] }: Response): Markup[] {
  if (reasons.length === 0) return [html`<tr><td>${statusBadge(status)}</td><td></td><td>${description}</td></tr>`]
  const first = html`<td rowspan="${reasons.length}">${statusBadge(status)}</td>`
  return reasons.map(
    (reason, index) => html`<tr>${index === 0 && first}<td><code>${form.answers[reason].code}</code></td>
<td><code class="reason">${reason}</code> ${refusals[reason]}</td></tr>`,
  )
}

/** The same request in several languages. Without a script, the first is shown. */
function samples(served: ServedOperation, form: Form): Markup {
  const sample = sampleOf(served, form)
  const texts = { curl: curl(sample), JavaScript: javascript(served, sample), Python: python(sample), PHP: php(sample) }
  const languages = Object.keys(texts)
  const { method, path, body } = sample
  const needsToken = served.operation.security === undefined
  return html`<div class="languages" role="group" aria-label="Language" hidden>${languages.map(
    (language, at) =>
      html`<button type="button" data-chooses="${language}" aria-pressed="${at === 0 ? 'true' : 'false'}">${language}</button>`,
  )}</div>
${Object.entries(texts).map(
  ([language, text], at) => html`<div data-language="${language}"${raw(at === 0 ? '' : ' hidden')}>${code(text)}</div>`,
)}
<div data-try="${JSON.stringify({ method, path, body, needsToken })}"></div>`
}
