import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newId } from '../../kernel/ids.ts'
import { builtInMailbox, compose } from '../../modules/messages/index.ts'
import { codeOf, excerptOf, framedHtml, linksOf } from '../mailbox-page/contents.ts'

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const hostile = '<script>alert(1)</script>"\'&'

let app: TestApp
const ids = { code: newId(), invitation: newId(), hostile: newId(), text: newId() }
beforeAll(async () => {
  app = await startTestApp({ mailbox: true })
  const { carry } = builtInMailbox(app.runtime, { textsPhones: true })
  const mail = { channel: 'email', attachments: [] } as const
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 9, minute))
  await carry({
    ...mail,
    id: ids.code,
    to: 'ada@example.test',
    createdAt: at(1),
    subject: '493817 is your Risiti code',
    ...compose({ greeting: 'Hello,', code: '493817', paragraphs: ['Enter this code.'] }),
  })
  await carry({
    ...mail,
    id: ids.invitation,
    to: 'ngozi@example.test',
    createdAt: at(2),
    subject: 'You are invited',
    ...compose({
      greeting: 'Hello,',
      code: 'AB2C-3DE4',
      paragraphs: ['Join us.'],
      link: { words: 'Accept the invitation', href: 'http://dashboard.test/accept#code=1&email=2' },
    }),
    attachments: [
      { filename: 'logo.png', contentType: 'image/png', base64: 'iVBORw0=', cid: 'logo' },
      { filename: 'INV/1 "x".pdf', contentType: 'application/pdf', base64: Buffer.from('%PDF').toString('base64') },
    ],
  })
  await carry({
    ...mail,
    id: ids.hostile,
    to: `${hostile}@example.test`,
    createdAt: at(3),
    subject: hostile,
    text: `Hello,\n\n${hostile} javascript:alert(1)`,
    html: `<body>${hostile}</body>`,
  })
  await carry({
    id: ids.text,
    channel: 'sms',
    to: '+2348030000000',
    createdAt: at(4),
    subject: '125678 is your Risiti code. It works once.',
    text: '125678 is your Risiti code. It works once.',
    html: '',
    attachments: [],
  })
})
afterAll(() => app?.close())

const opened = async (path: string, headers: Record<string, string> = asBrowser) => {
  const response = await fetch(`${app.url}${path}`, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('the list', () => {
  test('is JSON for programs, as before', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }] as Record<string, string>[]) {
      const reply = await opened('/dev/mailbox?to=ADA@example.test', headers)
      expect(reply.headers.get('content-type')).toContain('application/json')
      expect(JSON.parse(reply.text)).toMatchObject([
        { channel: 'email', to: 'ada@example.test', subject: '493817 is your Risiti code' },
      ])
      expect(JSON.parse(reply.text)[0]).not.toHaveProperty('id')
    }
  })

  test('is a page for people, the newest message first, with codes and links', async () => {
    const { status, headers, text } = await opened('/dev/mailbox')
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'accept',
    ])
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('<title>Playground mailbox</title>')
    const places = [ids.text, ids.hostile, ids.invitation, ids.code].map((id) => text.indexOf(`/dev/mailbox/${id}"`))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    for (const code of ['493817', 'AB2C-3DE4', '125678'])
      expect(text).toContain(`<p class="code"><span>${code}</span> <button type="button" data-copy="${code}"`)
    expect(text).toContain('href="http://dashboard.test/accept#code=1&amp;email=2"')
    expect(text).toContain('<option>ngozi@example.test</option>')
  })

  test('shows one recipient', async () => {
    const { text } = await opened('/dev/mailbox?to=ada@example.test')
    expect(text).toContain('<option selected>ada@example.test</option>')
    expect(text).toContain(ids.code)
    expect(text).not.toContain(ids.invitation)
    expect((await opened('/dev/mailbox?to=nobody@example.test')).text).toContain(
      'No messages to nobody@example.test yet.',
    )
  })

  test('escapes text of senders and of the address', async () => {
    for (const path of [
      '/dev/mailbox',
      `/dev/mailbox/${ids.hostile}`,
      `/dev/mailbox?to=${encodeURIComponent(hostile)}`,
    ]) {
      const { text, headers } = await opened(path)
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
      expect(text).not.toContain('<script>')
      expect(text).not.toContain('href="javascript:')
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*script-src 'self';/)
    }
  })
})

