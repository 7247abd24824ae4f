import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { ok } from '../harness/issued.ts'
import { signInAssistant } from '../harness/mcp-sign-in.ts'
import { reporter } from '../harness/reporters.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'], trustProxy: { hops: 1 } })
})
afterAll(() => app?.close())

test('an assistant that knows one address signs in, is told why an invoice was rejected, and repairs it', async () => {
  const own = await reporter(app)
  const buyerId = await own.life.buyer({ name: 'Refused Ltd', taxId: '72345678-9001' })
  const check = async () => {
    ok(await app.a.post(`/i/v1/buyers/${buyerId}/verify-tax-number`, { token: own.token }), 202)
    await app.quiet()
  }
  await check()
  const { id } = await own.submitted({ buyerId })
  await own.until(id, 'rejected')

  // The client is refused, finds who gives tokens, registers, and comes back with tokens.
  const limits = { amountMinorPerDay: 10_000_000, currency: 'NGN', changesPerDay: 4 }
  const assistant = await signInAssistant(app, own, { limits })
  expect(assistant.shown).toMatchObject({ resource: 'mcp', program: { name: 'Assistant of a test' } })
  const steps = assistant.sent.filter((one) => !one.endsWith(' 404'))
  expect(steps.slice(0, 5)).toEqual([
    'POST /mcp 401',
    'GET /.well-known/oauth-protected-resource/mcp 200',
    'GET /.well-known/oauth-authorization-server 200',
    'POST /oauth/register 201',
    'POST /oauth/token 200',
  ])
  expect(await assistant.call('who_am_i')).toMatchObject({
    organizationId: own.organisationId,
    mode: 'sandbox',
    program: {
      limits,
      limitsInWords: ['Left today: NGN 100,000.00 of NGN 100,000.00.', 'Changes left today: 4 of 4.'],
    },
  })

  // What is wrong, and who can correct it.
  const { rows } = await assistant.call('find_invoices', { reporting: 'needs_attention' })
  expect(rows).toMatchObject([{ id, status: 'rejected' }])
  const { report, nextSteps } = await assistant.call('explain_rejection', { invoiceId: id })
  expect(report.refusals).toMatchObject([{ mendedBy: 'reopen' }])
  expect(JSON.stringify(report.refusals[0].path)).toContain('buyer.taxId')
  expect(nextSteps).toEqual([expect.stringMatching(/^The buyer is at fault. Ask the person to correct the buyer/)])

  // The person corrects the buyer. The assistant does the rest, one agreed step after the other.
  ok(await app.a.patch(`/i/v1/buyers/${buyerId}`, { token: own.token, body: { taxId: '72345678-0002' } }))
  await check()
  const agreed = async (tool: string, input: Record<string, unknown>) => {
    const { limits: left, confirmation } = await assistant.call(tool, input)
    expect(left.isExceeded).toBe(false)
    const { result } = await assistant.call('confirm_action', { token: confirmation.token })
    return { result, left: left.words.at(-1) as string }
  }
  const reopened = await agreed('prepare_action', { action: 'reopen', invoiceId: id })
  expect(reopened).toMatchObject({ result: { status: 'draft' }, left: 'Changes left today after this one: 3 of 4.' })
  // An hour later, the token no longer works. The client renews it by itself, and the person is not asked again.
  assistant.spoilToken()
  await agreed('prepare_invoice', { draftId: id, notes: 'Corrected' })
  expect(assistant.sent.filter((one) => one === 'POST /oauth/token 200')).toHaveLength(2)
  await agreed('prepare_action', { action: 'finalise', invoiceId: id })
  const submitted = await agreed('prepare_action', { action: 'submit', invoiceId: id })
  expect(submitted.left).toBe('Changes left today after this one: 0 of 4.')
  await own.until(id, 'accepted')
  expect((await assistant.call('what_needs_attention')).needsAttention.total).toBe(0)
  await assistant.close()
})
