import type { BulkHelpers } from './bulk.ts'
import { type AnyRequest, clientOf } from './client.ts'
import {
  type BulkFilter,
  type BulkJob,
  type BulkResult,
  type FormB,
  type Invoice,
  type NewTestClockMove,
  operations,
  type TestClockMove,
} from './form-b.gen.ts'
import type { AmericanNames, InvoiceHelpers } from './invoices.ts'
import type { TestClockHelpers } from './test-clock.ts'
import type { ClientOptions, Transport } from './transport.ts'

export type { BulkHelpers, BulkOptions, BulkReport, BulkTarget } from './bulk.ts'
export type { Called, CallOptions, RetrySettings, WithResponse } from './calls.ts'
export { apiKey, bearer, type Credential, cookies, type Mode, type Outgoing } from './credentials.ts'
export { type Fault, NoAnswer, NotGenuine, Refused, RisitiError, TimedOut } from './errors.ts'
export type { Fetch } from './fetch.ts'
export type * from './form-b.gen.ts'
export { webhooks } from './form-b-webhooks.ts'
export type { AmericanNames, InvoiceHelpers, WaitOptions } from './invoices.ts'
export type { Page, Pages, Pagination } from './pages.ts'
export type { ReceivedHeaders, VerifyOptions } from './signatures.ts'
export type { MoveOptions, TestClockHelpers } from './test-clock.ts'
export type { ClientOptions } from './transport.ts'

/** A client of form B. */
export type Risiti = FormB & {
  readonly invoices: InvoiceHelpers<Invoice> &
    AmericanNames<FormB['invoices']['finalise']> &
    BulkHelpers<BulkJob, BulkResult, BulkFilter>
  readonly testClock: TestClockHelpers<TestClockMove, NewTestClockMove>
} & Pick<Transport, 'mode'> &
  AnyRequest
export const Risiti: new (options: ClientOptions) => Risiti = clientOf<Risiti>(operations, '/form-b')
