import { describe, expect, test } from 'vitest'
import { formA } from '../../server/src/http/form-a/index.ts'
import { formB } from '../../server/src/http/form-b/index.ts'
import { openApiOf } from '../../server/src/http/openapi/index.ts'
import { flatten, variantsOf } from '../../server/src/http/openapi/schema-fields.ts'
import { eventsMarkdown } from '../../server/src/http/reference/markdown.ts'
import { eventGroupPage } from '../../server/src/http/reference/page.ts'
import { referenceOf } from '../../server/src/http/reference/reference.ts'
import { eventPayloads } from '../../server/src/http/shared/event-schemas.ts'
import { eventDescriptions } from '../../server/src/kernel/event-descriptions.ts'
import { type EventType, eventTypes } from '../../server/src/kernel/events.ts'

const types = Object.keys(eventTypes) as EventType[]
/** A sentence or more: a capital, a full stop, and not all of it the name of the type. */
const isProse = (text: string) => /^[`A-Z].{25,}\.$/s.test(text)

test('every type of event is described in sentences', () => {
  expect(types.filter((type) => !isProse(eventDescriptions[type]))).toEqual([])
  expect(new Set(Object.values(eventDescriptions)).size).toBe(types.length)
})

test('the check finds an empty description', () => {
  for (const text of ['', 'invoice.accepted', 'Accepted.', 'the tax authority accepted the document'])
    expect(isProse(text)).toBe(false)
})

describe.each([formA, formB])('$title', (form) => {
  const document = openApiOf(form)
  const reference = referenceOf(form)
  const { events } = reference

  test('describes every event, every field of it, and shows an example', () => {
    const all = Object.values(document.webhooks ?? {}).map(({ post }) => post)
    expect(all.length).toBeGreaterThan(50)
    expect(all.filter(({ description }) => !isProse(description)).map(({ summary }) => summary)).toEqual([])
    for (const { requestBody } of all) expect(requestBody.content['application/json'].example).toBeTypeOf('object')
    const undescribed = events.flatMap(({ name, payload }) =>
      flatten(payload)
        // The envelope says what `object` is.
        .filter(({ path, schema }) => path !== 'object' && !(schema.description ?? variantsOf(schema)[0]?.description))
        .map(({ path }) => `${name} ${path}`),
    )
    expect(undescribed).toEqual([])
  })

  test('has the events in both versions of the reference', () => {
    const page = reference.eventGroups.map((group) => eventGroupPage(reference, group)).join('')
    const markdown = eventsMarkdown(reference)
    for (const { name, description } of events) {
      expect(page).toContain(`id="event-${name}"`)
      expect(markdown).toContain(`## \`${name}\`\n\n${description}`)
    }
  })
})

test('the check finds a payload field without a description', () => {
  const fields = types.flatMap((type) => flatten(eventPayloads[type] as never))
  expect(fields.length).toBeGreaterThan(300)
  expect(fields.every(({ schema }) => schema.description ?? variantsOf(schema)[0]?.description)).toBe(true)
  expect(flatten({ properties: { a: { type: 'string' } } }).every(({ schema }) => schema.description)).toBe(false)
})
