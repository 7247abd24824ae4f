import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ settings: { keyGraceSeconds: 120 } })
})
afterAll(() => app.close())

test('a rotated key works for the configured time when the caller names none, with or without a body', async () => {
  const { token } = await app.person()
  const keys = '/a/v1/organizations/me/api-keys'
  for (const body of [undefined, {}]) {
    const { data } = await app.a.post(keys, { token, body: { name: 'Till', mode: 'sandbox' } })
    const sending = body === undefined ? { token } : { token, body }
    const rotated = await app.a.post(`${keys}/${data.id}/rotate`, sending)
    const stopsAt = new Date(rotated.data.previous.stopsAt).getTime()
    expect(stopsAt - app.clock.now().getTime()).toBe(120_000)
  }
})
