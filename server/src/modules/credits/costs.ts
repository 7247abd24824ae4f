/** What each billable action costs, in credits. One table, for the charge and for the public price list. */
export const costs = {
  'invoice.create': { credits: 1n, section: 'Invoices', label: 'Create an invoice or note' },
  'invoice.submit': { credits: 10n, section: 'Invoices', label: 'Submit to the tax authority' },
  'buyer.create': { credits: 1n, section: 'Buyers', label: 'Create a buyer' },
  'buyer.update': { credits: 1n, section: 'Buyers', label: 'Edit a buyer' },
  'buyer.verify_tax_id': { credits: 5n, section: 'Tax numbers', label: 'Verify a tax number' },
  'reachability.check': {
    credits: 2n,
    section: 'Tax numbers',
    label: 'Check whether the network reaches a tax number',
  },
  'tax_id.lookup': { credits: 2n, section: 'Tax numbers', label: 'Look up a tax number' },
} as const

export type BillableAction = keyof typeof costs
