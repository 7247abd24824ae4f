import { randomFillSync } from 'node:crypto'

declare const idOf: unique symbol

/** A UUID that remembers what it names, so that a buyer's id cannot be passed where a seller's is wanted. */
export type Id<Noun extends string> = string & { readonly [idOf]: Noun }

export type OrganisationId = Id<'organisation'>
export type UserId = Id<'user'>
export type SessionId = Id<'session'>
export type ApiKeyId = Id<'api-key'>
export type RoleId = Id<'role'>

/** Asking the system for randomness costs more than all the rest: it is asked for many ids at once. */
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
 * UUIDv7: ordered by time, so that indexes grow at their end. Ids made in one millisecond by one process keep
 * their order through a 12-bit counter that starts at random in its lower half.
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
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | sequence, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Id<Noun>
}

/** The least id that can have been made at this time or later. */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
