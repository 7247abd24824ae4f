import type { Quote, QuoteResult } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

export const statusWords: Readonly<Record<Quote['status'], readonly [Tone, string]>> = {
  draft: ['neutral', 'Draft'],
  sent: ['warn', 'Waits for the buyer'],
  accepted: ['good', 'Accepted'],
  declined: ['bad', 'Declined'],
  expired: ['bad', 'Expired'],
  converted: ['good', 'Invoiced'],
  cancelled: ['neutral', 'Withdrawn'],
}

export const typeWords: Readonly<Record<Quote['quoteType'], string>> = {
  quote: 'Quote',
  proforma: 'Proforma invoice',
}

export const resultWords: Readonly<Record<QuoteResult['result'], string>> = {
  invoice: 'Invoice',
  deposit: 'Deposit',
  final: 'Final invoice',
}

/** Statuses in which the contents can be changed. */
export const isChangeable = ({ status }: Pick<Quote, 'status'>): boolean =>
  status === 'draft' || status === 'sent' || status === 'declined' || status === 'expired'
