import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codesOn } from './stored-lines.ts'

test('consecutive equal lines become one entry with a count', () => {
  const cement = { hsnCode: '2523.29', productCategory: 'Cement' }
  const labour = { serviceCode: '9987', hsnCode: null, productCategory: null }
  expect(codesOn([cement, cement, labour, { hsnCode: null }, cement])).toEqual([
    'goods\t2523.29\tCement\t2',
    'service\t9987\t',
    'goods\t2523.29\tCement',
  ])
  expect(codesOn([])).toEqual([])
})

test('no field of a line is lost, and the order is kept', () => {
  const line = fc.record({
    hsnCode: fc.constantFrom('0101', '8471', null, undefined),
    serviceCode: fc.constantFrom('S1', null),
    productCategory: fc.constantFrom('Horses', '', null),
  })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const each = lines.flatMap((one) => codesOn([one]))
      const payload = codesOn(lines).flatMap((run) => {
        const [type, code, category, count = '1'] = run.split('\t')
        return Array(Number(count)).fill([type, code, category].join('\t'))
      })
      expect(payload).toEqual(each)
    }),
  )
})
