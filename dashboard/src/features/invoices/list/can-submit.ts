import type { InvoiceSummary } from '@risiti/sdk'

export const canSubmit = ({ status }: Pick<InvoiceSummary, 'status'>): boolean => status === 'finalised'
