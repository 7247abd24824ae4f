import type { CountryWords } from '../port.ts'
import { translations } from './translations.ts'

export const words: CountryWords = {
  reference: {
    name: 'IRN',
    example: 'INV000049-94ND90NR-20260327',
    shape: 'Three parts with a dash between them',
  },
  taxIdNames: { national: 'TIN', registration: 'Company number' },
  commonNameWords: ['nigeria', 'nig'],
  imports: {
    columnNames: {
      taxId: ['tin', 'buyer tin', 'customer tin'],
      buyerTaxId: ['buyer tin', 'customer tin', 'tin'],
    },
    buyerColumns: [
      {
        after: 'address.state',
        field: 'address.lga',
        label: 'Local government area',
        columnNames: ['lga', 'local government'],
      },
    ],
    amountSigns: ['₦', 'NGN', 'N'],
  },
  district: 'Local government area',
  phonePrefix: '+234',
  phoneTrunkPrefix: '0',
  payerIdentifiers: [{ name: 'bvn', label: 'BVN' }],
  translations,
  // The VAT Act asks for the words "tax invoice".
  keepsEnglishTitle: true,
}
