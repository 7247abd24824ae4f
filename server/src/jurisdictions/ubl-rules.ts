/** A tax category as the European standard codes it (UNCL5305). */
export interface UblTaxCategory {
  /** standard rate, zero rate or exempt; O ("outside of VAT") could not stand beside other categories in one document */
  readonly code: 'S' | 'Z' | 'E'
  /** why nothing is charged: E needs a reason, the others must have none */
  readonly reason: string | null
  /** what the tax is, said on the line, where the code alone would make it plain VAT */
  readonly ownName: string | null
}

/** How a country's facts are told in UBL, in the terms of EN 16931. */
export interface UblRules {
  /** ISO 3166-1 alpha-2: where a party without an address is taken to be, and the prefix of its VAT numbers */
  readonly country: string
  readonly taxScheme: string
  /** the scheme of a seller's tax number that is not a VAT number */
  readonly taxRegistrationScheme: string
  /** the name of a buyer who need not have one */
  readonly unnamedBuyer: string
  /** the name of a party that a draft still lacks */
  readonly notNamedYet: string
  /** the list that codes of goods are from (UNCL7143) */
  readonly goodsList: string
  /** the name of the list that codes of services are from, for which UNCL7143 has no code */
  readonly servicesList: string
  /** what the authority's number and its QR code are called */
  readonly authorityReference: string
  taxCategory(category: string, isCharged: boolean): UblTaxCategory
  /** the scheme (EAS) in which a number of this type is an electronic address, where it is one */
  addressScheme(taxIdType: string, taxId: string): string | null
}
