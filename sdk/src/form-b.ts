import type { BulkHelpers } from './bulk.ts'
import { clientOf } from './client.ts'
import { NotGenuine } from './errors.ts'
import {
  type BulkFilter,
  type BulkJob,
  type BulkResult,
  type FormB,
  type Invoice,
  operations,
  type WebhookEvent,
} from './form-b.gen.ts'
import type { InvoiceHelpers } from './invoices.ts'
import { checkTime, header, isSigned, type ReceivedHeaders, type VerifyOptions } from './signatures.ts'
import type { ClientOptions, Transport } from './transport.ts'

export type { BulkHelpers, BulkOptions, BulkReport, BulkTarget } from './bulk.ts'
export type { Called, CallOptions, RetrySettings, WithResponse } from './calls.ts'
export { apiKey, bearer, type Credential, cookies, type Mode, type Outgoing } from './credentials.ts'
export { type Fault, NoAnswer, NotGenuine, Refused, RisitiError, TimedOut } from './errors.ts'
export type { Fetch } from './fetch.ts'
export type * from './form-b.gen.ts'
export type { InvoiceHelpers, WaitOptions } from './invoices.ts'
export type { Page, Pages, Pagination } from './pages.ts'
export type { ReceivedHeaders, VerifyOptions } from './signatures.ts'
export type { ClientOptions } from './transport.ts'

/** A client of form B. */
export type Risiti = FormB & {
  readonly invoices: InvoiceHelpers<Invoice> & BulkHelpers<BulkJob, BulkResult, BulkFilter>
} & Pick<Transport, 'mode'>
export const Risiti: new (options: ClientOptions) => Risiti = clientOf<Risiti>(operations, '/form-b')

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
