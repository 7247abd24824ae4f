/** Who may invoice whom, over all supported countries; each country lists its own kinds. */
export const invoiceKinds = ['B2B', 'B2C', 'B2G', 'G2B'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]
