export { background } from './background.ts'
export type { SimulatedNetwork } from './feeds/simulated-network.ts'
export * as receivedInvoiceOperations from './operations.ts'
export type { CurrencyFigures } from './reading/figures.store.ts'
export type { ReceivedDetail } from './reading/get-received.ts'
export type { FilterInput } from './reading/read-received.ts'
export { type DayOrInstant, receivedSorts } from './received-filter.ts'
export {
  claimToday,
  isReceivedOverdue,
  type ReceivedInvoice,
  receivedPaymentStatuses,
  transmissionStatuses,
} from './received-invoice.ts'
export { findReceiversNamed, markNotifiedInvoices } from './receiving/check-payment.ts'
export type { Sync } from './receiving/sync.ts'
