import type { Caller, TokenCaller } from '../../../kernel/callers.ts'
import { momentInWords } from '../../../kernel/document-words.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { findOrganisation, mailMembers, maskedAccount } from '../../organisations/index.ts'
import type { SettlementAccount } from './settlement-account.ts'

type ShownAccount = Pick<SettlementAccount, 'bankName' | 'accountName' | 'accountNumber'>

const inWords = (account: ShownAccount | undefined): string =>
  account === undefined
    ? 'none'
    : `${account.bankName}, ${account.accountName}, ${maskedAccount(account.accountNumber)}`

/** The user or API key that made the change, in words. */
export const inPerson = (caller: TokenCaller): string =>
  caller.kind === 'user' ? caller.email : `The API key “${caller.name}”`

/** A thief would change where money goes, so every owner gets a mail. */
export async function mailNewSettlement(
  context: Inside<Caller>,
  by: Tenant & { readonly changedBy: string; readonly address: string },
  before: SettlementAccount | undefined,
  after: SettlementAccount,
): Promise<void> {
  const { tx, now } = context
  const { organisationId, mode } = by
  if (mode !== 'live') return
  const organisation = await findOrganisation(tx, organisationId)
  await mailMembers(context, organisationId, 'owners', {
    cause: `settlement-account:${newId()}`,
    subject: 'Your settlement account was changed',
    paragraphs: [
      `${by.changedBy} changed the settlement account of ${after.sellerName} at ${organisation?.name}: the bank account that collected money goes to.`,
      `Before: ${inWords(before)}.`,
      `Now: ${inWords(after)}.`,
      `Time: ${momentInWords(now)}. Address: ${by.address || 'unknown'}.`,
    ],
    link: { words: 'Open the settlement account', page: '/collection/settlement' },
    closing:
      'If you did not expect this, change the account back now and check who has permission to change it. Your buyers’ payments go to the new account as soon as the provider confirms it.',
  })
}
