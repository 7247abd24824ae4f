import type { UserCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import type { ShownKey } from '../api-keys/index.ts'
import { compose, queueMessage } from '../messages/index.ts'
import { listOwners, type Member, type Organisation } from '../organisations/index.ts'

/** How somebody went, as the owners are told. */
export type Departure = 'removed' | 'left' | 'suspended'

const wayOf: Record<Departure, string> = {
  removed: 'was removed from your organisation',
  left: 'left your organisation',
  suspended: 'was suspended',
}

const describe = ({ name, mode, hint, status }: ShownKey): string =>
  `“${name}” (${mode}, ${hint})${status === 'revoked' ? ', revoked in the same step' : ''}`

/** The owners hear what somebody left behind that still opens a door: keys, and children that may draw on the credits. */
export async function tellOwners(
  context: Inside<UserCaller>,
  { organisationId, firstName: first, lastName: last, email: address }: Member,
  departure: Departure,
  keys: readonly ShownKey[],
  children: readonly Pick<Organisation, 'id' | 'name'>[],
): Promise<void> {
  const working = keys.some(({ status }) => status !== 'revoked')
  const cause = newId()
  for (const { userId, email, firstName } of await listOwners(context.tx, organisationId)) {
    const letter = compose({
      greeting: `Hello ${firstName},`,
      paragraphs: [
        `${first} ${last} (${address}) ${wayOf[departure]}. They made or own what is listed here:`,
        ...keys.map((key) => `API key ${describe(key)}.`),
        ...children.map(({ id, name }) => `Child organisation ${name} (${id}), which they own.`),
      ],
      closing: [
        ...(working ? ['The keys belong to your organisation and go on working; revoke those that nobody needs.'] : []),
        ...(children.length > 0 ? ['Part from a child that must no longer draw on your credits.'] : []),
      ].join(' '),
    })
    await queueMessage(context, {
      cause: `departure:${cause}:${userId}`,
      channel: 'email',
      to: email,
      subject: `What ${first} ${last} left behind`,
      ...letter,
    })
  }
}
