import type { EventPayloads } from '../../../kernel/event-payloads.ts'

export const taxReturnSamples: Pick<EventPayloads, 'organization.exchange_rates_saved' | 'tax_return.closed'> = {
  'organization.exchange_rates_saved': { currencies: ['USD'], rates: 30, from: '2026-10-01', to: '2026-10-30' },
  'tax_return.closed': {
    taxReturnId: '01990000-0000-7000-8000-000000000014',
    period: '2026-10',
    currency: 'USD',
    outputTaxMinor: 1_250_000,
    inputTaxMinor: 430_000,
    payableMinor: 820_000,
    closedAt: '2026-11-15T09:30:00.000Z',
  },
}
