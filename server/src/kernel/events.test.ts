import { expect, test } from 'vitest'
import type { EventSourceRow, NewEvent } from '../platform/events/events.store.ts'
import type { Inside } from '../platform/operations/operation.ts'
import type { SystemCaller } from './callers.ts'
import type { BuyerPayload } from './event-payloads.ts'
import { type EventOf, eventsOf, eventTypes, type MorePayload, objectKinds } from './events.ts'
import { newId, type OrganisationId } from './ids.ts'

/** Checked by the compiler: each marked line must fail to compile, and a mark without an error is itself an error. */
export function emitting({ emit }: Inside<SystemCaller>): void {
  const organisationId = newId() as OrganisationId
  const item = { itemId: '1', name: 'Rice', sku: null, itemType: 'goods' } as const
  const about = { organisationId, objectId: '1' }
  const there = { ...about, mode: 'live', version: 1 } as const
  emit('item.created', there, item)
  emit('role.deleted', about, { name: 'Clerk' })
  // @ts-expect-error no such type
  emit('item.eaten', there, item)
  // @ts-expect-error a field is missing
  emit('item.created', there, { itemId: '1', name: 'Rice', sku: null })
  // @ts-expect-error a field is of another kind
  emit('item.created', there, { ...item, name: 7 })
  // @ts-expect-error a field that the payload does not have
  emit('item.created', there, { itemId: '1', name: 'Rice', sku: null, itemType: 'goods', price: 1 })
  // @ts-expect-error another type's payload
  emit('invoice.created', there, item)
  // @ts-expect-error items belong to a mode
  emit('item.created', { ...about, version: 1 }, item)
  // @ts-expect-error an item has a version
  emit('item.created', { ...about, mode: 'live' }, item)
  // @ts-expect-error roles belong to the organisation as a whole
  emit('role.deleted', { ...about, mode: 'live' }, { name: 'Clerk' })
  // @ts-expect-error roles have no version
  emit('role.deleted', { ...about, version: 1 }, { name: 'Clerk' })
}

/** The same for events that statements receive. */
export function givingToStatements(): void {
  const item = { itemId: '1', name: 'Rice', sku: null, itemType: 'goods' } as const
  const event = { id: '1', version: 1 }
  const tells = (..._: NewEvent[]) => {}
  tells({ ...event, type: 'item.created', data: item }, { ...event, type: 'role.deleted', data: { name: 'Clerk' } })
  // @ts-expect-error a field is missing
  tells({ ...event, type: 'item.created', data: { itemId: '1', name: 'Rice', sku: null } })
  // @ts-expect-error a field is of another kind
  tells({ ...event, type: 'item.created', data: { ...item, name: 7 } })
  // @ts-expect-error a field that the payload does not have
  tells({ ...event, type: 'item.created', data: { ...item, price: 1 } })
  // @ts-expect-error another type's payload
  tells({ ...event, type: 'invoice.created', data: item })

  const given = (..._: EventSourceRow<'item.created'>[]) => {}
  given({ event: item, at: new Date() })
  // @ts-expect-error no payload
  given({ at: new Date() })
  // @ts-expect-error a field is missing
  given({ event: { itemId: '1', name: 'Rice', sku: null } })
  // @ts-expect-error a field is of another kind
  given({ event: { ...item, name: 7 } })
  // @ts-expect-error a field that the payload does not have
  given({ event: { ...item, price: 1 } })
}

/** The same for the facts of an object and the further fields of each type. */
export function tellingFurther(
  tell: <Type extends EventOf<'buyer'>>(type: Type, ...further: MorePayload<Type, BuyerPayload>) => void,
  either: 'buyer.created' | 'buyer.updated',
): void {
  tell('buyer.created')
  tell('buyer.updated', { changed: ['name'] })
  // @ts-expect-error the changed fields are missing
  tell('buyer.updated')
  // @ts-expect-error a field is of another kind
  tell('buyer.updated', { changed: 'name' })
  // @ts-expect-error a field that the payload does not have
  tell('buyer.updated', { changed: ['name'], price: 1 })
  // @ts-expect-error this type has no further fields
  tell('buyer.created', { changed: ['name'] })
  // @ts-expect-error one of the two types has further fields
  tell(either)
}

test('every event type names its kind of object, and every kind of object has types', () => {
  for (const kind of Object.keys(objectKinds) as (keyof typeof objectKinds)[]) {
    expect(eventsOf(kind), kind).not.toEqual([])
    for (const type of eventsOf(kind)) expect(eventTypes[type].about).toBe(kind)
  }
  expect(eventsOf('item')).toEqual(['item.created', 'item.updated', 'item.deleted', 'item.archived', 'item.unarchived'])
  for (const { version } of Object.values(eventTypes)) expect(version).toBeGreaterThanOrEqual(1)
})
