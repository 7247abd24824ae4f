import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type TObject, type TSchema } from 'typebox'
import { expect } from 'vitest'
import { strictCheck } from '../../server/src/http/request/validate.ts'
import { eventPayloads } from '../../server/src/http/shared/event-payloads.ts'
import type { EventType } from '../../server/src/kernel/events.ts'
import { isPassingFailure, type Queryable } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/sql.ts'

export interface RealEvent {
  readonly type: EventType
  readonly data: Readonly<Record<string, unknown>>
}

/** The same schema, which a field that it does not name does not fit. */
const closed = (schema: TSchema): TSchema =>
  'anyOf' in schema
    ? Type.Union((schema.anyOf as TObject[]).map(closed))
    : Type.Object((schema as TObject).properties, { additionalProperties: false })

const closedPayloads = new Map(
  Object.entries(eventPayloads).map(([type, schema]) => [type as EventType, closed(schema)] as const),
)

/** What an event tells that its type does not, or does not tell that it must. */
export const faultsOfEvent = ({ type, data }: RealEvent): string[] =>
  strictCheck(closedPayloads.get(type) as TSchema)(data).map(({ path, message }) => `${type} ${path}: ${message}`)

/** Where real events are gathered, to compare samples to them: see scripts/keep-event-values.ts. */
const gatheredIn = process.env.GATHER_EVENTS

const most = 5_000

/**
 * Events that operations and jobs told. What a test tells by itself, under the harness’s own request id, may be anything. A test that took the
 * database away has none.
 */
export async function eventsToldIn(db: Queryable): Promise<RealEvent[]> {
  try {
    return await db.rows(sql`select type, data from events where request_id <> 'test' order by id desc limit ${most}`)
  } catch (error) {
    if (isPassingFailure(error) || !(error instanceof Error && 'code' in error)) return []
    throw error
  }
}

/** Holds what an application has told against the schemas that receivers rely on. */
export function holdToSchemas(events: readonly RealEvent[]): void {
  if (gatheredIn !== undefined && events.length > 0)
    appendFileSync(
      join(gatheredIn, `${process.pid}.jsonl`),
      `${events.map((event) => JSON.stringify(event)).join('\n')}\n`,
    )
  // As whoever is told reads it: a number with more digits than a binary number holds is a number.
  const read = events.map((event) => JSON.parse(JSON.stringify(event)) as typeof event)
  expect([...new Set(read.flatMap(faultsOfEvent))], 'events that do not fit their schemas').toEqual([])
}
