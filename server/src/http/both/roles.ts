import Type from 'typebox'
import { roleEndpoints as endpoints } from '../endpoints/roles.ts'
import { Fields, List, Named } from '../fields.ts'
import { speak } from '../speak.ts'
import { OrgParams } from './members.ts'

const CapabilityView = Named('Capability', {
  name: Type.String(),
  label: Type.String(),
  area: Type.String(),
  readOnly: Type.Boolean(),
  keyMayHold: Type.Boolean(),
})

/** All capabilities, and the names of those that a key may hold; the forms differ only in how they refuse. */
export const listPermissionsSpeech = {
  status: 200,
  params: OrgParams,
  reply: Fields({ permissions: List(CapabilityView), apiKeyPermissions: List(Type.String()) }),
} as const

export const listPermissionsRoute = (codeless: { codeless?: true }) =>
  speak(endpoints.listPermissions, {
    ...listPermissionsSpeech,
    ...codeless,
    decode: () => undefined,
    encode: (capabilities) => ({
      permissions: capabilities.map(({ name, label, area, reads, keyMayHold }) => ({
        name,
        label,
        area,
        readOnly: reads,
        keyMayHold,
      })),
      apiKeyPermissions: capabilities
        .filter((capability) => capability.keyMayHold)
        .map((capability) => capability.name),
    }),
  })
