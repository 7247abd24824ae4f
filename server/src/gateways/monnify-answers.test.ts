import { expect, test } from 'vitest'
import { koboOf, nairaText, timeOf } from './monnify-answers.ts'

test.each<[number | string, bigint]>([
  [3000, 300_000n],
  [0.29, 29n],
  [1250.5, 125_050n],
  ['100.00', 10_000n],
  ['1,250.50', 125_050n],
  ['2990.000', 299_000n],
  ['0', 0n],
])('%j is %s kobo', (said, kobo) => expect(koboOf(said)).toBe(kobo))

test.each<[number | string]>([[0.001], ['1.005'], [-1], [1e21], [Number.NaN], [''], ['NGN 5'], ['5.'], ['.5']])(
  '%j is no amount',
  (said) => expect(() => koboOf(said)).toThrow('amount'),
)

test.each([
  [5n, '0.05'],
  [125_050n, '1250.50'],
])('%s kobo are %s naira', (minor, text) => expect(nairaText(minor)).toBe(text))

test.each([
  ['26/02/2020 09:38:13 AM', '2020-02-26T08:38:13.000Z'],
  ['26/02/2020 12:00:00 AM', '2020-02-25T23:00:00.000Z'],
  ['26/02/2020 12:00:00 PM', '2020-02-26T11:00:00.000Z'],
  ['26/02/2020 11:59:59 pm', '2020-02-26T22:59:59.000Z'],
  ['2021-11-17 11:28:42.615', '2021-11-17T10:28:42.615Z'],
  ['2019-07-24T14:14:23.000+0000', '2019-07-24T14:14:23.000Z'],
  ['2019-07-24T14:14:23Z', '2019-07-24T14:14:23.000Z'],
])('%s is %s', (said, iso) => expect(timeOf(said).toISOString()).toBe(iso))

test.each(['', 'yesterday', '2021-11-17', '2021-13-40 11:28:42'])('%j is no time', (said) => {
  expect(() => timeOf(said)).toThrow('time')
})
