import type { EventType } from './events.ts'

/** When each type is emitted, and what its payload holds. Published in both OpenAPI documents, the reference and the list of event types. */
export const eventDescriptions: Readonly<Record<EventType, string>> = {
  'organization.created': 'An organisation was created. The payload has its name, country and parent.',
  'organization.updated': 'The profile of the organisation changed. The payload names the fields that changed.',
  'organization.phone_verified': 'The telephone number of the organisation was verified. The payload has the number.',
  'organization.onboarding_completed':
    'The organisation has finished its onboarding. It is emitted once. The payload has the name of the organisation.',
  'organization.credit_pool_changed':
    'The rules by which a parent shares its credits with its children changed. The payload has the new rules.',
  'organization.child_parted': 'A child organisation left this one. The payload has the name of the child.',
  'organization.parted': 'The organisation left its parent. The payload has the parent.',
  'organization.subscription_tier_changed':
    'The organisation is on another plan. The payload has the code of the new plan.',
  'organization.exchange_rates_saved':
    'Exchange rates of foreign currencies were entered or imported. The payload has their currencies and days.',
  'tax_return.closed': 'A month of the tax return was closed. The payload is its totals, which never change.',
  'organization.tax_number_verified':
    'The tax authority confirmed the tax number of the organisation. The payload has the number.',

  'member.joined': 'A person became a member of the organisation. The payload has the email address and the role.',
  'member.updated': 'The name or telephone number of a member changed. The payload has the new values.',
  'member.removed': 'A person is no longer a member: removed by somebody, or left. The payload says which.',
  'member.role_changed':
    'A member has another role, or other permissions beyond the role. The payload has the role before and after, or the role and the extra permissions.',
  'member.status_changed':
    'A membership was suspended, deactivated or restored. The payload has the status before and after, and the reason.',
  'member.second_factor_removed':
    'The second factor of a member was switched off for them. The payload has the email address of the member.',
  'member.change_asked':
    'An administrator asked for a change of a member’s account that the member has to confirm. The payload says what is to change.',

  'invitation.created': 'A person was invited to the organisation. The payload has the email address and the role.',
  'invitation.resent': 'An invitation was mailed again. The payload has the email address and the role.',
  'invitation.withdrawn':
    'An invitation was withdrawn, by a member or because the member who invited has left. The payload has the email address.',
  'invitation.accepted': 'An invitation was accepted. The payload has the email address.',
  'invitation.expired': 'An invitation expired without an answer. The payload has the email address.',

  'role.created': 'A role of the organisation’s own was created. The payload is the role.',
  'role.updated': 'A role of the organisation’s own changed. The payload is the role after the change.',
  'role.deleted': 'A role of the organisation’s own was deleted. The payload has its name.',

  'api_key.created': 'An API key was created. The payload has its name and mode, never the key itself.',
  'api_key.updated': 'An API key was renamed. The payload has the name before and after.',
  'api_key.capabilities_changed': 'What an API key may do changed. The payload lists what it may do from now on.',
  'api_key.rotated': 'An API key was replaced by a new one. The payload says when the old key stops working.',
  'api_key.revoked': 'An API key was revoked and stopped working. The payload has its name and mode.',
  'api_key.expired': 'An API key reached its expiry time. The payload has its name and mode.',

  'connected_program.created':
    'A member connected a program, which can now act for the member. The payload lists what it may do.',
  'connected_program.updated': 'What a connected program may do changed. The payload lists what it may do from now on.',
  'connected_program.ended': 'A connected program was disconnected. The payload has its name and the reason.',

  'seller.created': 'A seller was created. The payload is the seller.',
  'seller.updated': 'A seller changed. The payload is the seller after the change.',
  'seller.deleted': 'A seller was deleted. The payload is the seller as it was.',
  'seller.tax_id_verified': 'The tax authority confirmed the tax number of a seller. The payload is the seller.',
  'seller.tax_id_verification_failed':
    'The tax authority did not confirm the tax number of a seller. The payload is the seller; `status` says why.',

  'tax_connection.connected':
    'The organisation is connected to the tax authority and can submit. The payload is the connection.',
  'tax_connection.failed':
    'The tax authority did not accept the connection. The payload is the connection; `problem` says why.',
  'tax_connection.key_file_stored':
    'A key file of the authority was stored. The payload has its fingerprint, not the file.',
  'tax_connection.revoked': 'The connection to the tax authority was ended. The payload is the connection.',

  'buyer.created': 'A buyer was created. The payload is the buyer.',
  'buyer.updated': 'A buyer changed. The payload is the buyer after the change, with the fields that changed.',
  'buyer.deleted': 'A buyer was deleted. The payload is the buyer as it was.',
  'buyer.archived': 'A buyer that documents refer to was removed from the lists. The payload is the buyer.',
  'buyer.statement_sent':
    'A statement of account was sent to a buyer by email. The payload is the buyer, the period and the address.',
  'buyer.statement_shared':
    'A public link to the statement of account of a buyer was created. The payload is the buyer, the period and the link without its secret.',
  'buyer.statement_unshared':
    'A public link to the statement of account of a buyer was ended. The payload is that of the link.',
  'buyer.reminders_changed':
    'Whether a buyer gets reminders of the plan was changed. The payload is the buyer and the new setting.',
  'buyer.tax_id_verified': 'The tax authority confirmed the tax number of a buyer. The payload is the buyer.',
  'buyer.tax_id_verification_failed':
    'The tax authority did not confirm the tax number of a buyer. The payload is the buyer; its tax number status says why.',

  'item.created': 'A saved item was created. The payload is the item.',
  'item.updated': 'A saved item changed. The payload is the item after the change.',
  'item.deleted': 'A saved item was deleted. The payload is the item as it was.',
  'item.archived': 'A saved item was archived and is no longer offered. The payload is the item.',
  'item.unarchived': 'An archived item is offered again. The payload is the item.',

  'invoice.created': 'An invoice, note or prepayment was created, as a draft. The payload is the document.',
  'invoice.updated': 'A draft changed. The payload is the document after the change, with the fields that changed.',
  'invoice.deleted': 'A draft was deleted. The payload is the document as it was.',
  'invoice.finalised': 'A document was finalised: its number and content are fixed. The payload is the document.',
  'invoice.reopened': 'A finalised or rejected document became a draft again. The payload is the document.',
  'invoice.sent':
    'A document, or a reminder to pay it, was mailed to the buyer. The payload is the document and the address.',
  'invoice.reminder_sent':
    'The reminder plan mailed a reminder to the buyer. It is emitted once for each invoice of the mail. The payload is the document, the step of the plan and the amount due. Reminders that a person or program sends are `invoice.sent` with `reminder`.',
  'invoice.reminder_not_sent':
    'A reminder was queued, and its mail then left this invoice out, for example because the buyer has paid. The payload is the document, the step of the plan and the reason. It follows `invoice.reminder_sent`, or `invoice.sent` with `reminder`.',
  'invoice.disputed':
    'An invoice was marked as disputed by the buyer, or the reason changed. The payload is the document and the reason. The reminder plan leaves the invoice out.',
  'invoice.dispute_resolved': 'The dispute of an invoice was resolved. The payload is the document.',
  'invoice.payment_promised':
    'A promise of the buyer to pay an invoice was recorded. The payload is the document and the day. The reminder plan leaves the invoice out until the day has passed.',
  'invoice.payment_promise_withdrawn': 'The promise to pay an invoice was removed. The payload is the document.',
  'invoice.shared': 'A public link to a document was created. The payload is the document, without the link.',
  'invoice.unshared': 'The public link to a document was withdrawn. The payload is the document.',
  'invoice.payment_recorded':
    'A payment of an invoice was recorded, by hand or because money was received. The payload is the invoice and the payment.',
  'invoice.payment_reversed': 'A recorded payment was taken back. The payload is the invoice and the payment.',
  'invoice.paid':
    'Nothing is left to pay of an invoice. Sent again when a paid invoice was reopened and is finalised. The payload is the invoice with the amounts paid and due.',
  'invoice.queued': 'A document was submitted and waits to be sent to the tax authority. The payload is the document.',
  'invoice.signed':
    'The tax authority has registered the document under its own number. The payload is the document with that number.',
  'invoice.transmitted':
    'The document was handed to the network that takes it to the buyer. The payload is the document.',
  'invoice.accepted': 'The tax authority accepted the document. The payload is the document.',
  'invoice.rejected':
    'The tax authority rejected the document, or the invoice that the document corrects. The payload is the document with the reasons. Correct it, then submit it again.',
  'invoice.submission_failed':
    'The authority gave no usable answer in all automatic attempts. The payload is the document; `outcome` says what the authority has.',
  'invoice.reporting_due':
    'A document has to be reported soon and is not. The payload is the document with the deadline.',
  'invoice.retry_scheduled': 'A failed submission is tried again. The payload is the document.',
  'invoice.cancellation_requested':
    'Somebody cancelled a reported invoice. The payload is the invoice; the credit note that cancels it is on its way to the authority.',
  'invoice.cancelled': 'The invoice is cancelled at the tax authority. The payload is the invoice.',
  'invoice.status_changed':
    'The status of a document changed in a way that has no type of its own, or the buyer’s side received it. The payload is the document.',

  'bulk_job.completed':
    'A bulk job has ended: all documents had their turn, or somebody cancelled it, or it was stopped. The payload has the number of documents by outcome.',

  'test_clock.advancing':
    'The time of the sandbox is being moved forward. The payload has the times before and after the move.',
  'test_clock.ready':
    'The sandbox has its new time, and everything that was due until then has happened. The payload is the move.',
  'test_clock.stopped':
    'A move of the time of the sandbox kept failing and was stopped. The payload is the move; the sandbox has the time of `reachedAt`.',
  'reminder_plan.updated': 'The reminder plan was saved. The payload is the plan without its templates.',

  'recurring_schedule.created': 'A schedule of recurring invoices was created. The payload is the schedule.',
  'recurring_schedule.updated':
    'The contents of a schedule of recurring invoices changed, or a period will be skipped. The payload is the schedule.',
  'recurring_schedule.paused': 'A schedule of recurring invoices was paused. The payload is the schedule.',
  'recurring_schedule.resumed': 'A paused schedule of recurring invoices goes on. The payload is the schedule.',
  'recurring_schedule.ended':
    'A schedule of recurring invoices makes no further invoices. The payload is the schedule.',
  'recurring_schedule.invoice_made':
    'A schedule made the invoice of a period. The payload is the schedule, the period and the invoice.',
  'recurring_schedule.period_waiting':
    'The invoice of a period could not be made, for a reason that may pass, such as missing credits. It is tried again every hour, for three days. The payload is the schedule, the period and the reason.',
  'recurring_schedule.period_failed':
    'The invoice of a period could not be made. The payload is the schedule, the period and the reason. Run the period again after you have removed the reason.',

  'quote.created': 'A quote or proforma invoice was created, as a draft. The payload is the quote.',
  'quote.updated':
    'The contents of a quote changed. If the buyer has the quote, `versionNumber` is that of the new version. The payload is the quote.',
  'quote.sent':
    'A quote was opened for the buyer, or sent again. The payload is the quote and the address of the mail.',
  'quote.shared': 'A public link to a quote was created. The payload is the quote.',
  'quote.unshared': 'The public link to a quote was ended. The payload is the quote.',
  'quote.accepted': 'The buyer accepted a quote. The payload is the quote and the decision.',
  'quote.declined': 'The buyer declined a quote. The payload is the quote and the decision.',
  'quote.expired':
    'The last valid day of a quote has passed without a decision. It is emitted once for each last day. The payload is the quote.',
  'quote.converted':
    'A quote became a document: an invoice, a deposit, or the final invoice after a deposit. The payload is the quote and the document.',
  'quote.cancelled': 'A quote was withdrawn. The payload is the quote.',

  'inbound_invoice.received':
    'An invoice of a supplier arrived over the network. It is emitted once for each. The payload is the received invoice.',

  'billing.account.status_changed': 'The billing account was opened. The payload has its status.',
  'billing.balance.updated': 'The credit balance changed. The payload has the change and the new balance.',
  'billing.balance.low':
    'The credit balance fell below the threshold that you set. The payload has the balance and the threshold.',
  'billing.credits.purchased': 'Bought credits were added to the balance. The payload is the payment.',
  'billing.payment.created': 'A payment to us was started. The payload is the payment.',
  'billing.payment.succeeded': 'A payment to us succeeded. The payload is the payment.',
  'billing.payment.failed': 'A payment to us failed. The payload is the payment.',
  'billing.payment.expired': 'A payment to us was not completed in time. The payload is the payment.',
  'billing.payment.refunded': 'A payment to us was refunded, in whole or in part. The payload is the payment.',
  'billing.payment.disputed': 'The payer disputes a payment to us at the bank. The payload is the payment.',
  'billing.payment.charged_back': 'The bank took a disputed payment back. The payload is the payment.',
  'billing.subscription.created':
    'A subscription was started and waits for its payment. The payload is the subscription.',
  'billing.subscription.activated': 'A subscription was paid and is active. The payload is the subscription.',
  'billing.subscription.renewed': 'A subscription was paid for a further period. The payload is the subscription.',
  'billing.subscription.cancelled':
    'A subscription was cancelled. It ends with the period that is paid. The payload is the subscription.',
  'billing.subscription.resumed': 'A cancelled subscription goes on after all. The payload is the subscription.',
  'billing.subscription.past_due': 'A renewal was not paid when it was due. The payload is the subscription.',
  'billing.subscription.payment_failed':
    'A renewal could not be charged. We try again. The payload is the subscription with the payment, or the reason.',
  'billing.subscription.payment_failed_final':
    'A renewal could not be charged in all attempts. The payload is the subscription.',
  'billing.subscription.expired': 'A subscription has ended. The payload is the subscription; `endReason` says why.',

  'collection.settlement_updated':
    'The bank account that a seller’s money is settled to was set or changed, a provider answered about it, or money was paid out. `change` says which. The payload has the bank, the last digits of the account number and the payout.',
  'collection.account_opened': 'A virtual account was opened. The payload is the account.',
  'collection.account_deactivated': 'A virtual account was deactivated. The payload is the account and the reason.',
  'collection.payment_received':
    'Money was received on a virtual account. The payload is the received payment, before it is matched.',
  'collection.payment_reconciled':
    'How a received payment is matched changed. The payload is the received payment, with the status before.',
  'collection.payment_applied':
    'Received money was applied to invoices, or a person assigned it to another buyer. The payload is the received payment, with the amounts and the invoices.',
  'collection.payment_refunded': 'Received money was sent back. The payload is the received payment and the refund.',
  'collection.refund_failed':
    'A refund could not be made. The payload is the received payment, the refund and the reason.',
  'collection.difference_found':
    'The books of the payment provider and ours differ. The payload is the received payment; `difference` says in what.',

  'webhook_endpoint.created':
    'A webhook endpoint was created. The payload has its host and subscriptions, never its secret.',
  'webhook_endpoint.updated': 'A webhook endpoint changed. The payload names the fields that changed.',
  'webhook_endpoint.secret_rotated':
    'The secret of a webhook endpoint was replaced. The payload says until when the old secret signs too.',
  'webhook_endpoint.disabled': 'A webhook endpoint was disabled and receives nothing more. The payload has the cause.',
  'webhook_endpoint.enabled': 'A disabled webhook endpoint was enabled again. The payload is the endpoint.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted. The payload is the endpoint as it was.',
  'webhook_endpoint.pinged':
    'A test that somebody asked for. It goes to that one endpoint, marked `test: true`. The payload is the endpoint.',
}
