import { randomInt } from 'node:crypto'
import type { Caller } from '../../kernel/callers.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { type CodePurpose, countWrongTry, insertCode, lockOpenCodes, useCodes } from './one-time-codes.store.ts'

const lifeMs = 15 * 60_000
const attempts = 5
/** A code that was sent again leaves the one before usable; more than this many at once would help a guesser. */
const openAtOnce = 3

const macPurpose = (purpose: CodePurpose, userId: UserId) => `${purpose} ${userId}`

export interface IssuedCode {
  readonly id: string
  readonly code: string
}

/** A six-digit code. `claims` take effect when this very code comes back. */
export async function issueCode(
  context: Inside<Caller>,
  userId: UserId,
  purpose: CodePurpose,
  claims: Record<string, string> = {},
): Promise<IssuedCode> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const id = newId()
  const codeMac = context.vault.mac(macPurpose(purpose, userId), code)
  const expiresAt = new Date(context.now.getTime() + lifeMs)
  await insertCode(context.tx, { id, userId, purpose, codeMac, claims, attempts, expiresAt }, context.now)
  return { id, code }
}

/** The claims of the code that matches, which is then used up; a wrong one costs every open code an attempt. */
export async function redeemCode(
  context: Inside<Caller>,
  userId: UserId,
  purpose: CodePurpose,
  code: string,
): Promise<Record<string, string> | undefined> {
  const open = await lockOpenCodes(context.tx, userId, purpose, context.now, openAtOnce)
  const match = open.find((row) => context.vault.macMatches(row.codeMac, macPurpose(purpose, userId), code))
  if (!match) {
    await countWrongTry(
      context.tx,
      open.map((row) => row.id),
    )
    return undefined
  }
  await useCodes(context.tx, userId, purpose, context.now)
  return match.claims
}
