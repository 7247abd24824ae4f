import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { expectRefusal } from '../../../../../test/harness/client.ts'
import { countingStatements } from '../../../../../test/harness/counted-statements.ts'
import { type Issuer, issuer } from '../../../../../test/harness/invoices.ts'
import { type Life, lifeOf, ok, invoicesPath as path } from '../../../../../test/harness/issued.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { deleteShare, deleteShares, findSharedByToken, hashOfToken, insertShare, type Share } from '../shares.store.ts'

let app: TestApp
let own: Issuer
let life: Life
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-15T09:00:00Z' })
  own = await issuer(app)
  life = lifeOf(app, own)
})
afterAll(() => app.close())

const share = (id: string) => life.act(id, 'share')
const unshare = (id: string) => app.a.delete(`${path}/${id}/share`, { token: own.token })
const tokenIn = (url: string) => new URL(url).pathname.replace('/s/', '')
const shownBy = (token: string) => findSharedByToken(app.runtime.db, token)

describe('a shared invoice', () => {
  test('has a link that cannot be guessed, the same one while it is shared', async () => {
    const { id } = await life.issued()
    const reply = await share(id)
    const { url, sharedAt } = ok(reply, 201)
    expect(reply.data).toEqual({ id, url, sharedAt: app.clock.now().toISOString() })
    expect(url).toMatch(/^http:\/\/dashboard\.test\/s\/[\w-]{43}$/)
    app.clock.advance({ minutes: 1 })
    expect(ok(await share(id), 201)).toEqual({ id, url, sharedAt })
    expect(await life.get(id)).toMatchObject({
      status: 'finalised',
      simpleStatus: 'delivered',
      sharedAt,
      reporting: { delivery: 'shared_link' },
    })
    expect(await shownBy(tokenIn(url))).toMatchObject({
      organisationId: own.organisationId,
      mode: 'sandbox',
      invoiceId: id,
    })
    expect(await life.told(id)).toEqual(['invoice.created', 'invoice.finalised', 'invoice.shared'])
  })

  test('keeps its token hidden from readers of the database', async () => {
    const { id } = await life.issued()
    const token = tokenIn(ok(await share(id), 201).url)
    const rows = await app.runtime.db.rows<{ text: string }>(sql`
      select s::text as text from invoice_shares s union all select i::text from invoices i union all select e::text from events e`)
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([])
  })

  test('has a new link after it was unshared, and the first one is dead', async () => {
    const { id } = await life.issued()
    const first = ok(await share(id), 201)
    expect(ok(await unshare(id))).toEqual({ id, shared: false })
    expect(ok(await unshare(id))).toEqual({ id, shared: false })
    expect(await shownBy(tokenIn(first.url))).toBeUndefined()
    app.clock.advance({ minutes: 1 })
    const second = ok(await share(id), 201)
    expect(second.url).not.toBe(first.url)
    expect(await shownBy(tokenIn(first.url))).toBeUndefined()
    expect(await shownBy(tokenIn(second.url))).toMatchObject({ invoiceId: id })
    expect(await life.get(id)).toMatchObject({ sharedAt: first.sharedAt, reporting: { delivery: 'shared_link' } })
    expect((await life.told(id)).slice(2)).toEqual(['invoice.shared', 'invoice.unshared', 'invoice.shared'])
  })

  test('that was also sent keeps its delivery', async () => {
    const { id } = await life.issued()
    ok(await life.act(id, 'send'))
    ok(await share(id), 201)
    expect((await life.get(id)).reporting.delivery).toBe('sent_email')
  })

  test('has one link, however many concurrent requests ask for it', async () => {
    const { id } = await life.issued()
    const replies = await Promise.all(Array.from({ length: 10 }, () => share(id)))
    expect(new Set(replies.map((reply) => ok(reply, 201).url)).size).toBe(1)
    expect((await life.told(id)).filter((type) => type === 'invoice.shared')).toHaveLength(1)
  })
})

test('organisations and modes have separate links', async () => {
  const other = lifeOf(app, await issuer(app))
  const live = await app.person({ mode: 'live' })
  const { id } = await life.issued()
  const theirs = await other.issued()
  const links = [ok(await share(id), 201), ok(await other.act(theirs.id, 'share'), 201)]
  expect(await Promise.all(links.map(({ url }) => shownBy(tokenIn(url))))).toMatchObject([
    { organisationId: own.organisationId, invoiceId: id },
    { invoiceId: theirs.id },
  ])
  for (const token of [live.token, (await app.person()).token]) {
    expectRefusal(await app.a.post(`${path}/${id}/share`, { token }), 'resource.not_found')
    expectRefusal(await app.a.delete(`${path}/${id}/share`, { token }), 'resource.not_found')
  }
  expect(await shownBy(tokenIn(links[0].url))).toMatchObject({ invoiceId: id })
  expect(await shownBy('x'.repeat(43))).toBeUndefined()
})