describe('one message', () => {
  test('is shown as text, and as HTML in a frame without rights', async () => {
    const page = await opened(`/dev/mailbox/${ids.invitation}`)
    expect(page.text).toContain('<title>You are invited · Playground mailbox</title>')
    expect(page.text).toContain('Accept the invitation: <a href="http://dashboard.test/accept#code=1&amp;email=2"')
    expect(page.text).toContain(
      `src="/dev/mailbox/${ids.invitation}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"`,
    )
    const framed = await opened(`/dev/mailbox/${ids.invitation}/html`)
    expect(framed.text).toContain('<base target="_blank"><body')
    expect(framed.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(framed.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect(framed.headers.get('content-security-policy')).toContain('; sandbox allow-popups')
  })

  test('has its attachments, but not the pictures of its HTML', async () => {
    const { text } = await opened(`/dev/mailbox/${ids.invitation}`)
    expect(text).not.toContain('logo.png')
    expect(text).toContain(`<a href="/dev/mailbox/${ids.invitation}/attachments/1">INV/1 &quot;x&quot;.pdf</a>`)
    const file = await opened(`/dev/mailbox/${ids.invitation}/attachments/1`)
    expect([file.text, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      '%PDF',
      'application/pdf',
      'attachment; filename="INV_1__x_.pdf"',
    ])
  })

  test.each(['nothing', newId(), `${ids.code}/attachments/0`, `${ids.code}/attachments/x`, 'nothing/html'])(
    'replies 404 for %s',
    async (rest) => {
      expect((await opened(`/dev/mailbox/${rest}`)).status).toBe(404)
    },
  )
})

test('the script and the styles are served', async () => {
  for (const [path, type] of [
    ['/dev/mailbox/page.js', 'text/javascript'],
    ['/dev/mailbox/page.css', 'text/css'],
  ] as const) {
    const { status, headers } = await opened(path)
    expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`])
  }
})

describe('a mail', () => {
  test.each([
    ['a mailed code', 'email', 'Hello,\n\n493817\n\nEnter it.', '493817'],
    ['an invitation', 'email', 'Hello,\n\nAB2C-3DE4\n\nEnter it.', 'AB2C-3DE4'],
    ['a number in a sentence', 'email', 'Hello,\n\nInvoice 493817 is paid.', undefined],
    ['a text message', 'sms', '493817 is your code.', '493817'],
  ] as const)('has a code or none: %s', (_, channel, text, code) => {
    expect(codeOf({ channel, text })).toBe(code)
  })

  test('has links, and an excerpt without greeting, code and links', () => {
    const text = 'Hello Ada,\n\n493817\n\nEnter it.\n\nOpen the page: https://risiti.test/a?b=c\n\nRisiti'
    expect(linksOf(text)).toEqual([{ words: 'Open the page', href: 'https://risiti.test/a?b=c' }])
    expect(excerptOf({ channel: 'email', text })).toBe('Enter it. Risiti')
    expect(excerptOf({ channel: 'sms', text: 'x'.repeat(500) })).toHaveLength(180)
  })

  test('shows an attached picture inside its HTML', () => {
    const attachments = [{ filename: 'a', contentType: 'image/png', base64: 'AAAA', cid: 'logo' }]
    expect(framedHtml({ html: '<body><img src="cid:logo"></body>', attachments })).toBe(
      '<base target="_blank"><body><img src="data:image/png;base64,AAAA"></body>',
    )
  })
})
