import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { formA } from '../form-a/index.ts'
import { formB } from '../form-b/index.ts'
import { strictCheck } from '../request/validate.ts'

interface FoundField {
  readonly where: string
  readonly schema: TSchema
}

interface Nested {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
}

/** Every field of a body that is called an email address, however deep. */
function emailFields(where: string, schema: TSchema | undefined): FoundField[] {
  if (schema === undefined) return []
  const { properties = {}, anyOf = [], items } = schema as Nested
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => [
      ...(/email$/i.test(name) ? [{ where: `${where} ${name}`, schema: inner }] : []),
      ...emailFields(`${where} ${name}`, inner),
    ]),
    ...[...anyOf, items].flatMap((inner) => emailFields(where, inner)),
  ]
}

const found = [formA, formB].flatMap((form) =>
  form.routes.flatMap(({ route }) => emailFields(`${form.name} ${route.method} ${route.path}`, route.body)),
)

test('every email field accepts deliverable addresses only', () => {
  expect(found.length).toBeGreaterThan(20)
  for (const { where, schema } of found) {
    const check = strictCheck(schema)
    expect(check('ada@example.test'), where).toEqual([])
    for (const text of ['a@[127.0.0.1]', 'x@localhost', 'x@mail.localhost', 'a@127.0.0.1', '"a b"@x.test', 'ada'])
      expect(check(text), `${where} took ${text}`).toEqual([
        expect.objectContaining({ rule: 'format', message: 'must be an email address' }),
      ])
  }
})
