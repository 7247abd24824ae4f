import type { DocumentAddress, DocumentParty, InvoiceDocument } from '../../kernel/invoice-document.ts'
import type { Fault } from '../../kernel/refusals.ts'
import { type ListsInForce, type TaxIdType, taxIdTypes } from '../port.ts'
import { findLocalGovernment, findState } from './places.ts'
import { taxIds } from './tax-ids.ts'

const home = 'NG'
type Side = 'seller' | 'buyer'

/** Consumers stay unnamed: the authority accepts their invoices without a buyer. */
export const namesBuyer = (kind: string): boolean => kind !== 'B2C'

export function faultsOfParties(
  { kind, seller, buyer }: InvoiceDocument,
  lists: ListsInForce,
  buyerTaxIdStatus: string | undefined,
): Fault[] {
  const faults: Fault[] = []
  if (seller) faults.push(...faultsOfParty('seller', seller, lists), ...faultsOfSellerTaxId(seller))
  else faults.push({ path: 'sellerId', rule: 'seller', message: 'must name a seller: set up the seller first' })
  if (!namesBuyer(kind)) return faults
  if (buyer) faults.push(...faultsOfParty('buyer', buyer, lists), ...faultsOfBuyerTaxId(buyer, kind, buyerTaxIdStatus))
  else faults.push({ path: 'buyerId', rule: 'buyer', message: `must name a buyer: ${kind} invoices have one` })
  return faults
}

const isBlank = (text: string | null | undefined): boolean => !text?.trim()
const isTaxIdType = (type: string): type is TaxIdType => (taxIdTypes as readonly string[]).includes(type)

function faultsOfParty(side: Side, { name, email, phone, address }: DocumentParty, lists: ListsInForce): Fault[] {
  const faults: Fault[] = []
  const lacks = (field: string, what: string) =>
    faults.push({
      path: `${side}.${field}`,
      rule: `${side}.${field}`,
      message: `must have ${what}: add it to the ${side}`,
    })
  if (isBlank(name)) lacks('name', 'a name')
  if (isBlank(email)) lacks('email', 'an email address')
  if (!isBlank(phone) && !/^\+\d{6,}$/.test((phone as string).replace(/[\s().-]/g, '')))
    faults.push({
      path: `${side}.phone`,
      rule: `${side}.phone`,
      message: `must begin with + and the code of its country: correct it on the ${side}`,
    })
  if (address) faults.push(...faultsOfAddress(side, address, lists))
  else lacks('address', 'an address')
  return faults
}

/** Domestic states and local governments have codes; foreign ones are free text and optional. */
function faultsOfAddress(
  side: Side,
  { line1, city, state, district, country }: DocumentAddress,
  lists: ListsInForce,
): Fault[] {
  const faults: Fault[] = []
  const fault = (field: keyof DocumentAddress | 'lga', rule: string, what: 'add' | 'correct') =>
    faults.push({
      path: `${side}.address.${field}`,
      rule: `${side}.address.${field}`,
      message: `${rule}: ${what} it in the address of the ${side}`,
    })
  if (isBlank(line1)) fault('line1', 'must have a street', 'add')
  if (isBlank(city)) fault('city', 'must have a city', 'add')
  if (!lists.has('countries', country)) fault('country', 'must be on the list of countries', 'correct')
  if (country !== home) return faults
  const found = isBlank(state) ? undefined : findState(state as string, lists.entries('states'))
  if (!isBlank(state) && !found)
    fault('state', 'must be a Nigerian state, by its name or its code such as NG-LA', 'correct')
  if (isBlank(district)) return faults
  if (isBlank(state)) fault('state', 'must be there where a local government is', 'add')
  if (found && !findLocalGovernment(district as string, found, lists.entries('lgas')))
    fault('lga', `must be a local government of ${found.name}, by its name or its code`, 'correct')
  return faults
}

/** Rules for the number itself, the same for both parties. */
function faultsOfTaxId(side: Side, { taxIdType, taxId }: DocumentParty): Fault[] {
  const path = `${side}.taxId`
  if (taxIdType === 'none' || isBlank(taxId))
    return [{ path, rule: `${side}.tax_id`, message: `must have a tax number: add it to the ${side}` }]
  if (isTaxIdType(taxIdType) && taxIds.normalise(taxIdType, taxId as string) !== undefined) return []
  const example = taxIds.types.find(({ type }) => type === taxIdType)?.example ?? taxIds.types[0]?.example
  const message = `must look like ${example}: correct it on the ${side}`
  return [{ path, rule: `${side}.tax_id_format`, message }]
}

function faultsOfSellerTaxId(seller: DocumentParty): Fault[] {
  const faults = faultsOfTaxId('seller', seller)
  if (seller.taxIdType === 'foreign')
    faults.push({
      path: 'seller.taxIdType',
      rule: 'seller.tax_id_type',
      message: 'must be a Nigerian number (tin or rn), as only taxpayers here can report: correct it on the seller',
    })
  return faults
}

/** The advice for each state of a verification. */
const verifications: ReadonlyMap<string, string> = new Map([
  ['pending', 'must be verified: wait until the authority has answered'],
  ['checking', 'must be verified: wait until the authority has answered'],
  ['not_found', 'must be known to the authority: correct it on the buyer and verify it'],
  ['name_mismatch', 'must belong to the buyer, and another name came back: correct the buyer and verify it'],
  ['unavailable', 'must be verified, and the authority did not answer: verify it on the buyer again'],
])

function faultsOfBuyerTaxId(buyer: DocumentParty, kind: string, status: string | undefined): Fault[] {
  const faults = faultsOfTaxId('buyer', buyer)
  if (buyer.taxIdType === 'foreign' && (kind === 'B2G' || buyer.address?.country === home))
    faults.push({
      path: 'buyer.taxIdType',
      rule: 'buyer.tax_id_type',
      message: 'must be a Nigerian number (tin or rn), as the buyer is here: correct it on the buyer',
    })
  const isCheckable = isTaxIdType(buyer.taxIdType) && taxIds.canBeChecked(buyer.taxIdType)
  if (faults.length === 0 && isCheckable && status !== undefined && status !== 'verified')
    faults.push({
      path: 'buyer.taxId',
      rule: 'buyer.tax_id_verified',
      message: verifications.get(status) ?? 'must be verified: verify it on the buyer',
    })
  return faults
}
