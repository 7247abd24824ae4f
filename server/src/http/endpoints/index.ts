import { identityEndpoints } from './identity.ts'

/** Every operation that HTTP serves, in either form. */
export const endpoints = {
  identity: identityEndpoints,
}
