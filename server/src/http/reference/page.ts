import { badge, inline, pathText, prose } from './elements.ts'
import { aboutEvents, type EventGroup, eventArticle, eventsTitle } from './events.ts'
import { commonFields, commonTable } from './field-tables.ts'
import { introduction } from './introduction.ts'
import { layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { operationArticle } from './operation-section.ts'
import type { Reference } from './reference.ts'
import { addressOf, type Group, type ServedOperation } from './served-operations.ts'
import { sidebar } from './sidebar.ts'

/** The first page: how the API works, and a list of all operations. */
export function firstPage(reference: Reference): string {
  const { document, form, others, groups } = reference
  return layout({
    title: `${document.info.title} reference`,
    side: sidebar(reference),
    content: html`${introduction(document, form, others)}
<section class="group" id="operations"><h2>Operations</h2>
${groups.map((group) => html`<h3 id="tag-${group.name}"><a href="${form.prefix}/docs/${group.name}">${group.title}</a></h3>${operationList(group, reference)}`)}
</section>`,
  })
}

/** A resource: its description and its operations. */
export const groupPage = (reference: Reference, group: Group): string =>
  layout({
    title: `${group.title} · ${reference.form.title}`,
    side: sidebar(reference, group.name),
    content: html`${eyebrow(reference, `docs/${group.name}.md`)}<h1>${group.title}</h1>
${group.description !== undefined && prose(group.description, 'lead')}
${operationList(group, reference)}`,
  })

export const operationPage = (reference: Reference, group: Group, served: ServedOperation): string =>
  layout({
    title: `${served.operation.summary} · ${reference.form.title}`,
    side: sidebar(reference, group.name),
    content: html`${eyebrow(reference, `docs/${group.name}.md`)}<h1>${group.title}</h1>
${operationArticle(served, reference.form)}`,
  })

/** All events, each with its first sentence. */
export const eventsPage = (reference: Reference): string =>
  layout({
    title: `${eventsTitle} · ${reference.form.title}`,
    side: sidebar(reference, 'events'),
    content: html`${eyebrow(reference, 'docs/events.md')}<h1>${eventsTitle}</h1>
${prose(aboutEvents, 'lead')}
${reference.eventGroups.map(
  ({ name, title, events }) => html`<h2><a href="${reference.form.prefix}/docs/events/${name}">${title}</a></h2>
<ul class="operations">${events.map(
    (
      event,
    ) => html`<li><a href="${reference.form.prefix}/docs/events/${name}#event-${event.name}"><code>${event.name}</code></a>
<span>${inline(firstSentence(event.description))}</span></li>`,
  )}</ul>`,
)}`,
  })

export const eventGroupPage = (reference: Reference, { title, events }: EventGroup): string => {
  const payloads = events.map(({ payload }) => payload)
  const common = commonFields(payloads)
  return layout({
    title: `${title} · ${reference.form.title}`,
    side: sidebar(reference, 'events'),
    content: html`${eyebrow(reference, 'docs/events.md')}<h1>${title}</h1>
${prose(aboutEvents, 'lead')}
${payloads[0] !== undefined && commonTable(payloads[0], common)}
${events.map((event) => eventArticle(event, common))}`,
  })
}

const eyebrow = ({ form }: Reference, markdown: string): Markup =>
  html`<p class="eyebrow"><a href="${form.prefix}/docs">${form.title}</a> · <a href="${form.prefix}/${markdown}">as Markdown</a></p>`

const operationList = ({ served }: Group, { form }: Reference): Markup =>
  html`<ul class="operations">${served.map(
    (one) => html`<li><a href="${addressOf(one, form)}">${one.operation.summary}</a>
<span>${badge(one.method)} ${pathText(form.prefix + one.path)}</span></li>`,
  )}</ul>`

const firstSentence = (text: string): string => /^.+?\.(?= |$)/s.exec(text)?.[0] ?? text
