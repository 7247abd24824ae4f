import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Client, expectRefusal, faultPaths, type Reply } from '../../../../../test/harness/client.ts'
import { memberHolding, refreshed } from '../../../../../test/harness/custom-role.ts'
import { jpegLogo, pngBytes, pngLogo } from '../../../../../test/harness/pictures.ts'
import { sessionAgain } from '../../../../../test/harness/session-again.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findLetterhead } from './letterheads.store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const organisations = '/a/v1/organizations'
const logo = pngLogo()
const bankDetails = { bankName: 'Harmattan Bank', accountName: 'Eze Stores', accountNumber: '0123456789' }
const nothing = { logo: null, bankDetails: null }

const eventsOf = async ({ organisationId }: Person) =>
  (
    await app.runtime.db.rows<{ data: unknown }>(
      sql`select data from events where organisation_id = ${organisationId} and type = 'organization.updated' order by position`,
    )
  ).map(({ data }) => data)

describe.each(['A', 'B'] as const)('the letterhead in form %s', (form) => {
  let client: Client
  beforeAll(() => {
    client = app.client(form)
  })
  const change = ({ token }: Pick<Person, 'token'>, body: object, id: string = 'me'): Promise<Reply> =>
    client.patch(`${organisations}/${id}`, { token, body })
  const read = async ({ organisationId }: Person, token: string) => {
    const { data } = await client.get(`${organisations}/${organisationId}`, { token })
    return { logo: data.logo, bankDetails: data.bankDetails }
  }

  test('can be set, read and cleared part by part', async () => {
    const person = await app.person()
    const { organisationId, token } = person
    expect(await read(person, token)).toEqual(nothing)
    const steps = [
      [{ bankDetails }, { logo: null, bankDetails }],
      [{ logo }, { logo, bankDetails }],
      [{ logo: jpegLogo() }, { logo: jpegLogo(), bankDetails }],
      [{ bankDetails: null }, { logo: jpegLogo(), bankDetails: null }],
      [
        { logo: null, bankDetails },
        { logo: null, bankDetails },
      ],
      [{ bankDetails: null }, nothing],
    ] as const
    for (const [body, after] of steps) {
      const reply = await change(person, body, organisationId)
      expect([reply.status, reply.data], reply.text).toEqual([200, expect.objectContaining(body)])
      expect(await read(person, token)).toEqual(after)
      const { logo: picture, bankDetails: bank } = after
      expect(await findLetterhead(app.runtime.db, organisationId)).toEqual({ logo: picture, bank })
    }
  })

  test('stays during other changes, and is unchanged if it is sent unchanged', async () => {
    const person = await app.person()
    await change(person, { logo, bankDetails })
    await change(person, { website: 'https://eze.ng' })
    const { bankName, accountName, accountNumber } = bankDetails
    for (const same of [{ logo }, { bankDetails: { accountNumber, accountName, bankName } }, { logo, bankDetails }])
      expect((await change(person, same)).status).toBe(200)
    expect(await read(person, person.token)).toEqual({ logo, bankDetails })
    expect(await eventsOf(person)).toHaveLength(2)
  })

  test('is named in the event of its change, without its content', async () => {
    const person = await app.person()
    await change(person, { logo, bankDetails, website: 'https://eze.ng' })
    await change(person, { bankDetails: null })
    expect(await eventsOf(person)).toEqual([
      { changed: ['logo', 'bankDetails', 'website'], name: 'Eze Stores' },
      { changed: ['bankDetails'], name: 'Eze Stores' },
    ])
  })

  test('needs the capability to change the profile, and bank details also that for contact data', async () => {
    const owner = await app.person()
    const clerk = await memberHolding(app, owner, 'organization.update')
    const cashier = await memberHolding(app, owner, 'organization.update', 'organization.update_contact')
    expect((await change(clerk, { logo })).status).toBe(200)
    expect((await change(cashier, { bankDetails })).status).toBe(200)
    const contact = await memberHolding(app, owner, 'organization.read', 'organization.update_contact')
    const viewer = await app.member(owner.organisationId, 'VIEWER')
    const theirs = { bankDetails: { ...bankDetails, bankName: 'Theirs' } }
    for (const body of [{ logo: null }, { bankDetails: null }, theirs]) {
      for (const who of [contact, viewer]) {
        const refused = await change(who, body)
        expectRefusal(refused, 'auth.capability_missing')
        expect(faultPaths(refused)).toEqual(['organization.update'])
      }
      const token = await app.key(owner.organisationId)
      expectRefusal(await change({ token }, body), 'auth.users_only')
    }
    for (const body of [{ bankDetails: null }, theirs, { ...theirs, logo: null, website: 'https://eze.ng' }]) {
      const refused = await change(clerk, body)
      expectRefusal(refused, 'auth.capability_missing')
      expect(faultPaths(refused)).toEqual(['organization.update_contact'])
    }
    expect(await read(owner, viewer.token)).toEqual({ logo, bankDetails })
  })

  test('needs a sign-in within ten minutes for a change of bank details', async () => {
    const owner = await app.person()
    const { organisationId } = owner
    const elsewhere = { ...bankDetails, accountNumber: '9876543210' }
    app.clock.advance({ minutes: 10 })
    expect((await change(owner, { bankDetails })).status).toBe(200)
    app.clock.advance({ seconds: 1 })
    // A refreshed token belongs to the same sign-in, and so does one of the other mode.
    const again = await refreshed(app, owner)
    const switched = await client.post('/a/v1/auth/mode', { token: again.token, body: { mode: 'live' } })
    const old = { ...owner, token: switched.data.accessToken as string }
    for (const body of [
      { bankDetails: elsewhere },
      { bankDetails: null },
      { website: 'https://x.ng', bankDetails: null },
    ]) {
      const refused = await change(old, body)
      expectRefusal(refused, 'auth.sign_in_too_old')
      expect([refused.status, refused.body.error.code]).toEqual([401, 'AUTH001'])
      expect(refused.body.error.message).toMatch(/Sign in again/)
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer error="insufficient_user_authentication", max_age="600"',
      )
    }
    // A refused request changed nothing, and an equal value is no change.
    const { data } = await client.get(`${organisations}/${organisationId}`, { token: old.token })
    expect([data.website, data.bankDetails]).toEqual([null, bankDetails])
    for (const body of [{ bankDetails }, { logo, website: 'https://eze.ng' }])
      expect((await change(old, body)).status).toBe(200)
    expect((await change(await sessionAgain(app, owner, 'sandbox'), { bankDetails: elsewhere })).status).toBe(200)
    expect((await read(owner, old.token)).bankDetails).toEqual(elsewhere)
  })

  test('informs every owner by mail about new bank details, with masked numbers', async () => {
    const owner = await app.person()
    const { organisationId } = owner
    const other = await app.member(organisationId, 'OWNER')
    const suspended = await app.member(organisationId, 'OWNER')
    const admin = await app.member(organisationId, 'ADMIN')
    const user = `${organisations}/me/users/${suspended.userId}/status`
    expect((await client.patch(user, { token: owner.token, body: { status: 'suspended' } })).status).toBe(200)
    const elsewhere = { bankName: 'Other Bank', accountName: 'E. Thief', accountNumber: '12345' }
    const steps = [
      [bankDetails, 'Before: none.', 'Now: Harmattan Bank, Eze Stores, ••••6789.'],
      [elsewhere, 'Before: Harmattan Bank, Eze Stores, ••••6789.', 'Now: Other Bank, E. Thief, ••••45.'],
      [null, 'Before: Other Bank, E. Thief, ••••45.', 'Now: none.'],
    ] as const
    for (const [at, [bank, before, now]] of steps.entries()) {
      expect((await change(admin, { bankDetails: bank })).status).toBe(200)
      for (const { email } of [owner, other]) {
        const [mail] = await app.mailTo(email, at + 1)
        expect(mail?.subject).toBe('Your bank details were changed')
        for (const words of [admin.email, before, now, '127.0.0.1']) expect(mail?.text).toContain(words)
        for (const secret of [bankDetails.accountNumber, '12345']) expect(mail?.text).not.toContain(secret)
      }
    }
    // No other change sends this mail, and no other person gets it.
    await change(admin, { logo, website: 'https://eze.ng' })
    await change(admin, { bankDetails: null })
    const mails = await app.runtime.db.rows(sql`
      select recipient from messages where recipient in (${owner.email}, ${other.email}, ${suspended.email}, ${admin.email})`)
    expect(mails).toHaveLength(6)
  })

  test('of another organisation cannot be read or changed', async () => {
    const [mine, theirs] = [await app.person(), await app.person()]
    await change(mine, { logo, bankDetails })
    await change(theirs, { logo: jpegLogo() })
    const path = `${organisations}/${mine.organisationId}`
    expectRefusal(await client.get(path, { token: theirs.token }), 'resource.not_found')
    expectRefusal(await change(theirs, { bankDetails: null }, mine.organisationId), 'resource.not_found')
    expect(await read(mine, mine.token)).toEqual({ logo, bankDetails })
    expect(await read(theirs, theirs.token)).toEqual({ logo: jpegLogo(), bankDetails: null })
  })

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
  const badPictures: [what: string, logo: object, message: RegExp][] = [
    ['other bytes', { ...logo, base64: Buffer.from('not a picture at all').toString('base64') }, /PNG or JPEG/],
    ['a drawing that calls itself a PNG', { ...logo, base64: svg }, /PNG or JPEG/],
    ['no bytes', { ...logo, base64: '' }, /PNG or JPEG/],
    ['no base64', { ...logo, base64: '<b>' }, /PNG or JPEG/],
    ['more than 200 kB', pngLogo({ length: 200_001 }), /at most 200 kB/],
    ['much more than 200 kB', pngLogo({ length: 780_000 }), /at most 200 kB/],
    ['a PNG that calls itself a JPEG', { ...logo, contentType: 'image/jpeg' }, /the picture, which is image\/png/],
    ['too many pixels', pngLogo({ width: 2001, height: 2000 }), /4,000,000 pixels/],
  ]
  test('refuses an invalid picture with a reason', async () => {
    const person = await app.person()
    for (const [what, picture, message] of badPictures) {
      const reply = await change(person, { logo: picture, website: 'https://eze.ng' })
      expectRefusal(reply, 'request.invalid')
      expect(reply.body.error.details, what).toEqual([
        expect.objectContaining({ path: 'logo', message: expect.stringMatching(message) }),
      ])
    }
    expect(await read(person, person.token)).toEqual(nothing)
    expect(await eventsOf(person)).toEqual([])
    expect((await change(person, { logo: pngLogo({ length: 200_000 }) })).status).toBe(200)
  })

  const faulty: [path: string, body: object][] = [
    ['logo.contentType', { logo: { contentType: 'image/svg+xml', base64: svg } }],
    ['logo.contentType', { logo: { base64: logo.base64 } }],
    ['logo.base64', { logo: { contentType: 'image/png' } }],
    ['logo.url', { logo: { ...logo, url: 'https://eze.ng/logo.png' } }],
    ['logo', { logo: pngBytes().toString('base64') }],
    ...(['bankName', 'accountName'] as const).flatMap((part) =>
      ['', ' ', 'x'.repeat(101), null, 7].map((value): [string, object] => [
        `bankDetails.${part}`,
        { bankDetails: { ...bankDetails, [part]: value } },
      ]),
    ),
    ...['123', '1'.repeat(35), '0123 456', '0123-456', '٠١٢٣', 123456, null].map((accountNumber): [string, object] => [
      'bankDetails.accountNumber',
      { bankDetails: { ...bankDetails, accountNumber } },
    ]),
    ['bankDetails.bankName', { bankDetails: { accountName: 'Eze', accountNumber: '0123456789' } }],
    ['bankDetails.bankCode', { bankDetails: { ...bankDetails, bankCode: '044' } }],
    ['bankDetails', { bankDetails: 'Harmattan Bank' }],
  ]
  test('refuses a field that is too short, too long, malformed, missing or unknown, and names it', async () => {
    const person = await app.person()
    for (const [path, body] of faulty) {
      const reply = await change(person, body)
      expectRefusal(reply, 'request.invalid')
      expect([...new Set(faultPaths(reply))], JSON.stringify(body)).toEqual([path])
    }
    expect(await read(person, person.token)).toEqual(nothing)
  })

  test('accepts the shortest and the longest value of every field', async () => {
    const person = await app.person()
    for (const bank of [
      { bankName: 'B', accountName: 'E', accountNumber: '1234' },
      { bankName: 'B'.repeat(100), accountName: 'Ẹ'.repeat(100), accountNumber: 'NG00'.padEnd(34, 'x') },
    ]) {
      expect((await change(person, { bankDetails: bank })).status).toBe(200)
      expect((await read(person, person.token)).bankDetails).toEqual(bank)
    }
  })
})

test('a child’s letterhead is not shown in the list of children', async () => {
  const parent = await app.person()
  const body = { businessName: 'Kaduna', email: 'kaduna@eze.ng', asChild: true }
  const made = await app.b.post(organisations, { token: parent.token, body })
  await app.runtime.db.run(sql`
    insert into letterheads (organisation_id, bank, updated_at)
    values (${made.data.id}, ${JSON.stringify(bankDetails)}::jsonb, now())`)
  const children = await app.b.get(`${organisations}/me/children`, { token: parent.token })
  expect(children.data).toHaveLength(1)
  expect(children.text).not.toContain(bankDetails.accountNumber)
})
