/**
 * Every refusal of the core, named after the action. The text says what is wrong and what to do. Each form maps every
 * name to a code and a status; a new name does not compile until both forms do.
 */
export const refusals = {
  'request.invalid': 'Some fields are missing or wrong. Correct each field listed in details.',
  'request.malformed': 'The request cannot be read. Check its syntax and encoding.',
  'request.not_json': 'The body is not JSON. Send one JSON value with the header Content-Type: application/json.',
  'request.too_large': 'The body is too large. Split the work into smaller requests.',
  'request.headers_too_large': 'The headers are too large. Send fewer or shorter headers.',
  'request.too_slow': 'The request took too long to arrive. Send it again over a faster connection.',
  'route.not_found': 'There is no route at this address. See the reference for the routes.',
  'route.elsewhere':
    'This form of the API does not have this route. Use the other form, or another route of this form.',
  'route.method_not_allowed':
    'This address does not take this method. The Allow header lists the methods that it takes.',
  'resource.not_found': 'The object was not found. Check the id, the organisation and the mode.',
  'version.stale': 'The object was changed since you read it. Read it again and repeat the change.',
  'state.changed': 'The object changed while the request ran. Read it again and repeat the request.',
  'idempotency.body_differs': 'This Idempotency-Key was used with another body. Use a new key for a new request.',
  'limit.exceeded': 'You have sent too many requests. Try again after the time in Retry-After.',
  'limit.document_mails':
    'This document has reached the daily limit of mails to this address. Try again after the time in Retry-After.',
  'limit.invitations':
    'You or your organisation have reached the daily limit of invitations. Try again after the time in Retry-After.',
  'limit.mails': 'Your organisation has reached its hourly limit of mails. Try again after the time in Retry-After.',
  'dependency.unavailable': 'A service that we depend on does not answer. Try again after the time in Retry-After.',
  'internal.failure': 'Something went wrong on our side. Send us the requestId, so that we can find the cause.',

  'auth.token_missing':
    'The request has no token. Send an access token or an API key as Authorization: Bearer <token>.',
  'auth.token_invalid': 'The token is invalid, expired or revoked. Refresh it, or sign in again.',
  'auth.token_outdated': 'The permissions of this token have changed since it was issued. Refresh the token.',
  'auth.sign_in_too_old': 'This action needs a sign-in less than ten minutes old. Sign in again and repeat it.',
  'auth.email_unverified': 'Your email address is not verified yet. Verify it with the code from our mail.',
  'auth.capability_missing':
    'You lack a capability that this action needs. Ask an administrator of your organisation for it.',
  'auth.users_only': 'API keys and connected programs cannot do this. Sign in as a user.',
  'auth.keys_only': 'Only an API key can do this. Send the key as the bearer token.',

  'credentials.wrong': 'The email address, password or code is wrong. Try again, or reset your password.',
  'credentials.second_factor_needed':
    'This account has a second factor. Send the code of your authenticator app as code.',
  'code.wrong': 'The code is wrong, used or expired. Request a new code.',
  'session.ended': 'The session has ended. Sign in again.',
  'totp.already_on': 'The second factor is on already. Switch it off before you set it up again.',
  'totp.not_enrolled':
    'The second factor is not set up yet. Start with totp/enrol, then confirm with a code from your app.',
  'totp.not_on': 'The second factor is off already. Signing in asks for the password alone.',

  'live_mode.not_allowed': 'Live keys need the capability live_mode.use. Ask an owner or administrator for it.',
  'live_mode.session_needed': 'This action moves real money. Switch the session to live mode first.',
  'organisation.duplicate': 'You have an organisation with this tax number already. Switch to that organisation.',
  'onboarding.incomplete': 'Onboarding cannot be completed yet. Details lists what is missing.',
  'phone.code_wrong': 'The code is wrong, used or expired. Request a new code.',
  'member.above_own': 'This member has permissions that you lack. Ask someone who has them.',
  'member.last_owner': 'This member is the last owner. Make another member an owner first.',
  'member.is_you': 'You cannot do this to yourself. Ask another administrator, or leave the organisation.',
  'member.exists': 'This person is a member already. Change their role or status instead.',
  'transfer.not_fit':
    'This person cannot become the owner. Choose another active member with a verified email address.',
  'role.above_own': 'You cannot give permissions that you lack. Details lists them.',
  'role.is_system': 'Roles of the system cannot be changed or deleted. Create a role of your own.',
  'role.name_taken': 'Another role has this name. Choose another name.',
  'role.in_use': 'Members, invitations or API keys have this role. Give them another role first.',
  'import.too_many': 'Five imports of your organisation are in progress. Wait until one of them is done.',
  'import.quota_reached':
    'The imports of your organisation have used up their storage. Wait until older imports are deleted after 30 days, or ask the operator for more.',
  'import.run.not_checked':
    'Only an import with the status checked or stopped can be run. Read the import to see its status.',
  'import.undo.not_done':
    'Only an import with the status done or stopped can be undone. Read the import to see its status.',
  'test_clock.live_mode': 'Live mode has the real time. Use a key or a session of the sandbox.',
  'test_clock.moving': 'The time of the sandbox is being moved. Wait until the move is ready.',
  'confirmation.unknown':
    'This confirmation is unknown, expired, or belongs to someone else. Prepare the action again, and confirm it within ten minutes.',
  'confirmation.too_many':
    'Your organisation has 200 prepared actions that nobody confirmed. Confirm some of them, or wait ten minutes until they expire.',
  'bulk_job.too_many': 'Five bulk jobs of your organisation are running in this mode. Wait until one of them is done.',
  'bulk_job.count_changed':
    'Another number of documents matches now. Look at the list again, then repeat the request with the new number.',
  'bulk_job.download.not_done': 'The bulk job is still running. Wait until it has ended.',
  'bulk_job.cancel.not_running': 'The bulk job has already ended. Read the job to see its status.',
  'statement_of_account.too_long':
    'The period has more than 2,000 lines, too many for one file or page. Choose a shorter period.',
  'statement_of_account.no_email': 'The buyer has no email address. Add one and send the statement of account again.',
  'statement_of_account.too_many_links':
    'This buyer has 100 links to statements of account that still work. End some of them first.',
  'invoice.dispute.not_issued':
    'Only an issued invoice can be disputed. Drafts, rejected and cancelled documents and credit notes cannot.',
  'invoice.dispute.none': 'This invoice is not disputed. Read its reminders to see what holds.',
  'invoice.promise.nothing_due':
    'Nothing is due on this document, so there is nothing to promise. Record promises for finalised invoices that are not yet paid.',
  'invoice.promise.none': 'No promise to pay is recorded for this invoice. Read its reminders to see what holds.',
  'recurring_schedule.too_many': 'Your organisation has 20,000 schedules that have not ended. End some of them first.',
  'recurring_schedule.ended': 'This schedule has ended. Create a new one.',
  'recurring_schedule.not_active': 'Only an active schedule can be paused. Read the schedule to see its status.',
  'recurring_schedule.not_paused': 'Only a paused schedule can be resumed. Read the schedule to see its status.',
  'recurring_schedule.period_made': 'The invoice of this period was made already. Read the periods to find it.',
  'quote.too_many':
    'Your organisation has 20,000 quotes that are drafts or wait for the buyer. Cancel some of them first.',
  'quote.too_many_versions': 'This quote has 50 versions, which is the limit. Duplicate it and change the copy.',
  'quote.change.not_open': 'This quote is accepted, converted or cancelled. Duplicate it and change the copy.',
  'quote.send.not_open':
    'Only a draft, or a quote that waits for the buyer, can be sent. Read the quote to see its status.',
  'quote.send.expired': 'The last valid day of this quote has passed. Choose a later day first.',
  'quote.send.incomplete': 'The quote has no buyer or seller. Details lists what to add.',
  'quote.send.no_email': 'The buyer has no email address. Add one, or send the quote without a mail.',
  'quote.share.not_sent': 'A draft cannot be shared. Send the quote first, with or without a mail.',
  'quote.decide.not_open': 'This quote does not wait for a decision. Read the quote to see its status.',
  'quote.decide.version_changed':
    'The quote has another version or total than the one that was decided about. Read the quote and decide again.',
  'quote.cancel.not_open': 'This quote is converted or cancelled already. Correct an invoice with a credit note.',
  'quote.convert.not_possible':
    'Only a quote that was sent or accepted, and not converted yet, can be converted. Read the quote to see its status.',
  'quote.convert.amounts_changed':
    'The tax rates of today give another total than that of the quote. Before the buyer accepts, change the quote. Afterwards, duplicate it. After a deposit, create the final invoice by hand.',
  'quote.convert.no_rest': 'This quote has no deposit whose final invoice is missing. Read its results.',
  'quote.convert.deposit_not_issued':
    'The deposit is a draft, or the tax authority rejected it. Issue the deposit first: the final invoice takes it off.',
  'quote.convert.deposit_changed':
    'The total of the deposit was changed by hand. Change it back, or create the final invoice by hand.',
  'tax_return.closed': 'This month is closed already. Its figures never change.',
  'tax_return.not_ended': 'This month has not ended yet. Close it after its last day.',
  'tax_return.not_next': 'Earlier months are still open. Close them first.',
  'tax_return.figures_changed': 'The payable amount has changed. Read the return again before you close the month.',
  'tax_return.rate_missing': 'A document in a foreign currency has no exchange rate for its day. Enter one first.',
  'tax_return.too_long':
    'This month has more than 20,000 lines, too many for one file. Read its documents page by page.',
  'invitation.exists': 'This address has a pending invitation. Send it again, or withdraw it first.',
  'invitation.not_pending': 'Only a pending invitation can be changed. Create a new invitation.',
  'invitation.unknown': 'No invitation matches this code and address. Check both, or ask for a new invitation.',
  'invitation.account_exists':
    'This address has an account. Send its password, or sign in and accept the invitation there.',
  'program.too_many': 'You have 50 connected programs, which is the limit. Disconnect programs that you do not need.',
  'program.limit_reached':
    'This change would exceed the limits of the connected program. Ask the person to do it, or to change the limits.',
  'key.not_usable': 'The key is revoked or expired. Create a new key.',
  'key.already_rotating': 'The key was rotated already. Use the newer key.',
  'key.too_many': 'Your organisation has 100 working keys, which is the limit. Revoke keys that are not needed.',

  'jurisdiction.unsupported':
    'Invoicing is not available in the country of your organisation yet. Check the country in the profile.',
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
  'buyer.tax_id_taken': 'Another buyer has this tax number. Use that buyer, or delete it first.',
  'buyer.archived': 'The buyer is archived and cannot be changed. Create a new buyer.',
  'buyer.no_tax_id': 'The buyer has no tax number to verify. Add one first.',
  'seller.tax_id_taken':
    'Another seller of your organisation has this tax number. Use that seller, or correct the number.',
  'seller.is_primary': 'This seller is the organisation itself and cannot be deleted. Change its details instead.',
  'seller.in_use': 'Invoices name this seller, so it cannot be deleted. Change its details instead.',
  'seller.no_tax_id': 'The seller has no tax number to verify. Add one to the organisation first.',
  'item.sku_taken': 'Another item has this sku. Choose another sku, or archive that item.',
  'item.in_use': 'Invoice lines name this item, so it cannot be deleted. Archive it instead.',

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
  'invoice.remind.held_back':
    'The invoice is disputed, its payment is promised, or its buyer gets no reminders. End this first, or email the invoice with send.',
  'invoice.remind.nothing_due': 'Nothing is due on this document. To email it again without a reminder, use send.',
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
  'invoice.cancel.not_offered':
    'The tax authority of this country does not cancel documents. Issue a credit note for what the buyer need not pay.',
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

  'webhook.too_many': 'This mode has 50 webhook endpoints, which is the limit. Delete endpoints that are not needed.',
  'webhook.delivery_open': 'The delivery is still under way. Wait until it has ended.',
  'webhook.endpoint_disabled': 'The endpoint is disabled. Enable it first, then send its failed deliveries again.',
  'webhook.endpoint_deleted': 'The endpoint was deleted. Send the event to another endpoint.',
  'webhook.too_many_attempts':
    'The delivery was attempted 100 times, which is the limit. Check the replies of the receiver.',
  'webhook.not_entitled':
    'The person who last set up this endpoint may not read such events. Save the endpoint again yourself first.',
  'webhook.type_not_told':
    'The format of the endpoint does not have this event type. Choose a type of that format, or create an endpoint in the other form.',

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
