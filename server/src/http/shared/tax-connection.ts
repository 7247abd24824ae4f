import Type from 'typebox'
import { type ConnectionView, explainProblem } from '../../modules/tax-connection/index.ts'
import { means, Named, OneOf, Secret } from '../definitions/fields.ts'

export const ConnectionStatusField = means(
  '`NOT_CONNECTED`: there is no connection yet. `PENDING`: it is incomplete, and `problem` says why. `CONNECTED`: invoices can be submitted. `REVOKED`: a user ended it.',
  OneOf('NOT_CONNECTED', 'PENDING', 'CONNECTED', 'REVOKED'),
)
export const ProblemField = Type.Union([Type.String(), Type.Null()], {
  description: 'Why the connection is pending and what to do, in words. Null unless it is `PENDING`.',
})
const names = { pending: 'PENDING', connected: 'CONNECTED', revoked: 'REVOKED' } as const
export const statusOf = ({ connection }: ConnectionView) =>
  connection === undefined ? ('NOT_CONNECTED' as const) : names[connection.status]

export const problemOf = ({ connection }: ConnectionView): string | null =>
  connection?.problem ? explainProblem(connection.problem) : null

/** The keys are sent in HTTP headers, which take visible ASCII characters only. */
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
  {
    apiKey: means('API key that the authority gave you, at most 200 characters. Never shown again.', ApiSecret(200)),
    apiSecret: means('Secret of the API key, at most 500 characters. Never shown again.', ApiSecret(500)),
  },
  {
    description: 'Your own keys to the authority. This installation’s keys are used if you leave them out.',
  },
)
