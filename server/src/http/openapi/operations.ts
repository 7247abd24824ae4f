import type { Form, FormRoute } from '../form.ts'
import { accessOf, accessSentences } from './access.ts'
import { json } from './components.ts'
import type { DocumentedOperation } from './document.ts'
import { headersReadBy, pathParameters, queryParameters } from './parameters.ts'
import type { NamedSchemas } from './published-schema.ts'
import { documentedStatuses } from './refusals-of-route.ts'
import { type Refusals, succeededResponse } from './responses.ts'

/** What the operations of a document share, gathered while they are written. */
export interface Gathered {
  readonly names: NamedSchemas
  readonly refusals: Refusals
}

export function operationOf(
  form: Form,
  { module, name, route }: FormRoute,
  { names, refusals }: Gathered,
): DocumentedOperation {
  const { summary, description, who } = route.endpoint
  const access = accessOf(route)
  return {
    operationId: `${module}_${name}`,
    tags: [module],
    summary,
    description: [...(description ? [description] : []), ...accessSentences(access)].join('\n\n'),
    security: who === 'public' ? [] : [{ bearerAuth: [] }],
    parameters: [
      ...pathParameters(route, names),
      ...queryParameters(route, names),
      ...headersReadBy(route).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    ],
    ...(route.body ? { requestBody: { required: true, content: json(names.published(route.body)) } } : {}),
    responses: Object.fromEntries(
      [...documentedStatuses(form, route)].map(([status, reasons]) => [
        status,
        reasons.length > 0 ? refusals.responseOf(status, reasons) : succeededResponse(route, status, names),
      ]),
    ),
    'x-risiti-access': access,
  }
}
