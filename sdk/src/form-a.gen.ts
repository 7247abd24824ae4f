// Written by scripts/write-openapi.ts from the routes; edits by hand are lost.
import type { Called, CallOptions, Operations } from './calls.ts'
import type { Pages } from './pages.ts'

export interface Actor {
  /** The id of the user or API key. Null for `service` and `system`. */
  id: string | null
  /** `user`: a person, also through a connected program. `api_key`: an API key. `system`: an automatic job. `service`: not used yet. */
  type: "user" | "api_key" | "service" | "system"
}

export interface Address {
  /** Street and house number. */
  line1: string
  /** Second line, such as a floor or a building. */
  line2?: string | undefined
  /** City or town of the address. */
  city: string
  /** State or province of the address. */
  state?: string | undefined
  /** Local government area, in Nigeria. */
  lga?: string | undefined
  /** Postal code of the address. */
  postalCode?: string | undefined
  /** Country of the address, as a code of ISO 3166-1 such as `NG`. */
  country: string
}

export interface ApiKey {
  /** Unique identifier of the API key (UUIDv7). */
  id: string
  /** Name of the API key, as its maker chose it. */
  name: string
  /** Mode that the API key works in. It never changes. */
  mode: Mode
  /** `active`: the key works. `rotating`: it works until `stopsAt` beside its replacement. `revoked`: a user revoked it, or its replacement has taken over. `expired`: its expiry date has passed. */
  status: "active" | "rotating" | "revoked" | "expired"
  /** Named set of capabilities that the key was created with. Null if it was created with a list. */
  preset: string | null
  /** Name of the role of the key, if it was created in Form B. Null otherwise. */
  role: string | null
  /** Names of the capabilities that the key has. */
  capabilities: string[]
  /** Beginning and last four characters of the key, to tell keys apart. */
  hint: string
  /** Unique identifier of the person who created the key. Null if Risiti did. */
  createdBy: string | null
  /** When the API key was created. */
  createdAt: string
  /** When the key stops working by itself. Null if it has no end. */
  expiresAt: string | null
  /** When the key stops working because it was replaced. Null if it was not. */
  stopsAt: string | null
  /** When the key was revoked. Null if it was not. */
  revokedAt: string | null
  /** When the API key was last used. Null if it never was. */
  lastUsedAt: string | null
}

export interface ApiKeyCapabilities {
  /** Unique identifier of the API key. */
  id: string
  /** Names of the capabilities that the key has. */
  capabilities: string[]
  /** Names of the capabilities that you could give to the key. */
  grantable: string[]
}

export interface ApiKeyLeft {
  /** Unique identifier of the API key (UUIDv7). */
  id: string
  /** Name of the API key, as its maker chose it. */
  name: string
  /** Mode that the API key works in: `sandbox` or `live`. */
  mode: "sandbox" | "live"
  /** `active`: the key works. `rotating`: it works until its replacement takes over. `revoked`: a user revoked it, or its replacement has taken over. `expired`: its expiry date has passed. */
  status: "active" | "rotating" | "revoked" | "expired"
  /** Beginning and last four characters of the key, to tell keys apart. */
  hint: string
  /** When the API key was created. */
  createdAt: string
  /** When the API key was last used. Null if it never was. */
  lastUsedAt: string | null
}

export interface ApiKeyWithSecret {
  /** Unique identifier of the API key (UUIDv7). */
  id: string
  /** Name of the API key, as its maker chose it. */
  name: string
  /** Mode that the API key works in. It never changes. */
  mode: Mode
  /** `active`: the key works. `rotating`: it works until `stopsAt` beside its replacement. `revoked`: a user revoked it, or its replacement has taken over. `expired`: its expiry date has passed. */
  status: "active" | "rotating" | "revoked" | "expired"
  /** Named set of capabilities that the key was created with. Null if it was created with a list. */
  preset: string | null
  /** Name of the role of the key, if it was created in Form B. Null otherwise. */
  role: string | null
  /** Names of the capabilities that the key has. */
  capabilities: string[]
  /** Beginning and last four characters of the key, to tell keys apart. */
  hint: string
  /** Unique identifier of the person who created the key. Null if Risiti did. */
  createdBy: string | null
  /** When the API key was created. */
  createdAt: string
  /** When the key stops working by itself. Null if it has no end. */
  expiresAt: string | null
  /** When the key stops working because it was replaced. Null if it was not. */
  stopsAt: string | null
  /** When the key was revoked. Null if it was not. */
  revokedAt: string | null
  /** When the API key was last used. Null if it never was. */
  lastUsedAt: string | null
  /** The key itself, shown only in this reply. Absent if the request was a repeat with the same Idempotency-Key. */
  key?: string | undefined
  /** True if the request was a repeat with the same Idempotency-Key, so that the key is left out. */
  secretAlreadyShown?: boolean | undefined
}

export interface ApiKeysListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only keys with this status. `ApiKey.status` explains the values. */
  status?: "active" | "rotating" | "revoked" | "expired" | undefined
  /** Return only keys of this mode. */
  mode?: Mode | undefined
}

export interface ApiKeysRenameBody {
  /** New name of the API key. Must not be blank. */
  name: string
}

export interface ApiKeysReplaceCapabilitiesBody {
  /** Names of all capabilities that the key has from now on. */
  capabilities: ("organization.read" | "billing.account.read" | "billing.usage.read" | "billing.ledger.read" | "billing.statement.read" | "billing.payment.read" | "billing.subscription.read" | "webhook.endpoint.read" | "webhook.endpoint.test" | "webhook.delivery.read" | "webhook.delivery.redeliver" | "invoice.read" | "invoice.stats.read" | "invoice.create" | "invoice.update_draft" | "invoice.delete_draft" | "invoice.finalise" | "invoice.validate" | "invoice.submit" | "invoice.retry" | "invoice.query_status" | "invoice.cancel" | "invoice.record_payment" | "invoice.send_to_buyer" | "invoice.download_pdf" | "invoice.download_authority_copy" | "invoice.reopen" | "invoice.share" | "invoice.inbound.read" | "reference.read" | "tax_id.lookup" | "buyer.read" | "buyer.create" | "buyer.update" | "buyer.delete" | "buyer.verify_tax_id" | "item.read" | "item.create" | "item.update" | "item.archive" | "seller.read" | "tax_connection.read")[]
}

export interface ApiKeysRotateBody {
  /** Seconds that the old key goes on working, 604800 (a week) at most. The setting of the service if you leave it out. */
  gracePeriodSeconds?: number | undefined
}

export interface AskedFrom {
  /** IP address of the program. */
  address: string
  /** Name of the program, as its `User-Agent` header gave it. */
  userAgent: string
}

export interface AuditEntry {
  /** Unique identifier of the event (UUIDv7). */
  id: string
  /** Type of the event, such as `invoice.created`. */
  type: string
  /** Version of the event type, from 1. It grows when the form of `data` changes. */
  version: number
  /** Who did it: a person, an API key, or Risiti itself. */
  actor: {
    /** `user`: a person, also through a connected program. `api_key`: an API key. `system`: an automatic job. `service`: not used yet. */
    type: "user" | "api_key" | "service" | "system"
    /** Unique identifier of the person or the API key. Null for Risiti itself. */
    id: string | null
    /** Name of the actor when it happened. */
    name: string
  }
  /** Object that the event is about, such as the invoice that was issued. */
  object: {
    /** Kind of object, such as `invoice`. */
    type: string
    /** Unique identifier of the object. */
    id: string
    /** Version of the object after the event. Null if the object has no versions. */
    version: number | null
  }
  /** Mode that it happened in. Null if it concerns the organisation as a whole. */
  mode: Mode | null
  /** Payload of the event. Its fields depend on the type. */
  data: Record<string, unknown>
  /** IP address that the request came from. Empty if there was no request. */
  address: string
  /** Name of the program that sent the request. Empty if there was no request. */
  userAgent: string
  /** Id of the request, as `X-Request-Id` had it. Empty if there was no request. */
  requestId: string
  /** When the event happened. */
  createdAt: string
}

export interface AuthorityCopy {
  /** The invoice reference number (IRN) of the document. */
  reference: string
  /** The SHA-256 hash of the copy, as 64 hexadecimal digits. */
  sha256: string
  /** Whether the copy has the same reference, parties, type, currency and amounts as the submitted document. */
  isWhatWasSent: boolean
  /** The copy in the JSON format of the tax authority. */
  document: Record<string, unknown>
}

/** Your own keys to the authority. This installation’s keys are used if you leave them out. */
export interface AuthorityCredentials {
  /** API key that the authority gave you, at most 200 characters. Never shown again. Must be letters, digits and marks without blanks. */
  apiKey: string
  /** Secret of the API key, at most 500 characters. Never shown again. Must be letters, digits and marks without blanks. */
  apiSecret: string
}

export interface AuthorityRecord {
  /** Whether the tax authority has passed the document on to the buyer. */
  transmitted: boolean
  /** Whether the buyer has confirmed the document. */
  delivered: boolean
  /** The payment status at the tax authority: `pending`, `partial`, `paid` or `rejected`. Null if it has none. */
  paymentStatus: "pending" | "partial" | "paid" | "rejected" | null
  /** The day on which the tax authority registered the document. Null if unknown. */
  registeredOn: string | null
}

export interface AwaitedChange {
  /** What is to change: the `name`, the telephone number (`phone`) or the second factor (`second_factor`) of the member. */
  what: "name" | "phone" | "second_factor"
  /** When the code in the mail expires, 24 hours after the request. */
  expiresAt: string
}

export interface Balance {
  /** Mode of this balance: `sandbox` or `live`. */
  mode: Mode
  /** Credits that can be spent now. */
  creditBalance: number
  /** Credits held for actions in progress. They are spent or released when the action ends. */
  heldCredits: number
  /** Credits that were spent before their payment was returned. Later credits settle this debt first. */
  owedCredits: number
}

/** Bank account of the organisation that documents ask to pay to. */
export interface BankDetails {
  /** Name of the bank. Must not be blank. */
  bankName: string
  /** Name of the account holder. Must not be blank. */
  accountName: string
  /** Number of the bank account. Must be 4 to 34 letters and digits. */
  accountNumber: string
}

export interface Batch {
  /** The number of documents that were queued for submission. */
  queued: number
  /** The number of documents that were refused. */
  failed: number
  /** One result for each id, in the order of the request. */
  results: {
    /** The id from the request. */
    invoiceId: string
    /** `queued`: on its way to the tax authority. `failed`: refused. */
    result: "queued" | "failed"
    /** The number of the document. Null if you have no document with this id. */
    invoiceNumber: string | null
    /** Why the document was refused. Null if it was queued. */
    error: SubmitRefusal | null
  }[]
}

export interface BillingAccount {
  /** Unique identifier of the billing account (UUIDv7). */
  id: string
  /** Identifier of the organisation that owns the account. */
  organizationId: string
  /** Mode of `creditBalance`: `sandbox` or `live`. */
  mode: Mode
  /** Credits that can be spent now in this mode. */
  creditBalance: number
  /** A mail is sent when the live balance falls below this number of credits. 0 if the mail is off, and always 0 for a sandbox key. */
  lowBalanceThreshold: number
  /** Balance of each mode. An API key sees its own mode only. */
  balances: Balance[]
  /** When the account was opened. */
  createdAt: string
}

export interface BillingCancelSubscriptionBody {
  /** Why you cancel, at most 500 characters. Must not be blank. */
  reason?: string | undefined
}

export interface BillingChangeThresholdBody {
  /** Number of live credits below which a mail is sent, 0 to 100,000,000. 0 turns the mail off. */
  threshold: number
}

export interface BillingChangeThresholdReply {
  /** Number of live credits below which a mail is sent. 0 if the mail is off. */
  threshold: number
}

export interface BillingCheckBalanceQuery {
  /** Mode to read: `sandbox` or `live`. The mode of the token if left out. An API key reads its own mode only. */
  mode?: Mode | undefined
  /** Number of credits that you want to spend, 1 to 1,000,000,000. */
  credits: number
}

export interface BillingCheckBalanceReply {
  /** Mode of the balance: `sandbox` or `live`. */
  mode: Mode
  /** Whether the balance covers `credits` at this moment. */
  sufficient: boolean
  /** Credits that can be spent now. */
  creditBalance: number
  /** Number of credits that you asked about. */
  credits: number
}

export interface BillingGetAccountQuery {
  /** Mode to read: `sandbox` or `live`. The mode of the token if left out. An API key reads its own mode only. */
  mode?: Mode | undefined
}

export interface BillingGetStatsQuery {
  /** Mode to read: `sandbox` or `live`. The mode of the token if left out. An API key reads its own mode only. */
  mode?: Mode | undefined
}

export interface BillingListPaymentsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 50.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Only payments with this status. `pending`: the provider awaits payment. `succeeded`: paid. `failed`: declined. `expired`: the checkout ended unpaid, after an hour or because the subscription was cancelled. Money that arrives later still counts. `partially_refunded`, `refunded`: a part or all went back. `disputed`: the card owner objects. `charged_back`: the dispute was lost. */
  status?: "pending" | "succeeded" | "failed" | "expired" | "partially_refunded" | "refunded" | "disputed" | "charged_back" | undefined
  /** Only payments of this kind. `credit_purchase`: a package of credits. `subscription`: the first period of a plan. `renewal`: a later period. */
  kind?: "credit_purchase" | "subscription" | "renewal" | undefined
}

export interface BillingListRenewalsEntry {
  /** Identifier of the subscription (UUIDv7). */
  subscriptionId: string
  /** Code of the plan, such as `starter`. */
  planCode: string
  /** Number of the period, counted from 1. */
  number: number
  /** When the period begins. */
  startsAt: string
  /** When the period ends. */
  endsAt: string
  /** Price of the period, in minor units such as cents. */
  amountMinor: number
  /** Currency of the price, as an ISO 4217 code. */
  currency: string
  /** Whether the period is `paid` or `unpaid`. */
  status: "paid" | "unpaid"
  /** When the period was paid. Null until then. */
  paidAt: string | null
  /** Identifier of the payment that paid the period, or else of the latest attempt. Null before the first attempt. */
  paymentId: string | null
  /** Number of payments started for this period. */
  attempts: number
  /** How the payment in `paymentId` is made: `checkout` (a user pays on the provider’s page) or `saved_card`. Null before the first attempt. */
  method: "checkout" | "saved_card" | null
  /** Status of the payment in `paymentId`. `BillingPayment.status` explains the values. Null before the first attempt. */
  paymentStatus: "pending" | "succeeded" | "failed" | "expired" | "partially_refunded" | "refunded" | "disputed" | "charged_back" | null
}

export interface BillingListRenewalsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 50.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Only periods of this subscription (UUIDv7). */
  subscriptionId?: string | undefined
}

export interface BillingListSubscriptionsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 50.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface BillingPayment {
  /** Unique identifier of the payment (UUIDv7). */
  id: string
  /** What the payment is for. `credit_purchase`: a package of credits. `subscription`: the first period of a plan. `renewal`: a later period. */
  kind: "credit_purchase" | "subscription" | "renewal"
  /** `pending`: the provider awaits payment. `succeeded`: paid. `failed`: declined. `expired`: the checkout ended unpaid, after an hour or because the subscription was cancelled. Money that arrives later still counts. `partially_refunded`, `refunded`: a part or all went back. `disputed`: the card owner objects. `charged_back`: the dispute was lost. */
  status: "pending" | "succeeded" | "failed" | "expired" | "partially_refunded" | "refunded" | "disputed" | "charged_back"
  /** Payment provider that collects the money. */
  provider: "paystack" | "stripe"
  /** Currency of the payment, as an ISO 4217 code. */
  currency: "NGN" | "USD"
  /** Amount of the payment, in minor units such as cents. */
  amountMinor: number
  /** Amount that went back to the payer so far, in minor units. */
  refundedMinor: number
  /** What is paid for, as the checkout shows it. */
  description: string
  /** Credits that the payment has bought so far. */
  credits: number
  /** Identifier of the package that was bought. Null for plans. */
  packageId: string | null
  /** Identifier of the subscription that is paid for. Null for packages. */
  subscriptionId: string | null
  /** When the payment was started. */
  createdAt: string
  /** When the checkout can no longer be paid. */
  expiresAt: string
  /** When the payment succeeded. Null until then. */
  paidAt: string | null
  /** Page of the provider where the payment is made. Present only while the payment is `pending`. */
  checkoutUrl?: string | undefined
}

export interface BillingPaymentEventData {
  /** Unique identifier of the payment (UUIDv7). */
  paymentId: string
  /** `credit_purchase`: a package of credits. `subscription`: the first period of a plan. `renewal`: a later period. */
  kind: "credit_purchase" | "subscription" | "renewal"
  /** Status of the payment after the event. `pending`: the provider awaits payment. `succeeded`: paid. `failed`: declined. `expired`: the checkout ended unpaid, after an hour or because the subscription was cancelled. Money that arrives later still counts. `partially_refunded`, `refunded`: a part or all went back. `disputed`: the card owner objects. `charged_back`: the dispute was lost. */
  status: "pending" | "succeeded" | "failed" | "expired" | "partially_refunded" | "refunded" | "disputed" | "charged_back"
  /** Amount of the payment, in minor units such as cents. */
  amountMinor: number
  /** Refunded so far, in minor units such as cents. */
  refundedMinor: number
  /** ISO 4217 code, such as `NGN`. */
  currency: string
  /** How many credits it buys. */
  credits: number
  /** The subscription that it pays for. Only for subscriptions and renewals. */
  subscriptionId?: string | undefined
}

export interface BillingPurchaseBody {
  /** Identifier of the package (UUID). */
  packageId: string
  /** Currency that you pay in, as an ISO 4217 code. */
  currency: "NGN" | "USD"
  /** Path of the dashboard that the browser opens after the checkout, at most 500 characters. Must be a path of the dashboard that begins with one slash, such as /billing. */
  returnPath?: string | undefined
}

export interface BillingPurchaseReply {
  /** The payment that the checkout collects. */
  payment: BillingPayment
  /** Page of the payment provider. Send the browser there to pay. */
  checkoutUrl: string
}

export interface BillingReadLedgerQuery {
  /** Mode to read: `sandbox` or `live`. The mode of the token if left out. An API key reads its own mode only. */
  mode?: Mode | undefined
  /** First day, in the operator’s time zone. From the first entry on if left out. */
  from?: string | undefined
  /** Last day, in the operator’s time zone, which counts too. Today if left out. */
  to?: string | undefined
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 50.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Only entries of this type. `LedgerEntry.type` explains the values. */
  type?: "charge" | "refund" | "hold" | "capture" | "release" | "grant" | "purchase" | "settlement" | "reversal" | "debt" | "pool_out" | "pool_in" | "pool_return_out" | "pool_return_in" | undefined
  /** Only entries for this billable action, such as `invoice.submit`. Must not be blank. */
  action?: string | undefined
}

export interface BillingReadStatementQuery {
  /** Mode to read: `sandbox` or `live`. The mode of the token if left out. An API key reads its own mode only. */
  mode?: Mode | undefined
  /** First day, in the operator’s time zone. The first day of the month of `to` if left out. At most 366 days up to `to`. */
  from?: string | undefined
  /** Last day, in the operator’s time zone, which counts too. Today if left out. */
  to?: string | undefined
}

export interface BillingReadUsageQuery {
  /** Mode to read: `sandbox` or `live`. The mode of the token if left out. An API key reads its own mode only. */
  mode?: Mode | undefined
  /** First day, in the operator’s time zone. The 30 days that end with `to` if left out. At most 366 days up to `to`. */
  from?: string | undefined
  /** Last day, in the operator’s time zone, which counts too. Today if left out. */
  to?: string | undefined
}

export interface BillingRenewSubscriptionBody {
  /** Path of the dashboard that the browser opens after the checkout, at most 500 characters. Must be a path of the dashboard that begins with one slash, such as /billing. */
  returnPath?: string | undefined
}

export interface BillingStats {
  /** Mode of these figures: `sandbox` or `live`. */
  mode: Mode
  /** Credits that can be spent now. */
  creditBalance: number
  /** Credits held for actions in progress. They are spent or released when the action ends. */
  heldCredits: number
  /** Credits that were spent before their payment was returned. Later credits settle this debt first. */
  owedCredits: number
  /** Totals since the account was opened. */
  lifetime: {
    /** Credits from plans, free credits and refills of the sandbox. */
    grantedCredits: number
    /** Credits bought in packages, and credits that settled a debt. */
    purchasedCredits: number
    /** Credits taken back because their payment was refunded or disputed. */
    returnedCredits: number
    /** Credits that the parent organisation paid, less those that went back to it. */
    receivedFromParentCredits: number
    /** Credits spent on billable actions. */
    consumedCredits: number
  }
  /** Spending of the last 30 days. */
  last30Days: {
    /** Start of the 30 days. */
    from: string
    /** End of the 30 days: the time of this request. */
    to: string
    /** Credits spent in this time, in total. */
    totalCredits: number
    /** Credits spent on each billable action. */
    actions: {
      /** Name of the action, such as `invoice.submit`. */
      action: string
      /** Credits spent on this action. */
      credits: number
      /** Number of times that this action was charged. */
      count: number
    }[]
    /** Credits spent on each day. Days without spending are left out. */
    days: {
      /** Day in the operator’s time zone. */
      date: string
      /** Credits spent on this day. */
      credits: number
    }[]
  }
}

export interface BillingSubscribeBody {
  /** Code of the plan, such as `starter`. Must not be blank. */
  planCode: string
  /** How often you pay: `monthly` or `yearly`. */
  interval: "monthly" | "yearly"
  /** Currency that you pay in, as an ISO 4217 code. */
  currency: "NGN" | "USD"
  /** Path of the dashboard that the browser opens after the checkout, at most 500 characters. Must be a path of the dashboard that begins with one slash, such as /billing. */
  returnPath?: string | undefined
}

export interface BulkCounts {
  /** All documents of the job. */
  total: number
  /** Documents whose turn has not come yet. */
  waiting: number
  /** Documents on which the action was done. */
  done: number
  /** Documents on which the action was refused. */
  failed: number
  /** Documents that were left out because the job was cancelled or stopped. */
  skipped: number
}

export interface BulkDownload {
  /** The link to the ZIP file. It works without a token. */
  url: string
  /** When the link stops working. */
  expiresAt: string
}

export interface BulkFilter {
  /** Only documents in this currency (ISO 4217). Must not be blank. */
  currency?: string | undefined
  /** Only documents of the seller with this id. */
  sellerId?: string | undefined
  /** Only documents for the buyer with this id. */
  buyerId?: string | undefined
  /** Only documents issued on this day or later. */
  invoiceDateFrom?: string | undefined
  /** Only documents issued on this day or earlier. */
  invoiceDateTo?: string | undefined
  /** Only documents with an amount due, by the days since the due date. `not_due`: the due date has not passed, or there is none. `1_30`, `31_60`, `61_90`: days since the due date, from the first to the last. `over_90`: more than 90 days. A document with instalments has each of their ages. */
  age?: "not_due" | "1_30" | "31_60" | "61_90" | "over_90" | undefined
  /** `true`: only documents with an amount due, also partly paid ones. `false`: only those without, such as drafts and credit notes. */
  amountDue?: boolean | undefined
  /** `true`: only documents that count in turnover and tax, as in the overview. `false`: only drafts and rejected documents. */
  counted?: boolean | undefined
  /** Only documents that are not reported and whose deadline is at this time or earlier. */
  reportDueTo?: string | undefined
  /** Only notes that correct the invoice with this id. */
  originalInvoiceId?: string | undefined
  /** Only documents whose number or IRN starts with this text, or whose buyer has it in the name or tax number. Case does not matter. */
  search?: string | undefined
  /** Only documents with this status. `Invoice.status` explains the values. */
  status?: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled" | undefined
  /** Only documents of this type. `InvoiceType` explains the values. */
  invoiceType?: "standard" | "credit_note" | "debit_note" | undefined
  /** Only documents with this payment status. `Invoice.paymentStatus` explains the values. */
  paymentStatus?: "unpaid" | "partially_paid" | "paid" | "payment_failed" | undefined
  /** Only documents created by the user or API key with this id. */
  createdBy?: string | undefined
  /** Only documents created by this type of actor. `Actor.type` explains the values. */
  createdByType?: "user" | "api_key" | "service" | "system" | undefined
  /** Only documents due on this day or later: with instalments, by the next due date. */
  dueDateFrom?: string | undefined
  /** Only documents due on this day or earlier: with instalments, by the next due date. */
  dueDateTo?: string | undefined
  /** Only documents created at this time or later. */
  createdAtFrom?: string | undefined
  /** Only documents created before this time. */
  createdAtTo?: string | undefined
  /** Only documents with this `simpleStatus`. `Invoice.simpleStatus` explains the values. */
  simpleStatus?: "draft" | "issued" | "reported" | "delivered" | "paid" | "part_paid" | "cancelled" | undefined
  /** Only documents with this `reporting.status`. `Reporting.status` explains the values. */
  reporting?: "draft" | "not_reported" | "in_progress" | "reported" | "needs_attention" | undefined
  /** Only documents with this `reporting.delivery`. `Reporting.delivery` explains the values. */
  delivery?: "deliver_to_buyer" | "sent_email" | "shared_link" | "nrs" | "none" | undefined
  /** `true`: only invoices with credit notes. `false`: only without. */
  credited?: boolean | undefined
  /** `true`: only invoices with a refund owed. `false`: only without. */
  refundOwed?: boolean | undefined
  /** Only documents with a total of at least this amount, in minor units. */
  amountFromMinor?: number | undefined
  /** Only documents with a total of at most this amount, in minor units. */
  amountToMinor?: number | undefined
  /** `true`: only documents that are overdue. */
  overdue?: true | undefined
}

export interface BulkJob {
  /** Unique identifier of the bulk job (UUIDv7). */
  id: string
  /** What the job does with each document. `finalise`: issue a draft. `submit`: submit it to the tax authority. `send`: email it to its buyer. `remind`: remind the buyer of an unpaid invoice. `download`: collect the PDFs in one ZIP file. `delete`: delete a draft. */
  action: "finalise" | "submit" | "send" | "remind" | "download" | "delete"
  /** `running`: documents are still waiting. `done`: every document has its result. `cancelled`: a member cancelled the job. `stopped`: the member or API key that started it lost the permission, or it kept failing. */
  status: "running" | "done" | "cancelled" | "stopped"
  /** The number of documents with each outcome. */
  counts: BulkCounts
  /** When the job continues, if it waits for the hourly limit of mails of your organisation. Null otherwise. */
  continuesAt: string | null
  /** When the job was started. */
  createdAt: string
  /** When the job last made progress. */
  updatedAt: string
}

export interface BulkJobsListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface BulkJobsListResultsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Only documents with this outcome. `BulkResult.outcome` explains the values. */
  outcome?: "waiting" | "done" | "failed" | "skipped" | undefined
}

export interface BulkRefusal {
  /** The error code, as in an error response. */
  code: string
  /** The name of the refusal, as `error.reason` in an error response. */
  reason: string
  /** What is wrong and what to do, in English. */
  message: string
  /** The single problems. Empty if there is nothing to add to `message`. */
  details: Problem[]
}

export interface BulkResult {
  /** The id of the document. */
  invoiceId: string
  /** The number of the document when the job started. Null if you have no document with this id. */
  invoiceNumber: string | null
  /** `waiting`: its turn has not come yet. `done`: the action was done. `failed`: the action was refused, and nothing was changed. `skipped`: the job ended before its turn. */
  outcome: "waiting" | "done" | "failed" | "skipped"
  /** Why the action was refused. Null unless the outcome is `failed`. */
  error: BulkRefusal | null
}

export interface Buyer {
  /** Unique identifier of the buyer (UUIDv7). */
  id: string
  /** Name of the buyer, as documents show it. */
  name: string
  /** Name in the register of companies. Null if none is known. */
  legalName: string | null
  /** Tax number of the buyer. Null if none is known. */
  taxId: string | null
  /** Kind of tax number of the buyer. */
  taxIdType: TaxIdType
  /** What is known of the tax number of the buyer. */
  taxIdStatus: BuyerTaxIdStatus
  /** Email address that invoices are sent to. Null if none is known. */
  email: string | null
  /** Telephone number of the buyer (E.164). Null if none is known. */
  phone: string | null
  /** Postal address of the buyer. Null if none is known. */
  address: Address | null
  /** What the buyer is, such as a person or a company. */
  partyType: PartyType
  /** What the business of the buyer does. Null if nobody wrote it. */
  businessDescription: string | null
  /** Your own number or name for the buyer. Null if there is none. */
  reference: string | null
  /** Language of documents, public pages and mails for the buyer. Null if nobody chose one; then it is English. */
  language: Language | null
  /** When the buyer was created. */
  createdAt: string
  /** When the buyer last changed. */
  updatedAt: string
  /** When the buyer was archived. Null for a buyer that new invoices can name. */
  archivedAt: string | null
}

export interface BuyerAccountsDownloadQuery {
  /** Currency of the account (ISO 4217). The currency of your country if left out, or another one if the buyer has an account only in that. Must be a currency code such as NGN. */
  currency?: string | undefined
  /** First day, in the time zone of your organisation. If left out, the first day of the month of `to`, or of this month. */
  from?: string | undefined
  /** Last day, which counts too, in the time zone of your organisation. If left out, the last day of the month of `from`, or of this month. */
  to?: string | undefined
  /** Format of the file. `pdf` if left out. */
  format?: "pdf" | "csv" | undefined
}

export interface BuyerAccountsGetQuery {
  /** Currency of the account (ISO 4217). The currency of your country if left out, or another one if the buyer has an account only in that. Must be a currency code such as NGN. */
  currency?: string | undefined
  /** First day, in the time zone of your organisation. If left out, the first day of the month of `to`, or of this month. */
  from?: string | undefined
  /** Last day, which counts too, in the time zone of your organisation. If left out, the last day of the month of `from`, or of this month. */
  to?: string | undefined
  /**
   * The maximum number of lines.
   * Default: 100.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface BuyerAccountsListLinksQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface BuyerAccountsUnshareReply {
  /** Unique identifier of the link that no longer works. */
  id: string
}

export interface BuyerChange {
  /** Name of the buyer, as documents show it. Must not be blank. */
  name?: string | undefined
  /** Name in the register of companies, if it differs from `name`. Must not be blank. */
  legalName?: string | null | undefined
  /** Tax number of the buyer. Needed with every `taxIdType` except `none`. Must not be blank. */
  taxId?: string | null | undefined
  /** Kind of tax number. `tin` if you leave it out with a `taxId`, else `none`. */
  taxIdType?: TaxIdType | null | undefined
  /** Email address that invoices are sent to. */
  email?: string | null | undefined
  /** Telephone number of the buyer. Must be in E.164 form, such as +12025550143. */
  phone?: string | null | undefined
  /** Postal address of the buyer. */
  address?: NewAddress | null | undefined
  /** What the buyer is, such as a person or a company. `company` if you leave it out. */
  partyType?: PartyType | null | undefined
  /** What the business of the buyer does. */
  businessDescription?: string | null | undefined
  /** Your own number or name for the buyer. Must not be blank. */
  reference?: string | null | undefined
  /** Language of documents, public pages and mails for the buyer. English if there is none. */
  language?: Language | null | undefined
}

export interface BuyerCredit {
  /** Identifier of the buyer who has the credit. */
  buyerId: string
  /** Currency of the credit, as an ISO 4217 code. */
  currency: string
  /** Credit that is left to use, in minor units such as cents. */
  balanceMinor: number
}

export interface BuyerEmail {
  /** Unique identifier of the document that was mailed. Null for a statement of account. */
  invoiceId: string | null
  /** Number of the document that was mailed. Null for a statement of account. */
  invoiceNumber: string | null
  /** Currency and period of the statement of account that was mailed. Null for other emails. */
  statement: MailedStatement | null
  /** Email address that it was mailed to. */
  to: string
  /** What was mailed: the document itself (`document`), a reminder to pay it (`reminder`), a corrected version (`revised`), or a statement of account (`statement_of_account`). A reminder that was stopped before it left has a second entry, `reminder_not_sent`. */
  kind: "document" | "reminder" | "reminder_not_sent" | "revised" | "statement_of_account"
  /** When the email was sent. */
  sentAt: string
}

export interface BuyerEventData {
  /** Unique identifier of the buyer (UUIDv7). */
  buyerId: string
  /** Name of the buyer. */
  name: string
  /** Tax number of the buyer. Null if none is known. */
  taxId: string | null
  /** `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
  taxIdType: "tin" | "rn" | "foreign" | "none"
  /** What is known of the tax number after the event. `BuyerTaxIdStatus` explains the values. */
  taxIdStatus: "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"
}

export interface BuyerPayment {
  /** Unique identifier of the payment (UUIDv7). */
  id: string
  /** The invoice that was paid. */
  invoiceId: string
  /** The amount paid, in minor units of the currency of the invoice. */
  amountMinor: number
  /** The day on which the buyer paid. */
  paidOn: string
  /** How the buyer paid, such as `bank transfer`. Null if not recorded. */
  method: string | null
  /** A reference of the payment, such as that of the bank. Null if not recorded. */
  reference: string | null
  /** Who recorded the payment. */
  recordedBy: Actor
  /** When the payment was recorded. */
  recordedAt: string
  /** When the payment was reversed. Null while it counts. */
  reversedAt: string | null
  /** Number of the invoice that was paid. */
  invoiceNumber: string
  /** Where the money came from. `recorded`: a payment that you recorded. `transfer`: a transfer to a virtual account. `credit`: the credit of the buyer. */
  source: "recorded" | "transfer" | "credit"
  /** Currency of the amount, as a code of ISO 4217 such as `NGN`. */
  currency: string
}

export interface BuyerReminders {
  /** `by_plan`: gets reminders if the plan is for all buyers. `chosen`: gets reminders also if the plan is for chosen buyers only. `never`: gets none. */
  reminders: "by_plan" | "chosen" | "never"
}

export interface BuyerSetup {
  /** Values that `partyType` can have. */
  partyTypes: string[]
  /** Kinds of tax numbers that a buyer can have. */
  taxIdTypes: TaxIdKind[]
  /** Countries that an address can have. */
  countries: Country[]
}

/** What is known of a tax number. `unverified`: never checked. `pending`: a check runs. `verified`: the authority knows the number under this name. `not_found`: it does not know the number. `name_mismatch`: registered under another name. `unavailable`: the authority did not answer. `valid_off_network` and `checking` are reserved. */
export type BuyerTaxIdStatus = "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"

export interface BuyerVerification {
  /** Unique identifier of the buyer. */
  buyerId: string
  /** What is known of the tax number of the buyer. */
  taxIdStatus: BuyerTaxIdStatus
  /** Latest check of the tax number. Null if there was none. */
  verification: TaxIdCheck | null
}

export interface BuyersCheckReachabilityBody {
  /** Tax number to ask for. Must not be blank. */
  taxId: string
}

export interface BuyersDeleteManyBody {
  /** Unique identifiers of what to delete, 1 to 100. */
  ids: string[]
}

export interface BuyersDeleteReply {
  /** Unique identifier of the buyer. */
  id: string
  /** `deleted`, or `archived` if a document names the buyer. */
  outcome: "deleted" | "archived"
}

export interface BuyersGetReachabilityQuery {
  /** Tax number to ask for. Must not be blank. */
  taxId: string
}

export interface BuyersListPaymentsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface BuyersListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only buyers with these words in their name, legal name or tax number. */
  search?: string | undefined
  /** Return only buyers whose tax number has this status. */
  taxIdStatus?: BuyerTaxIdStatus | undefined
}

export interface BuyersSearchQuery {
  /** Words to search for in names and tax numbers, 2 to 100 characters. Must not be blank. */
  q: string
  /**
   * Number of results at most.
   * Default: 10.
   */
  limit?: number | undefined
}

export interface Capability {
  /** Name of the capability, such as `invoice.create`. */
  name: string
  /** What the capability allows, in a few words for people. */
  label: string
  /** Part of the service that the capability belongs to, such as `invoice`. */
  area: string
  /** True if the capability allows reading only. */
  readOnly: boolean
  /** True if an API key can hold the capability. */
  keyMayHold: boolean
}

export interface CatalogueGetPackageQuery {
  /** Only prices in this currency, as an ISO 4217 code. All currencies if left out. */
  currency?: "NGN" | "USD" | undefined
  /** Only plan prices for this interval: `monthly` or `yearly`. Both if left out. */
  interval?: "monthly" | "yearly" | undefined
}

export interface CatalogueGetPlanQuery {
  /** Only prices in this currency, as an ISO 4217 code. All currencies if left out. */
  currency?: "NGN" | "USD" | undefined
  /** Only plan prices for this interval: `monthly` or `yearly`. Both if left out. */
  interval?: "monthly" | "yearly" | undefined
}

export interface CatalogueListCostsEntry {
  /** Heading of this group of actions, for display. */
  section: string
  /** Billable actions of this group. */
  actions: {
    /** Name of the action, such as `invoice.submit`. */
    action: string
    /** Name of the action, for display. */
    label: string
    /** Number of credits that one such action costs. */
    credits: number
  }[]
}

export interface CatalogueListCostsQuery {
  /** Only prices in this currency, as an ISO 4217 code. All currencies if left out. */
  currency?: "NGN" | "USD" | undefined
  /** Only plan prices for this interval: `monthly` or `yearly`. Both if left out. */
  interval?: "monthly" | "yearly" | undefined
}

export interface CatalogueListOffersQuery {
  /** Only prices in this currency, as an ISO 4217 code. All currencies if left out. */
  currency?: "NGN" | "USD" | undefined
  /** Only plan prices for this interval: `monthly` or `yearly`. Both if left out. */
  interval?: "monthly" | "yearly" | undefined
}

export interface CatalogueListOffersReply {
  /** Plans, which add credits every month. */
  plans: Plan[]
  /** Packages of credits, which are bought once. */
  packages: CreditPackage[]
}

export interface CatalogueListPackagesQuery {
  /** Only prices in this currency, as an ISO 4217 code. All currencies if left out. */
  currency?: "NGN" | "USD" | undefined
  /** Only plan prices for this interval: `monthly` or `yearly`. Both if left out. */
  interval?: "monthly" | "yearly" | undefined
  /** Only packages that price pages show first (`true`), or only others (`false`). */
  featured?: boolean | undefined
}

export interface CatalogueListPlansQuery {
  /** Only prices in this currency, as an ISO 4217 code. All currencies if left out. */
  currency?: "NGN" | "USD" | undefined
  /** Only plan prices for this interval: `monthly` or `yearly`. Both if left out. */
  interval?: "monthly" | "yearly" | undefined
}

export interface ChangedOrganization {
  /** Unique identifier of the organisation (UUIDv7). */
  id: string
  /** Name of the organisation. */
  name: string
  /** Country of the organisation, as a code of ISO 3166-1 such as `NG`. */
  country: string
  /** Website of the organisation. Null if none is known. */
  website: string | null
  /** Email address for business with the organisation. Only if it changed. */
  contactEmail?: string | null | undefined
  /** Postal address of the organisation. Only if it changed. */
  address?: OrganizationAddress | null | undefined
  /** Logo on the documents of the organisation. Null if there is none; send null to remove it. */
  logo?: Logo | null | undefined
  /** Bank account that documents ask to pay to. Null if there is none; send null to remove it. */
  bankDetails?: BankDetails | null | undefined
}

export interface CodeList {
  /** Name of the code list. */
  type: "countries" | "currencies" | "tax-categories" | "payment-means" | "invoice-types" | "service-codes" | "tax-exemptions" | "product-codes" | "units" | "states" | "lgas"
  /** Version of the list, in the format of its source. */
  version: string
  /** First day on which this version is valid (YYYY-MM-DD). */
  effectiveFrom: string
  /** Where the list comes from: Risiti (`built-in`), a file of the operator (`import`), or the tax authority (`authority`). */
  source: "built-in" | "import" | "authority"
  /** Number of codes in the list. */
  count: number
  /** The codes of the list. */
  entries: {
    /** Code, as requests give it. */
    code: string
    /** What the code stands for, in words. */
    name: string
    /** Group that the code belongs to, such as a chapter or a state. */
    category?: string | undefined
    /** First day on which the code is valid (YYYY-MM-DD). Absent if there is none. */
    from?: string | undefined
    /** Last day on which the code is valid (YYYY-MM-DD). Absent if there is none. */
    to?: string | undefined
  }[]
}

export interface CollectionDeactivateAccountBody {
  /** Why the account is stopped, at most 500 characters. Must not be blank. */
  reason?: string | undefined
}

export interface CollectionException {
  /** Unique identifier of the payment (UUIDv7). */
  id: string
  /** Identifier of the virtual account that the money came into. */
  accountId: string
  /** Identifier of the buyer who paid. Null while it is unknown. */
  buyerId: string | null
  /** Amount that arrived, in minor units such as cents. It is the sum of the applied, credited, refunded and unmatched parts. */
  amountMinor: number
  /** Part applied to invoices, in minor units. */
  appliedMinor: number
  /** Part kept as the buyer’s credit, in minor units. */
  creditedMinor: number
  /** Part sent back, or taken back by the sender’s bank, in minor units. */
  refundedMinor: number
  /** Part that matches no invoice or buyer yet, in minor units. */
  unmatchedMinor: number
  /** Currency of the payment, as an ISO 4217 code. */
  currency: string
  /** `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
  reconciliationStatus: "pending" | "applied" | "overpaid" | "unmatched"
  /** Name of the sender, as the bank gave it. Null if the bank gave none. */
  senderName: string | null
  /** Text that the sender wrote on the transfer. Null if there is none. */
  narration: string | null
  /** Collection provider that received the money. */
  provider: "sandbox" | "monnify" | "paystack"
  /** The provider’s own reference of the transfer. */
  providerReference: string
  /** When the money arrived, as the provider says. */
  receivedAt: string
  /** When the sender’s bank took the money back. Null unless it did. */
  reversedAt: string | null
  /** Open differences between our records and the provider’s. Empty if the payment is only unmatched or overpaid. */
  differences: {
    /** On the provider’s statement of account: `missing_here` (we lacked it), `missing_there` (the provider lacks it), `amount`, `currency`, `refunded` (the refunded amounts differ). In the payout to the seller: `not_settled` (missing after four days), `settled_amount` (another amount), `settled_reversed` (paid out although the sender’s bank took it back). */
    kind: "missing_here" | "missing_there" | "amount" | "currency" | "refunded" | "not_settled" | "settled_amount" | "settled_reversed"
    /** Amount in our records, in minor units. Null if we have none. */
    oursMinor: number | null
    /** Amount in the provider’s records, in minor units. Null if it has none. */
    theirsMinor: number | null
    /** When the difference was found. */
    foundAt: string
  }[]
}

export interface CollectionGetAccountStatusReply {
  /** Identifier of the virtual account (UUIDv7). */
  id: string
  /** Status in our records. `active`: buyers can pay into it. `expired`: its end has passed. `deactivated`: it was stopped. */
  status: "active" | "expired" | "deactivated"
  /** Collection provider that holds the account. */
  provider: "sandbox" | "monnify" | "paystack"
  /** Status that the provider answered just now. `active`: buyers can pay into it. `expired`: its end has passed. `closed`: the provider closed it. `unknown`: the provider does not know the account. */
  providerStatus: "active" | "expired" | "closed" | "unknown"
  /** Account number that the buyer pays into. Must be an account number of 10 digits. */
  accountNumber: string
  /** When the provider was asked: the time of this request. */
  checkedAt: string
}

export interface CollectionListAccountsQuery {
  /** Only accounts of this seller (UUIDv7). */
  sellerId?: string | undefined
  /** Only accounts of this buyer (UUIDv7). */
  buyerId?: string | undefined
  /** Only accounts for this invoice (UUIDv7). */
  invoiceId?: string | undefined
  /** Only accounts at this collection provider. */
  provider?: "sandbox" | "monnify" | "paystack" | undefined
  /** Only accounts of this kind: `dynamic` or `persistent`. */
  mode?: "persistent" | "dynamic" | undefined
  /** Only accounts in this country. Must be an ISO 3166-1 alpha-2 country code, such as NG. */
  jurisdiction?: string | undefined
  /** Only accounts with this status: `active`, `expired` or `deactivated`. */
  status?: "active" | "expired" | "deactivated" | undefined
  /**
   * Number of the page, counted from 1; at most 1,000,000.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * Number of entries on a page, 1 to 100. 20 if left out.
   * Default: 20.
   */
  pageSize?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface CollectionListBanksEntry {
  /** Name of the bank. */
  name: string
  /** Code of the bank at the central bank. */
  code: string
  /** Code of the bank for instant transfers (NIP). Null if the provider does not know it. */
  nipCode: string | null
  /** Collection provider that settles to this bank. */
  provider: "sandbox" | "monnify" | "paystack"
}

export interface CollectionListBanksQuery {
  /** Country of the banks. Must be an ISO 3166-1 alpha-2 country code, such as NG. */
  jurisdiction: string
  /** Only banks that this provider settles to. This service chooses a provider if left out. */
  provider?: "sandbox" | "monnify" | "paystack" | undefined
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 100.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface CollectionListCreditsQuery {
  /** Only the credit of this buyer (UUIDv7). */
  buyerId?: string | undefined
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 50.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface CollectionListExceptionsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 50.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface CollectionListPaymentsQuery {
  /** Only payments with this status: `pending`, `applied`, `overpaid` or `unmatched`. */
  reconciliationStatus?: "pending" | "applied" | "overpaid" | "unmatched" | undefined
  /** Only payments of this buyer (UUIDv7). */
  buyerId?: string | undefined
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 50.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface CollectionListSettlementDaysQuery {
  /** First day, in your country’s time zone. The 30 days that end with `to` if left out, 93 days at most. */
  from?: string | undefined
  /** Last day, in your country’s time zone, which counts too. Today if left out. */
  to?: string | undefined
  /** Only days of this seller (UUIDv7). */
  sellerId?: string | undefined
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 50.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface CollectionListSettlementsPaidQuery {
  /** Only settlements of this seller (UUIDv7). */
  sellerId?: string | undefined
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 50.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface CollectionListSettlementsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface CollectionOpenAccountBody {
  /** Kind of account. `dynamic`: for one payment of a fixed amount. `persistent`: for payments over time. */
  mode: "persistent" | "dynamic"
  /** Country where the account is opened. Must be an ISO 3166-1 alpha-2 country code, such as NG. */
  jurisdiction: string
  /** Identifier of the seller who receives the money. The seller needs a settlement account. */
  sellerId: string
  /** Your own name for the account, unique in your organisation and mode. The same name with the same body returns the same account. Must not be blank. */
  reference: string
  /** Person or business that pays into the account. */
  customer: {
    /** Full name of the payer, at most 255 characters. Must not be blank. */
    name: string
    /** Given name of the payer, at most 100 characters. Must not be blank. */
    firstName?: string | undefined
    /** Family name of the payer, at most 100 characters. Must not be blank. */
    lastName?: string | undefined
    /** Telephone number of the payer. Must be in E.164 form, such as +12025550143. */
    phoneNumber?: string | undefined
    /** Email address of the payer, at most 254 characters. */
    email?: string | undefined
    /** Bank verification number of the payer. It is passed to the provider and not stored. Must have 11 digits. */
    bvn?: string | undefined
  }
  /** Currency of the account, as an ISO 4217 code. `NGN` if left out. */
  currency?: "NGN" | "USD" | "EUR" | "GBP" | undefined
  /** Reference of the account at the provider, 12 to 30 characters. For persistent accounts only. Must not be blank. */
  accountReference?: string | undefined
  /** Identifier of the invoice that payments are applied to. */
  invoiceId?: string | undefined
  /** Identifier of the buyer who pays. Payments are applied to the buyer’s open invoices, oldest first. */
  buyerId?: string | undefined
  /** Amount to be paid, in major units such as dollars. Required for dynamic accounts, not allowed for others. Must be an exact decimal number, as text or as a JSON number. */
  amount?: string | number | undefined
  /** When the account stops taking payments. For dynamic accounts only. */
  expiresAt?: string | undefined
  /** How the buyer pays into the account, at most 50 characters. Stored and returned as you send it. Must not be blank. */
  method?: string | undefined
  /** Provider that opens the account. This service chooses one if left out. */
  preferredProvider?: "sandbox" | "monnify" | "paystack" | undefined
  /** Largest amount of one transfer, in major units such as dollars. Some providers refuse it. Must be an exact decimal number, as text or as a JSON number. */
  fundingTransactionLimit?: string | number | undefined
  /** URL that receives the events of this account instead of your webhook endpoints. A webhook endpoint is created for it. Must not be blank. */
  callbackUrl?: string | undefined
}

export interface CollectionRefundPaymentBody {
  /** Amount to send back, in major units such as dollars. All that is left of the payment if left out. Must be an exact decimal number, as text or as a JSON number. */
  amount?: string | number | undefined
  /** Why the money goes back, at most 500 characters. Must not be blank. */
  reason?: string | undefined
}

export interface CollectionRegisterSettlementBody {
  /** Identifier of the seller who receives the money. */
  sellerId: string
  /** Code of the bank at the central bank, or for instant transfers (NIP). Must be the code of a bank, such as 058 or 000013. */
  bankCode: string
  /** Number of the bank account. Must be an account number of 10 digits. */
  accountNumber: string
  /** Currency of the bank account, as an ISO 4217 code. `NGN` if left out. */
  currency?: "NGN" | "USD" | "EUR" | "GBP" | undefined
  /** Country of the bank. `NG` if left out. Must be an ISO 3166-1 alpha-2 country code, such as NG. */
  jurisdiction?: string | undefined
  /** Name of the seller, at most 255 characters. The seller’s own name if left out. Must not be blank. */
  sellerName?: string | undefined
  /** Kind of party that the seller is. `PartyType` explains the values. The seller’s own kind if left out. */
  sellerType?: "individual" | "company" | "partnership" | "non_profit" | "government" | undefined
}

export interface CollectionResolveExceptionBody {
  /** Identifier of the invoice that was paid. Leave out `buyerId` then. */
  invoiceId?: string | undefined
  /** Identifier of the buyer who paid. Leave out `invoiceId` then. */
  buyerId?: string | undefined
}

export interface CollectionResolveSettlementBody {
  /** Code of the bank at the central bank, or for instant transfers (NIP). Must be the code of a bank, such as 058 or 000013. */
  bankCode: string
  /** Number of the bank account. Must be an account number of 10 digits. */
  accountNumber: string
  /** Country of the bank. `NG` if left out. Must be an ISO 3166-1 alpha-2 country code, such as NG. */
  jurisdiction?: string | undefined
}

export interface CollectionResolveSettlementReply {
  /** Number of the bank account. Must be an account number of 10 digits. */
  accountNumber: string
  /** Name of the account holder, as the bank gave it. */
  accountName: string
  /** Code of the bank at the central bank. */
  bankCode: string
  /** Code of the bank for instant transfers (NIP). Null if the provider does not know it. */
  bankNipCode: string | null
  /** Name of the bank. */
  bankName: string
}

export interface CollectionSendTransferBody {
  /** Number of the virtual account that the money goes to. Must be an account number of 10 digits. */
  accountNumber: string
  /** Amount of the transfer, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  amount: string | number
  /** Name of the sender, at most 200 characters. Must not be blank. */
  senderName?: string | undefined
  /** Text on the transfer, at most 200 characters. `#lost`, `#twice`, `#late` or `#forged` makes the notification misbehave. Must not be blank. */
  narration?: string | undefined
}

export interface CollectionSendTransferReply {
  /** Reference of the transfer at the simulated bank. */
  providerReference: string
  /** Number of the virtual account that the money goes to. Must be an account number of 10 digits. */
  accountNumber: string
  /** Amount of the transfer, in minor units such as cents. */
  amountMinor: number
  /** Always `on_its_way`: the payment is recorded a moment later. */
  status: "on_its_way"
}

export interface CollectionSettlement {
  /** Unique identifier of the settlement (UUIDv7). */
  id: string
  /** Identifier of the seller who was paid. */
  sellerId: string
  /** Collection provider that paid the money out. */
  provider: "sandbox" | "monnify" | "paystack"
  /** The provider’s own reference of the settlement. */
  providerReference: string
  /** `pending`: the provider is paying it out. `settled`: it was paid out. `failed`: it was not. */
  status: "pending" | "settled" | "failed"
  /** Currency of the settlement, as an ISO 4217 code. */
  currency: string
  /** Amount that reaches the seller’s bank account, in minor units such as cents. */
  amountMinor: number
  /** Fee that the provider took from the seller’s money, in minor units. 0 if the operator pays fees. */
  feeMinor: number
  /** Number of payments that the settlement pays out. */
  paymentCount: number
  /** When the money was paid out. Null while the settlement is pending or after it failed. */
  settledAt: string | null
  /** When this service first learned of the settlement from the provider. */
  foundAt: string
}

export interface ComingInvoice {
  /** The day of the invoice. */
  day: string
  /** First day that the invoice is for. */
  from: string
  /** Last day that the invoice is for. */
  to: string
  /** The due date of the invoice. Null if it will have none. */
  dueDate: string | null
  /** True if you skipped this period. */
  skipped: boolean
  /** The descriptions of the lines with placeholders replaced. A line without one has the name of its item, or null if the item was deleted. */
  descriptions: (string | null)[]
}

export interface ConfirmedTaxNumber {
  /** Unique identifier of the organisation. */
  organizationId: string
  /** The tax number that the authority confirmed. */
  taxNumber: string
}

export interface ConnectedProgram {
  /** Unique identifier of the connected program (UUIDv7). */
  id: string
  /** The program that was connected. */
  program: ProgramIdentity
  /** The person who connected the program, and for whom it acts. */
  person: ProgramPerson
  /** Unique identifier of the organisation in which the program acts. */
  organizationId: string
  /** Name of this organisation. */
  organizationName: string
  /** Mode in which the program acts. */
  mode: Mode
  /** What the tokens of the program are for: the whole API (`api`), or the tools at `/mcp` alone (`mcp`). There each change is confirmed. */
  resource: "api" | "mcp"
  /** Names of the capabilities that the program has, as far as the person holds them. */
  capabilities: string[]
  /** The limits that the person set. */
  limits: SpendingLimits
  /** What the program confirmed today, by the calendar of the organisation. */
  spentToday: ProgramSpending
  /** When the person connected the program. */
  createdAt: string
  /** When the program last got a token, which it needs every 15 minutes. Null if it never did. */
  lastUsedAt: string | null
  /** When the program stops working unless it gets a token before. */
  expiresAt: string
}

export interface ConnectedProgramChange {
  /** Names of the capabilities that the program keeps. It cannot get new ones. */
  capabilities?: ("organization.read" | "api_key.read" | "billing.account.read" | "billing.usage.read" | "billing.ledger.read" | "billing.statement.read" | "billing.payment.read" | "billing.subscription.read" | "collection.read" | "webhook.endpoint.read" | "webhook.endpoint.test" | "webhook.delivery.read" | "webhook.delivery.redeliver" | "invoice.read" | "invoice.stats.read" | "invoice.create" | "invoice.update_draft" | "invoice.delete_draft" | "invoice.finalise" | "invoice.validate" | "invoice.submit" | "invoice.retry" | "invoice.query_status" | "invoice.cancel" | "invoice.record_payment" | "invoice.send_to_buyer" | "invoice.download_pdf" | "invoice.download_authority_copy" | "invoice.reopen" | "invoice.share" | "invoice.inbound.read" | "reference.read" | "tax_id.lookup" | "buyer.read" | "buyer.create" | "buyer.update" | "buyer.delete" | "buyer.verify_tax_id" | "item.read" | "item.create" | "item.update" | "item.archive" | "seller.read" | "tax_connection.read")[] | undefined
  /** All limits of the program from now on. */
  limits?: SpendingLimits | undefined
}

export interface Country {
  /** Code of the country (ISO 3166-1 alpha-2), such as `NG`. */
  code: string
  /** Name of the country, in English. */
  name: string
}

export interface CreditPackage {
  /** Unique identifier of the package (UUID). It is never reused. */
  id: string
  /** Name of the package, for display. */
  name: string
  /** Number of credits in the package. */
  credits: number
  /** Whether price pages show this package first. */
  featured: boolean
  /** One price for each currency. */
  prices: {
    /** Currency of the price, as an ISO 4217 code. */
    currency: "NGN" | "USD"
    /** Price of the package, in minor units such as cents. */
    amountMinor: number
  }[]
}

export interface DeletedBuyers {
  /** Unique identifiers of the buyers that were deleted. */
  deleted: string[]
  /** Unique identifiers of the buyers that were archived, because a document names them. */
  archived: string[]
  /** Unique identifiers that no buyer has. */
  notFound: string[]
}

export interface DeletedInvoice {
  /** The id of the draft that was deleted. */
  id: string
  /** The number of the deleted draft. It is never used again. */
  invoiceNumber: string
  /** Always `true`: the draft is deleted. */
  deleted: true
}

export interface Delivery {
  /** Unique identifier of the delivery (UUIDv7). */
  id: string
  /** Unique identifier of the endpoint. */
  endpointId: string
  /** Unique identifier of the event. */
  eventId: string
  /** Type of the event, such as `invoice.created`. */
  type: string
  /** `pending`: waits to be sent, for the first time or again after a person asked for it or the endpoint was enabled. `delivering`: is being sent. `retrying`: waits for its next attempt. `delivered`: the receiver took it. `failed`: it was given up. */
  status: "pending" | "delivering" | "retrying" | "delivered" | "failed"
  /** True if the payload is made up to try the endpoint. */
  test: boolean
  /** Number of attempts so far. */
  attemptCount: number
  /** HTTP status of the last reply. Null if there was none. */
  lastStatusCode: number | null
  /** Why the delivery has the status `failed`, such as `attempts_exhausted`. Null for other statuses. */
  failureReason: string | null
  /** When the next attempt is due. Null if none is. */
  nextAttemptAt: string | null
  /** When the delivery was created. */
  createdAt: string
  /** When the delivery ended, delivered or failed. Null until it does. */
  completedAt: string | null
}

export interface DeliveryAttempt {
  /** Number of the attempt, from 1. */
  number: number
  /** When the attempt was sent. */
  at: string
  /** Milliseconds until the reply was complete. Null while the attempt is under way. */
  latencyMs: number | null
  /** HTTP status of the reply. Null if there was none. */
  statusCode: number | null
  /** Why the attempt failed. `status`: the HTTP status was not 2xx. `connection_failed`: no connection. `timeout`: no reply in time. `broken_answer`: a broken reply. `interrupted`: our process stopped. Null if it succeeded. */
  error: "status" | "connection_failed" | "timeout" | "broken_answer" | "interrupted" | null
  /** First 1,024 bytes of the reply. Null if there was none. */
  response: string | null
  /** Headers of the request, including the signature. The service calculates them again with the current secrets, so the signature differs if you have replaced the secret since. Only in the reply about one delivery, and only for attempts that have ended. */
  requestHeaders?: Record<string, string> | undefined
}

export interface Download {
  /** The link to the file. It works without a token. */
  url: string
  /** When the link stops working. */
  expiresAt: string
  /** The media type of the file. */
  contentType: "application/pdf" | "application/xml"
  /** The SHA-256 hash of the file, as 64 hexadecimal digits. */
  sha256: string
}

export interface EndedQuoteLink {
  /** Unique identifier of the quote. */
  id: string
}

export interface Event {
  /** Unique identifier of the event (UUIDv7). */
  id: string
  /** Type of the event, such as `invoice.created`. */
  type: string
  /** Version of the event type, from 1. It grows when the form of the payload changes. */
  version: number
  /** Mode that it happened in. Null if it concerns the organisation as a whole. */
  mode: Mode | null
  /** Whether it happened in one mode (`mode`) or to the organisation as a whole (`organization`). */
  scope: "mode" | "organization"
  /** Unique identifier of the organisation that it happened in. */
  organizationId: string
  /** When the event happened. */
  createdAt: string
  /** Payload of the event and version of the object. */
  data: {
    /** Payload of the event. Its fields depend on the type. */
    object: Record<string, unknown>
    /** Grows with every change of the object. Drop an event that is older than what you have. */
    objectVersion?: number | undefined
  }
  /** Position of the event. Send it as `after` to read the events that follow. */
  cursor: string
  /** Exact body, as text, that an endpoint of the requested `format` receives. Null if the format does not have the type. Only if you sent `format`. */
  payload?: string | null | undefined
}

export interface EventEnvelope {
  /** Unique identifier of the event, the same at every attempt. */
  id: string
  /** The type of the event. */
  type: string
  /** Version of the payload of this type. */
  version: number
  /** The mode that it happened in. Null if it concerns the organisation as a whole. */
  mode: Mode | null
  /** Whether it happened in one mode (`mode`) or to the organisation as a whole (`organization`). */
  scope: "mode" | "organization"
  /** The organisation that it happened in. */
  organizationId: string
  /** When the event happened. */
  createdAt: string
  /** True if it is a test with made-up data. */
  test?: boolean | undefined
  /** The payload, and the version of the object that it describes. */
  data: {
    /** The payload of the type. */
    object: Record<string, never>
    /** Grows with every change of the object. Drop an event that is older than what you have. */
    objectVersion?: number | undefined
  }
}

export interface ExchangeRate {
  /** The foreign currency (ISO 4217). Must be a currency code such as USD. */
  currency: string
  /** The day on which the rate counts. */
  day: string
  /** Units of your currency for one unit of the foreign one, as a decimal number in text, such as `1536.25`. Must be a decimal number with at most 9 digits before and 10 after the point. */
  rate: string
}

export interface ExchangeRateFile {
  /** The text of the CSV file, with commas, semicolons or tabs between its columns. */
  content: string
}

export interface ExchangeRatesToSave {
  /** The rates to save, 1 to 1,000. */
  rates: ExchangeRate[]
}

export interface FinalInvoiceOfQuote {
  /** The day of issue of the document. Today if left out. */
  invoiceDate?: string | undefined
  /** The day on which payment is due. Not before `invoiceDate`. */
  dueDate?: string | null | undefined
  /** `true`: the document is issued at once. `false`, the default: it stays a draft. */
  finalise?: boolean | undefined
  /** The days on which parts of the total are due, oldest first. All have `percent`, or all have `amount`. `null` removes them. The due date of the document is that of the last instalment. */
  instalments?: QuoteInstalment[] | null | undefined
}

export interface FinalisedInvoice {
  /** Unique identifier of the document (UUIDv7). */
  id: string
  /** The number of the document in your own series. */
  invoiceNumber: string
  /** The type of document. `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
  invoiceType: InvoiceType
  /** The seller that issues the document. Null while a draft has no seller. */
  sellerId: string | null
  /** The buyer of the document. Null for a document without a saved buyer. */
  buyerId: string | null
  /** Name and tax number of the buyer. A draft shows the current values, an issued document the values at its issue. Null without a buyer. */
  buyer: InvoiceBuyer | null
  /** The day of issue of the document. */
  invoiceDate: string
  /** The day on which payment is due, with instalments the last one. Null if the sender set none. */
  dueDate: string | null
  /** The days on which parts of the total are due, oldest first. Payments and credit notes settle the oldest first. Null if the whole total is due on one day. */
  instalments: Instalment[] | null
  /** The day on which the next payment is due: that of the oldest unpaid instalment, or `dueDate`. Null if nothing is left to pay, or without a due date. */
  nextDueDate: string | null
  /** The amount due on `nextDueDate`, in minor units. */
  nextDueMinor: number
  /** The part of `dueMinor` whose day has passed, in minor units. */
  overdueMinor: number
  /** The day of the supply, if it differs from the day of issue. Null if both are the same. */
  supplyDate: string | null
  /** The currency of all amounts of the document (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The status in one word. The first that applies: `cancelled`, `paid`, `part_paid`, `delivered` (reached the buyer), `reported` (the tax authority has it), `draft`, `issued`. */
  simpleStatus: "draft" | "issued" | "reported" | "delivered" | "paid" | "part_paid" | "cancelled"
  /** The sum of the lines before tax, in minor units. */
  netMinor: number
  /** The discount on the whole document, in minor units. */
  allowanceMinor: number
  /** The charge added to the whole document, in minor units. */
  chargeMinor: number
  /** The tax on the document, in minor units. */
  taxMinor: number
  /** The amount that rounding adds or takes away, in minor units. Can be negative. */
  roundingMinor: number
  /** The total of the document with tax, in minor units. */
  payableMinor: number
  /** The sum of the recorded payments, in minor units. */
  paidMinor: number
  /** The sum of the credit notes against this invoice, in minor units. */
  creditedMinor: number
  /** The amount still to be paid, in minor units. Zero on a credit note. */
  dueMinor: number
  /** The amount that the buyer paid beyond the total after credit notes, in minor units. */
  refundOwedMinor: number
  /** Whether an amount is still due after its due date: `overdueMinor` is above zero. */
  overdue: boolean
  /** The tax of the document, one entry for each tax category and rate. */
  taxes: TaxGroup[]
  /** The invoice that a note corrects. Null for an invoice. */
  originalInvoiceId: string | null
  /** The number of the invoice that a note corrects. Null for an invoice. */
  originalInvoiceNumber: string | null
  /** Why a credit note or debit note was issued. Null for an invoice. */
  reason: string | null
  /** The state of the report to the tax authority. */
  reporting: Reporting
  /** When the document was issued. Null for a draft. */
  finalisedAt: string | null
  /** When the document was last submitted to the tax authority. Null if never. */
  submittedAt: string | null
  /** When the document was last emailed to the buyer. Null if never. */
  sentAt: string | null
  /** When the public link was created. Null without a public link. */
  sharedAt: string | null
  /** Who created the document. */
  createdBy: Actor
  /** When the document was created. */
  createdAt: string
  /** When the document last changed. */
  updatedAt: string
  /** `draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `signed`: registered there. `transmitted`: passed on to the buyer. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancellation_pending`: its credit note waits for the tax authority. `cancelled`: taken back. */
  status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
  /** Seller and buyer by kind: business (`B`), consumer (`C`) or government (`G`). Must not be blank. */
  invoiceKind: InvoiceKind
  /** How much of the document is paid. `unpaid`: nothing was paid. `partially_paid`: a part was. `paid`: something was paid, and nothing is left after credit notes. `payment_failed`: you declared it, and nothing was paid since. */
  paymentStatus: "unpaid" | "partially_paid" | "paid" | "payment_failed"
  /** The time of day of the issue. Null if the sender set none. */
  issueTime: string | null
  /** The discount on the whole document, in major units such as dollars. */
  allowanceAmount: string
  /** The charge added to the whole document, in major units such as dollars. */
  chargeAmount: string
  /** The first day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodStart: string | null
  /** The last day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodEnd: string | null
  /** The number of the purchase order of the buyer. Null if not set. */
  purchaseOrderReference: string | null
  /** A reference that the buyer asks for, such as a department. Null if not set. */
  buyerReference: string | null
  /** The number of the contract that the invoice belongs to. Null if not set. */
  contractReference: string | null
  /** The number of the quote or proforma invoice that the invoice follows. Null if not set. */
  quoteReference: string | null
  /** Where the buyer books the invoice, such as a cost centre. Null if not set. */
  accountingCost: string | null
  /** The payment terms, printed on the document. Null if not set. */
  paymentTerms: string | null
  /** Remarks for the buyer, printed on the document. Null if not set. */
  notes: string | null
  /** The exchange rate that was entered on the document, as a decimal number. Null if none was. */
  exchangeRate: string | null
  /** The tax in the currency of your country, fixed when the document is issued. Null on drafts, in the currency of your country, and if no rate was known. */
  homeTax: HomeTax | null
  /** The lines of the document, in their order. */
  lineItems: InvoiceLine[]
  /** Problems that did not stop the operation: characters that the PDF cannot show, and addresses that the new version was not sent to. */
  warnings: Problem[]
}

export interface HomeTax {
  /** The currency of your country (ISO 4217). */
  currency: string
  /** The tax of the document in this currency, in minor units. */
  taxMinor: number
  /** What one unit of the currency of the document costs in this currency, as a decimal number. */
  exchangeRate: string
  /** The day of the rate: the issue date or one of the 7 days before. A note has the day of the rate of its original. */
  rateDay: string
  /** `entered`: the sender entered the rate on the document. `original`: a note has the rate of the document that it corrects. `table`: it is from your exchange rates. */
  source: "entered" | "original" | "table"
}

export interface IdentityChangePasswordBody {
  /** Current password of your account. */
  currentPassword: string
  /** New password, 8 to 128 characters. Passwords that are often used are refused. */
  newPassword: string
}

export interface IdentityChangePasswordReply {
  /** Always true. The new password is in force. */
  passwordChanged: boolean
  /** Number of your other sessions that were ended. */
  sessionsEnded: number
}

export interface IdentityConfirmTotpBody {
  /** Six-digit code that the authenticator app shows now. Must not be blank. */
  code: string
}

export interface IdentityConfirmTotpReply {
  /** Ten codes, shown only once. Each replaces a code of the app one time. */
  recoveryCodes: string[]
}

export interface IdentityDisableTotpBody {
  /** Current password of your account. */
  password: string
  /** Code of the authenticator app, or a recovery code. Must not be blank. */
  code: string
}

export interface IdentityDisableTotpReply {
  /** Always false. Signing in asks for the password alone. */
  totpEnabled: boolean
}

export interface IdentityEndSessionReply {
  /** Unique identifier of the session that ended. */
  id: string
  /** Always true. The session and its tokens no longer work. */
  ended: boolean
}

export interface IdentityEnrolTotpBody {
  /** Current password of your account. */
  password: string
}

export interface IdentityEnrolTotpReply {
  /** Secret to type into an authenticator app that cannot read the QR code. */
  secret: string
  /** `otpauth://` address of the secret. Show it as a QR code to the authenticator app. */
  uri: string
}

export interface IdentityForgotPasswordBody {
  /** Email address of the account. */
  email: string
}

export interface IdentityForgotPasswordReply {
  /** Email address of the account. */
  email: string
}

export interface IdentityIssueKeyTokenReply {
  /** Access token of the API key, sent as `Authorization: Bearer …`. */
  accessToken: string
  /** How the access token is sent. Always `Bearer`. */
  tokenType: "Bearer"
  /** Seconds until the access token expires, counted from this reply. */
  expiresIn: number
  /** Unique identifier of the organisation that the API key belongs to. */
  organizationId: string
  /** Mode that the API key works in. */
  mode: Mode
}

export interface IdentityLogInBody {
  /** Email address of the account. */
  email: string
  /** Password of the account. */
  password: string
  /** Code of the authenticator app, or a recovery code. Needed if the account has a second factor. Must not be blank. */
  code?: string | undefined
  /** Mode to sign in to. `sandbox` if you leave it out. */
  mode?: Mode | undefined
}

export interface IdentityLogOutReply {
  /** Always true. The session and its tokens no longer work. */
  ended: boolean
}

export interface IdentityRefreshSessionBody {
  /** Refresh token of the last reply that had one. */
  refreshToken: string
}

export interface IdentityRegisterBody {
  /** Email address to sign in with. A six-digit code is sent to it. */
  email: string
  /** Password, 8 to 128 characters. Passwords that are often used are refused. */
  password: string
  /** First name of the person. Must be a name that is not blank and contains no web address, domain or email address. */
  firstName: string
  /** Last name of the person. Must be a name that is not blank and contains no web address, domain or email address. */
  lastName: string
  /** Name of the business that is registered with the person. Must be a name that is not blank and contains no web or email address; a domain such as Acme.com is allowed. */
  organizationName: string
  /** Country of the business. Must be an ISO 3166-1 alpha-2 country code, such as NG. */
  country: string
}

export interface IdentityRegisterReply {
  /** Email address that the code was sent to. */
  email: string
  /** Always false. The address is verified with the code from the mail. */
  emailVerified: boolean
}

export interface IdentityResendVerificationBody {
  /** Email address of the account. */
  email: string
}

export interface IdentityResendVerificationReply {
  /** Email address of the account. */
  email: string
}

export interface IdentityResetPasswordBody {
  /** Email address of the account. */
  email: string
  /** Six-digit code from the mail. Must be the six digits from the mail. */
  code: string
  /** New password, 8 to 128 characters. Passwords that are often used are refused. */
  password: string
}

export interface IdentityResetPasswordReply {
  /** Always true. The new password is in force. */
  passwordChanged: boolean
}

export interface IdentitySwitchModeBody {
  /** Mode to switch the session to. */
  mode: Mode
}

export interface IdentityVerifyEmailBody {
  /** Email address that was registered. */
  email: string
  /** Six-digit code from the mail. It works once, for 15 minutes and five attempts. Must be the six digits from the mail. */
  code: string
}

export interface Import {
  /** Unique identifier of the import (UUIDv7). */
  id: string
  /** What the file contains: `buyers`, `items` or `invoices`. */
  kind: "buyers" | "items" | "invoices"
  /** The name of the file, as the sender gave it. */
  fileName: string
  /** `checking`: the rows are being checked. `checked`: ready to run. `running`: records are being created. `done`: finished. `undoing`: records are being taken back. `undone`: taken back. `stopped`: credits ran out, the permission is missing, or it kept failing; it can be continued. */
  status: "checking" | "checked" | "running" | "done" | "undoing" | "undone" | "stopped"
  /** The columns of the file and the fields that they fill. */
  columns: ImportColumn[]
  /** The number of records of the file in each state. */
  counts: ImportCounts
  /** When the file was sent. */
  createdAt: string
  /** When the import last changed. */
  updatedAt: string
}

export interface ImportColumn {
  /** The name of the column, from the first row of the file. */
  column: string
  /** The field that the column fills. Null if the column is ignored. */
  field: string | null
}

export interface ImportCounts {
  /** Records that are not checked yet. */
  unchecked: number
  /** Records without faults that `run` will create. */
  ready: number
  /** Records with faults. `run` leaves them out. */
  faulty: number
  /** Records that the import has created. */
  made: number
  /** Created records that were taken back. */
  undone: number
  /** Created records that were not taken back because they are in use. */
  kept: number
}

export interface ImportFault {
  /** The row of the file, counted from 1 with the header. */
  row: number
  /** The name of the column. Null if the fault is about the whole row. */
  column: string | null
  /** What is wrong and what would be right, in English. */
  message: string
}

export interface ImportField {
  /** The name of the field, as `columns` of a new import takes it. */
  field: string
  /** The name of the field for people, in English. */
  label: string
  /** Whether a file without this field is refused. */
  needed: boolean
  /** Whether the field belongs to an invoice line. Each row is one line. */
  ofLine: boolean
}

export interface ImportKind {
  /** What such a file contains: `buyers`, `items` or `invoices`. */
  kind: "buyers" | "items" | "invoices"
  /** The fields that columns of such a file can fill. */
  fields: ImportField[]
}

export interface ImportReport {
  /** Unique identifier of the import (UUIDv7). */
  id: string
  /** What the file contains: `buyers`, `items` or `invoices`. */
  kind: "buyers" | "items" | "invoices"
  /** The name of the file, as the sender gave it. */
  fileName: string
  /** `checking`: the rows are being checked. `checked`: ready to run. `running`: records are being created. `done`: finished. `undoing`: records are being taken back. `undone`: taken back. `stopped`: credits ran out, the permission is missing, or it kept failing; it can be continued. */
  status: "checking" | "checked" | "running" | "done" | "undoing" | "undone" | "stopped"
  /** The columns of the file and the fields that they fill. */
  columns: ImportColumn[]
  /** The number of records of the file in each state. */
  counts: ImportCounts
  /** When the file was sent. */
  createdAt: string
  /** When the import last changed. */
  updatedAt: string
  /** The faults of the file in the order of its rows, at most 1,000. */
  faults: ImportFault[]
}

export interface ImportsListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface Instalment {
  /** The day on which this part is due. */
  dueDate: string
  /** The part of the total in percent, as a decimal number. Null if an amount was sent. */
  percent: string | null
  /** The amount of this part, in minor units. */
  amountMinor: number
  /** What payments and credit notes have left of this part, in minor units. */
  dueMinor: number
  /** `unpaid`: nothing of it is paid. `partially_paid`: a part is. `paid`: nothing is left to pay of it, also because of credit notes. `overdue`: something is left after its due date, even if a part is paid. */
  status: "unpaid" | "partially_paid" | "paid" | "overdue"
}

export interface Invitation {
  /** Unique identifier of the invitation (UUIDv7). */
  id: string
  /** Email address that the invitation was sent to. */
  email: string
  /** Full name of the invited person, as the sender gave it. */
  fullName: string
  /** Role that the person gets on joining. */
  role: RoleRef
  /** Names of the capabilities that the person gets beside the role. */
  customPermissions: string[]
  /** Message of the sender in the mail. Null if there is none. */
  message: string | null
  /** Status of the invitation: not answered yet (`pending`), `accepted`, taken back (`withdrawn`), or `expired`. */
  status: "pending" | "accepted" | "withdrawn" | "expired"
  /** Unique identifier of the member who sent the invitation. */
  invitedBy: string
  /** When the invitation was created. */
  createdAt: string
  /** When the code in the mail expires, seven days after it was sent. */
  expiresAt: string
}

export interface InvitationPreview {
  /** Organisation that invites you. */
  organization: {
    /** Name of the organisation. */
    name: string
    /** Country of the organisation, as a code of ISO 3166-1 such as `NG`. */
    country: string
  }
  /** Email address that the invitation was sent to. */
  email: string
  /** Full name of the invited person, as the sender gave it. */
  fullName: string
  /** Role that you get on joining. */
  role: {
    /** Name of the role for programs, such as `ADMIN`. */
    name: string
    /** Name of the role for people, such as `Admin`. */
    label: string
  }
  /** Full name of the member who sent the invitation. */
  invitedBy: string
  /** Message of the sender. Null if there is none. */
  message: string | null
  /** When the invitation expires. */
  expiresAt: string
}

export interface InvitationsAcceptBody {
  /** Code from the mail, eight characters. Spaces and hyphens are ignored. Must not be blank. */
  invitationCode: string
}

export interface InvitationsAcceptWithNewAccountBody {
  /** Code from the mail, eight characters. Spaces and hyphens are ignored. Must not be blank. */
  invitationCode: string
  /** Email address that the mail was sent to. */
  email: string
  /** Password of the new account, 8 to 50 characters. If the address has an account already, the password of that account. */
  password: string
  /** First name of the person. Ignored if the account exists. Must be a name that is not blank and contains no web address, domain or email address. */
  firstName: string
  /** Last name of the person. Ignored if the account exists. Must be a name that is not blank and contains no web address, domain or email address. */
  lastName: string
}

export interface InvitationsCreateBody {
  /** Email address of the person to invite. The mail with the code goes there. */
  email: string
  /** Full name of the person to invite. Must be a name that is not blank and contains no web address, domain or email address. */
  fullName: string
  /** Unique identifier of the role that the person gets on joining. `MEMBER` if you leave it out. */
  roleId?: string | undefined
  /** Message for the mail, without web or email addresses. Must not be blank or contain a web or email address. */
  message?: string | undefined
}

export interface InvitationsListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only invitations with this status: `pending` (the default), `accepted`, `withdrawn` or `expired`. */
  status?: "pending" | "accepted" | "withdrawn" | "expired" | undefined
}

export interface InvitationsPreviewBody {
  /** Code from the mail, eight characters. Spaces and hyphens are ignored. Must not be blank. */
  invitationCode: string
  /** Email address that the mail was sent to. */
  email: string
}

export interface Invoice {
  /** Unique identifier of the document (UUIDv7). */
  id: string
  /** The number of the document in your own series. */
  invoiceNumber: string
  /** The type of document. `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
  invoiceType: InvoiceType
  /** The seller that issues the document. Null while a draft has no seller. */
  sellerId: string | null
  /** The buyer of the document. Null for a document without a saved buyer. */
  buyerId: string | null
  /** Name and tax number of the buyer. A draft shows the current values, an issued document the values at its issue. Null without a buyer. */
  buyer: InvoiceBuyer | null
  /** The day of issue of the document. */
  invoiceDate: string
  /** The day on which payment is due, with instalments the last one. Null if the sender set none. */
  dueDate: string | null
  /** The days on which parts of the total are due, oldest first. Payments and credit notes settle the oldest first. Null if the whole total is due on one day. */
  instalments: Instalment[] | null
  /** The day on which the next payment is due: that of the oldest unpaid instalment, or `dueDate`. Null if nothing is left to pay, or without a due date. */
  nextDueDate: string | null
  /** The amount due on `nextDueDate`, in minor units. */
  nextDueMinor: number
  /** The part of `dueMinor` whose day has passed, in minor units. */
  overdueMinor: number
  /** The day of the supply, if it differs from the day of issue. Null if both are the same. */
  supplyDate: string | null
  /** The currency of all amounts of the document (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The status in one word. The first that applies: `cancelled`, `paid`, `part_paid`, `delivered` (reached the buyer), `reported` (the tax authority has it), `draft`, `issued`. */
  simpleStatus: "draft" | "issued" | "reported" | "delivered" | "paid" | "part_paid" | "cancelled"
  /** The sum of the lines before tax, in minor units. */
  netMinor: number
  /** The discount on the whole document, in minor units. */
  allowanceMinor: number
  /** The charge added to the whole document, in minor units. */
  chargeMinor: number
  /** The tax on the document, in minor units. */
  taxMinor: number
  /** The amount that rounding adds or takes away, in minor units. Can be negative. */
  roundingMinor: number
  /** The total of the document with tax, in minor units. */
  payableMinor: number
  /** The sum of the recorded payments, in minor units. */
  paidMinor: number
  /** The sum of the credit notes against this invoice, in minor units. */
  creditedMinor: number
  /** The amount still to be paid, in minor units. Zero on a credit note. */
  dueMinor: number
  /** The amount that the buyer paid beyond the total after credit notes, in minor units. */
  refundOwedMinor: number
  /** Whether an amount is still due after its due date: `overdueMinor` is above zero. */
  overdue: boolean
  /** The tax of the document, one entry for each tax category and rate. */
  taxes: TaxGroup[]
  /** The invoice that a note corrects. Null for an invoice. */
  originalInvoiceId: string | null
  /** The number of the invoice that a note corrects. Null for an invoice. */
  originalInvoiceNumber: string | null
  /** Why a credit note or debit note was issued. Null for an invoice. */
  reason: string | null
  /** The state of the report to the tax authority. */
  reporting: Reporting
  /** When the document was issued. Null for a draft. */
  finalisedAt: string | null
  /** When the document was last submitted to the tax authority. Null if never. */
  submittedAt: string | null
  /** When the document was last emailed to the buyer. Null if never. */
  sentAt: string | null
  /** When the public link was created. Null without a public link. */
  sharedAt: string | null
  /** Who created the document. */
  createdBy: Actor
  /** When the document was created. */
  createdAt: string
  /** When the document last changed. */
  updatedAt: string
  /** `draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `signed`: registered there. `transmitted`: passed on to the buyer. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancellation_pending`: its credit note waits for the tax authority. `cancelled`: taken back. */
  status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
  /** Seller and buyer by kind: business (`B`), consumer (`C`) or government (`G`). Must not be blank. */
  invoiceKind: InvoiceKind
  /** How much of the document is paid. `unpaid`: nothing was paid. `partially_paid`: a part was. `paid`: something was paid, and nothing is left after credit notes. `payment_failed`: you declared it, and nothing was paid since. */
  paymentStatus: "unpaid" | "partially_paid" | "paid" | "payment_failed"
  /** The time of day of the issue. Null if the sender set none. */
  issueTime: string | null
  /** The discount on the whole document, in major units such as dollars. */
  allowanceAmount: string
  /** The charge added to the whole document, in major units such as dollars. */
  chargeAmount: string
  /** The first day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodStart: string | null
  /** The last day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodEnd: string | null
  /** The number of the purchase order of the buyer. Null if not set. */
  purchaseOrderReference: string | null
  /** A reference that the buyer asks for, such as a department. Null if not set. */
  buyerReference: string | null
  /** The number of the contract that the invoice belongs to. Null if not set. */
  contractReference: string | null
  /** The number of the quote or proforma invoice that the invoice follows. Null if not set. */
  quoteReference: string | null
  /** Where the buyer books the invoice, such as a cost centre. Null if not set. */
  accountingCost: string | null
  /** The payment terms, printed on the document. Null if not set. */
  paymentTerms: string | null
  /** Remarks for the buyer, printed on the document. Null if not set. */
  notes: string | null
  /** The exchange rate that was entered on the document, as a decimal number. Null if none was. */
  exchangeRate: string | null
  /** The tax in the currency of your country, fixed when the document is issued. Null on drafts, in the currency of your country, and if no rate was known. */
  homeTax: HomeTax | null
  /** The lines of the document, in their order. */
  lineItems: InvoiceLine[]
}

export interface InvoiceBuyer {
  /** The name of the buyer. */
  name: string
  /** The tax number of the buyer. Null if the buyer has none. */
  taxId: string | null
}

export interface InvoiceChange {
  /** The seller that issues the invoice. The default is the primary seller of the organisation. */
  sellerId?: string | undefined
  /** The buyer of the invoice. Not needed for `B2C`. */
  buyerId?: string | null | undefined
  /** Your own number of the invoice. The default is the next number of your series. Must be 1 to 50 letters and digits, such as INV000001. */
  invoiceNumber?: string | undefined
  /** The type of document: always `standard`. Notes have routes of their own. */
  invoiceType?: "standard" | undefined
  /** The time of day of the issue. Must be a time of day such as 13:05 or 13:05:30. */
  issueTime?: string | null | undefined
  /** The day on which payment is due. Not before `invoiceDate`. */
  dueDate?: string | null | undefined
  /** The days on which parts of the total are due, oldest first. All have `percent`, or all have `amount`. `null` removes them. The due date of the document is that of the last instalment. */
  instalments?: NewInstalment[] | null | undefined
  /** What one unit of `currency` costs in the currency of your country, such as `1536.25`. Above 0 and below 1,000,000,000, with at most 10 decimals. Without it, a document takes the rate of its day from your exchange rates when it is issued. A note then takes the rate of the document that it corrects. Only for a foreign currency. Must be an exact decimal number, as text or as a JSON number. */
  exchangeRate?: string | number | null | undefined
  /** The day of the supply, if it differs from the day of issue. Null if both are the same. */
  supplyDate?: string | null | undefined
  /** The discount on the whole document, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  allowanceAmount?: string | number | null | undefined
  /** The charge added to the whole document, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  chargeAmount?: string | number | null | undefined
  /** The first day of the period that the invoice covers, such as a month of a service. */
  periodStart?: string | null | undefined
  /** The last day of the period that the invoice covers, such as a month of a service. Not before `periodStart`. */
  periodEnd?: string | null | undefined
  /** The number of the purchase order of the buyer. */
  purchaseOrderReference?: string | null | undefined
  /** A reference that the buyer asks for, such as a department. */
  buyerReference?: string | null | undefined
  /** The number of the contract that the invoice belongs to. */
  contractReference?: string | null | undefined
  /** The number of the quote or proforma invoice that the invoice follows. */
  quoteReference?: string | null | undefined
  /** Where the buyer books the invoice, such as a cost centre. */
  accountingCost?: string | null | undefined
  /** The payment terms, printed on the document. */
  paymentTerms?: string | null | undefined
  /** Remarks for the buyer, printed on the document. */
  notes?: string | null | undefined
  /** Seller and buyer by kind: business (`B`), consumer (`C`) or government (`G`). Must not be blank. */
  invoiceKind?: InvoiceKind | undefined
  /** The day of issue of the invoice. */
  invoiceDate?: string | undefined
  /** The currency of all amounts of the invoice (ISO 4217). Must not be blank. */
  currency?: InvoiceCurrency | undefined
  /** The new lines, at most 500. They replace all lines of the draft. */
  lineItems?: NewInvoiceLine[] | undefined
}

/** Must not be blank. */
export type InvoiceCurrency = "NGN" | "USD" | "EUR" | "GBP"

export interface InvoiceDispute {
  /** What the buyer disputes, in your words. */
  reason: string
  /** When the invoice was marked as disputed. */
  disputedAt: string
}

export interface InvoiceEventData {
  /** Unique identifier of the invoice (UUIDv7). */
  invoiceId: string
  /** The number of the document, as printed on it. */
  invoiceNumber: string
  /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
  invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
  /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
  invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
  /** Status of the invoice after the event. `Invoice.status` explains the values. */
  status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
  /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
  buyerId: string | null
  /** ISO 4217 code, such as `NGN`. */
  currency: string
  /** Total to pay, tax included, in minor units such as cents. */
  payableMinor: number
  /** Tax in the total, in minor units such as cents. */
  taxMinor: number
  /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
  originalInvoiceId: string | null
  /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
  jurisdiction: string | null
  /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
  authorityReference: string | null
  /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
  submittedAt: string | null
}

/** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. Must not be blank. */
export type InvoiceKind = "B2B" | "B2C" | "B2G" | "G2B"

export interface InvoiceLine {
  /** What is sold, as printed on the document. */
  description: string
  /** The customs code of goods (HS), from the code list `product-codes`. Null for services. */
  hsnCode: string | null
  /** The code of a service (ISIC), from the code list `service-codes`. Null for goods. */
  isicCode: string | null
  /** The kind of goods or service, as text. Null if the line has none. */
  productCategory: string | null
  /** The unit of `quantity`, from the code list `units` (UN/ECE Recommendation 20). */
  unitCode: string
  /** The tax category, from the code list `tax-categories`. */
  taxCategory: string
  /** The amount of the line before tax, in minor units. */
  netMinor: number
  /** The saved item that the line was filled from. Null if none was. */
  itemId: string | null
  /** A short name of what is sold. Null if the line has none. */
  itemName: string | null
  /** The number of units, as a decimal number. */
  quantity: string
  /** The price of one unit before tax, in major units such as dollars. */
  unitPrice: string
  /** The discount on the line, in major units such as dollars. */
  discountAmount: string
  /** The fee added to the line, in major units such as dollars. */
  feeAmount: string
  /** The tax rate in percent, as a decimal number. */
  taxPercent: string
}

export interface InvoiceReminders {
  /** The dispute of the invoice. Null if it is not disputed. */
  dispute: InvoiceDispute | null
  /** The promise to pay. Null if none is recorded. */
  promise: PaymentPromise | null
  /** Why the plan sends no reminder now. `plan_off`: reminders are off. `not_issued`: a draft. `not_owed`: the document is rejected, cancelled, being cancelled, or of another buyer now. `nothing_due`: nothing is left to pay. `no_due_date`, `no_buyer`, `no_email`: the due date, the saved buyer or the buyer’s email address is missing. `buyer_never`: the buyer gets no reminders. `buyer_not_chosen`: the plan is for chosen buyers only. `disputed`: the buyer disputes the invoice. `promised`: the day of the buyer’s promise has not passed. `covered`: money of the buyer is here that no invoice has taken yet. `below_minimum`: all further steps leave out so small an amount. `no_step_left`: the plan has no further step, or this step no more. Null if nothing stops it. */
  heldBack: "plan_off" | "not_issued" | "not_owed" | "nothing_due" | "no_due_date" | "no_buyer" | "no_email" | "buyer_never" | "buyer_not_chosen" | "disputed" | "promised" | "covered" | "below_minimum" | "no_step_left" | null
  /** The next reminder of the plan. Null if none will come. */
  next: NextReminder | null
  /** The 50 newest reminders of this invoice, newest first. */
  sent: SentReminder[]
}

export interface InvoiceStatistics {
  /** The first day of issue that counts. Null if the request set none. */
  startDate: string | null
  /** The last day of issue that counts. Null if the request set none. */
  endDate: string | null
  /** The sums for each status, type of document and currency. */
  groups: {
    /** The status of the documents in this group. */
    status: string
    /** The type of the documents in this group. */
    invoiceType: InvoiceType
    /** The currency of the amounts in this group (ISO 4217). */
    currency: string
    /** The number of documents in this group. */
    count: number
    /** The sum of the documents before tax, in minor units. */
    netMinor: number
    /** The sum of the tax, in minor units. */
    taxMinor: number
    /** The sum of the documents with tax, in minor units. */
    payableMinor: number
    /** The sum of the recorded payments, in minor units. */
    paidMinor: number
  }[]
  /** The totals for each currency. Drafts and rejected documents do not count. A cancelled invoice and the credit note that cancels it add up to zero. */
  totals: InvoiceTotals[]
}

export interface InvoiceSummary {
  /** Unique identifier of the document (UUIDv7). */
  id: string
  /** The number of the document in your own series. */
  invoiceNumber: string
  /** The type of document. `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
  invoiceType: InvoiceType
  /** The seller that issues the document. Null while a draft has no seller. */
  sellerId: string | null
  /** The buyer of the document. Null for a document without a saved buyer. */
  buyerId: string | null
  /** Name and tax number of the buyer. A draft shows the current values, an issued document the values at its issue. Null without a buyer. */
  buyer: InvoiceBuyer | null
  /** The day of issue of the document. */
  invoiceDate: string
  /** The day on which payment is due, with instalments the last one. Null if the sender set none. */
  dueDate: string | null
  /** The days on which parts of the total are due, oldest first. Payments and credit notes settle the oldest first. Null if the whole total is due on one day. */
  instalments: Instalment[] | null
  /** The day on which the next payment is due: that of the oldest unpaid instalment, or `dueDate`. Null if nothing is left to pay, or without a due date. */
  nextDueDate: string | null
  /** The amount due on `nextDueDate`, in minor units. */
  nextDueMinor: number
  /** The part of `dueMinor` whose day has passed, in minor units. */
  overdueMinor: number
  /** The day of the supply, if it differs from the day of issue. Null if both are the same. */
  supplyDate: string | null
  /** The currency of all amounts of the document (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The status in one word. The first that applies: `cancelled`, `paid`, `part_paid`, `delivered` (reached the buyer), `reported` (the tax authority has it), `draft`, `issued`. */
  simpleStatus: "draft" | "issued" | "reported" | "delivered" | "paid" | "part_paid" | "cancelled"
  /** The sum of the lines before tax, in minor units. */
  netMinor: number
  /** The discount on the whole document, in minor units. */
  allowanceMinor: number
  /** The charge added to the whole document, in minor units. */
  chargeMinor: number
  /** The tax on the document, in minor units. */
  taxMinor: number
  /** The amount that rounding adds or takes away, in minor units. Can be negative. */
  roundingMinor: number
  /** The total of the document with tax, in minor units. */
  payableMinor: number
  /** The sum of the recorded payments, in minor units. */
  paidMinor: number
  /** The sum of the credit notes against this invoice, in minor units. */
  creditedMinor: number
  /** The amount still to be paid, in minor units. Zero on a credit note. */
  dueMinor: number
  /** The amount that the buyer paid beyond the total after credit notes, in minor units. */
  refundOwedMinor: number
  /** Whether an amount is still due after its due date: `overdueMinor` is above zero. */
  overdue: boolean
  /** The tax of the document, one entry for each tax category and rate. */
  taxes: TaxGroup[]
  /** The invoice that a note corrects. Null for an invoice. */
  originalInvoiceId: string | null
  /** The number of the invoice that a note corrects. Null for an invoice. */
  originalInvoiceNumber: string | null
  /** Why a credit note or debit note was issued. Null for an invoice. */
  reason: string | null
  /** The state of the report to the tax authority. */
  reporting: Reporting
  /** When the document was issued. Null for a draft. */
  finalisedAt: string | null
  /** When the document was last submitted to the tax authority. Null if never. */
  submittedAt: string | null
  /** When the document was last emailed to the buyer. Null if never. */
  sentAt: string | null
  /** When the public link was created. Null without a public link. */
  sharedAt: string | null
  /** Who created the document. */
  createdBy: Actor
  /** When the document was created. */
  createdAt: string
  /** When the document last changed. */
  updatedAt: string
  /** `draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `signed`: registered there. `transmitted`: passed on to the buyer. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancellation_pending`: its credit note waits for the tax authority. `cancelled`: taken back. */
  status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
  /** Seller and buyer by kind: business (`B`), consumer (`C`) or government (`G`). Must not be blank. */
  invoiceKind: InvoiceKind
  /** How much of the document is paid. `unpaid`: nothing was paid. `partially_paid`: a part was. `paid`: something was paid, and nothing is left after credit notes. `payment_failed`: you declared it, and nothing was paid since. */
  paymentStatus: "unpaid" | "partially_paid" | "paid" | "payment_failed"
  /** The time of day of the issue. Null if the sender set none. */
  issueTime: string | null
  /** The discount on the whole document, in major units such as dollars. */
  allowanceAmount: string
  /** The charge added to the whole document, in major units such as dollars. */
  chargeAmount: string
  /** The first day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodStart: string | null
  /** The last day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodEnd: string | null
  /** The number of the purchase order of the buyer. Null if not set. */
  purchaseOrderReference: string | null
  /** A reference that the buyer asks for, such as a department. Null if not set. */
  buyerReference: string | null
  /** The number of the contract that the invoice belongs to. Null if not set. */
  contractReference: string | null
  /** The number of the quote or proforma invoice that the invoice follows. Null if not set. */
  quoteReference: string | null
  /** Where the buyer books the invoice, such as a cost centre. Null if not set. */
  accountingCost: string | null
  /** The payment terms, printed on the document. Null if not set. */
  paymentTerms: string | null
  /** Remarks for the buyer, printed on the document. Null if not set. */
  notes: string | null
}

export interface InvoiceTotals {
  /** The currency of these totals (ISO 4217). */
  currency: string
  /** The number of documents that count, including notes. */
  documents: number
  /** The invoiced amount less the credited amount, in minor units. Can be negative. */
  invoicedMinor: number
  /** The tax on invoices less the tax on credit notes, in minor units. Can be negative. */
  taxMinor: number
  /** The sum of the recorded payments, in minor units. */
  paidMinor: number
}

/** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
export type InvoiceType = "standard" | "credit_note" | "debit_note" | "prepayment"

export interface InvoicesDownloadQuery {
  /** The format of the file. `pdf`, the default: for people. `xml`: UBL, for programs. `pdf-a3`: an archivable PDF with the UBL inside. */
  format?: "pdf" | "xml" | "pdf-a3" | undefined
}

export interface InvoicesGetStatisticsQuery {
  /** Only documents issued on this day or later. */
  startDate?: string | undefined
  /** Only documents issued on this day or earlier. */
  endDate?: string | undefined
  /** Only documents under the law of this country. Must be an ISO 3166-1 alpha-2 country code, such as NG. */
  jurisdiction?: string | undefined
}

export interface InvoicesListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Only documents in this currency (ISO 4217). Must not be blank. */
  currency?: string | undefined
  /** Only documents of the seller with this id. */
  sellerId?: string | undefined
  /** Only documents for the buyer with this id. */
  buyerId?: string | undefined
  /** Only documents issued on this day or later. */
  invoiceDateFrom?: string | undefined
  /** Only documents issued on this day or earlier. */
  invoiceDateTo?: string | undefined
  /** Only documents with an amount due, by the days since the due date. `not_due`: the due date has not passed, or there is none. `1_30`, `31_60`, `61_90`: days since the due date, from the first to the last. `over_90`: more than 90 days. A document with instalments has each of their ages. */
  age?: "not_due" | "1_30" | "31_60" | "61_90" | "over_90" | undefined
  /** `true`: only documents with an amount due, also partly paid ones. `false`: only those without, such as drafts and credit notes. */
  amountDue?: boolean | undefined
  /** `true`: only documents that count in turnover and tax, as in the overview. `false`: only drafts and rejected documents. */
  counted?: boolean | undefined
  /** Only documents that are not reported and whose deadline is at this time or earlier. */
  reportDueTo?: string | undefined
  /** Only notes that correct the invoice with this id. */
  originalInvoiceId?: string | undefined
  /** Only documents whose number or IRN starts with this text, or whose buyer has it in the name or tax number. Case does not matter. */
  search?: string | undefined
  /** Only documents with this status. `Invoice.status` explains the values. */
  status?: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled" | undefined
  /** Only documents of this type. `InvoiceType` explains the values. */
  invoiceType?: "standard" | "credit_note" | "debit_note" | undefined
  /** Only documents with this payment status. `Invoice.paymentStatus` explains the values. */
  paymentStatus?: "unpaid" | "partially_paid" | "paid" | "payment_failed" | undefined
  /** Only documents created by the user or API key with this id. */
  createdBy?: string | undefined
  /** Only documents created by this type of actor. `Actor.type` explains the values. */
  createdByType?: "user" | "api_key" | "service" | "system" | undefined
  /** Only documents due on this day or later: with instalments, by the next due date. */
  dueDateFrom?: string | undefined
  /** Only documents due on this day or earlier: with instalments, by the next due date. */
  dueDateTo?: string | undefined
  /** Only documents created at this time or later. */
  createdAtFrom?: string | undefined
  /** Only documents created before this time. */
  createdAtTo?: string | undefined
  /** Only documents with this `simpleStatus`. `Invoice.simpleStatus` explains the values. */
  simpleStatus?: "draft" | "issued" | "reported" | "delivered" | "paid" | "part_paid" | "cancelled" | undefined
  /** Only documents with this `reporting.status`. `Reporting.status` explains the values. */
  reporting?: "draft" | "not_reported" | "in_progress" | "reported" | "needs_attention" | undefined
  /** Only documents with this `reporting.delivery`. `Reporting.delivery` explains the values. */
  delivery?: "deliver_to_buyer" | "sent_email" | "shared_link" | "nrs" | "none" | undefined
  /** `true`: only invoices with credit notes. `false`: only without. */
  credited?: boolean | undefined
  /** `true`: only invoices with a refund owed. `false`: only without. */
  refundOwed?: boolean | undefined
  /** Only documents with a total of at least this amount, in minor units. */
  amountFromMinor?: number | undefined
  /** Only documents with a total of at most this amount, in minor units. */
  amountToMinor?: number | undefined
  /** `true`: only documents that are overdue. */
  overdue?: true | "true" | undefined
  /** The field to sort by. The default is `createdAt`. `dueDate`: by the next due date, if there are instalments. */
  sortBy?: "createdAt" | "invoiceDate" | "invoiceNumber" | "payableMinor" | "dueDate" | "taxMinor" | undefined
  /** `ASC`: smallest or oldest first. `DESC`, the default: largest or newest first. */
  sortOrder?: "ASC" | "DESC" | undefined
}

export interface InvoicesListUsedCodesQuery {
  /** `goods`: product codes. `service`: service codes. */
  type: "goods" | "service"
  /**
   * The maximum number of codes.
   * Default: 20.
   */
  limit?: number | undefined
}

export interface InvoicesUnshareReply {
  /** The id of the document. */
  id: string
  /** Always `false`: the public link no longer works. */
  shared: false
}

export interface Item {
  /** Unique identifier of the item (UUIDv7). */
  id: string
  /** Name of the item, as invoice lines show it. */
  name: string
  /** Longer description of the item. Null if there is none. */
  description: string | null
  /** Whether the item is `goods` or a `service`. */
  itemType: "goods" | "service"
  /** Customs code (HS) of goods, from the code list `product-codes`. Null for a service. */
  hsnCode: string | null
  /** Code of a service (ISIC), from the code list `service-codes`. Null for goods. */
  serviceCode: string | null
  /** Kind of goods or service, in words. */
  productCategory: string
  /** Unit of measure, from the code list `units` (UN/ECE Recommendation 20). */
  unitCode: string
  /** Price of one unit without tax, in minor units such as cents, with two decimals at most. */
  unitPriceMinor: string
  /** Currency of the price, as a code of ISO 4217 such as `NGN`. */
  currency: string
  /** How the item is taxed, from the code list `tax-categories`. */
  taxCategory: string
  /** Your own stock number of the item. Null if there is none. */
  sku: string | null
  /** Number of invoice lines that were made from the item. Counted within about a second. */
  useCount: number
  /** When an invoice line was last made from the item. Null if none was. */
  lastUsedAt: string | null
  /** When the item was created. */
  createdAt: string
  /** When the item last changed. */
  updatedAt: string
  /** When the item was archived. Null for an item that is offered for new lines. */
  archivedAt: string | null
}

export interface ItemChange {
  /** Name of the item, as invoice lines show it. Must not be blank. */
  name?: string | undefined
  /** Longer description of the item. Send null to remove it. */
  description?: string | null | undefined
  /** Customs code (HS) of goods, from the code list `product-codes`. Needed for goods, left out for services. Must not be blank. */
  hsnCode?: string | null | undefined
  /** Code of a service (ISIC), from the code list `service-codes`. Needed for services, left out for goods. Must not be blank. */
  serviceCode?: string | null | undefined
  /** Kind of goods or service, in words. Must not be blank. */
  productCategory?: string | undefined
  /** Unit of measure, from the code list `units` (UN/ECE Recommendation 20). Must not be blank. */
  unitCode?: string | undefined
  /** Price of one unit without tax, in minor units such as cents. Must be minor units as text, from 0 to 100000000000000, with two decimals at most. */
  unitPriceMinor?: string | undefined
  /** Currency of the price, as a code of ISO 4217 such as `NGN`. Must not be blank. */
  currency?: string | undefined
  /** How the item is taxed, from the code list `tax-categories`. Must not be blank. */
  taxCategory?: string | undefined
  /** Your own stock number of the item. Only one item that is not archived can have it. Must not be blank. */
  sku?: string | null | undefined
  /** Whether the item is `goods` or a `service`. It must be what the item is. */
  itemType?: "goods" | "service" | undefined
}

export interface ItemEventData {
  /** Unique identifier of the saved item (UUIDv7). */
  itemId: string
  /** Name of the item. */
  name: string
  /** Stock keeping unit. Null if it has none. */
  sku: string | null
  /** Whether the item is `goods` or a `service`. */
  itemType: "goods" | "service"
}

export interface ItemsDeleteReply {
  /** Unique identifier of the item. */
  id: string
  /** Always true. The item no longer exists. */
  deleted: true
}

export interface ItemsListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only items with these words in their name, description, code or stock number. */
  q?: string | undefined
  /** Return only `goods`, or only items that are a `service`. */
  itemType?: "goods" | "service" | undefined
  /** Return archived items too (`all`), or nothing else (`true`). `false` if you leave it out. */
  archived?: "false" | "true" | "all" | undefined
  /** Order of the list. The minus means largest or latest first. `-useCount` if you leave it out. */
  sort?: "-useCount" | "name" | "-lastUsedAt" | undefined
}

export interface Joined {
  /** Organisation that you joined. */
  organization: {
    /** Unique identifier of the organisation (UUIDv7). */
    id: string
    /** Name of the organisation. */
    name: string
  }
  /** Unique identifier of the person who joined. */
  userId: string
  /** Role of the person in the organisation. */
  role: RoleRef
}

export interface Jurisdiction {
  /** Country, as a code of ISO 3166-1 such as `NG`. */
  country: string
  /** Currency of the country, as an ISO 4217 code. It is the default of forms. */
  currency: string
  /** Currencies that documents can have. */
  currencies: {
    /** Currency, as an ISO 4217 code. */
    code: string
    /** Decimals of its amounts. Minor units are 10 to this power of a major unit. */
    decimals: number
  }[]
  /** Time zone of its business days, such as `Europe/Paris`. */
  timeZone: string
  /** Kinds of invoice that the law knows. */
  invoiceKinds: {
    /** Kind, as `invoiceKind` of an invoice gives it. */
    kind: string
    /** Name of the kind, for display. */
    label: string
  }[]
  /** Kinds of tax number that parties can have. */
  taxIdTypes: {
    /** `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
    type: "tin" | "rn" | "foreign" | "none"
    /** Name of the kind, for display. */
    label: string
    /** A number of this kind. Null for `none`. */
    example: string | null
  }[]
  /** Usual tax categories. The first one is the default. The code list `tax-categories` has all of them. */
  taxCategories: {
    /** Code of the tax category. */
    code: string
    /** Short name of the tax, for display. */
    label: string
    /** Legal rate of today in percent, as a decimal. Null if no tax is charged. */
    rate: string | null
  }[]
  /** What people call the number that the authority knows a document by. */
  authorityReferenceName: string
  /** What people call the part of an address below the state. Null if addresses have none. */
  districtName: string | null
  /** How telephone numbers of the country begin, with a plus sign. */
  phonePrefix: string
  /** What people dial first at home instead of `phonePrefix`, such as `0`. Empty if they dial nothing. */
  phoneTrunkPrefix: string
  /** Numbers of a payer that banks may require for a virtual account. */
  payerIdentifiers: {
    /** Name of the field in `customer` of a virtual account. */
    name: string
    /** What people call the number. */
    label: string
  }[]
  /** What a business enters to connect to the tax authority. */
  connectionIdentifiers: {
    /** Name of the field in `authorityIdentifiers` of the connection. */
    name: string
    /** Name of the field, for display. */
    label: string
    /** A value of the right format. */
    example: string
    /** What a person should know about it. Null if the label says everything. */
    hint: string | null
  }[]
  /** Name of the key file that the authority gives a business. Null if there are no key files. */
  keyFileName: string | null
}

/** Language of documents, public pages and mails for a buyer, by its ISO 639-1 code: English (`en`), French (`fr`), Hausa (`ha`), Yoruba (`yo`), Igbo (`ig`), Portuguese (`pt`) or Arabic (`ar`). */
export type Language = "en" | "fr" | "ha" | "yo" | "ig" | "pt" | "ar"

export interface LedgerEntry {
  /** Unique identifier of the entry (UUIDv7). */
  id: string
  /** Kind of entry. Spending: `charge`, `refund` (a charge undone), `hold`, `capture` (a hold spent), `release` (a hold freed). Incoming: `grant` (plan, free or sandbox credits), `purchase`, `settlement` (pays a debt). Payment returned: `reversal` (unspent credits), `debt` (spent credits). Credit pool: `pool_out` and `pool_return_in` at the parent organisation, `pool_in` and `pool_return_out` at the child. */
  type: "charge" | "refund" | "hold" | "capture" | "release" | "grant" | "purchase" | "settlement" | "reversal" | "debt" | "pool_out" | "pool_in" | "pool_return_out" | "pool_return_in"
  /** Billable action that the credits were moved for, such as `invoice.submit`. Null if it was none, as for a purchase. */
  action: string | null
  /** Change of the balance in credits: negative if it fell, 0 for entries that move held or owed credits only. */
  amount: number
  /** Number of credits that this entry moved, always positive. */
  credits: number
  /** Credits that could be spent after this entry. */
  balanceAfter: number
  /** Cause of the entry, such as the invoice or payment. Unique for each `type`. */
  reference: string
  /** When the credits were moved. */
  createdAt: string
}

export interface ListedBillingPayment {
  /** Unique identifier of the payment (UUIDv7). */
  id: string
  /** What the payment is for. `credit_purchase`: a package of credits. `subscription`: the first period of a plan. `renewal`: a later period. */
  kind: "credit_purchase" | "subscription" | "renewal"
  /** `pending`: the provider awaits payment. `succeeded`: paid. `failed`: declined. `expired`: the checkout ended unpaid, after an hour or because the subscription was cancelled. Money that arrives later still counts. `partially_refunded`, `refunded`: a part or all went back. `disputed`: the card owner objects. `charged_back`: the dispute was lost. */
  status: "pending" | "succeeded" | "failed" | "expired" | "partially_refunded" | "refunded" | "disputed" | "charged_back"
  /** Payment provider that collects the money. */
  provider: "paystack" | "stripe"
  /** Currency of the payment, as an ISO 4217 code. */
  currency: "NGN" | "USD"
  /** Amount of the payment, in minor units such as cents. */
  amountMinor: number
  /** Amount that went back to the payer so far, in minor units. */
  refundedMinor: number
  /** What is paid for, as the checkout shows it. */
  description: string
  /** Credits that the payment has bought so far. */
  credits: number
  /** Identifier of the package that was bought. Null for plans. */
  packageId: string | null
  /** Identifier of the subscription that is paid for. Null for packages. */
  subscriptionId: string | null
  /** When the payment was started. */
  createdAt: string
  /** When the checkout can no longer be paid. */
  expiresAt: string
  /** When the payment succeeded. Null until then. */
  paidAt: string | null
}

export interface LoggedDelivery {
  /** Unique identifier of the delivery (UUIDv7). */
  id: string
  /** Unique identifier of the endpoint. */
  endpointId: string
  /** Unique identifier of the event. */
  eventId: string
  /** Type of the event, such as `invoice.created`. */
  type: string
  /** `pending`: waits to be sent, for the first time or again after a person asked for it or the endpoint was enabled. `delivering`: is being sent. `retrying`: waits for its next attempt. `delivered`: the receiver took it. `failed`: it was given up. */
  status: "pending" | "delivering" | "retrying" | "delivered" | "failed"
  /** True if the payload is made up to try the endpoint. */
  test: boolean
  /** Number of attempts so far. */
  attemptCount: number
  /** HTTP status of the last reply. Null if there was none. */
  lastStatusCode: number | null
  /** Why the delivery has the status `failed`, such as `attempts_exhausted`. Null for other statuses. */
  failureReason: string | null
  /** When the next attempt is due. Null if none is. */
  nextAttemptAt: string | null
  /** When the delivery was created. */
  createdAt: string
  /** When the delivery ended, delivered or failed. Null until it does. */
  completedAt: string | null
  /** Every attempt, oldest first. */
  attempts: DeliveryAttempt[]
}

export interface LoggedFault {
  /** Path of the field, such as `lineItems[2].quantity`. */
  path: string
  /** Name of the rule that the field breaks. */
  rule: string
  /** What is wrong with the field, in words. */
  message: string
}

export interface LoggedRefusal {
  /** Error message of the reply. */
  message: string
  /** The first twenty fields that were wrong. */
  faults: LoggedFault[]
}

export interface LoggedRequest {
  /** Unique identifier of the entry (UUIDv7). */
  id: string
  /** When the reply was sent. */
  answeredAt: string
  /** HTTP method of the request. */
  method: string
  /** Path and query of the request. Values of secret parameters are left out. */
  path: string
  /** Path as the reference lists it. Null if there is no such route. */
  route: string | null
  /** HTTP status of the reply. */
  status: number
  /** Error code of the reply. Null if the request succeeded. */
  code: string | null
  /** Finer name of the error, as the header `Risiti-Reason` had it. Null if there was none. */
  reason: string | null
  /** Milliseconds that the reply took. */
  durationMs: number
  /** Person or API key whose token came with the request. */
  actor: RequestActor
  /** Id of the request, as the header `X-Request-Id` had it. */
  requestId: string
  /** IP address that the request came from. */
  address: string
}

/** Picture that documents show. At most 200 kB and 4,000,000 pixels. */
export interface Logo {
  /** Media type of the picture. */
  contentType: "image/png" | "image/jpeg"
  /** Bytes of the picture, in Base64. */
  base64: string
}

export interface MailedStatement {
  /** Currency of the account, as a code of ISO 4217 such as `NGN`. */
  currency: string
  /** First day of the period. */
  from: string
  /** Last day of the period. */
  to: string
}

export interface Me {
  /** Who sends the request: a signed-in person (`user`), a program with an API key (`api_key`), or a program that a person connected (`program`). */
  principal: "user" | "api_key" | "program"
  /** The person who is signed in. Absent for an API key and for a connected program. */
  user?: {
    /** Unique identifier of the person (UUIDv7). */
    id: string
    /** Email address that the person signs in with. */
    email: string
    /** First name of the person. */
    firstName: string
    /** Last name of the person. */
    lastName: string
    /** True once the person has proved that the email address is theirs. */
    emailVerified: boolean
    /** True if signing in asks for a code of an authenticator app. */
    totpEnabled: boolean
  } | undefined
  /** The API key that sends the request. Absent for everybody else. */
  apiKey?: {
    /** Unique identifier of the API key (UUIDv7). */
    id: string
    /** Name of the API key, as its maker chose it. */
    name: string
  } | undefined
  /** The connected program that sends the request. Absent for everybody else. */
  program?: {
    /** Unique identifier of the connected program (UUIDv7). */
    id: string
    /** Name of the program, as it gave it. */
    name: string
    /** Unique identifier of the person for whom the program acts. */
    userId: string
    /** Email address of this person. */
    email: string
    /** Name of the organisation in which the program acts. */
    organizationName: string
    /** What the tokens of the program are for: the whole API (`api`), or the tools at `/mcp` alone (`mcp`). There each change is confirmed. */
    resource: "api" | "mcp"
    /** The limits that the person set. Only programs for `/mcp` can have limits. */
    limits: SpendingLimits
    /** The limits and what they leave today, a sentence for each limit. Empty without limits. */
    limitsInWords: string[]
    /** What the program confirmed today, by the calendar of the organisation. */
    spentToday: ProgramSpending
    /** When the program stops working unless it gets a token before. */
    expiresAt: string
  } | undefined
  /** Unique identifier of the organisation that the token acts for. Null if the person belongs to none. */
  organizationId: string | null
  /** Name of the role of the person in the organisation, such as `ADMIN`. Absent for an API key. */
  role?: string | undefined
  /** Everything that the token may do, by name, in alphabetical order. */
  capabilities: string[]
  /** Mode that the token acts in. */
  mode: Mode
}

export interface Member {
  /** Unique identifier of the person (UUIDv7). */
  id: string
  /** Email address that the person signs in with. */
  email: string
  /** First name of the person. */
  firstName: string
  /** Last name of the person. */
  lastName: string
  /** First and last name, separated by a space. */
  fullName: string
  /** Role of the person in the organisation. */
  role: RoleRef
  /** Status of the membership. `active`: can act for the organisation. `suspended` and `deactivated`: cannot act until somebody with the capability `member.restore` restores the membership. */
  status: "active" | "suspended" | "deactivated"
  /** True once the person has proved that the email address is theirs. */
  emailVerified: boolean
  /** True if signing in asks for a code of an authenticator app. */
  totpEnabled: boolean
  /** When the person joined the organisation. */
  joinedAt: string
  /** Telephone number of the person (E.164). Null if none is known. */
  phone: string | null
  /** Everything that the person may do, by name, from the role and beside it. */
  capabilities: string[]
}

export interface MemberWithKeys {
  /** Unique identifier of the person (UUIDv7). */
  id: string
  /** Email address that the person signs in with. */
  email: string
  /** First name of the person. */
  firstName: string
  /** Last name of the person. */
  lastName: string
  /** First and last name, separated by a space. */
  fullName: string
  /** Role of the person in the organisation. */
  role: RoleRef
  /** Status of the membership. `active`: can act for the organisation. `suspended` and `deactivated`: cannot act until somebody with the capability `member.restore` restores the membership. */
  status: "active" | "suspended" | "deactivated"
  /** True once the person has proved that the email address is theirs. */
  emailVerified: boolean
  /** True if signing in asks for a code of an authenticator app. */
  totpEnabled: boolean
  /** When the person joined the organisation. */
  joinedAt: string
  /** Telephone number of the person (E.164). Null if none is known. */
  phone: string | null
  /** Everything that the person may do, by name, from the role and beside it. */
  capabilities: string[]
  /** API keys that the person made. They go on working unless `revokeKeys` was set. */
  apiKeys: ApiKeyLeft[]
}

export interface MembersChangeRoleBody {
  /** Unique identifier of the new role. It must be a role of the system. */
  roleId: string
}

export interface MembersChangeStatusBody {
  /** New status: `suspended` keeps the member out, `active` lets the member in again. */
  status: "active" | "suspended"
  /** Why you change the status. It is kept in the audit log. Must not be blank. */
  reason?: string | undefined
}

export interface MembersChangeStatusQuery {
  /**
   * Set to `true` to revoke the API keys that the person made, in the same step.
   * Default: false.
   */
  revokeKeys?: boolean | undefined
}

export interface MembersConfirmChangeBody {
  /** Email address that the mail was sent to. */
  email: string
  /** Code from the mail that asks you to confirm. Must not be blank. */
  code: string
}

export interface MembersConfirmChangeReply {
  /** What was changed: the `name`, the telephone number (`phone`) or the second factor (`second_factor`). */
  what: "name" | "phone" | "second_factor"
  /** Organisation that asked for the change. */
  organization: {
    /** Unique identifier of the organisation (UUIDv7). */
    id: string
    /** Name of the organisation. */
    name: string
  }
  /** Always true. The change is done. */
  confirmed: boolean
}

export interface MembersLeaveQuery {
  /**
   * Set to `true` to revoke the API keys that the person made, in the same step.
   * Default: false.
   */
  revokeKeys?: boolean | undefined
}

export interface MembersLeaveReply {
  /** Unique identifier of the organisation that you left. */
  organizationId: string
  /** Always true. You are no longer a member. */
  left: boolean
  /** API keys that you made. They go on working unless `revokeKeys` was set. */
  apiKeys: ApiKeyLeft[]
}

export interface MembersListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only `active` or only `suspended` members. */
  status?: "active" | "suspended" | undefined
  /** Return only members with this role. */
  role?: "OWNER" | "ADMIN" | "ACCOUNTANT" | "MEMBER" | "DEVELOPER" | "VIEWER" | undefined
  /** Return only members whose name or email address begins with this text. Must not be blank. */
  search?: string | undefined
}

export interface MembersRemoveQuery {
  /**
   * Set to `true` to revoke the API keys that the person made, in the same step.
   * Default: false.
   */
  revokeKeys?: boolean | undefined
}

export interface MembersRemoveReply {
  /** Unique identifier of the person who was removed. */
  id: string
  /** Always true. The person is no longer a member. */
  removed: boolean
  /** API keys that the person made. They go on working unless `revokeKeys` was set. */
  apiKeys: ApiKeyLeft[]
}

export interface MembersRemoveSecondFactorReply {
  /** Unique identifier of the person (UUIDv7). */
  id: string
  /** Email address that the person signs in with. */
  email: string
  /** First name of the person. */
  firstName: string
  /** Last name of the person. */
  lastName: string
  /** First and last name, separated by a space. */
  fullName: string
  /** Role of the person in the organisation. */
  role: RoleRef
  /** Status of the membership. `active`: can act for the organisation. `suspended` and `deactivated`: cannot act until somebody with the capability `member.restore` restores the membership. */
  status: "active" | "suspended" | "deactivated"
  /** True once the person has proved that the email address is theirs. */
  emailVerified: boolean
  /** True if signing in asks for a code of an authenticator app. */
  totpEnabled: boolean
  /** When the person joined the organisation. */
  joinedAt: string
  /** Change that waits for the member’s confirmation by mail. Absent if the change is done. */
  awaitingConfirmation?: AwaitedChange | undefined
}

export interface MembersTransferOwnershipBody {
  /** Unique identifier of the member who becomes the owner. */
  toUserId: string
  /** Current password of your account. */
  password: string
  /** Code of the authenticator app, or a recovery code. Needed if your account has a second factor. Must not be blank. */
  code?: string | undefined
  /**
   * Set to `true` to stay an owner beside the new one. `false` if you leave it out.
   * Default: false.
   */
  retainOwnership?: boolean | undefined
}

/** Whether the data is for trying out (`sandbox`) or for real business (`live`). The two never mix. */
export type Mode = "sandbox" | "live"

export interface NewAddress {
  /** Street and house number. Must not be blank. */
  line1: string
  /** Second line, such as a floor or a building. Must not be blank. */
  line2?: string | null | undefined
  /** City or town of the address. Must not be blank. */
  city: string
  /** State or province. In Nigeria a code or a name of the code list `states`. Must not be blank. */
  state?: string | null | undefined
  /** Local government area, in Nigeria. A code or a name of the code list `lgas`. Must not be blank. */
  lga?: string | null | undefined
  /** Postal code of the address. Must not be blank. */
  postalCode?: string | null | undefined
  /** Country of the address. Must be an ISO 3166-1 alpha-2 country code, such as NG. */
  country: string
}

export interface NewApiKey {
  /** Name of the API key, to tell keys apart. Must not be blank. */
  name: string
  /** Mode that the API key works in. It cannot be changed later. */
  mode: Mode
  /** Named set of capabilities: reading (`read_only`), invoices and buyers too (`invoicing`), or everything that a key can do (`full_integration`). */
  preset?: "read_only" | "invoicing" | "full_integration" | undefined
  /** Names of the capabilities that the key has, beside those of `preset`. Give at least one of the two. */
  capabilities?: ("organization.read" | "billing.account.read" | "billing.usage.read" | "billing.ledger.read" | "billing.statement.read" | "billing.payment.read" | "billing.subscription.read" | "webhook.endpoint.read" | "webhook.endpoint.test" | "webhook.delivery.read" | "webhook.delivery.redeliver" | "invoice.read" | "invoice.stats.read" | "invoice.create" | "invoice.update_draft" | "invoice.delete_draft" | "invoice.finalise" | "invoice.validate" | "invoice.submit" | "invoice.retry" | "invoice.query_status" | "invoice.cancel" | "invoice.record_payment" | "invoice.send_to_buyer" | "invoice.download_pdf" | "invoice.download_authority_copy" | "invoice.reopen" | "invoice.share" | "invoice.inbound.read" | "reference.read" | "tax_id.lookup" | "buyer.read" | "buyer.create" | "buyer.update" | "buyer.delete" | "buyer.verify_tax_id" | "item.read" | "item.create" | "item.update" | "item.archive" | "seller.read" | "tax_connection.read")[] | undefined
  /** When the key stops working by itself. It has no end if you leave it out. */
  expiresAt?: string | undefined
}

export interface NewBatch {
  /** The ids of the finalised documents to submit, in this order. */
  invoiceIds: string[]
}

export interface NewBulkJob {
  /** What to do with each document. `finalise`: issue a draft. `submit`: submit an issued document to the tax authority. `send`: email an issued document to its buyer. `remind`: remind the buyer of an unpaid invoice by email. `delete`: delete a draft. `download`: collect the PDFs in one ZIP file, at most 200. */
  action: "finalise" | "submit" | "send" | "remind" | "download" | "delete"
  /** The ids of the documents, each once, in the order of their turns. Leave it out if you send `filter`. */
  invoiceIds?: string[] | undefined
  /** All documents that match these filters, at most 10,000. An empty object means all documents. */
  filter?: BulkFilter | undefined
  /** The number of documents that you saw for `filter`. If another number matches now, the request is refused with `bulk_job.count_changed` and nothing is done. */
  expectedCount?: number | undefined
}

export interface NewBuyer {
  /** Name of the buyer, as documents show it. Must not be blank. */
  name: string
  /** Name in the register of companies, if it differs from `name`. Must not be blank. */
  legalName?: string | null | undefined
  /** Tax number of the buyer. Needed with every `taxIdType` except `none`. Must not be blank. */
  taxId?: string | null | undefined
  /** Kind of tax number. `tin` if you leave it out with a `taxId`, else `none`. */
  taxIdType?: TaxIdType | null | undefined
  /** Email address that invoices are sent to. */
  email?: string | null | undefined
  /** Telephone number of the buyer. Must be in E.164 form, such as +12025550143. */
  phone?: string | null | undefined
  /** Postal address of the buyer. */
  address?: NewAddress | null | undefined
  /** What the buyer is, such as a person or a company. `company` if you leave it out. */
  partyType?: PartyType | null | undefined
  /** What the business of the buyer does. */
  businessDescription?: string | null | undefined
  /** Your own number or name for the buyer. Must not be blank. */
  reference?: string | null | undefined
  /** Language of documents, public pages and mails for the buyer. English if there is none. */
  language?: Language | null | undefined
}

export interface NewBuyerReminders {
  /** `by_plan`: gets reminders if the plan is for all buyers. `chosen`: gets reminders also if the plan is for chosen buyers only. `never`: gets none. */
  reminders: "by_plan" | "chosen" | "never"
}

export interface NewCreditNote {
  /** Why the invoice is corrected. Printed on the credit note. Must not be blank. */
  reason: string
  /** The lines to credit. Must be left out if `amount` is sent. */
  lineItems?: NewInvoiceLine[] | undefined
  /** The amount to credit with tax, in major units such as dollars. Must be left out if `lineItems` is sent. Without both, the rest of the invoice is credited. Must be an exact decimal number, as text or as a JSON number. */
  amount?: string | number | undefined
}

export interface NewDebitNote {
  /** Why the invoice is corrected. Printed on the debit note. Must not be blank. */
  reason: string
  /** The lines to charge in addition to the invoice. */
  lineItems: NewInvoiceLine[]
}

export interface NewDispute {
  /** What the buyer disputes, in your words. Must not be blank. */
  reason: string
}

export interface NewImport {
  /** What the file contains: `buyers`, `items` or `invoices`. */
  kind: "buyers" | "items" | "invoices"
  /** The name of the file, shown to people later. Must not be blank. */
  fileName: string
  /** `csv`: comma-separated values. `xlsx`: an Excel workbook. */
  format: "csv" | "xlsx"
  /** The text of a CSV file, or the bytes of a workbook in Base64. Its first row names the columns. */
  content: string
  /** The field that each column fills. If left out, columns are matched by their names. */
  columns?: NewImportColumn[] | undefined
}

export interface NewImportColumn {
  /** The name of the column, from the first row of the file. */
  column: string
  /** The field that the column fills. Null ignores the column. Must not be blank. */
  field: string | null
}

export interface NewInstalment {
  /** The day on which this part is due. After the day of the instalment before, and not before the document. */
  dueDate: string
  /** The part of the total in percent, with at most 4 decimals. All instalments together are 100. Must be left out if `amount` is sent. Must be an exact decimal number, as text or as a JSON number. */
  percent?: string | number | null | undefined
  /** The part in major units such as dollars. All instalments together are the total of the document with tax. Must be left out if `percent` is sent. Must be an exact decimal number, as text or as a JSON number. */
  amount?: string | number | null | undefined
}

export interface NewInvoice {
  /** The seller that issues the invoice. The default is the primary seller of the organisation. */
  sellerId?: string | undefined
  /** The buyer of the invoice. Not needed for `B2C`. */
  buyerId?: string | null | undefined
  /** Your own number of the invoice. The default is the next number of your series. Must be 1 to 50 letters and digits, such as INV000001. */
  invoiceNumber?: string | undefined
  /** The type of document: always `standard`. Notes have routes of their own. */
  invoiceType?: "standard" | undefined
  /** The time of day of the issue. Must be a time of day such as 13:05 or 13:05:30. */
  issueTime?: string | null | undefined
  /** The day on which payment is due. Not before `invoiceDate`. */
  dueDate?: string | null | undefined
  /** The days on which parts of the total are due, oldest first. All have `percent`, or all have `amount`. `null` removes them. The due date of the document is that of the last instalment. */
  instalments?: NewInstalment[] | null | undefined
  /** What one unit of `currency` costs in the currency of your country, such as `1536.25`. Above 0 and below 1,000,000,000, with at most 10 decimals. Without it, a document takes the rate of its day from your exchange rates when it is issued. A note then takes the rate of the document that it corrects. Only for a foreign currency. Must be an exact decimal number, as text or as a JSON number. */
  exchangeRate?: string | number | null | undefined
  /** The day of the supply, if it differs from the day of issue. Null if both are the same. */
  supplyDate?: string | null | undefined
  /** The discount on the whole document, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  allowanceAmount?: string | number | null | undefined
  /** The charge added to the whole document, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  chargeAmount?: string | number | null | undefined
  /** The first day of the period that the invoice covers, such as a month of a service. */
  periodStart?: string | null | undefined
  /** The last day of the period that the invoice covers, such as a month of a service. Not before `periodStart`. */
  periodEnd?: string | null | undefined
  /** The number of the purchase order of the buyer. */
  purchaseOrderReference?: string | null | undefined
  /** A reference that the buyer asks for, such as a department. */
  buyerReference?: string | null | undefined
  /** The number of the contract that the invoice belongs to. */
  contractReference?: string | null | undefined
  /** The number of the quote or proforma invoice that the invoice follows. */
  quoteReference?: string | null | undefined
  /** Where the buyer books the invoice, such as a cost centre. */
  accountingCost?: string | null | undefined
  /** The payment terms, printed on the document. */
  paymentTerms?: string | null | undefined
  /** Remarks for the buyer, printed on the document. */
  notes?: string | null | undefined
  /** Seller and buyer by kind: business (`B`), consumer (`C`) or government (`G`). Must not be blank. */
  invoiceKind: InvoiceKind
  /** The day of issue of the invoice. */
  invoiceDate: string
  /** The currency of all amounts of the invoice (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The lines of the invoice, at most 500. */
  lineItems: NewInvoiceLine[]
}

export type NewInvoiceLine = {
  /** The saved item that fills the fields which the line leaves out. */
  itemId?: string | undefined
  /** What is sold, as printed on the document. Required without `itemId`; otherwise the default comes from the item. Must not be blank. */
  description?: string | undefined
  /** A short name of what is sold. Must not be blank. */
  itemName?: string | null | undefined
  /** The customs code of goods (HS), from the code list `product-codes`. Must not be blank. */
  hsnCode?: string | null | undefined
  /** The kind of goods or service, as text. Must not be blank. */
  productCategory?: string | null | undefined
  /** The code of a service (ISIC), from the code list `service-codes`. Must be left out if `hsnCode` is sent. Must not be blank. */
  isicCode?: string | null | undefined
  /** The kind of service, as text. Must be left out if `productCategory` is sent. Must not be blank. */
  serviceCategory?: string | null | undefined
  /** The number of units, with at most 6 decimals. Must be an exact decimal number, as text or as a JSON number. */
  quantity: string | number
  /** The unit, from the code list `units` (UN/ECE Recommendation 20). Required without `itemId`; otherwise the default comes from the item. Must not be blank. */
  unitCode?: string | undefined
  /** The price of one unit before tax, in major units such as dollars. Required without `itemId`; otherwise the default comes from the item. Must be an exact decimal number, as text or as a JSON number. */
  unitPrice?: string | number | undefined
  /** The discount on the line, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  discountAmount?: string | number | undefined
  /** The fee added to the line, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  feeAmount?: string | number | undefined
  /** The tax category: a code from the code list `tax-categories`, or `standard`, `zero` or `exempt`. Required without `itemId`; otherwise the default comes from the item. Must not be blank. */
  taxCategory?: string | undefined
} & ({ description: string; unitCode: string; unitPrice: string | number; taxCategory: string } | { itemId: string })

export interface NewItem {
  /** Name of the item, as invoice lines show it. Must not be blank. */
  name: string
  /** Longer description of the item. Send null to remove it. */
  description?: string | null | undefined
  /** Customs code (HS) of goods, from the code list `product-codes`. Needed for goods, left out for services. Must not be blank. */
  hsnCode?: string | null | undefined
  /** Code of a service (ISIC), from the code list `service-codes`. Needed for services, left out for goods. Must not be blank. */
  serviceCode?: string | null | undefined
  /** Kind of goods or service, in words. Must not be blank. */
  productCategory: string
  /** Unit of measure, from the code list `units` (UN/ECE Recommendation 20). Must not be blank. */
  unitCode: string
  /** Price of one unit without tax, in minor units such as cents. Must be minor units as text, from 0 to 100000000000000, with two decimals at most. */
  unitPriceMinor: string
  /** Currency of the price, as a code of ISO 4217 such as `NGN`. Must not be blank. */
  currency: string
  /** How the item is taxed, from the code list `tax-categories`. Must not be blank. */
  taxCategory: string
  /** Your own stock number of the item. Only one item that is not archived can have it. Must not be blank. */
  sku?: string | null | undefined
  /** Whether the item is `goods` or a `service`. It cannot be changed later. */
  itemType: "goods" | "service"
}

export interface NewOwner {
  /** Unique identifier of the person (UUIDv7). */
  id: string
  /** Email address that the person signs in with. */
  email: string
  /** First name of the person. */
  firstName: string
  /** Last name of the person. */
  lastName: string
  /** First and last name, separated by a space. */
  fullName: string
  /** Role of the person in the organisation. */
  role: RoleRef
  /** Status of the membership. `active`: can act for the organisation. `suspended` and `deactivated`: cannot act until somebody with the capability `member.restore` restores the membership. */
  status: "active" | "suspended" | "deactivated"
  /** True once the person has proved that the email address is theirs. */
  emailVerified: boolean
  /** True if signing in asks for a code of an authenticator app. */
  totpEnabled: boolean
  /** When the person joined the organisation. */
  joinedAt: string
}

export interface NewPayment {
  /** The amount paid, in major units such as dollars. At most the amount due. Must be an exact decimal number, as text or as a JSON number. */
  amount: string | number
  /** The day on which the buyer paid. */
  paidOn: string
  /** How the buyer paid, such as `bank transfer`. Must not be blank. */
  method?: string | null | undefined
  /** A reference of the payment, such as that of the bank. Must not be blank. */
  reference?: string | null | undefined
}

export interface NewPaymentPromise {
  /** The day by which the buyer will pay, from today to 365 days ahead. */
  day: string
  /** Your remark, which the buyer does not see. */
  remark?: string | null | undefined
}

export interface NewQuote {
  /** `quote`, the default, or `proforma`. It cannot be changed later. */
  quoteType?: "quote" | "proforma" | undefined
  /** The buyer. A draft can do without; to send it, a buyer is needed. */
  buyerId?: string | null | undefined
  /** The seller. The default is the primary seller of the organisation. */
  sellerId?: string | undefined
  /** The date of the quote. Today if left out, or the date of the version before. Its tax rates apply. */
  quoteDate?: string | undefined
  /** The last day on which the buyer can accept, in the time zone of your organisation. Not before `quoteDate`, and at most 100 years from today. Without an end if left out. */
  validUntil?: string | null | undefined
  /** The currency of all amounts (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The lines, at most 500. */
  lineItems: NewQuoteLine[]
  /** The discount on the whole quote, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  allowanceAmount?: string | number | null | undefined
  /** The charge added to the whole quote, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  chargeAmount?: string | number | null | undefined
  /** The first day of the period that the invoice covers, such as a month of a service. */
  periodStart?: string | null | undefined
  /** The last day of the period that the invoice covers, such as a month of a service. Not before `periodStart`. */
  periodEnd?: string | null | undefined
  /** The number of the purchase order of the buyer. */
  purchaseOrderReference?: string | null | undefined
  /** A reference that the buyer asks for, such as a department. */
  buyerReference?: string | null | undefined
  /** The number of the contract that the invoice belongs to. */
  contractReference?: string | null | undefined
  /** The number of the quote or proforma invoice that the invoice follows. */
  quoteReference?: string | null | undefined
  /** Where the buyer books the invoice, such as a cost centre. */
  accountingCost?: string | null | undefined
  /** The payment terms, printed on the document. */
  paymentTerms?: string | null | undefined
  /** Remarks for the buyer, printed on the document. */
  notes?: string | null | undefined
}

export type NewQuoteLine = {
  /** The saved item that fills the fields which the line leaves out. */
  itemId?: string | undefined
  /** What is sold, as printed on the document. Required without `itemId`; otherwise the default comes from the item. Must not be blank. */
  description?: string | undefined
  /** A short name of what is sold. Must not be blank. */
  itemName?: string | null | undefined
  /** The customs code of goods (HS), from the code list `product-codes`. Must not be blank. */
  hsnCode?: string | null | undefined
  /** The kind of goods or service, as text. Must not be blank. */
  productCategory?: string | null | undefined
  /** The code of a service (ISIC), from the code list `service-codes`. Must be left out if `hsnCode` is sent. Must not be blank. */
  isicCode?: string | null | undefined
  /** The kind of service, as text. Must be left out if `productCategory` is sent. Must not be blank. */
  serviceCategory?: string | null | undefined
  /** The number of units, with at most 6 decimals. Must be an exact decimal number, as text or as a JSON number. */
  quantity: string | number
  /** The unit, from the code list `units` (UN/ECE Recommendation 20). Required without `itemId`; otherwise the default comes from the item. Must not be blank. */
  unitCode?: string | undefined
  /** The price of one unit before tax, in major units such as dollars. Required without `itemId`; otherwise the default comes from the item. Must be an exact decimal number, as text or as a JSON number. */
  unitPrice?: string | number | undefined
  /** The discount on the line, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  discountAmount?: string | number | undefined
  /** The fee added to the line, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  feeAmount?: string | number | undefined
  /** The tax category: a code from the code list `tax-categories`, or `standard`, `zero` or `exempt`. Required without `itemId`; otherwise the default comes from the item. Must not be blank. */
  taxCategory?: string | undefined
} & ({ description: string; unitCode: string; unitPrice: string | number; taxCategory: string } | { itemId: string })

export interface NewRecurringSchedule {
  /** Your own name for the schedule. Must not be blank. */
  name: string
  /** `week`: `every` weeks apart, on the weekday of `startsOn`. `month`: `every` months apart, on `dayOfMonth`. `quarter_end`: on 31 March, 30 June, 30 September and 31 December. `year`: `every` years apart, on the day of `startsOn`; 29 February becomes 28 February in other years. */
  unit: "week" | "month" | "quarter_end" | "year"
  /**
   * Number of weeks, months or years from one invoice to the next, 1 to 60. 1 if left out. Always 1 with `quarter_end`.
   * Default: 1.
   */
  every?: number | undefined
  /** The first invoice is made on this day or later, in the time zone of your organisation. Not before today. */
  startsOn: string
  /** For `month`: the day of the month. In shorter months it is the last day. If this day of the first month is before `startsOn`, the first invoice is in the next month. The day of `startsOn` if left out. */
  dayOfMonth?: number | undefined
  /** No invoice is made after this day. Without an end if left out. */
  until?: string | null | undefined
  /** How many periods the schedule has. Skipped, failed and paused periods count too. Without an end if left out. */
  count?: number | null | undefined
  /** `in_advance`: the period of an invoice begins on its day; with `quarter_end`, it is the next quarter. `in_arrears`: the period ends on its day. If left out, `in_arrears` with `quarter_end`, otherwise `in_advance`. */
  billing?: "in_advance" | "in_arrears" | undefined
  /** What happens to days that passed in an outage. `all`: every period gets its invoice. `latest`: only the last one. `none`: only the period of today. `all` if left out. */
  catchUp?: "all" | "latest" | "none" | undefined
  /** What happens to each invoice. `draft`: it stays a draft. `finalise`: it is issued. `submit`: it is issued and submitted to the tax authority. `send`: it is issued and emailed to the buyer, and not submitted. `submit_and_send`: it is issued and submitted, and emailed when the authority has accepted it. */
  policy: "draft" | "finalise" | "submit" | "send" | "submit_and_send"
  /** Days from the invoice to its due date, 0 to 365. Without it, invoices have no due date. */
  dueInDays?: number | null | undefined
  /** The invoice without its days and number. In texts, these placeholders are replaced, in the language of the buyer: `{period}`, `{from}`, `{to}`, `{day}`, `{month}`, `{quarter}`, `{year}`. */
  invoice: RecurringInvoice
}

export interface NewReminderMinimum {
  /** Currency of the amount (ISO 4217). Must not be blank. */
  currency: string
  /** Invoices are left out if the mail would ask for less, in minor units. */
  amountMinor: number
}

export interface NewReminderPlan {
  /** Whether reminders are sent. */
  on: boolean
  /** Hour of the day at which reminders go out, 0 to 23, in the time zone of your organisation. */
  hour: number
  /** `all`: every buyer except those that are set to `never`. `chosen`: only buyers that are set to `chosen`. */
  buyers: "all" | "chosen"
  /** The steps of the plan, at most 10. */
  steps: NewReminderStep[]
  /** The `version` that you read. The request is refused if the plan changed since. Unchecked if left out. */
  version?: number | undefined
}

export interface NewReminderStep {
  /** Days from the due date, -90 to 365: negative before it, 0 on it, positive after it. */
  days: number
  /** The least amount due, by currency. Currencies that are not listed have none. */
  minimumAmounts?: NewReminderMinimum[] | undefined
  /** Your own words. Without a template for the language of the buyer, the mail has the standard words in that language. */
  templates?: NewReminderTemplate[] | undefined
}

export interface NewReminderTemplate {
  /** For buyers with this language (ISO 639-1). Null: for all languages without a template of their own. */
  language: "en" | "fr" | "ha" | "yo" | "ig" | "pt" | "ar" | null
  /** Subject of the mail. These placeholders are replaced: `{buyer}`, `{seller}`, `{number}`, `{amount due}`, `{due date}`, `{days overdue}`. Must not be blank. */
  subject: string
  /** Text of the mail. Each line is a paragraph. These placeholders are replaced: `{buyer}`, `{seller}`, `{number}`, `{amount due}`, `{due date}`, `{days overdue}`. `{link}` is where the list of invoices stands, each with its amount and link; without it, at the end. Web addresses are not allowed. Must not be blank or contain a web or email address. */
  body: string
}

/** When a failed delivery is attempted again. A field that you leave out has its default. Without a `retryConfig` there are three attempts, after one and two seconds. */
export interface NewRetryConfig {
  /**
   * How often a delivery is attempted, the first time included.
   * Default: 3.
   */
  maxAttempts?: number | undefined
  /**
   * The delay between the first attempt and the second, in milliseconds.
   * Default: 1000.
   */
  initialDelayMs?: number | undefined
  /**
   * Each further delay is the one before times this number.
   * Default: 2.
   */
  multiplier?: number | undefined
  /**
   * No delay is longer than this, in milliseconds; 86400000 is 24 hours.
   * Default: 86400000.
   */
  maxDelayMs?: number | undefined
  /**
   * How long one attempt may take, in milliseconds.
   * Default: 10000.
   */
  timeoutMs?: number | undefined
}

export interface NewStatementLink {
  /** Unique identifier of the link (UUIDv7). */
  id: string
  /** Currency of the account (ISO 4217). */
  currency: string
  /** First day that the page shows. */
  from: string
  /** Last day that the page shows, which counts too. */
  to: string
  /** When the link was created. */
  createdAt: string
  /** When the link stops working. */
  expiresAt: string
  /** The address of the public page. Only this reply has it. */
  url: string
}

export interface NewTaxConnection {
  /** Refused since the authority’s record gives the tax number. Leave it out. */
  taxId?: unknown | undefined
  /** Identifiers of the business at the authority. */
  authorityIdentifiers: {
    /** Identifier of the business at the authority (UUID). */
    businessId: string
    /** Service identifier that the authority gave the business, at most 64 characters. Must not be blank. */
    serviceId: string
  }
  /** Consent to act for the business before the authority. */
  consent: {
    /** Must be `true`: you accept the text on behalf of the business. */
    accepted: true
    /** Version of the text that is accepted. It must be the current one. Must not be blank. */
    textVersion: string
  }
  /** Your own keys to the authority. This installation’s keys are used if left out. */
  credentials?: AuthorityCredentials | undefined
}

export interface NewTestClockMove {
  /** The time at which the move ends. Leave it out if you send `by`. */
  to?: string | undefined
  /** How far the move goes from the time of the sandbox. The parts are added up. */
  by?: TestClockSpan | undefined
}

export interface NextReminder {
  /** The day of the reminder, in the time zone of your organisation. */
  day: string
  /** The step of the plan, in days from the due date. */
  stepDays: number
}

export interface OrganisationsAuditLogQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only events of this type, or of a family such as `api_key.*`. Must not be blank. */
  type?: string | undefined
  /** Return only events of this person or API key. */
  actorId?: string | undefined
  /** Return only events that happened to this object. Must not be blank. */
  objectId?: string | undefined
  /** Return only events at or after this time. */
  from?: string | undefined
  /** Return only events before this time. */
  to?: string | undefined
}

export interface OrganisationsSwitchBody {
  /** Unique identifier of the organisation to act for. You must be an active member. */
  organizationId: string
  /** Mode to act in. The mode stays as it is if you leave it out. */
  mode?: Mode | undefined
}

export interface OrganisationsVerifyTaxNumberBody {
  /** The tax number of the business. Must not be blank. */
  taxId: string
}

export interface Organization {
  /** Unique identifier of the organisation (UUIDv7). */
  id: string
  /** Name of the organisation. */
  name: string
  /** Country of the organisation, as a code of ISO 3166-1 such as `NG`. */
  country: string
  /** Website of the organisation. Null if none is known. */
  website: string | null
  /** Email address for business with the organisation. Null if none is known. */
  contactEmail: string | null
  /** Postal address of the organisation. Null if none is known. */
  address: OrganizationAddress | null
  /** Logo on the documents of the organisation. Null if there is none. */
  logo: Logo | null
  /** Bank account that documents ask to pay to. Null if there is none. */
  bankDetails: BankDetails | null
  /** Tax number that the authority confirmed. Null until it did. */
  taxNumber: string | null
  /** Telephone number of the organisation (E.164). Null if none is known. */
  phone: string | null
  /** True once somebody has entered the code that was sent to the number. */
  phoneVerified: boolean
  /** Unique identifier of the organisation that this one is a child of. Null if there is none. */
  parentOrganizationId: string | null
  /** When onboarding was completed. Null until it is. */
  onboardedAt: string | null
  /** When the organisation was created. */
  createdAt: string
}

export interface OrganizationAddress {
  /** Street and house number. Must not be blank. */
  line1: string
  /** Second line, such as a floor or a building. Must not be blank. */
  line2?: string | undefined
  /** City or town of the address. Must not be blank. */
  city: string
  /** State or province of the address. Must not be blank. */
  state: string
  /** Postal code of the address. Must not be blank. */
  postalCode?: string | undefined
  /** Country of the address. Must be an ISO 3166-1 alpha-2 country code, such as NG. */
  country: string
}

export interface OrganizationChange {
  /** New name of the organisation. Must be a name that is not blank and contains no web or email address; a domain such as Acme.com is allowed. */
  name?: string | undefined
  /** New email address for business with the organisation. */
  contactEmail?: string | undefined
  /** New website of the organisation. Must begin with http:// or https://. */
  website?: string | undefined
  /** New postal address. It replaces the old one as a whole. */
  address?: OrganizationAddress | undefined
  /** Logo on the documents of the organisation. Null if there is none; send null to remove it. */
  logo?: Logo | null | undefined
  /** Bank account that documents ask to pay to. Null if there is none; send null to remove it. */
  bankDetails?: BankDetails | null | undefined
}

export interface Overview {
  /** Figures of the last twelve months in which documents were issued, one entry per month and currency. */
  months: OverviewMonth[]
  /** Amounts left to pay on issued documents, by how long they have been due. */
  receivables: {
    /** `not_due`: the due date has not passed, or there is none. `1_30`, `31_60`, `61_90`: days since the due date, from the first to the last. `over_90`: more than 90 days. */
    age: "not_due" | "1_30" | "31_60" | "61_90" | "over_90"
    /** Currency of the amount, as a code of ISO 4217 such as `NGN`. */
    currency: string
    /** Number of documents with an amount of this age. The list of invoices with `age` and `currency` has them. A document with instalments can have several ages. */
    count: number
    /** Amount of this age that is left to pay on these documents, in minor units. */
    dueMinor: number
  }[]
  /** Documents that must be reported to the tax authority and are not reported yet. */
  reports: {
    /** Number of documents whose deadline has passed. */
    late: number
    /** Number of documents whose deadline is between now and `until`. */
    soon: number
    /** Next deadline that has not passed. Null if there is none. */
    nextAt: string | null
    /** End of the time that `soon` counts: a day from now, rounded up to the full hour. The list of invoices with `reportDueTo` set to this time has the documents of `late` and `soon`. */
    until: string
  }
  /** Number of submissions without retries left of which nobody knows whether the authority has the document. */
  unknownOutcomes: number
  /** Outage of the tax authority. Null if the authority answers. */
  authorityOutage: {
    /** Since when the authority does not answer. */
    since: string
  } | null
}

export interface OverviewMonth {
  /** First day of the month (YYYY-MM-DD). */
  month: string
  /** Currency of the amounts, as a code of ISO 4217 such as `NGN`. */
  currency: string
  /** Number of documents that were issued in the month, credit and debit notes included. */
  documents: number
  /** Amount invoiced in the month with tax, less credit notes, in minor units. */
  invoicedMinor: number
  /** Tax in the amount that was invoiced, in minor units. */
  taxMinor: number
  /** Part of the invoiced amount that has been paid by now, in minor units. */
  paidMinor: number
}

export interface OwnMembership {
  /** Unique identifier of the organisation (UUIDv7). */
  id: string
  /** Name of the organisation. */
  name: string
  /** Country of the organisation, as a code of ISO 3166-1 such as `NG`. */
  country: string
  /** Your role in the organisation. */
  role: RoleRef
  /** Status of your membership. `active`: can act for the organisation. `suspended` and `deactivated`: cannot act until somebody with the capability `member.restore` restores the membership. */
  membershipStatus: "active" | "suspended" | "deactivated"
  /** True for the organisation that the token acts for. */
  current: boolean
  /** When you joined the organisation. */
  joinedAt: string
}

/** What a buyer or seller is: a person (`individual`), a `company`, a `partnership`, a charity (`non_profit`) or a public body (`government`). */
export type PartyType = "individual" | "company" | "partnership" | "non_profit" | "government"

export interface Payment {
  /** Unique identifier of the payment (UUIDv7). */
  id: string
  /** The invoice that was paid. */
  invoiceId: string
  /** The amount paid, in minor units of the currency of the invoice. */
  amountMinor: number
  /** The day on which the buyer paid. */
  paidOn: string
  /** How the buyer paid, such as `bank transfer`. Null if not recorded. */
  method: string | null
  /** A reference of the payment, such as that of the bank. Null if not recorded. */
  reference: string | null
  /** Who recorded the payment. */
  recordedBy: Actor
  /** When the payment was recorded. */
  recordedAt: string
  /** When the payment was reversed. Null while it counts. */
  reversedAt: string | null
}

export interface PaymentPromise {
  /** The day by which the buyer will pay. */
  day: string
  /** Your remark. Null if there is none. */
  remark: string | null
  /** When the promise was recorded. */
  promisedAt: string
}

export interface PeriodToMakeAgain {
  /** The day of the invoice that is made after all. */
  day: string
}

export interface PeriodToRun {
  /** The day of the invoice that is made. Not after today. */
  day: string
}

export interface PeriodToSkip {
  /** The day of the invoice that is left out. */
  day: string
}

export interface Plan {
  /** Code of the plan, such as `starter`. A code is never reused. */
  code: string
  /** Name of the plan, for display. */
  name: string
  /** Whom the plan is for, in one sentence. */
  description: string
  /** Credits that a subscription adds to the live balance every month. */
  monthlyCredits: number
  /** Price for each currency and interval. Empty for the free plan. */
  prices: {
    /** Currency of the price, as an ISO 4217 code. */
    currency: "NGN" | "USD"
    /** How often the price is paid: `monthly` or `yearly`. */
    interval: "monthly" | "yearly"
    /** Price for one interval, in minor units such as cents. */
    amountMinor: number
  }[]
}

export interface Problem {
  /** The field that the problem is about, such as `lineItems[2].quantity`. */
  path: string
  /** The rule that the field breaks, as a short code. */
  rule: string
  /** What is wrong and what to do, in English. */
  message: string
}

export interface ProductCode {
  /** Customs code (HS) of the goods. */
  code: string
  /** Goods that the code stands for, in words. */
  description: string
  /** Chapter of the customs tariff that the code belongs to. Null if it belongs to none. */
  category: string | null
  /** Tax category of the goods under the law of today, if all of them are zero-rated or exempt. Null otherwise. */
  suggestedTaxCategory: string | null
}

export interface ProgramApproval {
  /** Unique identifier of the organisation in which the program may act. */
  organizationId: string
  /** Mode in which the program may act. */
  mode: Mode
  /** Names of the capabilities that the program gets: those that it asks for, or fewer. */
  capabilities: ("organization.read" | "api_key.read" | "billing.account.read" | "billing.usage.read" | "billing.ledger.read" | "billing.statement.read" | "billing.payment.read" | "billing.subscription.read" | "collection.read" | "webhook.endpoint.read" | "webhook.endpoint.test" | "webhook.delivery.read" | "webhook.delivery.redeliver" | "invoice.read" | "invoice.stats.read" | "invoice.create" | "invoice.update_draft" | "invoice.delete_draft" | "invoice.finalise" | "invoice.validate" | "invoice.submit" | "invoice.retry" | "invoice.query_status" | "invoice.cancel" | "invoice.record_payment" | "invoice.send_to_buyer" | "invoice.download_pdf" | "invoice.download_authority_copy" | "invoice.reopen" | "invoice.share" | "invoice.inbound.read" | "reference.read" | "tax_id.lookup" | "buyer.read" | "buyer.create" | "buyer.update" | "buyer.delete" | "buyer.verify_tax_id" | "item.read" | "item.create" | "item.update" | "item.archive" | "seller.read" | "tax_connection.read")[]
  /** Limits of the program. */
  limits: SpendingLimits
}

export interface ProgramChoice {
  /** Unique identifier of the organisation. */
  id: string
  /** Name of the organisation. */
  name: string
  /** The modes that you can choose. */
  modes: Mode[]
  /** Names of the capabilities that you can give a program there. */
  capabilities: string[]
}

export interface ProgramIdentity {
  /** Name by which the program asks: of its own choice, or the address of its document. */
  clientId: string
  /** Name of the program, as it gave it. Nobody has checked it. */
  name: string
  /** Host whose document describes the program. Null for Risiti’s own programs, and for programs that nobody vouches for. */
  host: string | null
  /** True for a program of Risiti. */
  isBuiltIn: boolean
}

export interface ProgramPerson {
  /** Unique identifier of the person. */
  id: string
  /** First and last name of the person. */
  name: string
}

export interface ProgramRequest {
  /** Unique identifier of the request (UUIDv7). */
  id: string
  /** How the program gets your answer: through your browser (`redirect`), or because it shows a code and asks for it (`device`). */
  kind: "redirect" | "device"
  /** The program that asks. */
  program: ProgramIdentity
  /** What the tokens of the program are for: the whole API (`api`), or the tools at `/mcp` alone (`mcp`). There each change is confirmed. */
  resource: "api" | "mcp"
  /** Host to which your browser goes with the answer. Null if the program shows a code. */
  redirectHost: string | null
  /** Where the program runs that shows the code. Null if the answer goes through your browser. */
  askedFrom: AskedFrom | null
  /** Names of the capabilities that the program asks for. */
  requestedCapabilities: string[]
  /** The organisations in which you are active. You choose one of them. */
  organizations: ProgramChoice[]
  /** Until when you can answer. */
  expiresAt: string
}

export interface ProgramRequestAnswer {
  /** Address to which your browser goes with the answer. Null if the program asks for the answer itself. */
  redirectTo: string | null
}

export interface ProgramSpending {
  /** In minor units of the currency of the limits. 0 without an amount in the limits. */
  amountMinor: number
  /** Number of confirmed changes. */
  changes: number
}

export interface ProgramsFindRequestBody {
  /** The code that the program shows, such as `BCDF-GHJK`. Case and hyphens do not matter. Must not be blank. */
  userCode: string
}

export interface ProgramsListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** `own` (the default): your programs in all organisations. `organization`: those of all members of the organisation of your session. `others`: the same without yours. The last two need `api_key.read`. */
  scope?: "own" | "organization" | "others" | undefined
}

export interface ProgramsRevokeReply {
  /** Unique identifier of the program that was disconnected. */
  id: string
  /** Always true. The program and its tokens no longer work. */
  revoked: boolean
}

export interface QueriedStatus {
  /** Unique identifier of the document (UUIDv7). */
  id: string
  /** The number of the document in your own series. */
  invoiceNumber: string
  /** `draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `signed`: registered there. `transmitted`: passed on to the buyer. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancellation_pending`: its credit note waits for the tax authority. `cancelled`: taken back. */
  status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
  /** The status in one word. The first that applies: `cancelled`, `paid`, `part_paid`, `delivered` (reached the buyer), `reported` (the tax authority has it), `draft`, `issued`. */
  simpleStatus: "draft" | "issued" | "reported" | "delivered" | "paid" | "part_paid" | "cancelled"
  /** How much of the document is paid. `unpaid`: nothing was paid. `partially_paid`: a part was. `paid`: something was paid, and nothing is left after credit notes. `payment_failed`: you declared it, and nothing was paid since. */
  paymentStatus: "unpaid" | "partially_paid" | "paid" | "payment_failed"
  /** The state of the report to the tax authority. */
  reporting: Reporting
  /** When the document was last submitted to the tax authority. Null if never. */
  submittedAt: string | null
  /** When the document last changed. */
  updatedAt: string
  /** The state of the submission, and what you can do now. */
  report: SubmissionReport
  /** The record of the tax authority. Null if the tax authority does not have the document. */
  authority: AuthorityRecord | null
}

export interface Quote {
  /** Unique identifier of the quote (UUIDv7). */
  id: string
  /** The number in its own series, such as `QUO000042` or `PRO000042`. */
  quoteNumber: string
  /** `quote`: an offer. `proforma`: an offer in the form of an invoice, which asks for payment in advance. */
  quoteType: "quote" | "proforma"
  /** `draft`: only you see it. `sent`: waits for the buyer. `accepted` and `declined`: the decision. `expired`: the last valid day has passed without a decision. `converted`: it became an invoice or a deposit. `cancelled`: withdrawn. */
  status: "draft" | "sent" | "accepted" | "declined" | "expired" | "converted" | "cancelled"
  /** The number of the version, from 1. */
  versionNumber: number
  /** The seller. Null if the organisation has none. */
  sellerId: string | null
  /** The buyer. Null if a draft has none. */
  buyerId: string | null
  /** The name of the buyer on the quote. Null if a draft has none. */
  buyerName: string | null
  /** The date of the quote. */
  quoteDate: string
  /** The last day on which the buyer can accept. Null without an end. */
  validUntil: string | null
  /** The currency of all amounts (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The sum of the lines before tax, in minor units. */
  netMinor: number
  /** The discount on the whole quote, in minor units. */
  allowanceMinor: number
  /** The charge added to the whole quote, in minor units. */
  chargeMinor: number
  /** The tax, in minor units. */
  taxMinor: number
  /** The total with tax, in minor units. */
  payableMinor: number
  /** The tax of the document, one entry for each tax category and rate. */
  taxes: TaxGroup[]
  /** What the buyer decided about this version. Null without a decision. */
  decision: QuoteDecision | null
  /** The first day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodStart: string | null
  /** The last day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodEnd: string | null
  /** The number of the purchase order of the buyer. Null if not set. */
  purchaseOrderReference: string | null
  /** A reference that the buyer asks for, such as a department. Null if not set. */
  buyerReference: string | null
  /** The number of the contract that the invoice belongs to. Null if not set. */
  contractReference: string | null
  /** The number of the quote or proforma invoice that the invoice follows. Null if not set. */
  quoteReference: string | null
  /** Where the buyer books the invoice, such as a cost centre. Null if not set. */
  accountingCost: string | null
  /** The payment terms, printed on the document. Null if not set. */
  paymentTerms: string | null
  /** Remarks for the buyer, printed on the document. Null if not set. */
  notes: string | null
  /** When the quote was last sent. Null for a draft. */
  sentAt: string | null
  /** When the public link was created. Null if there is none. */
  sharedAt: string | null
  /** Who created the document. */
  createdBy: Actor
  /** When the quote was created. */
  createdAt: string
  /** When the quote last changed. */
  updatedAt: string
  /** The discount on the whole quote, in major units such as dollars. */
  allowanceAmount: string
  /** The charge added to the whole quote, in major units such as dollars. */
  chargeAmount: string
  /** The lines, in their order. */
  lineItems: QuoteLine[]
  /** The documents that the quote became, oldest first. */
  results: QuoteResult[]
  /** The total that the final invoice after a deposit will have, in minor units. Null if no final invoice is missing. */
  restMinor: number | null
  /** The sum of its documents now, after credit notes, in minor units. Documents that were changed to another currency are left out. If no final invoice is missing and the sum is not the total of the quote, a document was changed, deleted or credited. */
  invoicedMinor: number
}

export interface QuoteContent {
  /** The buyer. A draft can do without; to send it, a buyer is needed. */
  buyerId?: string | null | undefined
  /** The seller. The default is the primary seller of the organisation. */
  sellerId?: string | undefined
  /** The date of the quote. Today if left out, or the date of the version before. Its tax rates apply. */
  quoteDate?: string | undefined
  /** The last day on which the buyer can accept, in the time zone of your organisation. Not before `quoteDate`, and at most 100 years from today. Without an end if left out. */
  validUntil?: string | null | undefined
  /** The currency of all amounts (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The lines, at most 500. */
  lineItems: NewQuoteLine[]
  /** The discount on the whole quote, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  allowanceAmount?: string | number | null | undefined
  /** The charge added to the whole quote, in major units such as dollars. Must be an exact decimal number, as text or as a JSON number. */
  chargeAmount?: string | number | null | undefined
  /** The first day of the period that the invoice covers, such as a month of a service. */
  periodStart?: string | null | undefined
  /** The last day of the period that the invoice covers, such as a month of a service. Not before `periodStart`. */
  periodEnd?: string | null | undefined
  /** The number of the purchase order of the buyer. */
  purchaseOrderReference?: string | null | undefined
  /** A reference that the buyer asks for, such as a department. */
  buyerReference?: string | null | undefined
  /** The number of the contract that the invoice belongs to. */
  contractReference?: string | null | undefined
  /** The number of the quote or proforma invoice that the invoice follows. */
  quoteReference?: string | null | undefined
  /** Where the buyer books the invoice, such as a cost centre. */
  accountingCost?: string | null | undefined
  /** The payment terms, printed on the document. */
  paymentTerms?: string | null | undefined
  /** Remarks for the buyer, printed on the document. */
  notes?: string | null | undefined
}

export interface QuoteConversion {
  /** The day of issue of the document. Today if left out. */
  invoiceDate?: string | undefined
  /** The day on which payment is due. Not before `invoiceDate`. */
  dueDate?: string | null | undefined
  /** `true`: the document is issued at once. `false`, the default: it stays a draft. */
  finalise?: boolean | undefined
  /** The days on which parts of the total are due, oldest first. All have `percent`, or all have `amount`. `null` removes them. The due date of the document is that of the last instalment. */
  instalments?: QuoteInstalment[] | null | undefined
  /** If sent, a deposit is made instead of an invoice for the whole. Send one of its two fields. */
  deposit?: QuoteDeposit | undefined
}

export interface QuoteDecision {
  /** Whether the buyer `accepted` or `declined` the quote. */
  decision: "accepted" | "declined"
  /** The name of the person who decided. */
  name: string
  /** A remark of the buyer. Null if there is none. */
  remark: string | null
  /** When the decision was recorded. */
  decidedAt: string
  /** `page`: the buyer decided on the public page. `seller`: your organisation recorded it. */
  through: "page" | "seller"
  /** The network address that the decision came from. */
  ipAddress: string
}

export interface QuoteDecisionEventData {
  /** Unique identifier of the quote (UUIDv7). */
  quoteId: string
  /** Number of the quote, such as `QUO000042`. */
  quoteNumber: string
  /** `quote`: an offer. `proforma`: an offer in the form of an invoice, which asks for payment in advance. */
  quoteType: "quote" | "proforma"
  /** Status of the quote after the event. `draft`: only you see it. `sent`: waits for the buyer. `accepted` and `declined`: the decision. `expired`: the last valid day has passed without a decision. `converted`: it became an invoice or a deposit. `cancelled`: withdrawn. */
  status: "draft" | "sent" | "accepted" | "declined" | "expired" | "converted" | "cancelled"
  /** Number of the current version, from 1. */
  versionNumber: number
  /** Unique identifier of the buyer. Null if a draft has none. */
  buyerId: string | null
  /** Currency of the amounts (ISO 4217). */
  currency: string
  /** Total with tax, in minor units such as cents. */
  payableMinor: number
  /** Last day on which the buyer can accept (ISO 8601). Null without an end. */
  validUntil: string | null
  /** Name of the person who decided. */
  decidedBy: string
  /** `page`: the buyer decided on the public page. `seller`: your organisation recorded it. */
  decidedThrough: "page" | "seller"
  /** Remark of the buyer. Null if there is none. */
  remark: string | null
}

export interface QuoteDecisionToRecord {
  /** Whether the buyer `accepted` or `declined` the quote. */
  decision: "accepted" | "declined"
  /** The number of the version that the buyer decided about. It must be the current one. */
  versionNumber: number
  /** The name of the person who decided. Must be a name that is not blank and contains no web address, domain or email address. */
  name: string
  /** A remark of the buyer. */
  remark?: string | null | undefined
}

export interface QuoteDeposit {
  /** The part of the total with tax, in percent, with at most 4 decimals. Must be an exact decimal number, as text or as a JSON number. */
  percent?: string | number | undefined
  /** The deposit with tax, in major units such as dollars. If no amount before tax gives exactly this total, the nearest one is taken. Must be an exact decimal number, as text or as a JSON number. */
  amount?: string | number | undefined
}

export interface QuoteDownload {
  /** The link to the PDF. It works without a token. */
  url: string
  /** When the link stops working. */
  expiresAt: string
}

export interface QuoteEventData {
  /** Unique identifier of the quote (UUIDv7). */
  quoteId: string
  /** Number of the quote, such as `QUO000042`. */
  quoteNumber: string
  /** `quote`: an offer. `proforma`: an offer in the form of an invoice, which asks for payment in advance. */
  quoteType: "quote" | "proforma"
  /** Status of the quote after the event. `draft`: only you see it. `sent`: waits for the buyer. `accepted` and `declined`: the decision. `expired`: the last valid day has passed without a decision. `converted`: it became an invoice or a deposit. `cancelled`: withdrawn. */
  status: "draft" | "sent" | "accepted" | "declined" | "expired" | "converted" | "cancelled"
  /** Number of the current version, from 1. */
  versionNumber: number
  /** Unique identifier of the buyer. Null if a draft has none. */
  buyerId: string | null
  /** Currency of the amounts (ISO 4217). */
  currency: string
  /** Total with tax, in minor units such as cents. */
  payableMinor: number
  /** Last day on which the buyer can accept (ISO 8601). Null without an end. */
  validUntil: string | null
}

export interface QuoteInstalment {
  /** The day on which this part is due. After the day of the instalment before, and not before the document. */
  dueDate: string
  /** The part of the total in percent, with at most 4 decimals. All instalments together are 100. Must be left out if `amount` is sent. Must be an exact decimal number, as text or as a JSON number. */
  percent?: string | number | null | undefined
  /** The part in major units such as dollars. All instalments together are the total of the document with tax. Must be left out if `percent` is sent. Must be an exact decimal number, as text or as a JSON number. */
  amount?: string | number | null | undefined
}

export interface QuoteLine {
  /** What is sold, as printed on the document. */
  description: string
  /** The customs code of goods (HS), from the code list `product-codes`. Null for services. */
  hsnCode: string | null
  /** The code of a service (ISIC), from the code list `service-codes`. Null for goods. */
  isicCode: string | null
  /** The kind of goods or service, as text. Null if the line has none. */
  productCategory: string | null
  /** The unit of `quantity`, from the code list `units` (UN/ECE Recommendation 20). */
  unitCode: string
  /** The tax category, from the code list `tax-categories`. */
  taxCategory: string
  /** The amount of the line before tax, in minor units. */
  netMinor: number
  /** The saved item that the line was filled from. Null if none was. */
  itemId: string | null
  /** A short name of what is sold. Null if the line has none. */
  itemName: string | null
  /** The number of units, as a decimal number. */
  quantity: string
  /** The price of one unit before tax, in major units such as dollars. */
  unitPrice: string
  /** The discount on the line, in major units such as dollars. */
  discountAmount: string
  /** The fee added to the line, in major units such as dollars. */
  feeAmount: string
  /** The tax rate in percent, as a decimal number. */
  taxPercent: string
}

export interface QuoteLink {
  /** Unique identifier of the quote. */
  id: string
  /** The address of the public page. */
  url: string
  /** When the link was created. */
  sharedAt: string
}

export interface QuoteResult {
  /** `invoice`: the whole quote. `deposit`: a prepayment. `final`: the rest after a deposit. */
  result: "invoice" | "deposit" | "final"
  /** Unique identifier of the document. */
  invoiceId: string
  /** The number of the document. */
  invoiceNumber: string
  /** The total of the document when it was created, in minor units. */
  payableMinor: number
  /** True if the draft was deleted. */
  deleted: boolean
}

export interface QuoteSummary {
  /** Unique identifier of the quote (UUIDv7). */
  id: string
  /** The number in its own series, such as `QUO000042` or `PRO000042`. */
  quoteNumber: string
  /** `quote`: an offer. `proforma`: an offer in the form of an invoice, which asks for payment in advance. */
  quoteType: "quote" | "proforma"
  /** `draft`: only you see it. `sent`: waits for the buyer. `accepted` and `declined`: the decision. `expired`: the last valid day has passed without a decision. `converted`: it became an invoice or a deposit. `cancelled`: withdrawn. */
  status: "draft" | "sent" | "accepted" | "declined" | "expired" | "converted" | "cancelled"
  /** The number of the version, from 1. */
  versionNumber: number
  /** The seller. Null if the organisation has none. */
  sellerId: string | null
  /** The buyer. Null if a draft has none. */
  buyerId: string | null
  /** The name of the buyer on the quote. Null if a draft has none. */
  buyerName: string | null
  /** The date of the quote. */
  quoteDate: string
  /** The last day on which the buyer can accept. Null without an end. */
  validUntil: string | null
  /** The currency of all amounts (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The sum of the lines before tax, in minor units. */
  netMinor: number
  /** The discount on the whole quote, in minor units. */
  allowanceMinor: number
  /** The charge added to the whole quote, in minor units. */
  chargeMinor: number
  /** The tax, in minor units. */
  taxMinor: number
  /** The total with tax, in minor units. */
  payableMinor: number
  /** The tax of the document, one entry for each tax category and rate. */
  taxes: TaxGroup[]
  /** What the buyer decided about this version. Null without a decision. */
  decision: QuoteDecision | null
  /** The first day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodStart: string | null
  /** The last day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodEnd: string | null
  /** The number of the purchase order of the buyer. Null if not set. */
  purchaseOrderReference: string | null
  /** A reference that the buyer asks for, such as a department. Null if not set. */
  buyerReference: string | null
  /** The number of the contract that the invoice belongs to. Null if not set. */
  contractReference: string | null
  /** The number of the quote or proforma invoice that the invoice follows. Null if not set. */
  quoteReference: string | null
  /** Where the buyer books the invoice, such as a cost centre. Null if not set. */
  accountingCost: string | null
  /** The payment terms, printed on the document. Null if not set. */
  paymentTerms: string | null
  /** Remarks for the buyer, printed on the document. Null if not set. */
  notes: string | null
  /** When the quote was last sent. Null for a draft. */
  sentAt: string | null
  /** When the public link was created. Null if there is none. */
  sharedAt: string | null
  /** Who created the document. */
  createdBy: Actor
  /** When the quote was created. */
  createdAt: string
  /** When the quote last changed. */
  updatedAt: string
}

export interface QuoteToSend {
  /** `true`, the default: the quote is mailed to the buyer. `false`: it is only opened. */
  mail?: boolean | undefined
}

export interface QuoteVersion {
  /** The number of the version, from 1. */
  versionNumber: number
  /** The seller. Null if the organisation has none. */
  sellerId: string | null
  /** The buyer. Null if a draft has none. */
  buyerId: string | null
  /** The name of the buyer on the quote. Null if a draft has none. */
  buyerName: string | null
  /** The date of the quote. */
  quoteDate: string
  /** The last day on which the buyer can accept. Null without an end. */
  validUntil: string | null
  /** The currency of all amounts (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The sum of the lines before tax, in minor units. */
  netMinor: number
  /** The discount on the whole quote, in minor units. */
  allowanceMinor: number
  /** The charge added to the whole quote, in minor units. */
  chargeMinor: number
  /** The tax, in minor units. */
  taxMinor: number
  /** The total with tax, in minor units. */
  payableMinor: number
  /** The tax of the document, one entry for each tax category and rate. */
  taxes: TaxGroup[]
  /** What the buyer decided about this version. Null without a decision. */
  decision: QuoteDecision | null
  /** The first day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodStart: string | null
  /** The last day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodEnd: string | null
  /** The number of the purchase order of the buyer. Null if not set. */
  purchaseOrderReference: string | null
  /** A reference that the buyer asks for, such as a department. Null if not set. */
  buyerReference: string | null
  /** The number of the contract that the invoice belongs to. Null if not set. */
  contractReference: string | null
  /** The number of the quote or proforma invoice that the invoice follows. Null if not set. */
  quoteReference: string | null
  /** Where the buyer books the invoice, such as a cost centre. Null if not set. */
  accountingCost: string | null
  /** The payment terms, printed on the document. Null if not set. */
  paymentTerms: string | null
  /** Remarks for the buyer, printed on the document. Null if not set. */
  notes: string | null
  /** When this version was written. */
  versionCreatedAt: string
  /** The discount on the whole quote, in major units such as dollars. */
  allowanceAmount: string
  /** The charge added to the whole quote, in major units such as dollars. */
  chargeAmount: string
  /** The lines, in their order. */
  lineItems: QuoteLine[]
}

export interface QuoteVersionSummary {
  /** The number of the version, from 1. */
  versionNumber: number
  /** The seller. Null if the organisation has none. */
  sellerId: string | null
  /** The buyer. Null if a draft has none. */
  buyerId: string | null
  /** The name of the buyer on the quote. Null if a draft has none. */
  buyerName: string | null
  /** The date of the quote. */
  quoteDate: string
  /** The last day on which the buyer can accept. Null without an end. */
  validUntil: string | null
  /** The currency of all amounts (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The sum of the lines before tax, in minor units. */
  netMinor: number
  /** The discount on the whole quote, in minor units. */
  allowanceMinor: number
  /** The charge added to the whole quote, in minor units. */
  chargeMinor: number
  /** The tax, in minor units. */
  taxMinor: number
  /** The total with tax, in minor units. */
  payableMinor: number
  /** The tax of the document, one entry for each tax category and rate. */
  taxes: TaxGroup[]
  /** What the buyer decided about this version. Null without a decision. */
  decision: QuoteDecision | null
  /** The first day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodStart: string | null
  /** The last day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodEnd: string | null
  /** The number of the purchase order of the buyer. Null if not set. */
  purchaseOrderReference: string | null
  /** A reference that the buyer asks for, such as a department. Null if not set. */
  buyerReference: string | null
  /** The number of the contract that the invoice belongs to. Null if not set. */
  contractReference: string | null
  /** The number of the quote or proforma invoice that the invoice follows. Null if not set. */
  quoteReference: string | null
  /** Where the buyer books the invoice, such as a cost centre. Null if not set. */
  accountingCost: string | null
  /** The payment terms, printed on the document. Null if not set. */
  paymentTerms: string | null
  /** Remarks for the buyer, printed on the document. Null if not set. */
  notes: string | null
  /** When this version was written. */
  versionCreatedAt: string
}

export interface QuotesDownloadQuery {
  /** The number of the version. The current one if left out. */
  versionNumber?: number | undefined
}

export interface QuotesListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Only quotes (`quote`), or only proforma invoices (`proforma`). */
  quoteType?: "quote" | "proforma" | undefined
  /** Only those with this status. `Quote.status` explains the values. */
  status?: "draft" | "sent" | "accepted" | "declined" | "expired" | "converted" | "cancelled" | undefined
  /** Only those for the buyer with this id. */
  buyerId?: string | undefined
  /** Only those dated on this day or later. */
  quoteDateFrom?: string | undefined
  /** Only those dated on this day or earlier. */
  quoteDateTo?: string | undefined
  /** Only those with this text in the number or in the name of the buyer. Case does not matter. */
  search?: string | undefined
}

export interface QuotesListVersionsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface Reachability {
  /** Tax number that was looked up. */
  taxId: string
  /** True if the e-invoicing network delivers to the tax number. Null if the authority never answered. */
  reachable: boolean | null
  /** Name of the access point that delivers to the tax number. Null if none is known. */
  provider: string | null
  /** When the authority gave this answer. Null if it never answered. */
  checkedAt: string | null
  /** True if the authority could not be asked now and the answer is an older one. */
  stale: boolean
  /** True if the authority could not be asked now. */
  unavailable: boolean
}

export interface Readiness {
  /** Whether the tax authority would accept the document. */
  ready: boolean
  /** The reasons for which the tax authority would refuse the document. */
  problems: Problem[]
  /** Hints that stop nothing: rules of law that the tax authority does not check, likely mistakes, and characters that the PDF cannot show. */
  advice: Problem[]
  /** The sum of the lines before tax, in minor units. */
  netMinor: number
  /** The tax on the document, in minor units. */
  taxMinor: number
  /** The total of the document with tax, in minor units. */
  payableMinor: number
  /** The tax in the currency of your country, by the rates that are known now. Null in this currency itself, and without a rate. */
  homeTax: HomeTax | null
}

export interface ReceivedInvoice {
  /** Unique identifier of the received invoice (UUIDv7). */
  id: string
  /** Invoice reference number (IRN) that the authority knows the document by. */
  authorityReference: string
  /** Number that the supplier gave the document. */
  invoiceNumber: string
  /** Kind of document: `standard` (an invoice), `credit_note`, `debit_note` or `prepayment`. */
  invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
  /** Kind of document, as the authority’s code. */
  authorityTypeCode: string
  /** Who deals with whom, as the document says: B (business), C (consumer), G (government). Null if it does not say. */
  invoiceKind: string | null
  /** Day on which the supplier issued the document. */
  issueDate: string
  /** Last day for payment. Null if the document names none. */
  dueDate: string | null
  /** Currency of the document, as an ISO 4217 code. */
  currency: string
  /** The supplier, with the values on the document. */
  seller: {
    /** Name of the supplier. Null if the document has none. */
    name: string | null
    /** Tax number of the supplier. Null if the document has none. */
    taxId: string | null
    /** Email address of the supplier. Null if the document has none. */
    email: string | null
    /** Telephone number of the supplier. Null if the document has none. */
    phone: string | null
    /** City of the supplier. Null if the document has none. */
    city: string | null
    /** Country of the supplier, as the document writes it. Null if it has none. */
    country: string | null
  }
  /** The buyer, which is your organisation, with the values on the document. */
  buyer: {
    /** Name of the buyer. Null if the document has none. */
    name: string | null
    /** Tax number of the buyer. Null if the document has none. */
    taxId: string | null
  }
  /** References of the documents that this credit or debit note corrects. Empty for invoices. */
  corrects: string[]
  /** Other references under which the same document came: same supplier, number, type and day of issue. It is stored once. */
  duplicates: string[]
  /** References of other documents of the supplier with this number and type, but another day of issue; at most 20. Each is counted. */
  possibleDuplicates: string[]
  /** Amount before tax, in minor units. */
  netMinor: number
  /** Tax on the document, in minor units. */
  taxMinor: number
  /** Amount to be paid, with tax, in minor units. */
  payableMinor: number
  /** Payment status that the authority has on record: `unpaid`, `partial`, `paid` or `rejected`. */
  paymentStatus: "unpaid" | "partial" | "paid" | "rejected"
  /** Whether the due date has passed and the document is not `paid`. */
  overdue: boolean
  /** `transmitted`: received, receipt not confirmed yet. `acknowledged`: receipt confirmed to the network. */
  transmissionStatus: "transmitted" | "acknowledged"
  /** Access point through which the supplier sends. Null if the network does not say. */
  accessPoint: string | null
  /** Result of the checks of this service. */
  validation: {
    /** Whether the checks of this service found no fault. */
    valid: boolean
    /** Faults that the checks found. Empty if there are none. */
    faults: Problem[]
  }
  /** Whether VAT on this document can be deducted, and why. */
  inputVat: {
    /** Whether VAT on this document can be deducted today. */
    claimable: boolean
    /** Short code of the rule that decides; `message` explains it. */
    reason: string
    /** Why the VAT can or cannot be deducted, in words. */
    message: string
    /** The VAT that can be deducted, in minor units, after credit notes and without other taxes. */
    claimableMinor: number
    /** Last day on which the VAT can be deducted. Null if it cannot. */
    claimableUntil: string | null
  }
  /** When this service received the document. */
  receivedAt: string
  /** When this service confirmed the receipt to the network. Null until then. */
  acknowledgedAt: string | null
}

export interface ReceivedInvoiceDetail {
  /** Unique identifier of the received invoice (UUIDv7). */
  id: string
  /** Invoice reference number (IRN) that the authority knows the document by. */
  authorityReference: string
  /** Number that the supplier gave the document. */
  invoiceNumber: string
  /** Kind of document: `standard` (an invoice), `credit_note`, `debit_note` or `prepayment`. */
  invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
  /** Kind of document, as the authority’s code. */
  authorityTypeCode: string
  /** Who deals with whom, as the document says: B (business), C (consumer), G (government). Null if it does not say. */
  invoiceKind: string | null
  /** Day on which the supplier issued the document. */
  issueDate: string
  /** Last day for payment. Null if the document names none. */
  dueDate: string | null
  /** Currency of the document, as an ISO 4217 code. */
  currency: string
  /** The supplier, with the values on the document. */
  seller: {
    /** Name of the supplier. Null if the document has none. */
    name: string | null
    /** Tax number of the supplier. Null if the document has none. */
    taxId: string | null
    /** Email address of the supplier. Null if the document has none. */
    email: string | null
    /** Telephone number of the supplier. Null if the document has none. */
    phone: string | null
    /** City of the supplier. Null if the document has none. */
    city: string | null
    /** Country of the supplier, as the document writes it. Null if it has none. */
    country: string | null
  }
  /** The buyer, which is your organisation, with the values on the document. */
  buyer: {
    /** Name of the buyer. Null if the document has none. */
    name: string | null
    /** Tax number of the buyer. Null if the document has none. */
    taxId: string | null
  }
  /** References of the documents that this credit or debit note corrects. Empty for invoices. */
  corrects: string[]
  /** Other references under which the same document came: same supplier, number, type and day of issue. It is stored once. */
  duplicates: string[]
  /** References of other documents of the supplier with this number and type, but another day of issue; at most 20. Each is counted. */
  possibleDuplicates: string[]
  /** Amount before tax, in minor units. */
  netMinor: number
  /** Tax on the document, in minor units. */
  taxMinor: number
  /** Amount to be paid, with tax, in minor units. */
  payableMinor: number
  /** Payment status that the authority has on record: `unpaid`, `partial`, `paid` or `rejected`. */
  paymentStatus: "unpaid" | "partial" | "paid" | "rejected"
  /** Whether the due date has passed and the document is not `paid`. */
  overdue: boolean
  /** `transmitted`: received, receipt not confirmed yet. `acknowledged`: receipt confirmed to the network. */
  transmissionStatus: "transmitted" | "acknowledged"
  /** Access point through which the supplier sends. Null if the network does not say. */
  accessPoint: string | null
  /** Result of the checks of this service. */
  validation: {
    /** Whether the checks of this service found no fault. */
    valid: boolean
    /** Faults that the checks found. Empty if there are none. */
    faults: Problem[]
  }
  /** Whether VAT on this document can be deducted, and why. */
  inputVat: {
    /** Whether VAT on this document can be deducted today. */
    claimable: boolean
    /** Short code of the rule that decides; `message` explains it. */
    reason: string
    /** Why the VAT can or cannot be deducted, in words. */
    message: string
    /** The VAT that can be deducted, in minor units, after credit notes and without other taxes. */
    claimableMinor: number
    /** Last day on which the VAT can be deducted. Null if it cannot. */
    claimableUntil: string | null
  }
  /** When this service received the document. */
  receivedAt: string
  /** When this service confirmed the receipt to the network. Null until then. */
  acknowledgedAt: string | null
  /** The authority’s copy of the document, decrypted and otherwise unchanged. */
  document: Record<string, unknown>
}

export interface ReceivedInvoicesAnalyseQuery {
  /** Only invoices whose supplier’s name contains this text, or whose supplier’s tax number begins with it. At most 100 characters. */
  seller?: string | undefined
  /** Only invoices sent through this access point, by its exact name. At most 256 characters. Must not be blank. */
  accessPoint?: string | undefined
  /** Only invoices with this status. `transmitted`: received, receipt not confirmed yet. `acknowledged`: receipt confirmed to the network. Must not be blank. */
  transmissionStatus?: string | undefined
  /** Only invoices with this payment status: `unpaid`, `partial`, `paid` or `rejected`. `overdue`: the due date has passed and the invoice is not `paid`. */
  paymentStatus?: "unpaid" | "partial" | "paid" | "rejected" | "overdue" | undefined
  /** Only invoices issued on this day or later. */
  issueDateFrom?: string | undefined
  /** Only invoices issued on this day or earlier. */
  issueDateTo?: string | undefined
  /** Only invoices received from this time on: a day in your country’s time zone, or a time with its UTC offset. */
  receivedFrom?: string | undefined
  /** Only invoices received up to the end of this day in your country’s time zone, or before this time with its UTC offset. */
  receivedTo?: string | undefined
  /** Only invoices with at least this amount payable, in major units. Must be an amount in major units, such as 1500 or 1500.50. */
  amountMin?: string | undefined
  /** Only invoices with at most this amount payable, in major units. Must be an amount in major units, such as 1500 or 1500.50. */
  amountMax?: string | undefined
  /** Only invoices in this currency, as an ISO 4217 code. Must not be blank. */
  currency?: string | undefined
  /** Only invoices whose number, reference, supplier or notes contain these words. At most 100 characters. */
  q?: string | undefined
  /** Only invoices sent to this tax number of yours, which is one of `taxpayer.taxIds`. Must not be blank. */
  taxId?: string | undefined
}

export interface ReceivedInvoicesAnalyseReply {
  /** Currency of the figures: that of the filter, or else the most common one. Null without invoices. */
  reportingCurrency: string | null
  /** Number of documents, credit notes included. */
  count: number
  /** Number of credit notes among them. */
  creditNotes: number
  /** Number of different suppliers. */
  suppliers: number
  /** Number of documents in which the checks of this service found faults. */
  faulty: number
  /** Number of documents whose due date has passed and that are not `paid`. */
  overdueCount: number
  /** Sum of the amounts before tax, in minor units. Credit notes are subtracted. */
  netMinor: number
  /** Sum of the tax, in minor units. Credit notes are subtracted. */
  taxMinor: number
  /** Sum of the amounts to be paid, in minor units. Credit notes are subtracted. */
  payableMinor: number
  /** Sum payable on documents that are `unpaid` or `partial`, in minor units. Partly paid ones count in full. */
  unpaidMinor: number
  /** Sum payable on overdue documents, in minor units. Partly paid ones count in full. */
  overdueMinor: number
  /** The VAT that can be deducted today, in minor units: the sum of `inputVat.claimableMinor`. Never below 0. */
  claimableTaxMinor: number
  /** The same figures for each currency, most common first. */
  byCurrency: {
    /** Currency of these figures, as an ISO 4217 code. */
    currency: string
    /** Number of documents, credit notes included. */
    count: number
    /** Number of credit notes among them. */
    creditNotes: number
    /** Number of different suppliers. */
    suppliers: number
    /** Number of documents in which the checks of this service found faults. */
    faulty: number
    /** Number of documents whose due date has passed and that are not `paid`. */
    overdueCount: number
    /** Sum of the amounts before tax, in minor units. Credit notes are subtracted. */
    netMinor: number
    /** Sum of the tax, in minor units. Credit notes are subtracted. */
    taxMinor: number
    /** Sum of the amounts to be paid, in minor units. Credit notes are subtracted. */
    payableMinor: number
    /** Sum payable on documents that are `unpaid` or `partial`, in minor units. Partly paid ones count in full. */
    unpaidMinor: number
    /** Sum payable on overdue documents, in minor units. Partly paid ones count in full. */
    overdueMinor: number
    /** The VAT that can be deducted today, in minor units: the sum of `inputVat.claimableMinor`. Never below 0. */
    claimableTaxMinor: number
  }[]
  /** Whether these figures are complete. */
  sync: Sync
}

export interface ReceivedInvoicesListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 25.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Only invoices whose supplier’s name contains this text, or whose supplier’s tax number begins with it. At most 100 characters. */
  seller?: string | undefined
  /** Only invoices sent through this access point, by its exact name. At most 256 characters. Must not be blank. */
  accessPoint?: string | undefined
  /** Only invoices with this status. `transmitted`: received, receipt not confirmed yet. `acknowledged`: receipt confirmed to the network. Must not be blank. */
  transmissionStatus?: string | undefined
  /** Only invoices with this payment status: `unpaid`, `partial`, `paid` or `rejected`. `overdue`: the due date has passed and the invoice is not `paid`. */
  paymentStatus?: "unpaid" | "partial" | "paid" | "rejected" | "overdue" | undefined
  /** Only invoices issued on this day or later. */
  issueDateFrom?: string | undefined
  /** Only invoices issued on this day or earlier. */
  issueDateTo?: string | undefined
  /** Only invoices received from this time on: a day in your country’s time zone, or a time with its UTC offset. */
  receivedFrom?: string | undefined
  /** Only invoices received up to the end of this day in your country’s time zone, or before this time with its UTC offset. */
  receivedTo?: string | undefined
  /** Only invoices with at least this amount payable, in major units. Must be an amount in major units, such as 1500 or 1500.50. */
  amountMin?: string | undefined
  /** Only invoices with at most this amount payable, in major units. Must be an amount in major units, such as 1500 or 1500.50. */
  amountMax?: string | undefined
  /** Only invoices in this currency, as an ISO 4217 code. Must not be blank. */
  currency?: string | undefined
  /** Only invoices whose number, reference, supplier or notes contain these words. At most 100 characters. */
  q?: string | undefined
  /** Only invoices sent to this tax number of yours, which is one of `taxpayer.taxIds`. Must not be blank. */
  taxId?: string | undefined
  /** Order of the list; a leading `-` reverses it. `-receivedAt` (latest first) if left out. */
  sort?: "-receivedAt" | "receivedAt" | "issueDate" | "-issueDate" | "amount" | "-amount" | undefined
}

export interface ReceivedInvoicesListReply {
  /** Received invoices of this page. */
  items: ReceivedInvoice[]
  /** Your organisation, as suppliers address it. */
  taxpayer: {
    /** Tax numbers under which your organisation receives invoices in this mode. */
    taxIds: string[]
  }
  /** Whether this list is complete. */
  sync: Sync
}

export interface ReceivedInvoicesLoadOlderReply {
  /** Number of invoices that this request added, at most 10. */
  loaded: number
  /** Whether older invoices are left to load. */
  hasMore: boolean
}

export interface ReceivedInvoicesSendFromOutsideBody {
  /** Name of the supplier, at most 255 characters. Invented if left out. Must not be blank. */
  sellerName?: string | undefined
  /** Tax number of the supplier, at most 64 characters. Invented if left out. Must not be blank. */
  sellerTaxId?: string | undefined
  /** Number of the document, at most 50 characters. Invented if left out. Must not be blank. */
  invoiceNumber?: string | undefined
  /** Kind of document: `standard` (an invoice), `credit_note` or `debit_note`. `standard` if left out. */
  invoiceType?: "standard" | "credit_note" | "debit_note" | undefined
  /** Authority reference (IRN) of the document that the credit or debit note corrects. Must not be blank. */
  correctsReference?: string | undefined
  /** Day of issue. Today if left out. */
  invoiceDate?: string | undefined
  /** Last day for payment. The document names none if left out. */
  dueDate?: string | undefined
  /** Currency of the document, as an ISO 4217 code. `NGN` if left out. */
  currency?: "NGN" | "USD" | "EUR" | "GBP" | undefined
  /** Lines of the document, 1 to 100. One line is invented if left out. */
  lineItems?: {
    /** What is sold on this line, at most 500 characters. Must not be blank. */
    description: string
    /** Number of units, with up to 6 decimals. 1 if left out. Must be an exact decimal number, as text or as a JSON number. */
    quantity?: string | number | undefined
    /** Price of one unit in major units, with up to 4 decimals. Must be an exact decimal number, as text or as a JSON number. */
    unitPrice: string | number
    /** Customs code of the goods (HS), at most 20 characters. Must not be blank. */
    hsnCode?: string | undefined
    /** Code of the service (ISIC), at most 20 characters. Must not be blank. */
    isicCode?: string | undefined
  }[] | undefined
}

export interface ReceivedInvoicesSendFromOutsideReply {
  /** Authority reference (IRN) under which the document arrives. */
  authorityReference: string
  /** Always `on_its_way`: the document arrives a moment later. */
  status: "on_its_way"
}

export interface ReceivedPayment {
  /** Unique identifier of the payment (UUIDv7). */
  id: string
  /** Identifier of the virtual account that the money came into. */
  accountId: string
  /** Identifier of the buyer who paid. Null while it is unknown. */
  buyerId: string | null
  /** Amount that arrived, in minor units such as cents. It is the sum of the applied, credited, refunded and unmatched parts. */
  amountMinor: number
  /** Part applied to invoices, in minor units. */
  appliedMinor: number
  /** Part kept as the buyer’s credit, in minor units. */
  creditedMinor: number
  /** Part sent back, or taken back by the sender’s bank, in minor units. */
  refundedMinor: number
  /** Part that matches no invoice or buyer yet, in minor units. */
  unmatchedMinor: number
  /** Currency of the payment, as an ISO 4217 code. */
  currency: string
  /** `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
  reconciliationStatus: "pending" | "applied" | "overpaid" | "unmatched"
  /** Name of the sender, as the bank gave it. Null if the bank gave none. */
  senderName: string | null
  /** Text that the sender wrote on the transfer. Null if there is none. */
  narration: string | null
  /** Collection provider that received the money. */
  provider: "sandbox" | "monnify" | "paystack"
  /** The provider’s own reference of the transfer. */
  providerReference: string
  /** When the money arrived, as the provider says. */
  receivedAt: string
  /** When the sender’s bank took the money back. Null unless it did. */
  reversedAt: string | null
}

export interface ReceivedPaymentEventData {
  /** Unique identifier of the received payment (UUIDv7). */
  paymentId: string
  /** The virtual account that the money came to. */
  accountId: string
  /** Unique identifier of the buyer. Null if the payer is not known. */
  buyerId: string | null
  /** Amount that was received, in minor units such as cents. */
  amountMinor: number
  /** Part that paid invoices, in minor units such as cents. */
  appliedMinor: number
  /** Part that is credit of the buyer, in minor units such as cents. */
  creditedMinor: number
  /** Part that was refunded, in minor units such as cents. */
  refundedMinor: number
  /** Part that belongs to no invoice or buyer yet, in minor units such as cents. */
  unmatchedMinor: number
  /** ISO 4217 code, such as `NGN`. */
  currency: string
  /** How the money was matched after the event. `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
  reconciliationStatus: "pending" | "applied" | "overpaid" | "unmatched"
  /** When the money was received (ISO 8601, UTC). */
  receivedAt: string
}

export interface RecordedPayment {
  /** The payment that was recorded or reversed. */
  payment: Payment
  /** The sum of the recorded payments on the invoice, in minor units. */
  paidMinor: number
  /** The amount still to be paid on the invoice, in minor units. */
  dueMinor: number
  /** The invoice after the change, without its lines. */
  invoice: InvoiceSummary
}

export interface RecurringContent {
  /** Unique identifier of the buyer. Null if there is none. */
  buyerId: string | null
  /** Currency of the invoice (ISO 4217). */
  currency: string
  /** The lines of each invoice, in their order. */
  lineItems: RecurringContentLine[]
  /** The number of the purchase order of the buyer. Null if not set. */
  purchaseOrderReference: string | null
  /** A reference that the buyer asks for, such as a department. Null if not set. */
  buyerReference: string | null
  /** The number of the contract that the invoice belongs to. Null if not set. */
  contractReference: string | null
  /** The number of the quote or proforma invoice that the invoice follows. Null if not set. */
  quoteReference: string | null
  /** Where the buyer books the invoice, such as a cost centre. Null if not set. */
  accountingCost: string | null
  /** The payment terms, printed on the document. Null if not set. */
  paymentTerms: string | null
  /** Remarks for the buyer, printed on the document. Null if not set. */
  notes: string | null
}

export interface RecurringContentChange {
  /** What happens to each invoice. `draft`: it stays a draft. `finalise`: it is issued. `submit`: it is issued and submitted to the tax authority. `send`: it is issued and emailed to the buyer, and not submitted. `submit_and_send`: it is issued and submitted, and emailed when the authority has accepted it. */
  policy: "draft" | "finalise" | "submit" | "send" | "submit_and_send"
  /** Days from the invoice to its due date, 0 to 365. Without it, invoices have no due date. */
  dueInDays?: number | null | undefined
  /** The invoice without its days and number. In texts, these placeholders are replaced, in the language of the buyer: `{period}`, `{from}`, `{to}`, `{day}`, `{month}`, `{quarter}`, `{year}`. */
  invoice: RecurringInvoice
  /** The change counts for invoices on this day or later, up to the next planned change. It may be a past day, for periods that have no invoice. If left out, it counts from the next invoice on, and for periods before it that were refused. */
  changeFrom?: string | undefined
}

export interface RecurringContentLine {
  /** The saved item of the line. Null if there is none. */
  itemId: string | null
  /** What is sold. Null if the item gives it. */
  description: string | null
  /** How many units, as a decimal. */
  quantity: string
  /** Code of the unit. Null if the item gives it. */
  unitCode: string | null
  /** Price of one unit in major units. Null if the item gives it. */
  unitPrice: string | null
  /** Tax category of the line. Null if the item gives it. */
  taxCategory: string | null
  /** HS code of goods. Null for services, and if the item gives it. */
  hsnCode: string | null
  /** Code of a service. Null for goods, and if the item gives it. */
  serviceCode: string | null
  /** Category of the product. Null if there is none, and if the item gives it. */
  productCategory: string | null
}

export interface RecurringInvoice {
  /** Unique identifier of the buyer. */
  buyerId?: string | undefined
  /** Currency of the invoice (ISO 4217). Must not be blank. */
  currency: string
  /** The lines, at most 100. */
  lineItems: RecurringLine[]
  /** The number of the purchase order of the buyer. */
  purchaseOrderReference?: string | null | undefined
  /** A reference that the buyer asks for, such as a department. */
  buyerReference?: string | null | undefined
  /** The number of the contract that the invoice belongs to. */
  contractReference?: string | null | undefined
  /** The number of the quote or proforma invoice that the invoice follows. */
  quoteReference?: string | null | undefined
  /** Where the buyer books the invoice, such as a cost centre. */
  accountingCost?: string | null | undefined
  /** The payment terms, printed on the document. */
  paymentTerms?: string | null | undefined
  /** Remarks for the buyer, printed on the document. */
  notes?: string | null | undefined
}

export interface RecurringInvoicesListPeriodsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface RecurringInvoicesListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Only schedules with this status. `RecurringSchedule.status` explains the values. */
  status?: "active" | "paused" | "ended" | undefined
}

export interface RecurringLine {
  /** A saved item. Fields that you leave out come from the item on the day of each invoice, also its price. */
  itemId?: string | undefined
  /** What is sold. It may have placeholders such as `{month}`, and at most 500 characters with them replaced. Needed without an item. Must not be blank. */
  description?: string | undefined
  /** How many units, as an exact decimal. Must be an exact decimal number, as text or as a JSON number. */
  quantity: string | number
  /** Code of the unit (UN/ECE Recommendation 20). Needed without an item. Must not be blank. */
  unitCode?: string | undefined
  /** Price of one unit before tax, in major units. If left out, the price of the item on that day. Must be an exact decimal number, as text or as a JSON number. */
  unitPrice?: string | number | undefined
  /** Tax category of the line, such as `standard`. Needed without an item. Must not be blank. */
  taxCategory?: string | undefined
  /** HS code of goods. Must not be blank. */
  hsnCode?: string | undefined
  /** Code of a service. Must not be blank. */
  serviceCode?: string | undefined
  /** Category of the product, in your own words. Must not be blank. */
  productCategory?: string | undefined
}

export interface RecurringPeriod {
  /** The day of the invoice. */
  day: string
  /** First day that the invoice is for. */
  from: string
  /** Last day that the invoice is for. */
  to: string
  /** `made`: the period has its invoice. `waiting`: the invoice was refused for a reason that may pass, such as missing credits; it is tried again every hour, for three days. `failed`: the invoice was refused. `skipped`: you skipped the period. `missed`: the day passed and was not made up for. */
  outcome: "made" | "waiting" | "failed" | "skipped" | "missed"
  /** Unique identifier of the invoice. Null unless the outcome is `made`. */
  invoiceId: string | null
  /** Number of the invoice when it was made. Null unless the outcome is `made`. */
  invoiceNumber: string | null
  /** Why the invoice was refused, with the outcome `waiting` or `failed`. With `made`, why the accepted invoice was not sent. Otherwise null. */
  error: RecurringRefusal | null
  /** When the invoice was made, or last refused, or the period was skipped or missed. */
  ranAt: string
}

export interface RecurringRefusal {
  /** The error code, as in an error response. */
  code: string
  /** The name of the refusal, as `error.reason` in an error response. */
  reason: string
  /** What is wrong and what to do, in English. */
  message: string
  /** The single problems. Empty if there is nothing to add to `message`. */
  details: Problem[]
}

export interface RecurringSchedule {
  /** Unique identifier of the schedule (UUIDv7). */
  id: string
  /** Your own name for the schedule. */
  name: string
  /** `active`: makes invoices. `paused`: makes none until you resume it. `ended`: makes no further invoices. */
  status: "active" | "paused" | "ended"
  /** The day of the next invoice. Null after the last one. */
  nextOn: string | null
  /** `week`: `every` weeks apart, on the weekday of `startsOn`. `month`: `every` months apart, on `dayOfMonth`. `quarter_end`: on 31 March, 30 June, 30 September and 31 December. `year`: `every` years apart, on the day of `startsOn`; 29 February becomes 28 February in other years. */
  unit: "week" | "month" | "quarter_end" | "year"
  /** Number of weeks, months or years from one invoice to the next. */
  every: number
  /** The day from which on invoices are made. */
  startsOn: string
  /** The chosen day of the month. Null if it follows from `startsOn`. */
  dayOfMonth: number | null
  /** The last day on which an invoice can be made. Null without an end. */
  until: string | null
  /** How many periods the schedule has. Null without an end. */
  count: number | null
  /** `in_advance`: the period of an invoice begins on its day; with `quarter_end`, it is the next quarter. `in_arrears`: the period ends on its day. */
  billing: "in_advance" | "in_arrears"
  /** What happens to days that passed in an outage. `all`: every period gets its invoice. `latest`: only the last one. `none`: only the period of today. */
  catchUp: "all" | "latest" | "none"
  /** What happens to the next invoice after it was made. `draft`: it stays a draft. `finalise`: it is issued. `submit`: it is issued and submitted to the tax authority. `send`: it is issued and emailed to the buyer, and not submitted. `submit_and_send`: it is issued and submitted, and emailed when the authority has accepted it. */
  policy: "draft" | "finalise" | "submit" | "send" | "submit_and_send"
  /** Days from an invoice to its due date. Null for invoices without one. */
  dueInDays: number | null
  /** The content of the next invoice, with placeholders. */
  invoice: RecurringContent
  /** The days of planned changes after the next invoice, in order. From each of them on, other contents count. */
  changesOn: string[]
  /** Who created the schedule. It goes on if this person leaves, or if this API key is revoked. */
  createdBy: Actor
  /** When the schedule was created. */
  createdAt: string
  /** When the schedule last changed or made an invoice. */
  updatedAt: string
}

export interface RecurringScheduleEventData {
  /** Unique identifier of the schedule (UUIDv7). */
  scheduleId: string
  /** Name of the schedule. */
  name: string
  /** `active`: makes invoices. `paused`: makes none until you resume it. `ended`: makes no further invoices. */
  status: "active" | "paused" | "ended"
  /** What happens to an invoice after it was made. `draft`: it stays a draft. `finalise`: it is issued. `submit`: it is issued and submitted to the tax authority. `send`: it is issued and emailed to the buyer, and not submitted. `submit_and_send`: it is issued and submitted, and emailed when the authority has accepted it. */
  policy: "draft" | "finalise" | "submit" | "send" | "submit_and_send"
  /** Unique identifier of the buyer. Null if the invoices have no saved buyer. */
  buyerId: string | null
  /** Day of the next invoice (ISO 8601). Null if there is none. */
  nextOn: string | null
}

export interface ReferenceListProductCategoriesEntry {
  /** Name of the category. */
  category: string
  /** Number of codes in the category. */
  count: number
}

export interface ReferenceLookUpTaxIdQuery {
  /** Kind of tax number: `tin` (the default), `rn` or `foreign`. */
  type?: "tin" | "rn" | "foreign" | undefined
}

export interface ReferenceLookUpTaxIdReply {
  /** Tax number that was looked up. */
  value: string
  /** `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
  type: "tin" | "rn" | "foreign" | "none"
  /** Whether the authority has the tax number in its register: `registered` or `not_registered`. */
  status: "registered" | "not_registered"
  /** Name that the authority has for the number. Null if it is not registered. */
  taxpayerName: string | null
  /** Address that the authority has for the number. Null if it gave none. */
  address: string | null
}

export interface ReferenceSearchProductCodesQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only codes with these words or digits. */
  search?: string | undefined
  /** Return only codes of this category. */
  category?: string | undefined
  /** `true`: return only codes that the authority accepts on a line, which have six digits. The words of a heading find its codes too. */
  onlyForLines?: boolean | undefined
}

export interface RefundedPayment {
  /** Unique identifier of the payment (UUIDv7). */
  id: string
  /** Identifier of the virtual account that the money came into. */
  accountId: string
  /** Identifier of the buyer who paid. Null while it is unknown. */
  buyerId: string | null
  /** Amount that arrived, in minor units such as cents. It is the sum of the applied, credited, refunded and unmatched parts. */
  amountMinor: number
  /** Part applied to invoices, in minor units. */
  appliedMinor: number
  /** Part kept as the buyer’s credit, in minor units. */
  creditedMinor: number
  /** Part sent back, or taken back by the sender’s bank, in minor units. */
  refundedMinor: number
  /** Part that matches no invoice or buyer yet, in minor units. */
  unmatchedMinor: number
  /** Currency of the payment, as an ISO 4217 code. */
  currency: string
  /** `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
  reconciliationStatus: "pending" | "applied" | "overpaid" | "unmatched"
  /** Name of the sender, as the bank gave it. Null if the bank gave none. */
  senderName: string | null
  /** Text that the sender wrote on the transfer. Null if there is none. */
  narration: string | null
  /** Collection provider that received the money. */
  provider: "sandbox" | "monnify" | "paystack"
  /** The provider’s own reference of the transfer. */
  providerReference: string
  /** When the money arrived, as the provider says. */
  receivedAt: string
  /** When the sender’s bank took the money back. Null unless it did. */
  reversedAt: string | null
  /** The refund that this request started. */
  refund: {
    /** Unique identifier of the refund (UUIDv7). */
    id: string
    /** `pending`: the provider has not confirmed it yet and will be asked again. `sent`: the provider paid it. `failed`: the provider refused it, and the money is back in its place. */
    status: "pending" | "sent" | "failed"
    /** Amount that goes back to the sender, in minor units such as cents. */
    amountMinor: number
    /** Reason that the caller gave for the refund. Null if none was given. */
    reason: string | null
    /** Which money pays the refund, in words. It is the operator’s balance at the provider, because payments are passed on to the seller. */
    paidFrom: string
  }
}

export interface ReminderMinimum {
  /** Currency of the amount (ISO 4217). */
  currency: string
  /** The least amount due, in minor units. */
  amountMinor: number
}

export interface ReminderPlan {
  /** Whether reminders are sent. */
  on: boolean
  /** Hour of the day at which reminders go out, in the time zone of your organisation. */
  hour: number
  /** Time zone of your organisation (IANA), such as `Europe/Paris`. */
  timeZone: string
  /** `all`: every buyer except those that are set to `never`. `chosen`: only buyers that are set to `chosen`. */
  buyers: "all" | "chosen"
  /** The steps of the plan, in the order of their days. */
  steps: ReminderStep[]
  /** When the next reminders go out. Null while the plan is switched off. */
  nextRunAt: string | null
  /** Rises with each change. 0 if no plan was saved. */
  version: number
  /** When the plan was saved last. Null if no plan was saved. */
  updatedAt: string | null
}

export interface ReminderPreview {
  /** Language of the mail (ISO 639-1). */
  language: string
  /** Subject of the mail. */
  subject: string
  /** The mail as plain text. */
  text: string
  /** The mail as HTML, without the logo. */
  html: string
}

export interface ReminderStep {
  /** Days from the due date: negative before it. */
  days: number
  /** The least amount due, by currency. */
  minimumAmounts: ReminderMinimum[]
  /** Your own words. The standard words are used for languages without a template. */
  templates: ReminderTemplate[]
}

export interface ReminderTemplate {
  /** Language of the buyers (ISO 639-1). Null for all languages without a template of their own. */
  language: "en" | "fr" | "ha" | "yo" | "ig" | "pt" | "ar" | null
  /** Subject of the mail, with placeholders. */
  subject: string
  /** Text of the mail, with placeholders. */
  body: string
}

export interface ReminderToPreview {
  /** Subject of the mail. The standard words if left out together with `body`. These placeholders are replaced: `{buyer}`, `{seller}`, `{number}`, `{amount due}`, `{due date}`, `{days overdue}`. Must not be blank. */
  subject?: string | undefined
  /** Text of the mail. Each line is a paragraph. These placeholders are replaced: `{buyer}`, `{seller}`, `{number}`, `{amount due}`, `{due date}`, `{days overdue}`. `{link}` is where the list of invoices stands, each with its amount and link; without it, at the end. Web addresses are not allowed. Must not be blank or contain a web or email address. */
  body?: string | undefined
  /** Language of the mail (ISO 639-1). That of the buyer if left out. */
  language?: "en" | "fr" | "ha" | "yo" | "ig" | "pt" | "ar" | undefined
  /** Invoices of the mail, at most 10. A made-up invoice if left out. */
  invoiceIds?: string[] | undefined
  /** The step of the plan, in days from the due date of the made-up invoice. 7 if left out. */
  days?: number | undefined
}

export interface RemindersListSentQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Only reminders to this buyer. */
  buyerId?: string | undefined
  /** Only reminders of this invoice. */
  invoiceId?: string | undefined
}

export interface RemindersListUpcomingQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface Reporting {
  /** `draft`: not issued yet. `not_reported`: issued but not submitted. `in_progress`: submitted, not decided. `reported`: the tax authority has accepted it. `needs_attention`: rejected, or no clear answer came. */
  status: "draft" | "not_reported" | "in_progress" | "reported" | "needs_attention"
  /** How the document reached the buyer. `deliver_to_buyer`: through the tax authority, and the buyer has confirmed it. `sent_email`: by email. `shared_link`: by a public link. `nrs`: the tax authority has it, but the buyer has not confirmed it. `none`: not yet. */
  delivery: "deliver_to_buyer" | "sent_email" | "shared_link" | "nrs" | "none"
  /** The invoice reference number (IRN) under which the tax authority registered the document. Null until then. */
  irn: string | null
  /** The legal deadline for the report. Null for drafts and if the law sets none. */
  dueAt: string | null
  /** When Risiti learnt that the tax authority has the document. Null until then. */
  reportedAt: string | null
  /** Whether the document was reported after `dueAt`, or is not reported although `dueAt` has passed. */
  late: boolean
}

export interface RequestActor {
  /** Kind of actor: a person (`user`) or an API key (`api_key`). */
  type: "user" | "api_key"
  /** Unique identifier of the person or the API key. */
  id: string
  /** Email address of the person, or name of the API key. */
  name: string
  /** Beginning and last four characters of the API key. Null for a person. */
  hint: string | null
}

export interface RequestLogListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only requests whose status begins with this digit. */
  status?: "2xx" | "3xx" | "4xx" | "5xx" | undefined
  /** Return only requests with this method. */
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined
  /** Return only requests of people (`user`), or of API keys (`api_key`). */
  by?: "user" | "api_key" | undefined
  /** Return only requests with this API key. */
  keyId?: string | undefined
  /** Return only requests with this text somewhere in their path. Must not be blank. */
  path?: string | undefined
  /** Return only the request with this id. Must not be blank. */
  requestId?: string | undefined
  /** Return only requests that were answered at or after this time. */
  from?: string | undefined
  /** Return only requests that were answered before this time. */
  to?: string | undefined
}

/** When a failed delivery to this endpoint is attempted again. */
export interface RetryConfig {
  /** How often a delivery is attempted, the first time included. */
  maxAttempts: number
  /** The delay between the first attempt and the second, in milliseconds. */
  initialDelayMs: number
  /** Each further delay is the one before times this number. */
  multiplier: number
  /** No delay is longer than this, in milliseconds; 86400000 is 24 hours. */
  maxDelayMs: number
  /** How long one attempt may take, in milliseconds. */
  timeoutMs: number
}

export interface Role {
  /** Unique identifier of the role (UUIDv7). */
  id: string
  /** Name of the role for programs, such as `ADMIN`. */
  name: string
  /** Name of the role for people, such as `Admin`. */
  label: string
  /** What the role is for, in a sentence. */
  description: string
  /** True for a role of the system, which nobody can change. */
  system: boolean
  /** Names of the capabilities that the role gives. */
  capabilities: string[]
}

export interface RoleRef {
  /** Unique identifier of the role (UUIDv7). */
  id: string
  /** Name of the role for programs, such as `ADMIN`. */
  name: string
  /** Name of the role for people, such as `Admin`. */
  label: string
}

export interface RolesListPermissionsReply {
  /** Every capability that there is. */
  permissions: Capability[]
  /** Names of the capabilities that an API key can hold. */
  apiKeyPermissions: string[]
}

export interface RotatedApiKey {
  /** The old key, with the time when it stops working. */
  previous: ApiKey
  /** The new key, with its text. */
  current: ApiKeyWithSecret
}

export interface SandboxTime {
  /** The time of the sandbox: the date of a document that you would create now. */
  now: string
  /** The real time, by the clock of the server. */
  realNow: string
  /** How far the sandbox is ahead of the real time, in seconds. 0 if it was never moved. */
  aheadSeconds: number
  /** The move under way, or else the last one. Null if the sandbox was never moved. */
  move: TestClockMove | null
}

export interface SavedExchangeRates {
  /** How many rates were saved. */
  saved: number
}

export interface Seller {
  /** Unique identifier of the seller (UUIDv7). */
  id: string
  /** Name of the seller, as documents show it. */
  name: string
  /** Name that customers know the seller by. Null if none is known. */
  tradingName: string | null
  /** What the seller is, such as a person or a company. */
  partyType: PartyType
  /** Tax number of the seller. Null if none is known. */
  taxId: string | null
  /** What is known of the tax number of the seller. */
  taxIdStatus: SellerTaxIdStatus
  /** Number of the seller for value-added tax. Null if none is known. */
  vatNumber: string | null
  /** Number of the seller in the register of companies. Null if none is known. */
  registrationNumber: string | null
  /** Email address of the seller. Null if none is known. */
  email: string | null
  /** Telephone number of the seller. Null if none is known. */
  phone: string | null
  /** Website of the seller. Null if none is known. */
  website: string | null
  /** Postal address of the seller. Null if none is known. */
  address: Address | null
  /** When the seller was created. */
  createdAt: string
  /** When the seller last changed. */
  updatedAt: string
}

export interface SellerEventData {
  /** Unique identifier of the seller (UUIDv7). */
  sellerId: string
  /** Name of the seller. */
  name: string
  /** Tax number of the seller. Null if none is known. */
  taxId: string | null
  /** Whether it is the seller of the organisation itself. */
  isPrimary: boolean
}

export interface SellerSetup {
  /** The seller of the organisation. Null if there is none. */
  seller: Seller | null
  /** Always false. The organisation is its own only seller here. */
  canAddSellers: boolean
  /** Kinds of tax numbers that there are. */
  taxIdTypes: TaxIdKind[]
  /** Countries that an address can have. */
  countries: Country[]
}

/** What is known of a tax number. `unverified`: never checked. `pending`: a check runs. `verified`: the authority knows the number under this name. `not_found`: it does not know the number. `name_mismatch`: registered under another name. `unavailable`: the authority did not answer. */
export type SellerTaxIdStatus = "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable"

export interface SellerVerification {
  /** Unique identifier of the seller. */
  sellerId: string
  /** What is known of the tax number of the seller. */
  taxIdStatus: SellerTaxIdStatus
  /** Latest check of the tax number. Null if there was none. */
  verification: TaxIdCheck | null
}

export interface SellersListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only sellers with these words in their name or tax number. */
  search?: string | undefined
}

export interface SellersSearchQuery {
  /** Words to search for in names and tax numbers, 2 to 100 characters. Must not be blank. */
  q: string
  /**
   * Number of results at most.
   * Default: 10.
   */
  limit?: number | undefined
}

export interface SellersUpdateBody {
  /** Name that customers know the seller by. Send null to remove it. Must not be blank. */
  tradingName?: string | null | undefined
  /** Number for value-added tax. Send null to remove it. Must not be blank. */
  vatNumber?: string | null | undefined
  /** Number in the register of companies. Send null to remove it. Must not be blank. */
  registrationNumber?: string | null | undefined
}

export interface SentReminder {
  /** Unique identifier of the entry (UUIDv7). */
  id: string
  /** `scheduled`: the plan sent it. `manual`: a person or program sent it. */
  kind: "scheduled" | "manual"
  /** The step of the plan, in days from the due date. Null if it was sent by hand. */
  stepDays: number | null
  /** The day of the reminder, in the time zone of your organisation. */
  day: string
  /** Unique identifier of the invoice. */
  invoiceId: string
  /** Number of the invoice. */
  invoiceNumber: string
  /** Amount due, in minor units. */
  dueMinor: number
  /** Currency of the amount (ISO 4217). */
  currency: string
  /** Due date of the invoice at that time. Null if it had none. */
  dueDate: string | null
  /** Unique identifier of the buyer. Null if the invoice named no saved buyer. */
  buyerId: string | null
  /** Email address that the reminder was sent to. */
  to: string
  /** When the reminder was queued. The mail leaves a moment later. */
  sentAt: string
  /** Why the mail left the invoice out when it was sent. `InvoiceReminders.heldBack` explains the values. Null if the reminder was not stopped. */
  notSentReason: "plan_off" | "not_issued" | "not_owed" | "nothing_due" | "no_due_date" | "no_buyer" | "no_email" | "buyer_never" | "buyer_not_chosen" | "disputed" | "promised" | "covered" | "below_minimum" | "no_step_left" | null
  /** Whether a stopped reminder had an attempt without an answer before. */
  mayHaveArrived: boolean
}

export interface SentStatement {
  /** Email address that the mail goes to. */
  sentTo: string
  /** Currency of the account (ISO 4217). */
  currency: string
  /** First day of the period. */
  from: string
  /** Last day of the period, which counts too. */
  to: string
}

export interface Session {
  /** Unique identifier of the session (UUIDv7). */
  id: string
  /** True for the session that sends this request. */
  current: boolean
  /** Unique identifier of the organisation that the session acts for. Null if the person belongs to none. */
  organizationId: string | null
  /** Mode that the session acts in. */
  mode: Mode
  /** IP address that the person signed in from. */
  address: string
  /** Name of the program that signed in, as its `User-Agent` header gave it. */
  userAgent: string
  /** When the person signed in. */
  createdAt: string
  /** When the session was last refreshed. */
  lastUsedAt: string
  /** When the session ends unless it is refreshed. Each refresh moves it 30 days on. */
  expiresAt: string
}

export interface SettlementAccount {
  /** Unique identifier of the settlement account (UUIDv7). */
  id: string
  /** Identifier of the seller who receives the money. */
  sellerId: string
  /** Name of the seller when the account was registered. */
  sellerName: string
  /** Kind of party that the seller is. Null if it is unknown. */
  sellerType: string | null
  /** Code of the bank at the central bank. */
  bankCode: string
  /** Code of the bank for instant transfers (NIP). Null if the provider does not know it. */
  bankNipCode: string | null
  /** Name of the bank. */
  bankName: string
  /** Number of the bank account, 10 digits. */
  accountNumber: string
  /** Name of the account holder, as the bank gave it. */
  accountName: string
  /** Currency of the bank account, as an ISO 4217 code. */
  currency: string
  /** Country of the bank, as an ISO 3166-1 alpha-2 code. */
  jurisdiction: string
  /** Collection provider that looked up the account holder. */
  provider: "sandbox" | "monnify" | "paystack"
  /** Each collection provider in use, and whether it pays the seller’s money out to this bank account. */
  providers: {
    /** Name of the collection provider. */
    provider: "sandbox" | "monnify" | "paystack"
    /** `confirmed`: money goes to this bank account. `pending`: the provider has not answered yet and will be asked again. `refused`: `reason` says why. Virtual accounts can be opened only at a provider that has confirmed. */
    status: "pending" | "confirmed" | "refused"
    /** Why the provider has not confirmed, and what to do. Null once confirmed. */
    reason: string | null
    /** The provider’s code of the sub-account that takes all of the money. Null until the first confirmation. */
    subAccountCode: string | null
    /** Last four digits of the bank account that money goes to now. While a change is pending or refused, this is the account before. Null until the first confirmation. */
    settlesToEnding: string | null
    /** Number of virtual accounts whose money still goes to the bank account before; 0 once all follow. */
    accountsWaiting: number
    /** When this provider’s state last changed. */
    updatedAt: string
  }[]
  /** When the settlement account was registered. */
  createdAt: string
  /** When the settlement account was last changed. */
  updatedAt: string
}

export interface SettlementDay {
  /** Day on which the payments arrived, in your country’s time zone. */
  date: string
  /** Identifier of the seller whose payments these are. */
  sellerId: string
  /** Collection provider that received the payments. */
  provider: "sandbox" | "monnify" | "paystack"
  /** Currency of the payments, as an ISO 4217 code. */
  currency: string
  /** Number of payments that arrived on this day. */
  paymentCount: number
  /** Sum of the payments that arrived, in minor units. */
  receivedMinor: number
  /** Part of it that the senders’ banks took back, in minor units. */
  reversedMinor: number
  /** Part of it that was paid out to the seller’s bank account since, in minor units. */
  settledMinor: number
  /** Part of it that the provider kept as its fee, in minor units. */
  feeMinor: number
  /** Amount still to be paid out: received, less reversed, settled and fee, in minor units. Negative if more was paid out than arrived. */
  outstandingMinor: number
  /** Number of payments whose payout differs from the amount received, or is missing after four days. `GET /b/v1/collection/exceptions` lists them. */
  exceptionCount: number
  /** `settled`: all of it was paid out. `waiting`: some of it is still to be paid out. `exception`: a payment needs your attention. */
  status: "settled" | "waiting" | "exception"
}

export interface SharedInvoice {
  /** The id of the shared document. */
  id: string
  /** The address of the public page of the document. */
  url: string
  /** When the public link was created. */
  sharedAt: string
}

/** The most that a program may do by itself. Only programs for `/mcp` can have limits. */
export interface SpendingLimits {
  /** The most that one change may commit, in minor units. Null for no limit. */
  amountMinorPerChange: number | null
  /** The most that the changes of a day may commit, in minor units. Null for no limit. */
  amountMinorPerDay: number | null
  /** Currency of the amounts, as its ISO 4217 code. With an amount, the program cannot commit money in other currencies. Null without amounts. Must be a currency code such as NGN. */
  currency: string | null
  /** The most changes on a day of the organisation’s calendar. Null for no limit. */
  changesPerDay: number | null
}

export interface Statement {
  /** Identifier of the billing account (UUIDv7). */
  accountId: string
  /** Mode of the ledger: `sandbox` or `live`. */
  mode: Mode
  /** First day of the statement of account, in the operator’s time zone. */
  from: string
  /** Last day of the statement of account, in the operator’s time zone. */
  to: string
  /** Credits that could be spent at the start of `from`. */
  openingBalance: number
  /** Credits that could be spent at the end of `to`. */
  closingBalance: number
  /** Ledger entries of these days, oldest first; at most 10,000. */
  entries: LedgerEntry[]
}

export interface StatementAges {
  /** The part that is not late, in minor units. Invoices without a due date count here. */
  notDueMinor: number
  /** The part that is 1 to 30 days late, in minor units. */
  days1To30Minor: number
  /** The part that is 31 to 60 days late, in minor units. */
  days31To60Minor: number
  /** The part that is 61 to 90 days late, in minor units. */
  days61To90Minor: number
  /** The part that is more than 90 days late, in minor units. */
  over90DaysMinor: number
  /** What you owe the buyer, in minor units: refunds owed, and payments on documents that do not count. */
  creditMinor: number
}

export interface StatementDownload {
  /** The link to the file. It works without a token. */
  url: string
  /** When the link stops working. */
  expiresAt: string
}

export interface StatementLine {
  /** `invoice`, `prepayment`, `debit_note`, `credit_note`: the document was issued. `payment`: a payment was recorded. `credit_used`: credit of the buyer paid an invoice. `declared_paid`: the invoice was declared as paid. `payment_reversed`: a payment was taken back. `refund`: money went back to the buyer. `document_withdrawn`: the document was rejected or reopened. `declared_paid_withdrawn`: a recorded payment replaced the declaration, or the document was withdrawn. `payment_moved`: the buyer of a paid document was corrected. */
  type: "invoice" | "prepayment" | "debit_note" | "credit_note" | "payment" | "credit_used" | "declared_paid" | "payment_reversed" | "refund" | "document_withdrawn" | "declared_paid_withdrawn" | "payment_moved"
  /** When the account of the buyer was changed. */
  bookedAt: string
  /** The day of `bookedAt` in the time zone of your organisation. It decides the period. */
  bookedOn: string
  /** The issue date of the document, or the day on which the payment was made. */
  documentDate: string
  /** Unique identifier of the document. A reopened document may have been deleted since. */
  invoiceId: string
  /** Number of the document. */
  invoiceNumber: string
  /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
  invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
  /** Unique identifier of the payment. Null if the line is about no payment. */
  paymentId: string | null
  /** How the payment was made. Null if nobody said. */
  paymentMethod: string | null
  /** Reference of the payment. Null if there is none. */
  paymentReference: string | null
  /** How much more the buyer owes, in minor units. Negative if the buyer owes less. */
  amountMinor: number
  /** What the buyer owes after this line, in minor units. Negative if you owe the buyer. */
  balanceMinor: number
}

export interface StatementLink {
  /** Unique identifier of the link (UUIDv7). */
  id: string
  /** Currency of the account (ISO 4217). */
  currency: string
  /** First day that the page shows. */
  from: string
  /** Last day that the page shows, which counts too. */
  to: string
  /** When the link was created. */
  createdAt: string
  /** When the link stops working. */
  expiresAt: string
}

export interface StatementLinkEventData {
  /** Unique identifier of the buyer (UUIDv7). */
  buyerId: string
  /** Name of the buyer. */
  name: string
  /** Tax number of the buyer. Null if none is known. */
  taxId: string | null
  /** `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
  taxIdType: "tin" | "rn" | "foreign" | "none"
  /** What is known of the tax number after the event. `BuyerTaxIdStatus` explains the values. */
  taxIdStatus: "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"
  /** Currency of the account (ISO 4217). */
  currency: string
  /** First day of the statement of account (ISO 8601), in the time zone of the organisation. */
  from: string
  /** Last day of the statement of account (ISO 8601), which counts too. */
  to: string
  /** Unique identifier of the link (UUIDv7). */
  linkId: string
  /** When the link stops working (ISO 8601, UTC). */
  expiresAt: string
}

export interface StatementOfAccount {
  /** Unique identifier of the buyer. */
  buyerId: string
  /** Name of the buyer, as it is now. */
  buyerName: string
  /** Currency of all amounts (ISO 4217). */
  currency: string
  /** All currencies in which the buyer has an account (ISO 4217). */
  currencies: string[]
  /** Time zone in which days begin and end (IANA name). */
  timeZone: string
  /** First day of the period. */
  from: string
  /** Last day of the period, which counts too. */
  to: string
  /** What the buyer owed before the period, in minor units. Negative if you owed the buyer. */
  openingMinor: number
  /** What the buyer owed after the last day of the period, in minor units. It equals the opening of the next period. */
  closingMinor: number
  /** The day on which the ages were counted: `to`, or today if that is earlier. */
  agedOn: string
  /** The closing balance by how late it is. It equals the sum of the parts less the credit. */
  ages: StatementAges
  /** The lines of this page, in the order in which they were booked. */
  lines: StatementLine[]
  /** Send it as `after` to get the next lines. Null on the last page. */
  nextCursor: string | null
}

export interface StatementToSend {
  /** Currency of the account (ISO 4217). The currency of your country if left out, or another one if the buyer has an account only in that. Must be a currency code such as NGN. */
  currency?: string | undefined
  /** First day, in the time zone of your organisation. If left out, the first day of the month of `to`, or of this month. */
  from?: string | undefined
  /** Last day, which counts too, in the time zone of your organisation. If left out, the last day of the month of `from`, or of this month. */
  to?: string | undefined
}

export interface StatementToShare {
  /** Currency of the account (ISO 4217). The currency of your country if left out, or another one if the buyer has an account only in that. Must be a currency code such as NGN. */
  currency?: string | undefined
  /** First day, in the time zone of your organisation. If left out, the first day of the month of `to`, or of this month. */
  from?: string | undefined
  /** Last day, which counts too, in the time zone of your organisation. If left out, the last day of the month of `from`, or of this month. */
  to?: string | undefined
  /**
   * After how many days the link stops working.
   * Default: 30.
   */
  expiresInDays?: number | undefined
}

export interface SubmissionAttempt {
  /** When the request to the tax authority started. */
  at: string
  /** When the request ended. Null while it runs, or if its end was not recorded. */
  endedAt: string | null
  /** `sign`: register the document. `lookup`: check whether it is registered. `transmit`: pass it on to the buyer. `confirm`: check whether it was passed on. `query`: a status query of a user. */
  step: "sign" | "lookup" | "transmit" | "confirm" | "query"
  /** The SHA-256 hash of the document that was sent. Null if the step sends none. */
  sha256: string | null
  /** What started the request. `submitted`: a submission. `retried`: a call of `retry`. `automatic`: the schedule. `asked`: a call of `query-status`. `notified`: a notification of the tax authority. */
  cause: "submitted" | "retried" | "automatic" | "asked" | "notified"
  /** Who started the request. Null if nobody did. */
  actor: {
    /** `user`: a person, also through a connected program. `api_key`: an API key. `system`: an automatic job. `service`: not used yet. */
    type: "user" | "api_key" | "service" | "system"
    /** The id of the user or API key. Null for `service` and `system`. */
    id: string | null
    /** The name of the user, API key or service. */
    name: string
  } | null
  /** The result: `signed`, `transmitted`, `found`, `absent`, `refused`, `unclear`, `not_sent` or `other_document`. Null while the request runs. */
  answer: string | null
  /** The reason for an unclear result, in English. Null if the result is clear. */
  why: string | null
  /** The messages of the tax authority, in its own words. At most 20. */
  told: string[]
  /** Whether the answer came after another worker had taken over the submission. */
  late: boolean
}

export interface SubmissionReport {
  /** `not_submitted`: never submitted. `waiting`: nothing was sent yet. `in_progress`: being sent. `unknown`: sent, and nobody knows whether it arrived. `registered`: the tax authority has it, the buyer does not yet. `accepted` and `rejected`: the decision of the tax authority. `not_registered`: given up, and the tax authority does not have it. */
  outcome: "not_submitted" | "waiting" | "in_progress" | "unknown" | "registered" | "accepted" | "rejected" | "not_registered"
  /** The outcome in one or two English sentences, with what to do. */
  message: string
  /** The number under which the document is submitted (IRN). Null before the first submission. */
  reference: string | null
  /** The SHA-256 hash of the submitted document, as hexadecimal digits. Null before the first submission. */
  sha256: string | null
  /** How many times you can still call `retry`. */
  retriesLeft: number
  /** When the next automatic attempt starts. Null if none is planned. */
  nextAttemptAt: string | null
  /** The reasons for which the tax authority rejected the document. Empty unless it did. */
  refusals: {
    /** The reason in the words of the tax authority. */
    told: string
    /** The field of the document that the reason is about. Empty if unknown. */
    path: string
    /** What is wrong and what to do, in plain English. */
    message: string
    /** What corrects the problem. `reopen`: reopen and change the document. `connection`: change the connection to the tax authority. `operator`: the operator of this installation must act. `unknown`: the reason is not known to Risiti. */
    mendedBy: "reopen" | "connection" | "operator" | "unknown"
  }[]
  /** Whether `reopen` is possible now. */
  canReopen: boolean
  /** Whether `retry` is possible now. */
  canRetry: boolean
  /** Whether `cancel` is possible now. False for notes, and while notes of the invoice are drafts or undecided. */
  canCancel: boolean
  /** Set while the tax authority does not answer. Null otherwise. */
  authorityOutage: {
    /** When the tax authority stopped answering. */
    since: string
  } | null
}

export interface SubmissionStatus {
  /** Unique identifier of the document (UUIDv7). */
  id: string
  /** The number of the document in your own series. */
  invoiceNumber: string
  /** `draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `signed`: registered there. `transmitted`: passed on to the buyer. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancellation_pending`: its credit note waits for the tax authority. `cancelled`: taken back. */
  status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
  /** The status in one word. The first that applies: `cancelled`, `paid`, `part_paid`, `delivered` (reached the buyer), `reported` (the tax authority has it), `draft`, `issued`. */
  simpleStatus: "draft" | "issued" | "reported" | "delivered" | "paid" | "part_paid" | "cancelled"
  /** How much of the document is paid. `unpaid`: nothing was paid. `partially_paid`: a part was. `paid`: something was paid, and nothing is left after credit notes. `payment_failed`: you declared it, and nothing was paid since. */
  paymentStatus: "unpaid" | "partially_paid" | "paid" | "payment_failed"
  /** The state of the report to the tax authority. */
  reporting: Reporting
  /** When the document was last submitted to the tax authority. Null if never. */
  submittedAt: string | null
  /** When the document last changed. */
  updatedAt: string
  /** The state of the submission, and what you can do now. */
  report: SubmissionReport
}

export interface SubmissionTimeline {
  /** Unique identifier of the document (UUIDv7). */
  id: string
  /** The number of the document in your own series. */
  invoiceNumber: string
  /** `draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `signed`: registered there. `transmitted`: passed on to the buyer. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancellation_pending`: its credit note waits for the tax authority. `cancelled`: taken back. */
  status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
  /** The status in one word. The first that applies: `cancelled`, `paid`, `part_paid`, `delivered` (reached the buyer), `reported` (the tax authority has it), `draft`, `issued`. */
  simpleStatus: "draft" | "issued" | "reported" | "delivered" | "paid" | "part_paid" | "cancelled"
  /** How much of the document is paid. `unpaid`: nothing was paid. `partially_paid`: a part was. `paid`: something was paid, and nothing is left after credit notes. `payment_failed`: you declared it, and nothing was paid since. */
  paymentStatus: "unpaid" | "partially_paid" | "paid" | "payment_failed"
  /** The state of the report to the tax authority. */
  reporting: Reporting
  /** When the document was last submitted to the tax authority. Null if never. */
  submittedAt: string | null
  /** When the document last changed. */
  updatedAt: string
  /** The state of the submission, and what you can do now. */
  report: SubmissionReport
  /** The requests to the tax authority about this document, oldest first. */
  attempts: SubmissionAttempt[]
}

export interface SubmissionsCancelBody {
  /** Why the invoice is cancelled. Printed on the credit note. Must not be blank. */
  reason: string
  /** Remarks for the buyer, printed on the credit note. */
  notes?: string | null | undefined
}

export interface SubmitRefusal {
  /** The error code, as in an error response. */
  code: string
  /** The name of the refusal, as `error.reason` in an error response. */
  reason: string
  /** What is wrong and what to do, in English. */
  message: string
  /** The single problems. Empty if there is nothing to add to `message`. */
  details: Problem[]
}

export interface SubmittedInvoice {
  /** Unique identifier of the document (UUIDv7). */
  id: string
  /** The number of the document in your own series. */
  invoiceNumber: string
  /** The type of document. `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
  invoiceType: InvoiceType
  /** The seller that issues the document. Null while a draft has no seller. */
  sellerId: string | null
  /** The buyer of the document. Null for a document without a saved buyer. */
  buyerId: string | null
  /** Name and tax number of the buyer. A draft shows the current values, an issued document the values at its issue. Null without a buyer. */
  buyer: InvoiceBuyer | null
  /** The day of issue of the document. */
  invoiceDate: string
  /** The day on which payment is due, with instalments the last one. Null if the sender set none. */
  dueDate: string | null
  /** The days on which parts of the total are due, oldest first. Payments and credit notes settle the oldest first. Null if the whole total is due on one day. */
  instalments: Instalment[] | null
  /** The day on which the next payment is due: that of the oldest unpaid instalment, or `dueDate`. Null if nothing is left to pay, or without a due date. */
  nextDueDate: string | null
  /** The amount due on `nextDueDate`, in minor units. */
  nextDueMinor: number
  /** The part of `dueMinor` whose day has passed, in minor units. */
  overdueMinor: number
  /** The day of the supply, if it differs from the day of issue. Null if both are the same. */
  supplyDate: string | null
  /** The currency of all amounts of the document (ISO 4217). Must not be blank. */
  currency: InvoiceCurrency
  /** The status in one word. The first that applies: `cancelled`, `paid`, `part_paid`, `delivered` (reached the buyer), `reported` (the tax authority has it), `draft`, `issued`. */
  simpleStatus: "draft" | "issued" | "reported" | "delivered" | "paid" | "part_paid" | "cancelled"
  /** The sum of the lines before tax, in minor units. */
  netMinor: number
  /** The discount on the whole document, in minor units. */
  allowanceMinor: number
  /** The charge added to the whole document, in minor units. */
  chargeMinor: number
  /** The tax on the document, in minor units. */
  taxMinor: number
  /** The amount that rounding adds or takes away, in minor units. Can be negative. */
  roundingMinor: number
  /** The total of the document with tax, in minor units. */
  payableMinor: number
  /** The sum of the recorded payments, in minor units. */
  paidMinor: number
  /** The sum of the credit notes against this invoice, in minor units. */
  creditedMinor: number
  /** The amount still to be paid, in minor units. Zero on a credit note. */
  dueMinor: number
  /** The amount that the buyer paid beyond the total after credit notes, in minor units. */
  refundOwedMinor: number
  /** Whether an amount is still due after its due date: `overdueMinor` is above zero. */
  overdue: boolean
  /** The tax of the document, one entry for each tax category and rate. */
  taxes: TaxGroup[]
  /** The invoice that a note corrects. Null for an invoice. */
  originalInvoiceId: string | null
  /** The number of the invoice that a note corrects. Null for an invoice. */
  originalInvoiceNumber: string | null
  /** Why a credit note or debit note was issued. Null for an invoice. */
  reason: string | null
  /** The state of the report to the tax authority. */
  reporting: Reporting
  /** When the document was issued. Null for a draft. */
  finalisedAt: string | null
  /** When the document was last submitted to the tax authority. Null if never. */
  submittedAt: string | null
  /** When the document was last emailed to the buyer. Null if never. */
  sentAt: string | null
  /** When the public link was created. Null without a public link. */
  sharedAt: string | null
  /** Who created the document. */
  createdBy: Actor
  /** When the document was created. */
  createdAt: string
  /** When the document last changed. */
  updatedAt: string
  /** `draft`: can be changed. `finalised`: issued. `queued`: waits for the tax authority. `signed`: registered there. `transmitted`: passed on to the buyer. `accepted` and `rejected`: the decision. `failed`: no clear answer came. `cancellation_pending`: its credit note waits for the tax authority. `cancelled`: taken back. */
  status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
  /** Seller and buyer by kind: business (`B`), consumer (`C`) or government (`G`). Must not be blank. */
  invoiceKind: InvoiceKind
  /** How much of the document is paid. `unpaid`: nothing was paid. `partially_paid`: a part was. `paid`: something was paid, and nothing is left after credit notes. `payment_failed`: you declared it, and nothing was paid since. */
  paymentStatus: "unpaid" | "partially_paid" | "paid" | "payment_failed"
  /** The time of day of the issue. Null if the sender set none. */
  issueTime: string | null
  /** The discount on the whole document, in major units such as dollars. */
  allowanceAmount: string
  /** The charge added to the whole document, in major units such as dollars. */
  chargeAmount: string
  /** The first day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodStart: string | null
  /** The last day of the period that the invoice covers, such as a month of a service. Null if not set. */
  periodEnd: string | null
  /** The number of the purchase order of the buyer. Null if not set. */
  purchaseOrderReference: string | null
  /** A reference that the buyer asks for, such as a department. Null if not set. */
  buyerReference: string | null
  /** The number of the contract that the invoice belongs to. Null if not set. */
  contractReference: string | null
  /** The number of the quote or proforma invoice that the invoice follows. Null if not set. */
  quoteReference: string | null
  /** Where the buyer books the invoice, such as a cost centre. Null if not set. */
  accountingCost: string | null
  /** The payment terms, printed on the document. Null if not set. */
  paymentTerms: string | null
  /** Remarks for the buyer, printed on the document. Null if not set. */
  notes: string | null
  /** The exchange rate that was entered on the document, as a decimal number. Null if none was. */
  exchangeRate: string | null
  /** The tax in the currency of your country, fixed when the document is issued. Null on drafts, in the currency of your country, and if no rate was known. */
  homeTax: HomeTax | null
  /** The lines of the document, in their order. */
  lineItems: InvoiceLine[]
  /** Why the invoice was created but not submitted. Null if it was submitted. */
  submitRefusal: SubmitRefusal | null
  /** Problems that did not stop the operation: characters that the PDF cannot show, and addresses that the new version was not sent to. */
  warnings: Problem[]
}

export interface Subscription {
  /** Unique identifier of the subscription (UUIDv7). */
  id: string
  /** Code of the plan, such as `starter`. */
  planCode: string
  /** How often the plan is paid: `monthly` or `yearly`. */
  interval: "monthly" | "yearly"
  /** Currency of the price, as an ISO 4217 code. */
  currency: "NGN" | "USD"
  /** Price of one period, in minor units such as cents. Fixed when you subscribe. */
  amountMinor: number
  /** Credits added to the live balance every month. Fixed when you subscribe. */
  monthlyCredits: number
  /** `pending_payment`: the first payment is awaited. `active`: the current period is paid. `past_due`: the current period is not paid yet, and it is charged again for up to 14 days. `expired`: the subscription has ended. */
  status: "pending_payment" | "active" | "past_due" | "expired"
  /** Why the subscription ended. `not_paid`: the first payment failed or expired. `cancelled`: a user cancelled it. `overdue`: a period was not paid within 14 days. `money_returned`: its payment was refunded or charged back. Null until it ends. */
  endReason: "not_paid" | "cancelled" | "overdue" | "money_returned" | null
  /** Whether the subscription ends with the current period, because a user cancelled it. */
  cancelAtPeriodEnd: boolean
  /** Reason that the user gave for the cancellation. Null if none was given. */
  cancelReason: string | null
  /** Current billing period. Null until the first payment. */
  currentPeriod: {
    /** Number of the period, counted from 1. */
    number: number
    /** When the period begins. */
    startsAt: string
    /** When the period ends and the next one begins. */
    endsAt: string
  } | null
  /** Month for which credits were added last. Null unless the subscription is `active`. */
  window: {
    /** When the month begins, counted from the start of the subscription. */
    startsAt: string
    /** When the month ends and the next credits are added. */
    endsAt: string
    /** Credits added for this month. */
    credits: number
  } | null
  /** When the user subscribed. */
  createdAt: string
  /** When the subscription ended. Null until then. */
  endedAt: string | null
}

export interface SubscriptionCheckout {
  /** The subscription that the payment is for. */
  subscription: Subscription
  /** The payment that the checkout collects. */
  payment: BillingPayment
  /** Page of the payment provider. Send the browser there to pay. */
  checkoutUrl: string
}

export interface SubscriptionEventData {
  /** Unique identifier of the subscription (UUIDv7). */
  subscriptionId: string
  /** Code of the plan. */
  planCode: string
  /** How often the plan is paid: `monthly` or `yearly`. */
  interval: "monthly" | "yearly"
  /** ISO 4217 code, such as `NGN`. */
  currency: string
  /** Status of the subscription after the event. `pending_payment`: the first payment is awaited. `active`: the current period is paid. `past_due`: the current period is not paid yet, and it is charged again for up to 14 days. `expired`: the subscription has ended. */
  status: "pending_payment" | "active" | "past_due" | "expired"
  /** Whether it ends with the period that is paid. */
  cancelAtPeriodEnd: boolean
  /** Why the subscription ended. `not_paid`: the first payment failed or expired. `cancelled`: a user cancelled it. `overdue`: a period was not paid within 14 days. `money_returned`: its payment was refunded or charged back. Null until it ends. */
  endReason: "not_paid" | "cancelled" | "overdue" | "money_returned" | null
}

export interface Sync {
  /** Whether the organisation is connected to the tax authority in this mode. */
  connected: boolean
  /** Whether documents are being fetched, or the network has not been read yet. */
  syncing: boolean
  /** When the network was last read to the end. Null if it never was. */
  lastSyncedAt: string | null
  /** Why the list may be incomplete, in words. Null if nothing is known to be missing. */
  error: string | null
}

export interface TaxConnection {
  /** `NOT_CONNECTED`: there is no connection yet. `PENDING`: it is incomplete, and `problem` says why. `CONNECTED`: invoices can be submitted. `REVOKED`: a user ended it. */
  status: "NOT_CONNECTED" | "PENDING" | "CONNECTED" | "REVOKED"
  /** Why the connection is pending and what to do, in words. Null unless it is `PENDING`. */
  problem: string | null
  /** Identifiers of the business at the authority. Null until you connect. */
  authorityIdentifiers: {
    /** Identifier of the business at the authority (UUID). */
    businessId: string
    /** Service identifier of the business at the authority. */
    serviceId: string
  } | null
  /** Name of the business in the authority’s record. Null until the authority confirms the business. */
  businessName: string | null
  /** Tax number of the business in the authority’s record. Null until the authority confirms the business. */
  taxId: string | null
  /** Template of the authority references of your documents. Null until you connect. */
  numberTemplate: string | null
  /** Whether your own keys to the authority are used, not those of this installation. */
  hasOwnCredentials: boolean
  /** The stored key file. Null until you send one. */
  keyFile: {
    /** Fingerprint of the key file, to compare files. */
    fingerprint: string
    /** When the key file was stored. */
    storedAt: string
  } | null
  /** Consent to act for the business before the authority. Null if your country asks for none. */
  consent: {
    /** Version of the current text. Send it with `accepted: true` to connect. */
    textVersion: string
    /** Text of the consent in its current version. */
    text: string
    /** Version that was accepted. Null until one was. */
    acceptedVersion: string | null
    /** When the consent was accepted. Null until it was. */
    acceptedAt: string | null
  } | null
  /** When the connection was completed. Null until then. */
  connectedAt: string | null
  /** When the authority last answered about the business. Null before its first answer. */
  checkedAt: string | null
  /** When a user revoked the connection. Null unless it is revoked. */
  revokedAt: string | null
  /** Reason that the user gave for revoking it. Null if none was given. */
  revokedReason: string | null
}

export interface TaxConnectionEventData {
  /** Unique identifier of the connection to the tax authority (UUIDv7). */
  connectionId: string
  /** `pending`: the connection is incomplete, and `problem` says why. `connected`: invoices can be submitted. `revoked`: a user ended it. */
  status: "pending" | "connected" | "revoked"
  /** The business id that the authority gave. */
  businessId: string
  /** The service id that the authority gave. */
  serviceId: string
  /** The name under which the authority knows the business. Null until it was asked. */
  businessName: string | null
  /** Why the connection is `pending`. `not_asked`: the authority has not answered yet. `no_access`: this installation has no access to it. `no_answer`: it does not answer. `keys_refused`: it refuses your keys. `unknown_business`: it has no business with this id. `other_service_id`, `other_tax_number`, `other_name`: it has another one for this business. `tax_number_unconfirmed`: your tax number is not confirmed in live mode. `other_organisation`: another organisation is connected as this business. `key_file_missing`: send the key file. Null if nothing is wrong. */
  problem: "not_asked" | "no_access" | "no_answer" | "keys_refused" | "unknown_business" | "other_service_id" | "tax_number_unconfirmed" | "other_tax_number" | "other_name" | "other_organisation" | "key_file_missing" | null
}

export interface TaxConnectionRevokeBody {
  /** Why you revoke the connection, at most 500 characters. Must not be blank. */
  reason?: string | undefined
}

export interface TaxConnectionStoreKeyFileBody {
  /** The key file, encrypted as a JWE in compact form; at most 16,384 characters. */
  envelope: string
}

export interface TaxGroup {
  /** The tax category, from the code list `tax-categories`. */
  taxCategory: string
  /** The tax rate in percent, as a decimal number. */
  taxPercent: string
  /** The amount that the tax is calculated on, in minor units. */
  taxableMinor: number
  /** The tax of this category and rate, in minor units. */
  taxMinor: number
}

export interface TaxIdCheck {
  /** Unique identifier of the check (UUIDv7). */
  id: string
  /** `pending`: the check runs. `verified`: the authority knows the number under this name. `not_found`: it does not know the number. `name_mismatch`: registered under another name. `unavailable`: the authority did not answer. */
  status: "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable"
  /** Tax number that is checked. */
  taxId: string
  /** Name that the authority has for the tax number. Null if it gave none. */
  registeredName: string | null
  /** When the check was started. */
  startedAt: string
  /** When the check ended. Null while it runs. */
  endedAt: string | null
}

export interface TaxIdKind {
  /** Kind of tax number, as requests give it. */
  type: TaxIdType
  /** Name of the kind of tax number, for people. */
  label: string
  /** Example of a tax number of this kind. Null if there is none. */
  sample: string | null
}

/** Kind of tax number. `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
export type TaxIdType = "tin" | "rn" | "foreign" | "none"

export interface TaxReturn {
  /** The month, as `2026-01`. */
  period: string
  /** First day of the month. */
  from: string
  /** Last day of the month. */
  to: string
  /** Last day to file the return with the tax authority. */
  dueOn: string
  /** Currency of all amounts: that of your country (ISO 4217). */
  currency: string
  /** `open`: figures can still change. `closed`: they never change again. Months before the first closed one count as closed. */
  status: "open" | "closed"
  /** Whether the month can be closed now: it has ended, and all earlier months are closed. */
  canClose: boolean
  /** When the month was closed. Null while it is open, and for months before the first one. */
  closedAt: string | null
  /** Tax on your own documents, less credit notes, in minor units. */
  outputTaxMinor: number
  /** Tax on received documents that you can claim, less credit notes, in minor units. */
  inputTaxMinor: number
  /** Output tax less input tax, in minor units. Negative if the tax authority owes you. */
  payableMinor: number
  /** The sums of the documents of this month. */
  figures: TaxReturnFigure[]
  /** What changed in closed months after they were closed, such as documents that were accepted or received late. The totals include it. */
  exceptions: TaxReturnException[]
  /** Number of documents in a foreign currency whose day has no exchange rate. They are in no figure, and the month cannot be closed. */
  documentsWithoutRate: number
  /** Number of your finalised documents of this month that the tax authority has not accepted, also those that it rejected. They are in no figure. */
  documentsNotAccepted: number
  /** How many of them the tax authority rejected. Correct and submit them before you close the month. */
  documentsRejected: number
}

export interface TaxReturnClosing {
  /** The `payableMinor` that you saw, in minor units. If the amount is another one by now, the month stays open. */
  expectedPayableMinor?: number | undefined
}

export interface TaxReturnDocument {
  /** `output`: your invoices. `output_notes`: your credit and debit notes. `input`: received invoices whose tax you can claim. `input_notes`: received credit and debit notes. `not_claimable`: received documents whose tax you cannot claim. */
  section: TaxReturnSection
  /** The tax category of your own documents, or the rule that decides whether the tax on received documents can be claimed. */
  code: string
  /** Tax rate in percent. Null for received documents. */
  rate: string | null
  /** Why the tax can be claimed or not. Null for your own documents. */
  reason: string | null
  /** `accepted`: the tax authority accepted the document. `received`: the document arrived. `claim_changed`: its claim changed later. `withdrawn`: it does not count any more. */
  cause: "accepted" | "withdrawn" | "received" | "claim_changed"
  /** The month of the issue date. An exception belongs to an earlier month than the return. */
  period: string
  /** Unique identifier of the invoice or note, or of the received document. */
  documentId: string
  /** Number of the document. */
  documentNumber: string
  /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
  documentType: "standard" | "credit_note" | "debit_note" | "prepayment"
  /** Issue date of the document. */
  issueDate: string
  /** Name of the buyer or supplier. Null if the document names none. */
  partyName: string | null
  /** Currency of the document (ISO 4217). */
  documentCurrency: string
  /** Amount without tax in the currency of the document, in minor units. */
  documentNetMinor: number
  /** Tax in the currency of the document, in minor units. */
  documentTaxMinor: number
  /** Units of your currency for one unit of the currency of the document. Null if the rate of the day is missing. */
  exchangeRate: string | null
  /** Amount without tax in the currency of your country, in minor units. Null if the exchange rate is missing. */
  netMinor: number | null
  /** Tax in the currency of your country, in minor units. Null if the exchange rate is missing. */
  taxMinor: number | null
}

export interface TaxReturnDocuments {
  /** The documents of this page. */
  documents: TaxReturnDocument[]
  /** Send it as `after` to get the next documents. Null on the last page. */
  nextCursor: string | null
}

export interface TaxReturnDownload {
  /** The link to the file. It works without a token. */
  url: string
  /** When the link stops working. */
  expiresAt: string
}

export interface TaxReturnException {
  /** The closed month that the documents belong to, as `2026-01`. */
  period: string
  /** `output`: your invoices. `output_notes`: your credit and debit notes. `input`: received invoices whose tax you can claim. `input_notes`: received credit and debit notes. `not_claimable`: received documents whose tax you cannot claim. */
  section: TaxReturnSection
  /** The tax category of your own documents, or the rule that decides whether the tax on received documents can be claimed. */
  code: string
  /** The tax category or the reason of the claim, for people. */
  label: string
  /** Tax rate in percent, such as `7.5`. Null for received documents. */
  rate: string | null
  /** Sum of the amounts without tax, in minor units. Credit notes are negative. */
  netMinor: number
  /** Sum of the tax, in minor units. Credit notes are negative. */
  taxMinor: number
  /** Number of documents that count more than was reported. Negative if documents no longer count. */
  documents: number
  /** Whether the tax is part of the totals. False for tax that you cannot claim, and for taxes that belong to other returns. */
  isCounted: boolean
}

export interface TaxReturnFigure {
  /** `output`: your invoices. `output_notes`: your credit and debit notes. `input`: received invoices whose tax you can claim. `input_notes`: received credit and debit notes. `not_claimable`: received documents whose tax you cannot claim. */
  section: TaxReturnSection
  /** The tax category of your own documents, or the rule that decides whether the tax on received documents can be claimed. */
  code: string
  /** The tax category or the reason of the claim, for people. */
  label: string
  /** Tax rate in percent, such as `7.5`. Null for received documents. */
  rate: string | null
  /** Sum of the amounts without tax, in minor units. Credit notes are negative. */
  netMinor: number
  /** Sum of the tax, in minor units. Credit notes are negative. */
  taxMinor: number
  /** Number of documents in this figure. */
  documents: number
  /** Whether the tax is part of the totals. False for tax that you cannot claim, and for taxes that belong to other returns. */
  isCounted: boolean
}

/** `output`: your invoices. `output_notes`: your credit and debit notes. `input`: received invoices whose tax you can claim. `input_notes`: received credit and debit notes. `not_claimable`: received documents whose tax you cannot claim. */
export type TaxReturnSection = "output" | "output_notes" | "input" | "input_notes" | "not_claimable"

export interface TaxReturnSummary {
  /** The month, as `2026-01`. */
  period: string
  /** First day of the month. */
  from: string
  /** Last day of the month. */
  to: string
  /** Last day to file the return with the tax authority. */
  dueOn: string
  /** Currency of all amounts: that of your country (ISO 4217). */
  currency: string
  /** `open`: figures can still change. `closed`: they never change again. Months before the first closed one count as closed. */
  status: "open" | "closed"
  /** Whether the month can be closed now: it has ended, and all earlier months are closed. */
  canClose: boolean
  /** When the month was closed. Null while it is open, and for months before the first one. */
  closedAt: string | null
  /** Tax on your own documents, less credit notes, in minor units. */
  outputTaxMinor: number
  /** Tax on received documents that you can claim, less credit notes, in minor units. */
  inputTaxMinor: number
  /** Output tax less input tax, in minor units. Negative if the tax authority owes you. */
  payableMinor: number
}

export interface TaxReturnsDocumentsQuery {
  /** Only this part of the return. */
  section?: TaxReturnSection | undefined
  /** Only this tax category or rule. */
  code?: string | undefined
  /** Only this tax rate in percent. */
  rate?: string | undefined
  /** `true`: only exceptions. `false`: only documents of the month itself. Both if left out. */
  exceptions?: "true" | "false" | undefined
  /** Only documents of this month, such as the closed month of an exception, as `2026-01`. Must be a month such as 2026-01. */
  documentPeriod?: string | undefined
  /** `true`: only lines that are in no figure, because the exchange rate of their day is missing. */
  withoutRate?: true | "true" | undefined
  /**
   * The maximum number of documents.
   * Default: 100.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface TaxReturnsDownloadQuery {
  /** Format of the file. `pdf` if left out. */
  format?: "pdf" | "csv" | undefined
}

export interface TaxReturnsListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface TaxReturnsListRatesQuery {
  /** Only this currency (ISO 4217). Must be a currency code such as USD. */
  currency?: string | undefined
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface TestClockHappened {
  /** The type of the events, such as `recurring_schedule.invoice_made`. */
  type: string
  /** The number of events. */
  count: number
}

export interface TestClockListMovesQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface TestClockMove {
  /** Unique identifier of the move (UUIDv7). */
  id: string
  /** `advancing`: the move is under way. `ready`: the sandbox has the new time. `stopped`: the move kept failing, and the sandbox has the time of `reachedAt`. */
  status: "advancing" | "ready" | "stopped"
  /** The time of the sandbox before the move. */
  fromAt: string
  /** The time at which the move ends. */
  toAt: string
  /** How far the move has come, in the time of the sandbox. */
  reachedAt: string
  /** The number of moments between the two times at which something was due. */
  steps: number
  /** How many events of the sandbox happened during the move, by type. Types are named as in the audit log. */
  happened: TestClockHappened[]
  /** When the move began, in real time. */
  createdAt: string
  /** When the move ended, in real time. Null while it is under way. */
  endedAt: string | null
}

export interface TestClockSpan {
  /** The number of months, by the calendar in UTC. A month without the day ends on its last day. */
  months?: number | undefined
  /** The number of weeks. */
  weeks?: number | undefined
  /** The number of days of 24 hours. */
  days?: number | undefined
  /** The number of hours. */
  hours?: number | undefined
  /** The number of minutes. */
  minutes?: number | undefined
}

export interface Tokens {
  /** Access token, sent as `Authorization: Bearer …`. */
  accessToken: string
  /** Refresh token. It buys one new pair of tokens and then stops working. */
  refreshToken: string
  /** How the access token is sent. Always `Bearer`. */
  tokenType: "Bearer"
  /** Seconds until the access token expires, counted from this reply. */
  expiresIn: number
  /** Unique identifier of the organisation that the tokens act for. Null if you belong to none. */
  organizationId: string | null
  /** Mode that the tokens act in. */
  mode: Mode
}

export interface TransportKey {
  /** Identifier of the key: its JWK thumbprint (RFC 7638). */
  keyId: string
  /** JWE algorithm that encrypts the content key. */
  algorithm: "RSA-OAEP-256"
  /** JWE algorithm that encrypts the key file. */
  encryption: "A256GCM"
  /** The public key in PEM format (SPKI). */
  publicKeyPem: string
  /** The same public key in JWK format (RFC 7517). */
  jwk: {
    /** Key type, which is `RSA`. */
    kty: string
    /** Modulus of the key, in base64url. */
    n: string
    /** Exponent of the key, in base64url. */
    e: string
    /** Identifier of the key, the same as `keyId`. */
    kid: string
    /** JWE algorithm of the key, the same as `algorithm`. */
    alg: "RSA-OAEP-256"
    /** Use of the key: `enc` stands for encryption. */
    use: "enc"
  }
  /** When the key was created. */
  createdAt: string
}

export interface UpcomingReminder {
  /** The day on which the reminder goes out, in the time zone of your organisation. */
  day: string
  /** The step of the plan, in days from the due date. */
  stepDays: number
  /** Unique identifier of the invoice. */
  invoiceId: string
  /** Number of the invoice. */
  invoiceNumber: string
  /** Amount due, in minor units. */
  dueMinor: number
  /** Currency of the amount (ISO 4217). */
  currency: string
  /** Due date of the invoice. */
  dueDate: string
  /** Unique identifier of the buyer. */
  buyerId: string
  /** Name of the buyer. */
  buyerName: string
  /** Email address of the buyer. */
  to: string
}

export interface Usage {
  /** Mode of these figures: `sandbox` or `live`. */
  mode: Mode
  /** First day of the figures, in the operator’s time zone. */
  from: string
  /** Last day of the figures, in the operator’s time zone. */
  to: string
  /** Credits spent in this time, in total. */
  totalCredits: number
  /** Credits spent on each billable action. */
  actions: {
    /** Name of the action, such as `invoice.submit`. */
    action: string
    /** Credits spent on this action. */
    credits: number
    /** Number of times that this action was charged. */
    count: number
  }[]
  /** Credits spent on each day. Days without spending are left out. */
  days: {
    /** Day in the operator’s time zone. */
    date: string
    /** Credits spent on this day. */
    credits: number
  }[]
}

export interface UsedCode {
  /** The product code or service code. */
  code: string
  /** The name of the code in its code list. Null if it is not on the list. */
  description: string | null
  /** The number of your invoice lines with this code. */
  useCount: number
  /** When a line with this code was last saved. */
  lastUsedAt: string
}

export interface VirtualAccount {
  /** Unique identifier of the virtual account (UUIDv7). */
  id: string
  /** Your own name for the account. */
  reference: string
  /** Kind of account. `dynamic`: for one payment of a fixed amount. `persistent`: for payments over time. */
  mode: "persistent" | "dynamic"
  /** `active`: buyers can pay into it. `expired`: `expiresAt` has passed. `deactivated`: it was stopped. */
  status: "active" | "expired" | "deactivated"
  /** Account number that the buyer pays into. */
  accountNumber: string
  /** Name of the account, as the buyer’s bank shows it. */
  accountName: string
  /** Code of the bank that holds the account. */
  bankCode: string
  /** Name of the bank that holds the account. */
  bankName: string
  /** Country of the account, as an ISO 3166-1 alpha-2 code. */
  jurisdiction: string
  /** Currency of the account, as an ISO 4217 code. */
  currency: string
  /** Identifier of the seller who receives the money. */
  sellerId: string
  /** Identifier of the buyer who pays. Null if you named none. */
  buyerId: string | null
  /** Identifier of the invoice that is paid. Null if you named none. */
  invoiceId: string | null
  /** Person or business that pays into the account, as you sent it. */
  customer: {
    /** Full name of the payer. */
    name: string
    /** Given name of the payer. Null if you sent none. */
    firstName: string | null
    /** Family name of the payer. Null if you sent none. */
    lastName: string | null
    /** Telephone number in E.164 format. Null if you sent none. */
    phoneNumber: string | null
    /** Email address of the payer. Null if you sent none. */
    email: string | null
  }
  /** Reference of the account at the provider, as you sent it. Null if you sent none. */
  accountReference: string | null
  /** How the buyer pays into the account, as you sent it. Null if you sent none. */
  method: string | null
  /** Amount to be paid, in minor units such as cents. Null for persistent accounts. */
  amountMinor: number | null
  /** Largest amount of one transfer, in minor units such as cents. Null without a limit. */
  fundingTransactionLimitMinor: number | null
  /** When the account stops taking payments. Null for accounts without an end. */
  expiresAt: string | null
  /** URL that receives the events of this account. Null if your webhook endpoints do. */
  callbackUrl: string | null
  /** Identifier of the webhook endpoint created for `callbackUrl`. Rotate its secret to see one. Null without `callbackUrl`. */
  callbackEndpointId: string | null
  /** Collection provider that holds the account. */
  provider: "sandbox" | "monnify" | "paystack"
  /** When the account was opened. */
  createdAt: string
  /** When the account was stopped. Null while it is in use. */
  deactivatedAt: string | null
  /** Reason that the caller gave for stopping it. Null if none was given. */
  deactivationReason: string | null
}

export interface VirtualAccountEventData {
  /** Unique identifier of the virtual account (UUIDv7). */
  accountId: string
  /** The reference that you gave when you opened it. */
  reference: string
  /** Number of the bank account that payers transfer to. */
  accountNumber: string
  /** The bank that holds it. */
  bankName: string
  /** The seller who is paid. */
  sellerId: string
  /** Unique identifier of the buyer. Null unless the account is for one buyer. */
  buyerId: string | null
  /** Unique identifier of the invoice. Null unless the account is for one invoice. */
  invoiceId: string | null
}

export interface WebhookEndpoint {
  /** Unique identifier of the endpoint (UUIDv7). */
  id: string
  /** Address that events are sent to. */
  url: string
  /** Your own description of the endpoint. Null if there is none. */
  description: string | null
  /** Event types and patterns that the endpoint subscribes to. */
  events: string[]
  /** True if events are sent to the endpoint. */
  enabled: boolean
  /** The same as `enabled`, as a word: `enabled` or `disabled`. */
  status: "enabled" | "disabled"
  /** Why it is disabled: by a member (`manual`), after `failures`, or because it answered 410 (`gone`). Null if enabled. */
  disabledCause: "manual" | "failures" | "gone" | null
  /** When the endpoint was disabled. Null if it is enabled. */
  disabledAt: string | null
  /** Mode whose events are sent to the endpoint. */
  mode: Mode
  /** Shape of the payloads: that of Form A (`A`) or of Form B (`B`). The form that created the endpoint decides. */
  format: "A" | "B"
  /** Event types that the endpoint subscribes to and that are not sent, because the person who last set it up cannot read them. */
  suppressedTypes: string[]
  /** Highest version of event types that is sent. `upgradeVersions` raises it. */
  eventVersions: number
  /** When a failed delivery to the endpoint is attempted again. */
  retryConfig: RetryConfig
  /** Number of deliveries that have failed since the last one that succeeded. */
  failuresInARow: number
  /** When the first of the failures in a row was. Null if the last delivery succeeded. */
  failingSince: string | null
  /** Until when requests are signed with the old secret too. Null unless a rotation is under way. */
  previousSecretUntil: string | null
  /** Unique identifier of the person who created the endpoint. Null if Risiti did. */
  createdBy: string | null
  /** When the endpoint was created. */
  createdAt: string
  /** When the endpoint last changed. */
  updatedAt: string
}

export interface WebhookEndpointEventData {
  /** Unique identifier of the webhook endpoint (UUIDv7). */
  endpointId: string
  /** Host of its address. The rest of the address is in no event. */
  host: string
  /** The event types and patterns that it subscribes to. */
  events: string[]
}

export interface WebhookEndpointWithSecret {
  /** Unique identifier of the endpoint (UUIDv7). */
  id: string
  /** Address that events are sent to. */
  url: string
  /** Your own description of the endpoint. Null if there is none. */
  description: string | null
  /** Event types and patterns that the endpoint subscribes to. */
  events: string[]
  /** True if events are sent to the endpoint. */
  enabled: boolean
  /** The same as `enabled`, as a word: `enabled` or `disabled`. */
  status: "enabled" | "disabled"
  /** Why it is disabled: by a member (`manual`), after `failures`, or because it answered 410 (`gone`). Null if enabled. */
  disabledCause: "manual" | "failures" | "gone" | null
  /** When the endpoint was disabled. Null if it is enabled. */
  disabledAt: string | null
  /** Mode whose events are sent to the endpoint. */
  mode: Mode
  /** Shape of the payloads: that of Form A (`A`) or of Form B (`B`). The form that created the endpoint decides. */
  format: "A" | "B"
  /** Event types that the endpoint subscribes to and that are not sent, because the person who last set it up cannot read them. */
  suppressedTypes: string[]
  /** Highest version of event types that is sent. `upgradeVersions` raises it. */
  eventVersions: number
  /** When a failed delivery to the endpoint is attempted again. */
  retryConfig: RetryConfig
  /** Number of deliveries that have failed since the last one that succeeded. */
  failuresInARow: number
  /** When the first of the failures in a row was. Null if the last delivery succeeded. */
  failingSince: string | null
  /** Until when requests are signed with the old secret too. Null unless a rotation is under way. */
  previousSecretUntil: string | null
  /** Unique identifier of the person who created the endpoint. Null if Risiti did. */
  createdBy: string | null
  /** When the endpoint was created. */
  createdAt: string
  /** When the endpoint last changed. */
  updatedAt: string
  /** Secret that requests are signed with, shown only in this reply. Absent if the request was a repeat. */
  secret?: string | undefined
  /** True if the request was a repeat with the same Idempotency-Key, so that the secret is left out. */
  secretAlreadyShown?: boolean | undefined
}

export interface WebhooksCreateBody {
  /** Address that events are sent to: `https://`, with a host name of the public internet. */
  url: string
  /** Your own description of the endpoint. */
  description?: string | null | undefined
  /** What to subscribe to: event types, families such as `invoice.*`, or `*` for everything. */
  events: string[]
  /** When a failed delivery is attempted again. The defaults if you leave it out. */
  retryConfig?: NewRetryConfig | undefined
}

export interface WebhooksDeleteReply {
  /** Unique identifier of the endpoint that was deleted. */
  id: string
}

export interface WebhooksListDeliveriesQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
  /** Return only deliveries to this endpoint. */
  endpointId?: string | undefined
  /** Return only deliveries of this event. */
  eventId?: string | undefined
  /** Return only deliveries with this status. `Delivery.status` explains the values. */
  status?: "pending" | "delivering" | "retrying" | "delivered" | "failed" | undefined
  /** Return only those of this event type, or of a family such as `invoice.*`. Must not be blank. */
  type?: string | undefined
}

export interface WebhooksListEventsQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** `start`, or the `cursor` of an event: the events after it, in an order that never changes. `total` then says how many are left, up to 1,000. Or the `nextCursor` of a page: the next page, in the order of that page. */
  after?: string | undefined
  /** Return only those of this event type, or of a family such as `invoice.*`. Must not be blank. */
  type?: string | undefined
  /** Return only events at or after this time. */
  from?: string | undefined
  /** Return only events before this time. */
  to?: string | undefined
  /**
   * Seconds to wait if there is no event after `after`. The reply comes with the first event, or empty once the time is over.
   * Default: 0.
   */
  wait?: number | undefined
  /** Format of webhooks, such as `a` for that of Form A. Each event then has the `payload` that an endpoint of this format receives. Must not be blank. */
  format?: string | undefined
}

export interface WebhooksListQuery {
  /**
   * The number of the page, from 1. Leave it out if you send `after`.
   * Default: 1.
   */
  page?: number | undefined
  /**
   * The maximum number of entries on a page.
   * Default: 20.
   */
  limit?: number | undefined
  /** The `nextCursor` of the previous page. The list continues after that page, even if entries were added or removed since. Keep the same filters and order, and leave out `page`. */
  after?: string | undefined
}

export interface WebhooksListTypesEntry {
  /** Name of the event type, such as `invoice.created`. */
  type: string
  /** When the event is emitted, and what its payload holds. */
  description: string
  /** Latest version of the event type, from 1. */
  version: number
  /** First part of the name, such as `invoice`. */
  family: string
  /** Whether it happens in one mode (`mode`) or to the organisation as a whole (`organization`). */
  scope: "mode" | "organization"
  /** Always `available`. A type that is to be removed will be announced here. */
  status: "available"
  /** Capability that is needed to receive events of the type. */
  capability: string
  /** True if endpoints can subscribe to the type. Pings are sent on request only. */
  subscribable: boolean
  /** Name of the type for endpoints that were created in Form B. Null if Form B does not have it. */
  formBName: string | null
  /** Body that an endpoint receives, with made-up data. */
  sample: Record<string, unknown>
}

export interface WebhooksRedeliverEventBody {
  /** Unique identifier of the endpoint to send the event to. */
  endpointId: string
}

export interface WebhooksRedeliverFailedBody {
  /** Send deliveries of events from this time on again. It cannot be in the future. */
  since: string
}

export interface WebhooksRedeliverFailedReply {
  /** Unique identifier of the endpoint. */
  id: string
  /** The time that you gave. */
  since: string
  /** Number of deliveries that are sent again. */
  count: number
  /** True if more deliveries failed than one call sends. Call again later for the rest. */
  hasMore: boolean
}

export interface WebhooksRotateSecretBody {
  /**
   * Seconds during which requests are signed with the old secret too. 0 ends the old secret at once.
   * Default: 86400.
   */
  overlapSeconds?: number | undefined
}

export interface WebhooksTestBody {
  /** Event type to send a sample of. A ping is sent if you leave it out. Must not be blank. */
  type?: string | undefined
}

export interface WebhooksUpdateBody {
  /** Address that events are sent to: `https://`, with a host name of the public internet. */
  url?: string | undefined
  /** New description of the endpoint. Send null to remove it. */
  description?: string | null | undefined
  /** What to subscribe to: event types, families such as `invoice.*`, or `*` for everything. */
  events?: string[] | undefined
  /** Set to `false` to stop sending and to `true` to start again. */
  enabled?: boolean | undefined
  /** With `enabled: true`: also send the events that happened while the endpoint was disabled. */
  replayMissed?: boolean | undefined
  /** When a failed delivery is attempted again. Send null for the defaults. */
  retryConfig?: NewRetryConfig | null | undefined
  /** Set to `true` to receive the latest version of every event type. */
  upgradeVersions?: boolean | undefined
}

export interface WholeLoggedRequest {
  /** Unique identifier of the entry (UUIDv7). */
  id: string
  /** When the reply was sent. */
  answeredAt: string
  /** HTTP method of the request. */
  method: string
  /** Path and query of the request. Values of secret parameters are left out. */
  path: string
  /** Path as the reference lists it. Null if there is no such route. */
  route: string | null
  /** HTTP status of the reply. */
  status: number
  /** Error code of the reply. Null if the request succeeded. */
  code: string | null
  /** Finer name of the error, as the header `Risiti-Reason` had it. Null if there was none. */
  reason: string | null
  /** Milliseconds that the reply took. */
  durationMs: number
  /** Person or API key whose token came with the request. */
  actor: RequestActor
  /** Id of the request, as the header `X-Request-Id` had it. */
  requestId: string
  /** IP address that the request came from. */
  address: string
  /** Name of the program that sent the request, as its `User-Agent` header gave it. */
  userAgent: string
  /** Error in the reply. Null if the request succeeded. */
  refusal: LoggedRefusal | null
}

export interface Identity {
  /**
   * Register a person with a new organisation.
   * Sends a six-digit code to the email address. The reply is the same if the address has an account already. An address that is not verified yet can be registered again, with a new code. The registration that is verified first counts.
   * No token is needed.
   * `POST /a/v1/auth/register`
   */
  register(body: IdentityRegisterBody, options?: CallOptions): Called<IdentityRegisterReply>
  /**
   * Verify an email address and sign in.
   * The code works once, for 15 minutes and five attempts. It verifies the registration that it was sent for, with the password of that registration.
   * No token is needed.
   * `POST /a/v1/auth/verify-email`
   * @throws {Refused} `code.wrong`
   */
  verifyEmail(body: IdentityVerifyEmailBody, options?: CallOptions): Called<Tokens>
  /**
   * Send a new verification code.
   * Sends one code for each open registration of the address. Older codes stop working.
   * No token is needed.
   * `POST /a/v1/auth/resend-verification`
   */
  resendVerification(body: IdentityResendVerificationBody, options?: CallOptions): Called<IdentityResendVerificationReply>
  /**
   * Sign in.
   * If the account has a second factor, send `code` too: from the authenticator app, or a recovery code.
   * No token is needed.
   * `POST /a/v1/auth/login`
   * @throws {Refused} `credentials.wrong`, `credentials.second_factor_needed`
   */
  logIn(body: IdentityLogInBody, options?: CallOptions): Called<Tokens>
  /**
   * Refresh the tokens.
   * A refresh token works once. A second use ends the session.
   * No token is needed.
   * `POST /a/v1/auth/refresh`
   * @throws {Refused} `session.ended`
   */
  refreshSession(body: IdentityRefreshSessionBody, options?: CallOptions): Called<Tokens>
  /**
   * End this session.
   * For signed-in users. API keys and connected programs are refused.
   * Users whose email address is not verified can also call it.
   * `POST /a/v1/auth/logout`
   */
  logOut(options?: CallOptions): Called<IdentityLogOutReply>
  /**
   * Get who the token belongs to and what it may do.
   * For signed-in users, API keys and connected programs.
   * Users whose email address is not verified can also call it.
   * `GET /a/v1/auth/me`
   */
  whoAmI(options?: CallOptions): Called<Me>
  /**
   * List your sessions.
   * For signed-in users. API keys and connected programs are refused.
   * Users whose email address is not verified can also call it.
   * `GET /a/v1/auth/sessions`
   */
  listSessions(options?: CallOptions): Called<Session[]>
  /**
   * End one of your sessions.
   * For signed-in users. API keys and connected programs are refused.
   * Users whose email address is not verified can also call it.
   * `DELETE /a/v1/auth/sessions/{id}`
   */
  endSession(id: string, options?: CallOptions): Called<IdentityEndSessionReply>
  /**
   * Switch this session between sandbox and live.
   * The old tokens stop working. Use the new pair.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /a/v1/auth/mode`
   * @throws {Refused} `session.ended`
   */
  switchMode(body: IdentitySwitchModeBody, options?: CallOptions): Called<Tokens>
  /**
   * Start to set up a second factor.
   * Needs your password. Show `uri` as a QR code, then confirm with a code from the app.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /a/v1/auth/totp/enrol`
   * @throws {Refused} `credentials.wrong`, `totp.already_on`
   */
  enrolTotp(body: IdentityEnrolTotpBody, options?: CallOptions): Called<IdentityEnrolTotpReply>
  /**
   * Switch the second factor on.
   * The reply has ten recovery codes, which are never shown again. Each works once in place of a code from the app.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /a/v1/auth/totp/confirm`
   * @throws {Refused} `credentials.wrong`, `totp.already_on`, `totp.not_enrolled`
   */
  confirmTotp(body: IdentityConfirmTotpBody, options?: CallOptions): Called<IdentityConfirmTotpReply>
  /**
   * Switch the second factor off.
   * For signed-in users. API keys and connected programs are refused.
   * `DELETE /a/v1/auth/totp`
   * @throws {Refused} `credentials.wrong`, `totp.not_on`
   */
  disableTotp(body: IdentityDisableTotpBody, options?: CallOptions): Called<IdentityDisableTotpReply>
  /**
   * Send a code to reset the password.
   * Older codes stop working.
   * No token is needed.
   * `POST /a/v1/auth/forgot-password`
   */
  forgotPassword(body: IdentityForgotPasswordBody, options?: CallOptions): Called<IdentityForgotPasswordReply>
  /**
   * Reset the password with a code.
   * Ends every session. A second factor stays on. Twenty wrong codes within a day lock this operation for a while.
   * No token is needed.
   * `POST /a/v1/auth/reset-password`
   * @throws {Refused} `code.wrong`
   */
  resetPassword(body: IdentityResetPasswordBody, options?: CallOptions): Called<IdentityResetPasswordReply>
  /**
   * Change your password.
   * Ends your other sessions.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /a/v1/auth/change-password`
   * @throws {Refused} `credentials.wrong`
   */
  changePassword(body: IdentityChangePasswordBody, options?: CallOptions): Called<IdentityChangePasswordReply>
  /**
   * Get a short-lived token for an API key.
   * For places where the key itself must not be stored. The token stops working if the key is revoked or its capabilities change.
   * For API keys. Signed-in users are refused.
   * `POST /a/v1/auth/token`
   */
  issueKeyToken(options?: CallOptions): Called<IdentityIssueKeyTokenReply>
}

export interface Organisations {
  /**
   * List your organisations.
   * For signed-in users. API keys and connected programs are refused.
   * `GET /a/v1/organizations/me`
   */
  listMine(options?: CallOptions): Called<OwnMembership[]>
  /**
   * Change the organisation of the token.
   * `contactEmail`, `address` and `bankDetails` also need the capability `organization.update_contact`. Changing `bankDetails` needs a sign-in less than ten minutes old. Otherwise the reply is 401 with `Risiti-Reason: auth.sign_in_too_old`: sign in and try again. Every owner is informed by mail.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `organization.update`.
   * `PATCH /a/v1/organizations/me`
   */
  updateCurrent(body?: OrganizationChange, options?: CallOptions): Called<ChangedOrganization>
  /**
   * Get an organisation.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `organization.read`.
   * `GET /a/v1/organizations/{orgId}`
   */
  get(orgId: string, options?: CallOptions): Called<Organization>
  /**
   * Change an organisation.
   * `contactEmail`, `address` and `bankDetails` also need the capability `organization.update_contact`. Changing `bankDetails` needs a sign-in less than ten minutes old. Otherwise the reply is 401 with `Risiti-Reason: auth.sign_in_too_old`: sign in and try again. Every owner is informed by mail.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `organization.update`.
   * `PATCH /a/v1/organizations/{orgId}`
   */
  update(orgId: string, body?: OrganizationChange, options?: CallOptions): Called<ChangedOrganization>
  /**
   * Switch to another of your organisations.
   * The reply has a new pair of tokens. The old tokens of the session stop working.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /a/v1/organizations/switch`
   * @throws {Refused} `session.ended`
   */
  switch(body: OrganisationsSwitchBody, options?: CallOptions): Called<Tokens>
  /**
   * Verify the tax number of the organisation with the authority.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `organization.update`.
   * `POST /a/v1/organizations/me/onboarding/verify-tax-number`
   * @throws {Refused} `authority.not_confirmed`, `state.changed`, `seller.tax_id_taken`, `authority.unavailable`
   */
  verifyTaxNumber(body: OrganisationsVerifyTaxNumberBody, options?: CallOptions): Called<ConfirmedTaxNumber>
  /**
   * Read the audit log.
   * Who did what, when and from where, newest first. You see only the events that you may read: with `organization.read` alone, those of the organisation itself.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `organization.read`.
   * `GET /a/v1/organizations/{orgId}/audit-log`
   */
  auditLog(query?: OrganisationsAuditLogQuery, options?: CallOptions): Pages<AuditEntry>
}

export interface Members {
  /**
   * List members.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `member.read`.
   * `GET /a/v1/organizations/{orgId}/users`
   */
  list(query?: MembersListQuery, options?: CallOptions): Pages<Member>
  /**
   * Get a member.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `member.read`.
   * `GET /a/v1/organizations/{orgId}/users/{userId}`
   */
  get(userId: string, options?: CallOptions): Called<Member>
  /**
   * Remove a member.
   * Invitations that the member sent are withdrawn. API keys belong to the organisation and go on working. `apiKeys` lists those that the person made, and every owner gets the list by mail. `revokeKeys=true` revokes them too and also needs `api_key.revoke`.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `member.remove`.
   * `DELETE /a/v1/organizations/{orgId}/users/{userId}`
   * @throws {Refused} `member.above_own`, `member.is_you`, `member.last_owner`
   */
  remove(userId: string, query?: MembersRemoveQuery, options?: CallOptions): Called<MembersRemoveReply>
  /**
   * Give a member another role.
   * The member’s tokens are refused until they are refreshed.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `member.change_role`.
   * `PATCH /a/v1/organizations/{orgId}/users/{userId}/role`
   * @throws {Refused} `member.above_own`, `role.above_own`, `member.last_owner`
   */
  changeRole(userId: string, body: MembersChangeRoleBody, options?: CallOptions): Called<Member>
  /**
   * Suspend or restore a member.
   * Suspending needs `member.suspend`, restoring `member.restore`. Suspending withdraws the invitations that the member sent. API keys belong to the organisation and go on working. `apiKeys` lists those that the person made, and every owner gets the list by mail. `revokeKeys=true` revokes them too and also needs `api_key.revoke`.
   * For signed-in users. API keys and connected programs are refused.
   * Needs one or more of the capabilities `member.suspend`, `member.restore`, depending on the request.
   * `PATCH /a/v1/organizations/{orgId}/users/{userId}/status`
   * @throws {Refused} `member.above_own`, `member.is_you`, `member.last_owner`
   */
  changeStatus(userId: string, body: MembersChangeStatusBody, query?: MembersChangeStatusQuery, options?: CallOptions): Called<MemberWithKeys>
  /**
   * Switch off a member’s second factor.
   * Only owners can do this. The member is informed by mail. A member of other organisations is asked by mail and can confirm within 24 hours. The reply is then 202 with `awaitingConfirmation`.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `organization.transfer_ownership`.
   * `DELETE /a/v1/organizations/{orgId}/users/{userId}/totp`
   * @throws {Refused} `member.above_own`, `member.is_you`, `totp.not_on`
   */
  removeSecondFactor(userId: string, options?: CallOptions): Called<MembersRemoveSecondFactorReply>
  /**
   * Confirm a change that an organisation has requested.
   * Send the code from the mail within 24 hours.
   * No token is needed.
   * `POST /a/v1/auth/confirm-change`
   * @throws {Refused} `code.wrong`
   */
  confirmChange(body: MembersConfirmChangeBody, options?: CallOptions): Called<MembersConfirmChangeReply>
  /**
   * Leave the organisation.
   * Invitations that you sent are withdrawn. API keys belong to the organisation and go on working. `apiKeys` lists those that the person made, and every owner gets the list by mail. `revokeKeys=true` revokes them too and also needs `api_key.revoke`.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /a/v1/organizations/{orgId}/leave`
   * @throws {Refused} `member.last_owner`
   */
  leave(query?: MembersLeaveQuery, options?: CallOptions): Called<MembersLeaveReply>
  /**
   * Transfer ownership to another member.
   * Needs your password, and a code if your account has a second factor.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `organization.transfer_ownership`.
   * `POST /a/v1/organizations/{orgId}/ownership-transfer`
   * @throws {Refused} `credentials.wrong`, `credentials.second_factor_needed`, `role.above_own`, `transfer.not_fit`
   */
  transferOwnership(body: MembersTransferOwnershipBody, options?: CallOptions): Called<NewOwner>
}

export interface Roles {
  /**
   * List the roles of the system.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `role.read`.
   * `GET /a/v1/organizations/{orgId}/roles`
   */
  listSystem(options?: CallOptions): Called<Role[]>
  /**
   * Get a role.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `role.read`.
   * `GET /a/v1/organizations/{orgId}/roles/{roleId}`
   */
  get(roleId: string, options?: CallOptions): Called<Role>
  /**
   * List all capabilities.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `role.read`.
   * `GET /a/v1/organizations/{orgId}/roles/permissions/available`
   */
  listPermissions(options?: CallOptions): Called<RolesListPermissionsReply>
}

export interface Invitations {
  /**
   * List invitations.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `invitation.read`.
   * `GET /a/v1/organizations/{orgId}/invitations`
   */
  list(query?: InvitationsListQuery, options?: CallOptions): Pages<Invitation>
  /**
   * Invite a person.
   * Sends a code by mail. The code works once, for seven days, and is never shown elsewhere.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `invitation.create`.
   * `POST /a/v1/organizations/{orgId}/invitations`
   * @throws {Refused} `role.above_own`, `member.exists`, `invitation.exists`
   */
  create(body: InvitationsCreateBody, options?: CallOptions): Called<Invitation>
  /**
   * Get an invitation.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `invitation.read`.
   * `GET /a/v1/organizations/{orgId}/invitations/{id}`
   */
  get(id: string, options?: CallOptions): Called<Invitation>
  /**
   * Withdraw a pending invitation.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `invitation.withdraw`.
   * `DELETE /a/v1/organizations/{orgId}/invitations/{id}`
   * @throws {Refused} `invitation.not_pending`
   */
  withdraw(id: string, options?: CallOptions): Called<Invitation>
  /**
   * Send an invitation again.
   * Sends a new code. The old code stops working.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `invitation.create`.
   * `POST /a/v1/organizations/{orgId}/invitations/{id}/resend`
   * @throws {Refused} `role.above_own`, `invitation.not_pending`
   */
  resend(id: string, options?: CallOptions): Called<Invitation>
  /**
   * Get what an invitation is for.
   * Every mismatch gets the same 404. After ten wrong codes for one email address, your network is locked out for an hour.
   * No token is needed.
   * `POST /a/v1/verify-invitation`
   * @throws {Refused} `invitation.unknown`
   */
  preview(body: InvitationsPreviewBody, options?: CallOptions): Called<InvitationPreview>
  /**
   * Join an organisation with an invitation code.
   * The code must have been sent to your verified email address. Switch to the organisation to get tokens for it. People without an account use `accept-invitation/new-account`.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /a/v1/accept-invitation`
   * @throws {Refused} `invitation.unknown`, `member.exists`
   */
  accept(body: InvitationsAcceptBody, options?: CallOptions): Called<Joined>
  /**
   * Join an organisation with a new account.
   * The code proves the email address, so the account is verified at once. If the address has an account already, send the password of that account, which keeps its names. Sign in afterwards to get tokens. Wrong codes here and in `verify-invitation` count together: ten lock your network out for an hour.
   * No token is needed.
   * `POST /a/v1/accept-invitation/new-account`
   * @throws {Refused} `invitation.unknown`, `invitation.account_exists`, `member.exists`
   */
  acceptWithNewAccount(body: InvitationsAcceptWithNewAccountBody, options?: CallOptions): Called<Joined>
}

export interface ApiKeys {
  /**
   * List API keys.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `api_key.read`.
   * `GET /a/v1/organizations/{orgId}/api-keys`
   */
  list(query?: ApiKeysListQuery, options?: CallOptions): Pages<ApiKey>
  /**
   * Create an API key.
   * The reply has the text of the key, which is never shown again. For a live key you also need `live_mode.use`.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `api_key.create`.
   * `POST /a/v1/organizations/{orgId}/api-keys`
   * @throws {Refused} `role.above_own`, `key.too_many`
   */
  create(body: NewApiKey, options?: CallOptions): Called<ApiKeyWithSecret>
  /**
   * Get an API key.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `api_key.read`.
   * `GET /a/v1/organizations/{orgId}/api-keys/{id}`
   */
  get(id: string, options?: CallOptions): Called<ApiKey>
  /**
   * Rename an API key.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `api_key.update`.
   * `PATCH /a/v1/organizations/{orgId}/api-keys/{id}`
   */
  rename(id: string, body: ApiKeysRenameBody, options?: CallOptions): Called<ApiKey>
  /**
   * Replace the capabilities of an API key.
   * Tokens that the key has issued stop working.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `api_key.update`.
   * `PUT /a/v1/organizations/{orgId}/api-keys/{id}/capabilities`
   * @throws {Refused} `role.above_own`, `key.not_usable`
   */
  replaceCapabilities(id: string, body: ApiKeysReplaceCapabilitiesBody, options?: CallOptions): Called<ApiKey>
  /**
   * Get what an API key may do, and what you could give it.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `api_key.read`.
   * `GET /a/v1/organizations/{orgId}/api-keys/{id}/permissions`
   */
  getPermissions(id: string, options?: CallOptions): Called<ApiKeyCapabilities>
  /**
   * Revoke an API key.
   * The key stops working at once and can never be used again.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `api_key.revoke`.
   * `PATCH /a/v1/organizations/{orgId}/api-keys/{id}/revoke`
   * @throws {Refused} `key.not_usable`
   */
  revoke(id: string, options?: CallOptions): Called<ApiKey>
  /**
   * Rotate an API key.
   * Creates a new key. The old key works until the grace period ends. Only this reply has the text of the new key, in `current.key`.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `api_key.rotate`.
   * `POST /a/v1/organizations/{orgId}/api-keys/{id}/rotate`
   * @throws {Refused} `role.above_own`, `key.not_usable`, `key.already_rotating`, `key.too_many`
   */
  rotate(id: string, body?: ApiKeysRotateBody, options?: CallOptions): Called<RotatedApiKey>
}

export interface Reference {
  /**
   * List the countries that Risiti serves.
   * Each country with its currencies, kinds of invoice, usual tax categories, defaults and words.
   * No token is needed.
   * `GET /i/v1/jurisdictions`
   */
  listJurisdictions(options?: CallOptions): Called<Jurisdiction[]>
  /**
   * Search product codes.
   * Finds customs codes (HS) by words, digits or category.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `reference.read`.
   * `GET /i/v1/invoices/hsn-codes`
   */
  searchProductCodes(query?: ReferenceSearchProductCodesQuery, options?: CallOptions): Pages<ProductCode>
  /**
   * List categories of product codes.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `reference.read`.
   * `GET /i/v1/invoices/hsn-codes/categories`
   */
  listProductCategories(options?: CallOptions): Called<ReferenceListProductCategoriesEntry[]>
  /**
   * Get all code lists.
   * Send `Accept-Encoding` to get a compressed reply. Send your ETag in `If-None-Match` to get 304 if nothing changed.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `reference.read`.
   * `GET /i/v1/invoices/resources`
   */
  readAllLists(options?: CallOptions): Called<CodeList[]>
  /**
   * Get a code list.
   * Send `Accept-Encoding` to get a compressed reply. Send your ETag in `If-None-Match` to get 304 if nothing changed.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `reference.read`.
   * `GET /i/v1/invoices/resources/{type}`
   */
  readList(type: string, options?: CallOptions): Called<CodeList>
  /**
   * Look up a tax number.
   * Asks the tax authority who is registered under the number. Costs credits if it answers. A repeat with the same Idempotency-Key is free.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `tax_id.lookup`.
   * `GET /i/v1/invoices/lookup/tax-id/{value}`
   * @throws {Refused} `credits.insufficient`, `tax_id.not_checkable`, `authority.unavailable`
   */
  lookUpTaxId(value: string, query?: ReferenceLookUpTaxIdQuery, options?: CallOptions): Called<ReferenceLookUpTaxIdReply>
}

export interface Buyers {
  /**
   * List buyers that are not archived, newest first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.read`.
   * `GET /i/v1/buyers`
   */
  list(query?: BuyersListQuery, options?: CallOptions): Pages<Buyer>
  /**
   * Create a buyer.
   * Costs credits.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.create`.
   * `POST /i/v1/buyers`
   * @throws {Refused} `credits.insufficient`, `buyer.tax_id_taken`
   */
  create(body: NewBuyer, options?: CallOptions): Called<Buyer>
  /**
   * Delete several buyers.
   * A buyer that an issued invoice names is archived instead. `notFound` lists the identifiers that no buyer has.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.delete`.
   * `DELETE /i/v1/buyers/bulk`
   */
  deleteMany(body: BuyersDeleteManyBody, options?: CallOptions): Called<DeletedBuyers>
  /**
   * Get whether the e-invoicing network reaches a tax number.
   * Free. The reply is always 200: `stale` or `unavailable` is true if the authority could not be asked.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.read`.
   * `GET /i/v1/buyers/reachability`
   */
  getReachability(query: BuyersGetReachabilityQuery, options?: CallOptions): Called<Reachability>
  /**
   * Ask the authority now whether the e-invoicing network reaches a tax number.
   * Costs credits if the authority answers. If it does not, the reply is 200 with `unavailable`.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.read`.
   * `POST /i/v1/buyers/reachability/check`
   * @throws {Refused} `credits.insufficient`
   */
  checkReachability(body: BuyersCheckReachabilityBody, options?: CallOptions): Called<Reachability>
  /**
   * Find buyers by name or tax number.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.read`.
   * `GET /i/v1/buyers/search`
   */
  search(query: BuyersSearchQuery, options?: CallOptions): Called<Buyer[]>
  /**
   * Get the choices for a buyer form.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.read`.
   * `GET /i/v1/buyers/setup`
   */
  getSetup(options?: CallOptions): Called<BuyerSetup>
  /**
   * Get a buyer.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.read`.
   * `GET /i/v1/buyers/{id}`
   */
  get(id: string, options?: CallOptions): Called<Buyer>
  /**
   * Edit a buyer.
   * Costs credits if something changes. A changed tax number has to be verified again.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.update`.
   * `PATCH /i/v1/buyers/{id}`
   * @throws {Refused} `credits.insufficient`, `buyer.tax_id_taken`, `buyer.archived`
   */
  update(id: string, body?: BuyerChange, options?: CallOptions): Called<Buyer>
  /**
   * Delete a buyer.
   * A buyer that an issued invoice names is archived instead: `outcome` is then `archived`.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.delete`.
   * `DELETE /i/v1/buyers/{id}`
   */
  delete(id: string, options?: CallOptions): Called<BuyersDeleteReply>
  /**
   * Get the latest check of a buyer’s tax number.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.read`.
   * `GET /i/v1/buyers/{id}/verification-status`
   */
  getVerification(id: string, options?: CallOptions): Called<BuyerVerification>
  /**
   * Check a buyer’s tax number with the authority.
   * The reply is 202 with the new check, or 200 with the check that runs already. Credits are held until the authority answers.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.verify_tax_id`.
   * `POST /i/v1/buyers/{id}/verify-tax-number`
   * @throws {Refused} `credits.insufficient`, `buyer.archived`, `buyer.no_tax_id`, `tax_id.not_checkable`
   */
  verify(id: string, options?: CallOptions): Called<BuyerVerification>
  /**
   * List the payments on all invoices of a buyer, newest first.
   * Payments that you recorded, transfers and credit that were applied, and reversed payments. Payments on a reopened document belong to the buyer that the draft names.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.read` and `buyer.read`.
   * `GET /i/v1/buyers/{id}/payments`
   */
  listPayments(id: string, query?: BuyersListPaymentsQuery, options?: CallOptions): Pages<BuyerPayment>
  /**
   * List the 50 newest emails to a buyer: documents, reminders and statements of account.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.read` and `buyer.read`.
   * `GET /i/v1/buyers/{id}/emails`
   */
  listEmails(id: string, options?: CallOptions): Called<BuyerEmail[]>
}

export interface Sellers {
  /**
   * List sellers, the organisation itself first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `seller.read`.
   * `GET /i/v1/sellers`
   */
  list(query?: SellersListQuery, options?: CallOptions): Pages<Seller>
  /**
   * Find sellers by name or tax number.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `seller.read`.
   * `GET /i/v1/sellers/search`
   */
  search(query: SellersSearchQuery, options?: CallOptions): Called<Seller[]>
  /**
   * Get the choices for a seller form.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `seller.read`.
   * `GET /i/v1/sellers/setup`
   */
  getSetup(options?: CallOptions): Called<SellerSetup>
  /**
   * Get a seller.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `seller.read`.
   * `GET /i/v1/sellers/{id}`
   */
  get(id: string, options?: CallOptions): Called<Seller>
  /**
   * Edit a seller.
   * The tax number cannot be changed.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `seller.update`.
   * `PATCH /i/v1/sellers/{id}`
   */
  update(id: string, body?: SellersUpdateBody, options?: CallOptions): Called<Seller>
  /**
   * Get the latest check of a seller’s tax number.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `seller.read`.
   * `GET /i/v1/sellers/{id}/verification-status`
   */
  getVerification(id: string, options?: CallOptions): Called<SellerVerification>
}

export interface TaxConnection {
  /**
   * Get the connection to the tax authority.
   * Invoices can be submitted only while the status is `CONNECTED`. Each mode has its own connection.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `tax_connection.read`.
   * `GET /i/v1/tax-connection`
   */
  get(options?: CallOptions): Called<TaxConnection>
  /**
   * Connect to the tax authority.
   * This service asks the authority for its record of the business. In the sandbox, every business is known unless its id ends in `0000`. The tax number in that record becomes the confirmed one of the organisation. In live mode, the record must carry the confirmed tax number and name of the organisation. The live connection is complete once you send its key file. If the authority does not confirm the business or does not answer, the connection is `PENDING` and `problem` says why. Refresh it, or send it again.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `tax_connection.manage`.
   * `POST /i/v1/tax-connection`
   * @throws {Refused} `tax_connection.not_verified`, `tax_connection.exists`, `state.changed`, `tax_connection.no_answer`
   */
  connect(body: NewTaxConnection, options?: CallOptions): Called<TaxConnection>
  /**
   * Revoke the connection to the tax authority.
   * Invoices can no longer be submitted to the authority. You can still finalise and send them.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `tax_connection.manage`.
   * `DELETE /i/v1/tax-connection`
   */
  revoke(body?: TaxConnectionRevokeBody, options?: CallOptions): Called<TaxConnection>
  /**
   * Check the connection with the tax authority again.
   * If the authority no longer knows the business, the connection becomes `PENDING`.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `tax_connection.manage`.
   * `POST /i/v1/tax-connection/refresh`
   * @throws {Refused} `state.changed`, `tax_connection.no_answer`
   */
  refresh(options?: CallOptions): Called<TaxConnection>
  /**
   * Get the public key that encrypts a key file.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `tax_connection.manage`.
   * `GET /i/v1/tax-connection/transport-key`
   */
  getTransportKey(options?: CallOptions): Called<TransportKey>
  /**
   * Store the key file of the business.
   * Download the key file from the authority’s dashboard. Encrypt it to the transport key as a JWE in compact form, with RSA-OAEP-256 and A256GCM. The file is stored encrypted and never shown.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `tax_connection.manage`.
   * `PUT /i/v1/tax-connection/crypto-key`
   * @throws {Refused} `tax_connection.not_verified`
   */
  storeKeyFile(body: TaxConnectionStoreKeyFileBody, options?: CallOptions): Called<TaxConnection>
}

export interface ReceivedInvoices {
  /**
   * List invoices received from other businesses.
   * The list comes from our own records. If the tax authority does not answer, `sync.error` says why the list may be incomplete. This costs no credits.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.inbound.read`.
   * `GET /i/v1/inbound-invoices`
   */
  list(query?: ReceivedInvoicesListQuery, options?: CallOptions): Pages<ReceivedInvoice, ReceivedInvoicesListReply>
  /**
   * Get totals of received invoices.
   * Figures are in minor units of `reportingCurrency`: the currency of the filter, or else the most common one. Credit notes are subtracted. This costs no credits.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.inbound.read`.
   * `GET /i/v1/inbound-invoices/analytics`
   */
  analyse(query?: ReceivedInvoicesAnalyseQuery, options?: CallOptions): Called<ReceivedInvoicesAnalyseReply>
  /**
   * Load one more page of older invoices.
   * New invoices arrive automatically. This request loads up to 10 invoices that were sent before the organisation was connected. `hasMore: false` means that there are no older ones.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.inbound.read`.
   * `POST /i/v1/inbound-invoices/load-older`
   * @throws {Refused} `authority.not_connected`, `inbound.unavailable`
   */
  loadOlder(options?: CallOptions): Called<ReceivedInvoicesLoadOlderReply>
  /**
   * Get a received invoice with the authority’s copy.
   * Name the invoice by its id or its authority reference. An invoice that has not arrived yet is fetched from the authority by its reference. If the authority does not answer, the reply is 503.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.inbound.read`.
   * `GET /i/v1/inbound-invoices/{id}`
   * @throws {Refused} `inbound.unavailable`
   */
  get(id: string, options?: CallOptions): Called<ReceivedInvoiceDetail>
  /**
   * Simulate an invoice from another business.
   * For tests, with sandbox tokens only. A business on the simulated network sends you an invoice, which arrives a moment later. Every field is optional.
   * For signed-in users, API keys and connected programs.
   * `POST /sandbox/v1/received-invoices`
   * @throws {Refused} `sandbox.only`, `authority.not_connected`, `inbound.unavailable`
   */
  sendFromOutside(body?: ReceivedInvoicesSendFromOutsideBody, options?: CallOptions): Called<ReceivedInvoicesSendFromOutsideReply>
}

export interface Items {
  /**
   * List items.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `item.read`.
   * `GET /i/v1/items`
   */
  list(query?: ItemsListQuery, options?: CallOptions): Pages<Item>
  /**
   * Create an item.
   * Free. Goods need `hsnCode`, services need `serviceCode`.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `item.create`.
   * `POST /i/v1/items`
   * @throws {Refused} `item.sku_taken`
   */
  create(body: NewItem, options?: CallOptions): Called<Item>
  /**
   * Get an item, archived or not.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `item.read`.
   * `GET /i/v1/items/{id}`
   */
  get(id: string, options?: CallOptions): Called<Item>
  /**
   * Edit an item.
   * Invoice lines that were made from the item do not change.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `item.update`.
   * `PATCH /i/v1/items/{id}`
   * @throws {Refused} `item.sku_taken`
   */
  update(id: string, body?: ItemChange, options?: CallOptions): Called<Item>
  /**
   * Delete an item that no invoice line names.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `item.archive`.
   * `DELETE /i/v1/items/{id}`
   * @throws {Refused} `item.in_use`
   */
  delete(id: string, options?: CallOptions): Called<ItemsDeleteReply>
  /**
   * Archive an item.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `item.archive`.
   * `POST /i/v1/items/{id}/archive`
   */
  archive(id: string, options?: CallOptions): Called<Item>
  /**
   * Restore an archived item.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `item.archive`.
   * `POST /i/v1/items/{id}/unarchive`
   * @throws {Refused} `item.sku_taken`
   */
  unarchive(id: string, options?: CallOptions): Called<Item>
}

export interface Invoices {
  /**
   * List invoices and notes.
   * The entries come without their lines. A document must match all filters. `total` is exact.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/invoices`
   */
  list(query?: InvoicesListQuery, options?: CallOptions): Pages<InvoiceSummary>
  /**
   * Create a draft invoice.
   * Costs what creating one document costs in the price list. A draft that cannot be saved costs nothing.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/invoices`
   * @throws {Refused} `credits.insufficient`, `invoice.seller_unknown`, `invoice.buyer_unknown`, `invoice.item_unknown`, `invoice.original_unknown`, `invoice.number_taken`, `state.changed`, `invoice.buyer_archived`, `invoice.item_archived`, `invoice.note.not_possible`, `invoice.note.too_much`
   */
  create(body: NewInvoice, options?: CallOptions): Called<Invoice>
  /**
   * Check a draft without saving it.
   * Saves nothing and costs nothing. Lists every problem for which the tax authority would refuse the document.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.validate`.
   * `POST /i/v1/invoices/validate`
   * @throws {Refused} `invoice.seller_unknown`, `invoice.buyer_unknown`, `invoice.item_unknown`, `invoice.original_unknown`, `invoice.number_taken`, `invoice.buyer_archived`, `invoice.item_archived`, `invoice.note.not_possible`, `invoice.note.too_much`
   */
  validate(body: NewInvoice, options?: CallOptions): Called<Readiness>
  /**
   * Get counts and totals of invoices and notes.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.stats.read`.
   * `GET /i/v1/invoices/statistics`
   */
  getStatistics(query?: InvoicesGetStatisticsQuery, options?: CallOptions): Called<InvoiceStatistics>
  /**
   * List the product and service codes that you use most.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `item.read`.
   * `GET /i/v1/invoices/codes/used`
   */
  listUsedCodes(query: InvoicesListUsedCodesQuery, options?: CallOptions): Called<UsedCode[]>
  /**
   * Get an invoice or note with its lines.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/invoices/{id}`
   */
  get(id: string, options?: CallOptions): Called<Invoice>
  /**
   * Change a draft.
   * Fields that you leave out stay unchanged. Lines that you send replace all lines. Send `If-Match` to avoid overwriting a change of someone else.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.update_draft`.
   * `PATCH /i/v1/invoices/{id}`
   * @throws {Refused} `invoice.seller_unknown`, `invoice.buyer_unknown`, `invoice.item_unknown`, `version.stale`, `invoice.edit.not_draft`, `invoice.number_taken`, `invoice.buyer_archived`, `invoice.item_archived`, `invoice.note.too_much`
   */
  update(id: string, body?: InvoiceChange, options?: CallOptions): Called<Invoice>
  /**
   * Delete a draft.
   * The draft cannot be restored, and its number is never used again.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.delete_draft`.
   * `DELETE /i/v1/invoices/{id}`
   * @throws {Refused} `invoice.delete.not_draft`
   */
  delete(id: string, options?: CallOptions): Called<DeletedInvoice>
  /**
   * Finalise a draft.
   * Issues the document. Its amounts and a copy of seller and buyer no longer change. Needs no connection to the tax authority.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.finalise`.
   * `POST /i/v1/invoices/{id}/finalise`
   * @throws {Refused} `state.changed`, `invoice.finalise.not_draft`, `invoice.finalise.incomplete`, `invoice.note.not_possible`, `invoice.note.too_much`
   */
  finalise(id: string, options?: CallOptions): Called<FinalisedInvoice>
  /**
   * Reopen an invoice as a draft.
   * Possible for a finalised invoice that was never submitted, sent or shared. Also possible for an invoice that the tax authority rejected and never registered, even if it was sent, shared or paid. The number stays. The invoice date also stays if the document was submitted. When you finalise the invoice again, everyone who received the earlier version by email receives the new one, and a public link shows it.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.reopen`.
   * `POST /i/v1/invoices/{id}/reopen`
   * @throws {Refused} `state.changed`, `invoice.reopen.not_possible`
   */
  reopen(id: string, options?: CallOptions): Called<Invoice>
  /**
   * Email an invoice with its PDF to the buyer.
   * At most five times a day to one address. Emails from the sandbox are marked as tests. They go only to verified addresses of members of the organisation. Other addresses receive nothing, but the invoice counts as sent.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.send_to_buyer`.
   * `POST /i/v1/invoices/{id}/send`
   * @throws {Refused} `invoice.send.no_email`, `invoice.send.not_finalised`
   */
  send(id: string, options?: CallOptions): Called<Invoice>
  /**
   * Remind the buyer of an unpaid invoice.
   * Emails the invoice again. The text depends on the due date: not due yet, up to a week late, up to a month late, or later. A reminder counts towards the daily limit of `send`. The reminder plan sends nothing to this buyer on the same day. Refused while the invoice is disputed or its payment is promised, and for buyers who get no reminders.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.send_to_buyer`.
   * `POST /i/v1/invoices/{id}/remind`
   * @throws {Refused} `invoice.send.no_email`, `invoice.send.not_finalised`, `invoice.remind.nothing_due`, `invoice.remind.held_back`
   */
  remind(id: string, options?: CallOptions): Called<Invoice>
  /**
   * Create a public link to an invoice.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.share`.
   * `POST /i/v1/invoices/{id}/share`
   * @throws {Refused} `invoice.share.not_finalised`
   */
  share(id: string, options?: CallOptions): Called<SharedInvoice>
  /**
   * Remove the public link of an invoice.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.share`.
   * `DELETE /i/v1/invoices/{id}/share`
   */
  unshare(id: string, options?: CallOptions): Called<InvoicesUnshareReply>
  /**
   * Get a download link to the PDF or UBL of an invoice.
   * The link works for 15 minutes without a token. `sha256` is the hash of the file.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.download_pdf`.
   * `GET /i/v1/invoices/{id}/download`
   * @throws {Refused} `invoice.download.not_accepted`, `document.not_drawn`
   */
  download(id: string, query?: InvoicesDownloadQuery, options?: CallOptions): Called<Download>
  /**
   * Create a draft credit note for an invoice.
   * Credits lines, an amount with its tax, or the rest of the invoice. Costs what creating one document costs in the price list.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/invoices/{id}/credit-notes`
   * @throws {Refused} `credits.insufficient`, `invoice.item_unknown`, `state.changed`, `invoice.note.not_possible`, `invoice.item_archived`, `invoice.note.nothing_left`, `invoice.note.too_much`
   */
  createCreditNote(id: string, body: NewCreditNote, options?: CallOptions): Called<Invoice>
  /**
   * Create a draft debit note for an invoice.
   * Charges the buyer for more lines. Costs what creating one document costs in the price list.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/invoices/{id}/debit-notes`
   * @throws {Refused} `credits.insufficient`, `invoice.item_unknown`, `state.changed`, `invoice.note.not_possible`, `invoice.item_archived`
   */
  createDebitNote(id: string, body: NewDebitNote, options?: CallOptions): Called<Invoice>
  /**
   * Record a payment of the buyer.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.record_payment`.
   * `POST /i/v1/invoices/{id}/payments`
   * @throws {Refused} `invoice.pay.not_payable`, `invoice.pay.too_much`
   */
  recordPayment(id: string, body: NewPayment, options?: CallOptions): Called<RecordedPayment>
  /**
   * List the payments of an invoice, including reversed ones.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/invoices/{id}/payments`
   */
  listPayments(id: string, options?: CallOptions): Called<Payment[]>
  /**
   * Reverse a recorded payment.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.record_payment`.
   * `DELETE /i/v1/invoices/{id}/payments/{paymentId}`
   * @throws {Refused} `invoice.payment_reversed`, `invoice.payment_collected`
   */
  reversePayment(id: string, paymentId: string, options?: CallOptions): Called<RecordedPayment>
}

export interface Submissions {
  /**
   * Submit up to 100 invoices.
   * Each invoice has its own charge and its own result. A refused invoice does not affect the others. The call counts as one request.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.submit`.
   * `POST /i/v1/invoices/batch-submit`
   * @throws {Refused} `credits.insufficient`
   */
  submitBatch(body: NewBatch, options?: CallOptions): Called<Batch>
  /**
   * Create, finalise and submit an invoice.
   * If the invoice cannot be submitted, it stays as it is, and `submitRefusal` gives the reason.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.create` and `invoice.submit`.
   * `POST /i/v1/invoices/create-and-submit`
   * @throws {Refused} `credits.insufficient`, `invoice.seller_unknown`, `invoice.buyer_unknown`, `invoice.item_unknown`, `invoice.original_unknown`, `invoice.number_taken`, `state.changed`, `invoice.buyer_archived`, `invoice.item_archived`, `invoice.note.not_possible`, `invoice.note.too_much`
   */
  createAndSubmit(body: NewInvoice, options?: CallOptions): Called<SubmittedInvoice>
  /**
   * Submit a finalised invoice to the tax authority.
   * Queues the exact document that will be sent. Credits are held, captured when the tax authority accepts the document, and released when it rejects it. A live submission cannot be undone.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.submit`.
   * `POST /i/v1/invoices/{id}/submit`
   * @throws {Refused} `credits.insufficient`, `authority.not_connected`, `invoice.submit.not_finalised`, `invoice.submit.already_submitted`, `invoice.submit.not_ready`, `authority.no_access`
   */
  submit(id: string, options?: CallOptions): Called<Invoice>
  /**
   * Retry a failed submission.
   * Starts another round of attempts, at most five times. If the document may have arrived, it is looked up before it is sent again. Costs no further credits.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.retry`.
   * `POST /i/v1/invoices/{id}/retry`
   * @throws {Refused} `invoice.retry.not_failed`, `invoice.retry.too_many`
   */
  retry(id: string, options?: CallOptions): Called<Invoice>
  /**
   * Cancel an accepted invoice.
   * Creates, finalises and submits a credit note for the rest of the invoice, at the usual price. The invoice becomes cancelled when the tax authority accepts the note, and accepted again when it rejects the note.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.cancel`.
   * `POST /i/v1/invoices/{id}/cancel`
   * @throws {Refused} `credits.insufficient`, `authority.not_connected`, `invoice.item_unknown`, `state.changed`, `invoice.note.not_possible`, `invoice.item_archived`, `invoice.note.nothing_left`, `invoice.note.too_much`, `invoice.finalise.not_draft`, `invoice.finalise.incomplete`, `invoice.submit.not_finalised`, `invoice.submit.already_submitted`, `invoice.submit.not_ready`, `invoice.cancel.not_offered`, `invoice.cancel.not_accepted`, `invoice.cancel.open_notes`, `authority.no_access`
   */
  cancel(id: string, body: SubmissionsCancelBody, options?: CallOptions): Called<Invoice>
  /**
   * Get the status of an invoice.
   * Fast enough for polling. The outcome is `unknown` while it is unclear whether the tax authority has the document.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/invoices/{id}/status`
   */
  getStatus(id: string, options?: CallOptions): Called<SubmissionStatus>
  /**
   * Query the tax authority for the status of an invoice.
   * Slower than reading the status. The answer of the tax authority updates the invoice.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.query_status`.
   * `POST /i/v1/invoices/{id}/query-status`
   * @throws {Refused} `invoice.query.not_submitted`, `authority.no_answer`, `authority.no_access`
   */
  queryStatus(id: string, options?: CallOptions): Called<QueriedStatus>
  /**
   * Get all requests to the tax authority about an invoice.
   * Each attempt has its time, the hash of the sent document, the answer and its cause.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/invoices/{id}/timeline`
   */
  getTimeline(id: string, options?: CallOptions): Called<SubmissionTimeline>
  /**
   * Get the copy of a document that the tax authority has.
   * The copy is downloaded from the tax authority and decrypted.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.download_authority_copy`.
   * `GET /i/v1/invoices/{id}/authority-copy`
   * @throws {Refused} `invoice.copy.not_signed`, `authority.no_answer`, `authority.no_access`
   */
  readAuthorityCopy(id: string, options?: CallOptions): Called<AuthorityCopy>
}

export interface BuyerAccounts {
  /**
   * Get the statement of account of a buyer.
   * The balance before the period, then every document, payment, credit and refund in the order of booking, then the balance at the end. A line belongs to the day on which the books were changed, not to the date on the document. So the statement of account of a past period never changes. Every page has the same totals. Follow `nextCursor` for more lines.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.read` and `buyer.read`.
   * `GET /i/v1/buyers/{id}/statement-of-account`
   */
  get(id: string, query?: BuyerAccountsGetQuery, options?: CallOptions): Called<StatementOfAccount>
  /**
   * Get a download link to the statement of account as PDF or CSV.
   * The link works for 15 minutes without a token. The period can have 2,000 lines at most.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.download_pdf`, `invoice.read` and `buyer.read`.
   * `GET /i/v1/buyers/{id}/statement-of-account/download`
   * @throws {Refused} `statement_of_account.too_long`
   */
  download(id: string, query?: BuyerAccountsDownloadQuery, options?: CallOptions): Called<StatementDownload>
  /**
   * Email the statement of account to the buyer.
   * The mail has the PDF attached. In the sandbox, mail reaches only members of your organisation. The period can have 2,000 lines at most.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.send_to_buyer`, `invoice.read` and `buyer.read`.
   * `POST /i/v1/buyers/{id}/statement-of-account/send`
   * @throws {Refused} `statement_of_account.no_email`, `statement_of_account.too_long`
   */
  send(id: string, body?: StatementToSend, options?: CallOptions): Called<SentStatement>
  /**
   * Create a public link to the statement of account.
   * Anyone who has the link can read the statement of account of this period, also as PDF. Only this reply has the address: we store its hash. The period can have 2,000 lines at most.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.share`, `invoice.read` and `buyer.read`.
   * `POST /i/v1/buyers/{id}/statement-of-account/links`
   * @throws {Refused} `statement_of_account.too_long`, `statement_of_account.too_many_links`
   */
  share(id: string, body?: StatementToShare, options?: CallOptions): Called<NewStatementLink>
  /**
   * List the public links to statements of account of a buyer, newest first.
   * The list has only links that still work. It has no addresses, because we store only their hashes.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.share` and `buyer.read`.
   * `GET /i/v1/buyers/{id}/statement-of-account/links`
   */
  listLinks(id: string, query?: BuyerAccountsListLinksQuery, options?: CallOptions): Pages<StatementLink>
  /**
   * End a public link to a statement of account.
   * The link stops working at once.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.share` and `buyer.read`.
   * `DELETE /i/v1/buyers/{id}/statement-of-account/links/{linkId}`
   */
  unshare(id: string, linkId: string, options?: CallOptions): Called<BuyerAccountsUnshareReply>
}

export interface RecurringInvoices {
  /**
   * List schedules of recurring invoices, newest first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/recurring-invoices`
   */
  list(query?: RecurringInvoicesListQuery, options?: CallOptions): Pages<RecurringSchedule>
  /**
   * Create a schedule of recurring invoices.
   * Invoices are made when their day begins in the time zone of your organisation. A period gets one invoice, also after a failure. The content is checked now as if you created the first invoice. Each invoice costs the same as if you created it yourself. Besides `invoice.create`, you need the capabilities for the policy.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/recurring-invoices`
   * @throws {Refused} `invoice.item_unknown`, `invoice.item_archived`, `recurring_schedule.too_many`
   */
  create(body: NewRecurringSchedule, options?: CallOptions): Called<RecurringSchedule>
  /**
   * Get a schedule of recurring invoices.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/recurring-invoices/{id}`
   */
  get(id: string, options?: CallOptions): Called<RecurringSchedule>
  /**
   * Change what a schedule makes, from a day on.
   * Invoices that were made stay as they are, and so do changes that are planned for later days (`changesOn`). At most 24 changes can be planned. The days of a schedule cannot be changed: end it and create a new one.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/recurring-invoices/{id}/content`
   * @throws {Refused} `invoice.item_unknown`, `invoice.item_archived`, `recurring_schedule.ended`
   */
  change(id: string, body: RecurringContentChange, options?: CallOptions): Called<RecurringSchedule>
  /**
   * Pause a schedule of recurring invoices.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/recurring-invoices/{id}/pause`
   * @throws {Refused} `recurring_schedule.not_active`
   */
  pause(id: string, options?: CallOptions): Called<RecurringSchedule>
  /**
   * Resume a paused schedule.
   * It goes on with the first period from today on. Periods of the pause are left out.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/recurring-invoices/{id}/resume`
   * @throws {Refused} `recurring_schedule.not_paused`
   */
  resume(id: string, options?: CallOptions): Called<RecurringSchedule>
  /**
   * End a schedule of recurring invoices.
   * No further invoices are made. This cannot be undone.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/recurring-invoices/{id}/end`
   * @throws {Refused} `recurring_schedule.ended`
   */
  end(id: string, options?: CallOptions): Called<RecurringSchedule>
  /**
   * Skip one coming period of a schedule.
   * The day must be one of the next 120 days of the schedule.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/recurring-invoices/{id}/skip`
   * @throws {Refused} `recurring_schedule.ended`
   */
  skip(id: string, body: PeriodToSkip, options?: CallOptions): Called<RecurringSchedule>
  /**
   * Take back the skip of a coming period.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/recurring-invoices/{id}/unskip`
   * @throws {Refused} `recurring_schedule.ended`
   */
  unskip(id: string, body: PeriodToMakeAgain, options?: CallOptions): Called<RecurringSchedule>
  /**
   * List the next twelve invoices of a schedule.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/recurring-invoices/{id}/preview`
   */
  preview(id: string, options?: CallOptions): Called<ComingInvoice[]>
  /**
   * List what came of each period of a schedule, newest first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/recurring-invoices/{id}/periods`
   */
  listPeriods(id: string, query?: RecurringInvoicesListPeriodsQuery, options?: CallOptions): Pages<RecurringPeriod>
  /**
   * Make the invoice of a period that waits, failed, was missed or was skipped.
   * The content of its day counts, with the corrections that you made since. If it is refused again, the reply is 200 with the outcome `failed` and the reason.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/recurring-invoices/{id}/periods/run`
   * @throws {Refused} `recurring_schedule.period_made`, `state.changed`
   */
  runAgain(id: string, body: PeriodToRun, options?: CallOptions): Called<RecurringPeriod>
}

export interface Quotes {
  /**
   * List quotes and proforma invoices, newest first.
   * With `Accept: text/csv`, the same page as a CSV file.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/quotes`
   */
  list(query: QuotesListQuery | undefined, options: CallOptions & { as: 'text/csv' }): Called<string>
  /**
   * List quotes and proforma invoices, newest first.
   * With `Accept: text/csv`, the same page as a CSV file.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/quotes`
   */
  list(query?: QuotesListQuery, options?: CallOptions): Pages<QuoteSummary>
  /**
   * Create a quote or proforma invoice.
   * It is a draft until you send it. Its amounts follow the rules of invoices. It is never reported to the tax authority, counts in no figure of invoices, and costs no credits.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/quotes`
   * @throws {Refused} `invoice.seller_unknown`, `invoice.buyer_unknown`, `invoice.item_unknown`, `invoice.buyer_archived`, `invoice.item_archived`, `quote.too_many`, `state.changed`
   */
  create(body: NewQuote, options?: CallOptions): Called<Quote>
  /**
   * Get a quote with its current version.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/quotes/{id}`
   */
  get(id: string, options?: CallOptions): Called<Quote>
  /**
   * Replace the contents of a quote.
   * A draft is changed. A quote that the buyer has gets a new version. The public page shows the new version at once, and the old one can no longer be accepted. Send the quote to mail the new version. A declined or expired quote waits for the buyer again. Send `If-Match` to avoid overwriting a change of someone else.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `PUT /i/v1/quotes/{id}`
   * @throws {Refused} `quote.send.incomplete`, `invoice.seller_unknown`, `invoice.buyer_unknown`, `invoice.item_unknown`, `version.stale`, `invoice.buyer_archived`, `invoice.item_archived`, `quote.change.not_open`, `quote.too_many_versions`
   */
  change(id: string, body: QuoteContent, options?: CallOptions): Called<Quote>
  /**
   * List the versions of a quote, newest first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/quotes/{id}/versions`
   */
  listVersions(id: string, query?: QuotesListVersionsQuery, options?: CallOptions): Pages<QuoteVersionSummary>
  /**
   * Get one version of a quote with its lines.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/quotes/{id}/versions/{versionNumber}`
   */
  getVersion(id: string, versionNumber: string, options?: CallOptions): Called<QuoteVersion>
  /**
   * Send a quote to the buyer.
   * Opens a draft for the buyer and mails it as a PDF, with a link to the public page. With `mail: false`, it is opened without a mail. A quote that was sent before is mailed again.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.send_to_buyer`.
   * `POST /i/v1/quotes/{id}/send`
   * @throws {Refused} `quote.send.incomplete`, `quote.send.no_email`, `quote.send.not_open`, `quote.send.expired`
   */
  send(id: string, body?: QuoteToSend, options?: CallOptions): Called<Quote>
  /**
   * Create a public link to a quote.
   * On the page, the buyer can read the quote, and accept or decline it. The page always shows the current version. The same link is returned until you end it.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.share`.
   * `POST /i/v1/quotes/{id}/share`
   * @throws {Refused} `quote.share.not_sent`
   */
  share(id: string, options?: CallOptions): Called<QuoteLink>
  /**
   * End the public link to a quote.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.share`.
   * `DELETE /i/v1/quotes/{id}/share`
   */
  unshare(id: string, options?: CallOptions): Called<EndedQuoteLink>
  /**
   * Record that the buyer accepted or declined.
   * For buyers who tell you their decision, such as on the telephone. You name the version that the buyer decided about. A decision is recorded once.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/quotes/{id}/decision`
   * @throws {Refused} `quote.decide.not_open`, `quote.decide.version_changed`
   */
  decide(id: string, body: QuoteDecisionToRecord, options?: CallOptions): Called<Quote>
  /**
   * Make an invoice or a deposit of a quote, once.
   * The invoice has the lines, buyer, currency and amounts of the current version, and names the quote. With `deposit`, it is a prepayment invoice; make the rest with `final-invoice` later. If the document is deleted as a draft or cancelled, the quote can be converted again. With `instalments`, it is due in parts. The document costs the same as if you created it yourself. With `finalise`, you also need `invoice.finalise`.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/quotes/{id}/convert`
   * @throws {Refused} `credits.insufficient`, `invoice.seller_unknown`, `invoice.buyer_unknown`, `invoice.item_unknown`, `state.changed`, `invoice.buyer_archived`, `invoice.item_archived`, `invoice.finalise.incomplete`, `quote.convert.amounts_changed`, `quote.convert.not_possible`
   */
  convert(id: string, body?: QuoteConversion, options?: CallOptions): Called<Quote>
  /**
   * Make the final invoice after a deposit, once.
   * The final invoice has all lines of the quote, and the deposit is taken off as a discount on the whole document. Deposit and final invoice together are exactly the total of the quote. The deposit must be issued first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/quotes/{id}/final-invoice`
   * @throws {Refused} `credits.insufficient`, `invoice.seller_unknown`, `invoice.buyer_unknown`, `invoice.item_unknown`, `state.changed`, `invoice.buyer_archived`, `invoice.item_archived`, `invoice.finalise.incomplete`, `quote.convert.amounts_changed`, `quote.convert.no_rest`, `quote.convert.deposit_not_issued`, `quote.convert.deposit_changed`
   */
  invoiceRest(id: string, body?: FinalInvoiceOfQuote, options?: CallOptions): Called<Quote>
  /**
   * Get a download link to the PDF of a quote.
   * The link works for 15 minutes, and only while its creator has the permission.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.download_pdf`.
   * `GET /i/v1/quotes/{id}/download`
   */
  download(id: string, query?: QuotesDownloadQuery, options?: CallOptions): Called<QuoteDownload>
  /**
   * Create a draft with the contents of a quote.
   * Prices are those of the original. The copy has the date of today and is valid for as many days.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/quotes/{id}/duplicate`
   * @throws {Refused} `invoice.seller_unknown`, `invoice.buyer_unknown`, `invoice.item_unknown`, `invoice.buyer_archived`, `invoice.item_archived`, `quote.too_many`, `state.changed`
   */
  duplicate(id: string, options?: CallOptions): Called<Quote>
  /**
   * Withdraw a quote.
   * The public page says that the quote was withdrawn. This cannot be undone.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.create`.
   * `POST /i/v1/quotes/{id}/cancel`
   * @throws {Refused} `quote.cancel.not_open`
   */
  cancel(id: string, options?: CallOptions): Called<Quote>
}

export interface Reminders {
  /**
   * Get the reminder plan.
   * If no plan was saved, the reply is a suggestion that is switched off, with `version` 0.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/reminders/plan`
   */
  getPlan(options?: CallOptions): Called<ReminderPlan>
  /**
   * Save the reminder plan.
   * Replaces the whole plan. A buyer gets at most one reminder a day, for all invoices whose reminder is due. Of several steps that passed in the meantime, only the latest one is sent. Steps that passed before the plan was switched on, or before the step was added, are not sent.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.send_to_buyer`.
   * `PUT /i/v1/reminders/plan`
   * @throws {Refused} `version.stale`, `state.changed`
   */
  savePlan(body: NewReminderPlan, options?: CallOptions): Called<ReminderPlan>
  /**
   * Preview a reminder.
   * Sends nothing. The links of the mail lead nowhere.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.read` and `buyer.read`.
   * `POST /i/v1/reminders/preview`
   */
  preview(body?: ReminderToPreview, options?: CallOptions): Called<ReminderPreview>
  /**
   * List the next reminder of each invoice, the earliest first.
   * Empty while the plan is switched off. Everything is checked again at the moment of sending: a payment, a dispute or a promise to pay stops a reminder.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.read` and `buyer.read`.
   * `GET /i/v1/reminders/upcoming`
   */
  listUpcoming(query?: RemindersListUpcomingQuery, options?: CallOptions): Pages<UpcomingReminder>
  /**
   * List the reminders that were sent, newest first.
   * One entry for each invoice of a mail, of the plan and by hand.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/reminders/sent`
   */
  listSent(query?: RemindersListSentQuery, options?: CallOptions): Pages<SentReminder>
  /**
   * Get the reminders of an invoice, and what stops them.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.read`.
   * `GET /i/v1/invoices/{id}/reminders`
   */
  getOfInvoice(id: string, options?: CallOptions): Called<InvoiceReminders>
  /**
   * Mark an invoice as disputed.
   * The reminder plan leaves the invoice out until the dispute is resolved. A second call replaces the reason.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.record_payment`.
   * `PUT /i/v1/invoices/{id}/dispute`
   * @throws {Refused} `invoice.dispute.not_issued`
   */
  dispute(id: string, body: NewDispute, options?: CallOptions): Called<InvoiceReminders>
  /**
   * Resolve the dispute of an invoice.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.record_payment`.
   * `DELETE /i/v1/invoices/{id}/dispute`
   * @throws {Refused} `invoice.dispute.none`
   */
  resolveDispute(id: string, options?: CallOptions): Called<InvoiceReminders>
  /**
   * Record a promise to pay an invoice.
   * The reminder plan leaves the invoice out until the day has passed. A second call replaces the promise.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.record_payment`.
   * `PUT /i/v1/invoices/{id}/payment-promise`
   * @throws {Refused} `invoice.promise.nothing_due`
   */
  promise(id: string, body: NewPaymentPromise, options?: CallOptions): Called<InvoiceReminders>
  /**
   * Remove the promise to pay an invoice.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.record_payment`.
   * `DELETE /i/v1/invoices/{id}/payment-promise`
   * @throws {Refused} `invoice.promise.none`
   */
  withdrawPromise(id: string, options?: CallOptions): Called<InvoiceReminders>
  /**
   * Get whether a buyer gets reminders of the plan.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.read`.
   * `GET /i/v1/buyers/{id}/reminders`
   */
  getOfBuyer(id: string, options?: CallOptions): Called<BuyerReminders>
  /**
   * Set whether a buyer gets reminders of the plan.
   * Reminders by hand are always possible.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `buyer.update`.
   * `PUT /i/v1/buyers/{id}/reminders`
   */
  chooseBuyer(id: string, body: NewBuyerReminders, options?: CallOptions): Called<BuyerReminders>
}

export interface TaxReturns {
  /**
   * List the months of the tax return, newest first.
   * From the first month to the current one, at most 120 months. The first month is that of the first document that counts. Your own documents count for it if they are at most a year older than your organisation, received documents if they are not older. Older documents are exceptions of the first month. Amounts of open months can still change.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.stats.read`, `invoice.read` and `invoice.inbound.read`.
   * `GET /i/v1/tax-returns`
   */
  list(query?: TaxReturnsListQuery, options?: CallOptions): Pages<TaxReturnSummary>
  /**
   * Get the tax return of a month.
   * Output tax comes from your documents that the tax authority accepted, input tax from received documents. The issue date decides the month. Credit and debit notes count in the month of the note. All amounts are in the currency of your country. What changed in closed months is in `exceptions` of the first open month.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.stats.read`, `invoice.read` and `invoice.inbound.read`.
   * `GET /i/v1/tax-returns/{period}`
   */
  get(period: string, options?: CallOptions): Called<TaxReturn>
  /**
   * List the documents behind the figures of a tax return.
   * Oldest first. Give `section`, `code` and `rate` of a figure to get its documents only: their amounts add up to the figure. An exception also needs its `period` as `documentPeriod`. A document with several tax rates has a line for each.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.stats.read`, `invoice.read` and `invoice.inbound.read`.
   * `GET /i/v1/tax-returns/{period}/documents`
   */
  documents(period: string, query?: TaxReturnsDocumentsQuery, options?: CallOptions): Called<TaxReturnDocuments>
  /**
   * Close a month of the tax return.
   * Close a month before you file its return, and file the closed figures: they never change. With `expectedPayableMinor` the month is closed only if its payable amount is still this one. What changes later is an exception of the next open month. Months are closed in order, after their last day.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.stats.read`, `invoice.read`, `invoice.inbound.read` and `invoice.submit`.
   * `POST /i/v1/tax-returns/{period}/close`
   * @throws {Refused} `tax_return.closed`, `tax_return.not_ended`, `tax_return.not_next`, `tax_return.rate_missing`, `tax_return.figures_changed`
   */
  close(period: string, body?: TaxReturnClosing, options?: CallOptions): Called<TaxReturn>
  /**
   * Get a download link to the tax return as PDF or CSV.
   * The link works for 15 minutes without a token. The PDF has the figures, the CSV file also has every document. The month can have 20,000 lines at most.
   * For signed-in users, API keys and connected programs.
   * Needs the capabilities `invoice.stats.read`, `invoice.read` and `invoice.inbound.read`.
   * `GET /i/v1/tax-returns/{period}/download`
   * @throws {Refused} `tax_return.too_long`
   */
  download(period: string, query?: TaxReturnsDownloadQuery, options?: CallOptions): Called<TaxReturnDownload>
  /**
   * List the exchange rates, newest day first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.stats.read`.
   * `GET /i/v1/exchange-rates`
   */
  listRates(query?: TaxReturnsListRatesQuery, options?: CallOptions): Pages<ExchangeRate>
  /**
   * Enter or import exchange rates.
   * Saves 1 to 1,000 rates. A rate of the same currency and day is replaced. A document in a foreign currency uses the rate of its issue date, or the last one of the 7 days before. Closed months keep the rates that they used.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.submit`.
   * `PUT /i/v1/exchange-rates`
   */
  saveRates(body: ExchangeRatesToSave, options?: CallOptions): Called<SavedExchangeRates>
  /**
   * Import exchange rates from a CSV file.
   * The first row names the columns `currency`, `day` and `rate`, in any order. The file can have 5,000 rows. If a row has a fault, nothing is saved, and the reply lists every fault with the number of its row.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.submit`.
   * `POST /i/v1/exchange-rates/import`
   */
  importRates(body: ExchangeRateFile, options?: CallOptions): Called<SavedExchangeRates>
}

export interface BulkJobs {
  /**
   * List the bulk jobs of the last 30 days, newest first.
   * The list has only jobs whose action you may do.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `invoice.finalise`, `invoice.submit`, `invoice.send_to_buyer`, `invoice.download_pdf`, `invoice.delete_draft`, depending on the request.
   * `GET /i/v1/invoices/bulk`
   */
  list(query?: BulkJobsListQuery, options?: CallOptions): Pages<BulkJob>
  /**
   * Finalise, submit, send, remind about, download or delete many documents.
   * Up to 10,000 documents, or 200 for `download`. Name the documents by their ids, or by the filters of the list. They are chosen once, now. The job runs in the background, one document at a time, oldest first if you sent a filter. A refused document does not affect the others. Each document costs the same as if you acted on it alone. The call counts as one request.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `invoice.finalise`, `invoice.submit`, `invoice.send_to_buyer`, `invoice.download_pdf`, `invoice.delete_draft`, depending on the request.
   * `POST /i/v1/invoices/bulk`
   * @throws {Refused} `bulk_job.too_many`, `bulk_job.count_changed`
   */
  start(body: NewBulkJob, options?: CallOptions): Called<BulkJob>
  /**
   * Get the progress of a bulk job.
   * Poll it about once a second until its status is no longer `running`.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `invoice.finalise`, `invoice.submit`, `invoice.send_to_buyer`, `invoice.download_pdf`, `invoice.delete_draft`, depending on the request.
   * `GET /i/v1/invoices/bulk/{id}`
   */
  get(id: string, options?: CallOptions): Called<BulkJob>
  /**
   * List the result of a bulk job for each document.
   * In the order of the request. Results are deleted after 30 days.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `invoice.finalise`, `invoice.submit`, `invoice.send_to_buyer`, `invoice.download_pdf`, `invoice.delete_draft`, depending on the request.
   * `GET /i/v1/invoices/bulk/{id}/results`
   */
  listResults(id: string, query?: BulkJobsListResultsQuery, options?: CallOptions): Pages<BulkResult>
  /**
   * Get a download link to the PDFs of a bulk job as one ZIP file.
   * For jobs with the action `download`, once they have ended. The link works for 15 minutes without a token. The file has the PDF of each document whose outcome is `done`, drawn as the document is now. Documents that cannot be drawn any more, for example because they were deleted, are listed in `missing.txt` with the reason.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.download_pdf`.
   * `GET /i/v1/invoices/bulk/{id}/download`
   * @throws {Refused} `bulk_job.download.not_done`
   */
  download(id: string, options?: CallOptions): Called<BulkDownload>
  /**
   * Cancel a bulk job.
   * Documents whose turn has not come are skipped. Actions that were done are not undone.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `invoice.finalise`, `invoice.submit`, `invoice.send_to_buyer`, `invoice.download_pdf`, `invoice.delete_draft`, depending on the request.
   * `POST /i/v1/invoices/bulk/{id}/cancel`
   * @throws {Refused} `bulk_job.cancel.not_running`
   */
  cancel(id: string, options?: CallOptions): Called<BulkJob>
}

export interface Catalogue {
  /**
   * List plans and credit packages with their prices.
   * No token is needed.
   * `GET /b/v1/plans`
   */
  listOffers(query?: CatalogueListOffersQuery, options?: CallOptions): Called<CatalogueListOffersReply>
  /**
   * List what each billable action costs.
   * Costs are in credits, so the currency and interval filters change nothing here.
   * No token is needed.
   * `GET /b/v1/plans/credit-costs`
   */
  listCosts(query?: CatalogueListCostsQuery, options?: CallOptions): Called<CatalogueListCostsEntry[]>
  /**
   * List credit packages.
   * No token is needed.
   * `GET /b/v1/plans/packages`
   */
  listPackages(query?: CatalogueListPackagesQuery, options?: CallOptions): Called<CreditPackage[]>
  /**
   * Get a credit package.
   * No token is needed.
   * `GET /b/v1/plans/packages/{id}`
   */
  getPackage(id: string, query?: CatalogueGetPackageQuery, options?: CallOptions): Called<CreditPackage>
  /**
   * List plans.
   * No token is needed.
   * `GET /b/v1/plans/subscriptions`
   */
  listPlans(query?: CatalogueListPlansQuery, options?: CallOptions): Called<Plan[]>
  /**
   * Get a plan.
   * No token is needed.
   * `GET /b/v1/plans/subscriptions/{code}`
   */
  getPlan(code: string, query?: CatalogueGetPlanQuery, options?: CallOptions): Called<Plan>
}

export interface Billing {
  /**
   * Get your billing account and its balances.
   * A user sees both modes, an API key only its own. The account is created a few seconds after the organisation.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.account.read`.
   * `GET /b/v1/billing-accounts/me`
   * @throws {Refused} `billing.mode_not_own`, `billing.not_provisioned`
   */
  getAccount(query?: BillingGetAccountQuery, options?: CallOptions): Called<BillingAccount>
  /**
   * Set the low-balance threshold.
   * One mail is sent each time the live balance falls below this number of credits. 0 turns the mail off.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `billing.low_balance.configure`.
   * `PATCH /b/v1/billing-accounts/me/low-balance`
   * @throws {Refused} `billing.not_provisioned`
   */
  changeThreshold(body: BillingChangeThresholdBody, options?: CallOptions): Called<BillingChangeThresholdReply>
  /**
   * Check whether the balance covers a number of credits.
   * This reserves nothing: another request may spend the credits first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.account.read`.
   * `GET /b/v1/billing-accounts/{id}/check-balance`
   * @throws {Refused} `billing.mode_not_own`, `billing.not_provisioned`
   */
  checkBalance(id: string, query: BillingCheckBalanceQuery, options?: CallOptions): Called<BillingCheckBalanceReply>
  /**
   * Get the balance, lifetime totals and the last 30 days.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.account.read`.
   * `GET /b/v1/billing-accounts/{id}/stats`
   * @throws {Refused} `billing.mode_not_own`, `billing.not_provisioned`
   */
  getStats(id: string, query?: BillingGetStatsQuery, options?: CallOptions): Called<BillingStats>
  /**
   * Get credits spent, by action and by day.
   * Days are in the operator’s time zone, and both ends count. Without dates, the last 30 days are returned.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.usage.read`.
   * `GET /b/v1/billing-accounts/{id}/usage`
   * @throws {Refused} `billing.mode_not_own`, `billing.not_provisioned`
   */
  readUsage(id: string, query?: BillingReadUsageQuery, options?: CallOptions): Called<Usage>
  /**
   * List ledger entries, newest first.
   * `amount` is the change of the balance: a hold lowers the balance, and its capture does not change it again. `credits` is the number of credits moved.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.ledger.read`.
   * `GET /b/v1/billing-accounts/{id}/ledger`
   * @throws {Refused} `billing.mode_not_own`, `billing.not_provisioned`
   */
  readLedger(id: string, query?: BillingReadLedgerQuery, options?: CallOptions): Pages<LedgerEntry>
  /**
   * Get a statement of account, as JSON or CSV.
   * Days are in the operator’s time zone, and both ends count. Without dates, this month is returned. Send `Accept: text/csv` for a file that a spreadsheet opens. A statement of account has at most 10,000 entries.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.statement.read`.
   * `GET /b/v1/billing-accounts/{id}/statement`
   * @throws {Refused} `billing.mode_not_own`, `billing.not_provisioned`
   */
  readStatement(id: string, query: BillingReadStatementQuery | undefined, options: CallOptions & { as: 'text/csv' }): Called<string>
  /**
   * Get a statement of account, as JSON or CSV.
   * Days are in the operator’s time zone, and both ends count. Without dates, this month is returned. Send `Accept: text/csv` for a file that a spreadsheet opens. A statement of account has at most 10,000 entries.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.statement.read`.
   * `GET /b/v1/billing-accounts/{id}/statement`
   * @throws {Refused} `billing.mode_not_own`, `billing.not_provisioned`
   */
  readStatement(id: string, query?: BillingReadStatementQuery, options?: CallOptions): Called<Statement>
  /**
   * List all subscriptions, newest first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.subscription.read`.
   * `GET /b/v1/subscriptions/history`
   */
  listSubscriptions(query?: BillingListSubscriptionsQuery, options?: CallOptions): Pages<Subscription>
  /**
   * Get the active or overdue subscription.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.subscription.read`.
   * `GET /b/v1/subscriptions/active`
   */
  getActiveSubscription(options?: CallOptions): Called<Subscription>
  /**
   * List billing periods and how each was charged.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.subscription.read`.
   * `GET /b/v1/subscriptions/renewals`
   */
  listRenewals(query?: BillingListRenewalsQuery, options?: CallOptions): Pages<BillingListRenewalsEntry>
  /**
   * Get a subscription.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.subscription.read`.
   * `GET /b/v1/subscriptions/{id}`
   */
  getSubscription(id: string, options?: CallOptions): Called<Subscription>
  /**
   * Subscribe to a plan.
   * Returns the URL of a checkout page at the payment provider. The plan begins when the checkout is paid. A checkout that still awaits payment is returned again, with status 200.
   * For signed-in users. API keys and connected programs are refused.
   * Needs a session in live mode.
   * Needs the capability `billing.subscription.subscribe`.
   * `POST /b/v1/subscriptions/subscribe`
   * @throws {Refused} `subscription.exists`, `state.changed`, `checkout.currency_not_routed`
   */
  subscribe(body: BillingSubscribeBody, options?: CallOptions): Called<SubscriptionCheckout>
  /**
   * Cancel a subscription.
   * The subscription ends with its current period. It ends at once if it awaits its first payment or is overdue.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `billing.subscription.cancel`.
   * `PUT /b/v1/subscriptions/{id}/cancel`
   * @throws {Refused} `subscription.not_cancellable`, `subscription.already_paid`, `state.changed`
   */
  cancelSubscription(id: string, body?: BillingCancelSubscriptionBody, options?: CallOptions): Called<Subscription>
  /**
   * Pay an overdue period.
   * Returns the URL of a checkout page at the payment provider. A checkout that still awaits payment is returned again, with status 200.
   * For signed-in users. API keys and connected programs are refused.
   * Needs a session in live mode.
   * Needs the capability `billing.subscription.renew`.
   * `POST /b/v1/subscriptions/{id}/renew`
   * @throws {Refused} `subscription.not_overdue`, `state.changed`, `checkout.currency_not_routed`
   */
  renewSubscription(id: string, body?: BillingRenewSubscriptionBody, options?: CallOptions): Called<SubscriptionCheckout>
  /**
   * Resume a cancelled subscription.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `billing.subscription.resume`.
   * `PUT /b/v1/subscriptions/{id}/resume`
   * @throws {Refused} `subscription.not_cancelled`
   */
  resumeSubscription(id: string, options?: CallOptions): Called<Subscription>
  /**
   * List payments, newest first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.payment.read`.
   * `GET /b/v1/payments/history`
   */
  listPayments(query?: BillingListPaymentsQuery, options?: CallOptions): Pages<ListedBillingPayment>
  /**
   * Get a payment.
   * `checkoutUrl` is present only while the payment is `pending`.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `billing.payment.read`.
   * `GET /b/v1/payments/{id}`
   */
  getPayment(id: string, options?: CallOptions): Called<BillingPayment>
  /**
   * Buy a package of credits.
   * Returns the URL of a checkout page at the payment provider. The credits are added when the checkout is paid. A checkout for the same package and currency that still awaits payment is returned again, with status 200.
   * For signed-in users. API keys and connected programs are refused.
   * Needs a session in live mode.
   * Needs the capability `billing.credits.purchase`.
   * `POST /b/v1/payments/purchase`
   * @throws {Refused} `state.changed`, `checkout.currency_not_routed`
   */
  purchase(body: BillingPurchaseBody, options?: CallOptions): Called<BillingPurchaseReply>
}

export interface Collection {
  /**
   * Register or change a seller’s settlement account.
   * The settlement account is the bank account that collected money goes to. This service asks the bank for the account holder. Every collection provider in use then creates a sub-account that receives all of the seller’s money; `providers` says what each answered. A seller has one settlement account: a new one replaces it. Existing virtual accounts follow as soon as the provider confirms. The bank code may be the central bank’s or that for instant transfers. Only a user who signed in less than ten minutes ago can do this. Otherwise the reply is 401 with `Risiti-Reason: auth.sign_in_too_old`: sign in again and repeat the request. An API key gets 403. In live mode every owner gets a mail. Register the same account again to ask a provider that refused once more.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.manage`.
   * `POST /b/v1/collection/settlement-accounts`
   * @throws {Refused} `collection.account_unknown`, `state.changed`, `collection.not_routed`, `collection.provider_refused`, `collection.provider_away`
   */
  registerSettlement(body: CollectionRegisterSettlementBody, options?: CallOptions): Called<SettlementAccount>
  /**
   * Look up the holder of a bank account.
   * This service asks the bank and stores nothing.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `POST /b/v1/collection/settlement-accounts/resolve`
   * @throws {Refused} `collection.account_unknown`, `collection.not_routed`, `collection.provider_refused`, `collection.provider_away`
   */
  resolveSettlement(body: CollectionResolveSettlementBody, options?: CallOptions): Called<CollectionResolveSettlementReply>
  /**
   * List settlement accounts, newest first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/settlement-accounts`
   */
  listSettlements(query?: CollectionListSettlementsQuery, options?: CallOptions): Pages<SettlementAccount>
  /**
   * Get the settlement account of a seller.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/settlement-accounts/{sellerId}`
   */
  getSettlement(sellerId: string, options?: CallOptions): Called<SettlementAccount>
  /**
   * List banks that money can be settled to.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/banks`
   * @throws {Refused} `collection.not_routed`, `collection.provider_refused`, `collection.provider_away`
   */
  listBanks(query: CollectionListBanksQuery, options?: CallOptions): Pages<CollectionListBanksEntry>
  /**
   * Open a virtual account that a buyer pays into.
   * A `dynamic` account is for one payment of a fixed amount, a `persistent` account for payments over time. The same `reference` with the same body returns the same account (200); with another body the request is refused. All money is passed on to the seller’s settlement account. If the provider has not confirmed that account, the reply is 409 and its message says why.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.manage`.
   * `POST /b/v1/collection/accounts`
   * @throws {Refused} `state.changed`, `collection.not_settled_to`, `collection.reference_used`, `collection.invoice_closed`, `webhook.too_many`, `collection.not_routed`, `collection.no_settlement_account`, `collection.provider_refused`, `collection.provider_away`
   */
  openAccount(body: CollectionOpenAccountBody, options?: CallOptions): Called<VirtualAccount>
  /**
   * List virtual accounts, newest first.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/accounts`
   */
  listAccounts(query?: CollectionListAccountsQuery, options?: CallOptions): Pages<VirtualAccount>
  /**
   * Get a virtual account.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/accounts/{id}`
   */
  getAccount(id: string, options?: CallOptions): Called<VirtualAccount>
  /**
   * Ask the provider for the status of a virtual account.
   * Use this if a payment is missing: this service asks the provider now and looks for new payments.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/accounts/{id}/status`
   * @throws {Refused} `collection.provider_refused`, `collection.provider_away`
   */
  getAccountStatus(id: string, options?: CallOptions): Called<CollectionGetAccountStatusReply>
  /**
   * Deactivate a virtual account.
   * The account is closed at the provider and takes no more payments. Repeating the request changes nothing.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.manage`.
   * `POST /b/v1/collection/accounts/{id}/deactivate`
   * @throws {Refused} `state.changed`, `collection.provider_refused`, `collection.provider_away`
   */
  deactivateAccount(id: string, body?: CollectionDeactivateAccountBody, options?: CallOptions): Called<VirtualAccount>
  /**
   * List payments into virtual accounts, newest first.
   * Each payment is divided into four parts at all times: applied, credited, refunded and unmatched.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/payments`
   */
  listPayments(query?: CollectionListPaymentsQuery, options?: CallOptions): Pages<ReceivedPayment>
  /**
   * Refund a received payment.
   * You can refund a part, or all that is left. The unmatched part is used first, then the buyer’s credit, then the applied part. Of the applied part, amounts that invoices owe back (`refundOwedMinor`) are taken first, then the rest, latest first: those invoices are due again. The provider pays the refund from the operator’s balance, because payments are passed on to the seller; see `refund.paidFrom`. If that balance is too low, the reply is 409 with `Risiti-Reason: collection.refund.no_balance`. If the provider’s answer is lost, the refund stays `pending` until the provider confirms it. A refund is never paid twice.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.manage`.
   * `POST /b/v1/collection/payments/{id}/refund`
   * @throws {Refused} `state.changed`, `collection.refund.too_much`, `collection.refund.no_balance`, `collection.provider_refused`
   */
  refundPayment(id: string, body?: CollectionRefundPaymentBody, options?: CallOptions): Called<RefundedPayment>
  /**
   * List settlements to sellers’ bank accounts, newest first.
   * Providers pay out on the same day or the next. Each settlement names its amount, the fee and the number of payments. The event `collection.settlement_updated` is sent when one changes.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/settlements`
   */
  listSettlementsPaid(query?: CollectionListSettlementsPaidQuery, options?: CallOptions): Pages<CollectionSettlement>
  /**
   * List amounts received and paid out, by day and seller.
   * The latest day comes first. `from` and `to` are days in your country’s time zone, and both count. The default is the 30 days up to today, the maximum is 93 days.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/settlements/days`
   */
  listSettlementDays(query?: CollectionListSettlementDaysQuery, options?: CallOptions): Pages<SettlementDay>
  /**
   * List payments that need your attention.
   * These payments are unmatched or overpaid, or our records differ from the provider’s statement of account. Others have a payout that differs. `settled_amount`: another amount. `not_settled`: no payout within four days. `settled_reversed`: a payout although the sender’s bank took the money back.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/exceptions`
   */
  listExceptions(query?: CollectionListExceptionsQuery, options?: CallOptions): Pages<CollectionException>
  /**
   * Assign a payment to an invoice or a buyer.
   * Name either an invoice, or a buyer whose open invoices are then paid, oldest first. Only invoices of the seller whose account received the payment can be paid. What is left over becomes the buyer’s credit, also if it was another buyer’s credit before.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.manage`.
   * `POST /b/v1/collection/exceptions/{paymentId}/resolve`
   * @throws {Refused} `collection.nothing_left`, `collection.invoice_closed`
   */
  resolveException(paymentId: string, body?: CollectionResolveExceptionBody, options?: CallOptions): Called<ReceivedPayment>
  /**
   * List buyers’ credit balances.
   * There is one balance for each buyer and currency. It is applied to the buyer’s next invoice in that currency automatically. Refund the payment to send it back.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `collection.read`.
   * `GET /b/v1/collection/credits`
   */
  listCredits(query?: CollectionListCreditsQuery, options?: CallOptions): Pages<BuyerCredit>
  /**
   * Simulate a transfer to a virtual account.
   * For tests, with sandbox tokens only. Put `#lost`, `#twice`, `#late` or `#forged` in the narration to make the simulated bank’s notification misbehave.
   * For signed-in users, API keys and connected programs.
   * `POST /sandbox/v1/transfers`
   * @throws {Refused} `sandbox.only`, `collection.provider_away`
   */
  sendTransfer(body: CollectionSendTransferBody, options?: CallOptions): Called<CollectionSendTransferReply>
}

export interface Programs {
  /**
   * Get what a program asks you to allow.
   * The first person who reads a request is the only one who can answer it. A request can be answered for ten minutes.
   * For signed-in users. API keys and connected programs are refused.
   * `GET /n/v1/program-requests/{id}`
   */
  getRequest(id: string, options?: CallOptions): Called<ProgramRequest>
  /**
   * Find a request by the code that the program shows.
   * Type a code only if you started the program yourself. Tries are limited.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /n/v1/program-requests/find`
   */
  findRequest(body: ProgramsFindRequestBody, options?: CallOptions): Called<ProgramRequest>
  /**
   * Allow what a program asks for, or a part of it.
   * The program then acts for you in one organisation and one mode. It can never do more than you may do at that moment. You get a mail about it.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /n/v1/program-requests/{id}/approve`
   * @throws {Refused} `session.ended`, `program.too_many`
   */
  approveRequest(id: string, body: ProgramApproval, options?: CallOptions): Called<ProgramRequestAnswer>
  /**
   * Refuse what a program asks for.
   * For signed-in users. API keys and connected programs are refused.
   * `POST /n/v1/program-requests/{id}/deny`
   */
  denyRequest(id: string, options?: CallOptions): Called<ProgramRequestAnswer>
  /**
   * List connected programs, newest first.
   * Your own in all organisations, or those of members of the organisation of your session.
   * For signed-in users. API keys and connected programs are refused.
   * `GET /n/v1/connected-programs`
   */
  list(query?: ProgramsListQuery, options?: CallOptions): Pages<ConnectedProgram>
  /**
   * Take capabilities from a program, or change its limits.
   * To give a program more, connect it again. The change counts within a second.
   * For signed-in users. API keys and connected programs are refused.
   * `PATCH /n/v1/connected-programs/{id}`
   */
  change(id: string, body?: ConnectedProgramChange, options?: CallOptions): Called<ConnectedProgram>
  /**
   * Disconnect a program.
   * Its tokens stop working within a second. With `api_key.revoke` you can disconnect programs of other members of the organisation of your session.
   * For signed-in users. API keys and connected programs are refused.
   * `DELETE /n/v1/connected-programs/{id}`
   */
  revoke(id: string, options?: CallOptions): Called<ProgramsRevokeReply>
}

export interface Webhooks {
  /**
   * List webhook endpoints of your mode.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.endpoint.read`.
   * `GET /n/v1/webhook-endpoints`
   */
  list(query?: WebhooksListQuery, options?: CallOptions): Pages<WebhookEndpoint>
  /**
   * Create a webhook endpoint.
   * The endpoint belongs to the mode of your session. It receives only events that you may read. The reply has its secret, which is never shown again.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `webhook.endpoint.manage`.
   * `POST /n/v1/webhook-endpoints`
   * @throws {Refused} `webhook.too_many`
   */
  create(body: WebhooksCreateBody, options?: CallOptions): Called<WebhookEndpointWithSecret>
  /**
   * Get a webhook endpoint.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.endpoint.read`.
   * `GET /n/v1/webhook-endpoints/{id}`
   */
  get(id: string, options?: CallOptions): Called<WebhookEndpoint>
  /**
   * Change, disable or enable a webhook endpoint.
   * After you change the address or the events, the endpoint receives only events that you may read. Disabling fails the deliveries that wait. Enabling resets the failures; with `replayMissed` it also sends the events that were missed.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `webhook.endpoint.manage`.
   * `PATCH /n/v1/webhook-endpoints/{id}`
   */
  update(id: string, body?: WebhooksUpdateBody, options?: CallOptions): Called<WebhookEndpoint>
  /**
   * Delete a webhook endpoint.
   * Deliveries that wait fail with `endpoint_disabled`. All its deliveries stay readable.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `webhook.endpoint.manage`.
   * `DELETE /n/v1/webhook-endpoints/{id}`
   */
  delete(id: string, options?: CallOptions): Called<WebhooksDeleteReply>
  /**
   * Replace the secret of a webhook endpoint.
   * Only this reply has the new secret. During the overlap every request is signed with both secrets. Rotating again ends the oldest secret at once.
   * For signed-in users. API keys and connected programs are refused.
   * Needs the capability `webhook.endpoint.manage`.
   * `POST /n/v1/webhook-endpoints/{id}/rotate-secret`
   */
  rotateSecret(id: string, body?: WebhooksRotateSecretBody, options?: CallOptions): Called<WebhookEndpointWithSecret>
  /**
   * Send a test to a webhook endpoint.
   * Sends a ping, or a sample of an event type, marked with `test: true`. It is attempted once and is free.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.endpoint.test`.
   * `POST /n/v1/webhook-endpoints/{id}/test`
   * @throws {Refused} `webhook.type_not_told`
   */
  test(id: string, body?: WebhooksTestBody, options?: CallOptions): Called<LoggedDelivery>
  /**
   * List event types.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.endpoint.read`.
   * `GET /n/v1/webhook-event-types`
   */
  listTypes(options?: CallOptions): Called<WebhooksListTypesEntry[]>
  /**
   * List events of the last 30 days.
   * Newest first; `total` counts at most 1,000 beyond the page. To miss none, follow the events with `after`: send `start` or the `cursor` of the last event that you have. They then come oldest first. With `wait` the request waits for the next event if you have all.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.delivery.read`.
   * `GET /n/v1/webhook-events`
   */
  listEvents(query?: WebhooksListEventsQuery, options?: CallOptions): Pages<Event>
  /**
   * Get an event.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.delivery.read`.
   * `GET /n/v1/webhook-events/{id}`
   */
  getEvent(id: string, options?: CallOptions): Called<Event>
  /**
   * Send an event to an endpoint.
   * Works also if the endpoint is disabled or does not subscribe to the type. The event is attempted once.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.delivery.redeliver`.
   * `POST /n/v1/webhook-events/{id}/redeliver`
   * @throws {Refused} `webhook.delivery_open`, `webhook.not_entitled`, `webhook.type_not_told`, `webhook.too_many_attempts`
   */
  redeliverEvent(id: string, body: WebhooksRedeliverEventBody, options?: CallOptions): Called<LoggedDelivery>
  /**
   * List deliveries.
   * Deliveries of the newest events come first. `total` counts at most 1,000 beyond the page.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.delivery.read`.
   * `GET /n/v1/webhook-deliveries`
   */
  listDeliveries(query?: WebhooksListDeliveriesQuery, options?: CallOptions): Pages<Delivery>
  /**
   * Get a delivery with its attempts.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.delivery.read`.
   * `GET /n/v1/webhook-deliveries/{id}`
   */
  getDelivery(id: string, options?: CallOptions): Called<LoggedDelivery>
  /**
   * Send a delivery again.
   * Sends the same bytes, to the current address and with the current secret. It is attempted once.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.delivery.redeliver`.
   * `POST /n/v1/webhook-deliveries/{id}/redeliver`
   * @throws {Refused} `webhook.delivery_open`, `webhook.endpoint_deleted`, `webhook.too_many_attempts`, `webhook.not_entitled`
   */
  redeliver(id: string, options?: CallOptions): Called<LoggedDelivery>
  /**
   * Send all failed deliveries of an endpoint again.
   * Sends all failed deliveries of events since a time, oldest first, with the retries of the endpoint. They keep their identifiers and their bytes. The reply has their number; they are sent in the background. Tests and events that you may not read are left out. One call sends at most 50,000 deliveries. If `hasMore` is true, call again later.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.delivery.redeliver`.
   * `POST /n/v1/webhook-endpoints/{id}/redeliver-failed`
   * @throws {Refused} `webhook.endpoint_disabled`
   */
  redeliverFailed(id: string, body: WebhooksRedeliverFailedBody, options?: CallOptions): Called<WebhooksRedeliverFailedReply>
}

export interface Overview {
  /**
   * Get the key figures of the business.
   * Has the amounts invoiced, taxed and paid in the last twelve months, and the amounts left to pay by age. Also has the documents to report soon, submissions with an unknown outcome and outages of the tax authority. The figures are exact at any moment.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `invoice.stats.read`.
   * `GET /i/v1/overview`
   */
  get(options?: CallOptions): Called<Overview>
}

export interface TestClock {
  /**
   * Get the time of your sandbox.
   * With the move under way, or else the last one. Live mode has the real time.
   * For signed-in users, API keys and connected programs.
   * `GET /n/v1/test-clock`
   * @throws {Refused} `test_clock.live_mode`
   */
  get(options?: CallOptions): Called<SandboxTime>
  /**
   * Move the time of your sandbox forward.
   * Everything that waits for time happens in order, as if the time had passed. Recurring invoices are made on their days, deadlines come near and pass, and invoices become overdue. Live mode and other organisations are not touched. Time never goes backwards. One move goes at most 366 days forward, and a sandbox is at most 731 days ahead. The move runs in the background and takes at least two seconds. Requests that you send meanwhile still have the time before the move.
   * For signed-in users, API keys and connected programs.
   * Needs the capability `webhook.endpoint.test`.
   * `POST /n/v1/test-clock/moves`
   * @throws {Refused} `test_clock.live_mode`, `test_clock.moving`
   */
  move(body?: NewTestClockMove, options?: CallOptions): Called<TestClockMove>
  /**
   * List the moves of the last 90 days, newest first.
   * For signed-in users, API keys and connected programs.
   * `GET /n/v1/test-clock/moves`
   * @throws {Refused} `test_clock.live_mode`
   */
  listMoves(query?: TestClockListMovesQuery, options?: CallOptions): Pages<TestClockMove>
  /**
   * Get the progress of a move.
   * Poll it about once a second until its status is no longer `advancing`.
   * For signed-in users, API keys and connected programs.
   * `GET /n/v1/test-clock/moves/{id}`
   */
  getMove(id: string, options?: CallOptions): Called<TestClockMove>
}

export interface Imports {
  /**
   * List the imports of the last 30 days, newest first.
   * The list has only the kinds of import that you may create.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `buyer.create`, `item.create`, `invoice.create`, depending on the request.
   * `GET /i/v1/imports`
   */
  list(query?: ImportsListQuery, options?: CallOptions): Pages<Import>
  /**
   * Check a file of buyers, items or invoices.
   * Creates no records yet. Poll the import until its status is `checked`. Its faults then name each problem by row and column. `run` creates the other records.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `buyer.create`, `item.create`, `invoice.create`, depending on the request.
   * `POST /i/v1/imports`
   * @throws {Refused} `import.too_many`, `import.quota_reached`
   */
  start(body: NewImport, options?: CallOptions): Called<Import>
  /**
   * List the fields that the columns of a file can fill.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `buyer.create`, `item.create`, `invoice.create`, depending on the request.
   * `GET /i/v1/imports/setup`
   */
  getSetup(options?: CallOptions): Called<ImportKind[]>
  /**
   * Get the progress and the faults of an import.
   * At most 1,000 faults are listed. `counts` includes all records.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `buyer.create`, `item.create`, `invoice.create`, depending on the request.
   * `GET /i/v1/imports/{id}`
   */
  get(id: string, options?: CallOptions): Called<ImportReport>
  /**
   * Create the records of a checked file.
   * Leaves out faulty records. Invoices become drafts. Each record costs the same as if you created it alone.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `buyer.create`, `item.create`, `invoice.create`, depending on the request.
   * `POST /i/v1/imports/{id}/run`
   * @throws {Refused} `import.run.not_checked`
   */
  run(id: string, options?: CallOptions): Called<Import>
  /**
   * Take back the records of an import.
   * Records that are in use by now are kept, and the faults give the reason. Credits are not returned.
   * For signed-in users, API keys and connected programs.
   * Needs one or more of the capabilities `buyer.create`, `item.create`, `invoice.create`, depending on the request.
   * `POST /i/v1/imports/{id}/undo`
   * @throws {Refused} `import.undo.not_done`
   */
  undo(id: string, options?: CallOptions): Called<Import>
}

export interface RequestLog {
  /**
   * List requests of the last seven days, newest first.
   * Requests of API keys and of people, in the mode of the token. Reading this log is not logged. A request appears about a second after its reply. The log helps with debugging and is not a complete record: under heavy load some requests are left out.
   * For signed-in users and connected programs. API keys are refused.
   * Needs the capability `api_key.read`.
   * `GET /i/v1/request-log`
   */
  list(query?: RequestLogListQuery, options?: CallOptions): Pages<LoggedRequest>
  /**
   * Get a request with its error.
   * For signed-in users and connected programs. API keys are refused.
   * Needs the capability `api_key.read`.
   * `GET /i/v1/request-log/{id}`
   */
  get(id: string, options?: CallOptions): Called<WholeLoggedRequest>
}

/** Every operation of Form A, by module. */
export interface FormA {
  readonly identity: Identity
  readonly organisations: Organisations
  readonly members: Members
  readonly roles: Roles
  readonly invitations: Invitations
  readonly apiKeys: ApiKeys
  readonly reference: Reference
  readonly buyers: Buyers
  readonly sellers: Sellers
  readonly taxConnection: TaxConnection
  readonly receivedInvoices: ReceivedInvoices
  readonly items: Items
  readonly invoices: Invoices
  readonly submissions: Submissions
  readonly buyerAccounts: BuyerAccounts
  readonly recurringInvoices: RecurringInvoices
  readonly quotes: Quotes
  readonly reminders: Reminders
  readonly taxReturns: TaxReturns
  readonly bulkJobs: BulkJobs
  readonly catalogue: Catalogue
  readonly billing: Billing
  readonly collection: Collection
  readonly programs: Programs
  readonly webhooks: Webhooks
  readonly overview: Overview
  readonly testClock: TestClock
  readonly imports: Imports
  readonly requestLog: RequestLog
}

/** Every reason for which a request may be refused, with its status and code. */
export interface Refusals {
  /** Some fields are missing or wrong. Correct each field listed in details. */
  'request.invalid': { status: 400; code: 'VAL001' }
  /** The request cannot be read. Check its syntax and encoding. */
  'request.malformed': { status: 400; code: 'VAL001' }
  /** The body is not JSON. Send one JSON value with the header Content-Type: application/json. */
  'request.not_json': { status: 415; code: 'VAL002' }
  /** The body is too large. Split the work into smaller requests. */
  'request.too_large': { status: 413; code: 'VAL002' }
  /** The headers are too large. Send fewer or shorter headers. */
  'request.headers_too_large': { status: 431; code: 'VAL002' }
  /** The request took too long to arrive. Send it again over a faster connection. */
  'request.too_slow': { status: 408; code: 'VAL002' }
  /** There is no route at this address. See the reference for the routes. */
  'route.not_found': { status: 404; code: 'RES001' }
  /** This form of the API does not have this route. Use the other form, or another route of this form. */
  'route.elsewhere': { status: 404; code: 'RES001' }
  /** This address does not take this method. The Allow header lists the methods that it takes. */
  'route.method_not_allowed': { status: 405; code: 'RES001' }
  /** The object was not found. Check the id, the organisation and the mode. */
  'resource.not_found': { status: 404; code: 'RES001' }
  /** The object was changed since you read it. Read it again and repeat the change. */
  'version.stale': { status: 409; code: 'RES003' }
  /** The object changed while the request ran. Read it again and repeat the request. */
  'state.changed': { status: 409; code: 'RES004' }
  /** This Idempotency-Key was used with another body. Use a new key for a new request. */
  'idempotency.body_differs': { status: 409; code: 'BIZ107' }
  /** You have sent too many requests. Try again after the time in Retry-After. */
  'limit.exceeded': { status: 429; code: 'RATE001' }
  /** This document has reached the daily limit of mails to this address. Try again after the time in Retry-After. */
  'limit.document_mails': { status: 429; code: 'RATE001' }
  /** You or your organisation have reached the daily limit of invitations. Try again after the time in Retry-After. */
  'limit.invitations': { status: 429; code: 'RATE001' }
  /** Your organisation has reached its hourly limit of mails. Try again after the time in Retry-After. */
  'limit.mails': { status: 429; code: 'RATE001' }
  /** A service that we depend on does not answer. Try again after the time in Retry-After. */
  'dependency.unavailable': { status: 503; code: 'DEP001' }
  /** Something went wrong on our side. Send us the requestId, so that we can find the cause. */
  'internal.failure': { status: 500; code: 'SYS001' }
  /** The request has no token. Send an access token or an API key as Authorization: Bearer <token>. */
  'auth.token_missing': { status: 401; code: 'AUTH001' }
  /** The token is invalid, expired or revoked. Refresh it, or sign in again. */
  'auth.token_invalid': { status: 401; code: 'AUTH001' }
  /** The permissions of this token have changed since it was issued. Refresh the token. */
  'auth.token_outdated': { status: 401; code: 'AUTH001' }
  /** This action needs a sign-in less than ten minutes old. Sign in again and repeat it. */
  'auth.sign_in_too_old': { status: 401; code: 'AUTH001' }
  /** Your email address is not verified yet. Verify it with the code from our mail. */
  'auth.email_unverified': { status: 403; code: 'AUTH004' }
  /** You lack a capability that this action needs. Ask an administrator of your organisation for it. */
  'auth.capability_missing': { status: 403; code: 'PERM001' }
  /** API keys and connected programs cannot do this. Sign in as a user. */
  'auth.users_only': { status: 403; code: 'PERM002' }
  /** Only an API key can do this. Send the key as the bearer token. */
  'auth.keys_only': { status: 403; code: 'PERM002' }
  /** The email address, password or code is wrong. Try again, or reset your password. */
  'credentials.wrong': { status: 401; code: 'AUTH002' }
  /** This account has a second factor. Send the code of your authenticator app as code. */
  'credentials.second_factor_needed': { status: 401; code: 'AUTH003' }
  /** The code is wrong, used or expired. Request a new code. */
  'code.wrong': { status: 401; code: 'AUTH002' }
  /** The session has ended. Sign in again. */
  'session.ended': { status: 401; code: 'AUTH001' }
  /** The second factor is on already. Switch it off before you set it up again. */
  'totp.already_on': { status: 409; code: 'BIZ004' }
  /** The second factor is not set up yet. Start with totp/enrol, then confirm with a code from your app. */
  'totp.not_enrolled': { status: 409; code: 'BIZ004' }
  /** The second factor is off already. Signing in asks for the password alone. */
  'totp.not_on': { status: 409; code: 'BIZ004' }
  /** Live keys need the capability live_mode.use. Ask an owner or administrator for it. */
  'live_mode.not_allowed': { status: 403; code: 'PERM003' }
  /** This action moves real money. Switch the session to live mode first. */
  'live_mode.session_needed': { status: 403; code: 'PERM003' }
  /** You have an organisation with this tax number already. Switch to that organisation. */
  'organisation.duplicate': { status: 409; code: 'RES002' }
  /** Onboarding cannot be completed yet. Details lists what is missing. */
  'onboarding.incomplete': { status: 409; code: 'BIZ004' }
  /** The code is wrong, used or expired. Request a new code. */
  'phone.code_wrong': { status: 400; code: 'VAL001' }
  /** This member has permissions that you lack. Ask someone who has them. */
  'member.above_own': { status: 403; code: 'PERM001' }
  /** This member is the last owner. Make another member an owner first. */
  'member.last_owner': { status: 409; code: 'BIZ004' }
  /** You cannot do this to yourself. Ask another administrator, or leave the organisation. */
  'member.is_you': { status: 409; code: 'BIZ004' }
  /** This person is a member already. Change their role or status instead. */
  'member.exists': { status: 409; code: 'RES002' }
  /** This person cannot become the owner. Choose another active member with a verified email address. */
  'transfer.not_fit': { status: 409; code: 'BIZ004' }
  /** You cannot give permissions that you lack. Details lists them. */
  'role.above_own': { status: 403; code: 'PERM001' }
  /** Roles of the system cannot be changed or deleted. Create a role of your own. */
  'role.is_system': { status: 403; code: 'PERM001' }
  /** Another role has this name. Choose another name. */
  'role.name_taken': { status: 409; code: 'RES002' }
  /** Members, invitations or API keys have this role. Give them another role first. */
  'role.in_use': { status: 409; code: 'BIZ004' }
  /** Live mode has the real time. Use a key or a session of the sandbox. */
  'test_clock.live_mode': { status: 409; code: 'BIZ004' }
  /** The time of the sandbox is being moved. Wait until the move is ready. */
  'test_clock.moving': { status: 409; code: 'BIZ004' }
  /** This confirmation is unknown, expired, or belongs to someone else. Prepare the action again, and confirm it within ten minutes. */
  'confirmation.unknown': { status: 404; code: 'RES001' }
  /** Your organisation has 200 prepared actions that nobody confirmed. Confirm some of them, or wait ten minutes until they expire. */
  'confirmation.too_many': { status: 409; code: 'BIZ004' }
  /** Five bulk jobs of your organisation are running in this mode. Wait until one of them is done. */
  'bulk_job.too_many': { status: 409; code: 'BIZ004' }
  /** Another number of documents matches now. Look at the list again, then repeat the request with the new number. */
  'bulk_job.count_changed': { status: 409; code: 'BIZ004' }
  /** The bulk job is still running. Wait until it has ended. */
  'bulk_job.download.not_done': { status: 409; code: 'BIZ004' }
  /** The bulk job has already ended. Read the job to see its status. */
  'bulk_job.cancel.not_running': { status: 409; code: 'BIZ004' }
  /** Only an issued invoice can be disputed. Drafts, rejected and cancelled documents and credit notes cannot. */
  'invoice.dispute.not_issued': { status: 409; code: 'BIZ004' }
  /** This invoice is not disputed. Read its reminders to see what holds. */
  'invoice.dispute.none': { status: 409; code: 'BIZ004' }
  /** Nothing is due on this document, so there is nothing to promise. Record promises for finalised invoices that are not yet paid. */
  'invoice.promise.nothing_due': { status: 409; code: 'BIZ004' }
  /** No promise to pay is recorded for this invoice. Read its reminders to see what holds. */
  'invoice.promise.none': { status: 409; code: 'BIZ004' }
  /** Your organisation has 20,000 schedules that have not ended. End some of them first. */
  'recurring_schedule.too_many': { status: 409; code: 'BIZ004' }
  /** This schedule has ended. Create a new one. */
  'recurring_schedule.ended': { status: 409; code: 'BIZ004' }
  /** Only an active schedule can be paused. Read the schedule to see its status. */
  'recurring_schedule.not_active': { status: 409; code: 'BIZ004' }
  /** Only a paused schedule can be resumed. Read the schedule to see its status. */
  'recurring_schedule.not_paused': { status: 409; code: 'BIZ004' }
  /** The invoice of this period was made already. Read the periods to find it. */
  'recurring_schedule.period_made': { status: 409; code: 'BIZ004' }
  /** This month is closed already. Its figures never change. */
  'tax_return.closed': { status: 409; code: 'BIZ004' }
  /** This month has not ended yet. Close it after its last day. */
  'tax_return.not_ended': { status: 409; code: 'BIZ004' }
  /** Earlier months are still open. Close them first. */
  'tax_return.not_next': { status: 409; code: 'BIZ004' }
  /** The payable amount has changed. Read the return again before you close the month. */
  'tax_return.figures_changed': { status: 409; code: 'BIZ004' }
  /** A document in a foreign currency has no exchange rate for its day. Enter one first. */
  'tax_return.rate_missing': { status: 409; code: 'BIZ004' }
  /** This month has more than 20,000 lines, too many for one file. Read its documents page by page. */
  'tax_return.too_long': { status: 409; code: 'BIZ004' }
  /** Your organisation has 20,000 quotes that are drafts or wait for the buyer. Cancel some of them first. */
  'quote.too_many': { status: 409; code: 'BIZ004' }
  /** This quote has 50 versions, which is the limit. Duplicate it and change the copy. */
  'quote.too_many_versions': { status: 409; code: 'BIZ004' }
  /** This quote is accepted, converted or cancelled. Duplicate it and change the copy. */
  'quote.change.not_open': { status: 409; code: 'BIZ004' }
  /** Only a draft, or a quote that waits for the buyer, can be sent. Read the quote to see its status. */
  'quote.send.not_open': { status: 409; code: 'BIZ004' }
  /** The last valid day of this quote has passed. Choose a later day first. */
  'quote.send.expired': { status: 409; code: 'BIZ004' }
  /** The quote has no buyer or seller. Details lists what to add. */
  'quote.send.incomplete': { status: 400; code: 'BIZ005' }
  /** The buyer has no email address. Add one, or send the quote without a mail. */
  'quote.send.no_email': { status: 400; code: 'BIZ005' }
  /** A draft cannot be shared. Send the quote first, with or without a mail. */
  'quote.share.not_sent': { status: 409; code: 'BIZ004' }
  /** This quote does not wait for a decision. Read the quote to see its status. */
  'quote.decide.not_open': { status: 409; code: 'BIZ004' }
  /** The quote has another version or total than the one that was decided about. Read the quote and decide again. */
  'quote.decide.version_changed': { status: 409; code: 'BIZ004' }
  /** This quote is converted or cancelled already. Correct an invoice with a credit note. */
  'quote.cancel.not_open': { status: 409; code: 'BIZ004' }
  /** Only a quote that was sent or accepted, and not converted yet, can be converted. Read the quote to see its status. */
  'quote.convert.not_possible': { status: 409; code: 'BIZ004' }
  /** The tax rates of today give another total than that of the quote. Before the buyer accepts, change the quote. Afterwards, duplicate it. After a deposit, create the final invoice by hand. */
  'quote.convert.amounts_changed': { status: 409; code: 'BIZ004' }
  /** This quote has no deposit whose final invoice is missing. Read its results. */
  'quote.convert.no_rest': { status: 409; code: 'BIZ004' }
  /** The deposit is a draft, or the tax authority rejected it. Issue the deposit first: the final invoice takes it off. */
  'quote.convert.deposit_not_issued': { status: 409; code: 'BIZ004' }
  /** The total of the deposit was changed by hand. Change it back, or create the final invoice by hand. */
  'quote.convert.deposit_changed': { status: 409; code: 'BIZ004' }
  /** The period has more than 2,000 lines, too many for one file or page. Choose a shorter period. */
  'statement_of_account.too_long': { status: 409; code: 'BIZ004' }
  /** The buyer has no email address. Add one and send the statement of account again. */
  'statement_of_account.no_email': { status: 400; code: 'BIZ005' }
  /** This buyer has 100 links to statements of account that still work. End some of them first. */
  'statement_of_account.too_many_links': { status: 409; code: 'BIZ004' }
  /** Five imports of your organisation are in progress. Wait until one of them is done. */
  'import.too_many': { status: 409; code: 'BIZ004' }
  /** The imports of your organisation have used up their storage. Wait until older imports are deleted after 30 days, or ask the operator for more. */
  'import.quota_reached': { status: 409; code: 'BIZ004' }
  /** Only an import with the status checked or stopped can be run. Read the import to see its status. */
  'import.run.not_checked': { status: 409; code: 'BIZ004' }
  /** Only an import with the status done or stopped can be undone. Read the import to see its status. */
  'import.undo.not_done': { status: 409; code: 'BIZ004' }
  /** This address has a pending invitation. Send it again, or withdraw it first. */
  'invitation.exists': { status: 409; code: 'RES002' }
  /** Only a pending invitation can be changed. Create a new invitation. */
  'invitation.not_pending': { status: 409; code: 'BIZ004' }
  /** No invitation matches this code and address. Check both, or ask for a new invitation. */
  'invitation.unknown': { status: 404; code: 'RES001' }
  /** This address has an account. Send its password, or sign in and accept the invitation there. */
  'invitation.account_exists': { status: 409; code: 'RES002' }
  /** You have 50 connected programs, which is the limit. Disconnect programs that you do not need. */
  'program.too_many': { status: 409; code: 'BIZ004' }
  /** This change would exceed the limits of the connected program. Ask the person to do it, or to change the limits. */
  'program.limit_reached': { status: 409; code: 'BIZ004' }
  /** The key is revoked or expired. Create a new key. */
  'key.not_usable': { status: 409; code: 'BIZ004' }
  /** The key was rotated already. Use the newer key. */
  'key.already_rotating': { status: 409; code: 'BIZ004' }
  /** Your organisation has 100 working keys, which is the limit. Revoke keys that are not needed. */
  'key.too_many': { status: 409; code: 'BIZ004' }
  /** Invoicing is not available in the country of your organisation yet. Check the country in the profile. */
  'jurisdiction.unsupported': { status: 422; code: 'VAL001' }
  /** The tax authority does not confirm this number for your organisation. Check the number. */
  'authority.not_confirmed': { status: 400; code: 'TAX001' }
  /** Your organisation is already connected to the tax authority. Revoke that connection before you make a new one. */
  'tax_connection.exists': { status: 409; code: 'RES002' }
  /** The tax authority does not confirm this connection. Correct what the message names. */
  'tax_connection.not_verified': { status: 400; code: 'TAX001' }
  /** Your organisation is not connected to the tax authority in this mode. Connect it first. */
  'authority.not_connected': { status: 403; code: 'BIZ006' }
  /** This invoice is not among those received, and the tax authority does not answer. Try again after the time in Retry-After. */
  'inbound.unavailable': { status: 503; code: 'DEP001' }
  /** This works in the sandbox only. Use a sandbox key, or switch the session to sandbox mode. */
  'sandbox.only': { status: 403; code: 'PERM002' }
  /** The tax on a draft cannot be declared. Finalise the invoice first. */
  'tax_report.draft': { status: 400; code: 'BIZ004' }
  /** The tax authority refused this declaration. Check the values that you sent. */
  'tax_report.refused': { status: 400; code: 'TAX001' }
  /** This installation has no access to the tax authority in this mode. Its operator must configure the access. */
  'authority.no_access': { status: 503; code: 'DEP001' }
  /** The tax authority gave no clear answer. Try again later. */
  'authority.no_answer': { status: 502; code: 'TAX001' }
  /** The tax authority knows only the tax numbers of its own country. Leave this number unchecked; documents may carry it. */
  'tax_id.not_checkable': { status: 422; code: 'VAL001' }
  /** Another buyer has this tax number. Use that buyer, or delete it first. */
  'buyer.tax_id_taken': { status: 409; code: 'RES002' }
  /** The buyer is archived and cannot be changed. Create a new buyer. */
  'buyer.archived': { status: 409; code: 'BIZ004' }
  /** The buyer has no tax number to verify. Add one first. */
  'buyer.no_tax_id': { status: 422; code: 'VAL001' }
  /** Another seller of your organisation has this tax number. Use that seller, or correct the number. */
  'seller.tax_id_taken': { status: 409; code: 'RES002' }
  /** This seller is the organisation itself and cannot be deleted. Change its details instead. */
  'seller.is_primary': { status: 409; code: 'BIZ004' }
  /** Invoices name this seller, so it cannot be deleted. Change its details instead. */
  'seller.in_use': { status: 409; code: 'BIZ004' }
  /** The seller has no tax number to verify. Add one to the organisation first. */
  'seller.no_tax_id': { status: 400; code: 'VAL001' }
  /** Another item has this sku. Choose another sku, or archive that item. */
  'item.sku_taken': { status: 409; code: 'RES002' }
  /** Invoice lines name this item, so it cannot be deleted. Archive it instead. */
  'item.in_use': { status: 409; code: 'BIZ004' }
  /** Another document has or had this number, and each number is used once. Choose another number. */
  'invoice.number_taken': { status: 409; code: 'RES002' }
  /** The seller was not found. Check sellerId, or leave it out. */
  'invoice.seller_unknown': { status: 404; code: 'RES001' }
  /** The buyer was not found. Check buyerId and the mode. */
  'invoice.buyer_unknown': { status: 404; code: 'RES001' }
  /** The buyer is archived. Choose another buyer, or create a new one. */
  'invoice.buyer_archived': { status: 409; code: 'BIZ004' }
  /** A saved item was not found. Details names the line. */
  'invoice.item_unknown': { status: 404; code: 'RES001' }
  /** A saved item is archived. Details names the line; restore the item or choose another one. */
  'invoice.item_archived': { status: 409; code: 'BIZ004' }
  /** No issued invoice has the number that the note refers to. Check originalInvoiceNumber. */
  'invoice.original_unknown': { status: 404; code: 'RES001' }
  /** The buyer has no email address. Add one and send the invoice again. */
  'invoice.send.no_email': { status: 400; code: 'BIZ005' }
  /** The invoice is disputed, its payment is promised, or its buyer gets no reminders. End this first, or email the invoice with send. */
  'invoice.remind.held_back': { status: 409; code: 'BIZ004' }
  /** Nothing is due on this document. To email it again without a reminder, use send. */
  'invoice.remind.nothing_due': { status: 409; code: 'BIZ004' }
  /** Too many documents are being created at the moment. Try again after the time in Retry-After. */
  'document.not_drawn': { status: 503; code: 'DEP001' }
  /** This mode has 50 webhook endpoints, which is the limit. Delete endpoints that are not needed. */
  'webhook.too_many': { status: 409; code: 'BIZ004' }
  /** The delivery is still under way. Wait until it has ended. */
  'webhook.delivery_open': { status: 409; code: 'BIZ004' }
  /** The endpoint is disabled. Enable it first, then send its failed deliveries again. */
  'webhook.endpoint_disabled': { status: 409; code: 'BIZ004' }
  /** The endpoint was deleted. Send the event to another endpoint. */
  'webhook.endpoint_deleted': { status: 409; code: 'BIZ004' }
  /** The delivery was attempted 100 times, which is the limit. Check the replies of the receiver. */
  'webhook.too_many_attempts': { status: 409; code: 'BIZ004' }
  /** The person who last set up this endpoint may not read such events. Save the endpoint again yourself first. */
  'webhook.not_entitled': { status: 409; code: 'BIZ004' }
  /** The format of the endpoint does not have this event type. Choose a type of that format, or create an endpoint in the other form. */
  'webhook.type_not_told': { status: 409; code: 'BIZ004' }
  /** The billing account is still being created. Try again in a few seconds. */
  'billing.not_provisioned': { status: 404; code: 'RES101' }
  /** An API key can read the ledger of its own mode only. Leave mode out, or use a key of that mode. */
  'billing.mode_not_own': { status: 403; code: 'BIZ108' }
  /** No payment provider of this installation takes this currency. Choose another currency. */
  'checkout.currency_not_routed': { status: 422; code: 'BIZ101' }
  /** The signature is missing or wrong. If you are the payment provider, check that both sides have the same secret. */
  'notification.not_signed': { status: 401; code: 'AUTH001' }
  /** No provider of this installation collects payments in this country, currency and mode. Choose another one. */
  'collection.not_routed': { status: 422; code: 'BIZ101' }
  /** The bank has no account with this number. Check the account number and the bank code. */
  'collection.account_unknown': { status: 404; code: 'RES001' }
  /** The seller has no settlement account. Register one first. */
  'collection.no_settlement_account': { status: 422; code: 'VAL001' }
  /** The provider has not confirmed the seller’s settlement account, so no virtual account can be opened. The message says why. */
  'collection.not_settled_to': { status: 409; code: 'BIZ004' }
  /** You used this reference for another account. Choose another reference. */
  'collection.reference_used': { status: 409; code: 'RES002' }
  /** This invoice takes no payment: it is a draft, cancelled or fully paid. Choose another invoice. */
  'collection.invoice_closed': { status: 409; code: 'BIZ004' }
  /** The collection provider does not answer. Try again later. */
  'collection.provider_away': { status: 503; code: 'DEP001' }
  /** The collection provider refuses this request. The message says why. */
  'collection.provider_refused': { status: 422; code: 'VAL001' }
  /** The amount is more than is left of the payment. Details gives the largest amount. */
  'collection.refund.too_much': { status: 409; code: 'BIZ004' }
  /** The operator’s balance at the collection provider is too low for this refund. Ask the operator to top it up. */
  'collection.refund.no_balance': { status: 409; code: 'BIZ004' }
  /** All of this payment is applied or refunded. Nothing is left to resolve. */
  'collection.nothing_left': { status: 409; code: 'BIZ004' }
  /** Your organisation already has a subscription. Cancel it before you subscribe to another plan. */
  'subscription.exists': { status: 409; code: 'BIZ004' }
  /** This subscription is not overdue. It renews automatically. */
  'subscription.not_overdue': { status: 409; code: 'BIZ004' }
  /** The subscription has already ended. There is nothing to cancel. */
  'subscription.not_cancellable': { status: 409; code: 'BIZ004' }
  /** The payment provider reports that this is already paid. Read the subscription again in a few seconds. */
  'subscription.already_paid': { status: 409; code: 'BIZ004' }
  /** This subscription is not cancelled, or has ended. Only one that ends with its period can be resumed. */
  'subscription.not_cancelled': { status: 409; code: 'BIZ004' }
  /** The tax authority does not answer. Nothing was charged; try again later. */
  'authority.unavailable': { status: 503; code: 'DEP001' }
  /** The tax authority does not answer. Refresh the connection later. */
  'tax_connection.no_answer': { status: 502; code: 'TAX001' }
  /** You do not have enough credits. Buy credits, or wait for the next credits of your plan. */
  'credits.insufficient': { status: 402; code: 'BIZ001' }
  /** Only a draft can be changed. Reopen the invoice first, or correct it with a note. */
  'invoice.edit.not_draft': { status: 409; code: 'BIZ201' }
  /** Only a draft can be deleted. Correct an issued invoice with a note. */
  'invoice.delete.not_draft': { status: 409; code: 'BIZ201' }
  /** This document is already finalised. Only a draft can be finalised. */
  'invoice.finalise.not_draft': { status: 409; code: 'BIZ201' }
  /** The draft cannot be finalised yet. Details lists what is missing. */
  'invoice.finalise.incomplete': { status: 409; code: 'BIZ004' }
  /** This invoice cannot be reopened. Details lists the reasons. */
  'invoice.reopen.not_possible': { status: 409; code: 'BIZ004' }
  /** A draft, rejected or cancelled invoice cannot be sent. Finalise the invoice first. */
  'invoice.send.not_finalised': { status: 409; code: 'BIZ004' }
  /** Only an issued invoice can be shared. Finalise the invoice first. */
  'invoice.share.not_finalised': { status: 409; code: 'BIZ004' }
  /** No payment can be recorded on a draft, a cancelled invoice or a credit note. Check the status of the invoice. */
  'invoice.pay.not_payable': { status: 409; code: 'BIZ004' }
  /** The amount is more than is due. Record at most the amount due. */
  'invoice.pay.too_much': { status: 409; code: 'BIZ004' }
  /** The payment is already reversed. Nothing is left to do. */
  'invoice.payment_reversed': { status: 409; code: 'BIZ004' }
  /** This payment came by bank transfer. Refund it in collection instead. */
  'invoice.payment_collected': { status: 409; code: 'BIZ004' }
  /** A note can correct only an issued invoice that is not cancelled. Check the status of the invoice. */
  'invoice.note.not_possible': { status: 409; code: 'BIZ004' }
  /** This invoice is already credited in full. Nothing is left to credit. */
  'invoice.note.nothing_left': { status: 409; code: 'BIZ004' }
  /** The note credits more than is left on the invoice. Details gives the amount left. */
  'invoice.note.too_much': { status: 409; code: 'BIZ004' }
  /** Only a finalised invoice can be submitted. Finalise the invoice first. */
  'invoice.submit.not_finalised': { status: 409; code: 'BIZ004' }
  /** The invoice is already submitted. Read its status to see the outcome. */
  'invoice.submit.already_submitted': { status: 409; code: 'BIZ004' }
  /** The tax authority would refuse this document. Correct each problem listed in details and submit again. */
  'invoice.submit.not_ready': { status: 409; code: 'BIZ004' }
  /** Only a failed submission can be retried. Read the status of the invoice. */
  'invoice.retry.not_failed': { status: 409; code: 'BIZ004' }
  /** No retries are left. Call query-status: if the authority has the document, it becomes accepted; if the authority reports it absent twice, you can reopen it. */
  'invoice.retry.too_many': { status: 409; code: 'BIZ004' }
  /** The tax authority of this country does not cancel documents. Issue a credit note for what the buyer need not pay. */
  'invoice.cancel.not_offered': { status: 409; code: 'BIZ004' }
  /** Only an invoice that the tax authority has accepted can be cancelled. Read the status of the invoice. */
  'invoice.cancel.not_accepted': { status: 409; code: 'BIZ004' }
  /** The invoice has notes that are drafts or undecided. Delete the drafts, or wait for the tax authority, then cancel again. */
  'invoice.cancel.open_notes': { status: 409; code: 'BIZ004' }
  /** The invoice was never submitted to the tax authority. Submit it first. */
  'invoice.query.not_submitted': { status: 409; code: 'BIZ004' }
  /** The tax authority has no copy of this invoice yet. Submit the invoice, or wait until it is registered. */
  'invoice.copy.not_signed': { status: 409; code: 'BIZ004' }
  /** Only an invoice that the tax authority has accepted can be downloaded. Wait until it is accepted. */
  'invoice.download.not_accepted': { status: 409; code: 'BIZ004' }
}

export type Reason = keyof Refusals
export type Code = Refusals[Reason]['code']

/** What webhooks tell, by the type of the event. */
export interface WebhookEvents {
  'organization.created': EventEnvelope & {
    type: "organization.created"
    data: {
      object: {
        /** Name of the organisation. */
        name: string
        /** ISO 3166 code of its country, such as `NG`. */
        country: string
        /** The organisation that it is a child of. Null if there is none. */
        parentId: string | null
      }
    }
  }
  'organization.updated': EventEnvelope & {
    type: "organization.updated"
    data: {
      object: {
        /** The fields that changed, by name. */
        changed: string[]
        /** Name of the organisation. */
        name: string
      }
    }
  }
  'organization.phone_verified': EventEnvelope & {
    type: "organization.phone_verified"
    data: {
      object: {
        /** The telephone number that was verified (E.164). */
        phone: string
      }
    }
  }
  'organization.onboarding_completed': EventEnvelope & {
    type: "organization.onboarding_completed"
    data: {
      object: {
        /** Name of the organisation. */
        name: string
      }
    }
  }
  'organization.credit_pool_changed': EventEnvelope & {
    type: "organization.credit_pool_changed"
    data: {
      object: {
        /** Whether the parent pays for what its children do. */
        primaryCoversSecondary: boolean
        /** Whether the parent pays once a child has no credits left. */
        fallbackToPrimary: boolean
        /** Credits that the parent keeps for itself. */
        minimumReserve: number
      }
    }
  }
  'organization.child_parted': EventEnvelope & {
    type: "organization.child_parted"
    data: {
      object: {
        /** Name of the child organisation. */
        name: string
      }
    }
  }
  'organization.parted': EventEnvelope & {
    type: "organization.parted"
    data: {
      object: {
        /** The organisation that it was a child of. */
        parentId: string
        /** Name of that organisation. */
        parentName: string
      }
    }
  }
  'member.joined': EventEnvelope & {
    type: "member.joined"
    data: {
      object: {
        /** Email address of the person. */
        email: string
        /** Name of the role of the person. */
        role: string
      }
    }
  }
  'member.updated': EventEnvelope & {
    type: "member.updated"
    data: {
      object: {
        /** Email address of the person. */
        email: string
        /** First name. Only if it changed. */
        firstName?: string | undefined
        /** Last name. Only if it changed. */
        lastName?: string | undefined
        /** Telephone number. Only if it changed. */
        phone?: string | undefined
      }
    }
  }
  'member.removed': EventEnvelope & {
    type: "member.removed"
    data: {
      object: {
        /** Email address of the person. */
        email: string
        /** Name of the role of the person. */
        role: string
        /** Whether somebody `removed` the person, or the person `left`. */
        how: "removed" | "left"
      }
    }
  }
  'member.role_changed': EventEnvelope & {
    type: "member.role_changed"
    data: {
      object: {
        /** Email address of the person. */
        email: string
        /** The role before the change. */
        from: string
        /** The role after the change. */
        to: string
      } | {
        /** Email address of the person. */
        email: string
        /** Name of the role of the person. */
        role: string
        /** What the person may do beyond the role, by name. */
        extraPermissions: string[]
      }
    }
  }
  'member.status_changed': EventEnvelope & {
    type: "member.status_changed"
    data: {
      object: {
        /** Email address of the person. */
        email: string
        /** Status of the membership before. `active`: can act for the organisation. `suspended` and `deactivated`: cannot act until somebody with the capability `member.restore` restores the membership. */
        from: "active" | "suspended" | "deactivated"
        /** Status of the membership after. `active`: can act for the organisation. `suspended` and `deactivated`: cannot act until somebody with the capability `member.restore` restores the membership. */
        to: "active" | "suspended" | "deactivated"
        /** The reason that was given. Null if none was. */
        reason: string | null
      }
    }
  }
  'member.second_factor_removed': EventEnvelope & {
    type: "member.second_factor_removed"
    data: {
      object: {
        /** Email address of the person. */
        email: string
      }
    }
  }
  'member.change_asked': EventEnvelope & {
    type: "member.change_asked"
    data: {
      object: {
        /** Email address of the person. */
        email: string
        /** What is to change: the `name`, the telephone number (`phone`) or the second factor (`second_factor`). */
        what: "name" | "phone" | "second_factor"
      }
    }
  }
  'invitation.created': EventEnvelope & {
    type: "invitation.created"
    data: {
      object: {
        /** Email address of the person. */
        email: string
        /** Name of the role that the person is invited to. */
        role: string
      }
    }
  }
  'invitation.resent': EventEnvelope & {
    type: "invitation.resent"
    data: {
      object: {
        /** Email address of the person. */
        email: string
        /** Name of the role that the person is invited to. */
        role: string
      }
    }
  }
  'invitation.withdrawn': EventEnvelope & {
    type: "invitation.withdrawn"
    data: {
      object: {
        /** Email address of the person. */
        email: string
        /** `sender_gone` if the member who invited has left. Absent if a member withdrew it. */
        reason?: "sender_gone" | undefined
      }
    }
  }
  'invitation.accepted': EventEnvelope & {
    type: "invitation.accepted"
    data: {
      object: {
        /** Email address of the person. */
        email: string
      }
    }
  }
  'invitation.expired': EventEnvelope & {
    type: "invitation.expired"
    data: {
      object: {
        /** Email address of the person. */
        email: string
      }
    }
  }
  'role.created': EventEnvelope & {
    type: "role.created"
    data: {
      object: {
        /** Name of the role. */
        name: string
        /** What the role allows, by name. */
        capabilities: string[]
      }
    }
  }
  'role.updated': EventEnvelope & {
    type: "role.updated"
    data: {
      object: {
        /** Name of the role. */
        name: string
        /** What the role allows, by name. */
        capabilities: string[]
      }
    }
  }
  'role.deleted': EventEnvelope & {
    type: "role.deleted"
    data: {
      object: {
        /** Name of the role. */
        name: string
      }
    }
  }
  'api_key.created': EventEnvelope & {
    type: "api_key.created"
    data: {
      object: {
        /** Name of the API key. */
        name: string
        /** The mode that the key works in: `sandbox` or `live`. */
        mode: "sandbox" | "live"
      }
    }
  }
  'api_key.updated': EventEnvelope & {
    type: "api_key.updated"
    data: {
      object: {
        /** The name before the change. */
        from: string
        /** The name after the change. */
        name: string
      }
    }
  }
  'api_key.capabilities_changed': EventEnvelope & {
    type: "api_key.capabilities_changed"
    data: {
      object: {
        /** Name of the API key. */
        name: string
        /** What the key may do from now on, by name. */
        capabilities: string[]
      }
    }
  }
  'api_key.rotated': EventEnvelope & {
    type: "api_key.rotated"
    data: {
      object: {
        /** Name of the API key. */
        name: string
        /** The mode that the key works in: `sandbox` or `live`. */
        mode: "sandbox" | "live"
        /** The id of the new key. */
        replacedBy: string
        /** When the old key stops working (ISO 8601, UTC). */
        stopsAt: string
      }
    }
  }
  'api_key.revoked': EventEnvelope & {
    type: "api_key.revoked"
    data: {
      object: {
        /** Name of the API key. */
        name: string
        /** The mode that the key works in: `sandbox` or `live`. */
        mode: "sandbox" | "live"
      }
    }
  }
  'api_key.expired': EventEnvelope & {
    type: "api_key.expired"
    data: {
      object: {
        /** Name of the API key. */
        name: string
        /** The mode that the key works in: `sandbox` or `live`. */
        mode: "sandbox" | "live"
      }
    }
  }
  'connected_program.created': EventEnvelope & {
    type: "connected_program.created"
    data: {
      object: {
        /** Name of the program, as it gave it. */
        name: string
        /** What the program may do from now on, by name, as far as the member may. */
        capabilities: string[]
        /** Name by which the program asks: of its own choice, or the address of its document. */
        clientId: string
        /** Email address of the member for whom the program acts. */
        email: string
      }
    }
  }
  'connected_program.updated': EventEnvelope & {
    type: "connected_program.updated"
    data: {
      object: {
        /** Name of the program, as it gave it. */
        name: string
        /** What the program may do from now on, by name, as far as the member may. */
        capabilities: string[]
      }
    }
  }
  'connected_program.ended': EventEnvelope & {
    type: "connected_program.ended"
    data: {
      object: {
        /** Name of the program, as it gave it. */
        name: string
        /** `revoked` by a person, or `signed_out` by the program. `token_misused`: a code or token of it was copied. `account_secured`: the member has a new password, or the account was closed. */
        why: "revoked" | "signed_out" | "token_misused" | "account_secured"
      }
    }
  }
  'organization.subscription_tier_changed': EventEnvelope & {
    type: "organization.subscription_tier_changed"
    data: {
      object: {
        /** Code of the plan that the organisation is on now. */
        planCode: string
      }
    }
  }
  'organization.exchange_rates_saved': EventEnvelope & {
    type: "organization.exchange_rates_saved"
    data: {
      object: {
        /** Currencies of the saved rates (ISO 4217). */
        currencies: string[]
        /** How many rates were saved. */
        rates: number
        /** The first day that got a rate (ISO 8601). */
        from: string
        /** The last day that got a rate (ISO 8601). */
        to: string
      }
    }
  }
  'organization.tax_number_verified': EventEnvelope & {
    type: "organization.tax_number_verified"
    data: {
      object: {
        /** The tax number that the authority confirmed. */
        taxNumber: string
      }
    }
  }
  'seller.created': EventEnvelope & {
    type: "seller.created"
    data: {
      object: SellerEventData
    }
  }
  'seller.updated': EventEnvelope & {
    type: "seller.updated"
    data: {
      object: SellerEventData
    }
  }
  'seller.deleted': EventEnvelope & {
    type: "seller.deleted"
    data: {
      object: SellerEventData
    }
  }
  'seller.tax_id_verified': EventEnvelope & {
    type: "seller.tax_id_verified"
    data: {
      object: {
        /** Unique identifier of the seller (UUIDv7). */
        sellerId: string
        /** Name of the seller. */
        name: string
        /** Tax number of the seller. Null if none is known. */
        taxId: string | null
        /** Whether it is the seller of the organisation itself. */
        isPrimary: boolean
        /** The name under which the authority knows the tax number. Null if it knows none. */
        registeredName: string | null
        /** What the authority says of the tax number. `BuyerTaxIdStatus` explains the values. */
        status: "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"
      }
    }
  }
  'seller.tax_id_verification_failed': EventEnvelope & {
    type: "seller.tax_id_verification_failed"
    data: {
      object: {
        /** Unique identifier of the seller (UUIDv7). */
        sellerId: string
        /** Name of the seller. */
        name: string
        /** Tax number of the seller. Null if none is known. */
        taxId: string | null
        /** Whether it is the seller of the organisation itself. */
        isPrimary: boolean
        /** The name under which the authority knows the tax number. Null if it knows none. */
        registeredName: string | null
        /** What the authority says of the tax number. `BuyerTaxIdStatus` explains the values. */
        status: "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"
      }
    }
  }
  'tax_connection.connected': EventEnvelope & {
    type: "tax_connection.connected"
    data: {
      object: TaxConnectionEventData
    }
  }
  'tax_connection.failed': EventEnvelope & {
    type: "tax_connection.failed"
    data: {
      object: TaxConnectionEventData
    }
  }
  'tax_connection.key_file_stored': EventEnvelope & {
    type: "tax_connection.key_file_stored"
    data: {
      object: {
        /** Unique identifier of the connection to the tax authority (UUIDv7). */
        connectionId: string
        /** `pending`: the connection is incomplete, and `problem` says why. `connected`: invoices can be submitted. `revoked`: a user ended it. */
        status: "pending" | "connected" | "revoked"
        /** The business id that the authority gave. */
        businessId: string
        /** The service id that the authority gave. */
        serviceId: string
        /** The name under which the authority knows the business. Null until it was asked. */
        businessName: string | null
        /** Why the connection is `pending`. `not_asked`: the authority has not answered yet. `no_access`: this installation has no access to it. `no_answer`: it does not answer. `keys_refused`: it refuses your keys. `unknown_business`: it has no business with this id. `other_service_id`, `other_tax_number`, `other_name`: it has another one for this business. `tax_number_unconfirmed`: your tax number is not confirmed in live mode. `other_organisation`: another organisation is connected as this business. `key_file_missing`: send the key file. Null if nothing is wrong. */
        problem: "not_asked" | "no_access" | "no_answer" | "keys_refused" | "unknown_business" | "other_service_id" | "tax_number_unconfirmed" | "other_tax_number" | "other_name" | "other_organisation" | "key_file_missing" | null
        /** Fingerprint of the key file. */
        fingerprint: string
      }
    }
  }
  'tax_connection.revoked': EventEnvelope & {
    type: "tax_connection.revoked"
    data: {
      object: {
        /** Unique identifier of the connection to the tax authority (UUIDv7). */
        connectionId: string
        /** `pending`: the connection is incomplete, and `problem` says why. `connected`: invoices can be submitted. `revoked`: a user ended it. */
        status: "pending" | "connected" | "revoked"
        /** The business id that the authority gave. */
        businessId: string
        /** The service id that the authority gave. */
        serviceId: string
        /** The name under which the authority knows the business. Null until it was asked. */
        businessName: string | null
        /** Why the connection is `pending`. `not_asked`: the authority has not answered yet. `no_access`: this installation has no access to it. `no_answer`: it does not answer. `keys_refused`: it refuses your keys. `unknown_business`: it has no business with this id. `other_service_id`, `other_tax_number`, `other_name`: it has another one for this business. `tax_number_unconfirmed`: your tax number is not confirmed in live mode. `other_organisation`: another organisation is connected as this business. `key_file_missing`: send the key file. Null if nothing is wrong. */
        problem: "not_asked" | "no_access" | "no_answer" | "keys_refused" | "unknown_business" | "other_service_id" | "tax_number_unconfirmed" | "other_tax_number" | "other_name" | "other_organisation" | "key_file_missing" | null
        /** The reason that was given. Null if none was. */
        reason: string | null
      }
    }
  }
  'tax_return.closed': EventEnvelope & {
    type: "tax_return.closed"
    data: {
      object: {
        /** Unique identifier of the closed tax return (UUIDv7). */
        taxReturnId: string
        /** The month that was closed, as `2026-01`. */
        period: string
        /** Currency of all amounts (ISO 4217). */
        currency: string
        /** Tax on your own documents, in minor units. */
        outputTaxMinor: number
        /** Tax on received documents that you claim, in minor units. */
        inputTaxMinor: number
        /** Output tax less input tax, in minor units. Negative if you get money back. */
        payableMinor: number
        /** When the month was closed (ISO 8601, UTC). */
        closedAt: string
      }
    }
  }
  'buyer.created': EventEnvelope & {
    type: "buyer.created"
    data: {
      object: BuyerEventData
    }
  }
  'buyer.updated': EventEnvelope & {
    type: "buyer.updated"
    data: {
      object: {
        /** Unique identifier of the buyer (UUIDv7). */
        buyerId: string
        /** Name of the buyer. */
        name: string
        /** Tax number of the buyer. Null if none is known. */
        taxId: string | null
        /** `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
        taxIdType: "tin" | "rn" | "foreign" | "none"
        /** What is known of the tax number after the event. `BuyerTaxIdStatus` explains the values. */
        taxIdStatus: "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"
        /** The fields that changed, by name. */
        changed: string[]
      }
    }
  }
  'buyer.deleted': EventEnvelope & {
    type: "buyer.deleted"
    data: {
      object: BuyerEventData
    }
  }
  'buyer.archived': EventEnvelope & {
    type: "buyer.archived"
    data: {
      object: BuyerEventData
    }
  }
  'buyer.statement_sent': EventEnvelope & {
    type: "buyer.statement_sent"
    data: {
      object: {
        /** Unique identifier of the buyer (UUIDv7). */
        buyerId: string
        /** Name of the buyer. */
        name: string
        /** Tax number of the buyer. Null if none is known. */
        taxId: string | null
        /** `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
        taxIdType: "tin" | "rn" | "foreign" | "none"
        /** What is known of the tax number after the event. `BuyerTaxIdStatus` explains the values. */
        taxIdStatus: "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"
        /** Currency of the account (ISO 4217). */
        currency: string
        /** First day of the statement of account (ISO 8601), in the time zone of the organisation. */
        from: string
        /** Last day of the statement of account (ISO 8601), which counts too. */
        to: string
        /** Email address that the statement of account was sent to. */
        email: string
      }
    }
  }
  'buyer.statement_shared': EventEnvelope & {
    type: "buyer.statement_shared"
    data: {
      object: StatementLinkEventData
    }
  }
  'buyer.statement_unshared': EventEnvelope & {
    type: "buyer.statement_unshared"
    data: {
      object: StatementLinkEventData
    }
  }
  'buyer.reminders_changed': EventEnvelope & {
    type: "buyer.reminders_changed"
    data: {
      object: {
        /** Unique identifier of the buyer (UUIDv7). */
        buyerId: string
        /** Name of the buyer. */
        name: string
        /** Tax number of the buyer. Null if none is known. */
        taxId: string | null
        /** `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
        taxIdType: "tin" | "rn" | "foreign" | "none"
        /** What is known of the tax number after the event. `BuyerTaxIdStatus` explains the values. */
        taxIdStatus: "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"
        /** Whether the buyer gets reminders. `by_plan`: gets reminders if the plan is for all buyers. `chosen`: gets reminders also if the plan is for chosen buyers only. `never`: gets none. */
        reminders: "by_plan" | "chosen" | "never"
      }
    }
  }
  'buyer.tax_id_verified': EventEnvelope & {
    type: "buyer.tax_id_verified"
    data: {
      object: {
        /** Unique identifier of the buyer (UUIDv7). */
        buyerId: string
        /** Name of the buyer. */
        name: string
        /** Tax number of the buyer. Null if none is known. */
        taxId: string | null
        /** `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
        taxIdType: "tin" | "rn" | "foreign" | "none"
        /** What is known of the tax number after the event. `BuyerTaxIdStatus` explains the values. */
        taxIdStatus: "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"
        /** The name under which the authority knows the tax number. Null if it knows none. */
        registeredName: string | null
      }
    }
  }
  'buyer.tax_id_verification_failed': EventEnvelope & {
    type: "buyer.tax_id_verification_failed"
    data: {
      object: {
        /** Unique identifier of the buyer (UUIDv7). */
        buyerId: string
        /** Name of the buyer. */
        name: string
        /** Tax number of the buyer. Null if none is known. */
        taxId: string | null
        /** `tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number. */
        taxIdType: "tin" | "rn" | "foreign" | "none"
        /** What is known of the tax number after the event. `BuyerTaxIdStatus` explains the values. */
        taxIdStatus: "unverified" | "pending" | "verified" | "not_found" | "name_mismatch" | "unavailable" | "valid_off_network" | "checking"
        /** The name under which the authority knows the tax number. Null if it knows none. */
        registeredName: string | null
      }
    }
  }
  'item.created': EventEnvelope & {
    type: "item.created"
    data: {
      object: ItemEventData
    }
  }
  'item.updated': EventEnvelope & {
    type: "item.updated"
    data: {
      object: ItemEventData
    }
  }
  'item.deleted': EventEnvelope & {
    type: "item.deleted"
    data: {
      object: ItemEventData
    }
  }
  'item.archived': EventEnvelope & {
    type: "item.archived"
    data: {
      object: ItemEventData
    }
  }
  'item.unarchived': EventEnvelope & {
    type: "item.unarchived"
    data: {
      object: ItemEventData
    }
  }
  'invoice.created': EventEnvelope & {
    type: "invoice.created"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** How many new lines were made from which saved items: item id to number of lines. */
        itemUses: Record<string, number>
      }
    }
  }
  'invoice.updated': EventEnvelope & {
    type: "invoice.updated"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** How many new lines were made from which saved items: item id to number of lines. */
        itemUses: Record<string, number>
        /** The fields that changed, by name. */
        changed: string[]
      }
    }
  }
  'invoice.deleted': EventEnvelope & {
    type: "invoice.deleted"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.finalised': EventEnvelope & {
    type: "invoice.finalised"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.reopened': EventEnvelope & {
    type: "invoice.reopened"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.sent': EventEnvelope & {
    type: "invoice.sent"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** Email address that it was sent to. */
        to: string
        /** True if the mail was a reminder to pay. */
        reminder?: boolean | undefined
        /** True if the mail says that the document was corrected since it was sent before. */
        revised?: boolean | undefined
      }
    }
  }
  'invoice.reminder_sent': EventEnvelope & {
    type: "invoice.reminder_sent"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** Email address that the reminder was sent to. */
        to: string
        /** Step of the plan, in days from the due date: negative before it. */
        stepDays: number
        /** Left to pay, in minor units such as cents. */
        dueMinor: number
        /** How many invoices the mail reminds of. */
        invoicesInMail: number
      }
    }
  }
  'invoice.reminder_not_sent': EventEnvelope & {
    type: "invoice.reminder_not_sent"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** Email address that the reminder was for. */
        to: string
        /** Step of the plan, in days from the due date. Null for a reminder by hand. */
        stepDays: number | null
        /** Why the mail left the invoice out. `InvoiceReminders.heldBack` explains the values. */
        reason: "plan_off" | "not_issued" | "not_owed" | "nothing_due" | "no_due_date" | "no_buyer" | "no_email" | "buyer_never" | "buyer_not_chosen" | "disputed" | "promised" | "covered" | "below_minimum" | "no_step_left"
        /** Whether an attempt before had no answer, so that the buyer may have the mail. */
        mayHaveArrived: boolean
      }
    }
  }
  'invoice.disputed': EventEnvelope & {
    type: "invoice.disputed"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** What the buyer disputes, in the words of your organisation. */
        reason: string
      }
    }
  }
  'invoice.dispute_resolved': EventEnvelope & {
    type: "invoice.dispute_resolved"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.payment_promised': EventEnvelope & {
    type: "invoice.payment_promised"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** Day by which the buyer will pay (ISO 8601). */
        promisedOn: string
        /** Remark of your organisation. Null if there is none. */
        remark: string | null
      }
    }
  }
  'invoice.payment_promise_withdrawn': EventEnvelope & {
    type: "invoice.payment_promise_withdrawn"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.shared': EventEnvelope & {
    type: "invoice.shared"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.unshared': EventEnvelope & {
    type: "invoice.unshared"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.payment_recorded': EventEnvelope & {
    type: "invoice.payment_recorded"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** Paid so far, in minor units such as cents. */
        paidMinor: number
        /** Left to pay, in minor units such as cents. */
        dueMinor: number
        /** The due date of the oldest instalment that is not settled, or of the invoice (YYYY-MM-DD). Null if nothing is left to pay, or without a due date. Absent in older events. */
        nextDueDate: string | null
        /** Unique identifier of the recorded payment. */
        paymentId: string
        /** Amount of the payment, in minor units such as cents. */
        amountMinor: number
        /** Day of the payment (YYYY-MM-DD). */
        paidOn: string
      }
    }
  }
  'invoice.payment_reversed': EventEnvelope & {
    type: "invoice.payment_reversed"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** Paid so far, in minor units such as cents. */
        paidMinor: number
        /** Left to pay, in minor units such as cents. */
        dueMinor: number
        /** The due date of the oldest instalment that is not settled, or of the invoice (YYYY-MM-DD). Null if nothing is left to pay, or without a due date. Absent in older events. */
        nextDueDate: string | null
        /** Unique identifier of the recorded payment. */
        paymentId: string
        /** Amount of the payment, in minor units such as cents. */
        amountMinor: number
      }
    }
  }
  'invoice.paid': EventEnvelope & {
    type: "invoice.paid"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** Paid so far, in minor units such as cents. */
        paidMinor: number
        /** Left to pay, in minor units such as cents. */
        dueMinor: number
        /** The due date of the oldest instalment that is not settled, or of the invoice (YYYY-MM-DD). Null if nothing is left to pay, or without a due date. Absent in older events. */
        nextDueDate: string | null
      }
    }
  }
  'invoice.queued': EventEnvelope & {
    type: "invoice.queued"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.signed': EventEnvelope & {
    type: "invoice.signed"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.transmitted': EventEnvelope & {
    type: "invoice.transmitted"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.accepted': EventEnvelope & {
    type: "invoice.accepted"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.rejected': EventEnvelope & {
    type: "invoice.rejected"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** What the authority says is wrong, one sentence each. */
        reasons?: string[] | undefined
      }
    }
  }
  'invoice.submission_failed': EventEnvelope & {
    type: "invoice.submission_failed"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** What the authority has. `registered`: the document. `not_registered`: nothing. `unknown`: it is not known. */
        outcome?: "not_registered" | "unknown" | "registered" | undefined
      }
    }
  }
  'invoice.reporting_due': EventEnvelope & {
    type: "invoice.reporting_due"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** When it has to be reported at the latest (ISO 8601, UTC). */
        reportDueAt: string
      }
    }
  }
  'invoice.retry_scheduled': EventEnvelope & {
    type: "invoice.retry_scheduled"
    data: {
      object: InvoiceEventData
    }
  }
  'invoice.cancellation_requested': EventEnvelope & {
    type: "invoice.cancellation_requested"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** The credit note that cancels the invoice. */
        creditNoteId?: string | undefined
      }
    }
  }
  'invoice.cancelled': EventEnvelope & {
    type: "invoice.cancelled"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** The credit note that cancels the invoice. */
        creditNoteId?: string | undefined
      }
    }
  }
  'invoice.status_changed': EventEnvelope & {
    type: "invoice.status_changed"
    data: {
      object: {
        /** Unique identifier of the invoice (UUIDv7). */
        invoiceId: string
        /** The number of the document, as printed on it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** `B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business. */
        invoiceKind: "B2B" | "B2C" | "B2G" | "G2B"
        /** Status of the invoice after the event. `Invoice.status` explains the values. */
        status: "draft" | "finalised" | "queued" | "signed" | "transmitted" | "accepted" | "rejected" | "failed" | "cancellation_pending" | "cancelled"
        /** Unique identifier of the buyer. Null if the invoice names no saved buyer. */
        buyerId: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Unique identifier of the corrected invoice. Null unless the document is a credit or debit note. */
        originalInvoiceId: string | null
        /** ISO 3166 code of the country whose rules apply, such as `NG`. Null if a job caused the event. */
        jurisdiction: string | null
        /** The number that the tax authority knows the document by (NRS: IRN). Null until it has one. */
        authorityReference: string | null
        /** When the document was submitted to the authority. Null until it was (ISO 8601, UTC). */
        submittedAt: string | null
        /** What the authority says is wrong, one sentence each. */
        reasons?: string[] | undefined
        /** The credit note that cancels the invoice. */
        creditNoteId?: string | undefined
        /** `deliver_to_buyer` if the status stayed and the buyer’s side has the document. Absent otherwise. */
        delivery?: "deliver_to_buyer" | undefined
      }
    }
  }
  'reminder_plan.updated': EventEnvelope & {
    type: "reminder_plan.updated"
    data: {
      object: {
        /** Unique identifier of the reminder plan (UUIDv7). */
        planId: string
        /** Whether reminders are sent. */
        on: boolean
        /** Hour of the day at which reminders go out, in the time zone of the organisation. */
        hour: number
        /** Which buyers get reminders. `all`: every buyer except those that are set to `never`. `chosen`: only buyers that are set to `chosen`. */
        buyers: "all" | "chosen"
        /** The steps of the plan, in days from the due date. */
        stepDays: number[]
      }
    }
  }
  'bulk_job.completed': EventEnvelope & {
    type: "bulk_job.completed"
    data: {
      object: {
        /** Unique identifier of the bulk job (UUIDv7). */
        bulkJobId: string
        /** What the job did with each document. `BulkJob.action` explains the values. */
        action: "finalise" | "submit" | "send" | "remind" | "download" | "delete"
        /** `done`: every document has its result. `cancelled`: a member cancelled the job. `stopped`: the member or API key that started it lost the permission, or it kept failing. */
        status: "done" | "cancelled" | "stopped"
        /** Number of documents of the job. */
        total: number
        /** Number of documents on which the action succeeded. */
        done: number
        /** Number of documents that were refused. The results of the job have the reasons. */
        failed: number
        /** Number of documents whose turn had not come when the job was cancelled or stopped. */
        skipped: number
      }
    }
  }
  'test_clock.advancing': EventEnvelope & {
    type: "test_clock.advancing"
    data: {
      object: {
        /** Unique identifier of the move of the test clock (UUIDv7). */
        moveId: string
        /** Time of the sandbox before the move (ISO 8601, UTC). */
        fromAt: string
        /** Time at which the move ends (ISO 8601, UTC). */
        toAt: string
      }
    }
  }
  'test_clock.ready': EventEnvelope & {
    type: "test_clock.ready"
    data: {
      object: {
        /** Unique identifier of the move of the test clock (UUIDv7). */
        moveId: string
        /** Time of the sandbox before the move (ISO 8601, UTC). */
        fromAt: string
        /** Time of the sandbox after the move (ISO 8601, UTC). */
        reachedAt: string
        /** Number of moments at which something was due. */
        steps: number
      }
    }
  }
  'test_clock.stopped': EventEnvelope & {
    type: "test_clock.stopped"
    data: {
      object: {
        /** Unique identifier of the move of the test clock (UUIDv7). */
        moveId: string
        /** Time of the sandbox before the move (ISO 8601, UTC). */
        fromAt: string
        /** Time of the sandbox after the move (ISO 8601, UTC). */
        reachedAt: string
        /** Number of moments at which something was due. */
        steps: number
      }
    }
  }
  'recurring_schedule.created': EventEnvelope & {
    type: "recurring_schedule.created"
    data: {
      object: RecurringScheduleEventData
    }
  }
  'recurring_schedule.updated': EventEnvelope & {
    type: "recurring_schedule.updated"
    data: {
      object: RecurringScheduleEventData
    }
  }
  'recurring_schedule.paused': EventEnvelope & {
    type: "recurring_schedule.paused"
    data: {
      object: RecurringScheduleEventData
    }
  }
  'recurring_schedule.resumed': EventEnvelope & {
    type: "recurring_schedule.resumed"
    data: {
      object: RecurringScheduleEventData
    }
  }
  'recurring_schedule.ended': EventEnvelope & {
    type: "recurring_schedule.ended"
    data: {
      object: RecurringScheduleEventData
    }
  }
  'recurring_schedule.invoice_made': EventEnvelope & {
    type: "recurring_schedule.invoice_made"
    data: {
      object: {
        /** Unique identifier of the schedule (UUIDv7). */
        scheduleId: string
        /** Name of the schedule. */
        name: string
        /** `active`: makes invoices. `paused`: makes none until you resume it. `ended`: makes no further invoices. */
        status: "active" | "paused" | "ended"
        /** What happens to an invoice after it was made. `draft`: it stays a draft. `finalise`: it is issued. `submit`: it is issued and submitted to the tax authority. `send`: it is issued and emailed to the buyer, and not submitted. `submit_and_send`: it is issued and submitted, and emailed when the authority has accepted it. */
        policy: "draft" | "finalise" | "submit" | "send" | "submit_and_send"
        /** Unique identifier of the buyer. Null if the invoices have no saved buyer. */
        buyerId: string | null
        /** Day of the next invoice (ISO 8601). Null if there is none. */
        nextOn: string | null
        /** Day of the invoice (ISO 8601). */
        day: string
        /** First day that the invoice is for (ISO 8601). */
        from: string
        /** Last day that the invoice is for (ISO 8601). */
        to: string
        /** Unique identifier of the invoice that was made. */
        invoiceId: string
        /** Number of the invoice that was made. */
        invoiceNumber: string
      }
    }
  }
  'recurring_schedule.period_waiting': EventEnvelope & {
    type: "recurring_schedule.period_waiting"
    data: {
      object: {
        /** Unique identifier of the schedule (UUIDv7). */
        scheduleId: string
        /** Name of the schedule. */
        name: string
        /** `active`: makes invoices. `paused`: makes none until you resume it. `ended`: makes no further invoices. */
        status: "active" | "paused" | "ended"
        /** What happens to an invoice after it was made. `draft`: it stays a draft. `finalise`: it is issued. `submit`: it is issued and submitted to the tax authority. `send`: it is issued and emailed to the buyer, and not submitted. `submit_and_send`: it is issued and submitted, and emailed when the authority has accepted it. */
        policy: "draft" | "finalise" | "submit" | "send" | "submit_and_send"
        /** Unique identifier of the buyer. Null if the invoices have no saved buyer. */
        buyerId: string | null
        /** Day of the next invoice (ISO 8601). Null if there is none. */
        nextOn: string | null
        /** Day of the invoice (ISO 8601). */
        day: string
        /** First day that the invoice is for (ISO 8601). */
        from: string
        /** Last day that the invoice is for (ISO 8601). */
        to: string
        /** Name of the refusal, such as `invoice.send.no_email`. */
        reason: string
        /** What is wrong, and what to do. */
        message: string
      }
    }
  }
  'recurring_schedule.period_failed': EventEnvelope & {
    type: "recurring_schedule.period_failed"
    data: {
      object: {
        /** Unique identifier of the schedule (UUIDv7). */
        scheduleId: string
        /** Name of the schedule. */
        name: string
        /** `active`: makes invoices. `paused`: makes none until you resume it. `ended`: makes no further invoices. */
        status: "active" | "paused" | "ended"
        /** What happens to an invoice after it was made. `draft`: it stays a draft. `finalise`: it is issued. `submit`: it is issued and submitted to the tax authority. `send`: it is issued and emailed to the buyer, and not submitted. `submit_and_send`: it is issued and submitted, and emailed when the authority has accepted it. */
        policy: "draft" | "finalise" | "submit" | "send" | "submit_and_send"
        /** Unique identifier of the buyer. Null if the invoices have no saved buyer. */
        buyerId: string | null
        /** Day of the next invoice (ISO 8601). Null if there is none. */
        nextOn: string | null
        /** Day of the invoice (ISO 8601). */
        day: string
        /** First day that the invoice is for (ISO 8601). */
        from: string
        /** Last day that the invoice is for (ISO 8601). */
        to: string
        /** Name of the refusal, such as `invoice.send.no_email`. */
        reason: string
        /** What is wrong, and what to do. */
        message: string
      }
    }
  }
  'quote.created': EventEnvelope & {
    type: "quote.created"
    data: {
      object: QuoteEventData
    }
  }
  'quote.updated': EventEnvelope & {
    type: "quote.updated"
    data: {
      object: QuoteEventData
    }
  }
  'quote.sent': EventEnvelope & {
    type: "quote.sent"
    data: {
      object: {
        /** Unique identifier of the quote (UUIDv7). */
        quoteId: string
        /** Number of the quote, such as `QUO000042`. */
        quoteNumber: string
        /** `quote`: an offer. `proforma`: an offer in the form of an invoice, which asks for payment in advance. */
        quoteType: "quote" | "proforma"
        /** Status of the quote after the event. `draft`: only you see it. `sent`: waits for the buyer. `accepted` and `declined`: the decision. `expired`: the last valid day has passed without a decision. `converted`: it became an invoice or a deposit. `cancelled`: withdrawn. */
        status: "draft" | "sent" | "accepted" | "declined" | "expired" | "converted" | "cancelled"
        /** Number of the current version, from 1. */
        versionNumber: number
        /** Unique identifier of the buyer. Null if a draft has none. */
        buyerId: string | null
        /** Currency of the amounts (ISO 4217). */
        currency: string
        /** Total with tax, in minor units such as cents. */
        payableMinor: number
        /** Last day on which the buyer can accept (ISO 8601). Null without an end. */
        validUntil: string | null
        /** Address that the quote is mailed to. Null if no mail was wanted. */
        to: string | null
        /** True if the buyer got an earlier version before. Absent otherwise. */
        revised?: boolean | undefined
      }
    }
  }
  'quote.shared': EventEnvelope & {
    type: "quote.shared"
    data: {
      object: QuoteEventData
    }
  }
  'quote.unshared': EventEnvelope & {
    type: "quote.unshared"
    data: {
      object: QuoteEventData
    }
  }
  'quote.accepted': EventEnvelope & {
    type: "quote.accepted"
    data: {
      object: QuoteDecisionEventData
    }
  }
  'quote.declined': EventEnvelope & {
    type: "quote.declined"
    data: {
      object: QuoteDecisionEventData
    }
  }
  'quote.expired': EventEnvelope & {
    type: "quote.expired"
    data: {
      object: QuoteEventData
    }
  }
  'quote.converted': EventEnvelope & {
    type: "quote.converted"
    data: {
      object: {
        /** Unique identifier of the quote (UUIDv7). */
        quoteId: string
        /** Number of the quote, such as `QUO000042`. */
        quoteNumber: string
        /** `quote`: an offer. `proforma`: an offer in the form of an invoice, which asks for payment in advance. */
        quoteType: "quote" | "proforma"
        /** Status of the quote after the event. `draft`: only you see it. `sent`: waits for the buyer. `accepted` and `declined`: the decision. `expired`: the last valid day has passed without a decision. `converted`: it became an invoice or a deposit. `cancelled`: withdrawn. */
        status: "draft" | "sent" | "accepted" | "declined" | "expired" | "converted" | "cancelled"
        /** Number of the current version, from 1. */
        versionNumber: number
        /** Unique identifier of the buyer. Null if a draft has none. */
        buyerId: string | null
        /** Currency of the amounts (ISO 4217). */
        currency: string
        /** Total with tax, in minor units such as cents. */
        payableMinor: number
        /** Last day on which the buyer can accept (ISO 8601). Null without an end. */
        validUntil: string | null
        /** Unique identifier of the document that the quote became. */
        invoiceId: string
        /** Number of that document. */
        invoiceNumber: string
        /** `invoice`: the whole quote. `deposit`: a prepayment. `final`: the rest after a deposit. */
        result: "invoice" | "deposit" | "final"
      }
    }
  }
  'quote.cancelled': EventEnvelope & {
    type: "quote.cancelled"
    data: {
      object: QuoteEventData
    }
  }
  'inbound_invoice.received': EventEnvelope & {
    type: "inbound_invoice.received"
    data: {
      object: {
        /** Unique identifier of the received invoice (UUIDv7). */
        inboundInvoiceId: string
        /** The number that the tax authority knows the document by (NRS: IRN). */
        authorityReference: string
        /** The number that the supplier gave it. */
        invoiceNumber: string
        /** `standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance. */
        invoiceType: "standard" | "credit_note" | "debit_note" | "prepayment"
        /** Name of the supplier. Null if the document names none. */
        sellerName: string | null
        /** Tax number of the supplier. Null if the document names none. */
        sellerTaxId: string | null
        /** Date of the document (YYYY-MM-DD). */
        issueDate: string
        /** When it is to be paid (YYYY-MM-DD). Null if the document names no date. */
        dueDate: string | null
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Tax in the total, in minor units such as cents. */
        taxMinor: number
        /** Total to pay, tax included, in minor units such as cents. */
        payableMinor: number
        /** Whether our own checks found nothing wrong with it. */
        isValid: boolean
        /** Whether its tax can be claimed as input tax. */
        inputTaxClaimable: boolean
      }
    }
  }
  'billing.account.status_changed': EventEnvelope & {
    type: "billing.account.status_changed"
    data: {
      object: {
        /** Status of the billing account: always `active`. */
        status: "active"
      }
    }
  }
  'billing.balance.updated': EventEnvelope & {
    type: "billing.balance.updated"
    data: {
      object: {
        /** Credits that came (positive) or went (negative). */
        change: number
        /** Credits that are left after the event. */
        creditBalance: number
      }
    }
  }
  'billing.balance.low': EventEnvelope & {
    type: "billing.balance.low"
    data: {
      object: {
        /** Credits that are left after the event. */
        creditBalance: number
        /** The threshold that you set. */
        threshold: number
      }
    }
  }
  'billing.credits.purchased': EventEnvelope & {
    type: "billing.credits.purchased"
    data: {
      object: BillingPaymentEventData
    }
  }
  'billing.payment.created': EventEnvelope & {
    type: "billing.payment.created"
    data: {
      object: BillingPaymentEventData
    }
  }
  'billing.payment.succeeded': EventEnvelope & {
    type: "billing.payment.succeeded"
    data: {
      object: BillingPaymentEventData
    }
  }
  'billing.payment.failed': EventEnvelope & {
    type: "billing.payment.failed"
    data: {
      object: BillingPaymentEventData
    }
  }
  'billing.payment.expired': EventEnvelope & {
    type: "billing.payment.expired"
    data: {
      object: BillingPaymentEventData
    }
  }
  'billing.payment.refunded': EventEnvelope & {
    type: "billing.payment.refunded"
    data: {
      object: BillingPaymentEventData
    }
  }
  'billing.payment.disputed': EventEnvelope & {
    type: "billing.payment.disputed"
    data: {
      object: BillingPaymentEventData
    }
  }
  'billing.payment.charged_back': EventEnvelope & {
    type: "billing.payment.charged_back"
    data: {
      object: BillingPaymentEventData
    }
  }
  'billing.subscription.created': EventEnvelope & {
    type: "billing.subscription.created"
    data: {
      object: SubscriptionEventData
    }
  }
  'billing.subscription.activated': EventEnvelope & {
    type: "billing.subscription.activated"
    data: {
      object: SubscriptionEventData
    }
  }
  'billing.subscription.renewed': EventEnvelope & {
    type: "billing.subscription.renewed"
    data: {
      object: {
        /** Unique identifier of the subscription (UUIDv7). */
        subscriptionId: string
        /** Code of the plan. */
        planCode: string
        /** How often the plan is paid: `monthly` or `yearly`. */
        interval: "monthly" | "yearly"
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Status of the subscription after the event. `pending_payment`: the first payment is awaited. `active`: the current period is paid. `past_due`: the current period is not paid yet, and it is charged again for up to 14 days. `expired`: the subscription has ended. */
        status: "pending_payment" | "active" | "past_due" | "expired"
        /** Whether it ends with the period that is paid. */
        cancelAtPeriodEnd: boolean
        /** Why the subscription ended. `not_paid`: the first payment failed or expired. `cancelled`: a user cancelled it. `overdue`: a period was not paid within 14 days. `money_returned`: its payment was refunded or charged back. Null until it ends. */
        endReason: "not_paid" | "cancelled" | "overdue" | "money_returned" | null
        /** Number of the period that begins, from 1. Null if the plan has no periods. */
        period: number | null
      }
    }
  }
  'billing.subscription.cancelled': EventEnvelope & {
    type: "billing.subscription.cancelled"
    data: {
      object: SubscriptionEventData
    }
  }
  'billing.subscription.resumed': EventEnvelope & {
    type: "billing.subscription.resumed"
    data: {
      object: SubscriptionEventData
    }
  }
  'billing.subscription.past_due': EventEnvelope & {
    type: "billing.subscription.past_due"
    data: {
      object: SubscriptionEventData
    }
  }
  'billing.subscription.payment_failed': EventEnvelope & {
    type: "billing.subscription.payment_failed"
    data: {
      object: {
        /** Unique identifier of the subscription (UUIDv7). */
        subscriptionId: string
        /** Code of the plan. */
        planCode: string
        /** How often the plan is paid: `monthly` or `yearly`. */
        interval: "monthly" | "yearly"
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Status of the subscription after the event. `pending_payment`: the first payment is awaited. `active`: the current period is paid. `past_due`: the current period is not paid yet, and it is charged again for up to 14 days. `expired`: the subscription has ended. */
        status: "pending_payment" | "active" | "past_due" | "expired"
        /** Whether it ends with the period that is paid. */
        cancelAtPeriodEnd: boolean
        /** Why the subscription ended. `not_paid`: the first payment failed or expired. `cancelled`: a user cancelled it. `overdue`: a period was not paid within 14 days. `money_returned`: its payment was refunded or charged back. Null until it ends. */
        endReason: "not_paid" | "cancelled" | "overdue" | "money_returned" | null
        /** The payment that failed. */
        paymentId: string
      } | {
        /** Unique identifier of the subscription (UUIDv7). */
        subscriptionId: string
        /** Code of the plan. */
        planCode: string
        /** How often the plan is paid: `monthly` or `yearly`. */
        interval: "monthly" | "yearly"
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** Status of the subscription after the event. `pending_payment`: the first payment is awaited. `active`: the current period is paid. `past_due`: the current period is not paid yet, and it is charged again for up to 14 days. `expired`: the subscription has ended. */
        status: "pending_payment" | "active" | "past_due" | "expired"
        /** Whether it ends with the period that is paid. */
        cancelAtPeriodEnd: boolean
        /** Why the subscription ended. `not_paid`: the first payment failed or expired. `cancelled`: a user cancelled it. `overdue`: a period was not paid within 14 days. `money_returned`: its payment was refunded or charged back. Null until it ends. */
        endReason: "not_paid" | "cancelled" | "overdue" | "money_returned" | null
        /** Why nothing could be charged. `no_card`: no card is saved. */
        reason: "no_card"
      }
    }
  }
  'billing.subscription.payment_failed_final': EventEnvelope & {
    type: "billing.subscription.payment_failed_final"
    data: {
      object: SubscriptionEventData
    }
  }
  'billing.subscription.expired': EventEnvelope & {
    type: "billing.subscription.expired"
    data: {
      object: SubscriptionEventData
    }
  }
  'collection.settlement_updated': EventEnvelope & {
    type: "collection.settlement_updated"
    data: {
      object: {
        /** The seller whose money is settled there. */
        sellerId: string
        /** Code of the bank. */
        bankCode: string
        /** Name of the bank. */
        bankName: string
        /** The last four digits of the account number. */
        accountEnding: string
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** What changed: the bank account (`account`), what a provider says of it (`sub_account`), or a payout (`settled`). */
        change: "account" | "sub_account" | "settled"
        /** The payment provider. Null for `account`. */
        provider: string | null
        /** Status of the sub-account (`pending`, `confirmed`, `refused`) or of the payout (`pending`, `settled`, `failed`). Null for `account`. */
        status: "pending" | "confirmed" | "refused" | "settled" | "failed" | null
        /** Unique identifier of the payout. Null unless `change` is `settled`. */
        settlementId: string | null
        /** Amount that was paid out, in minor units such as cents. */
        amountMinor: number | null
        /** Fee that the provider kept, in minor units such as cents. */
        feeMinor: number | null
        /** When it was paid out (ISO 8601, UTC). Null unless `change` is `settled`. */
        settledAt: string | null
      }
    }
  }
  'collection.account_opened': EventEnvelope & {
    type: "collection.account_opened"
    data: {
      object: VirtualAccountEventData
    }
  }
  'collection.account_deactivated': EventEnvelope & {
    type: "collection.account_deactivated"
    data: {
      object: {
        /** Unique identifier of the virtual account (UUIDv7). */
        accountId: string
        /** The reference that you gave when you opened it. */
        reference: string
        /** Number of the bank account that payers transfer to. */
        accountNumber: string
        /** The bank that holds it. */
        bankName: string
        /** The seller who is paid. */
        sellerId: string
        /** Unique identifier of the buyer. Null unless the account is for one buyer. */
        buyerId: string | null
        /** Unique identifier of the invoice. Null unless the account is for one invoice. */
        invoiceId: string | null
        /** The reason that was given. Null if none was. */
        reason: string | null
      }
    }
  }
  'collection.payment_received': EventEnvelope & {
    type: "collection.payment_received"
    data: {
      object: ReceivedPaymentEventData
    }
  }
  'collection.payment_reconciled': EventEnvelope & {
    type: "collection.payment_reconciled"
    data: {
      object: {
        /** Unique identifier of the received payment (UUIDv7). */
        paymentId: string
        /** The virtual account that the money came to. */
        accountId: string
        /** Unique identifier of the buyer. Null if the payer is not known. */
        buyerId: string | null
        /** Amount that was received, in minor units such as cents. */
        amountMinor: number
        /** Part that paid invoices, in minor units such as cents. */
        appliedMinor: number
        /** Part that is credit of the buyer, in minor units such as cents. */
        creditedMinor: number
        /** Part that was refunded, in minor units such as cents. */
        refundedMinor: number
        /** Part that belongs to no invoice or buyer yet, in minor units such as cents. */
        unmatchedMinor: number
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** How the money was matched after the event. `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
        reconciliationStatus: "pending" | "applied" | "overpaid" | "unmatched"
        /** When the money was received (ISO 8601, UTC). */
        receivedAt: string
        /** How the money was matched before. `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
        from: "pending" | "applied" | "overpaid" | "unmatched"
      }
    }
  }
  'collection.payment_applied': EventEnvelope & {
    type: "collection.payment_applied"
    data: {
      object: {
        /** Unique identifier of the received payment (UUIDv7). */
        paymentId: string
        /** The virtual account that the money came to. */
        accountId: string
        /** Unique identifier of the buyer. Null if the payer is not known. */
        buyerId: string | null
        /** Amount that was received, in minor units such as cents. */
        amountMinor: number
        /** Part that paid invoices, in minor units such as cents. */
        appliedMinor: number
        /** Part that is credit of the buyer, in minor units such as cents. */
        creditedMinor: number
        /** Part that was refunded, in minor units such as cents. */
        refundedMinor: number
        /** Part that belongs to no invoice or buyer yet, in minor units such as cents. */
        unmatchedMinor: number
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** How the money was matched after the event. `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
        reconciliationStatus: "pending" | "applied" | "overpaid" | "unmatched"
        /** When the money was received (ISO 8601, UTC). */
        receivedAt: string
        /** What went to invoices just now, in major units, such as `10750.00`. */
        appliedAmount: string
        /** What did not go to invoices, in major units. */
        unappliedAmount: string
        /** The invoices that were paid, in whole or in part. */
        invoiceIds: string[]
      }
    }
  }
  'collection.payment_refunded': EventEnvelope & {
    type: "collection.payment_refunded"
    data: {
      object: {
        /** Unique identifier of the received payment (UUIDv7). */
        paymentId: string
        /** The virtual account that the money came to. */
        accountId: string
        /** Unique identifier of the buyer. Null if the payer is not known. */
        buyerId: string | null
        /** Amount that was received, in minor units such as cents. */
        amountMinor: number
        /** Part that paid invoices, in minor units such as cents. */
        appliedMinor: number
        /** Part that is credit of the buyer, in minor units such as cents. */
        creditedMinor: number
        /** Part that was refunded, in minor units such as cents. */
        refundedMinor: number
        /** Part that belongs to no invoice or buyer yet, in minor units such as cents. */
        unmatchedMinor: number
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** How the money was matched after the event. `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
        reconciliationStatus: "pending" | "applied" | "overpaid" | "unmatched"
        /** When the money was received (ISO 8601, UTC). */
        receivedAt: string
        /** Unique identifier of the refund (UUIDv7). */
        refundId: string
        /** Amount of this refund, in minor units such as cents. */
        refundAmountMinor: number
      }
    }
  }
  'collection.refund_failed': EventEnvelope & {
    type: "collection.refund_failed"
    data: {
      object: {
        /** Unique identifier of the received payment (UUIDv7). */
        paymentId: string
        /** The virtual account that the money came to. */
        accountId: string
        /** Unique identifier of the buyer. Null if the payer is not known. */
        buyerId: string | null
        /** Amount that was received, in minor units such as cents. */
        amountMinor: number
        /** Part that paid invoices, in minor units such as cents. */
        appliedMinor: number
        /** Part that is credit of the buyer, in minor units such as cents. */
        creditedMinor: number
        /** Part that was refunded, in minor units such as cents. */
        refundedMinor: number
        /** Part that belongs to no invoice or buyer yet, in minor units such as cents. */
        unmatchedMinor: number
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** How the money was matched after the event. `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
        reconciliationStatus: "pending" | "applied" | "overpaid" | "unmatched"
        /** When the money was received (ISO 8601, UTC). */
        receivedAt: string
        /** Unique identifier of the refund (UUIDv7). */
        refundId: string
        /** Amount of this refund, in minor units such as cents. */
        refundAmountMinor: number
        /** Why the refund failed, in the words of the provider. */
        reason: string
      }
    }
  }
  'collection.difference_found': EventEnvelope & {
    type: "collection.difference_found"
    data: {
      object: {
        /** Unique identifier of the received payment (UUIDv7). */
        paymentId: string
        /** The virtual account that the money came to. */
        accountId: string
        /** Unique identifier of the buyer. Null if the payer is not known. */
        buyerId: string | null
        /** Amount that was received, in minor units such as cents. */
        amountMinor: number
        /** Part that paid invoices, in minor units such as cents. */
        appliedMinor: number
        /** Part that is credit of the buyer, in minor units such as cents. */
        creditedMinor: number
        /** Part that was refunded, in minor units such as cents. */
        refundedMinor: number
        /** Part that belongs to no invoice or buyer yet, in minor units such as cents. */
        unmatchedMinor: number
        /** ISO 4217 code, such as `NGN`. */
        currency: string
        /** How the money was matched after the event. `pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing. */
        reconciliationStatus: "pending" | "applied" | "overpaid" | "unmatched"
        /** When the money was received (ISO 8601, UTC). */
        receivedAt: string
        /** On the provider’s statement of account: `missing_here` (we lacked it), `missing_there` (the provider lacks it), `amount`, `currency`, `refunded` (the refunded amounts differ). In the payout to the seller: `not_settled` (missing after four days), `settled_amount` (another amount), `settled_reversed` (paid out although the sender’s bank took it back). */
        difference: "missing_here" | "missing_there" | "amount" | "currency" | "refunded" | "not_settled" | "settled_amount" | "settled_reversed"
      }
    }
  }
  'webhook_endpoint.created': EventEnvelope & {
    type: "webhook_endpoint.created"
    data: {
      object: WebhookEndpointEventData
    }
  }
  'webhook_endpoint.updated': EventEnvelope & {
    type: "webhook_endpoint.updated"
    data: {
      object: {
        /** Unique identifier of the webhook endpoint (UUIDv7). */
        endpointId: string
        /** Host of its address. The rest of the address is in no event. */
        host: string
        /** The event types and patterns that it subscribes to. */
        events: string[]
        /** The fields that changed, by name. */
        changed: string[]
      }
    }
  }
  'webhook_endpoint.secret_rotated': EventEnvelope & {
    type: "webhook_endpoint.secret_rotated"
    data: {
      object: {
        /** Unique identifier of the webhook endpoint (UUIDv7). */
        endpointId: string
        /** Host of its address. The rest of the address is in no event. */
        host: string
        /** The event types and patterns that it subscribes to. */
        events: string[]
        /** Until when the secret before signs too (ISO 8601, UTC). Null if it ended at once. */
        previousUntil: string | null
      }
    }
  }
  'webhook_endpoint.disabled': EventEnvelope & {
    type: "webhook_endpoint.disabled"
    data: {
      object: {
        /** Unique identifier of the webhook endpoint (UUIDv7). */
        endpointId: string
        /** Host of its address. The rest of the address is in no event. */
        host: string
        /** The event types and patterns that it subscribes to. */
        events: string[]
        /** Why it was disabled: by a member (`manual`), after `failures`, or because it answered 410 (`gone`). */
        cause: "manual" | "failures" | "gone"
      }
    }
  }
  'webhook_endpoint.enabled': EventEnvelope & {
    type: "webhook_endpoint.enabled"
    data: {
      object: WebhookEndpointEventData
    }
  }
  'webhook_endpoint.deleted': EventEnvelope & {
    type: "webhook_endpoint.deleted"
    data: {
      object: WebhookEndpointEventData
    }
  }
  'webhook_endpoint.pinged': EventEnvelope & {
    type: "webhook_endpoint.pinged"
    data: {
      object: {
        /** Unique identifier of the webhook endpoint (UUIDv7). */
        endpointId: string
        /** Host of its address. The rest of the address is in no event. */
        host: string
        /** The event types and patterns that it subscribes to. */
        events: string[]
        /** Event type of the test that was sent, such as `webhook_endpoint.pinged`. */
        type: string
      }
    }
  }
}

export type WebhookEvent = WebhookEvents[keyof WebhookEvents]

export const operations = {
  identity: {
    register: ['POST', '/a/v1/auth/register', 'b'],
    verifyEmail: ['POST', '/a/v1/auth/verify-email', 'b'],
    resendVerification: ['POST', '/a/v1/auth/resend-verification', 'b'],
    logIn: ['POST', '/a/v1/auth/login', 'b'],
    refreshSession: ['POST', '/a/v1/auth/refresh', 'b'],
    logOut: ['POST', '/a/v1/auth/logout', ''],
    whoAmI: ['GET', '/a/v1/auth/me', ''],
    listSessions: ['GET', '/a/v1/auth/sessions', ''],
    endSession: ['DELETE', '/a/v1/auth/sessions/{id}', ''],
    switchMode: ['POST', '/a/v1/auth/mode', 'b'],
    enrolTotp: ['POST', '/a/v1/auth/totp/enrol', 'b'],
    confirmTotp: ['POST', '/a/v1/auth/totp/confirm', 'b'],
    disableTotp: ['DELETE', '/a/v1/auth/totp', 'b'],
    forgotPassword: ['POST', '/a/v1/auth/forgot-password', 'b'],
    resetPassword: ['POST', '/a/v1/auth/reset-password', 'b'],
    changePassword: ['POST', '/a/v1/auth/change-password', 'b'],
    issueKeyToken: ['POST', '/a/v1/auth/token', ''],
  },
  organisations: {
    listMine: ['GET', '/a/v1/organizations/me', ''],
    updateCurrent: ['PATCH', '/a/v1/organizations/me', 'bk'],
    get: ['GET', '/a/v1/organizations/{orgId}', ''],
    update: ['PATCH', '/a/v1/organizations/{orgId}', 'bk'],
    switch: ['POST', '/a/v1/organizations/switch', 'b'],
    verifyTaxNumber: ['POST', '/a/v1/organizations/me/onboarding/verify-tax-number', 'bk'],
    auditLog: ['GET', '/a/v1/organizations/me/audit-log', 'qp'],
  },
  members: {
    list: ['GET', '/a/v1/organizations/me/users', 'qp'],
    get: ['GET', '/a/v1/organizations/me/users/{userId}', ''],
    remove: ['DELETE', '/a/v1/organizations/me/users/{userId}', 'q'],
    changeRole: ['PATCH', '/a/v1/organizations/me/users/{userId}/role', 'bk'],
    changeStatus: ['PATCH', '/a/v1/organizations/me/users/{userId}/status', 'bqk'],
    removeSecondFactor: ['DELETE', '/a/v1/organizations/me/users/{userId}/totp', ''],
    confirmChange: ['POST', '/a/v1/auth/confirm-change', 'b'],
    leave: ['POST', '/a/v1/organizations/me/leave', 'qk'],
    transferOwnership: ['POST', '/a/v1/organizations/me/ownership-transfer', 'bk'],
  },
  roles: {
    listSystem: ['GET', '/a/v1/organizations/me/roles', ''],
    get: ['GET', '/a/v1/organizations/me/roles/{roleId}', ''],
    listPermissions: ['GET', '/a/v1/organizations/me/roles/permissions/available', ''],
  },
  invitations: {
    list: ['GET', '/a/v1/organizations/me/invitations', 'qp'],
    create: ['POST', '/a/v1/organizations/me/invitations', 'bk'],
    get: ['GET', '/a/v1/organizations/me/invitations/{id}', ''],
    withdraw: ['DELETE', '/a/v1/organizations/me/invitations/{id}', ''],
    resend: ['POST', '/a/v1/organizations/me/invitations/{id}/resend', 'k'],
    preview: ['POST', '/a/v1/verify-invitation', 'b'],
    accept: ['POST', '/a/v1/accept-invitation', 'bk'],
    acceptWithNewAccount: ['POST', '/a/v1/accept-invitation/new-account', 'b'],
  },
  apiKeys: {
    list: ['GET', '/a/v1/organizations/me/api-keys', 'qp'],
    create: ['POST', '/a/v1/organizations/me/api-keys', 'bk'],
    get: ['GET', '/a/v1/organizations/me/api-keys/{id}', ''],
    rename: ['PATCH', '/a/v1/organizations/me/api-keys/{id}', 'bk'],
    replaceCapabilities: ['PUT', '/a/v1/organizations/me/api-keys/{id}/capabilities', 'bk'],
    getPermissions: ['GET', '/a/v1/organizations/me/api-keys/{id}/permissions', ''],
    revoke: ['PATCH', '/a/v1/organizations/me/api-keys/{id}/revoke', 'k'],
    rotate: ['POST', '/a/v1/organizations/me/api-keys/{id}/rotate', 'bk'],
  },
  reference: {
    listJurisdictions: ['GET', '/i/v1/jurisdictions', ''],
    searchProductCodes: ['GET', '/i/v1/invoices/hsn-codes', 'qp'],
    listProductCategories: ['GET', '/i/v1/invoices/hsn-codes/categories', ''],
    readAllLists: ['GET', '/i/v1/invoices/resources', ''],
    readList: ['GET', '/i/v1/invoices/resources/{type}', ''],
    lookUpTaxId: ['GET', '/i/v1/invoices/lookup/tax-id/{value}', 'qk'],
  },
  buyers: {
    list: ['GET', '/i/v1/buyers', 'qp'],
    create: ['POST', '/i/v1/buyers', 'bk'],
    deleteMany: ['DELETE', '/i/v1/buyers/bulk', 'b'],
    getReachability: ['GET', '/i/v1/buyers/reachability', 'q'],
    checkReachability: ['POST', '/i/v1/buyers/reachability/check', 'bk'],
    search: ['GET', '/i/v1/buyers/search', 'q'],
    getSetup: ['GET', '/i/v1/buyers/setup', ''],
    get: ['GET', '/i/v1/buyers/{id}', ''],
    update: ['PATCH', '/i/v1/buyers/{id}', 'bk'],
    delete: ['DELETE', '/i/v1/buyers/{id}', ''],
    getVerification: ['GET', '/i/v1/buyers/{id}/verification-status', ''],
    verify: ['POST', '/i/v1/buyers/{id}/verify-tax-number', 'k'],
    listPayments: ['GET', '/i/v1/buyers/{id}/payments', 'qp'],
    listEmails: ['GET', '/i/v1/buyers/{id}/emails', ''],
  },
  sellers: {
    list: ['GET', '/i/v1/sellers', 'qp'],
    search: ['GET', '/i/v1/sellers/search', 'q'],
    getSetup: ['GET', '/i/v1/sellers/setup', ''],
    get: ['GET', '/i/v1/sellers/{id}', ''],
    update: ['PATCH', '/i/v1/sellers/{id}', 'bk'],
    getVerification: ['GET', '/i/v1/sellers/{id}/verification-status', ''],
  },
  taxConnection: {
    get: ['GET', '/i/v1/tax-connection', ''],
    connect: ['POST', '/i/v1/tax-connection', 'bk'],
    revoke: ['DELETE', '/i/v1/tax-connection', 'b'],
    refresh: ['POST', '/i/v1/tax-connection/refresh', 'k'],
    getTransportKey: ['GET', '/i/v1/tax-connection/transport-key', ''],
    storeKeyFile: ['PUT', '/i/v1/tax-connection/crypto-key', 'bk'],
  },
  receivedInvoices: {
    list: ['GET', '/i/v1/inbound-invoices', 'qp'],
    analyse: ['GET', '/i/v1/inbound-invoices/analytics', 'q'],
    loadOlder: ['POST', '/i/v1/inbound-invoices/load-older', 'k'],
    get: ['GET', '/i/v1/inbound-invoices/{id}', ''],
    sendFromOutside: ['POST', '/sandbox/v1/received-invoices', 'bk'],
  },
  items: {
    list: ['GET', '/i/v1/items', 'qp'],
    create: ['POST', '/i/v1/items', 'bk'],
    get: ['GET', '/i/v1/items/{id}', ''],
    update: ['PATCH', '/i/v1/items/{id}', 'bk'],
    delete: ['DELETE', '/i/v1/items/{id}', ''],
    archive: ['POST', '/i/v1/items/{id}/archive', 'k'],
    unarchive: ['POST', '/i/v1/items/{id}/unarchive', 'k'],
  },
  invoices: {
    list: ['GET', '/i/v1/invoices', 'qp'],
    create: ['POST', '/i/v1/invoices', 'bk'],
    validate: ['POST', '/i/v1/invoices/validate', 'bk'],
    getStatistics: ['GET', '/i/v1/invoices/statistics', 'q'],
    listUsedCodes: ['GET', '/i/v1/invoices/codes/used', 'q'],
    get: ['GET', '/i/v1/invoices/{id}', ''],
    update: ['PATCH', '/i/v1/invoices/{id}', 'bk'],
    delete: ['DELETE', '/i/v1/invoices/{id}', ''],
    finalise: ['POST', '/i/v1/invoices/{id}/finalise', 'k'],
    reopen: ['POST', '/i/v1/invoices/{id}/reopen', 'k'],
    send: ['POST', '/i/v1/invoices/{id}/send', 'k'],
    remind: ['POST', '/i/v1/invoices/{id}/remind', 'k'],
    share: ['POST', '/i/v1/invoices/{id}/share', 'k'],
    unshare: ['DELETE', '/i/v1/invoices/{id}/share', ''],
    download: ['GET', '/i/v1/invoices/{id}/download', 'q'],
    createCreditNote: ['POST', '/i/v1/invoices/{id}/credit-notes', 'bk'],
    createDebitNote: ['POST', '/i/v1/invoices/{id}/debit-notes', 'bk'],
    recordPayment: ['POST', '/i/v1/invoices/{id}/payments', 'bk'],
    listPayments: ['GET', '/i/v1/invoices/{id}/payments', ''],
    reversePayment: ['DELETE', '/i/v1/invoices/{id}/payments/{paymentId}', ''],
  },
  submissions: {
    submitBatch: ['POST', '/i/v1/invoices/batch-submit', 'bk'],
    createAndSubmit: ['POST', '/i/v1/invoices/create-and-submit', 'bk'],
    submit: ['POST', '/i/v1/invoices/{id}/submit', 'k'],
    retry: ['POST', '/i/v1/invoices/{id}/retry', 'k'],
    cancel: ['POST', '/i/v1/invoices/{id}/cancel', 'bk'],
    getStatus: ['GET', '/i/v1/invoices/{id}/status', ''],
    queryStatus: ['POST', '/i/v1/invoices/{id}/query-status', 'k'],
    getTimeline: ['GET', '/i/v1/invoices/{id}/timeline', ''],
    readAuthorityCopy: ['GET', '/i/v1/invoices/{id}/authority-copy', ''],
  },
  buyerAccounts: {
    get: ['GET', '/i/v1/buyers/{id}/statement-of-account', 'q'],
    download: ['GET', '/i/v1/buyers/{id}/statement-of-account/download', 'q'],
    send: ['POST', '/i/v1/buyers/{id}/statement-of-account/send', 'bk'],
    share: ['POST', '/i/v1/buyers/{id}/statement-of-account/links', 'bk'],
    listLinks: ['GET', '/i/v1/buyers/{id}/statement-of-account/links', 'qp'],
    unshare: ['DELETE', '/i/v1/buyers/{id}/statement-of-account/links/{linkId}', ''],
  },
  recurringInvoices: {
    list: ['GET', '/i/v1/recurring-invoices', 'qp'],
    create: ['POST', '/i/v1/recurring-invoices', 'bk'],
    get: ['GET', '/i/v1/recurring-invoices/{id}', ''],
    change: ['POST', '/i/v1/recurring-invoices/{id}/content', 'bk'],
    pause: ['POST', '/i/v1/recurring-invoices/{id}/pause', 'k'],
    resume: ['POST', '/i/v1/recurring-invoices/{id}/resume', 'k'],
    end: ['POST', '/i/v1/recurring-invoices/{id}/end', 'k'],
    skip: ['POST', '/i/v1/recurring-invoices/{id}/skip', 'bk'],
    unskip: ['POST', '/i/v1/recurring-invoices/{id}/unskip', 'bk'],
    preview: ['GET', '/i/v1/recurring-invoices/{id}/preview', ''],
    listPeriods: ['GET', '/i/v1/recurring-invoices/{id}/periods', 'qp'],
    runAgain: ['POST', '/i/v1/recurring-invoices/{id}/periods/run', 'bk'],
  },
  quotes: {
    list: ['GET', '/i/v1/quotes', 'qp'],
    create: ['POST', '/i/v1/quotes', 'bk'],
    get: ['GET', '/i/v1/quotes/{id}', ''],
    change: ['PUT', '/i/v1/quotes/{id}', 'bk'],
    listVersions: ['GET', '/i/v1/quotes/{id}/versions', 'qp'],
    getVersion: ['GET', '/i/v1/quotes/{id}/versions/{versionNumber}', ''],
    send: ['POST', '/i/v1/quotes/{id}/send', 'bk'],
    share: ['POST', '/i/v1/quotes/{id}/share', 'k'],
    unshare: ['DELETE', '/i/v1/quotes/{id}/share', ''],
    decide: ['POST', '/i/v1/quotes/{id}/decision', 'bk'],
    convert: ['POST', '/i/v1/quotes/{id}/convert', 'bk'],
    invoiceRest: ['POST', '/i/v1/quotes/{id}/final-invoice', 'bk'],
    download: ['GET', '/i/v1/quotes/{id}/download', 'q'],
    duplicate: ['POST', '/i/v1/quotes/{id}/duplicate', 'k'],
    cancel: ['POST', '/i/v1/quotes/{id}/cancel', 'k'],
  },
  reminders: {
    getPlan: ['GET', '/i/v1/reminders/plan', ''],
    savePlan: ['PUT', '/i/v1/reminders/plan', 'bk'],
    preview: ['POST', '/i/v1/reminders/preview', 'bk'],
    listUpcoming: ['GET', '/i/v1/reminders/upcoming', 'qp'],
    listSent: ['GET', '/i/v1/reminders/sent', 'qp'],
    getOfInvoice: ['GET', '/i/v1/invoices/{id}/reminders', ''],
    dispute: ['PUT', '/i/v1/invoices/{id}/dispute', 'bk'],
    resolveDispute: ['DELETE', '/i/v1/invoices/{id}/dispute', ''],
    promise: ['PUT', '/i/v1/invoices/{id}/payment-promise', 'bk'],
    withdrawPromise: ['DELETE', '/i/v1/invoices/{id}/payment-promise', ''],
    getOfBuyer: ['GET', '/i/v1/buyers/{id}/reminders', ''],
    chooseBuyer: ['PUT', '/i/v1/buyers/{id}/reminders', 'bk'],
  },
  taxReturns: {
    list: ['GET', '/i/v1/tax-returns', 'qp'],
    get: ['GET', '/i/v1/tax-returns/{period}', ''],
    documents: ['GET', '/i/v1/tax-returns/{period}/documents', 'q'],
    close: ['POST', '/i/v1/tax-returns/{period}/close', 'bk'],
    download: ['GET', '/i/v1/tax-returns/{period}/download', 'q'],
    listRates: ['GET', '/i/v1/exchange-rates', 'qp'],
    saveRates: ['PUT', '/i/v1/exchange-rates', 'bk'],
    importRates: ['POST', '/i/v1/exchange-rates/import', 'bk'],
  },
  bulkJobs: {
    list: ['GET', '/i/v1/invoices/bulk', 'qp'],
    start: ['POST', '/i/v1/invoices/bulk', 'bk'],
    get: ['GET', '/i/v1/invoices/bulk/{id}', ''],
    listResults: ['GET', '/i/v1/invoices/bulk/{id}/results', 'qp'],
    download: ['GET', '/i/v1/invoices/bulk/{id}/download', ''],
    cancel: ['POST', '/i/v1/invoices/bulk/{id}/cancel', 'k'],
  },
  catalogue: {
    listOffers: ['GET', '/b/v1/plans', 'q'],
    listCosts: ['GET', '/b/v1/plans/credit-costs', 'q'],
    listPackages: ['GET', '/b/v1/plans/packages', 'q'],
    getPackage: ['GET', '/b/v1/plans/packages/{id}', 'q'],
    listPlans: ['GET', '/b/v1/plans/subscriptions', 'q'],
    getPlan: ['GET', '/b/v1/plans/subscriptions/{code}', 'q'],
  },
  billing: {
    getAccount: ['GET', '/b/v1/billing-accounts/me', 'q'],
    changeThreshold: ['PATCH', '/b/v1/billing-accounts/me/low-balance', 'bk'],
    checkBalance: ['GET', '/b/v1/billing-accounts/{id}/check-balance', 'q'],
    getStats: ['GET', '/b/v1/billing-accounts/{id}/stats', 'q'],
    readUsage: ['GET', '/b/v1/billing-accounts/{id}/usage', 'q'],
    readLedger: ['GET', '/b/v1/billing-accounts/{id}/ledger', 'qp'],
    readStatement: ['GET', '/b/v1/billing-accounts/{id}/statement', 'q'],
    listSubscriptions: ['GET', '/b/v1/subscriptions/history', 'qp'],
    getActiveSubscription: ['GET', '/b/v1/subscriptions/active', ''],
    listRenewals: ['GET', '/b/v1/subscriptions/renewals', 'qp'],
    getSubscription: ['GET', '/b/v1/subscriptions/{id}', ''],
    subscribe: ['POST', '/b/v1/subscriptions/subscribe', 'bk'],
    cancelSubscription: ['PUT', '/b/v1/subscriptions/{id}/cancel', 'bk'],
    renewSubscription: ['POST', '/b/v1/subscriptions/{id}/renew', 'bk'],
    resumeSubscription: ['PUT', '/b/v1/subscriptions/{id}/resume', 'k'],
    listPayments: ['GET', '/b/v1/payments/history', 'qp'],
    getPayment: ['GET', '/b/v1/payments/{id}', ''],
    purchase: ['POST', '/b/v1/payments/purchase', 'bk'],
  },
  collection: {
    registerSettlement: ['POST', '/b/v1/collection/settlement-accounts', 'bk'],
    resolveSettlement: ['POST', '/b/v1/collection/settlement-accounts/resolve', 'bk'],
    listSettlements: ['GET', '/b/v1/collection/settlement-accounts', 'qp'],
    getSettlement: ['GET', '/b/v1/collection/settlement-accounts/{sellerId}', ''],
    listBanks: ['GET', '/b/v1/collection/banks', 'qp'],
    openAccount: ['POST', '/b/v1/collection/accounts', 'bk'],
    listAccounts: ['GET', '/b/v1/collection/accounts', 'qp'],
    getAccount: ['GET', '/b/v1/collection/accounts/{id}', ''],
    getAccountStatus: ['GET', '/b/v1/collection/accounts/{id}/status', ''],
    deactivateAccount: ['POST', '/b/v1/collection/accounts/{id}/deactivate', 'bk'],
    listPayments: ['GET', '/b/v1/collection/payments', 'qp'],
    refundPayment: ['POST', '/b/v1/collection/payments/{id}/refund', 'bk'],
    listSettlementsPaid: ['GET', '/b/v1/collection/settlements', 'qp'],
    listSettlementDays: ['GET', '/b/v1/collection/settlements/days', 'qp'],
    listExceptions: ['GET', '/b/v1/collection/exceptions', 'qp'],
    resolveException: ['POST', '/b/v1/collection/exceptions/{paymentId}/resolve', 'bk'],
    listCredits: ['GET', '/b/v1/collection/credits', 'qp'],
    sendTransfer: ['POST', '/sandbox/v1/transfers', 'bk'],
  },
  programs: {
    getRequest: ['GET', '/n/v1/program-requests/{id}', ''],
    findRequest: ['POST', '/n/v1/program-requests/find', 'b'],
    approveRequest: ['POST', '/n/v1/program-requests/{id}/approve', 'b'],
    denyRequest: ['POST', '/n/v1/program-requests/{id}/deny', ''],
    list: ['GET', '/n/v1/connected-programs', 'qp'],
    change: ['PATCH', '/n/v1/connected-programs/{id}', 'bk'],
    revoke: ['DELETE', '/n/v1/connected-programs/{id}', ''],
  },
  webhooks: {
    list: ['GET', '/n/v1/webhook-endpoints', 'qp'],
    create: ['POST', '/n/v1/webhook-endpoints', 'bk'],
    get: ['GET', '/n/v1/webhook-endpoints/{id}', ''],
    update: ['PATCH', '/n/v1/webhook-endpoints/{id}', 'bk'],
    delete: ['DELETE', '/n/v1/webhook-endpoints/{id}', ''],
    rotateSecret: ['POST', '/n/v1/webhook-endpoints/{id}/rotate-secret', 'bk'],
    test: ['POST', '/n/v1/webhook-endpoints/{id}/test', 'bk'],
    listTypes: ['GET', '/n/v1/webhook-event-types', ''],
    listEvents: ['GET', '/n/v1/webhook-events', 'qp'],
    getEvent: ['GET', '/n/v1/webhook-events/{id}', ''],
    redeliverEvent: ['POST', '/n/v1/webhook-events/{id}/redeliver', 'bk'],
    listDeliveries: ['GET', '/n/v1/webhook-deliveries', 'qp'],
    getDelivery: ['GET', '/n/v1/webhook-deliveries/{id}', ''],
    redeliver: ['POST', '/n/v1/webhook-deliveries/{id}/redeliver', 'k'],
    redeliverFailed: ['POST', '/n/v1/webhook-endpoints/{id}/redeliver-failed', 'bk'],
  },
  overview: {
    get: ['GET', '/i/v1/overview', ''],
  },
  testClock: {
    get: ['GET', '/n/v1/test-clock', ''],
    move: ['POST', '/n/v1/test-clock/moves', 'bk'],
    listMoves: ['GET', '/n/v1/test-clock/moves', 'qp'],
    getMove: ['GET', '/n/v1/test-clock/moves/{id}', ''],
  },
  imports: {
    list: ['GET', '/i/v1/imports', 'qp'],
    start: ['POST', '/i/v1/imports', 'bk'],
    getSetup: ['GET', '/i/v1/imports/setup', ''],
    get: ['GET', '/i/v1/imports/{id}', ''],
    run: ['POST', '/i/v1/imports/{id}/run', 'k'],
    undo: ['POST', '/i/v1/imports/{id}/undo', 'k'],
  },
  requestLog: {
    list: ['GET', '/i/v1/request-log', 'qp'],
    get: ['GET', '/i/v1/request-log/{id}', ''],
  },
} as const satisfies Operations
