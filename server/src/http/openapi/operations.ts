import type { Route } from '../definitions/describe-route.ts'
import type { Form, FormRoute } from '../definitions/form.ts'
import { accessOf, accessSentences } from './access.ts'
import type { DocumentedOperation, JsonSchema } from './document.ts'
import { exampleOf } from './example-values.ts'
import { headersReadBy, pathParameters, queryParameters } from './parameters.ts'
import type { NamedSchemas } from './published-schema.ts'
import { documentedStatuses } from './refusals-of-route.ts'
import type { Replies } from './replies.ts'
import { requestExample } from './request-examples.ts'
import { type Refusals, succeededResponse } from './responses.ts'

/** What the operations of a document share, collected while they are written. */
export interface DocumentParts {
  readonly names: NamedSchemas
  readonly refusals: Refusals
  readonly replies: Replies
}

export function operationOf(
  form: Form,
  formRoute: FormRoute,
  { names, refusals, replies }: DocumentParts,
): DocumentedOperation {
  const { module, name, route } = formRoute
  const { summary, description, who } = route.definition
  const access = accessOf(route)
  const operationId = `${module}_${name}`
  return {
    operationId,
    tags: [module],
    summary,
    description: [...(description ? [description] : []), ...accessSentences(access)].join('\n\n'),
    ...(who === 'public' ? { security: [] as const } : {}),
    parameters: [
      ...pathParameters(route, names),
      ...queryParameters(route, names),
      ...headersReadBy(route).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    ],
    ...(route.body ? { requestBody: bodyOf(form, operationId, route, names) } : {}),
    responses: Object.fromEntries(
      [...documentedStatuses(form, route)].map(([status, reasons]) => [
        status,
        reasons.length > 0
          ? refusals.responseOf(status, reasons, route.codeless)
          : succeededResponse(route, status, names, replies.exampleFor(formRoute)),
      ]),
    ),
    'x-risiti-access': access,
  }
}

const bodyOf = (
  form: Form,
  operationId: string,
  route: Route,
  names: NamedSchemas,
): NonNullable<DocumentedOperation['requestBody']> => ({
  required: true,
  content: {
    'application/json': {
      schema: names.published(route.body),
      example: requestExample(form, operationId) ?? exampleOf(route.body as JsonSchema),
    },
  },
})
