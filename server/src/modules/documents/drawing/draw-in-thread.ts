import { workOff } from '../../../platform/threads/work-off.ts'
import { drawInvoice } from '../pdf/invoice-pdf.ts'
import { type DrawingOrder, wordsIn } from './drawing-order.ts'

/** The code of a drawing thread. */
workOff<DrawingOrder, Uint8Array<ArrayBuffer>>(async (order) => {
  const bytes = new Uint8Array(await drawInvoice(order.document, order.letterhead, wordsIn(order), order.besides))
  return { result: bytes, handOver: [bytes.buffer] }
})
