import { expect, test } from 'vitest'
import type { Form } from '../../server/src/http/form.ts'
import { formA } from '../../server/src/http/form-a/index.ts'
import { formB } from '../../server/src/http/form-b/index.ts'
import type { Route } from '../../server/src/http/speak.ts'
import { accessFile, accessTable, checkAccess } from './access.ts'
import { readCommitted } from './source-tree.ts'

type Endpoint = Route['endpoint']

/** The form with one route's endpoint changed, whichever route comes first with that kind of caller. */
function withEndpoint(form: Form, who: Endpoint['who'], change: (endpoint: Endpoint) => Partial<Endpoint>): Form {
  const at = form.routes.findIndex(({ route }) => route.endpoint.who === who)
  return {
    ...form,
    routes: form.routes.map((spoken, index) => {
      const { route } = spoken
      const changed = { ...route, endpoint: { ...route.endpoint, ...change(route.endpoint) } } as Route
      return index === at ? { ...spoken, route: changed } : spoken
    }),
  }
}

const needing = (needs: unknown) => (endpoint: Endpoint) =>
  ({ operation: { ...endpoint.operation, needs } }) as Partial<Endpoint>

test('the check finds planted changes of access', () => {
  const committed = accessTable([formA, formB])
  expect(checkAccess(committed, [formA, formB])).toEqual([])
  const planted: [Form, RegExp][] = [
    [withEndpoint(formA, 'user', () => ({ who: 'public' })), /^\+ A\t\w+\t\S+\tpublic\t/],
    [withEndpoint(formA, 'public', () => ({ unverified: true })), /^\+ A\t.*\tunverified\t-$/],
    [
      withEndpoint(formA, 'user', ({ operation }) => ({ operation: { ...operation, liveOnly: true } })),
      /^\+ A\t.*\tlive$/,
    ],
    [withEndpoint(formA, 'user', needing(['item.read', 'invoice.read'])), /^\+ .*\tinvoice\.read\+item\.read\t/],
    [
      withEndpoint(formA, 'user', needing({ all: [], oneOf: ['item.read', 'invoice.read'], by: () => [] })),
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

test('who may call each route is as committed', () => {
  const complaints = checkAccess(readCommitted(accessFile), [formA, formB])
  expect(complaints, complaints.join('\n')).toEqual([])
})
