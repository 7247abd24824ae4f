import { workOff } from '../../../platform/threads/work-off.ts'
import { drawInvoice } from '../pdf/invoice-pdf.ts'
import { drawStatement } from '../pdf/statement-pdf.ts'
import { drawTaxReturn } from '../pdf/tax-return-pdf.ts'
import { type DrawingOrder, wordsIn } from './drawing-order.ts'

function draw(order: DrawingOrder): Promise<Buffer> {
  if ('statement' in order) return drawStatement(order.statement)
  if ('taxReturn' in order) return drawTaxReturn(order.taxReturn)
  return drawInvoice(order.document, order.letterhead, wordsIn(order), order.besides)
}

/** The code of a drawing thread. */
workOff<DrawingOrder, Uint8Array<ArrayBuffer>>(async (order) => {
  const bytes = new Uint8Array(await draw(order))
  return { result: bytes, handOver: [bytes.buffer] }
})
