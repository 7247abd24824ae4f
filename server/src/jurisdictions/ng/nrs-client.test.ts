import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type AuthoritySimulator,
  type Fault,
  startAuthoritySimulator,
} from '../../../../simulators/src/authority/index.ts'
import { outbound } from '../../../../test/harness/outbound.ts'
import { type Authority, AuthorityUnavailable, listTypes } from '../port.ts'
import { nrsAuthority } from './nrs-client.ts'

const keys = { apiKey: '3f0c7a52-5d0e-4b7e-9d55-0f3f5a1f2b10', apiSecret: 'secret-that-nobody-may-read' }
const entityId = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'
const patience = new AbortController().signal
let simulator: AuthoritySimulator
let authority: Required<Authority>

beforeAll(async () => {
  simulator = await startAuthoritySimulator(keys)
})
afterAll(() => simulator.close())
beforeEach(() => {
  authority = nrsAuthority({ outbound, ...keys, baseUrl: () => `${simulator.url}/` })
})
afterEach(() => simulator.control.misbehave(undefined))

async function reasonOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error('it answered'),
    (reason: Error) => reason,
  )
  expect(error).toBeInstanceOf(AuthorityUnavailable)
  expect(error.cause).toBeUndefined()
  for (const secret of Object.values(keys)) expect(`${error.message} ${error.stack}`).not.toContain(secret)
  return error.message
}

const questions: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
  isHealthy: (signal) => authority.isHealthy(signal),
  findTaxpayer: (signal) => authority.findTaxpayer('201982220002', signal),
  findNetworkEntry: (signal) => authority.findNetworkEntry('201982220002', signal),
  findBusiness: (signal) => authority.findBusiness(entityId, entityId, signal),
  readList: (signal) => authority.readList('units', signal),
}
const methods = Object.keys(questions)
const ask = (method: string, signal = patience): Promise<unknown> => questions[method]?.(signal) as Promise<unknown>

test('the authority is healthy when it says so', async () => {
  expect(await authority.isHealthy(patience)).toBe(true)
})

describe('a taxpayer', () => {
  test.each(['201982220002', '1234567890', '2522520314833', 'RN-1401999'])('%s is found', async (taxId) => {
    expect(await authority.findTaxpayer(taxId, patience)).toEqual({
      taxId,
      name: '',
      address: expect.stringMatching(/^\d+ \w+/),
      email: expect.stringMatching(/@taxpayer\.example$/),
      phone: expect.stringMatching(/^0800\d{7}$/),
    })
  })

  test.each(['201982229404', '1234569404', '2522520319404', 'RN-1409404'])('%s is not found', async (taxId) => {
    expect(await authority.findTaxpayer(taxId, patience)).toBeUndefined()
  })

  test.each(['201982229409', 'RN-1409409'])('%s is found with its name', async (taxId) => {
    expect(await authority.findTaxpayer(taxId, patience)).toMatchObject({
      taxId,
      name: expect.stringMatching(/^[A-Z]/),
    })
  })

  test('is found even if the network does not reach it', async () => {
    expect(await authority.findTaxpayer('201982229405', patience)).toMatchObject({ taxId: '201982229405' })
  })

  test('gets no answer while the authority fails', async () => {
    expect(await reasonOf(authority.findTaxpayer('201982229503', patience))).toBe('the authority answered 500')
  })

  test('with a number that the authority cannot read does not count as unknown', async () => {
    expect(await reasonOf(authority.findTaxpayer('GB123456789', patience))).toMatch(/refused the question with 400/)
  })
})

describe('the network', () => {
  test.each(['201982220002', '1234567890', '2522520314833', '201982229409'])('reaches %s', async (taxId) => {
    expect(await authority.findNetworkEntry(taxId, patience)).toEqual({
      reachable: true,
      provider: expect.stringMatching(/^\w+ \w+/),
    })
  })

  test('does not reach a business that is not on it', async () => {
    const entry = await authority.findNetworkEntry('201982229404', patience)
    expect(entry).toEqual({ reachable: false, provider: undefined })
  })

  test('does not reach a business that is no longer active', async () => {
    expect(await authority.findNetworkEntry('201982229405', patience)).toMatchObject({ reachable: false })
  })

  test('gets no answer while the authority fails', async () => {
    expect(await reasonOf(authority.findNetworkEntry('201982229503', patience))).toBe('the authority answered 500')
  })
})

