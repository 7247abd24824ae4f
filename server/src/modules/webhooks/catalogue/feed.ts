import { type Cursor as ListCursor, readCursor } from '../../../kernel/cursors.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import { type FeedEvent, feedOrder } from '../../../platform/events/event-feed.store.ts'

const days = 86_400_000
/** Events can be read and delivered again for this long. */
export const readableDays = 30

export const feedBeginning = (now: Date): Date => new Date(now.getTime() - readableDays * days)

/** A position in the event log of the organisation, or `start`. */
export type Cursor = string

export const cursorOf = ({ position }: Pick<FeedEvent, 'position'>): Cursor => String(position)

const written = /^\d{1,15}$/
/** How versions before positions wrote a cursor. */
const writtenEarlier = /^\d{1,4}\.\d{1,19}\.\d{1,18}$/

/** `undefined`, `start` and a cursor of an earlier version are the beginning of the readable events. */
export const positionFrom = (cursor: Cursor | undefined): number => (written.test(cursor ?? '') ? Number(cursor) : 0)

/** Continue in the order of the log, or downwards from the newest events. */
export type FeedPosition = { readonly follow: number } | { readonly down: ListCursor | undefined }

const fault = (message: string): Fault => ({ path: 'after', rule: 'cursor', message })

export const wrongPosition = fault('must be the nextCursor of a page, the cursor of an event, or `start`')
export const positionAhead = fault(
  'is ahead of the newest event: the data was restored to an earlier time. Read from `start`, and skip the events whose ids you have',
)
const earlierPosition = fault(
  'is a cursor of an earlier version and can no longer be used. Read from `start`, and skip the events whose ids you have',
)

/** The newest events come first, so there is nothing to wait for. */
export const waitsForNothing: Fault = {
  path: 'wait',
  rule: 'requires',
  message: 'needs `after`: send `start`, or the `cursor` of the last event that you have',
}

/** Where to read, or what is wrong with the text. */
export function feedPositionOf(after: Cursor | undefined): FeedPosition | Fault {
  if (after === undefined) return { down: undefined }
  const ofPage = readCursor(after)
  const text = ofPage?.order === feedOrder ? ofPage.keys.join('.') : after
  if (text === 'start' || written.test(text)) return { follow: positionFrom(text) }
  if (writtenEarlier.test(text)) return earlierPosition
  return ofPage && ofPage.order !== feedOrder ? { down: ofPage } : wrongPosition
}
