import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { origin, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type Issuer, issuer } from '../../../../test/harness/invoices.ts'
import { lifeOf, ok } from '../../../../test/harness/issued.ts'
import { noOrganisation, type SystemCaller, systemCaller } from '../../kernel/callers.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { compose } from './compose.ts'
import { builtInMailbox, readMailbox } from './mailbox.ts'
import type { OutgoingMessage } from './message.ts'
import { deliverMessage, type NewMessage, queueMessage } from './send-message.ts'

let app: TestApp
/** What the carrier does with a message. Each test can set its own. */
let carry: (message: OutgoingMessage) => Promise<void>
const intoMailbox = (message: OutgoingMessage) => builtInMailbox(app.runtime, { textsPhones: true }).carry(message)

beforeAll(async () => {
  app = await startTestApp({ carrier: { textsPhones: true, reachesPeople: true, carry: (message) => carry(message) } })
})
beforeEach(() => {
  carry = intoMailbox
})
afterAll(() => app.close())

const inOperation = (body: (context: Inside<SystemCaller>) => Promise<void>) =>
  app.runner.run(operation({ needs: [], refuses: [] }, body), { caller: systemCaller, origin, input: undefined })

const messageOf = (cause: string, own: Partial<NewMessage> = {}): NewMessage => ({
  cause,
  sentFor: 'recipient',
  channel: 'email',
  to: `${cause}@example.test`,
  subject: '493817 is your code',
  text: 'Type 493817.',
  html: '<p>Type 493817.</p>',
  ...own,
})
const send = (cause: string, own?: Partial<NewMessage>) =>
  inOperation((context) => queueMessage(context, messageOf(cause, own)))

interface Row {
  id: string
  sealedBody: string | null
  sentAt: Date | null
  whole: string
}
const rowsOf = (cause: string) =>
  app.runtime.db.rows<Row>(
    sql`select id, sealed_body, sent_at, row_to_json(m)::text as whole from messages m where cause = ${cause}`,
  )
const rowOf = async (cause: string) => (await rowsOf(cause))[0] as Row

/** Makes the queue retry now what it would retry later. */
const hurry = () =>
  app.runtime.db.run(sql`
    with due as (update jobs set due_at = now() where taken_by is null and due_at > now() returning 1)
    select pg_notify('risiti_work', 'mail') from due`)
async function untilSent(cause: string): Promise<Row> {
  await expect
    .poll(async () => {
      await hurry()
      return (await rowOf(cause)).sentAt
    })
    .not.toBeNull()
  return await rowOf(cause)
}

test('a message is stored with its cause, sent after the commit, and then its body is deleted', async () => {
  await send('welcome')
  const sent = await untilSent('welcome')
  expect(sent).toMatchObject({ sealedBody: null, sentAt: app.clock.now() })
  expect(await app.mailTo('welcome@example.test')).toEqual([
    { subject: '493817 is your code', text: 'Type 493817.', html: '<p>Type 493817.</p>' },
  ])
})

test('a waiting message is sealed in the database', async () => {
  const asked = Promise.withResolvers<OutgoingMessage>()
  const gate = Promise.withResolvers<void>()
  carry = (message) => {
    asked.resolve(message)
    return gate.promise
  }
  await send('waiting')
  expect(await asked.promise).toMatchObject({ subject: '493817 is your code', to: 'waiting@example.test' })
  const { whole, sealedBody, sentAt } = await rowOf('waiting')
  expect([sealedBody?.slice(0, 6), sentAt]).toEqual(['v1.k1.', null])
  const work = await app.runtime.db.rows(sql`select row_to_json(t)::text as text from jobs t`)
  expect(JSON.stringify(work)).toContain('send-message')
  expect(JSON.stringify(work)).not.toContain('493817')
  for (const plain of ['493817', 'Type', Buffer.from('493817').toString('base64url')])
    expect(whole).not.toContain(plain)
  gate.resolve()
  expect((await untilSent('waiting')).sealedBody).toBeNull()
})

test('one cause has one message, even for concurrent requests', async () => {
  await inOperation(async (context) => {
    await queueMessage(context, messageOf('once'))
    await queueMessage(context, messageOf('once', { subject: 'another' }))
  })
  await Promise.all([send('once'), send('once'), send('once')])
  await untilSent('once')
  await send('once')
  expect(await rowsOf('once')).toHaveLength(1)
  await send('after-once')
  await untilSent('after-once')
  expect(await app.mailTo('once@example.test')).toMatchObject([{ subject: '493817 is your code' }])
})

