import type { Caller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Inside, Outside } from '../../../platform/operations/operation.ts'
import type { Vault } from '../../../platform/secrets/secrets.ts'
import { nobodysHash, passwordMatches } from '../../people/index.ts'
import { readInvitationCode } from './invitation.ts'
import {
  countWrongCode,
  findLockedUntil,
  findPendingByCode,
  forgetWrongCodes,
  type InvitationByCode,
} from './invitations.store.ts'

const mostWrong = 10
const lockMs = 3600_000

/** Finds a code without telling it: useless to whoever has the database but not the key file. */
export const invitationMac = (vault: Vault, email: string, code: string): string =>
  vault.mac('invitation', `${email} ${code}`)
/** An invitation lives longer than a change of keys takes. */
const invitationMacs = (vault: Vault, email: string, code: string): readonly string[] =>
  vault.macsOf('invitation', `${email} ${code}`)
const guessesMac = (vault: Vault, email: string): string => vault.mac('invitation guesses', email)

/**
 * The pending invitation that a code and an address belong to. Whatever does not fit, one slow hash is checked, so
 * that all mismatches take the same time.
 */
export async function matchInvitation(
  { db, vault, now }: Outside<Caller>,
  email: string,
  typedCode: string,
): Promise<InvitationByCode | undefined> {
  const lockedUntil = await findLockedUntil(db, guessesMac(vault, email))
  if (lockedUntil && lockedUntil > now)
    throw refuse('limit.exceeded', {
      message: 'Too many wrong codes for this address; try again later.',
      retryAfterSeconds: Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000),
    })
  const code = readInvitationCode(typedCode)
  const found =
    code === undefined ? undefined : await findPendingByCode(db, email, invitationMacs(vault, email, code), now)
  const matches = await passwordMatches(code ?? 'none', found?.codeHash ?? nobodysHash)
  return found && matches ? found : undefined
}

/** Every mismatch is the same answer, and is counted. */
export async function refuseUnknownCode({ tx, vault, now }: Inside<Caller>, email: string): Promise<Refusal> {
  await countWrongCode(tx, guessesMac(vault, email), mostWrong, now, new Date(now.getTime() + lockMs))
  return refuse('invitation.unknown')
}

export const forgetGuesses = ({ tx, vault }: Inside<Caller>, email: string): Promise<void> =>
  forgetWrongCodes(tx, guessesMac(vault, email))
