import { expect, test } from 'vitest'
import type { StatementDocument } from '../../kernel/statement-of-account.ts'
import { statementCsv } from './statement-csv.ts'

test('a balance of many trillions keeps its last minor unit', () => {
  const figures = { currency: 'NGN', from: '2026-11-01', to: '2026-11-30', openingMinor: -7_109_999_999_995_971n }
  const csv = statementCsv({
    ...figures,
    closingMinor: 8_899_999_999_995_907n,
    lines: [],
  } as unknown as StatementDocument)
  expect(csv.split('\r\n').slice(1, 3)).toEqual([
    '2026-11-01,2026-11-01,opening,Opening balance,,,,NGN,,-71099999999959.71',
    '2026-11-30,2026-11-30,closing,Closing balance,,,,NGN,,88999999999959.07',
  ])
})
