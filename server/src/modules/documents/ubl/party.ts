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
      around('cac:AddressLine', optional('cbc:Line', address.district)),
      country(address.country),
    ].join(''),
  )

const atHome = (rules: UblRules): string => around('cac:PostalAddress', country(rules.country))

/** The standard requires VAT numbers to begin with a country prefix. */
function vatScheme({ vatNumber, address }: DocumentParty, rules: UblRules): string {
  const number = holdable(vatNumber ?? '')
    .replace(/\s/g, '')
    .toUpperCase()
  if (number === '') return ''
  return taxScheme(prefixedVatNumber(number, address?.country ?? rules.country), rules.taxScheme)
}

/** A company registration number may stand in place of a tax number. */
const isRegistration = ({ taxIdType }: DocumentParty): boolean => taxIdType === 'registration'

function taxSchemes(party: DocumentParty, isSeller: boolean, rules: UblRules): string {
  const vat = vatScheme(party, rules)
  // The number by which the authority knows the seller. A buyer has no such element: there it is the identifier only.
  return isSeller && party.taxId ? vat + taxScheme(party.taxId, rules.taxRegistrationScheme) : vat
}

const legalEntity = (name: string, companyId: string | null): string =>
  around('cac:PartyLegalEntity', required('cbc:RegistrationName', name) + optional('cbc:CompanyID', companyId))

/** The address in an e-invoice network. */
function electronicAddress({ taxIdType, taxId }: DocumentParty, rules: UblRules): string {
  const scheme = taxId && rules.addressScheme(taxIdType, taxId)
  return taxId && scheme ? `<cbc:EndpointID schemeID="${scheme}">${escaped(taxId)}</cbc:EndpointID>` : ''
}

function namedParty(party: DocumentParty, isSeller: boolean, rules: UblRules): string {
  const legalName = party.legalName ?? party.name
  const tradingName = party.tradingName ?? (party.name === legalName ? null : party.name)
  // The location of a party with a foreign tax number is unknown.
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

/** A consumer may stay unnamed; a draft may still get its buyer. */
export const buyerOf = ({ buyer, isDraft }: InvoiceDocument, rules: UblRules): string =>
  wrapped(
    'cac:AccountingCustomerParty',
    buyer ? namedParty(buyer, false, rules) : unnamedParty(isDraft ? rules.notNamedYet : rules.unnamedBuyer, rules),
  )
