import { networkOf } from '../../kernel/addresses.ts'
import type { Caller } from '../../kernel/callers.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { type Person, rememberDevice } from '../people/index.ts'
import { sendSecurityNotice } from './security-letters.ts'

/** A household's address changes within its neighbourhood; the program and where it is together are the device. */
const neighbourhoodOf = (address: string) =>
  address.includes(':') ? networkOf(address) : address.split('.').slice(0, 3).join('.')

/** Tells a person of a sign-in from a device not seen before; the very first one is their own registration. */
export async function greetDevice(context: Inside<Caller>, person: Person): Promise<void> {
  const { address, userAgent } = context.origin
  const deviceMac = context.vault.mac(`device ${person.id}`, `${neighbourhoodOf(address)} ${userAgent}`)
  const { isNew, others } = await rememberDevice(context.tx, person.id, deviceMac, context.now)
  if (isNew && others)
    await sendSecurityNotice(
      context,
      person,
      'New sign-in to Risiti',
      'Your account was used to sign in from a device we have not seen before.',
    )
}
