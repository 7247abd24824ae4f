import { NotGenuine } from './errors.ts'
import type { WebhookEvent } from './form-a.gen.ts'
import { checkTime, header, isSigned, type ReceivedHeaders, type VerifyOptions } from './signatures.ts'

/** For receivers of webhooks. Needs no client and no key. */
export const webhooks = {
  /**
   * Returns the event of a webhook if its signature and time are valid. `body` is the unchanged text. Pass several
   * secrets during a rotation.
   */
  async verify(
    body: string,
    headers: ReceivedHeaders,
    secret: string | readonly string[],
    options: VerifyOptions = {},
  ): Promise<WebhookEvent> {
    const parts = (header(headers, 'risiti-signature') ?? '').split(',').map((part) => part.split('='))
    const valuesOf = (name: string) => parts.flatMap(([given, value]) => (given === name && value ? [value] : []))
    const time = checkTime(valuesOf('t')[0], options)
    if (await isSigned(`${time}.${body}`, secret, valuesOf('v1'))) return JSON.parse(body) as WebhookEvent
    throw new NotGenuine('the webhook was not signed with this secret')
  },
}
