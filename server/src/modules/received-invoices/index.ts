export {
  askToCheckPayments,
  checkPayment,
  checkPaymentLater,
  findPaymentsToCheck,
  findReceiversNamed,
  markNotifiedInvoices,
} from './check-payment.ts'
export {
  acknowledgeInvoicesJob,
  checkPaymentsJob,
  followFeedJob,
  followNewcomerJob,
  receiveInvoicesJob,
} from './feed.ts'
export type { CurrencyFigures } from './figures.store.ts'
export {
  askForFeed,
  askForFeeds,
  fetchReference,
  findOpenReferences,
  handleNotification,
  pollFeed,
  setReferenceAside,
  welcomeReceiver,
} from './follow-feed.ts'
export { getReceivedInvoice, type ReceivedDetail } from './get-received.ts'
export { loadOlderReceived } from './load-older.ts'
export {
  analyseReceivedInvoices,
  type FilterInput,
  listReceivedInvoices,
} from './read-received.ts'
export {
  acknowledgeLater,
  acknowledgeReceived,
  askToAcknowledge,
  askToReceive,
  dropArrivals,
  findArrivals,
  findToAcknowledge,
  keepArrival,
  setArrivalAside,
} from './receive-invoices.ts'
export { type DayOrInstant, receivedSorts } from './received-filter.ts'
export {
  claimToday,
  isReceivedOverdue,
  type ReceivedInvoice,
  receivedPaymentStatuses,
  transmissionStatuses,
} from './received-invoice.ts'
export { receivedMetrics } from './received-metrics.ts'
export { sendFromOutside } from './send-from-outside.ts'
export type { SimulatedNetwork } from './simulated-network.ts'
export type { Sync } from './sync.ts'
