import type { BuyerTaxIdStatus } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

/** The text for each status of a tax number: one word, and a sentence that says what to do. */
export const taxIdWords: Readonly<Record<BuyerTaxIdStatus, readonly [Tone, short: string, long: string]>> = {
  unverified: ['neutral', 'Not checked', 'Nobody has checked this tax number yet.'],
  pending: ['info', 'Being checked', 'The tax authority is being asked. This takes a moment.'],
  checking: ['info', 'Being checked', 'The tax authority is being asked. This takes a moment.'],
  verified: ['good', 'Verified', 'The tax authority knows this number under this name.'],
  not_found: ['bad', 'Not known', 'The tax authority does not know this number. Ask the buyer for it again.'],
  name_mismatch: [
    'warn',
    'Another name',
    'The number is registered under another name. Check which of the two is right, and mend it.',
  ],
  unavailable: ['warn', 'No answer', 'The tax authority did not answer. Try again later; nothing was changed.'],
  valid_off_network: [
    'good',
    'Valid',
    'The number is valid, but the buyer does not take e-invoices through the authority. Send them the document yourself.',
  ],
}
