import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import type { Form } from '../definitions/form.ts'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'
import { openApiOf } from './index.ts'
import { resolver } from './resolved.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ authority: ['sandbox'] })
})
afterAll(() => app?.close())

interface ShownExample {
  readonly id: string
  readonly method: 'post' | 'put' | 'patch' | 'delete'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

function examplesOf(form: Form): ShownExample[] {
  const document = openApiOf(form)
  const whole = resolver(document)
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, operation]) => {
      const shown = whole(operation).requestBody?.content['application/json']
      if (!shown) return []
      const body = shown.example as ShownExample['body']
      return [{ id: operation.operationId, method: verb as ShownExample['method'], path, body }]
    }),
  )
}

/** Ids stand for objects of the reader's; everything else has to be right as it is. */
const noOne = '0198c5a2-7b1e-7c3d-9f4a-5e6b7c8d9e0f'
const filled = (path: string) =>
  path
    .replace('{orgId}', 'me')
    .replace('{userId}', 'me')
    .replace('{period}', '2026-01')
    .replace(/\{\w+\}/g, noOne)

/** What needs nothing but an organisation is not only taken, but done. */
const done = {
  A: ['organisations_update', 'apiKeys_create', 'buyers_create', 'items_create', 'invoices_create', 'invoices_validate']
    .concat(['webhooks_create', 'invitations_create', 'identity_register', 'billing_changeThreshold'])
    .sort(),
  B: ['organisations_create', 'organisations_update', 'apiKeys_create', 'buyers_create', 'items_create', 'roles_create']
    .concat(['webhooks_create', 'invitations_create', 'identity_register', 'billing_changeThreshold'])
    .sort(),
}

describe.each([formA, formB])('the examples of $title', (form) => {
  const examples = examplesOf(form)

  test('are accepted when they are sent unchanged', async () => {
    expect(examples.length).toBeGreaterThan(50)
    const refused: string[] = []
    const succeeded: string[] = []
    let own: Person | undefined
    for (const { id, method, path, body } of examples) {
      if (!own) {
        own = await app.person()
        await app.openAccount(own.organisationId)
      }
      const { token } = own
      const reply = await app.client(form.name)[method](filled(path), { token, body })
      const reason = reply.headers.get('risiti-reason')
      if (reply.status < 300) {
        succeeded.push(id)
        // What was done could change the reply to the next example, so that begins with another organisation.
        own = undefined
      } else if (reason === null || /^request\.|^internal\./.test(reason)) refused.push(`${id} ${reply.text}`)
    }
    expect(refused).toEqual([])
    expect(succeeded).toEqual(expect.arrayContaining(done[form.name]))
  })

  test('never use the word “example” as a value', () => {
    const words = examples.flatMap(({ body }) => JSON.stringify(body).match(/"(example|string|foo|test)"/gi) ?? [])
    expect(words).toEqual([])
  })
})
