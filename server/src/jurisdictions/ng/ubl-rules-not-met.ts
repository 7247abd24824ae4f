export interface RuleNotMet {
  /** the id of the published rule */
  readonly id: string
  /** the documents that break it */
  readonly of:
    | 'a buyer without a tax ID of 13 digits'
    | 'a seller without a tax ID of 13 digits'
    | 'a party with a tax ID of 13 digits'
    | 'a buyer abroad without an address'
    | 'a seller without any number'
    | 'a rate below 0.5 %'
  readonly reason: string
}

const noSeller = 'A draft may lack its seller, or the seller its tax number; we do not invent one.'

/** The rules of EN 16931 and Peppol BIS Billing 3.0 that a correct Nigerian document breaks. All others hold. */
export const rulesNotMet: readonly RuleNotMet[] = [
  {
    id: 'PEPPOL-EN16931-R010',
    of: 'a buyer without a tax ID of 13 digits',
    reason: 'Of all Nigerian numbers only this one is an electronic address (scheme 0244); we do not invent one.',
  },
  {
    id: 'PEPPOL-EN16931-R020',
    of: 'a seller without a tax ID of 13 digits',
    reason: 'As with buyers. E-mail is a scheme of EN 16931, but not one of Peppol; it stands in the contact.',
  },
  {
    id: 'PEPPOL-EN16931-CL008',
    of: 'a party with a tax ID of 13 digits',
    reason:
      'Scheme 0244 is on the list of Peppol since v9.5 and in EN 16931 since v1.3.16; the rules of May 2025 are older.',
  },
  {
    id: 'BR-10',
    of: 'a buyer abroad without an address',
    reason: 'Nothing says in which country the buyer is, and we do not guess it.',
  },
  {
    id: 'BR-CO-17',
    of: 'a rate below 0.5 %',
    reason: 'The published rule rounds the rate to a whole per cent first, and then allows no tax at all.',
  },
  { id: 'BR-CO-26', of: 'a seller without any number', reason: noSeller },
  ...['S', 'Z', 'E'].flatMap((category) =>
    ['02', '03', '04'].map(
      (number): RuleNotMet => ({ id: `BR-${category}-${number}`, of: 'a seller without any number', reason: noSeller }),
    ),
  ),
]
