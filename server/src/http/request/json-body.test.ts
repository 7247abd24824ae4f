import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../kernel/refusals.ts'
import { isStorableText, parseJsonBody } from './json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

function refusalOf(body: string | Buffer): Refusal {
  try {
    parseJsonBody(Buffer.from(body as string))
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

const faultsOf = (body: string) => {
  const { refusal, details } = refusalOf(body)
  expect(refusal).toBe('request.invalid')
  return details?.map(({ path, rule }) => `${path} ${rule}`)
}

describe('valid JSON is read unchanged', () => {
  const key = fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__' && isStorableText(text))
  const text = fc.string({ unit: 'binary' }).filter(isStorableText)
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
      text,
      fc.array(tie('value')),
      fc.dictionary(key, tie('value')),
    ),
  }))

  test('every value with valid text is read unchanged', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (given, indent) => {
        expect(parse(JSON.stringify(given, null, indent))).toStrictEqual(JSON.parse(JSON.stringify(given)))
      }),
      { numRuns: 500 },
    )
  })

  test('a duplicate key is refused at any place', () => {
    fc.assert(
      fc.property(key, value, fc.array(key, { maxLength: 5 }), (twice, inner, way) => {
        const one = `${JSON.stringify(twice)}:${JSON.stringify(inner)}`
        const body = way.reduce((json, step) => `[0,{${JSON.stringify(step)}:${json}}]`, `{${one}, ${one}}`)
        const { refusal, details } = refusalOf(body)
        expect([refusal, details?.at(-1)?.rule]).toEqual(['request.invalid', 'repeated'])
      }),
    )
  })

  test.each([
    ['a byte order mark', '\ufeff{"a":1}', { a: 1 }],
    ['space around', ' \r\n\t[1] \n', [1]],
    ['a bare value', '"x"', 'x'],
    ['null', 'null', null],
    ['escapes', '"\\u0041\\ud83d\\ude00\\n"', 'A😀\n'],
    ['structure inside text', '{"a":"{\\"a\\":1,\\"a\\":2}","b":"[["}', { a: '{"a":1,"a":2}', b: '[[' }],
    ['a text equal to a key beside it', '{"a":"a","b":["a","a"]}', { a: 'a', b: ['a', 'a'] }],
    ['one key in sibling objects', '[{"a":1},{"a":1}]', [{ a: 1 }, { a: 1 }]],
    ['one key in parent and child', '{"a":{"a":{"a":1}}}', { a: { a: { a: 1 } } }],
    ['the word __proto__ as text', '{"a":"__proto__"}', { a: '__proto__' }],
    ['names of Object.prototype', '{"constructor":1,"toString":2}', { constructor: 1, toString: 2 }],
    ['an empty key', '{"":1}', { '': 1 }],
  ])('%s is read', (_, body, expected) => {
    expect(parse(body)).toStrictEqual(expected)
  })

  test.each(['', ' ', '\r\n\t', '\ufeff'])('%j is an empty body', (body) => {
    expect(parse(body)).toBeUndefined()
  })

  test('long texts and long lists do not break the reader', () => {
    const long = { text: 'é"\\'.repeat(200_000), list: Array(90_000).fill(0) }
    expect(parse(JSON.stringify(long))).toEqual(long)
  })
})

