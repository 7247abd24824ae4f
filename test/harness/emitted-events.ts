import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type TObject, type TSchema } from 'typebox'
import { expect } from 'vitest'
import { strictCheck } from '../../server/src/http/request/validate.ts'
import { toEventData } from '../../server/src/http/shared/contract-words.ts'
import { eventPayloads } from '../../server/src/http/shared/event-schemas.ts'
import type { EventType } from '../../server/src/kernel/events.ts'
import { isPassingFailure, type Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'

export interface RealEvent {
  readonly type: EventType
  readonly data: Readonly<Record<string, unknown>>
}

/** The same schema, but without unknown fields. */
const closed = (schema: TSchema): TSchema =>
  'anyOf' in schema
    ? Type.Union((schema.anyOf as TObject[]).map(closed))
    : Type.Object((schema as TObject).properties, { additionalProperties: false })

const closedPayloads = new Map(
  Object.entries(eventPayloads).map(([type, schema]) => [type as EventType, closed(schema)] as const),
)

/** The differences between an event's payload and its type: missing and unknown fields. */
export const faultsOfEvent = ({ type, data }: RealEvent): string[] =>
  strictCheck(closedPayloads.get(type) as TSchema)(toEventData(data)).map(
    ({ path, message }) => `${type} ${path}: ${message}`,
  )

/** Folder for real events, from which scripts/keep-event-values.ts takes values. */
const gatheredIn = process.env.GATHER_EVENTS

const most = 5_000

/**
 * Events that operations and jobs emitted. Events with the harness's own request id are left out, because tests emit
 * arbitrary ones. Empty if a test removed the database.
 */
export async function eventsEmittedIn(db: Queryable): Promise<RealEvent[]> {
  try {
    return await db.rows(sql`select type, data from events where request_id <> 'test' order by id desc limit ${most}`)
  } catch (error) {
    if (isPassingFailure(error) || !(error instanceof Error && 'code' in error)) return []
    throw error
  }
}

/** Checks an application's events against the schemas that receivers rely on. */
export function holdToSchemas(events: readonly RealEvent[]): void {
  if (gatheredIn !== undefined && events.length > 0)
    appendFileSync(
      join(gatheredIn, `${process.pid}.jsonl`),
      `${events.map((event) => JSON.stringify(event)).join('\n')}\n`,
    )
  // As a receiver reads it: JSON turns every number into a binary number.
  const read = events.map((event) => JSON.parse(JSON.stringify(event)) as typeof event)
  expect([...new Set(read.flatMap(faultsOfEvent))], 'events that do not fit their schemas').toEqual([])
}
