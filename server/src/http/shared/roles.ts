import Type from 'typebox'
import { describeRoute } from '../definitions/describe-route.ts'
import { Fields, List, means, Named } from '../definitions/fields.ts'
import { roleRoutes as routes } from '../routes/roles.ts'
import { OrgParams } from './members.ts'

const CapabilityView = Named('Capability', {
  name: means('Name of the capability, such as `invoice.create`.', Type.String()),
  label: means('What the capability allows, in a few words for people.', Type.String()),
  area: means('Part of the service that the capability belongs to, such as `invoice`.', Type.String()),
  readOnly: means('True if the capability allows reading only.', Type.Boolean()),
  keyMayHold: means('True if an API key can hold the capability.', Type.Boolean()),
})

/** All capabilities, and those that a key may have; the forms differ only in their refusals. */
export const listPermissionsDescription = {
  status: 200,
  params: OrgParams,
  reply: Fields({
    permissions: means('Every capability that there is.', List(CapabilityView)),
    apiKeyPermissions: means('Names of the capabilities that an API key can hold.', List(Type.String())),
  }),
} as const

export const listPermissionsRoute = (codeless: { codeless?: true }) =>
  describeRoute(routes.listPermissions, {
    ...listPermissionsDescription,
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
