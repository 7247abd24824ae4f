import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type EventType, eventTypes } from '../../server/src/kernel/events.ts'
import { samples } from '../../server/src/modules/webhooks/catalogue/samples.ts'
import { faultsOfEvent, type RealEvent } from '../harness/emitted-events.ts'
import { type SeenValues, valuesIn } from '../harness/event-values.ts'

/** The values of real events by field, recorded from tests: `npm run events:keep <test files>`. */
const seen = JSON.parse(readFileSync(new URL('event-values.json', import.meta.url), 'utf8')) as Record<
  string,
  SeenValues
>
const types = Object.keys(eventTypes) as EventType[]
const sampleOf = (type: EventType): RealEvent => ({ type, data: samples[type].data as RealEvent['data'] })

/** Values of a sample that no real event of its type had in that field. */
const oddities = (event: RealEvent): string[] =>
  [...valuesIn(event)]
    .filter(([field, value]) => !seen[event.type]?.[field]?.includes(value))
    .map(([field, value]) => `${event.type} ${field}: ${value}`)

test('every sample has the fields of its type, and no others', () => {
  expect(types.flatMap((type) => faultsOfEvent(sampleOf(type)))).toEqual([])
})

test('every sample is like a real event of its type', () => {
  expect(
    types.filter((type) => !seen[type]),
    'run `npm run events:keep` with a test that emits it',
  ).toEqual([])
  expect(types.flatMap((type) => oddities(sampleOf(type)))).toEqual([])
})

test('the check finds a sample that differs from a real event', () => {
  const { type, data } = sampleOf('invoice.accepted')
  const unlike = (change: object) => oddities({ type, data: { ...data, ...change } })
  expect(unlike({ status: 'draft' })).toEqual(['invoice.accepted status: draft'])
  expect(unlike({ authorityReference: null })).toEqual(['invoice.accepted authorityReference: null'])
  expect(faultsOfEvent({ type, data: { ...data, invoiceType: '381' } })).toHaveLength(1)
  expect(faultsOfEvent({ type, data: { ...data, total: 1 } })).toHaveLength(1)
})
