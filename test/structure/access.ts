import type { Route } from '../../server/src/http/definitions/describe-route.ts'
import type { Form } from '../../server/src/http/definitions/form.ts'
import { accessOf } from '../../server/src/http/openapi/access.ts'
import { textDiff } from './text-diff.ts'

export const accessFile = 'test/structure/access.tsv'

const columns = ['form', 'method', 'path', 'who', 'capabilities', 'unverified', 'mode']

/** All of them joined by `+`; by `|` where the request decides which of them it needs. */
function capabilitiesText(route: Route): string {
  const { capabilities, dependsOnRequest } = accessOf(route)
  return [...capabilities].sort().join(dependsOnRequest ? '|' : '+') || '-'
}

function rowOf(form: Form, route: Route): string[] {
  const { who, unverified, liveOnly } = accessOf(route)
  return [
    form.name,
    route.method,
    route.path,
    who,
    capabilitiesText(route),
    unverified ? 'unverified' : '-',
    liveOnly ? 'live' : '-',
  ]
}

/** Who may call each route, one line a route, in an order that does not depend on the code's. */
export function accessTable(forms: readonly Form[]): string {
  const rows = forms.flatMap((form) => form.routes.map(({ route }) => rowOf(form, route)))
  const sorted = rows.sort(([formX, verbX, pathX], [formY, verbY, pathY]) =>
    `${formX} ${pathX} ${verbX}` < `${formY} ${pathY} ${verbY}` ? -1 : 1,
  )
  return [columns, ...sorted].map((row) => `${row.join('\t')}\n`).join('')
}

/** Access changes only where somebody committed the change: read every line of it as a change of rights. */
export function checkAccess(committed: string, forms: readonly Form[]): string[] {
  const changes = textDiff(committed, accessTable(forms))
  if (changes.length === 0) return []
  return [...changes, `${accessFile} differs; if every line of this is meant, run: npm run access:write`]
}