describe('the lookup row of a link', () => {
  const lookUpsOf = ({ organisationId }: Tenant) =>
    app.runtime.db.rows(sql`select token_hash from invoice_share_tokens where organisation_id = ${organisationId}`)

  /** A link to an invoice that had none. */
  async function newLink() {
    const issued = await issuer(app)
    const { id } = await lifeOf(app, issued).issued()
    const tenant: Tenant = { organisationId: issued.organisationId, mode: 'sandbox' }
    const token = randomUUID()
    const link: Share = {
      id: newId(),
      invoiceId: id,
      tokenHash: hashOfToken(token),
      sealedToken: '',
      sharedAt: app.clock.now(),
    }
    return { tenant, token, link, shown: { ...tenant, shareId: link.id, invoiceId: id } }
  }
  const inOneStatement = async (write: (tx: Tx) => Promise<unknown>) => {
    const sent = await app.runtime.db.transaction(async (tx) => {
      const counting = countingStatements(tx)
      await write(counting.db)
      return counting.sent()
    })
    expect(sent).toBe(1)
  }

  test('is written, read and deleted with the link, by one statement each', async () => {
    const { tenant, token, link, shown } = await newLink()
    const { tokenHash, invoiceId } = link
    for (const end of [(tx: Tx) => deleteShare(tx, tenant, invoiceId), (tx: Tx) => deleteShares(tx, tenant)]) {
      await inOneStatement((tx) => insertShare(tx, tenant, link))
      expect(await lookUpsOf(tenant)).toEqual([{ tokenHash }])
      const { db, sent } = countingStatements(app.runtime.db)
      expect(await findSharedByToken(db, token)).toEqual(shown)
      // On Citus, the organisation is read first.
      expect(sent()).toBe((await app.runtime.db.isDistributed()) ? 2 : 1)
      await inOneStatement(end)
      expect(await lookUpsOf(tenant)).toEqual([])
      expect(await findSharedByToken(app.runtime.db, token)).toBeUndefined()
    }
  })

  test('opens nothing if the link has another token or is missing', async () => {
    const { tenant, link } = await newLink()
    const { organisationId, mode } = tenant
    await app.runtime.db.transaction((tx) => insertShare(tx, tenant, link))
    await app.owner.run(sql`
      insert into invoice_share_tokens (token_hash, organisation_id, mode, share_id)
      values (${hashOfToken('astray')}, ${organisationId}, ${mode}, ${link.id}), (${hashOfToken('nowhere')}, ${organisationId}, ${mode}, gen_random_uuid())`)
    for (const token of ['astray', 'nowhere']) expect(await findSharedByToken(app.runtime.db, token)).toBeUndefined()
  })

  test('belongs to one link only', async () => {
    const [one, other] = [await newLink(), await newLink()]
    await app.runtime.db.transaction((tx) => insertShare(tx, one.tenant, one.link))
    const same = { ...other.link, tokenHash: one.link.tokenHash }
    await expect(app.runtime.db.transaction((tx) => insertShare(tx, other.tenant, same))).rejects.toThrow(
      'invoice_share_tokens_pkey',
    )
  })
})

test('drafts, rejected and cancelled documents cannot be shared', async () => {
  const draft = await life.draft()
  const refused = await share(draft.id)
  expectRefusal(refused, 'invoice.share.not_finalised')
  expect([refused.status, refused.body.error.code]).toEqual([409, 'BIZ004'])
  expect(ok(await unshare(draft.id))).toEqual({ id: draft.id, shared: false })
  const { id } = await life.issued()
  for (const status of ['rejected', 'cancelled']) {
    await life.become(id, status)
    expectRefusal(await share(id), 'invoice.share.not_finalised')
  }
  expectRefusal(await share(randomUUID()), 'resource.not_found')
})

test('the other form does not have it', async () => {
  const { id } = await life.issued()
  expectRefusal(await app.b.post(`${path}/${id}/share`, { token: own.token }), 'route.elsewhere')
  expectRefusal(await app.b.delete(`${path}/${id}/share`, { token: own.token }), 'route.elsewhere')
})
