/**
 * What enum values mean, for fields of several objects that have the same values. A field of one object has its
 * meaning beside it.
 */
export const meaningOf = {
  documentTypes:
    '`standard`: an invoice. `credit_note` and `debit_note`: corrections of an invoice. `prepayment`: an invoice for a payment in advance.',
  invoiceKinds:
    '`B2B`, `B2C` and `B2G`: a business invoices a business, a consumer or the government. `G2B`: the government invoices a business.',
  quoteTypes: '`quote`: an offer. `proforma`: an offer in the form of an invoice, which asks for payment in advance.',
  quoteStatuses:
    '`draft`: only you see it. `sent`: waits for the buyer. `accepted` and `declined`: the decision. `expired`: the last valid day has passed without a decision. `converted`: it became an invoice or a deposit. `cancelled`: withdrawn.',
  decisions: 'Whether the buyer `accepted` or `declined` the quote.',
  partyTypes:
    'a person (`individual`), a `company`, a `partnership`, a charity (`non_profit`) or a public body (`government`)',
  taxIdStatuses:
    '`unverified`: never checked. `pending`: a check runs. `verified`: the authority knows the number under this name. `not_found`: it does not know the number. `name_mismatch`: registered under another name. `unavailable`: the authority did not answer.',
  taxIdTypes:
    '`tin`: taxpayer number of the organisation’s country. `rn`: its company registration number. `foreign`: number of another country. `none`: no number.',
  paymentKinds:
    '`credit_purchase`: a package of credits. `subscription`: the first period of a plan. `renewal`: a later period.',
  paymentStatuses:
    '`pending`: the provider awaits payment. `succeeded`: paid. `failed`: declined. `expired`: the checkout ended unpaid, after an hour or because the subscription was cancelled. Money that arrives later still counts. `partially_refunded`, `refunded`: a part or all went back. `disputed`: the card owner objects. `charged_back`: the dispute was lost.',
  subscriptionStatuses:
    '`pending_payment`: the first payment is awaited. `active`: the current period is paid. `past_due`: the current period is not paid yet, and it is charged again for up to 14 days. `expired`: the subscription has ended.',
  endReasons:
    '`not_paid`: the first payment failed or expired. `cancelled`: a user cancelled it. `overdue`: a period was not paid within 14 days. `money_returned`: its payment was refunded or charged back.',
  reconciliation:
    '`pending`: recorded, not matched yet. `applied`: all of it is on invoices or went back. `overpaid`: a part is the buyer’s credit. `unmatched`: a part matches nothing.',
  differences:
    'On the provider’s statement of account: `missing_here` (we lacked it), `missing_there` (the provider lacks it), `amount`, `currency`, `refunded` (the refunded amounts differ). In the payout to the seller: `not_settled` (missing after four days), `settled_amount` (another amount), `settled_reversed` (paid out although the sender’s bank took it back).',
  keyStatuses:
    '`active`: the key works. `rotating`: it works until `stopsAt` beside its replacement. `revoked`: a user revoked it, or its replacement has taken over. `expired`: its expiry date has passed.',
  keyStatusesLeft:
    '`active`: the key works. `rotating`: it works until its replacement takes over. `revoked`: a user revoked it, or its replacement has taken over. `expired`: its expiry date has passed.',
  memberStatuses:
    '`active`: can act for the organisation. `suspended` and `deactivated`: cannot act until somebody with the capability `member.restore` restores the membership.',
  memberChanges: 'the `name`, the telephone number (`phone`) or the second factor (`second_factor`)',
  deliveryStatuses:
    '`pending`: waits to be sent, for the first time or again after a person asked for it or the endpoint was enabled. `delivering`: is being sent. `retrying`: waits for its next attempt. `delivered`: the receiver took it. `failed`: it was given up.',
  disabledCauses: 'by a member (`manual`), after `failures`, or because it answered 410 (`gone`)',
  recurrenceUnits:
    '`week`: `every` weeks apart, on the weekday of `startsOn`. `month`: `every` months apart, on `dayOfMonth`. `quarter_end`: on 31 March, 30 June, 30 September and 31 December. `year`: `every` years apart, on the day of `startsOn`; 29 February becomes 28 February in other years.',
  catchUps:
    'What happens to days that passed in an outage. `all`: every period gets its invoice. `latest`: only the last one. `none`: only the period of today.',
  policies:
    '`draft`: it stays a draft. `finalise`: it is issued. `submit`: it is issued and submitted to the tax authority. `send`: it is issued and emailed to the buyer, and not submitted. `submit_and_send`: it is issued and submitted, and emailed when the authority has accepted it.',
  scheduleStatuses:
    '`active`: makes invoices. `paused`: makes none until you resume it. `ended`: makes no further invoices.',
  buyerScopes:
    '`all`: every buyer except those that are set to `never`. `chosen`: only buyers that are set to `chosen`.',
  buyerChoices:
    '`by_plan`: gets reminders if the plan is for all buyers. `chosen`: gets reminders also if the plan is for chosen buyers only. `never`: gets none.',
  heldBackReasons:
    '`plan_off`: reminders are off. `not_issued`: a draft. `not_owed`: the document is rejected, cancelled, being cancelled, or of another buyer now. `nothing_due`: nothing is left to pay. `no_due_date`, `no_buyer`, `no_email`: the due date, the saved buyer or the buyer’s email address is missing. `buyer_never`: the buyer gets no reminders. `buyer_not_chosen`: the plan is for chosen buyers only. `disputed`: the buyer disputes the invoice. `promised`: the day of the buyer’s promise has not passed. `covered`: money of the buyer is here that no invoice has taken yet. `below_minimum`: all further steps leave out so small an amount. `no_step_left`: the plan has no further step, or this step no more.',
  actors:
    '`user`: a person, also through a connected program. `api_key`: an API key. `system`: an automatic job. `service`: not used yet.',
  receivableAges:
    '`not_due`: the due date has not passed, or there is none. `1_30`, `31_60`, `61_90`: days since the due date, from the first to the last. `over_90`: more than 90 days.',
} as const
