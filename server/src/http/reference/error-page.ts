import { STATUS_CODES } from 'node:http'
import { type RefusalName, refusals } from '../../kernel/refusals.ts'
import type { Form } from '../definitions/form.ts'
import { exampleMeta } from '../openapi/example-values.ts'
import { documentedStatuses } from '../openapi/index.ts'
import { code, inline, statusBadge } from './elements.ts'
import { html, type Markup } from './markup.ts'
import { pretty } from './samples.ts'
import { sidePage } from './side-page.ts'
import { meaningOf } from './what-to-do.ts'

/** One reason for a code: its meaning, its remedy and its operations. */
interface ErrorReason {
  readonly reason: RefusalName
  readonly status: number
  readonly means: string
  readonly remedy: string
  readonly operations: readonly { readonly id: string; readonly summary: string }[]
}

export interface ErrorCode {
  readonly code: string
  readonly reasons: readonly ErrorReason[]
}

/** Every code of a form, with its reasons. */
export function errorCodes(form: Form): ErrorCode[] {
  const given = new Map<RefusalName, { id: string; summary: string }[]>()
  for (const { module, name, route } of form.routes)
    for (const reason of [...documentedStatuses(form, route).values()].flat())
      given.set(reason, [...(given.get(reason) ?? []), { id: `${module}_${name}`, summary: route.definition.summary }])
  const reasons = (Object.keys(form.answers) as RefusalName[]).map((reason): ErrorReason & { code: string } => {
    const { means, remedy = 'Do what the message says.' } = meaningOf(reason)
    const { status, code: itsCode } = form.answers[reason]
    return {
      code: itsCode,
      reason,
      status,
      means,
      remedy,
      operations: given.get(reason) ?? [],
    }
  })
  return [...Map.groupBy(reasons, (one) => one.code)]
    .map(([itsCode, ofCode]) => ({ code: itsCode, reasons: ofCode }))
    .sort((a, b) => (a.code < b.code ? -1 : 1))
}

const exampleOfReason = (itsCode: string, { reason }: ErrorReason) => ({
  meta: { ...exampleMeta, mode: undefined },
  error: {
    code: itsCode,
    reason,
    message: refusals[reason],
    ...(reason === 'request.invalid'
      ? { details: [{ path: 'lineItems[2].quantity', rule: 'required', message: 'is required' }] }
      : {}),
  },
})

const few = 12

export function errorPage(form: Form, { code: itsCode, reasons }: ErrorCode): string {
  const docs = `${form.prefix}/docs`
  return sidePage(
    form,
    { title: itsCode, markdown: `docs/errors/${itsCode}.md`, from: '#errors' },
    html`${reasons.map((one) => reasonSection(docs, itsCode, one))}`,
  )
}

function reasonSection(docs: string, itsCode: string, one: ErrorReason): Markup {
  const { reason, status, means, remedy, operations } = one
  return html`<section class="chapter" id="${reason}"><div class="told">
<h2><code>${reason}</code></h2>
<p>${statusBadge(status)} ${STATUS_CODES[status] ?? ''}. <code>Risiti-Reason: ${reason}</code></p>
<h3>What it means</h3><p>${inline(means)}</p>
<h3>What to do</h3><p>${inline(remedy)}</p>
${
  operations.length > 0 &&
  html`<h3>Where</h3><ul>${operations.slice(0, few).map(({ id, summary }) => html`<li><a href="${docs}#${id}">${summary}</a></li>`)}${
    operations.length > few && html`<li>and ${operations.length - few} others</li>`
  }</ul>`
}</div>
<div class="shown">${code(pretty(exampleOfReason(itsCode, one)))}</div></section>`
}

export const errorMarkdown = (form: Form, { code: itsCode, reasons }: ErrorCode): string =>
  [
    `# ${itsCode} (${form.title})`,
    ...reasons.flatMap((one) => [
      `## \`${one.reason}\` (${one.status} ${STATUS_CODES[one.status] ?? ''})`,
      `**What it means.** ${one.means}`,
      `**What to do.** ${one.remedy}`,
      ...(one.operations.length > 0 ? [`**Where.** ${one.operations.map(({ id }) => `\`${id}\``).join(', ')}`] : []),
      `\`\`\`json\n${pretty(exampleOfReason(itsCode, one))}\n\`\`\``,
    ]),
  ].join('\n\n')
