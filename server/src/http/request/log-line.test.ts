import { afterAll, beforeAll, expect, test } from 'vitest'
import { capturedLog, startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
const { log, text } = capturedLog()
beforeAll(async () => {
  app = await startTestApp({ log })
})
afterAll(() => app.close())

/** The line of the log about a request. */
function lineOf(requestId: string | null): Record<string, unknown> | undefined {
  const lines = text().trim().split('\n')
  return lines.map((line) => JSON.parse(line)).find((line) => line.msg === 'request' && line.requestId === requestId)
}

test('a request of a person is logged with organisation, mode, person and address', async () => {
  const { token, organisationId, userId } = await app.person()
  const reply = await app.a.get('/a/v1/auth/me', { token })
  await expect
    .poll(() => lineOf(reply.headers.get('x-request-id')))
    .toMatchObject({
      level: 'info',
      route: '/a/v1/auth/me',
      status: 200,
      organisationId,
      mode: 'sandbox',
      userId,
      address: '127.0.0.1',
    })
})

test('a request without a known caller is logged with its address and the reason of the refusal', async () => {
  const reply = await app.a.get('/a/v1/auth/me', { token: 'made up' })
  await expect
    .poll(() => lineOf(reply.headers.get('x-request-id')))
    .toMatchObject({
      status: 401,
      refusal: 'auth.token_invalid',
      address: '127.0.0.1',
    })
  expect(lineOf(reply.headers.get('x-request-id'))).not.toHaveProperty('organisationId')
})
