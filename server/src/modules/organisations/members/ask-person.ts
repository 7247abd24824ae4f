import { randomInt } from 'node:crypto'
import type { UserCaller } from '../../../kernel/callers.ts'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import { findOrganisation } from '../organisations.store.ts'
import type { Member } from './member.ts'
import {
  listAskedSince,
  type PersonalChange,
  type RequestedChange,
  replaceAskedChange,
} from './requested-changes.store.ts'

const day = 24 * 3600_000
/** Each request sends a mail to a person who may not want it. */
const mostADay = 10

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 12

/** Sixty bits, because the code is valid for a day. */
const newCode = (): string => Array.from({ length: codeLength }, () => alphabet[randomInt(32)]).join('')
const spaced = (code: string): string => (code.match(/.{4}/g) as string[]).join('-')

/** Accepts any case, spaces, hyphens, and the letters that Crockford's alphabet reads as digits. */
export const readChangeCode = (typed: string): string =>
  typed.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')

export const changeMacPurpose = (userId: UserId): string => `asked change ${userId}`

/** A change that waits for the person's confirmation, and its deadline. */
export interface PendingChange {
  readonly what: PersonalChange['what']
  readonly expiresAt: Date
}

const wish = (change: PersonalChange): string => {
  switch (change.what) {
    case 'name':
      return `change your name to “${change.firstName} ${change.lastName}”`
    case 'phone':
      return `make ${change.phone} the phone of your account`
    case 'second_factor':
      return 'switch off the second factor of your account, so that your password alone signs you in'
  }
}

/** Requests a change by mail that the organisation may not make by itself. */
export async function askPerson(
  context: Inside<UserCaller>,
  member: Member,
  change: PersonalChange,
): Promise<PendingChange> {
  const { tx, caller, vault, now, emit, settings } = context
  const { organisationId, userId, email, firstName } = member
  const asked = await listAskedSince(tx, organisationId, userId, new Date(now.getTime() - day))
  if (asked.length >= mostADay) {
    const freeAt = (asked.at(-mostADay) as Date).getTime() + day
    throw refuse('limit.exceeded', {
      message: 'This person has reached the daily limit of requests. Wait for their reply.',
      retryAfterSeconds: Math.max(1, Math.ceil((freeAt - now.getTime()) / 1000)),
    })
  }
  const code = newCode()
  const request: Omit<RequestedChange, 'organisationId'> = {
    id: newId(),
    userId,
    askedBy: caller.userId,
    change,
    codeMac: vault.mac(changeMacPurpose(userId), code),
    createdAt: now,
    expiresAt: new Date(now.getTime() + day),
  }
  await replaceAskedChange(tx, organisationId, request)
  emit('member.change_asked', { organisationId, objectId: userId }, { email, what: change.what })
  const organisation = await findOrganisation(tx, organisationId)
  // The code must be typed. A link alone could be clicked without reading.
  const page = new URL('/confirm-change', settings.dashboardUrl)
  page.hash = new URLSearchParams({ email }).toString()
  await queueMessage(context, {
    cause: `asked-change:${request.id}`,
    sentFor: organisationId,
    channel: 'email',
    to: email,
    subject: 'Confirm a change of your Risiti account',
    ...compose({
      greeting: `Hello ${firstName},`,
      code: spaced(code),
      paragraphs: [
        `${caller.email} of ${organisation?.name ?? 'an organisation of yours'} wants to ${wish(change)}.`,
        'You belong to other organisations too, so only you can decide this. To agree, enter this code and your email address within 24 hours.',
      ],
      link: { words: 'Confirm the change', href: page.href },
      closing: 'If you do not want this, do nothing. Never give the code to anybody, not even to the person who asked.',
    }),
  })
  return { what: change.what, expiresAt: request.expiresAt }
}
