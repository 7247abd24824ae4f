import { taxConnectionOperations } from '../../modules/tax-connection/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const connection = '/i/v1/tax-connection'
const registration = '/a/v1/organizations/{orgId}/tax-registration'

export const taxConnectionRoutes = {
  get: defineRoute('GET', connection, 'token', taxConnectionOperations.getConnection, {
    summary: 'Get the connection to the tax authority',
    description: 'Invoices can be submitted only while the status is `CONNECTED`. Each mode has its own connection.',
  }),
  connect: defineRoute('POST', connection, 'user', taxConnectionOperations.connectToAuthority, {
    summary: 'Connect to the tax authority',
    description:
      'This service asks the authority for its record of the business. In the sandbox, every business is known unless its id ends in `0000`. The tax number in that record becomes the confirmed one of the organisation. In live mode, the record must carry the confirmed tax number and name of the organisation. The live connection is complete once you send its key file. If the authority does not confirm the business or does not answer, the connection is `PENDING` and `problem` says why. Refresh it, or send it again.',
  }),
  replace: defineRoute('PUT', registration, 'user', taxConnectionOperations.replaceConnection, {
    summary: 'Create or replace the connection to the tax authority',
    description:
      'This service verifies the new data with the authority first. If that fails, a new connection is `PENDING` and `problem` says why. A connection that works is kept until the new one is verified.',
  }),
  revoke: defineRoute('DELETE', connection, 'user', taxConnectionOperations.revokeConnection, {
    summary: 'Revoke the connection to the tax authority',
    description: 'Invoices can no longer be submitted to the authority. You can still finalise and send them.',
  }),
  refresh: defineRoute('POST', `${connection}/refresh`, 'user', taxConnectionOperations.refreshConnection, {
    summary: 'Check the connection with the tax authority again',
    description: 'If the authority no longer knows the business, the connection becomes `PENDING`.',
  }),
  getTransportKey: defineRoute('GET', `${connection}/transport-key`, 'user', taxConnectionOperations.getTransportKey, {
    summary: 'Get the public key that encrypts a key file',
  }),
  storeKeyFile: defineRoute('PUT', `${connection}/crypto-key`, 'user', taxConnectionOperations.storeKeyFile, {
    summary: 'Store the key file of the business',
    description:
      'Download the key file from the authority’s dashboard. Encrypt it to the transport key as a JWE in compact form, with RSA-OAEP-256 and A256GCM. The file is stored encrypted and never shown.',
  }),
}
