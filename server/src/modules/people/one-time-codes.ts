import { randomInt } from 'node:crypto'
import type { Caller } from '../../kernel/callers.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { countWrongTry, laneOf, lockDoor, networkMacOf } from './doors.ts'
import {
  type CodePurpose,
  type CodeRow,
  countWrongCode,
  listOpenCodeMacs,
  lockOpenCodes,
  replaceCode,
  useCodes,
} from './one-time-codes.store.ts'
import { lockPerson } from './people.store.ts'
import type { Person } from './person.ts'

const lifeMs = 15 * 60_000
const attempts = 5

const macPurpose = (purpose: CodePurpose, userId: UserId) => `${purpose} ${userId}`

export interface IssuedCode {
  readonly id: string
  readonly code: string
}

const newCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/**
 * A six-digit code in place of the one before. `subject` says what it is for beside its purpose, and `claims` take effect
 * when this very code comes back.
 */
export async function issueCode(
  context: Inside<Caller>,
  userId: UserId,
  purpose: CodePurpose,
  { subject = '', claims = {} }: { subject?: string; claims?: Record<string, string> } = {},
): Promise<IssuedCode> {
  const { tx, vault, now } = context
  // Two requests at once would otherwise both find nothing to replace.
  await lockPerson(tx, userId)
  const taken = await listOpenCodeMacs(tx, userId, purpose, now)
  const isTaken = (code: string) => taken.some((mac) => vault.macMatches(mac, macPurpose(purpose, userId), code))
  let code = newCode()
  // A code tells which of several open ones it is, so no two may be alike; with so few of a million, ten draws are plenty.
  for (let draws = 1; draws < 10 && isTaken(code); draws++) code = newCode()
  const id = newId()
  const codeMac = vault.mac(macPurpose(purpose, userId), code)
  const expiresAt = new Date(now.getTime() + lifeMs)
  const networkMac = networkMacOf(context)
  await replaceCode(tx, { id, userId, purpose, subject, codeMac, networkMac, claims, attempts, expiresAt }, now)
  return { id, code }
}

/** Whose code is tried: an address, and the person who may have one, if there is any. */
export interface CodeTry {
  readonly purpose: CodePurpose
  readonly account: string
  readonly person: Pick<Person, 'id' | 'email' | 'firstName'> | undefined
  /** the network is theirs, for a reason that the doors do not know of */
  readonly isOwnNetwork?: boolean
}

/**
 * The code that matches, which is then used up together with every other of its purpose. A wrong one costs each open code an
 * attempt, and counts at the door whether or not there is anybody behind it.
 */
export async function redeemCode(
  context: Inside<Caller>,
  { purpose, account, person, isOwnNetwork = false }: CodeTry,
  code: string,
): Promise<CodeRow | undefined> {
  const { tx, vault, now } = context
  const { networkMac, known } = await laneOf(context, account)
  const knock = { door: purpose, account, lane: { networkMac, known: known || isOwnNetwork } }
  await lockDoor(context, knock)
  const open = person ? await lockOpenCodes(tx, person.id, purpose, networkMac, now) : []
  const match = open.find((row) => person && vault.macMatches(row.codeMac, macPurpose(purpose, person.id), code))
  if (person && match) {
    await useCodes(tx, person.id, purpose, now)
    return match
  }
  await countWrongCode(
    tx,
    open.map(({ id }) => id),
    networkMac,
  )
  await countWrongTry(context, knock, person)
  return undefined
}
