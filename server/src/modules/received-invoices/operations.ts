/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { sendFromOutside } from './feeds/send-from-outside.ts'
export { getReceivedInvoice } from './reading/get-received.ts'
export { analyseReceivedInvoices, listReceivedInvoices } from './reading/read-received.ts'
export { handleNotification } from './receiving/follow-feed.ts'
export { loadOlderReceived } from './receiving/load-older.ts'
