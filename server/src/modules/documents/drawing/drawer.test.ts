import { hash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { fiveLines, plainLetterhead, sampleInvoice, sampleWords } from '../../../../../test/harness/sample-invoice.ts'
import { newId } from '../../../kernel/ids.ts'
import { Refusal, type RefusalName } from '../../../kernel/refusals.ts'
import { silentLogger } from '../../../platform/logger.ts'
import { drawInvoice } from '../pdf/invoice-pdf.ts'
import { createDrawer, type Drawer, type DrawerOptions } from './drawer.ts'
import { type DrawingOrder, drawingOrder } from './drawing-order.ts'

const opened: Drawer[] = []
afterEach(async () => {
  for (const drawer of opened.splice(0)) await drawer.close()
})
function drawerWith(options?: DrawerOptions): Drawer {
  const drawer = createDrawer(silentLogger, { size: 1, ...options })
  opened.push(drawer)
  return drawer
}

const owner = newId<'organisation'>()
const letterhead = {
  ...plainLetterhead,
  bank: { bankName: 'Harmattan Bank', accountName: 'Adéṣọlá', accountNumber: '0123456789' },
}
const short = sampleInvoice(fiveLines)
const long = sampleInvoice(Array.from({ length: 500 }, (_, at) => fiveLines[at % 5] as (typeof fiveLines)[number]))
const orderOf = (document = short) => drawingOrder(document, letterhead, sampleWords)

async function refusalOf(drawing: Promise<unknown>): Promise<[RefusalName, number | undefined]> {
  const error = await drawing.then(
    () => expect.fail('it was drawn'),
    (why: unknown) => why,
  )
  expect(error).toBeInstanceOf(Refusal)
  const { refusal, retryAfterSeconds } = error as Refusal
  return [refusal, retryAfterSeconds]
}

test('a thread draws the same bytes as the main thread would', async () => {
  const file = await drawerWith().pdf('a', owner, async () => orderOf())
  const here = await drawInvoice(short, letterhead, sampleWords)
  expect(file.bytes.equals(here)).toBe(true)
  expect(file.sha256).toBe(hash('sha256', here))
})

test('while a long document is drawn, other work continues', async () => {
  const drawer = drawerWith()
  await drawer.pdf('warm', owner, async () => orderOf())
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  await drawer.pdf('long', owner, async () => orderOf(long))
  clearInterval(turning)
  // Drawing in this thread would allow none of these turns.
  expect(turns).toBeGreaterThan(10)
})

test('a document is drawn once for all callers, and cached', async () => {
  const drawer = drawerWith({ mostWaiting: 1 })
  let read = 0
  const ask = () =>
    drawer.pdf('a', owner, async () => {
      read++
      return orderOf()
    })
  const files = await Promise.all(Array.from({ length: 20 }, ask))
  expect(new Set(files).size).toBe(1)
  expect(await ask()).toBe(files[0])
  expect(read).toBe(1)
})

test('if too many wait, the next caller is refused with a waiting time', async () => {
  const drawer = drawerWith({ mostWaiting: 1 })
  const gate = Promise.withResolvers<DrawingOrder>()
  const taken = [drawer.pdf('a', owner, () => gate.promise), drawer.pdf('b', owner, async () => orderOf())]
  expect(await refusalOf(drawer.pdf('c', owner, async () => orderOf()))).toEqual(['document.not_drawn', 3])
  gate.resolve(orderOf())
  await Promise.all(taken)
  await drawer.pdf('c', owner, async () => orderOf())
})

test('a document that takes too long is stopped and blocked for a while, and delays nobody else', async () => {
  const drawer = drawerWith({ deadlineMs: 1 })
  expect(await refusalOf(drawer.pdf('slow', owner, async () => orderOf(long)))).toEqual(['document.not_drawn', 60])
  const again = drawer.pdf('slow', owner, () => expect.fail('it was read again'))
  expect(await refusalOf(again)).toEqual(['document.not_drawn', 60])
})

test('a document that cannot be drawn is an internal error', async () => {
  const broken = { ...orderOf(), document: { ...short, lines: undefined } } as unknown as DrawingOrder
  const drawer = drawerWith()
  await expect(drawer.pdf('broken', owner, async () => broken)).rejects.toThrow(TypeError)
  await drawer.pdf('next', owner, async () => orderOf())
})

test('a document is not drawn once all its callers are gone', async () => {
  const drawer = drawerWith()
  const gate = Promise.withResolvers<DrawingOrder>()
  const running = drawer.pdf('gate', owner, () => gate.promise)
  const [first, second] = [new AbortController(), new AbortController()]
  const abandoned = [first, second].map(({ signal }) =>
    drawer.pdf('a', owner, () => expect.fail('it was read'), signal),
  )
  const shared = [first.signal, new AbortController().signal].map((signal) =>
    drawer.pdf('b', owner, async () => orderOf(), signal),
  )
  const ends = Promise.allSettled(abandoned)
  for (const one of [first, second]) one.abort(new Error('hung up'))
  gate.resolve(orderOf())
  await Promise.all([running, ...shared])
  expect((await ends).map((end) => end.status === 'rejected' && end.reason)).toEqual([
    new Error('hung up'),
    new Error('hung up'),
  ])
  // The next caller gets it drawn.
  await drawer.pdf('a', owner, async () => orderOf())
})
