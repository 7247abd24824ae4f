import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { Email, Fields, Instant, List, Maybe, OneOf, Text, Uuid } from '../definitions/fields.ts'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'
import { isWalked, strictCheck, textCheck } from './validate.ts'

const Invoice = Fields({
  name: Text(1, 5),
  count: Type.Integer({ minimum: 1, maximum: 9 }),
  paid: Type.Optional(Type.Boolean()),
  mode: Type.Optional(OneOf('sandbox', 'live')),
  owner: Type.Optional(Maybe(Fields({ id: Uuid }))),
  lineItems: Type.Optional(
    List(Fields({ quantity: Type.Number({ exclusiveMinimum: 0 }), note: Type.Optional(Maybe(Text(1, 3))) })),
  ),
})
const check = strictCheck(Invoice)
const good = { name: 'Ngozi', count: 3 }
const listed = (value: unknown) => check(value).map(({ path, rule }) => `${path} ${rule}`)

describe('a body is checked strictly', () => {
  test.each([
    ['least', good],
    ['most', { ...good, paid: false, mode: 'live', owner: null, lineItems: [{ quantity: 0.5, note: null }] }],
    ['nested', { ...good, owner: { id: '0193b3a4-6d6e-7000-8000-000000000000' }, lineItems: [] }],
    ['a whole number written as a fraction', { ...good, count: JSON.parse('3.0') }],
  ])('a valid body has no faults: %s', (_, value) => {
    expect(check(value)).toEqual([])
  })

  test('every fault is listed, each with its path', () => {
    const faults = listed({
      name: '',
      count: 10,
      paid: 'true',
      mode: 'test',
      owner: { id: 'x', nick: 1 },
      lineItems: [{ quantity: 1 }, { quantity: 2, qty: 2 }, { quantity: '3', note: 'long' }, null, {}],
      Name: 'Ngozi',
    })
    expect(faults.sort()).toEqual(
      [
        'Name unknown',
        'count maximum',
        'lineItems[1].qty unknown',
        'lineItems[2].note maxLength',
        'lineItems[2].quantity type',
        'lineItems[3] type',
        'lineItems[4].quantity required',
        'mode enum',
        'name minLength',
        'name pattern',
        'owner.id format',
        'owner.nick unknown',
        'paid type',
      ].sort(),
    )
  })

  test('all missing fields are listed', () => {
    expect(listed({})).toEqual(['name required', 'count required'])
  })

  test.each([
    ['text for a number', { count: '3' }, 'count type'],
    ['text for a boolean', { paid: 'false' }, 'paid type'],
    ['a number for a boolean', { paid: 0 }, 'paid type'],
    ['a number for text', { name: 7 }, 'name type'],
    ['one thing for a list', { lineItems: { quantity: 1 } }, 'lineItems type'],
    ['null for something that is not nullable', { mode: null }, 'mode type'],
    ['a fraction for a whole number', { count: 1.5 }, 'count type'],
    ['a number too large to hold', { count: Number.POSITIVE_INFINITY }, 'count type'],
    ['blank text', { name: ' \t' }, 'name pattern'],
  ])('values are not converted: %s', (_, part, expected) => {
    expect(listed({ ...good, ...part })).toContain(expected)
  })

  test.each([[[]], [null], ['text'], [1], [true]])('%j is not an object', (value) => {
    expect(listed(value)).toEqual([' type'])
  })

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('%s is an unknown field', (name) => {
    expect(listed({ ...good, [name]: 1 })).toEqual([`${name} unknown`])
  })

  test('a field name with path characters is shown unchanged', () => {
    expect(listed({ ...good, 'a/b~c': 1 })).toEqual(['a/b~c unknown'])
  })

  test('very many unknown fields are refused', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, index]))
    const faults = check({ ...good, ...many })
    expect(faults[0]).toMatchObject({ path: 'field0', rule: 'unknown' })
    expect(faults).toHaveLength(200)
  })

  test('very many wrong items are refused, and their list stays readable', () => {
    const faults = check({ ...good, lineItems: Array(50_000).fill({ quantity: -1 }) })
    expect(faults[0]).toMatchObject({ path: 'lineItems[0].quantity', rule: 'exclusiveMinimum' })
    expect(faults).toHaveLength(200)
  })

  test('one wrong item among very many is found', () => {
    const lineItems = [...Array(50_000).fill({ quantity: 1 }), { quantity: 0 }]
    expect(listed({ ...good, lineItems })).toEqual(['lineItems[50000].quantity exclusiveMinimum'])
  })

  test('only the permitted length of a list is checked', () => {
    const ids = strictCheck(Fields({ ids: Type.Array(Uuid, { maxItems: 3, uniqueItems: true }) }))
    const faults = ids({ ids: Array(50_000).fill('x') })
    expect(faults.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      'ids maxItems',
      'ids[0] format',
      'ids[1] format',
      'ids[2] format',
    ])
    const id = '0193b3a4-6d6e-7000-8000-000000000000'
    expect(ids({ ids: [id, id] }).map(({ path, rule }) => `${path} ${rule}`)).toEqual(['ids uniqueItems'])
  })

  test('the path of a fault has a limited length', () => {
    const faults = check({ ...good, owner: { ['k'.repeat(100_000)]: 1 } })
    expect(faults.map(({ path }) => path.length)).toEqual([8, 500])
  })
})