describe('invalid JSON is malformed', () => {
  test.each([
    ['truncated object', '{"a":1'],
    ['truncated text', '{"a":"b'],
    ['truncated escape', '"\\u12'],
    ['trailing data', '{"a":1} {"b":2}'],
    ['trailing comma', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['bare words', '{a:1}'],
    ['a comment', '{"a":1 /* one */}'],
    ['NaN', '{"a":NaN}'],
    ['leading zero', '{"a":01}'],
    ['raw NUL', '{"a":"\0"}'],
    ['raw newline in text', '{"a":"\n"}'],
    ['closing what was not open', ']]]]'],
    ['a second byte order mark', '\ufeff\ufeff{}'],
    ['form data', 'a=1&b=2'],
  ])('%s', (_, body) => {
    const { refusal, message } = refusalOf(body)
    expect([refusal, message]).toEqual([
      'request.malformed',
      'The body is not valid JSON. Check commas, quotes and brackets.',
    ])
  })

  test.each([
    ['a stray continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['half a character', [0x22, 0xe2, 0x82, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('%s is not UTF-8', (_, bytes) => {
    const { refusal, message } = refusalOf(Buffer.from(bytes))
    expect([refusal, message]).toEqual(['request.malformed', 'The body is not valid UTF-8.'])
  })

  test.each([
    ['arrays', '[', '', ']'],
    ['objects', '{"a":', '1', '}'],
  ])('%s may nest 64 deep at most', (_, open, core, close) => {
    const nested = (depth: number) => open.repeat(depth) + core + close.repeat(depth)
    expect(parse(nested(64))).toEqual(JSON.parse(nested(64)))
    expect(refusalOf(nested(65)).message).toContain('deeper than 64')
    expect(refusalOf(open.repeat(400_000)).message).toContain('deeper than 64')
  })

  test.each([
    ['items', (count: number) => JSON.stringify(Array(count).fill(0))],
    ['lists', (count: number) => `[${'[],'.repeat(count / 2 - 1)}[]]`],
  ])('at most a hundred thousand %s are read', (_, made) => {
    expect(parse(made(99_990))).toEqual(JSON.parse(made(99_990)))
    expect(refusalOf(made(100_010)).message).toContain('more than 100000 values')
  })

  const object = (fields: number, begin = 0) =>
    `{${Array.from({ length: fields }, (_, at) => `"k${begin + at}":0`).join()}}`

  test('five hundred fields of an object are read, ten thousand in all, and no more', () => {
    expect(parse(object(500))).toEqual(JSON.parse(object(500)))
    expect(refusalOf(object(501)).message).toContain('more than 500 fields in one object')
    const objects = (count: number) => `[${Array.from({ length: count }, (_, at) => object(400, at * 400)).join()}]`
    expect(parse(objects(25))).toEqual(JSON.parse(objects(25)))
    expect(refusalOf(objects(26)).message).toContain('more than 10000 fields')
    // The fields of an inner object do not count for the outer one.
    expect(parse(`{"a":${object(499)},"b":${object(499)},"c":{"d":${object(499)}}}`)).toHaveProperty('c.d.k0', 0)
  })

  test('too many values are refused before parsing', () => {
    // The text is no JSON, but it is refused before it is parsed.
    expect(refusalOf(`${object(99_000).slice(0, -1)},`).message).toContain('fields in one object')
  })

  test('brackets inside text do not count as depth, also after escaped quotes', () => {
    expect(parse(JSON.stringify({ a: `${'['.repeat(1000)}"\\` }))).toEqual({ a: `${'['.repeat(1000)}"\\` })
  })
})

describe('values that JSON.parse would accept are refused with a reason', () => {
  test.each([
    ['twice at the top', '{"a":1,"b":2,"a":1}', ['a repeated']],
    ['three times', '{"a":1,"a":2,"a":3}', ['a repeated', 'a repeated']],
    ['nested', '{"lineItems":[{"x":1},{"x":1,"x":2}],"a":1}', ['lineItems[1].x repeated']],
    ['behind other nesting', '{"b":{"c":[[1],{"d":{"e":1,"e":1}}]}}', ['b.c[1].d.e repeated']],
    ['after a nested value', '{"a":{"b":[]},"a":1}', ['a repeated']],
    ['equal after unescaping', '{"a":1,"\\u0061":2}', ['a repeated']],
    ['equal with an escaped quote', '{"\\"":1,"\\u0022":2}', ['" repeated']],
    ['spread over lines', '{ "a" : 1 ,\n "a" : 2 }', ['a repeated']],
  ])('a key given %s', (_, body, expected) => {
    expect(faultsOf(body)).toEqual(expected)
  })

  test.each([
    ['at the top', '{"__proto__":{"admin":true}}', ['__proto__ unknown']],
    ['nested', '{"a":[{"__proto__":1}]}', ['a[0].__proto__ unknown']],
    ['escaped', '{"\\u005f_proto__":1}', ['__proto__ unknown']],
  ])('__proto__ %s', (_, body, expected) => {
    expect(faultsOf(body)).toEqual(expected)
  })

  test.each([
    ['NUL', '{"a":["x","\\u0000"]}', ['a[1] text']],
    ['a lone high surrogate', '{"a":{"b":"\\ud800"}}', ['a.b text']],
    ['a lone low surrogate', '{"a":"x\\udc00"}', ['a text']],
    ['surrogates in the wrong order', '{"a":"\\ude00\\ud83d"}', ['a text']],
    ['a bare bad text', '"\\u0000"', [' text']],
    ['several at once', '{"a":"\\u0000","b":"\\ud800","c":"fine"}', ['a text', 'b text']],
  ])('%s', (_, body, expected) => {
    expect(faultsOf(body)).toEqual(expected)
  })

  test('a key that cannot be stored', () => {
    const { refusal, details } = refusalOf('{"a":{"b\\u0000":1}}')
    expect([refusal, details?.map(({ rule }) => rule)]).toEqual(['request.invalid', ['unknown']])
  })

  test.each([
    ['under a long name', (times: string) => `{"${'k'.repeat(100_000)}":{${times}}}`],
    ['under many long names', (times: string) => `${`{"${'k'.repeat(1_000)}":`.repeat(60)}{${times}}${'}'.repeat(60)}`],
    ['deep inside', (times: string) => `{"a":${'['.repeat(61)}{${times}}${']'.repeat(61)}}`],
    ['behind a long text', (times: string) => `{"a":"${'\\"x'.repeat(300_000)}",${times}}`],
  ])('only the first of very many repetitions %s are listed', (_, around) => {
    const { details = [], message } = refusalOf(around(Array(450).fill('"a":1').join(',')))
    expect(message).toContain('the first 200')
    expect(details).toHaveLength(200)
    expect(details.every(({ path, rule }) => path.length <= 500 && rule === 'repeated')).toBe(true)
  })

  test('only the first of very many invalid texts are listed', () => {
    const { details = [] } = refusalOf(`{"${'k'.repeat(100_000)}":[${Array(50_000).fill('"\\u0000"').join()}]}`)
    expect(details).toHaveLength(200)
  })

  test('a reply is not much longer than the request', () => {
    const twice = `{"${'k'.repeat(100_000)}":{${Array(450).fill('"a":1').join(',')}}}`
    const { details = [] } = refusalOf(twice)
    expect(details).toHaveLength(200)
    expect(JSON.stringify(details).length).toBeLessThan(200_000)
  })
})
