import type { DocumentedWebhook, JsonSchema } from '../openapi/document.ts'
import type { OpenApiDocument } from '../openapi/index.ts'
import { resolver } from '../openapi/resolved.ts'
import { code, inline, prose } from './elements.ts'
import { payloadTable } from './field-tables.ts'
import { html, type Markup } from './markup.ts'
import { pretty } from './samples.ts'

/** One event type, as receivers get it. */
export interface DocumentedEvent {
  readonly name: string
  readonly description: string
  /** the fields of `data` */
  readonly payload: JsonSchema
  readonly example: object
}

export const eventsTitle = 'Webhook events'
export const aboutEvents =
  'What your webhook endpoints receive, by type. Every body has the same envelope; the fields below stand under `data`.'

export function eventsOf(document: OpenApiDocument): DocumentedEvent[] {
  const whole = resolver(document)
  return Object.entries(document.webhooks ?? {}).map(([name, { post }]) => {
    const { schema, example } = whole<DocumentedWebhook>(post).requestBody.content['application/json']
    const bodies = schema.anyOf ?? [schema]
    return {
      name,
      description: post.description,
      payload: { anyOf: bodies.map(({ properties }) => properties?.data ?? {}) },
      example,
    }
  })
}

export const eventsSection = (events: readonly DocumentedEvent[]): Markup | false =>
  events.length > 0 &&
  html`<section class="group" id="events">
<h2>${eventsTitle}</h2>
${prose(aboutEvents, 'lead')}
${events.map(eventArticle)}
</section>`

const eventArticle = ({
  name,
  description,
  payload,
  example,
}: DocumentedEvent) => html`<article class="operation" id="event-${name}">
<div class="told">
<h3><a href="#event-${name}"><code>${name}</code></a></h3>
${prose(description)}
${payloadTable(payload)}
</div>
<div class="shown">
<details class="fold"><summary><h4>Example body</h4></summary>
${code(pretty(example), 'tall')}</details>
</div>
</article>`

export const eventsMenu = (events: readonly DocumentedEvent[]): Markup | false =>
  events.length > 0 &&
  html`<div data-group="events"><p class="nav-title"><a href="#events">${eventsTitle}</a></p>
<ul>${events.map(({ name }) => html`<li><a href="#event-${name}"><span>${inline(`\`${name}\``)}</span></a></li>`)}</ul></div>`
