import type { UserCaller } from '../../../kernel/callers.ts'
import { momentInWords } from '../../../kernel/document-words.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Letterhead } from '../../../kernel/invoice-document.ts'
import type { Inside } from '../../../platform/operations/operation.ts'
import { mailMembers } from '../members/mail-members.ts'
import type { Profile } from '../organisation.ts'

type BankDetails = Letterhead['bank']

/** Enough to recognise an account, too little to use it: the last four characters, and never more than half. */
export const maskedAccount = (accountNumber: string): string =>
  `••••${accountNumber.slice(-Math.min(4, Math.floor(accountNumber.length / 2)))}`

const inWords = (bank: BankDetails): string =>
  bank === null ? 'none' : `${bank.bankName}, ${bank.accountName}, ${maskedAccount(bank.accountNumber)}`

/** A thief would change where buyers pay. Every owner is informed, in case the change was not intended. */
export async function mailNewBank(
  context: Inside<UserCaller>,
  { id, name, bankDetails: after }: Profile,
  before: BankDetails,
): Promise<void> {
  const { caller, origin, now } = context
  await mailMembers(context, id, 'owners', {
    cause: `bank-details:${newId()}`,
    subject: 'Your bank details were changed',
    paragraphs: [
      `${caller.email} changed the bank details that ${name} shows on its documents.`,
      `Before: ${inWords(before)}.`,
      `Now: ${inWords(after)}.`,
      `Time: ${momentInWords(now)}. Address: ${origin.address || 'unknown'}.`,
    ],
    link: { words: 'Open the settings', page: '/settings' },
    closing:
      'If this is wrong, change the details back at once, and check who may change them. Issued documents keep their old details.',
  })
}
