import type { Caller } from '../../../kernel/callers.ts'
import { type Refusal, refuse } from '../../../kernel/refusals.ts'
import type { Inside, Outside } from '../../../platform/operations/operation.ts'
import type { Vault } from '../../../platform/secrets/secrets.ts'
import {
  countWrongTry,
  forgetWrongTries,
  type Knock,
  type Lane,
  nobodysHash,
  passwordMatches,
  requireOpenDoor,
} from '../../people/index.ts'
import { readInvitationCode } from './invitation.ts'
import { findPendingByCode, type InvitationByCode } from './invitations.store.ts'

/** Finds a code without telling it: useless to whoever has the database but not the key file. */
export const invitationMac = (vault: Vault, email: string, code: string): string =>
  vault.mac('invitation', `${email} ${code}`)
/** An invitation lives longer than a change of keys takes. */
const invitationMacs = (vault: Vault, email: string, code: string): readonly string[] =>
  vault.macsOf('invitation', `${email} ${code}`)

/** A code tried for an address from somewhere; `match` is what it turned out to belong to. */
export interface InvitationTry {
  readonly knock: Knock
  readonly match: InvitationByCode | undefined
}

/**
 * The pending invitation that a code and an address belong to. Whatever does not fit, one slow hash is checked, so
 * that all mismatches take the same time. Ten wrong codes from one network close the door to that network for an hour; it
 * stays open to the person who was invited.
 */
export async function tryInvitation(
  outside: Outside<Caller>,
  email: string,
  lane: Lane,
  typedCode: string,
): Promise<InvitationTry> {
  const { db, vault, now } = outside
  const knock: Knock = { door: 'invitation', account: email, lane }
  await requireOpenDoor(outside, knock)
  const code = readInvitationCode(typedCode)
  const found =
    code === undefined ? undefined : await findPendingByCode(db, email, invitationMacs(vault, email, code), now)
  const matches = await passwordMatches(code ?? 'none', found?.codeHash ?? nobodysHash())
  return { knock, match: found && matches ? found : undefined }
}

/** Every mismatch is the same answer, and is counted. */
export async function refuseUnknownCode(context: Inside<Caller>, { knock }: InvitationTry): Promise<Refusal> {
  await countWrongTry(context, knock, undefined)
  return refuse('invitation.unknown')
}

export const forgetGuesses = (context: Inside<Caller>, { knock }: InvitationTry): Promise<void> =>
  forgetWrongTries(context, knock)
