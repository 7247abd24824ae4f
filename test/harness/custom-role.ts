import { randomBytes } from 'node:crypto'
import type { Capability } from '../../server/src/kernel/capabilities.ts'
import type { Person, TestApp } from './app.ts'

/** Creates a role in the owner's organisation through the API. */
export async function makeRole(app: TestApp, owner: Person, permissions: readonly Capability[]): Promise<string> {
  const name = `r${randomBytes(6).toString('hex')}`
  const body = { name, displayName: 'Own', permissions }
  const made = await app.b.post('/a/v1/organizations/me/roles', { token: owner.token, body })
  if (made.status !== 201) throw new Error(`no role was made: ${made.text}`)
  return made.data.id as string
}

/** Returns new tokens for a person whose tokens are outdated. */
export async function refreshed<P extends Person>(app: TestApp, person: P): Promise<P> {
  const { refreshToken } = person
  const { data, text } = await app.a.post('/a/v1/auth/refresh', { body: { refreshToken } })
  if (!data) throw new Error(`no tokens were given: ${text}`)
  return { ...person, token: data.accessToken, refreshToken: data.refreshToken }
}

/** Creates a member with exactly these capabilities, through a custom role. */
export async function memberHolding(app: TestApp, owner: Person, ...permissions: Capability[]): Promise<Person> {
  const roleId = await makeRole(app, owner, permissions)
  const member = await app.member(owner.organisationId, 'VIEWER')
  const given = await app.b.patch(`/a/v1/organizations/me/users/${member.userId}/role`, {
    token: owner.token,
    body: { roleId },
  })
  if (given.status !== 200) throw new Error(`the role was not given: ${given.text}`)
  return await refreshed(app, member)
}
