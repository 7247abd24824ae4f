import { workOff } from '../../../platform/threads/work-off.ts'
import { drawInvoice } from '../pdf/invoice-pdf.ts'
import { drawStatement } from '../pdf/statement-pdf.ts'
import { type DrawingOrder, wordsIn } from './drawing-order.ts'

/** The code of a drawing thread. */
workOff<DrawingOrder, Uint8Array<ArrayBuffer>>(async (order) => {
  const drawn =
    'statement' in order
      ? drawStatement(order.statement)
      : drawInvoice(order.document, order.letterhead, wordsIn(order), order.besides)
  const bytes = new Uint8Array(await drawn)
  return { result: bytes, handOver: [bytes.buffer] }
})
