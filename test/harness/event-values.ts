import type { JsonSchema } from '../../server/src/http/openapi/document.ts'
import { variantsOf } from '../../server/src/http/openapi/schema-fields.ts'
import { eventPayloads } from '../../server/src/http/shared/event-schemas.ts'
import type { EventType } from '../../server/src/kernel/events.ts'
import type { RealEvent } from './emitted-events.ts'

/**
 * The seen values by field. Fields with a closed list show each value, other fields the kind of value. `absent` is a
 * kind.
 */
export type SeenValues = Readonly<Record<string, readonly string[]>>

function fieldsOf(type: EventType): Map<string, JsonSchema> {
  const variants = variantsOf(eventPayloads[type] as unknown as JsonSchema)
  return new Map(variants.flatMap(({ properties = {} }) => Object.entries(properties)))
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'string') return typeof value
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(value)) return 'id'
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return 'instant'
  return /^\d{4}-\d\d-\d\d$/.test(value) ? 'date' : 'text'
}

/** The values of an event, for each field of its type. */
export function valuesIn({ type, data }: RealEvent): Map<string, string> {
  return new Map(
    [...fieldsOf(type)].map(([name, schema]) => {
      const value = data[name]
      const isListed = typeof value === 'string' && variantsOf(schema).some((variant) => variant.enum !== undefined)
      return [name, isListed ? value : kindOf(value)]
    }),
  )
}
