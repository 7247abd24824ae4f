/** A tax category in the European code list (UNCL5305). */
export interface UblTaxCategory {
  /**
   * standard rate, zero rate or exempt; O ("outside of VAT") is not allowed beside other categories in one document
   */
  readonly code: 'S' | 'Z' | 'E'
  /** why no tax is charged: required for E, forbidden for the others */
  readonly reason: string | null
  /** the name of the tax on the line, if the code alone would mean plain VAT */
  readonly ownName: string | null
}

/** How a country's facts are written in UBL, in the terms of EN 16931. */
export interface UblRules {
  /** ISO 3166-1 alpha-2: the assumed country of a party without an address, and the prefix of its VAT numbers */
  readonly country: string
  readonly taxScheme: string
  /** the scheme of a seller's tax number that is no VAT number */
  readonly taxRegistrationScheme: string
  /** the name of a buyer who may stay unnamed */
  readonly unnamedBuyer: string
  /** the name of a party that a draft lacks */
  readonly notNamedYet: string
  /** the list of codes of goods (UNCL7143) */
  readonly goodsList: string
  /** the name of the list of service codes, for which UNCL7143 has no code */
  readonly servicesList: string
  /** the names of the authority reference and of the QR code */
  readonly authorityReference: string
  taxCategory(category: string, isCharged: boolean): UblTaxCategory
  /** the scheme (EAS) in which a number of this type is an electronic address; null if there is none */
  addressScheme(taxIdType: string, taxId: string): string | null
}
