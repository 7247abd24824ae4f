import Type from 'typebox'
import { type ConnectionView, explainProblem } from '../../modules/tax-connection/index.ts'
import { Named, OneOf, Secret } from '../fields.ts'

export const ConnectionStatusField = OneOf('NOT_CONNECTED', 'PENDING', 'CONNECTED', 'REVOKED')
const names = { pending: 'PENDING', connected: 'CONNECTED', revoked: 'REVOKED' } as const
export const statusOf = ({ connection }: ConnectionView) =>
  connection === undefined ? ('NOT_CONNECTED' as const) : names[connection.status]

/** One sentence about why it is pending. */
export const problemOf = ({ connection }: ConnectionView): string | null =>
  connection?.problem ? explainProblem(connection.problem) : null

/** They travel in headers, where nothing else can stand. */
export const ApiSecret = (maxLength: number) =>
  Type.String({
    ...Secret(1, maxLength),
    pattern: '^[\\x21-\\x7e]+$',
    explanation: 'must be letters, digits and marks without blanks',
  })

export const exampleServiceId = '94ND90NR'
export const exampleBusinessId = '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11'

export const CredentialsFields = Named(
  'AuthorityCredentials',
  { apiKey: ApiSecret(200), apiSecret: ApiSecret(500) },
  { description: 'keys of your own to the authority; without them those of this installation are used' },
)
