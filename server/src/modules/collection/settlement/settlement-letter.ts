import type { TokenCaller } from '../../../kernel/callers.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { compose, queueMessage } from '../../messages/index.ts'
import { findOrganisation, listOwners, maskedAccount } from '../../organisations/index.ts'
import type { SettlementAccount } from './settlement-account.ts'

type ShownAccount = Pick<SettlementAccount, 'bankName' | 'accountName' | 'accountNumber'>

const inWords = (account: ShownAccount | undefined): string =>
  account === undefined
    ? 'none'
    : `${account.bankName}, ${account.accountName}, ${maskedAccount(account.accountNumber)}`

const inPerson = (caller: TokenCaller): string =>
  caller.kind === 'user' ? caller.email : `The API key “${caller.name}”`

/** Where real money goes is what a thief changes: every owner hears of it, in case it was not meant. */
export async function tellOfNewSettlement(
  context: Inside<TokenCaller>,
  before: SettlementAccount | undefined,
  after: SettlementAccount,
): Promise<void> {
  const { tx, caller, origin, now } = context
  const { organisationId, mode } = caller.tenant
  if (mode !== 'live') return
  const organisation = await findOrganisation(tx, organisationId)
  const cause = newId()
  for (const { userId, email, firstName } of await listOwners(tx, organisationId)) {
    const letter = compose({
      greeting: `Hello ${firstName},`,
      paragraphs: [
        `${inPerson(caller)} changed the bank account that the money of ${after.sellerName} goes to, at ${organisation?.name}.`,
        `Before: ${inWords(before)}.`,
        `Now: ${inWords(after)}.`,
        `Time: ${now.toISOString()}. Address: ${origin.address || 'unknown'}.`,
      ],
      closing:
        'If this is not right, change it back at once, and look at who may change it, people and API keys alike.',
    })
    await queueMessage(context, {
      cause: `settlement-account:${cause}:${userId}`,
      sentFor: organisationId,
      channel: 'email',
      to: email,
      subject: 'The bank account that your money goes to was changed',
      ...letter,
    })
  }
}
