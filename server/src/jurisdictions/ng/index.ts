import type { Jurisdiction } from '../port.ts'
import { adviceOn } from './advice.ts'
import { connectionRules } from './connection-rules.ts'
import { builtInLists } from './lists.ts'
import { readinessOf } from './readiness.ts'
import { reporting } from './reporting.ts'
import { taxIds } from './tax-ids.ts'
import { taxLabels } from './tax-labels.ts'
import { taxRateOn } from './tax-rates.ts'
import { taxReturn } from './tax-return.ts'
import { suggestedTaxCategory } from './tax-treatment.ts'
import { ublRules } from './ubl-rules.ts'
import { words } from './words.ts'

export { type AuthorityWith, nrsAuthorities, nrsAuthority } from './nrs-client.ts'
export { type NrsAccess, settings as nrsSettings } from './settings.ts'

/** Nigeria, whose authority is the revenue service NRS (formerly FIRS). Lists are read once. */
export function nigeria(): Jurisdiction {
  made ??= make()
  return made
}

let made: Jurisdiction | undefined
const make = (): Jurisdiction => ({
  country: 'NG',
  currency: 'NGN',
  invoiceCurrencies: ['NGN', 'USD', 'EUR', 'GBP'],
  zone: 'Africa/Lagos',
  invoiceKinds: [
    { kind: 'B2B', label: 'Business to business' },
    { kind: 'B2C', label: 'Business to consumer' },
    { kind: 'B2G', label: 'Business to government' },
    { kind: 'G2B', label: 'Government to business' },
  ],
  kindsByBuyer: { government: 'B2G', unregistered: 'B2C', registered: 'B2B' },
  taxIds,
  builtInLists: builtInLists(),
  taxCategoryAliases: { standard: 'STANDARD_VAT', zero: 'ZERO_VAT', exempt: 'EXEMPTED' },
  taxLabels,
  taxRateOn,
  taxReturn,
  words,
  ublRules,
  readinessOf,
  adviceOn,
  suggestedTaxCategory,
  reporting,
  connections: connectionRules,
  refreshableLists: ['product-codes', 'service-codes', 'tax-categories', 'payment-means', 'invoice-types', 'units'],
})
