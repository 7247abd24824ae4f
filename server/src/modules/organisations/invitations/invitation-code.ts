import type { Caller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Inside, Outside } from '../../../platform/operations/operation.ts'
import type { Vault } from '../../../platform/secrets/secrets.ts'
import { attemptLimits, nobodysHash, passwordMatches } from '../../people/index.ts'
import { readInvitationCode } from './invitation.ts'
import { findPendingByCode, type InvitationByCode } from './invitations.store.ts'

/** Finds a code without storing it. The value is useless without the key file. */
export const invitationMac = (vault: Vault, email: string, code: string): string =>
  vault.mac('invitation', `${email} ${code}`)
/** An invitation outlives a rotation of keys. */
const invitationMacs = (vault: Vault, email: string, code: string): readonly string[] =>
  vault.macsOf('invitation', `${email} ${code}`)

/** An attempt at a code for an address from a network. `match` is the invitation that it fits. */
export interface InvitationTry {
  readonly attempt: attemptLimits.Attempt
  readonly match: InvitationByCode | undefined
}

/**
 * Every mismatch checks one slow hash, so that all take the same time. Ten wrong codes from one network lock that
 * network out for an hour; the invited person is not affected.
 */
export async function tryInvitation(
  outside: Outside<Caller>,
  email: string,
  network: attemptLimits.Network,
  typedCode: string,
): Promise<InvitationTry> {
  const { db, vault, now } = outside
  const attempt: attemptLimits.Attempt = { kind: 'invitation', account: email, network }
  await attemptLimits.requireNotLockedOut(outside, attempt)
  const code = readInvitationCode(typedCode)
  const found =
    code === undefined ? undefined : await findPendingByCode(db, email, invitationMacs(vault, email, code), now)
  const matches = await passwordMatches(code ?? 'none', found?.codeHash ?? nobodysHash())
  return { attempt, match: found && matches ? found : undefined }
}

/** Every mismatch gets the same reply and is counted. */
export async function refuseUnknownCode(context: Inside<Caller>, { attempt }: InvitationTry): Promise<Refusal> {
  await attemptLimits.countWrongTry(context, attempt, undefined)
  return refuse('invitation.unknown')
}

export const forgetGuesses = (context: Inside<Caller>, { attempt }: InvitationTry): Promise<void> =>
  attemptLimits.forgetWrongTries(context, attempt)
