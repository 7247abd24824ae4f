import Type from 'typebox'
import { type Capability, isCapability } from '../../kernel/capabilities.ts'
import { type Fault, invalid } from '../../kernel/refusals.ts'

export const PermissionList = Type.Array(Type.String({ format: 'single-line', minLength: 1, maxLength: 100 }), {
  maxItems: 200,
})

/** Accepts `invoice.create` and also `invoices:create`. */
export function readPermission(text: string): Capability | undefined {
  const dotted = text.replace(':', '.')
  const singular = dotted.replace(/^([a-z_]+)s\./, '$1.')
  return [dotted, singular].find(isCapability)
}

/** Reports every unknown name at its index. */
export function readPermissions(texts: readonly string[], path = 'permissions'): Capability[] {
  const faults: Fault[] = []
  const read = texts.map((text, index) => {
    const capability = readPermission(text)
    if (!capability)
      faults.push({
        path: `${path}[${index}]`,
        rule: 'unknown',
        message: 'must be a permission; see roles/permissions/available',
      })
    return capability as Capability
  })
  if (faults.length > 0) throw invalid(faults)
  return [...new Set(read)]
}
