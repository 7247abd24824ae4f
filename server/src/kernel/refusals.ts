/**
 * Every refusal of the core, named after the action. The text says what is wrong and what to do. Each form maps every
 * name to a code and a status; a new name does not compile until both forms do.
 */
export const refusals = {
  'request.invalid': 'Some fields are missing or wrong; correct each one listed in details.',
  'request.malformed': 'The request cannot be read; check its syntax and encoding.',
  'request.not_json': 'Send the body as JSON with Content-Type: application/json.',
  'request.too_large': 'The body is too large; split the work into smaller requests.',
  'request.headers_too_large': 'The headers are too large; send fewer or shorter ones.',
  'request.too_slow': 'The request took too long to arrive; send it again over a steadier connection.',
  'route.not_found': 'Nothing is served at this address; see the reference.',
  'route.elsewhere': 'This form of the API does not serve that address.',
  'route.method_not_allowed': 'The address exists but not with this method; the Allow header lists those it takes.',
  'resource.not_found': 'No such object was found; check the id, the organisation and the mode.',
  'version.stale': 'The object was changed since you read it; read it again and repeat the change.',
  'state.changed': 'The object changed while the request ran; read it again and repeat the request.',
  'idempotency.body_differs': 'This Idempotency-Key was used with another body; use a new key for a new request.',
  'limit.exceeded': 'Too many requests; wait for the time in Retry-After and try again.',
  'limit.document_mails':
    'This document was mailed to this address as often as it may be in a day; wait for the time in Retry-After.',
  'limit.invitations':
    'You or your organisation have sent as many invitations as may be in a day; wait for the time in Retry-After.',
  'limit.mails': 'Your organisation has had as much mail sent as it may in an hour; wait for the time in Retry-After.',
  'dependency.unavailable': 'A service we depend on cannot be reached; try again after the time in Retry-After.',
  'internal.failure': 'Something went wrong on our side; tell us the requestId and we will find it.',

  'auth.token_missing': 'Send an access token or an API key as Authorization: Bearer <token>.',
  'auth.token_invalid': 'The token is not valid, has expired or was revoked; sign in again or refresh it.',
  'auth.token_outdated': 'What this token may do has changed since it was issued; refresh it.',
  'auth.sign_in_too_old': 'This takes a sign-in of the last ten minutes; sign in again and repeat it.',
  'auth.email_unverified': 'Verify your email address first; the code is in your mail.',
  'auth.capability_missing': 'You lack a capability that this needs; ask an administrator of your organisation for it.',
  'auth.users_only': 'API keys cannot do this; sign in as a user.',
  'auth.keys_only': 'Only an API key can do this; send the key as bearer token.',

  'credentials.wrong': 'The email, password or code is wrong.',
  'credentials.second_factor_needed':
    'This account has a second factor; send the code from your authenticator app as code.',
  'code.wrong': 'The code is wrong, was used already or has expired; ask for a new one.',
  'session.ended': 'The session has ended; sign in again.',
  'totp.already_on': 'The second factor is already on; switch it off first.',
  'totp.not_enrolled': 'Start with totp/enrol, then confirm with a code from your app.',
  'totp.not_on': 'The second factor is not on.',

  'live_mode.not_allowed': 'Live keys need the capability live_mode.use; ask an owner or administrator.',
  'live_mode.session_needed': 'This moves real money; switch the session to live mode first.',
  'organisation.duplicate': 'You already have an organisation with this tax number; switch to it instead.',
  'onboarding.incomplete': 'Onboarding cannot be completed yet; details lists what is missing.',
  'phone.code_wrong': 'The code is wrong, was used already or has expired; ask for a new one.',
  'member.above_own': 'This member may do more than you; ask someone who holds at least as much.',
  'member.last_owner': 'This is the last owner; make someone else an owner first.',
  'member.is_you': 'You cannot do this to yourself; ask another administrator, or leave the organisation.',
  'member.exists': 'This person is a member already.',
  'transfer.not_fit': 'The new owner must be another active member with a verified email address.',
  'role.above_own': 'You cannot give what you do not hold yourself; details lists what you lack.',
  'role.is_system': 'Roles of the system cannot be changed or deleted; make a role of your own.',
  'role.name_taken': 'A role with this name exists; choose another name.',
  'role.in_use': 'The role is held by members, invitations or keys; give them another role first.',
  'import.too_many': 'Five imports of your organisation are in progress. Wait until one of them is done.',
  'import.quota_reached':
    'The imports of your organisation have used up their storage. Wait until older imports are deleted after 30 days, or ask the operator for more.',
  'import.run.not_checked':
    'Only an import with the status checked or stopped can be run. Read the import to see its status.',
  'import.undo.not_done':
    'Only an import with the status done or stopped can be undone. Read the import to see its status.',
  'invitation.exists': 'This address has a pending invitation; send it again or withdraw it.',
  'invitation.not_pending': 'Only a pending invitation can be changed; make a new one.',
  'invitation.unknown': 'No invitation fits this code and address; check both, or ask for a new invitation.',
  'invitation.account_exists': 'This address has an account; send its password, or sign in and accept there.',
  'key.not_usable': 'The key is revoked or expired; create a new one.',
  'key.already_rotating': 'The key was rotated already; use the newer one.',
  'key.too_many': 'An organisation may have 100 usable keys; revoke those that are not needed.',

  'jurisdiction.unsupported': 'Invoicing is not available in the country of your organisation yet.',
  'authority.unavailable': 'The tax authority does not answer. Nothing was charged; try again later.',
  'authority.not_confirmed': 'The tax authority does not confirm this number for your organisation. Check the number.',
  'tax_connection.exists':
    'Your organisation is already connected to the tax authority. Revoke that connection before you make a new one.',
  'tax_connection.not_verified': 'The tax authority does not confirm this connection. Correct what the message names.',
  'tax_connection.no_answer': 'The tax authority does not answer. Refresh the connection later.',
  'authority.not_connected': 'Your organisation is not connected to the tax authority in this mode. Connect it first.',
  'inbound.unavailable':
    'This invoice is not among those received, and the tax authority does not answer. Try again after the time in Retry-After.',
  'sandbox.only': 'This works in the sandbox only. Use a sandbox key, or switch the session to sandbox mode.',
  'tax_report.draft': 'The tax on a draft cannot be declared. Finalise the invoice first.',
  'tax_report.refused': 'The tax authority refused this declaration. Check the values that you sent.',
  'tax_id.not_checkable':
    'The tax authority knows only the tax numbers of its own country. Leave this number unchecked; documents may carry it.',
  'buyer.tax_id_taken': 'Another buyer has this tax number; use that one, or delete it first.',
  'buyer.archived': 'The buyer is archived and cannot be changed; create a new one.',
  'buyer.no_tax_id': 'The buyer has no tax number that could be verified; add one first.',
  'seller.tax_id_taken': 'Another seller of your organisation has this tax number.',
  'seller.is_primary': 'This seller is the organisation itself and cannot be deleted.',
  'seller.in_use': 'Invoices name this seller; it cannot be deleted.',
  'seller.no_tax_id': 'The seller has no tax number that could be verified; add it to the organisation first.',
  'item.sku_taken': 'Another item has this sku; choose another one, or archive that item.',
  'item.in_use': 'Invoice lines name this item; archive it instead.',

  'invoice.number_taken':
    'Another document has or had this number, and each number is used once. Choose another number.',
  'invoice.seller_unknown': 'The seller was not found. Check sellerId, or leave it out.',
  'invoice.buyer_unknown': 'The buyer was not found. Check buyerId and the mode.',
  'invoice.buyer_archived': 'The buyer is archived. Choose another buyer, or create a new one.',
  'invoice.item_unknown': 'A saved item was not found. Details names the line.',
  'invoice.item_archived': 'A saved item is archived. Details names the line; restore the item or choose another one.',
  'invoice.original_unknown': 'No issued invoice has the number that the note refers to. Check originalInvoiceNumber.',
  'invoice.edit.not_draft': 'Only a draft can be changed. Reopen the invoice first, or correct it with a note.',
  'invoice.delete.not_draft': 'Only a draft can be deleted. Correct an issued invoice with a note.',
  'invoice.finalise.not_draft': 'This document is already finalised. Only a draft can be finalised.',
  'invoice.finalise.incomplete': 'The draft cannot be finalised yet. Details lists what is missing.',
  'invoice.reopen.not_possible': 'This invoice cannot be reopened. Details lists the reasons.',
  'invoice.send.not_finalised': 'A draft, rejected or cancelled invoice cannot be sent. Finalise the invoice first.',
  'invoice.remind.nothing_due': 'Nothing is due on this document, so there is nothing to remind the buyer of.',
  'invoice.send.no_email': 'The buyer has no email address. Add one and send the invoice again.',
  'invoice.share.not_finalised': 'Only an issued invoice can be shared. Finalise the invoice first.',
  'invoice.pay.not_payable':
    'No payment can be recorded on a draft, a cancelled invoice or a credit note. Check the status of the invoice.',
  'invoice.pay.too_much': 'The amount is more than is due. Record at most the amount due.',
  'invoice.payment_reversed': 'The payment is already reversed. Nothing is left to do.',
  'invoice.payment_collected': 'This payment came by bank transfer. Refund it in collection instead.',
  'invoice.note.not_possible':
    'A note can correct only an issued invoice that is not cancelled. Check the status of the invoice.',
  'invoice.note.nothing_left': 'This invoice is already credited in full. Nothing is left to credit.',
  'invoice.note.too_much': 'The note credits more than is left on the invoice. Details gives the amount left.',
  'invoice.submit.not_finalised': 'Only a finalised invoice can be submitted. Finalise the invoice first.',
  'invoice.submit.already_submitted': 'The invoice is already submitted. Read its status to see the outcome.',
  'invoice.submit.not_ready':
    'The tax authority would refuse this document. Correct each problem listed in details and submit again.',
  'authority.no_access':
    'This installation has no access to the tax authority in this mode. Its operator must configure the access.',
  'authority.no_answer': 'The tax authority gave no clear answer. Try again later.',
  'invoice.retry.not_failed': 'Only a failed submission can be retried. Read the status of the invoice.',
  'invoice.retry.too_many':
    'No retries are left. Call query-status: if the authority has the document, it becomes accepted; if the authority reports it absent twice, you can reopen it.',
  'invoice.cancel.not_accepted':
    'Only an invoice that the tax authority has accepted can be cancelled. Read the status of the invoice.',
  'invoice.cancel.open_notes':
    'The invoice has notes that are drafts or undecided. Delete the drafts, or wait for the tax authority, then cancel again.',
  'invoice.query.not_submitted': 'The invoice was never submitted to the tax authority. Submit it first.',
  'invoice.copy.not_signed':
    'The tax authority has no copy of this invoice yet. Submit the invoice, or wait until it is registered.',
  'document.not_drawn': 'Too many documents are being created at the moment. Try again after the time in Retry-After.',
  'invoice.download.not_accepted':
    'Only an invoice that the tax authority has accepted can be downloaded. Wait until it is accepted.',

  'webhook.too_many': 'A mode may have 50 webhook endpoints; delete those that are not needed.',
  'webhook.delivery_open': 'The delivery is still under way; wait until it has ended.',
  'webhook.endpoint_disabled': 'The endpoint is disabled; enable it first, then send its failed deliveries again.',
  'webhook.endpoint_deleted': 'The endpoint was deleted; deliver the event to another one.',
  'webhook.too_many_attempts': 'The delivery was attempted 100 times already; look at what the receiver answers.',
  'webhook.not_entitled':
    'Whoever last chose the address or the events of this endpoint may not read of such events; save it again yourself first.',
  'webhook.type_not_told': 'The endpoint speaks a form of the API that has no word for this type of event.',

  'credits.insufficient': 'You do not have enough credits. Buy credits, or wait for the next credits of your plan.',
  'billing.not_provisioned': 'The billing account is still being created. Try again in a few seconds.',
  'billing.mode_not_own':
    'An API key can read the ledger of its own mode only. Leave mode out, or use a key of that mode.',
  'checkout.currency_not_routed':
    'No payment provider of this installation takes this currency. Choose another currency.',
  'notification.not_signed':
    'The signature is missing or wrong. If you are the payment provider, check that both sides have the same secret.',
  'collection.not_routed':
    'No provider of this installation collects payments in this country, currency and mode. Choose another one.',
  'collection.account_unknown': 'The bank has no account with this number. Check the account number and the bank code.',
  'collection.no_settlement_account': 'The seller has no settlement account. Register one first.',
  'collection.not_settled_to':
    'The provider has not confirmed the seller’s settlement account, so no virtual account can be opened. The message says why.',
  'collection.reference_used': 'You used this reference for another account. Choose another reference.',
  'collection.invoice_closed':
    'This invoice takes no payment: it is a draft, cancelled or fully paid. Choose another invoice.',
  'collection.provider_away': 'The collection provider does not answer. Try again later.',
  'collection.provider_refused': 'The collection provider refuses this request. The message says why.',
  'collection.refund.too_much': 'The amount is more than is left of the payment. Details gives the largest amount.',
  'collection.refund.no_balance':
    'The operator’s balance at the collection provider is too low for this refund. Ask the operator to top it up.',
  'collection.nothing_left': 'All of this payment is applied or refunded. Nothing is left to resolve.',
  'subscription.exists':
    'Your organisation already has a subscription. Cancel it before you subscribe to another plan.',
  'subscription.not_overdue': 'This subscription is not overdue. It renews automatically.',
  'subscription.not_cancellable': 'The subscription has already ended. There is nothing to cancel.',
  'subscription.already_paid':
    'The payment provider reports that this is already paid. Read the subscription again in a few seconds.',
  'subscription.not_cancelled':
    'This subscription is not cancelled, or has ended. Only one that ends with its period can be resumed.',
} as const

