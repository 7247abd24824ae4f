import { describe, expect, test } from 'vitest'
import { Refusal } from '../../kernel/refusals.ts'
import { isNotModified, readIfMatch } from './entity-tag.ts'

const refusalOf = (header: string) => {
  try {
    return readIfMatch(header)
  } catch (error) {
    return error instanceof Refusal ? error.refusal : error
  }
}

describe('If-Match', () => {
  test.each([
    [undefined, undefined],
    ['*', undefined],
    [' * ', undefined],
    ['"1"', 1],
    [' "42" ', 42],
    ['"0"', 0],
    ['"999999999"', 999_999_999],
  ])('%j names version %j', (header, version) => {
    expect(readIfMatch(header)).toBe(version)
  })

  test.each(['W/"1"', '"abc"', '"-1"', '"1.5"', '"1e3"', '"0x1"', '""', '"9999999999"', '"1", "2"', 'W/"1", "2"'])(
    '%s is well-formed and no version of ours, so it is stale',
    (header) => {
      expect(refusalOf(header)).toBe('version.stale')
    },
  )

  test.each(['1', '', ' ', 'abc', '"1', '1"', 'w/"1"', '"1" "2"', '"1",', ',', '"a"b"', '" 1"', '"é"', '*, "1"'])(
    '%j is not an entity tag',
    (header) => {
      expect(refusalOf(header)).toBe('request.invalid')
    },
  )

  test('the refusal names the header and says what to send', () => {
    expect(() => readIfMatch('1')).toThrowError(
      expect.objectContaining({
        details: [{ path: 'If-Match', rule: 'pattern', message: 'must be the ETag you were given, with its quotes' }],
      }),
    )
  })
})

describe('If-None-Match', () => {
  test.each([
    ['"3"', '"3"'],
    ['W/"3"', '"3"'],
    ['*', '"3"'],
    ['"1", "3"', '"3"'],
    ['"1",W/"3" ', '"3"'],
  ])('%s has %s', (header, etag) => {
    expect(isNotModified(header, etag)).toBe(true)
  })

  test.each([
    [undefined, '"3"'],
    ['"3"', undefined],
    ['*', undefined],
    [undefined, undefined],
    ['', '"3"'],
    ['3', '"3"'],
    ['"33"', '"3"'],
    ['"3', '"3"'],
    ['"1", "2"', '"3"'],
  ])('%j does not have %j', (header, etag) => {
    expect(isNotModified(header, etag)).toBe(false)
  })
})
