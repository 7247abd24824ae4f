import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { MessageNotTaken, type OutgoingMessage } from '../modules/messages/message.ts'
import { smtpCarrier } from './smtp.ts'

interface ReceivedMail {
  readonly mail: ParsedMail
  readonly raw: string
  readonly from: string
  readonly to: string[]
}

const received: ReceivedMail[] = []
/** Status codes with which the server refuses the next mails, in order. */
let refusals: number[] = []

async function receive(raw: string, { envelope }: SMTPServerSession): Promise<void> {
  const mail = await simpleParser(raw)
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
  received.push({ mail, raw, from, to: envelope.rcptTo.map(({ address }) => address) })
  const status = refusals.shift()
  if (status !== undefined) throw Object.assign(new Error('not now'), { responseCode: status })
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onData(stream, session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => receive(Buffer.concat(chunks).toString(), session).then(() => done(), done))
  },
})
let url: string
let carrier: ReturnType<typeof smtpCarrier>

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
afterAll(() => new Promise<void>((closed) => server.close(closed)))
beforeEach(() => {
  received.length = 0
  refusals = []
  carrier = smtpCarrier(url, 'Risiti <no-reply@risiti.test>')
})
afterEach(() => carrier.close())

const message = (own: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id: '0193aaaa-0000-7000-8000-000000000001',
  channel: 'email',
  to: 'ada@example.test',
  subject: 'Invoice of ₦1,250.50 for Adéọlá',
  text: 'You owe ₦1,250.50 for ọ̀gẹ̀dẹ̀.',
  html: '<p>You owe <b>₦1,250.50</b> for ọ̀gẹ̀dẹ̀.</p>',
  attachments: [],
  createdAt: new Date('2026-03-01T09:00:00Z'),
  ...own,
})

test('a mail arrives unchanged', async () => {
  const bytes = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7) % 256))
  const attachments = [
    { filename: 'Invoice ₦-ọ.pdf', contentType: 'application/pdf', base64: bytes.toString('base64') },
    { filename: 'empty.txt', contentType: 'text/plain', base64: '' },
  ]
  await carrier.carry(message({ attachments }))
  const [{ mail, from, to }] = received as [ReceivedMail]
  expect(received).toHaveLength(1)
  expect([from, to]).toEqual(['no-reply@risiti.test', ['ada@example.test']])
  expect(mail.from?.value).toEqual([{ name: 'Risiti', address: 'no-reply@risiti.test' }])
  expect([mail.to].flat().map((field) => field?.text)).toEqual(['ada@example.test'])
  expect(mail.subject).toBe('Invoice of ₦1,250.50 for Adéọlá')
  expect(mail.text?.trim()).toBe('You owe ₦1,250.50 for ọ̀gẹ̀dẹ̀.')
  expect(mail.html).toBe('<p>You owe <b>₦1,250.50</b> for ọ̀gẹ̀dẹ̀.</p>')
  expect(mail.date).toEqual(new Date('2026-03-01T09:00:00Z'))
  expect(mail.messageId).toBe('<0193aaaa-0000-7000-8000-000000000001@risiti.test>')
  expect(mail.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
    ['Invoice ₦-ọ.pdf', 'application/pdf'],
    ['empty.txt', 'text/plain'],
  ])
  expect(mail.attachments[0]?.content.equals(bytes)).toBe(true)
})

test('a mail on behalf of a business comes from our address, and contains its pictures', async () => {
  const logo = { filename: 'logo.png', contentType: 'image/png', base64: 'iVBORw0KGgo=', cid: 'logo' }
  const fromName = 'Adéọlá "Foods", <ceo@bank.test>\r\nBcc: x@y.test via Risiti'
  await carrier.carry(
    message({ fromName, replyTo: 'ada@foods.test', attachments: [logo], html: '<img src="cid:logo">' }),
  )
  const [{ mail, raw, from, to }] = received as [ReceivedMail]
  expect([from, to]).toEqual(['no-reply@risiti.test', ['ada@example.test']])
  expect(mail.from?.value).toHaveLength(1)
  expect(mail.from?.value[0]).toMatchObject({ address: 'no-reply@risiti.test' })
  expect(mail.from?.value[0]?.name).toMatch(/^Adéọlá "Foods".* via Risiti$/)
  expect(raw).not.toMatch(/^Bcc:/m)
  expect(mail.replyTo?.value[0]?.address).toBe('ada@foods.test')
  expect(mail.attachments[0]).toMatchObject({ cid: 'logo', contentDisposition: 'inline' })
})

