import type { PublicCaller } from '../../../kernel/callers.ts'
import { type Capability, missingFrom } from '../../../kernel/capabilities.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import { attemptLimits, findPersonByEmail, lockPerson, normaliseEmail, type Person } from '../../people/index.ts'
import type { Organisation } from '../organisation.ts'
import { findOrganisation, lockOrganisation } from '../organisations.store.ts'
import { capabilitiesWith } from '../roles/role.ts'
import { changeMacPurpose, readChangeCode } from './ask-person.ts'
import { applyChange } from './change-person.ts'
import type { Member } from './member.ts'
import { findMember, lockMember } from './members.store.ts'
import {
  endAskedChange,
  listOpenAskedChanges,
  type PersonalChange,
  type RequestedChange,
} from './requested-changes.store.ts'
import { mailSecondFactorOff } from './second-factor-mail.ts'

interface ConfirmInput {
  readonly email: string
  readonly code: string
}

export interface ConfirmedChange {
  readonly what: PersonalChange['what']
  readonly organisation: Organisation
}

/** Capability that the requester needs, both on asking and on confirmation. */
const needed: Readonly<Record<PersonalChange['what'], Capability>> = {
  name: 'member.update',
  phone: 'member.update',
  second_factor: 'organization.transfer_ownership',
}

/**
 * The code came by mail and so proves the person. A sign-in is not needed, because a person without the second factor
 * could not sign in.
 */
export const confirmChange = preparedOperation(
  { time: 'real', needs: [], refuses: ['code.wrong'] },
  async (outside: Outside<PublicCaller>, { email }: ConfirmInput): Promise<attemptLimits.Attempt> => {
    const account = normaliseEmail(email)
    const attempt: attemptLimits.Attempt = {
      kind: 'requested_change',
      account,
      network: await attemptLimits.networkOf(outside, account),
    }
    await outside.throttle('confirm-change', account, { known: attempt.network.known })
    await attemptLimits.requireNotLockedOut(outside, attempt)
    return attempt
  },
  async (context: Inside<PublicCaller>, { code }: ConfirmInput, attempt) => {
    const { tx, now, vault } = context
    const found = await findPersonByEmail(tx, attempt.account)
    const person = found && (await lockPerson(tx, found.id))
    await attemptLimits.lockAttempts(context, attempt)
    const open = person ? await listOpenAskedChanges(tx, person.id, now) : []
    const asked = open.find((one) => vault.macMatches(one.codeMac, changeMacPurpose(one.userId), readChangeCode(code)))
    if (!person || !asked) {
      await attemptLimits.countWrongTry(context, attempt, person)
      return refuse('code.wrong')
    }
    await endAskedChange(tx, asked.organisationId, asked.id, now)
    const member = await memberStillConcerned(context, person, asked)
    if (!member) return refuse('code.wrong')
    const actor = { kind: 'user', id: person.id, name: person.email } as const
    await applyChange(context, member, asked.change, actor)
    if (asked.change.what === 'second_factor') await mailSecondFactorOff(context, member, 'as you confirmed')
    const organisation = (await findOrganisation(tx, asked.organisationId)) as Organisation
    return { what: asked.change.what, organisation } satisfies ConfirmedChange
  },
)

/**
 * A request lapses if the requester or the person has left since (even if they came back), if the requester has lost
 * the right, or if the second factor is not the one that was lost.
 */
async function memberStillConcerned(
  { tx }: Inside<PublicCaller>,
  { totpEnabledAt }: Person,
  { organisationId, userId, askedBy, change, createdAt }: RequestedChange,
): Promise<Member | undefined> {
  await lockOrganisation(tx, organisationId)
  const member = await lockMember(tx, organisationId, userId)
  const requester = await findMember(tx, organisationId, askedBy)
  if (!member || requester?.status !== 'active') return undefined
  if (member.joinedAt > createdAt || requester.joinedAt > createdAt) return undefined
  const held = capabilitiesWith(requester.role, requester.extraCapabilities)
  const wanted = [needed[change.what], ...capabilitiesWith(member.role, member.extraCapabilities)]
  if (missingFrom(held, wanted).length > 0) return undefined
  if (change.what === 'second_factor' && (!totpEnabledAt || totpEnabledAt > createdAt)) return undefined
  return member
}
