export { background } from './background.ts'
export { sendFromOutside } from './feeds/send-from-outside.ts'
export type { SimulatedNetwork } from './feeds/simulated-network.ts'
export type { CurrencyFigures } from './reading/figures.store.ts'
export { getReceivedInvoice, type ReceivedDetail } from './reading/get-received.ts'
export { analyseReceivedInvoices, type FilterInput, listReceivedInvoices } from './reading/read-received.ts'
export { type DayOrInstant, receivedSorts } from './received-filter.ts'
export {
  claimToday,
  isReceivedOverdue,
  type ReceivedInvoice,
  receivedPaymentStatuses,
  transmissionStatuses,
} from './received-invoice.ts'
export { findReceiversNamed, markNotifiedInvoices } from './receiving/check-payment.ts'
export { handleNotification } from './receiving/follow-feed.ts'
export { loadOlderReceived } from './receiving/load-older.ts'
export type { Sync } from './receiving/sync.ts'