test('a temporarily refused mail is sent again under the same Message-ID', async () => {
  refusals = [451]
  const refused = await carrier.carry(message()).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(MessageNotTaken)
  expect(refused).toMatchObject({ cause: { responseCode: 451 } })
  await carrier.carry(message())
  expect(received).toHaveLength(2)
  expect(received.map(({ mail }) => mail.messageId)).toEqual(
    Array(2).fill('<0193aaaa-0000-7000-8000-000000000001@risiti.test>'),
  )
  expect(received[1]?.mail.subject).toBe(received[0]?.mail.subject)
})

test('a permanent refusal is reported', async () => {
  refusals = [554]
  await expect(carrier.carry(message())).rejects.toMatchObject({ cause: { responseCode: 554 } })
})

test('after a connection that breaks before the answer, the mail may have arrived', async () => {
  const breaking = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream) {
      stream.resume()
      stream.on('end', () => {
        for (const one of breaking.connections) one.close()
      })
    },
  })
  await new Promise<void>((listening) => breaking.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => breaking.close(closed)))
  const broken = smtpCarrier(
    `smtp://127.0.0.1:${(breaking.server.address() as AddressInfo).port}`,
    'no-reply@risiti.test',
  )
  onTestFinished(() => broken.close())
  const failure = await broken.carry(message()).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(failure).not.toBeInstanceOf(MessageNotTaken)
})

test('many concurrent mails are each sent once', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `id-${index}`)
  await Promise.all(ids.map((id) => carrier.carry(message({ id }))))
  expect(received.map(({ mail }) => mail.messageId).sort()).toEqual(ids.map((id) => `<${id}@risiti.test>`).sort())
})

test('an unreachable server is an error', async () => {
  const idle = createServer().listen(0, '127.0.0.1')
  await once(idle, 'listening')
  const { port } = idle.address() as AddressInfo
  idle.close()
  await once(idle, 'close')
  const nowhere = smtpCarrier(`smtp://127.0.0.1:${port}`, 'no-reply@risiti.test')
  const failure = await nowhere.carry(message()).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(MessageNotTaken)
  expect(String(failure)).toContain('ECONNREFUSED')
  nowhere.close()
})

const expectNobodyElse = () => {
  for (const { to, mail } of received) {
    expect(to).toHaveLength(1)
    expect(to[0]).toMatch(/@example\.test$/)
    expect(mail.headerLines.filter(({ key }) => key === 'bcc')).toEqual([])
  }
}

test('a line break in the subject adds no recipient', async () => {
  await carrier.carry(message({ subject: 'Hello\r\nBcc: spy@evil.test\r\n\r\nSurprise' }))
  expect(received).toHaveLength(1)
  expectNobodyElse()
})

test.each([
  '"spy@evil.test, x"@example.test',
  '"spy@evil.test"@example.test',
  '"spy@evil.test (x)"@example.test',
  '"x <spy@evil.test>"@example.test',
  '"x\r\nBcc: spy@evil.test\r\n"@example.test',
])('a mail to %j goes to that address or is refused', async (to) => {
  await carrier.carry(message({ to })).catch(() => {})
  expectNobodyElse()
})

test.each([
  ['Risiti <mail@invoices.example.ng>', 'invoices.example.ng'],
  ['mail@example.ng', 'example.ng'],
])('the Message-ID of a mail from %s ends in its domain', async (from, domain) => {
  const own = smtpCarrier(url, from)
  await own.carry(message())
  own.close()
  expect(received[0]?.mail.messageId).toBe(`<${message().id}@${domain}>`)
})

test('the SMTP carrier sends no text messages', () => {
  expect([carrier.textsPhones, carrier.reachesPeople]).toEqual([false, true])
})
