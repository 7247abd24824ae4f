import Type from 'typebox'
import { type Capability, isCapability } from '../../kernel/capabilities.ts'
import { type Fault, invalid } from '../../kernel/refusals.ts'

export const PermissionList = Type.Array(Type.String({ format: 'single-line', minLength: 1, maxLength: 100 }), {
  maxItems: 200,
})

/** `invoice.create`, or as it is also written here, `invoices:create`. */
export function readPermission(text: string): Capability | undefined {
  const dotted = text.replace(':', '.')
  const singular = dotted.replace(/^([a-z_]+)s\./, '$1.')
  return [dotted, singular].find(isCapability)
}

/** Every unknown name is listed, each at its place. */
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
