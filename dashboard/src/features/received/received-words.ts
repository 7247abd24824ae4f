import type { ReceivedInvoice } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

export const paymentTone: Readonly<Record<ReceivedInvoice['paymentStatus'], Tone>> = {
  unpaid: 'neutral',
  partial: 'warn',
  paid: 'good',
  rejected: 'bad',
}
