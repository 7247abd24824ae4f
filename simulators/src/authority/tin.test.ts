import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tryLater, validationFailed } from './envelope.ts'
import { failed, failureIn, startClient, type TestClient } from './test-client.ts'

let client: TestClient
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client[Symbol.asyncDispose]())

const verify = (tin: unknown) => client.post('/api/v1/utilities/verify-tin/', { tin })
const lookUp = (tin: string) => client.get(`/api/v1/invoice/transmit/lookup/tin/${encodeURIComponent(tin)}`)

const wellFormed = ['20198222-0002', '2019822200', '2522520314833', 'RN-1401999', 'RN-7']
const malformed = [
  '20198222',
  '20198222-00021',
  '201982220',
  '25225203148330',
  'RN-',
  'rn-1',
  'TIN 1',
  '20198222-0002 ',
]
/** Every shape can have every ending. */
const endingIn = (ending: string) => [`20198222-${ending}`, `201982${ending}`, `252252031${ending}`, `RN-${ending}`]

describe('verify-tin', () => {
  test.each(wellFormed)('%s is known, by no name', async (tin) => {
    const answer = await verify(tin)
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        code: 200,
        data: {
          address: expect.stringMatching(/^\d+ .+, .+$/),
          email: expect.stringContaining('@'),
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          jtb_tin: '',
          message: 'TIN Information',
          phone: expect.stringMatching(/^\d{11}$/),
          rc_number: expect.stringMatching(/^\d{7}$/),
          status: '200 OK',
          taxofficer_id: expect.stringMatching(/^\d\d$/),
          taxofficer_name: expect.any(String),
          taxpayer_name: '',
          taxpayer_type: 'C',
          tin,
        },
      },
    ])
    expect((await verify(tin)).text).toBe(answer.text)
  })

  test('the slash at the end may be left out', async () => {
    const answer = await client.post('/api/v1/utilities/verify-tin', { tin: '20198222-0002', more: 1 })
    expect(answer.text).toBe((await verify('20198222-0002')).text)
  })

  test.each(endingIn('9404'))('%s is nobody', async (tin) => {
    const error = { handler: 'utility_actions', details: 'record not found', public_message: 'taxpayer not found' }
    expect(failureIn(await verify(tin))).toEqual(failed(404, error))
  })

  test.each(endingIn('9409'))('%s is somebody else', async (tin) => {
    const { data } = (await verify(tin)).json()
    expect(data).toMatchObject({ tin, taxpayer_name: expect.stringMatching(/^[A-Z]+( [A-Z]+)+$/) })
  })

  test.each(endingIn('9503'))('%s cannot be looked up now', async (tin) => {
    const error = { handler: 'utility_actions', public_message: tryLater }
    expect(failureIn(await verify(tin))).toEqual(failed(500, error))
  })

  test.each([...malformed, 2019822200, {}, ['20198222-0002']])('%s is malformed', async (tin) => {
    const details = 'tin is not a valid tax identification number'
    const error = { handler: 'utility_actions', details, public_message: validationFailed }
    expect(failureIn(await verify(tin))).toEqual(failed(400, error))
  })

  test.each([undefined, null, ''])('%s is missing', async (tin) => {
    expect(failureIn(await verify(tin))).toMatchObject({ status: 400, error: { details: 'tin is required' } })
  })
})

describe('lookup by tax id', () => {
  test.each([...wellFormed, ...endingIn('9409')])('%s is reachable', async (tin) => {
    const answer = await lookUp(tin)
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        code: 200,
        data: {
          tin,
          party_name: expect.stringMatching(/^[A-Z ]+$/),
          app_reference: expect.stringMatching(/^[\da-f-]{36}$/),
          app_name: expect.any(String),
          is_active: true,
        },
      },
    ])
    expect((await lookUp(tin)).text).toBe(answer.text)
  })

  test.each(endingIn('9405'))('%s is known, but not reachable', async (tin) => {
    const answer = await lookUp(tin)
    expect([answer.status, answer.json().data]).toMatchObject([200, { tin, is_active: false }])
  })

  test.each(endingIn('9404'))('%s is not on the network', async (tin) => {
    const error = { handler: 'transmit_actions', details: 'record not found', public_message: 'taxpayer not found' }
    expect(failureIn(await lookUp(tin))).toEqual(failed(404, error))
  })

  test.each(endingIn('9503'))('%s cannot be looked up now', async (tin) => {
    const error = { handler: 'transmit_actions', public_message: tryLater }
    expect(failureIn(await lookUp(tin))).toEqual(failed(500, error))
  })

  test.each([...malformed, '20198222/0002'])('%s is malformed', async (tin) => {
    const error = { handler: 'transmit_actions', details: expect.any(String), public_message: validationFailed }
    expect(failureIn(await lookUp(tin))).toEqual(failed(400, error))
  })
})
