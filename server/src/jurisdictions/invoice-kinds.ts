/** Who may invoice whom, in all countries that we know; each says which of them its law knows. */
export const invoiceKinds = ['B2B', 'B2C', 'B2G', 'G2B'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]
