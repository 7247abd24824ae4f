import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyCapabilities } from '../../server/src/kernel/capabilities.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { ok } from '../harness/issued.ts'
import { type McpCaller, mcpClient, mcpClientOverStdio } from '../harness/mcp.ts'
import { reporter } from '../harness/reporters.ts'

interface AgreedResult {
  readonly id: string
  readonly dueMinor: number
  readonly sentAt: string | null
}

/** What a person agreed to: prepares, and confirms the preview. */
async function agreed(program: McpCaller, tool: string, input: Record<string, unknown>): Promise<AgreedResult> {
  const { confirmation } = await program.call(tool, input)
  const { result, error } = await program.ask('confirm_action', { token: confirmation.token })
  // Background work changed the document since the preview: the person looks again.
  if (error?.reason === 'version.stale') return await agreed(program, tool, input)
  expect(error, JSON.stringify(error)).toBeUndefined()
  return result
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
})
afterAll(() => app?.close())

const transports: readonly [string, (key: string) => Promise<McpCaller>][] = [
  ['HTTP', (key) => mcpClient(app.url, key)],
  ['stdin and stdout', (key) => mcpClientOverStdio({ RISITI_SERVER: app.url, RISITI_API_KEY: key })],
]

test.each(transports)('a business day through the tools of an assistant, over %s', async (_, connect) => {
  const own = await reporter(app)
  const key = await app.key(own.organisationId, { capabilities: keyCapabilities })
  const program = await connect(key)

  // Morning: nothing waits.
  expect(await program.call('what_needs_attention')).toMatchObject({
    needsAttention: { total: 0 },
    drafts: { total: 0 },
  })

  // An order by telephone: found words, a checked draft, submitted in one step.
  const [buyer] = (await program.call('look_up', { what: 'buyer', words: 'Chidi' })).rows
  const line = {
    description: 'Bag of cement',
    hsnCode: '2523.29',
    unitCode: 'XBG',
    quantity: '3',
    unitPrice: '4500.50',
    taxCategory: 'standard',
  }
  const order = { buyerId: buyer.id, invoiceKind: 'B2B', currency: 'NGN', lineItems: [line], submit: true }
  const prepared = await program.call('prepare_invoice', order)
  expect(prepared).toMatchObject({
    prepared: 'create_and_submit',
    authorityCheck: { ready: true, payableMinor: 1_451_411 },
  })
  expect(prepared.undo).toMatch(/credit note/)
  const { token } = prepared.confirmation
  const { result } = await program.call('confirm_action', { token })
  expect(result).toMatchObject({ submitRefusal: null })
  // The answer was lost, and the assistant repeats the call.
  expect(await program.call('confirm_action', { token })).toMatchObject({ result: { id: result.id } })
  await own.until(result.id, 'accepted')
  expect((await program.call('find_invoices')).total).toBe(1)
  const uri = `risiti://invoices/${result.id}/authority-copy`
  const { contents } = await program.client.readResource({ uri })
  const copy = JSON.parse((contents[0] as { text: string }).text)
  expect(copy).toMatchObject({ isWhatWasSent: true, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(JSON.stringify(copy.document)).toContain('{"untrusted":"Bag of cement"}')

  // The buyer pays half. The rest is credited, because goods came back.
  const half = { action: 'record_payment', invoiceId: result.id, amount: '7257.05', paidOn: result.invoiceDate }
  expect((await agreed(program, 'prepare_action', half)).dueMinor).toBe(725_706)
  const note = await agreed(program, 'prepare_action', {
    action: 'credit_note',
    invoiceId: result.id,
    reason: 'Two bags came back',
    amount: '1000',
  })
  await agreed(program, 'prepare_action', { action: 'finalise', invoiceId: note.id })
  await agreed(program, 'prepare_action', { action: 'submit', invoiceId: note.id })
  await own.until(note.id, 'accepted')
  const account = await program.call('statement_of_account', { buyerId: buyer.id })
  expect(account.lines.map(({ type }: { type: string }) => type)).toEqual(['invoice', 'payment', 'credit_note'])
  expect(account.closingMinor).toBe(625_706)
  expect((await agreed(program, 'prepare_action', { action: 'remind', invoiceId: result.id })).sentAt).not.toBeNull()

  // A document is rejected: the assistant says why, and what mends it.
  const refused = await own.life.buyer({ name: 'Refused Ltd', taxId: '72345678-9001' })
  ok(await app.a.post(`/i/v1/buyers/${refused}/verify-tax-number`, { token: own.token }), 202)
  await app.quiet()
  const bad = await agreed(program, 'prepare_invoice', { ...order, buyerId: refused })
  await own.until(bad.id, 'rejected')
  const { report, nextSteps } = await program.call('explain_rejection', { invoiceId: bad.id })
  expect(report.refusals[0]).toMatchObject({
    told: { untrusted: expect.any(String) },
    message: { untrusted: expect.any(String) },
  })
  expect(nextSteps).toHaveLength(1)
  expect((await program.call('what_needs_attention')).needsAttention.total).toBe(1)

  // The invoice was meant for the other buyer: it is reopened, changed, issued and accepted.
  await agreed(program, 'prepare_action', { action: 'reopen', invoiceId: bad.id })
  await agreed(program, 'prepare_invoice', { draftId: bad.id, buyerId: buyer.id })
  await agreed(program, 'prepare_action', { action: 'finalise', invoiceId: bad.id })
  await agreed(program, 'prepare_action', { action: 'submit', invoiceId: bad.id })
  await own.until(bad.id, 'accepted')
  expect((await program.call('what_needs_attention')).needsAttention.total).toBe(0)
  await program.close()
})
