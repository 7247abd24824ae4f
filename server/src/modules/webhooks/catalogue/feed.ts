import { type Cursor as ListCursor, readCursor } from '../../../kernel/cursors.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import { type FeedCursor, feedOrder } from '../../../platform/events/event-feed.store.ts'

const days = 86_400_000
/** Events can be read and delivered again for this long. */
export const readableDays = 30

export const feedBeginning = (now: Date): Date => new Date(now.getTime() - readableDays * days)

/** A position in the feed. Opaque to callers. */
export type Cursor = string

export const cursorOf = ({ era, xid, seq }: FeedCursor): Cursor => `${era}.${xid}.${seq}`

const beginning: FeedCursor = { era: 0, xid: '0', seq: '0' }
const written = /^(\d{1,4})\.(\d{1,19})\.(\d{1,18})$/

export const isCursor = (text: string): boolean => text === 'start' || written.test(text)

/** `undefined` or `start` is the beginning of the readable events. */
export function cursorFrom(cursor: Cursor | undefined): FeedCursor {
  const [, era, xid, seq] = written.exec(cursor ?? '') ?? []
  return era === undefined || xid === undefined || seq === undefined ? beginning : { era: Number(era), xid, seq }
}

/** Continue in the order of the feed, or downwards from the newest events. */
export type FeedPosition = { readonly follow: FeedCursor } | { readonly down: ListCursor | undefined }

/** `undefined` if the text is neither `start`, nor the cursor of an event, nor the cursor of a page. */
export function positionOf(after: Cursor | undefined): FeedPosition | undefined {
  if (after === undefined) return { down: undefined }
  if (isCursor(after)) return { follow: cursorFrom(after) }
  const ofPage = readCursor(after)
  if (ofPage?.order !== feedOrder) return ofPage && { down: ofPage }
  const text = ofPage.keys.join('.')
  return written.test(text) ? { follow: cursorFrom(text) } : undefined
}

export const wrongPosition: Fault = {
  path: 'after',
  rule: 'cursor',
  message: 'must be the nextCursor of a page, the cursor of an event, or `start`',
}
