import {
  connectToAuthority,
  getConnection,
  getTransportKey,
  refreshConnection,
  replaceConnection,
  revokeConnection,
  storeKeyFile,
} from '../../modules/tax-connection/index.ts'
import { endpoint } from '../endpoint.ts'

const connection = '/i/v1/tax-connection'
const registration = '/a/v1/organizations/{orgId}/tax-registration'

export const taxConnectionEndpoints = {
  get: endpoint('GET', connection, 'both', getConnection, {
    summary: 'The connection to the tax authority',
    description: 'Only `CONNECTED` submits invoices. Each mode has a connection of its own.',
  }),
  connect: endpoint('POST', connection, 'user', connectToAuthority, {
    summary: 'Connect to the tax authority',
    description:
      'The authority is asked for its record of the business. Its tax number becomes the verified one of the organisation. Where it does not confirm the business, or does not answer, the connection is `PENDING` and says why; refresh it, or send it again. In the sandbox every business is known, but not those whose id ends in `0000`. In live mode the connection is complete when its key file was sent.',
  }),
  replace: endpoint('PUT', registration, 'user', replaceConnection, {
    summary: 'Connect to the tax authority, or change the connection',
    description:
      'What is sent is verified with the authority first. Where that fails the connection stays pending, and the reason is told; a connection that works is kept until another one is verified.',
  }),
  revoke: endpoint('DELETE', connection, 'user', revokeConnection, {
    summary: 'Revoke the connection to the tax authority',
    description: 'No more invoices can be submitted; finalising and sending go on as before.',
  }),
  refresh: endpoint('POST', `${connection}/refresh`, 'user', refreshConnection, {
    summary: 'Ask the tax authority anew about the connection',
    description: 'A business that it does not know any more makes the connection `PENDING`.',
  }),
  getTransportKey: endpoint('GET', `${connection}/transport-key`, 'user', getTransportKey, {
    summary: 'The public key that a key file is encrypted to',
  }),
  storeKeyFile: endpoint('PUT', `${connection}/crypto-key`, 'user', storeKeyFile, {
    summary: 'Send the key file of the business',
    description:
      'The file that the authority’s dashboard gives to the business, as JWE in the compact form, encrypted to the transport key with RSA-OAEP-256 and A256GCM. It is kept encrypted and never shown.',
  }),
}
