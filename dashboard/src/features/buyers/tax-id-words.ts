import type { BuyerTaxIdStatus } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

/** The text for each status of a tax number: one word, and a sentence that says what to do. */
export const taxIdWords: Readonly<Record<BuyerTaxIdStatus, readonly [Tone, short: string, long: string]>> = {
  unverified: ['neutral', 'Not checked', 'This tax number has not been checked yet.'],
  pending: ['info', 'Being checked', 'Risiti is asking the tax authority. This takes a moment.'],
  checking: ['info', 'Being checked', 'Risiti is asking the tax authority. This takes a moment.'],
  verified: ['good', 'Verified', 'The tax authority knows this number under this name.'],
  not_found: ['bad', 'Not known', 'The tax authority does not know this number. Ask the buyer for the correct number.'],
  name_mismatch: [
    'warn',
    'Name differs',
    'The number is registered under another name. Check the number and the name, and correct the wrong one.',
  ],
  unavailable: ['warn', 'No answer', 'The tax authority did not answer. Nothing was changed. Try again later.'],
  valid_off_network: [
    'good',
    'Valid',
    'The number is valid, but the buyer does not receive e-invoices through the authority. Send the document yourself.',
  ],
}
