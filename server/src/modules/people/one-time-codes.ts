import { randomInt } from 'node:crypto'
import type { Caller } from '../../kernel/callers.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { countWrongTry, lockAttempts, networkMacOf, networkOf } from './attempt-limits.ts'
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

/** For callers with rules of their own about codes that were sent. */
export { countCodes, useCodes } from './one-time-codes.store.ts'

const lifeMs = 15 * 60_000
const attempts = 5

const macPurpose = (purpose: CodePurpose, userId: UserId) => `${purpose} ${userId}`

export interface IssuedCode {
  readonly id: string
  readonly code: string
}

const newCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/**
 * Replaces the open six-digit code. `subject` narrows the purpose, and `claims` take effect when this very code is
 * redeemed.
 */
export async function issueCode(
  context: Inside<Caller>,
  userId: UserId,
  purpose: CodePurpose,
  { subject = '', claims = {} }: { subject?: string; claims?: Record<string, string> } = {},
): Promise<IssuedCode> {
  const { tx, vault, now } = context
  // Two concurrent requests would otherwise both find no code to replace.
  await lockPerson(tx, userId)
  const taken = await listOpenCodeMacs(tx, userId, purpose, now)
  const isTaken = (code: string) => taken.some((mac) => vault.macMatches(mac, macPurpose(purpose, userId), code))
  let code = newCode()
  // Open codes must differ, because the code tells which one is meant. Ten draws are plenty for a few codes out of a
  // million.
  for (let draws = 1; draws < 10 && isTaken(code); draws++) code = newCode()
  const id = newId()
  const codeMac = vault.mac(macPurpose(purpose, userId), code)
  const expiresAt = new Date(now.getTime() + lifeMs)
  const networkMac = networkMacOf(context)
  await replaceCode(tx, { id, userId, purpose, subject, codeMac, networkMac, claims, attempts, expiresAt }, now)
  return { id, code }
}

/** The address whose code is tried, and its person, if there is one. */
export interface CodeTry {
  readonly purpose: CodePurpose
  readonly account: string
  readonly person: Pick<Person, 'id' | 'email' | 'firstName'> | undefined
  /** The network is the person's own, for a reason that the throttle does not know. */
  readonly isOwnNetwork?: boolean
}

/**
 * The matching code is used up together with all others of its purpose. A wrong code costs each open code an attempt
 * and is counted even if the account does not exist.
 */
export async function redeemCode(
  context: Inside<Caller>,
  { purpose, account, person, isOwnNetwork = false }: CodeTry,
  code: string,
): Promise<CodeRow | undefined> {
  const { tx, vault, now } = context
  const { networkMac, known } = await networkOf(context, account)
  const attempt = { kind: purpose, account, network: { networkMac, known: known || isOwnNetwork } }
  await lockAttempts(context, attempt)
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
  await countWrongTry(context, attempt, person)
  return undefined
}
