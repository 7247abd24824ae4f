import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { expectRefusal, faultPaths } from '../../../../test/harness/client.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

let registrations = 0
const registration = (more: object = {}) => ({
  email: `stranger${++registrations}@example.test`,
  password: 'a long password',
  firstName: 'Ada',
  lastName: 'Obi',
  organizationName: 'Obi Foods',
  country: 'NG',
  ...more,
})
const links = ['Claim at https://evil.example/x now', 'www.evil.example', 'me@evil.example', 'evil.example/x']
const register = '/a/v1/auth/register'

describe.each(['A', 'B'] as const)('Form %s', (form) => {
  test.each(links)('the name %j is refused', async (name) => {
    const client = app.client(form)
    const refused = await client.post(register, {
      body: registration({ firstName: name, lastName: name, organizationName: name }),
    })
    expectRefusal(refused, 'request.invalid')
    expect(faultPaths(refused).sort()).toEqual(['firstName', 'lastName', 'organizationName'])
    const { token } = await app.person()
    const invitations = '/a/v1/organizations/me/invitations'
    const invited = await client.post(invitations, {
      token,
      body: { email: 'friend@example.test', fullName: name, message: `Look: ${name}` },
    })
    expectRefusal(invited, 'request.invalid')
    expect(faultPaths(invited).sort()).toEqual(['fullName', 'message'])
    const field = form === 'A' ? 'name' : 'businessName'
    const renamed = await client.patch('/a/v1/organizations/me', { token, body: { [field]: name } })
    expectRefusal(renamed, 'request.invalid')
    expect(faultPaths(renamed)).toEqual([field])
  })

  test('a mail with a code contains no text of a stranger', async () => {
    const body = registration({ firstName: 'Call 0800 now', organizationName: 'Refunds at Evil.com today' })
    const headers = { 'user-agent': 'Your account is blocked, see https://evil.example' }
    expect((await app.client(form).post(register, { body, headers })).status).toBe(201)
    const [mail] = await app.mailTo(body.email)
    for (const words of [mail?.text, mail?.html, mail?.subject]) expect(words).not.toMatch(/0800|Refunds|blocked|evil/i)
    expect(mail?.text).toMatch(/^Hello,\n/)
    expect(mail?.text).toContain('Program: unknown.')
  })

  test('an invitation has only our link and our subject', async () => {
    const client = app.client(form)
    const owner = await app.person()
    const field = form === 'A' ? 'name' : 'businessName'
    const rename = { token: owner.token, body: { [field]: 'Access Bank blocked your card - Evil.com' } }
    expect((await client.patch('/a/v1/organizations/me', rename)).status).toBe(200)
    const email = `friend${form}@example.test`
    const body = { email, fullName: 'Pay now', message: 'go to evil.example today' }
    expect((await client.post('/a/v1/organizations/me/invitations', { token: owner.token, body })).status).toBe(201)
    const [mail] = await app.mailTo(email)
    expect(mail?.subject).toBe('You are invited to join an organisation at Risiti')
    expect(mail?.text).toContain('Evil .com')
    for (const words of [mail?.text, mail?.html]) {
      expect(words).toContain('evil .example')
      expect(words).not.toMatch(/Pay now|evil\.(com|example)/i)
    }
  })
})
