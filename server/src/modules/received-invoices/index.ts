export { followFeedJob, followNewcomerJob, receiveInvoicesJob } from './feed.ts'
export type { CurrencyFigures } from './figures.store.ts'
export {
  askForFeed,
  askForFeeds,
  fetchReference,
  findOpenReferences,
  hearNotification,
  pollFeed,
  welcomeReceiver,
} from './follow-feed.ts'
export { getReceivedInvoice, type ReceivedDetail } from './get-received.ts'
export { loadOlderReceived } from './load-older.ts'
export {
  type AskedFilter,
  analyseReceivedInvoices,
  listReceivedInvoices,
} from './read-received.ts'
export {
  acknowledgeReceived,
  askToReceive,
  dropArrivals,
  findArrivals,
  isFull,
  keepArrival,
} from './receive-invoices.ts'
export { type DayOrInstant, receivedSorts } from './received-filter.ts'
export {
  claimToday,
  isReceivedOverdue,
  type ReceivedInvoice,
  receivedPaymentStatuses,
  transmissionStatuses,
} from './received-invoice.ts'
export { sendFromOutside } from './send-from-outside.ts'
export type { SimulatedNetwork } from './simulated-network.ts'
export type { Sync } from './sync.ts'
