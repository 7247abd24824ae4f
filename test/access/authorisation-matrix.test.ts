import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Capability } from '../../server/src/kernel/capabilities.ts'
import { keyCapabilities } from '../../server/src/kernel/capabilities.ts'
import { systemRoleNames } from '../../server/src/kernel/roles.ts'
import { newKeyText } from '../../server/src/modules/api-keys/key-text.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { connect } from '../harness/programs.ts'
import { casesToTry } from '../harness/runs.ts'
import {
  type ExpectedRoute,
  expectedAnswer,
  expectedRoutes,
  grantableToKeys,
  type Principal,
  roleNames,
} from './oracle.ts'

let app: TestApp
let organisationId: string
const callers: { principal: Principal; token: string | undefined }[] = []

beforeAll(async () => {
  app = await startTestApp()
  const owner = await app.person()
  organisationId = owner.organisationId
  const revoked = await app.key(owner.organisationId)
  await app.runtime.db.pool.query('update api_keys set revoked_at = now() where organisation_id = $1', [organisationId])
  const unverified = await app.person({ verified: false })
  callers.push(
    { principal: { kind: 'nobody' }, token: undefined },
    { principal: { kind: 'stranger' }, token: newKeyText('sandbox') },
    { principal: { kind: 'revoked key' }, token: revoked },
    { principal: { kind: 'owner of another organisation' }, token: (await app.person()).token },
    {
      principal: { kind: 'owner in live mode' },
      token: (await app.member(owner.organisationId, 'OWNER', { mode: 'live' })).token,
    },
    {
      principal: { kind: 'key', capability: undefined },
      token: await app.key(owner.organisationId, { capabilities: [] }),
    },
  )
  const { accessToken } = await connect(app, owner, { asking: { resource: app.url } })
  callers.push({ principal: { kind: 'program' }, token: accessToken })
  for (const role of systemRoleNames)
    callers.push({ principal: { kind: 'role', role }, token: (await app.member(owner.organisationId, role)).token })
  for (const capability of grantableToKeys)
    callers.push({
      principal: { kind: 'key', capability },
      token: await app.key(owner.organisationId, { capabilities: [capability as Capability] }),
    })
  callers.push({ principal: { kind: 'unverified owner' }, token: unverified.token })
})
afterAll(() => app.close())

/** The unverified owner has their own organisation. All other callers use the first one. */
const pathFor = (route: ExpectedRoute, principal: Principal) =>
  `${route.path.replace('{orgId}', principal.kind === 'unverified owner' ? 'me' : organisationId).replace(/\{\w+\}/g, () => randomUUID())}?nonsense=1`

describe('the access matrix', () => {
  test('the oracle detects wrong results', () => {
    const route: ExpectedRoute = {
      form: 'A',
      method: 'GET',
      path: '/organizations/{orgId}',
      who: 'user',
      capabilities: ['member.read'],
      liveOnly: false,
    }
    expect(expectedAnswer(route, { kind: 'role', role: 'VIEWER' })).toBe('400 VAL001')
    expect(expectedAnswer({ ...route, capabilities: ['member.remove'] }, { kind: 'role', role: 'VIEWER' })).toBe(
      '403 PERM001',
    )
    expect(expectedAnswer({ ...route, liveOnly: true }, { kind: 'role', role: 'VIEWER' })).toBe('403 PERM003')
    expect(expectedAnswer({ ...route, liveOnly: true }, { kind: 'owner in live mode' })).toBe('400 VAL001')
    expect(expectedAnswer(route, { kind: 'key', capability: 'invoice.read' })).toBe('403 PERM002')
    expect(expectedAnswer(route, { kind: 'program' })).toBe('403 PERM002')
    expect(expectedAnswer({ ...route, who: 'token' }, { kind: 'program' })).toBe('403 PERM001')
    expect(expectedAnswer(route, { kind: 'owner of another organisation' })).toBe('404 RES001')
  })

  test('the contract and the code name the same routes, roles and capabilities of keys', () => {
    const served = (form: 'A' | 'B') => app.client(form).form.routes.map(({ route }) => `${route.method} ${route.path}`)
    const expected = (form: 'A' | 'B') =>
      expectedRoutes.filter((route) => route.form === form).map((route) => `${route.method} ${route.path}`)
    for (const form of ['A', 'B'] as const) expect(served(form).sort()).toEqual(expected(form).sort())
    expect([...systemRoleNames].sort()).toEqual(roleNames.toSorted())
    expect(keyCapabilities.toSorted()).toEqual(grantableToKeys.toSorted())
  })

  /** Every kind of caller, and every key that the route accepts. Of the other keys, an ordinary run tries every eighth. */
  const callersOf = ({ capabilities }: ExpectedRoute, nth: number) =>
    callers.filter(
      ({ principal }, at) =>
        principal.kind !== 'key' ||
        principal.capability === undefined ||
        capabilities.includes(principal.capability) ||
        (at + nth) % casesToTry(8, 1) === 0,
    )

  for (const form of ['A', 'B'] as const)
    test(`every cell of Form ${form}`, async () => {
      const wrong: string[] = []
      let cells = 0
      for (const [nth, route] of expectedRoutes.filter((candidate) => candidate.form === form).entries()) {
        const answers = await Promise.all(
          callersOf(route, nth).map(async ({ principal, token }) => {
            const response = await fetch(`${app.client(form).url}${pathFor(route, principal)}`, {
              method: route.method,
              headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
            })
            const { error } = (await response.json()) as { error: { code?: string } }
            return { principal, answer: `${response.status} ${error.code ?? ''}`.trim() }
          }),
        )
        for (const { principal, answer } of answers) {
          cells++
          const expected = expectedAnswer(route, principal)
          // The role routes of form B have no error codes.
          const wanted = form === 'B' && route.path.includes('/roles') ? (expected.split(' ')[0] as string) : expected
          if (answer !== wanted)
            wrong.push(`${route.method} ${route.path} as ${JSON.stringify(principal)}: ${answer}, expected ${wanted}`)
        }
      }
      expect(cells).toBeGreaterThan(2000)
      expect(wrong).toEqual([])
    })
})
