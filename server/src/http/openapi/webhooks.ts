import type { Form } from '../form.ts'
import type { DocumentedWebhook, OpenApiDocument, Parameter } from './document.ts'
import { published } from './published-schema.ts'

/** What receivers are sent, each type of event by the name that it has in this form. */
export function webhooksOf({
  headers,
  requests,
}: NonNullable<Form['webhooks']>): NonNullable<OpenApiDocument['webhooks']> {
  const parameters = Object.entries(headers).map(
    ([name, description]): Parameter => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    }),
  )
  const one = (name: string, ofName: typeof requests): DocumentedWebhook => ({
    operationId: `webhook.${name}`,
    summary: name,
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema:
            ofName.length === 1 ? published(ofName[0]?.body) : { anyOf: ofName.map(({ body }) => published(body)) },
          example: ofName[0]?.example ?? {},
        },
      },
    },
    responses: {
      '2XX': { description: 'Taken. Anything else, redirects included, is tried again.' },
      '410': { description: 'Gone: nothing is sent here any more.' },
    },
  })
  return Object.fromEntries(
    [...Map.groupBy(requests, ({ name }) => name)].map(([name, ofName]) => [name, { post: one(name, ofName) }]),
  )
}