export type RefusalName = keyof typeof refusals

/** Link that helps the caller, by our own name: a list to choose from, or an action. Each form has the address. */
export type Remedy = `list:${string}` | 'plans' | 'live-mode'

const remedies: Partial<Record<RefusalName, Remedy>> = { 'live_mode.session_needed': 'live-mode' }

/** One fault in a request: where, which rule, and a message for people. */
export interface Fault {
  readonly path: string
  readonly rule: string
  readonly message: string
  readonly see?: Remedy
}

export interface RefusalFacts {
  /** Replaces the text of the catalogue if a more helpful one is known. */
  readonly message?: string
  readonly details?: readonly Fault[]
  readonly retryAfterSeconds?: number
  /** The unavailable dependency, for logs and metrics only. */
  readonly away?: string
  readonly see?: Remedy
}

/**
 * Thrown inside an operation, a refusal rolls everything back. Returned from an operation, it commits first: a wrong
 * code must be counted although it is refused.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly refusal: RefusalName
  readonly details: readonly Fault[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly away: string | undefined
  readonly see: Remedy | undefined

  constructor(refusal: RefusalName, facts: RefusalFacts = {}) {
    super(facts.message ?? refusals[refusal])
    this.refusal = refusal
    this.details = facts.details
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.away = facts.away
    this.see = facts.see ?? remedies[refusal]
  }
}

export const refuse = (refusal: RefusalName, facts?: RefusalFacts): Refusal => new Refusal(refusal, facts)

/** Further faults are left out. The caller sees them on the next attempt. */
export const mostFaults = 200

export function invalid(details: readonly Fault[]): Refusal {
  if (details.length < mostFaults) return refuse('request.invalid', { details })
  const message = `Very many fields are missing or wrong. Correct the first ${mostFaults}, which are listed in details.`
  return refuse('request.invalid', { message, details: details.slice(0, mostFaults) })
}
