import type { ArchiveHelper, BulkHelpers } from './bulk.ts'
import { clientOf } from './client.ts'
import { NotGenuine } from './errors.ts'
import {
  type BulkFilter,
  type BulkJob,
  type BulkResult,
  type FormA,
  type Invoice,
  operations,
  type WebhookEvent,
} from './form-a.gen.ts'
import type { InvoiceHelpers } from './invoices.ts'
import { checkTime, header, isSigned, type ReceivedHeaders, type VerifyOptions } from './signatures.ts'
import type { ClientOptions, Transport } from './transport.ts'

export type { ArchiveHelper, BulkHelpers, BulkOptions, BulkReport, BulkTarget } from './bulk.ts'
export type { Called, CallOptions, RetrySettings, WithResponse } from './calls.ts'
export { apiKey, bearer, type Credential, cookies, type Mode, type Outgoing } from './credentials.ts'
export { type Fault, NoAnswer, NotGenuine, Refused, RisitiError, TimedOut } from './errors.ts'
export type { Fetch } from './fetch.ts'
export type * from './form-a.gen.ts'
export type { InvoiceHelpers, WaitOptions } from './invoices.ts'
export type { Page, Pages, Pagination } from './pages.ts'
export type { ReceivedHeaders, VerifyOptions } from './signatures.ts'
export type { ClientOptions } from './transport.ts'

/** A client of form A. */
export type Risiti = FormA & {
  readonly invoices: InvoiceHelpers<Invoice> &
    BulkHelpers<BulkJob, BulkResult, BulkFilter> &
    ArchiveHelper<BulkJob, BulkFilter>
} & Pick<Transport, 'mode'>
export const Risiti: new (options: ClientOptions) => Risiti = clientOf<Risiti>(operations, '')

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
