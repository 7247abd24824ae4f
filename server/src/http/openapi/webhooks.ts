import type { Form } from '../form.ts'
import type { DocumentedWebhook, OpenApiDocument, Parameter } from './document.ts'
import type { NamedSchemas } from './published-schema.ts'

type Told = NonNullable<Form['webhooks']>

/** What receivers may answer. */
const statuses = { '2XX': 'Taken', '410': 'Gone' }
export const webhookResponses = {
  Taken: { description: 'Taken. Anything else, redirects included, is tried again.' },
  Gone: { description: 'Gone: nothing is sent here any more.' },
}

/** The headers under which everything is sent to receivers. */
export const webhookHeaders = ({ headers }: Told): Record<string, Parameter> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { name, in: 'header', required: true, description, schema: { type: 'string' } },
    ]),
  )

/** What receivers are sent, each type of event by the name that it has in this form. */
export function webhooksOf({ headers, requests }: Told, names: NamedSchemas): NonNullable<OpenApiDocument['webhooks']> {
  const parameters = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }))
  const one = (name: string, ofName: typeof requests): DocumentedWebhook => ({
    operationId: `webhook.${name}`,
    summary: name,
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema:
            ofName.length === 1
              ? names.published(ofName[0]?.body)
              : { anyOf: ofName.map(({ body }) => names.published(body)) },
          example: ofName[0]?.example ?? {},
        },
      },
    },
    responses: Object.fromEntries(
      Object.entries(statuses).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
  })
  return Object.fromEntries(
    [...Map.groupBy(requests, ({ name }) => name)].map(([name, ofName]) => [name, { post: one(name, ofName) }]),
  )
}
