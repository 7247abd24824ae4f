import { randomFillSync } from 'node:crypto'

declare const idOf: unique symbol

/** A UUID with the noun in its type, so that a buyer's id cannot be passed as a seller's. */
export type Id<Noun extends string> = string & { readonly [idOf]: Noun }

export type OrganisationId = Id<'organisation'>
export type UserId = Id<'user'>
export type SessionId = Id<'session'>
export type ApiKeyId = Id<'api-key'>
export type ProgramId = Id<'connected-program'>
export type RoleId = Id<'role'>

/** Random bytes are drawn for many ids at once, because the system call costs more than the rest. */
const pool = Buffer.alloc(16 * 256)
let taken = pool.length

function sixteenRandomBytes(): Buffer {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  taken += 16
  return pool.subarray(taken - 16, taken)
}

let lastMs = 0
let sequence = 0

/**
 * UUIDv7: ordered by time, so that indexes grow at their end. A 12-bit counter, started at random in its lower half,
 * keeps ids of one millisecond in order.
 */
export function newId<Noun extends string>(nowMs = Date.now()): Id<Noun> {
  const bytes = sixteenRandomBytes()
  if (nowMs > lastMs) {
    lastMs = nowMs
    sequence = bytes.readUInt16BE(6) & 0x7ff
  } else if (++sequence > 0xfff) {
    lastMs++
    sequence = 0
  }
  return idOfTime(bytes, lastMs, sequence)
}

/**
 * An id for another moment, for events that are emitted later than they happened. The counter of `newId` stays
 * untouched. Up to 4,096 ids of one moment are ordered by `nth`.
 */
export const idAt = <Noun extends string>(ms: number, nth: number): Id<Noun> =>
  idOfTime(sixteenRandomBytes(), ms, nth & 0xfff)

function idOfTime<Noun extends string>(random: Buffer, ms: number, nth: number): Id<Noun> {
  random.writeUIntBE(ms, 0, 6)
  random.writeUInt16BE(0x7000 | nth, 6)
  random.writeUInt8((random.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = random.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Id<Noun>
}

/** Smallest id that can be made at this time or later. */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
