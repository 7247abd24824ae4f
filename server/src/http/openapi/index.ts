import type { Form } from '../definitions/form.ts'
import { codelessError, everyAnswer, headers, ownSchemas, securitySchemes } from './components.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'
import { operationOf } from './operations.ts'
import { headerParameters } from './parameters.ts'
import { NamedSchemas } from './published-schema.ts'
import { Replies } from './replies.ts'
import { Refusals } from './responses.ts'
import { withSharedParameters } from './shared-parameters.ts'
import { withSharedResponses } from './shared-responses.ts'
import { tagsOf } from './tags.ts'
import { aboutWebhooks, webhookResponses, webhooksOf } from './webhooks.ts'

export type { OpenApiDocument } from './document.ts'
export { documentedStatuses } from './refusals-of-route.ts'

export function openApiOf(form: Form): OpenApiDocument {
  const sent = form.routes.flatMap(({ route }) => [route.params, route.query, route.body])
  const hasCodeless = form.routes.some(({ route }) => route.codeless)
  const gathered = {
    names: new NamedSchemas(hasCodeless ? { ...ownSchemas, ...codelessError } : ownSchemas, sent),
    refusals: new Refusals(form),
    replies: new Replies(form),
  }
  const paths: Record<string, Record<string, DocumentedOperation>> = {}
  for (const formRoute of form.routes) {
    const { method, path } = formRoute.route
    const verb = method.toLowerCase()
    if (paths[path]?.[verb]) throw new Error(`form ${form.name} serves ${method} ${path} twice`)
    paths[path] = { ...paths[path], [verb]: operationOf(form, formRoute, gathered) }
  }
  const { paths: withParameters, parameters } = withSharedParameters(paths)
  const about = [form.description, everyAnswer, ...(form.webhooks ? [aboutWebhooks(form.webhooks)] : [])]
  const webhooks = form.webhooks && webhooksOf(form.webhooks, gathered.names)
  const answered = withSharedResponses(gathered.names.withBases(withParameters))
  return {
    openapi: '3.1.0',
    info: {
      title: form.title,
      version: '1.0',
      description: about.join('\n\n'),
      contact: { name: 'Risiti' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: form.prefix || '/', 'x-internal': false }],
    security: [{ bearerAuth: [] }],
    tags: tagsOf(form.routes.map(({ module }) => module)),
    paths: answered.paths,
    ...(webhooks ? { webhooks: gathered.names.withBases(webhooks) } : {}),
    components: {
      schemas: gathered.names.all(),
      responses: { ...answered.responses, ...gathered.refusals.all(), ...(webhooks ? webhookResponses : {}) },
      parameters: { ...headerParameters, ...parameters },
      examples: gathered.replies.shared(),
      headers,
      securitySchemes,
    },
  }
}
