import type { Form, FormRoute } from '../form.ts'
import { accessOf, accessSentences } from './access.ts'
import { json } from './components.ts'
import type { DocumentedOperation } from './document.ts'
import { headerParameters, pathParameters, queryParameters } from './parameters.ts'
import { published } from './published-schema.ts'
import { documentedStatuses } from './refusals-of-route.ts'
import { refusedResponse, succeededResponse } from './responses.ts'

export function operationOf(form: Form, { module, name, route }: FormRoute): DocumentedOperation {
  const { summary, description, who } = route.endpoint
  const access = accessOf(route)
  return {
    operationId: `${module}_${name}`,
    tags: [module],
    summary,
    description: [...(description ? [description] : []), ...accessSentences(access)].join('\n\n'),
    security: who === 'public' ? [] : [{ bearerAuth: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.body ? { requestBody: { required: true, content: json(published(route.body)) } } : {}),
    responses: Object.fromEntries(
      [...documentedStatuses(form, route)].map(([status, names]) => [
        status,
        names.length > 0 ? refusedResponse(form, status, names) : succeededResponse(route, status),
      ]),
    ),
    'x-risiti-access': access,
  }
}