describe('a business', () => {
  test.each([entityId, entityId.toUpperCase()])('is found in its entity %s', async (id) => {
    expect(await authority.findBusiness(id, id, patience)).toEqual({
      id: entityId,
      name: expect.stringMatching(/^[A-Z]/),
      taxId: expect.stringMatching(/^\d{8}0001$/),
      numberTemplate: expect.stringMatching(/^\{\{invoice_id\(.+\)\}\}-5985[\dA-F]{4}-\{\{YYYYMMDD\(.+\)\}\}$/),
    })
  })

  test('is not found if its entity has another business', async () => {
    expect(await authority.findBusiness(entityId, '7cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11', patience)).toBeUndefined()
  })

  test('is not found if its entity does not exist', async () => {
    const nobody = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c0000'
    expect(await authority.findBusiness(nobody, nobody, patience)).toBeUndefined()
  })

  test.each(['', '..', 'acme', `${entityId}/..`, `${entityId}?x=1`])(
    'causes no request if the entity id is %j',
    async (id) => {
      const asked = simulator.control.requests.length
      expect(await authority.findBusiness(id, entityId, patience)).toBeUndefined()
      expect(simulator.control.requests).toHaveLength(asked)
    },
  )
})

test.each(listTypes)('the list of %s can be read', async (type) => {
  const entries = await authority.readList(type, patience)
  expect(entries.length).toBeGreaterThan(10)
  expect(new Set(entries.map(({ code }) => code)).size).toBe(entries.length)
  for (const { code, name } of entries) {
    expect(code).toMatch(/^\S+$/)
    expect(name).toMatch(/^\S(.*\S)?$/)
  }
})

test('lists and health are read without keys', async () => {
  const stranger = nrsAuthority({ outbound, apiKey: '', apiSecret: '', baseUrl: simulator.url })
  expect(await stranger.isHealthy(patience)).toBe(true)
  expect(await stranger.readList('states', patience)).toHaveLength(37)
})

describe.each(['findTaxpayer', 'findNetworkEntry', 'findBusiness'])('%s with wrong keys', (method) => {
  test.each([
    { ...keys, apiKey: 'other' },
    { ...keys, apiSecret: 'other' },
    { apiKey: '', apiSecret: '' },
  ])('fails with the keys %j', async (wrong) => {
    authority = nrsAuthority({ outbound, ...wrong, baseUrl: simulator.url })
    expect(await reasonOf(ask(method))).toBe('the authority refused our keys')
  })

  test('does not show keys that no header can carry', async () => {
    authority = nrsAuthority({ outbound, ...keys, apiKey: `${keys.apiKey}\nnext`, baseUrl: simulator.url })
    expect(await reasonOf(ask(method))).toBe('the authority gave no answer: the request cannot be written as HTTP')
  })
})

describe.each(methods)('%s', (method) => {
  test.each<[Fault, RegExp]>([
    ['down', /^the authority gave no answer: the answer broke off, or was none( \(\w+\))?$/],
    ['nonsense', /^the authority answered no JSON$/],
    ['error', /^the authority answered 500$/],
    ['busy', /^the authority (asks us to come later|answered 400)$/],
    ['truncated', /^the authority answered no JSON$/],
  ])('fails if the authority is %s, and does not try again', async (fault, reason) => {
    const asked = simulator.control.requests.length
    simulator.control.misbehave(fault)
    expect(await reasonOf(ask(method))).toMatch(reason)
    expect(simulator.control.requests).toHaveLength(asked + 1)
  })

  test.each<Fault>(['silent', 'slow', 'drip'])('ends at its deadline while the authority is %s', async (fault) => {
    simulator.control.misbehave(fault)
    const started = performance.now()
    expect(await reasonOf(ask(method, AbortSignal.timeout(60)))).toBe('the authority did not answer in time')
    expect(performance.now() - started).toBeLessThan(1_500)
  })

  test('does not start if the caller has already given up', async () => {
    const asked = simulator.control.requests.length
    expect(await reasonOf(ask(method, AbortSignal.abort()))).toBe('the authority did not answer in time')
    expect(simulator.control.requests).toHaveLength(asked)
  })

  test('reports that the authority is unreachable if nothing listens there', async () => {
    const gone = await startAuthoritySimulator(keys)
    await gone.close()
    authority = nrsAuthority({ outbound, ...keys, baseUrl: gone.url })
    expect(await reasonOf(ask(method))).toBe('the authority gave no answer: no connection (ECONNREFUSED)')
  })
})
