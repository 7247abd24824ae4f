export {
  acknowledgeInvoicesJob,
  checkPaymentsJob,
  followFeedJob,
  followNewcomerJob,
  receiveInvoicesJob,
} from './feeds/feed.ts'
export { sendFromOutside } from './feeds/send-from-outside.ts'
export type { SimulatedNetwork } from './feeds/simulated-network.ts'
export type { CurrencyFigures } from './reading/figures.store.ts'
export { getReceivedInvoice, type ReceivedDetail } from './reading/get-received.ts'
export {
  analyseReceivedInvoices,
  type FilterInput,
  listReceivedInvoices,
} from './reading/read-received.ts'
export { receivedMetrics } from './reading/received-metrics.ts'
export { type DayOrInstant, receivedSorts } from './received-filter.ts'
export {
  claimToday,
  isReceivedOverdue,
  type ReceivedInvoice,
  receivedPaymentStatuses,
  transmissionStatuses,
} from './received-invoice.ts'
export {
  askToCheckPayments,
  checkPayment,
  checkPaymentLater,
  findPaymentsToCheck,
  findReceiversNamed,
  markNotifiedInvoices,
} from './receiving/check-payment.ts'
export {
  askForFeed,
  askForFeeds,
  fetchReference,
  findOpenReferences,
  handleNotification,
  pollFeed,
  setReferenceAside,
  welcomeReceiver,
} from './receiving/follow-feed.ts'
export { loadOlderReceived } from './receiving/load-older.ts'
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
} from './receiving/receive-invoices.ts'
export type { Sync } from './receiving/sync.ts'
