import type { Fault } from '../../kernel/refusals.ts'
import type { FeedPlace } from '../../platform/events/told-events.store.ts'

const days = 86_400_000
/** Events can be read, and delivered again, for so long. */
export const readableDays = 30

export const feedBeginning = (now: Date): Date => new Date(now.getTime() - readableDays * days)

/** A place in the feed as readers hold it: nothing that they need to understand. */
export type Cursor = string

export const cursorOf = ({ era, xid, seq }: FeedPlace): Cursor => `${era}.${xid}.${seq}`

const beginning: FeedPlace = { era: 0, xid: '0', seq: '0' }
const written = /^(\d{1,4})\.(\d{1,19})\.(\d{1,18})$/

export const isCursor = (text: string): boolean => text === 'start' || written.test(text)

/** Nothing, or `start`, is the beginning of what can be read. */
export function placeOf(cursor: Cursor | undefined): FeedPlace {
  const [, era, xid, seq] = written.exec(cursor ?? '') ?? []
  return era === undefined || xid === undefined || seq === undefined ? beginning : { era: Number(era), xid, seq }
}

export const cursorFaults = (cursor: Cursor | undefined): Fault[] =>
  cursor === undefined || isCursor(cursor)
    ? []
    : [{ path: 'after', rule: 'format', message: 'must be the cursor of an event, or `start`' }]
