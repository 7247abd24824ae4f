import { afterAll, beforeAll, expect, test } from 'vitest'
import { capturedLog, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import type { Client, Reply, RequestOptions } from '../../../../../test/harness/client.ts'
import { newAccountPath } from '../../../../../test/harness/joining.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { OutgoingMessage } from '../../messages/message.ts'

/** Mail leaves through this carrier, so that no table has a reason to hold a code. */
const outgoing: OutgoingMessage[] = []
const carrier = {
  textsPhones: true,
  reachesPeople: false,
  async carry(message: OutgoingMessage) {
    outgoing.push(message)
  },
}
const { log, text: logText } = capturedLog()
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ log, carrier })
})
afterAll(() => app.close())

async function codeTo(email: string, howMany = 1): Promise<string> {
  const mails = () => outgoing.filter(({ to }) => to === email)
  await expect.poll(() => mails().length).toBe(howMany)
  return /^(\w{4})-(\w{4})$/m
    .exec(mails().at(-1)?.text ?? '')
    ?.slice(1)
    .join('') as string
}

/** Every row of every table as text. */
async function everyTable(): Promise<Map<string, string>> {
  const client = await app.runtime.db.dedicatedClient()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const found = new Map<string, string>()
    for (const { name } of rows) {
      const all = await client.query<{ text: string | null }>(`select string_agg(t::text, ' ') as text from ${name} t`)
      found.set(name, all.rows[0]?.text ?? '')
    }
    return found
  } finally {
    await client.end()
  }
}

test('a code is only in its mail: in no reply, table, event or log', async () => {
  const mine = '/a/v1/organizations/me/invitations'
  const answers: Reply[] = []
  const send = async (client: Client, method: 'get' | 'post' | 'delete', path: string, sending: RequestOptions) => {
    const reply = await client[method](path, sending)
    answers.push(reply)
    return reply
  }
  const codes: string[] = []
  for (const client of [app.a, app.b]) {
    const owner = await app.person()
    const sending = { token: owner.token, headers: { 'idempotency-key': `secrecy-${client.form.name}` } }
    const invite = async (email: string) =>
      await send(client, 'post', mine, { ...sending, body: { email, fullName: 'Ada Obi', message: 'Welcome' } })
    const emails = ['pending', 'withdrawn', 'known', 'new'].map((name) => `${name}-${client.form.name}@example.test`)
    const [pending, withdrawn, known, newcomer] = emails.map((email) => email.toLowerCase()) as [
      string,
      string,
      string,
      string,
    ]
    const joining = await app.person({ email: known })
    const ids: string[] = []
    for (const [index, email] of [pending, withdrawn, known, newcomer].entries()) {
      sending.headers['idempotency-key'] = `secrecy-${client.form.name}-${index}`
      ids.push((await invite(email)).data.id)
      await invite(email) // a replay
      codes.push(await codeTo(email))
    }
    await send(client, 'post', `${mine}/${ids[0]}/resend`, { token: owner.token })
    codes.push(await codeTo(pending, 2))
    await send(client, 'delete', `${mine}/${ids[1]}`, { token: owner.token })
    await send(client, 'get', `${mine}/${ids[0]}`, { token: owner.token })
    for (const status of ['pending', 'withdrawn'])
      await send(client, 'get', `${mine}?status=${status}`, { token: owner.token })
    const [, , codeOfKnown, codeOfNew] = codes.slice(-5) as [string, string, string, string, string]
    await send(client, 'post', '/a/v1/verify-invitation', { body: { email: known, invitationCode: codeOfKnown } })
    await send(client, 'post', '/a/v1/verify-invitation', { body: { email: pending, invitationCode: codeOfKnown } })
    await send(app.a, 'post', '/a/v1/accept-invitation', {
      token: joining.token,
      body: { invitationCode: codeOfKnown },
    })
    await send(app.a, 'post', '/a/v1/accept-invitation', {
      token: joining.token,
      body: { invitationCode: codeOfKnown },
    })
    const person = { email: newcomer, password: 'a fine password', firstName: 'Ada', lastName: 'Obi' }
    await send(client, 'post', newAccountPath[client.form.name], { body: { invitationCode: codeOfNew, ...person } })
    await send(client, 'get', '/a/v1/organizations/me/audit-log?limit=100', { token: owner.token })
  }

  expect(codes).toHaveLength(10)
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
  const inMail = outgoing.map(({ subject, text, html }) => `${subject} ${text} ${html}`).join(' ')
  const shownIn = (text: string) =>
    codes.filter((code) => new RegExp(`${code.slice(0, 4)}[\\s-]?${code.slice(4)}`, 'i').test(text))
  expect(shownIn(inMail)).toEqual(codes)

  // No code is stored for later sending either: sent messages are erased.
  const unsent = sql`select count(*)::int as count from messages where sealed_body is not null`
  await expect.poll(async () => (await app.runtime.db.one<{ count: number }>(unsent)).count).toBe(0)
  const tables = await everyTable()
  for (const name of ['public.invitations', 'public.events', 'public.idempotency_keys', 'public.messages'])
    expect(tables.get(name), `${name} has rows`).not.toBe('')
  for (const [name, rows] of tables) expect(shownIn(rows), name).toEqual([])

  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array(16).fill(200),
    ...Array(18).fill(201),
    404,
    404,
    404,
    404,
  ])
  for (const { text, headers } of answers) expect(shownIn(`${text} ${JSON.stringify([...headers])}`), text).toEqual([])
  expect(logText()).toContain('/a/v1/verify-invitation')
  expect(shownIn(logText())).toEqual([])
})
