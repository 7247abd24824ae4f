import type { Form } from '../definitions/form.ts'
import { type Change, changesOf, type DayOfChanges } from './changes.ts'
import { html, type Markup } from './markup.ts'
import { sidePage } from './side-page.ts'

const kinds = { added: 'Added', removed: 'Removed' } as const

/** The changes of the API by day, for developers of existing programs. */
export const changesPage = (form: Form): string =>
  sidePage(
    form,
    { title: 'Changes', markdown: 'docs/changes.md' },
    html`<p class="lead">Day by day, what callers can see of the API: operations, fields, parameters, reasons to refuse and
types of events.</p>${changesOf(form).map(daySection)}`,
  )

function daySection(one: DayOfChanges): Markup {
  const parts = (Object.keys(kinds) as (keyof typeof kinds)[]).filter((kind) => one[kind].length > 0)
  return html`<section class="day" id="${one.day}"><h2><time datetime="${one.day}">${one.day}</time></h2>
${parts.map((kind) => html`<h3>${kinds[kind]}</h3><ul>${one[kind].map(entry)}</ul>`)}</section>`
}

const entry = ({ subject, parts }: Change): Markup =>
  html`<li><code>${subject}</code>${parts.length > 0 && html`: ${parts.map((part, at) => html`${at > 0 && ', '}<code>${part}</code>`)}`}</li>`

export const changesMarkdown = (form: Form): string =>
  `${[
    `# Changes (${form.title})`,
    ...changesOf(form).flatMap((one) => [
      `## ${one.day}`,
      ...(Object.keys(kinds) as (keyof typeof kinds)[])
        .filter((kind) => one[kind].length > 0)
        .flatMap((kind) => [`### ${kinds[kind]}`, one[kind].map(entryText).join('\n')]),
    ]),
  ].join('\n\n')}\n`

const entryText = ({ subject, parts }: Change): string =>
  `- \`${subject}\`${parts.length > 0 ? `: ${parts.map((part) => `\`${part}\``).join(', ')}` : ''}`
