import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Capability } from '../../kernel/capabilities.ts'
import { systemRole } from '../../kernel/roles.ts'
import { capabilitiesOfKey, expiryFaults, type KeyStatus, statusOf } from './api-key.ts'

describe('the status of a key at noon', () => {
  const noon = new Date('2026-05-04T12:00:00.000Z')
  const [before, after, later] = [-1, 1, 2].map((ms) => new Date(noon.getTime() + ms)) as [Date, Date, Date]

  test.each<[Date | null, Date | null, Date | null, KeyStatus]>([
    // revoked, stops, expires
    [null, null, null, 'active'],
    [null, null, after, 'active'],
    [null, null, noon, 'expired'],
    [null, null, before, 'expired'],
    [null, after, null, 'rotating'],
    [null, after, later, 'rotating'],
    [null, later, after, 'rotating'],
    [null, noon, null, 'revoked'],
    [null, before, null, 'revoked'],
    [null, before, after, 'revoked'],
    [null, before, noon, 'revoked'],
    [null, after, before, 'expired'],
    [null, noon, before, 'expired'],
    [null, noon, noon, 'revoked'],
    [before, null, null, 'revoked'],
    [noon, null, null, 'revoked'],
    [before, after, null, 'revoked'],
    [before, null, after, 'revoked'],
    [before, after, after, 'revoked'],
  ])('revoked %o, stops %o, expires %o: %s', (revokedAt, stopsAt, expiresAt, status) => {
    expect(statusOf({ revokedAt, stopsAt, expiresAt }, noon)).toBe(status)
  })
})

test('the status of a key only moves towards its end, and an end is final', () => {
  const following: Record<KeyStatus, readonly KeyStatus[]> = {
    active: ['active', 'expired'],
    rotating: ['rotating', 'revoked', 'expired'],
    revoked: ['revoked'],
    expired: ['expired'],
  }
  const instant = fc.integer({ min: 0, max: 20 }).map((at) => new Date(at))
  const maybe = fc.option(instant, { nil: null })
  fc.assert(
    fc.property(maybe, maybe, (stopsAt, expiresAt) => {
      const statuses = Array.from({ length: 22 }, (_, at) =>
        statusOf({ revokedAt: null, stopsAt, expiresAt }, new Date(at)),
      )
      for (const [at, status] of statuses.slice(1).entries())
        expect(following[statuses[at] as KeyStatus]).toContain(status)
      const ends = [stopsAt, expiresAt].filter((end) => end !== null).map(Number)
      const usable = statuses.filter((status) => status === 'active' || status === 'rotating').length
      expect(usable).toBe(Math.min(22, ...ends))
    }),
    { numRuns: 500 },
  )
})

describe('when a key may expire', () => {
  const rules = (expiresAt: string, now: string) =>
    expiryFaults(new Date(expiresAt), new Date(now)).map(({ rule }) => rule)

  test.each([
    ['2026-05-04T13:00:00.000Z', ['minimum']],
    ['2026-05-04T13:00:00.001Z', []],
    ['2026-05-04T12:00:00.000Z', ['minimum']],
    ['2020-01-01T00:00:00.000Z', ['minimum']],
    ['2028-05-04T12:00:00.000Z', []],
    ['2028-05-04T12:00:00.001Z', ['maximum']],
    ['2028-05-04T14:00:00.000+02:00', []],
    ['9999-12-31T23:59:59.999Z', ['maximum']],
    ['2026-12-31T23:59:60Z', ['format']],
  ])('at noon on 4 May 2026, %s: %j', (expiresAt, faults) => {
    expect(rules(expiresAt, '2026-05-04T12:00:00.000Z')).toEqual(faults)
  })

  test('two years from a leap day end on 1 March, and two years to a leap day are whole years', () => {
    const leapDay = '2028-02-29T10:00:00.000Z'
    expect(rules('2030-03-01T10:00:00.000Z', leapDay)).toEqual([])
    expect(rules('2030-03-01T10:00:00.001Z', leapDay)).toEqual(['maximum'])
    expect(rules('2028-02-29T10:00:00.000Z', '2026-03-01T10:00:00.000Z')).toEqual([])
    expect(rules('2028-02-29T10:00:00.001Z', '2026-02-28T10:00:00.000Z')).toEqual(['maximum'])
  })

  test('without a date it never expires, and a fault names its field', () => {
    expect(expiryFaults(undefined, new Date())).toEqual([])
    const [fault] = expiryFaults(new Date(0), new Date())
    expect(fault).toMatchObject({ path: 'expiresAt', message: expect.stringMatching(/\S/) })
  })
})

test('a key with a role has exactly the capabilities of the role', () => {
  const ownCapabilities: Capability[] = ['invoice.read']
  expect(capabilitiesOfKey({ role: null, ownCapabilities })).toEqual(['invoice.read'])
  const role = { ...systemRole('MEMBER'), system: true }
  expect(capabilitiesOfKey({ role, ownCapabilities })).toEqual(role.capabilities)
})
