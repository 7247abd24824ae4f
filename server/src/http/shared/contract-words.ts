import type { TaxIdType } from '../../jurisdictions/port.ts'
import type { Invoice } from '../../modules/invoices/index.ts'
import type { PostalAddress } from '../../modules/tax-identities/index.ts'

/**
 * The contract's words for values that the core names without a country. Both forms write these words in requests,
 * replies and events. The core never sees them.
 */

const taxIdTypeWords = {
  national: 'tin',
  registration: 'rn',
  foreign: 'foreign',
  none: 'none',
} as const satisfies Record<TaxIdType, string>
export type WireTaxIdType = (typeof taxIdTypeWords)[TaxIdType]
const coreTaxIdTypes: Readonly<Record<WireTaxIdType, TaxIdType>> = {
  tin: 'national',
  rn: 'registration',
  foreign: 'foreign',
  none: 'none',
}
export const wireTaxIdTypes = ['tin', 'rn', 'foreign', 'none'] as const satisfies readonly WireTaxIdType[]
export const toTaxIdType = (type: TaxIdType): WireTaxIdType => taxIdTypeWords[type]
export const taxIdTypeFrom = (type: WireTaxIdType): TaxIdType => coreTaxIdTypes[type]

type Delivery = Invoice['delivery']
type WireDelivery = Exclude<Delivery, 'authority'> | 'nrs'
export const toDelivery = (delivery: Delivery): WireDelivery => (delivery === 'authority' ? 'nrs' : delivery)
export const deliveryFrom = (delivery: WireDelivery): Delivery => (delivery === 'nrs' ? 'authority' : delivery)
export const wireDeliveries = ['deliver_to_buyer', 'sent_email', 'shared_link', 'nrs', 'none'] as const

type WireAddress = Omit<PostalAddress, 'district'> & { readonly lga?: string }
export const toAddress = (address: PostalAddress | null): WireAddress | null => {
  if (address === null) return null
  const { district, ...rest } = address
  return { ...rest, ...(district === undefined ? {} : { lga: district }) }
}

type SentAddress = { readonly [Part in keyof WireAddress]: WireAddress[Part] | null }
/** A part that was sent as `null` is left out. */
export const addressFrom = ({ lga, ...rest }: SentAddress): PostalAddress =>
  Object.fromEntries(
    Object.entries({ ...rest, district: lga }).filter(([, value]) => value != null),
  ) as unknown as PostalAddress

/** The payload of an event in the words of the contract. */
export const toEventData = (data: object): Record<string, unknown> => ({
  ...data,
  ...('taxIdType' in data ? { taxIdType: toTaxIdType(data.taxIdType as TaxIdType) } : {}),
})

/** The currencies of documents that the contract lists. A country may allow others. */
export const invoiceCurrencies = ['NGN', 'USD', 'EUR', 'GBP'] as const

/** The country of the examples in the documents of both forms. */
export const sampleCountry = { country: 'NG', currency: 'NGN' }