test('a rolled-back cause sends no message', async () => {
  const failing = inOperation(async (context) => {
    await queueMessage(context, messageOf('never'))
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await rowsOf('never')).toEqual([])
  await send('after-never')
  await untilSent('after-never')
  expect(await readMailbox(app.runtime, 'never@example.test')).toEqual([])
})

test('a failed message is retried with the same id', async () => {
  const seen: OutgoingMessage[] = []
  carry = async (message) => {
    seen.push(message)
    if (seen.length < 3) throw new Error('the mail server is busy')
    await intoMailbox(message)
  }
  await send('stubborn')
  await untilSent('stubborn')
  expect(seen).toHaveLength(3)
  expect(seen[1]).toEqual(seen[0])
  expect(seen[2]).toEqual(seen[0])
  expect(await app.mailTo('stubborn@example.test')).toHaveLength(1)
})

test('a message whose confirmation was lost is sent again with the same id', async () => {
  const taken: OutgoingMessage[] = []
  carry = async (message) => {
    taken.push(message)
    await intoMailbox(message)
    if (taken.length === 1) throw new Error('the line broke after the mail was taken')
  }
  await send('twice')
  const { id } = await untilSent('twice')
  expect(taken.map((message) => message.id)).toEqual([id, id])
  expect(await app.mailTo('twice@example.test')).toHaveLength(1)
})

test('a repeated job after the message was sent sends nothing', async () => {
  await send('rerun')
  const { id } = await untilSent('rerun')
  const carried: string[] = []
  const carrier = {
    textsPhones: true,
    reachesPeople: true,
    carry: async (message: OutgoingMessage) => void carried.push(message.id),
  }
  const { db, vault, clock } = app.runtime
  await deliverMessage({ db, vault, clock, carrier }, id)
  await deliverMessage({ db, vault, clock, carrier }, '00000000-0000-7000-8000-000000000000')
  expect(carried).toEqual([])
})

test('texts and attachments arrive completely', async () => {
  const attachments = [{ filename: 'invoice ọ.pdf', contentType: 'application/pdf', base64: 'JVBERi0=' }]
  await send('text', { channel: 'sms', to: '+2348030000000', attachments })
  await untilSent('text')
  expect(await readMailbox(app.runtime, '+2348030000000')).toMatchObject([
    { channel: 'sms', to: '+2348030000000', attachments },
  ])
})

describe('in the queue', () => {
  async function sendInvoice(own: Issuer, email: string): Promise<void> {
    const life = lifeOf(app, own)
    const { id } = await life.issued({ buyerId: await life.buyer({ email }) })
    ok(await life.act(id, 'send'))
  }

  test('codes and mails of other organisations do not wait behind the invoices of one', async () => {
    const [many, single] = ['many@chidi.test', 'single@chidi.test']
    const { email: forgetful } = await app.person()
    const begun = Promise.withResolvers<string>()
    const gate = Promise.withResolvers<void>()
    onTestFinished(() => gate.resolve())
    const carried: string[] = []
    // The many messages hang, so that a message behind one of them would never be sent.
    carry = async ({ id, to }) => {
      if (to === many) {
        begun.resolve(id)
        await gate.promise
      }
      carried.push(to)
    }
    await sendInvoice(await issuer(app, { mode: 'live' }), many)
    const messageId = await begun.promise
    await app.runtime.db.run(sql`
      insert into jobs (id, queue, organisation_id, job, payload, due_at)
      select gen_random_uuid(), queue, organisation_id, job, payload, now() - interval '1 hour'
        from jobs cross join generate_series(1, 10000) where payload->>'messageId' = ${messageId}`)
    const ofTheMany = () => app.runtime.db.rows(sql`select 1 from jobs where payload->>'messageId' = ${messageId}`)
    ok(await app.a.post('/a/v1/auth/forgot-password', { body: { email: forgetful } }))
    await sendInvoice(await issuer(app, { mode: 'live' }), single)
    await eventually(async () => expect(carried.toSorted()).toEqual([forgetful, single].toSorted()))
    expect(await ofTheMany()).toHaveLength(10_001)
    await app.runtime.db.run(sql`delete from jobs where payload->>'messageId' = ${messageId} and taken_by is null`)
    gate.resolve()
    await eventually(async () => expect(await ofTheMany()).toEqual([]))
  })

  describe('without workers', () => {
    beforeEach(() => app.stopWork())
    afterEach(() => app.startWork())
    const turnOf = async (cause: string) =>
      (
        await app.runtime.db.one<{ turn: string }>(sql`
          select w.organisation_id as turn from jobs w join messages m on m.id::text = w.payload->>'messageId' where m.cause = ${cause}`)
      ).turn

    test('an organisation has its own turn', async () => {
      const { organisationId } = await app.person()
      await send('of-organisation', { sentFor: organisationId })
      expect(await turnOf('of-organisation')).toBe(organisationId)
    })

    test('a person has one turn, and all people share sixteen', async () => {
      await send('lower', { to: 'ada@example.test' })
      await send('upper', { to: 'ADA@example.test' })
      expect(await turnOf('upper')).toBe(await turnOf('lower'))
      const causes = Array.from({ length: 300 }, (_, n) => `person-${n}`)
      await inOperation(async (context) => {
        for (const cause of causes) await queueMessage(context, messageOf(cause))
      })
      const turns = new Set(await Promise.all(causes.map(turnOf)))
      expect(turns.size).toBe(16)
      expect(turns).not.toContain(noOrganisation)
    })
  })
})

describe('the composed mail', () => {
  const contents = {
    greeting: 'Hello Ṣadé & "Co" <script>alert(1)</script>,',
    code: '123456',
    paragraphs: ["It's yours.", 'Two > one.'],
    closing: 'Small print',
  }

  test('has the same content in plain text and HTML', () => {
    const { text, html } = compose(contents)
    expect(text).toBe([contents.greeting, '123456', "It's yours.", 'Two > one.', 'Small print', 'Risiti'].join('\n\n'))
    const words = html.replace(/<[^>]+>/g, '|')
    for (const part of ['123456', 'Two &gt; one.', 'Small print', 'It&#39;s yours.'])
      expect(words).toContain(`|${part}|`)
  })

  test('escapes typed text', () => {
    const { html } = compose(contents)
    expect(html).toContain('Hello Ṣadé &amp; &quot;Co&quot; &lt;script&gt;alert(1)&lt;/script&gt;,')
    expect(html).not.toContain('<script')
  })

  test('has no empty parts without a code and small print', () => {
    const { text, html } = compose({ greeting: 'Hello,', paragraphs: ['One.'] })
    expect(text).toBe('Hello,\n\nOne.\n\nRisiti')
    expect(html.match(/<p /g)).toHaveLength(4)
  })
})
