import { expect, test } from 'vitest'
import type { Route } from '../../server/src/http/definitions/describe-route.ts'
import type { Form } from '../../server/src/http/definitions/form.ts'
import { formA } from '../../server/src/http/form-a/index.ts'
import { formB } from '../../server/src/http/form-b/index.ts'
import { accessFile, accessTable, checkAccess } from './access.ts'
import { readCommitted } from './source-tree.ts'

type Definition = Route['definition']

/** The form with a changed definition of the first route that has this kind of caller. */
function withDefinition(
  form: Form,
  who: Definition['who'],
  change: (definition: Definition) => Partial<Definition>,
): Form {
  const at = form.routes.findIndex(({ route }) => route.definition.who === who)
  return {
    ...form,
    routes: form.routes.map((routeOfForm, index) => {
      const { route } = routeOfForm
      const changed = { ...route, definition: { ...route.definition, ...change(route.definition) } } as Route
      return index === at ? { ...routeOfForm, route: changed } : routeOfForm
    }),
  }
}

const needing = (needs: unknown) => (definition: Definition) =>
  ({ operation: { ...definition.operation, needs } }) as Partial<Definition>

test('the check finds planted changes of access', () => {
  const committed = accessTable([formA, formB])
  expect(checkAccess(committed, [formA, formB])).toEqual([])
  const planted: [Form, RegExp][] = [
    [withDefinition(formA, 'user', () => ({ who: 'public' })), /^\+ A\t\w+\t\S+\tpublic\t/],
    [withDefinition(formA, 'public', () => ({ unverified: true })), /^\+ A\t.*\tunverified\t-$/],
    [
      withDefinition(formA, 'user', ({ operation }) => ({ operation: { ...operation, liveOnly: true } })),
      /^\+ A\t.*\tlive$/,
    ],
    [withDefinition(formA, 'user', needing(['item.read', 'invoice.read'])), /^\+ .*\tinvoice\.read\+item\.read\t/],
    [
      withDefinition(formA, 'user', needing({ all: [], oneOf: ['item.read', 'invoice.read'], by: () => [] })),
      /^\+ .*\tinvoice\.read\|item\.read\t/,
    ],
    [{ ...formA, name: 'B' }, /^\+ B\t/],
  ]
  for (const [form, added] of planted) {
    const complaints = checkAccess(committed, [form, formB])
    expect(complaints.filter((line) => added.test(line)).length).toBeGreaterThan(0)
    expect(complaints.at(-1)).toContain('npm run access:write')
  }
  const withoutOne = { ...formA, routes: formA.routes.slice(1) }
  expect(checkAccess(committed, [withoutOne, formB])).toEqual([expect.stringMatching(/^- A\t/), expect.anything()])
})

test('the access of each route equals the committed table', () => {
  const complaints = checkAccess(readCommitted(accessFile), [formA, formB])
  expect(complaints, complaints.join('\n')).toEqual([])
})
