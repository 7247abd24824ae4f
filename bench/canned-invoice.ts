import { createServer } from 'node:http'

/** Returns the same invoice of five lines for every request, so that only the client's own cost is measured. */
const line = {
  description: 'Palm oil, batch 1',
  hsnCode: null,
  isicCode: null,
  productCategory: null,
  unitCode: 'LTR',
  taxCategory: 'STANDARD_VAT',
  netMinor: 390_100,
  itemId: null,
  itemName: null,
  quantity: '2',
  unitPrice: '1950.50',
  discountAmount: '0.00',
  feeAmount: '0.00',
  taxPercent: '7.5',
}
const reply = JSON.stringify({
  meta: { requestId: 'bench', timestamp: '2026-11-16T09:00:00.000Z', mode: 'sandbox' },
  data: {
    id: '0198c5a2-7b1e-7c3d-9f4a-5e6b7c8d9e0f',
    invoiceNumber: 'INV000001',
    invoiceType: 'standard',
    currency: 'NGN',
    status: 'draft',
    netMinor: 1_950_500,
    taxMinor: 146_288,
    payableMinor: 2_096_788,
    lineItems: Array.from({ length: 5 }, () => line),
  },
})
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () =>
    response.writeHead(201, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'bench' }).end(reply),
  )
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listens at http://127.0.0.1:${(server.address() as { port: number }).port}\n`),
)
