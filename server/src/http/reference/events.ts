import type { DocumentedWebhook, JsonSchema } from '../openapi/document.ts'
import type { OpenApiDocument } from '../openapi/index.ts'
import { resolver } from '../openapi/resolved.ts'
import { code, prose } from './elements.ts'
import { payloadTable } from './field-tables.ts'
import { html } from './markup.ts'
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

/** The events about one kind of object. */
export interface EventGroup {
  readonly name: string
  readonly title: string
  readonly events: readonly DocumentedEvent[]
}

export const eventGroupsOf = (events: readonly DocumentedEvent[]): EventGroup[] =>
  [...Map.groupBy(events, ({ name }) => name.split('.')[0] as string)].map(([name, ofName]) => ({
    name,
    title: `Events: ${name.replaceAll('_', ' ')}`,
    events: ofName,
  }))

export const eventArticle = (
  { name, description, payload, example }: DocumentedEvent,
  common: ReadonlySet<string>,
) => html`<article class="operation" id="event-${name}">
<div class="told">
<h2><a href="#event-${name}"><code>${name}</code></a></h2>
${prose(description)}
${payloadTable(payload, common)}
</div>
<div class="shown">
<details class="fold"><summary><h3>Example body</h3></summary>
${code(pretty(example), 'tall')}</details>
</div>
</article>`