describe('a fault states the rule', () => {
  const says = (schema: Type.TSchema, value: unknown) =>
    strictCheck(Fields({ it: schema }))({ it: value }).map(({ message }) => message)

  test.each([
    ['must be a whole number', Type.Integer(), 'x'],
    ['must be a boolean', Type.Boolean(), 'x'],
    ['must be an array', Type.Array(Type.String()), 'x'],
    ['must not be empty', Type.String({ minLength: 1 }), ''],
    ['must have at least 8 characters', Type.String({ minLength: 8 }), 'x'],
    ['must have at most 1 characters', Type.String({ maxLength: 1 }), 'xy'],
    ['must not be blank', Text(1, 9), '  '],
    ['has the wrong format', Type.String({ pattern: '^a$' }), 'b'],
    ['must be the letter a', Type.String({ pattern: '^a$', explanation: 'must be the letter a' }), 'b'],
    ['must be one of red, blue', OneOf('red', 'blue'), 'green'],
    ['must be Bearer', Type.Literal('Bearer'), 'Basic'],
    ['must be a UUID', Uuid, 'x'],
    ['must be an email address', Email(), 'x'],
    ['must be a date and time with offset, such as 2026-01-31T09:00:00Z', Instant, '2026-01-31'],
    ['must be a date such as 2026-01-31', Type.String({ format: 'date' }), '31/01/2026'],
    ['must be a UUID', Maybe(Uuid), 'x'],
    ['must be one of a, b', Maybe(OneOf('a', 'b')), 'x'],
    ['must be a whole number', Maybe(Type.Integer()), 'x'],
    ['must be a UUID', Maybe(Fields({ id: Uuid })), { id: 'x' }],
    ['is required', Maybe(Fields({ id: Uuid })), {}],
    ['must be an object', Maybe(Fields({ id: Uuid })), 5],
  ])('%s', (expected, schema, value) => {
    expect(says(schema, value)).toEqual([expected])
  })
})

describe.each([formA, formB])('the bodies of Form $name', ({ routes }) => {
  /** Every schema inside a schema. */
  function* within(schema: Type.TSchema): Generator<Type.TSchema> {
    yield schema
    const {
      properties = {},
      items,
      anyOf = [],
    } = schema as {
      properties?: Record<string, Type.TSchema>
      items?: Type.TSchema
      anyOf?: Type.TSchema[]
    }
    for (const inner of [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]) yield* within(inner)
  }
  const bodies = routes.flatMap(({ route }) =>
    route.body ? [...within(route.body)].map((schema) => ({ at: `${route.method} ${route.path}`, schema })) : [],
  )

  test('limit every list, so that the checks are limited', () => {
    expect(bodies.filter(({ schema }) => 'items' in schema && !('maxItems' in schema)).map(({ at }) => at)).toEqual([])
  })

  test('use only schema keywords whose faults we count', () => {
    expect(bodies.filter(({ schema }) => !isWalked(schema)).map(({ at }) => at)).toEqual([])
  })
})

describe('query and path values are parsed from text before the check', () => {
  const Query = Fields({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    rate: Type.Optional(Type.Number()),
    all: Type.Optional(Type.Boolean()),
    q: Type.Optional(Type.String({ maxLength: 20 })),
    status: Type.Optional(OneOf('1', 'true')),
  })
  const read = textCheck(Query)

  test.each([
    ['page', '7', 7],
    ['page', '01', 1],
    ['page', '1.0', 1],
    ['rate', '-0.5', -0.5],
    ['rate', '123456789012345', 123456789012345],
    ['all', 'true', true],
    ['all', 'false', false],
    ['q', '7', '7'],
    ['q', 'true', 'true'],
    ['q', '', ''],
    ['q', ' 1', ' 1'],
    ['status', '1', '1'],
    ['status', 'true', 'true'],
  ])('%s=%j', (name, text, expected) => {
    expect(read({ [name]: text })).toEqual({ faults: [], values: { [name]: expected } })
  })

  test.each([
    ['page', '1e3', 'type'],
    ['page', '0x10', 'type'],
    ['page', ' 1', 'type'],
    ['page', '1 ', 'type'],
    ['page', '+1', 'type'],
    ['page', '', 'type'],
    ['page', '1.5', 'type'],
    ['page', '１', 'type'],
    ['page', 'true', 'type'],
    ['page', 'null', 'type'],
    ['page', '99999999999999999999', 'type'],
    ['page', '0', 'minimum'],
    ['page', '-1', 'minimum'],
    ['page', '1001', 'maximum'],
    ['rate', '1e3', 'type'],
    ['rate', 'NaN', 'type'],
    ['rate', 'Infinity', 'type'],
    ['rate', '.5', 'type'],
    ['rate', '1,5', 'type'],
    ['all', '1', 'type'],
    ['all', 'TRUE', 'type'],
    ['all', 'yes', 'type'],
    ['all', '', 'type'],
    ['q', 'nul\0', 'text'],
    ['q', '\ud800', 'text'],
    ['status', '2', 'enum'],
    ['Page', '1', 'unknown'],
    ['constructor', '1', 'unknown'],
  ])('%s=%j is refused', (name, text, rule) => {
    expect(read({ [name]: text }).faults.map((fault) => `${fault.path} ${fault.rule}`)).toEqual([`${name} ${rule}`])
  })

  test('__proto__ is an unknown field', () => {
    const given = Object.assign(Object.create(null), JSON.parse('{"__proto__":"1"}')) as Record<string, unknown>
    expect(read(given).faults.map(({ path, rule }) => `${path} ${rule}`)).toEqual(['__proto__ unknown'])
  })

  test('a repeated parameter of any type is refused with a reason', () => {
    for (const name of ['page', 'all', 'q'])
      expect(read({ [name]: ['1', '1'] }).faults).toContainEqual({
        path: name,
        rule: 'repeated',
        message: 'must be sent only once',
      })
  })

  test('every fault is listed', () => {
    const { faults } = read({ page: 'x', all: 'x', q: 'x'.repeat(21), sort: 'x' })
    expect(faults.map(({ path }) => path).sort()).toEqual(['all', 'page', 'q', 'sort'])
  })
})
