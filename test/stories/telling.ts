import { expect } from 'vitest'
import type { TestApp } from '../harness/app.ts'
import type { Client, Reply } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'

export const password = 'a good long password'

export interface Person {
  readonly email: string
  token: string
  refreshToken: string
}

/** In a story every action succeeds, unless the story says otherwise. */
export async function ok(reply: Promise<Reply>): Promise<Reply> {
  const answered = await reply
  expect(answered.status, answered.text).toBeLessThan(300)
  return answered
}

/** Registers and verifies, and waits for the background work, so that every run has the same order. */
export async function signUp(app: TestApp, client: Client, email: string, names: object): Promise<Person> {
  await ok(client.post('/a/v1/auth/register', { body: { email, password, country: 'NG', ...names } }))
  const [mail] = await app.mailTo(email)
  const code = /\d{6}/.exec(mail?.subject ?? '')?.[0]
  const { data } = await ok(client.post('/a/v1/auth/verify-email', { body: { email, code } }))
  const token: string = data.accessToken
  await eventually(() => ok(client.get('/b/v1/billing-accounts/me', { token })))
  return { email, token, refreshToken: data.refreshToken }
}

/** Access tokens last 15 minutes, so a person refreshes theirs on another day. */
export async function comeBack(client: Client, person: Person): Promise<void> {
  const { data } = await ok(client.post('/a/v1/auth/refresh', { body: { refreshToken: person.refreshToken } }))
  person.token = data.accessToken
  person.refreshToken = data.refreshToken
}
