import type { InvoiceSummary } from '@risiti/sdk'

/** Whether it can go to the tax authority as it is. */
export const canSubmit = ({ status }: Pick<InvoiceSummary, 'status'>): boolean => status === 'finalised'
