import { technical } from './technical.ts'

const reloadPage = 'This page does not fit the running version of Risiti. Reload the page and try again.'
const signedOut = 'You were signed out. Sign in again, for example in another tab, and try again here.'
const notHere = 'This no longer exists, or it belongs to another organisation or to the other mode.'

/** The words of the pages for refusals whose message speaks to programs. */
const wordsByReason: Readonly<Record<string, string>> = {
  'request.invalid': 'Some fields are missing or wrong. Correct the marked fields.',
  'request.malformed': reloadPage,
  'request.not_json': reloadPage,
  'request.too_large': 'This is too large to be sent at once. Send less at a time.',
  'request.headers_too_large': reloadPage,
  'request.too_slow': 'Sending took too long. Check your connection and try again.',
  'route.not_found': reloadPage,
  'route.elsewhere': reloadPage,
  'route.method_not_allowed': reloadPage,
  'resource.not_found': notHere,
  'version.stale': 'Somebody changed this in the meantime. Reload the page and repeat your change.',
  'state.changed': 'This changed while Risiti worked on it. Try again.',
  'idempotency.body_differs':
    'Risiti completed your first request, but its reply was lost. Close this window and check the result before you send anything else.',
  'internal.failure': 'Something went wrong in Risiti. Try again. If it happens again, tell the operator.',
  'auth.token_missing': signedOut,
  'auth.token_invalid': signedOut,
  'session.ended': signedOut,
  'auth.token_outdated': 'Your permissions have changed. Reload the page.',
  'auth.capability_missing': 'You may not do this. Ask an administrator of your organisation for the permission.',
  'auth.users_only': 'Only a person who is signed in can do this.',
  'auth.keys_only': 'Only a program with an API key can do this.',
  'credentials.second_factor_needed': 'This account has a second factor. Enter the code of your authenticator app.',
  'totp.not_enrolled':
    'The second factor is not set up yet. Set it up first, then confirm it with a code from your app.',
  'live_mode.not_allowed': 'Live keys need the permission to use live mode. Ask an owner or an administrator for it.',
  'onboarding.incomplete': 'Something is still missing. Complete the marked fields.',
  'import.run.not_checked': 'Only an import that was checked or stopped can run.',
  'import.undo.not_done': 'Only an import that is done or stopped can be undone.',
  'test_clock.live_mode': 'Live has the real time. Switch to the sandbox.',
  'test_clock.moving': 'The time of the sandbox is being moved. Wait until that is done.',
  'bulk_job.cancel.not_running': 'This action has already ended.',
  'bulk_job.download.not_done': 'This action is still running. Wait until it has ended.',
  'bulk_job.count_changed': 'The number of invoices has changed in the meantime. Check the new number and try again.',
  'bulk_job.too_many': 'Five actions on many invoices are running. Wait until one of them is done.',
  'key.already_rotating': 'This key was replaced already. Use the newer key.',
  'tax_connection.exists': 'You are already connected to the tax authority. Disconnect before you connect again.',
  'item.sku_taken': 'Another item has this SKU. Choose another SKU, or archive that item.',
  'invoice.seller_unknown': 'The seller of this invoice no longer exists.',
  'invoice.buyer_unknown': 'The buyer of this invoice no longer exists. Choose another buyer.',
  'invoice.item_unknown': 'A saved item no longer exists. Choose another item in the marked line.',
  'invoice.item_archived': 'A saved item is archived. Restore the item, or choose another one in the marked line.',
  'invoice.original_unknown': 'The invoice that the note corrects was not found.',
  'invoice.remind.held_back':
    'The invoice is disputed, its payment is promised, or the buyer gets no reminders. End this first.',
  'invoice.remind.nothing_due': 'Nothing is due on this invoice.',
  'invoice.send.not_finalised': 'A draft, rejected or cancelled invoice cannot be sent. Finalise the invoice first.',
  'invoice.submit.already_submitted': 'This invoice is already submitted.',
  'invoice.retry.not_failed': 'Only a failed submission can be tried again.',
  'invoice.retry.too_many':
    'No tries are left. Check the status: if the tax authority has the document, the document becomes accepted. If the authority says twice that it does not have the document, you can correct it and submit it again.',
  'invoice.cancel.not_accepted': 'Only an invoice that the tax authority has accepted can be cancelled.',
  'limit.document_mails': 'This document was emailed to this buyer too often today. Try again tomorrow.',
  'billing.mode_not_own': 'An API key sees only the credits of its own mode.',
  'notification.not_signed': 'The signature is missing or wrong.',
  'subscription.already_paid': 'This is already paid. Reload the page in a few seconds.',
}

/** Hints for programs inside of messages that are fit for people otherwise. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/after the time in `?Retry-After`?/g, 'in a few minutes'],
  [/ ?Details (?:lists|names|gives)[^.;]*(?:\.|; )/g, ''],
  [/ ?Correct each (?:field|problem|thing) listed in details( and submit again)?\./g, ' Correct it$1.'],
  [/ ?Read (?:its|the) status[^.]*\./g, ''],
  [/ ?Read the (?:job|import) to see its status\./g, ''],
  [/, with the same Idempotency-Key if it had one/g, ''],
  [/\b(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}(?:\.\d+)?Z/g, '$1 $2 (UTC)'],
]

/** For a message that only a program understands, and that has no words of its own yet. */
export const unclear = 'This is not possible. Check what you entered and try again.'

/** What is wrong and what to do. Without a reason, something between the browser and the service answered. */
export function refusalWords(reason: string | undefined, message: string): string {
  if (reason === undefined) return 'Risiti cannot be reached at the moment. Try again in a minute.'
  const known = wordsByReason[reason]
  if (known !== undefined) return known
  const plain = hints.reduce((text, [hint, words]) => text.replaceAll(hint, words), message).trim()
  return technical.test(plain) ? unclear : plain
}
