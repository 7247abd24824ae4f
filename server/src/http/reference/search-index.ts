import { flatten } from '../openapi/schema-fields.ts'
import type { Reference } from './reference.ts'
import { addressOf } from './served-operations.ts'

/** What the search of the page reads: every operation and event, with its address and its words. */
export const searchIndex = ({ form, groups, events }: Reference): string =>
  JSON.stringify([
    ...groups.flatMap(({ title, served }) =>
      served.map((one) => {
        const { operation, method, path } = one
        const body = operation.requestBody?.content['application/json'].schema
        const fields = [
          ...operation.parameters.map(({ name }) => name),
          ...(body ? flatten(body).map((field) => field.path) : []),
        ]
        return {
          id: operation.operationId,
          title: operation.summary,
          href: addressOf(one, form),
          words: [title, method, path, operation.operationId, operation.summary, operation.description, ...fields]
            .join(' ')
            .toLowerCase(),
        }
      }),
    ),
    ...events.map(({ name, description }) => ({
      id: `event-${name}`,
      title: name,
      href: `${form.prefix}/docs/events/${name.split('.')[0]}#event-${name}`,
      words: `${name} ${description}`.toLowerCase(),
    })),
  ])
