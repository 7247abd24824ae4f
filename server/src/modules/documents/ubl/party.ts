import { prefixedVatNumber } from '../../../jurisdictions/countries.ts'
import type { UblRules } from '../../../jurisdictions/ubl-rules.ts'
import type { DocumentAddress, DocumentParty, InvoiceDocument } from '../../../kernel/invoice-document.ts'
import { around, escaped, holdable, optional, required } from './xml.ts'

const taxScheme = (id: string, scheme: string): string =>
  around(
    'cac:PartyTaxScheme',
    `${required('cbc:CompanyID', id)}<cac:TaxScheme><cbc:ID>${scheme}</cbc:ID></cac:TaxScheme>`,
  )

const country = (code: string): string => around('cac:Country', required('cbc:IdentificationCode', code))

const postalAddress = (address: DocumentAddress): string =>
  around(
    'cac:PostalAddress',
    [
      optional('cbc:StreetName', address.line1),
      optional('cbc:AdditionalStreetName', address.line2),
      optional('cbc:CityName', address.city),
      optional('cbc:PostalZone', address.postalCode),
      optional('cbc:CountrySubentity', address.state),
      around('cac:AddressLine', optional('cbc:Line', address.lga)),
      country(address.country),
    ].join(''),
  )

const atHome = (rules: UblRules): string => around('cac:PostalAddress', country(rules.country))

/** The standard wants VAT numbers to begin with their country, or with what stands for it. */
function vatScheme({ vatNumber, address }: DocumentParty, rules: UblRules): string {
  const number = holdable(vatNumber ?? '')
    .replace(/\s/g, '')
    .toUpperCase()
  if (number === '') return ''
  return taxScheme(prefixedVatNumber(number, address?.country ?? rules.country), rules.taxScheme)
}

/** A company registration number may stand where others have a tax number. */
const isRegistration = ({ taxIdType }: DocumentParty): boolean => taxIdType === 'rn'

function taxSchemes(party: DocumentParty, isSeller: boolean, rules: UblRules): string {
  const vat = vatScheme(party, rules)
  // The number by which the authority knows it. A buyer has no such place: there it is its identifier alone.
  return isSeller && party.taxId ? vat + taxScheme(party.taxId, rules.taxRegistrationScheme) : vat
}

const legalEntity = (name: string, companyId: string | null): string =>
  around('cac:PartyLegalEntity', required('cbc:RegistrationName', name) + optional('cbc:CompanyID', companyId))

/** Where it can be reached in a network of e-invoices. */
function electronicAddress({ taxIdType, taxId }: DocumentParty, rules: UblRules): string {
  const scheme = taxId && rules.addressScheme(taxIdType, taxId)
  return taxId && scheme ? `<cbc:EndpointID schemeID="${scheme}">${escaped(taxId)}</cbc:EndpointID>` : ''
}

function namedParty(party: DocumentParty, isSeller: boolean, rules: UblRules): string {
  const legalName = party.legalName ?? party.name
  const tradingName = party.tradingName ?? (party.name === legalName ? null : party.name)
  // Where somebody with another country's tax number is, nothing says.
  const address = party.taxIdType === 'foreign' ? '' : atHome(rules)
  return [
    electronicAddress(party, rules),
    around('cac:PartyIdentification', optional('cbc:ID', isRegistration(party) ? null : party.taxId)),
    around('cac:PartyName', optional('cbc:Name', tradingName)),
    party.address ? postalAddress(party.address) : address,
    taxSchemes(party, isSeller, rules),
    legalEntity(legalName, party.registrationNumber ?? (isRegistration(party) ? party.taxId : null)),
    around('cac:Contact', optional('cbc:Telephone', party.phone) + optional('cbc:ElectronicMail', party.email)),
  ].join('')
}

const unnamedParty = (name: string, rules: UblRules): string => atHome(rules) + legalEntity(name, null)

const wrapped = (role: string, party: string): string => `<${role}><cac:Party>${party}</cac:Party></${role}>`

export const sellerOf = ({ seller }: InvoiceDocument, rules: UblRules): string =>
  wrapped(
    'cac:AccountingSupplierParty',
    seller ? namedParty(seller, true, rules) : unnamedParty(rules.notNamedYet, rules),
  )

/** A consumer need not be named; who is missing from a draft may still come. */
export const buyerOf = ({ buyer, isDraft }: InvoiceDocument, rules: UblRules): string =>
  wrapped(
    'cac:AccountingCustomerParty',
    buyer ? namedParty(buyer, false, rules) : unnamedParty(isDraft ? rules.notNamedYet : rules.unnamedBuyer, rules),
  )
