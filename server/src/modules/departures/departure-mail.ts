import type { UserCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { ShownKey } from '../api-keys/index.ts'
import { type Member, mailMembers, type Organisation } from '../organisations/index.ts'
import type { Endpoint } from '../webhooks/index.ts'

/** How a person left, for the mail to the owners. */
export type Departure = 'removed' | 'left' | 'suspended'

const wayOf: Record<Departure, string> = {
  removed: 'was removed from your organisation',
  left: 'left your organisation',
  suspended: 'was suspended',
}

const describe = ({ name, mode, hint, status }: ShownKey): string =>
  `“${name}” (${mode}, ${hint})${status === 'revoked' ? ', revoked in the same step' : ''}`

/** Access that remains after a person has left. */
export interface LeftBehind {
  readonly keys: readonly ShownKey[]
  /** Child organisations, which can use the parent's credits. */
  readonly children: readonly Pick<Organisation, 'id' | 'name'>[]
  /** Webhook endpoints, which go on sending under secrets that the person knows. */
  readonly endpoints: readonly Pick<Endpoint, 'url' | 'mode'>[]
}

export async function mailOwners(
  context: Inside<UserCaller>,
  { organisationId, firstName: first, lastName: last, email: address }: Member,
  departure: Departure,
  { keys, children, endpoints }: LeftBehind,
): Promise<void> {
  const working = keys.some(({ status }) => status !== 'revoked')
  await mailMembers(context, organisationId, 'owners', {
    cause: `departure:${newId()}`,
    subject: `Access of ${first} ${last} that remains`,
    paragraphs: [
      `${first} ${last} (${address}) ${wayOf[departure]}. This access remains:`,
      ...keys.map((key) => `API key ${describe(key)}.`),
      ...endpoints.map(({ url, mode }) => `Webhook endpoint ${url} (${mode}).`),
      ...children.map(({ id, name }) => `Child organisation ${name} (${id}), which they own.`),
    ],
    link: { words: 'Check keys and webhooks', page: '/developers' },
    closing: [
      ...(working ? ['The keys belong to your organisation and go on working. Revoke those that are not needed.'] : []),
      ...(endpoints.length > 0
        ? ['Webhook endpoints go on sending events. Check the address of each, and replace the secrets that they know.']
        : []),
      ...(children.length > 0 ? ['Detach a child organisation that must no longer use your credits.'] : []),
    ].join(' '),
  })
}
