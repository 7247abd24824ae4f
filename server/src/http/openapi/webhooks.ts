import type { Form } from '../definitions/form.ts'
import type { PublishedWebhook } from '../definitions/published-webhook.ts'
import type { DocumentedWebhook, JsonSchema, OpenApiDocument } from './document.ts'
import type { NamedSchemas } from './published-schema.ts'

type FormWebhooks = NonNullable<Form['webhooks']>

/** The possible replies of receivers. */
const statuses = { '2XX': 'Taken' }
export const webhookResponses = {
  Taken: {
    description:
      'Taken. Anything else, redirects included, is tried again; but after 410, Gone, nothing is sent here any more.',
  },
}

/** The headers of every request to receivers, written once. */
export const aboutWebhooks = ({ headers }: FormWebhooks): string =>
  [
    'What receivers are sent comes with these headers:',
    ...Object.entries(headers).map(([name, meaning]) => `- \`${name}\`: ${meaning}`),
  ].join('\n')

/** The envelope's own fields are not repeated for every type. */
function lean(schema: JsonSchema): JsonSchema {
  const [envelope, own] = schema.allOf ?? []
  if (!envelope || !own?.properties?.type?.enum) return schema
  const [type] = own.properties.type.enum
  return { allOf: [envelope, { properties: { type: { const: type }, data: leanData(own.properties.data ?? {}) } }] }
}

function leanData({ type: _, required = [], ...rest }: JsonSchema): JsonSchema {
  return String(required) === 'object' ? rest : { required, ...rest }
}

/** The webhooks, each event type by its name in this form. */
export function webhooksOf({ requests }: FormWebhooks, names: NamedSchemas): NonNullable<OpenApiDocument['webhooks']> {
  function schemaOf(ofName: typeof requests): JsonSchema {
    const schemas = ofName.map(({ body }) => lean(names.answered(body)))
    return schemas.length === 1 ? (schemas[0] as JsonSchema) : { anyOf: schemas }
  }
  const one = (name: string, ofName: typeof requests): DocumentedWebhook => ({
    operationId: `webhook.${name}`,
    summary: name,
    description: [...new Set(ofName.map(({ description }) => description))].join(' Or: '),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaOf(ofName),
          example: (ofName[0] as PublishedWebhook).example,
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
