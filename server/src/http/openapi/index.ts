import type { Form } from '../form.ts'
import { headers, schemas, securitySchemes } from './components.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'
import { operationOf } from './operations.ts'
import { webhooksOf } from './webhooks.ts'

export type { OpenApiDocument } from './document.ts'
export { documentedStatuses } from './refusals-of-route.ts'

export function openApiOf(form: Form): OpenApiDocument {
  const paths: Record<string, Record<string, DocumentedOperation>> = {}
  for (const formRoute of form.routes) {
    const { method, path } = formRoute.route
    const verb = method.toLowerCase()
    if (paths[path]?.[verb]) throw new Error(`form ${form.name} serves ${method} ${path} twice`)
    paths[path] = { ...paths[path], [verb]: operationOf(form, formRoute) }
  }
  return {
    openapi: '3.1.0',
    info: { title: form.title, version: '1.0', description: form.description },
    servers: [{ url: form.prefix || '/' }],
    tags: [...new Set(form.routes.map(({ module }) => module))].map((name) => ({ name })),
    paths,
    ...(form.webhooks ? { webhooks: webhooksOf(form.webhooks) } : {}),
    components: { schemas, headers, securitySchemes },
  }
}
