import { expect, test } from 'vitest'
import { systemRole } from '../../server/src/kernel/roles.ts'
import { startTestApp } from '../harness/app.ts'
import type { Client, Reply } from '../harness/client.ts'
import { rowsLeft } from './rows-left.ts'
import { comeBack, ok, type Person, password, signUp } from './telling.ts'

const org = '/a/v1/organizations/me'

/** The differences between the two forms. The story itself uses none of them directly. */
interface FormWords {
  readonly rename: (name: string) => object
  readonly newKey: (name: string) => object
  readonly accept: (client: Client, guest: Person, code: string) => Promise<Reply>
}

const tongues: Record<'A' | 'B', FormWords> = {
  A: {
    rename: (name) => ({ name }),
    newKey: (name) => ({ name, mode: 'sandbox' }),
    accept: (client, { token }, invitationCode) =>
      client.post('/a/v1/accept-invitation', { token, body: { invitationCode } }),
  },
  B: {
    rename: (businessName) => ({ businessName }),
    newKey: (name) => ({ name, mode: 'sandbox' }),
    accept: (client, { email }, invitationCode) =>
      client.post('/a/v1/accept-invitation', {
        body: { invitationCode, email, password, firstName: 'Amina', lastName: 'Yusuf' },
      }),
  },
}

/** Three weeks of a small business, through one form. */
async function tell(form: 'A' | 'B') {
  const app = await startTestApp({ now: '2026-03-02T08:00:00Z' })
  try {
    const client = app.client(form)
    const { rename, newKey, accept } = tongues[form]

    // Monday: Ngozi opens the business. Amina, who is an accountant for several businesses, has her own account.
    const ngozi = await signUp(app, client, 'ngozi@eze.test', {
      firstName: 'Ngozi',
      lastName: 'Eze',
      organizationName: 'Eze',
    })
    await ok(client.patch(org, { token: ngozi.token, body: rename('Eze Stores Ltd') }))
    app.clock.advance({ hours: 1 })
    const amina = await signUp(app, client, 'amina@books.test', {
      firstName: 'Amina',
      lastName: 'Yusuf',
      organizationName: 'Yusuf Books',
    })

    // Tuesday: one invitation goes to a mistyped address and is revoked. The other is lost and sent again.
    app.clock.set('2026-03-03T10:00:00Z')
    await comeBack(client, ngozi)
    const invite = (email: string) =>
      ok(
        client.post(`${org}/invitations`, {
          token: ngozi.token,
          body: { email, fullName: 'Amina Yusuf', roleId: systemRole('MEMBER').id },
        }),
      )
    const mistyped = await invite('amina@boks.test')
    await ok(client.delete(`${org}/invitations/${mistyped.data.id}`, { token: ngozi.token }))
    app.clock.advance({ minutes: 1 })
    const invitation = await invite(amina.email)
    app.clock.advance({ minutes: 1 })
    await ok(client.post(`${org}/invitations/${invitation.data.id}/resend`, { token: ngozi.token }))
    const mails = await app.mailTo(amina.email, 3)
    const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(mails[0]?.text ?? '')?.[0] as string

    // Friday: Amina joins.
    app.clock.set('2026-03-06T09:30:00Z')
    await comeBack(client, amina)
    const aminaId: string = (await ok(accept(client, amina, code.toLowerCase()))).data.userId

    // The next week: Amina becomes the accountant, is suspended for a while and comes back.
    app.clock.set('2026-03-10T08:00:00Z')
    await comeBack(client, ngozi)
    const change = (what: string, body: object) =>
      ok(client.patch(`${org}/users/${aminaId}/${what}`, { token: ngozi.token, body }))
    await change('role', { roleId: systemRole('ACCOUNTANT').id })
    await change('status', { status: 'suspended', reason: 'On leave' })
    app.clock.advance({ minutes: 5 })
    await change('status', { status: 'active' })

    // A till gets an API key. The key is renamed and rotated, and the old one is revoked early.
    const till = await ok(client.post(`${org}/api-keys`, { token: ngozi.token, body: newKey('Till') }))
    const key = `${org}/api-keys/${till.data.id}`
    await ok(client.patch(key, { token: ngozi.token, body: { name: 'Till in Yaba' } }))
    app.clock.advance({ minutes: 1 })
    await ok(client.post(`${key}/rotate`, { token: ngozi.token, body: { gracePeriodSeconds: 3600 } }))
    app.clock.advance({ minutes: 1 })
    await ok(client.patch(`${key}/revoke`, { token: ngozi.token }))

    // Ngozi transfers the ownership and leaves.
    await ok(client.post(`${org}/ownership-transfer`, { token: ngozi.token, body: { toUserId: aminaId, password } }))
    await comeBack(client, ngozi)
    await ok(client.post(`${org}/leave`, { token: ngozi.token }))

    const tables = [
      ['users', 'created_at'],
      ['organisations', 'created_at'],
      ['memberships', 'joined_at'],
      ['invitations', 'created_at'],
      ['api_keys', 'created_at'],
      ['sessions', 'created_at'],
      ['events', 'id'],
    ] as const
    // Form A gives a key a preset, form B gives it a role.
    const ignored = ['api_keys.preset', 'api_keys.capabilities', 'api_keys.role_id']
    return await rowsLeft(app.runtime.db, tables, ignored, /^(billing|seller)\./)
  } finally {
    await app.close()
  }
}

test('a company finds its feet, and both forms leave the same rows', async () => {
  const [throughA, throughB] = [await tell('A'), await tell('B')]
  expect(throughB).toEqual(throughA)
  expect(throughA.events?.map((event) => (event as { type: string }).type)).toEqual([
    ...['organization.created', 'member.joined', 'organization.updated', 'organization.created', 'member.joined'],
    ...['invitation.created', 'invitation.withdrawn', 'invitation.created', 'invitation.resent'],
    ...['member.joined', 'invitation.accepted'],
    ...['member.role_changed', 'member.status_changed', 'member.status_changed'],
    ...['api_key.created', 'api_key.updated', 'api_key.created', 'api_key.rotated', 'api_key.revoked'],
    ...['member.role_changed', 'member.role_changed', 'member.removed'],
  ])
  expect(throughA.memberships).toMatchObject([{ role_id: systemRole('OWNER').id }, { role_id: systemRole('OWNER').id }])
})
