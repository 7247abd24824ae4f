import { NotGenuine } from './errors.ts'
import type { WebhookEvent } from './form-b.gen.ts'
import { checkTime, header, isSigned, type ReceivedHeaders, type VerifyOptions } from './signatures.ts'

/** For receivers of webhooks. Needs no client and no key. */
export const webhooks = {
  /**
   * Returns the event of a webhook if its signature and time are valid. `body` is the unchanged text. Pass several
   * secrets during a rotation. Only `data` is signed, and it is returned as signed.
   */
  async verify(
    body: string,
    headers: ReceivedHeaders,
    secret: string | readonly string[],
    options: VerifyOptions = {},
  ): Promise<WebhookEvent> {
    const time = checkTime(header(headers, 'x-webhook-timestamp'), options)
    const signatures = ['x-webhook-signature', 'x-webhook-signature-previous'].flatMap((name) => {
      const given = header(headers, name)
      return given?.startsWith('sha256=') ? [given.slice('sha256='.length)] : []
    })
    // `data` is the last field, so its exact text can be cut out.
    const at = body.indexOf('"data":') + '"data":'.length
    const data = body.slice(at, body.lastIndexOf('}'))
    if (!(await isSigned(`${time}.${data}`, secret, signatures)))
      throw new NotGenuine('the webhook was not signed with this secret')
    return { ...JSON.parse(body), data: JSON.parse(data) } as WebhookEvent
  },
}
