import type { Form } from '../definitions/form.ts'
import type { JsonSchema } from '../openapi/document.ts'
import type { OpenApiDocument } from '../openapi/index.ts'
import { resolver, type WholeOperation } from '../openapi/resolved.ts'

export interface ServedOperation {
  readonly method: string
  readonly path: string
  readonly operation: WholeOperation
  /** `me` at this address is another operation: an id is required */
  readonly isMeTaken: boolean
}

export interface Group {
  readonly name: string
  readonly title: string
  readonly description: string | undefined
  readonly served: readonly ServedOperation[]
}

export function groupsOf(document: OpenApiDocument): Group[] {
  const whole = resolver(document)
  const served = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({
      method: verb.toUpperCase(),
      path,
      operation: whole(operation),
      isMeTaken: path.includes('{orgId}') && document.paths[path.replace('{orgId}', 'me')]?.[verb] !== undefined,
    })),
  )
  // In the order of the routes, which is the order of need.
  return [...Map.groupBy(served, ({ operation }) => operation.tags[0] as string)].map(([name, ofName]) => ({
    name,
    title: titleOf(name),
    description: document.tags.find((tag) => tag.name === name)?.description,
    served: ofName,
  }))
}

function titleOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_]/g, ' ')
    .toLowerCase()
    .replace(/\bapi\b/g, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function successSchemaOf(operation: WholeOperation): JsonSchema | undefined {
  const [, response] = Object.entries(operation.responses).find(([status]) => status < '300') ?? []
  return response?.content?.['application/json'].schema
}

/** The name of an operation inside its group: its id without the group. */
export const nameOf = ({ operation }: ServedOperation): string =>
  operation.operationId.slice(operation.operationId.indexOf('_') + 1)

/** The address of the page about an operation. */
export const addressOf = (served: ServedOperation, { prefix }: Form): string =>
  `${prefix}/docs/${served.operation.tags[0]}/${nameOf(served)}`
