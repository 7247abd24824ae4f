/** A former defect, and how to bring it back. */
export interface Mend {
  /** what is true with the fix */
  readonly name: string
  readonly changes: readonly { readonly file: string; readonly mended: string; readonly broken: string }[]
  /** the check that finds the defect, by the first word of its faults */
  readonly caughtBy: string
}

const submissions = 'server/src/modules/submissions'
const amountDecides = {
  file: 'server/src/modules/invoices/life/moves.store.ts',
  mended: "l.status <> 'cancelled' and l.payable_minor > (",
  broken: "l.status <> 'cancelled' and l.payable_minor < 0 and l.payable_minor > (",
}

/** The defects that the walk must find. `npm run walk:prove` brings each back and walks. */
export const mends: readonly Mend[] = [
  {
    name: 'an invoice with open notes is not cancelled',
    changes: [
      amountDecides,
      {
        file: `${submissions}/state/obstacles.ts`,
        mended: 'if (notes.length === 0) return',
        broken: 'if (notes.length >= 0) return',
      },
    ],
    caughtBy: 'identity',
  },
  {
    name: 'a cancelling note that was made smaller cancels nothing',
    changes: [
      amountDecides,
      {
        file: `${submissions}/submitting/submit-invoice.ts`,
        mended: 'return (await creditsTheRest(tx, caller.tenant, original, invoice)) ? original.id : undefined',
        broken: 'return original.id',
      },
    ],
    caughtBy: 'identity',
  },
  {
    name: 'a cancelled invoice and the note that cancels it come to zero',
    changes: [
      {
        file: 'server/src/modules/invoices/listing/turnover.ts',
        mended: 'if (!counts(row)) continue',
        broken: "if (!counts(row) || row.status === 'cancelled') continue",
      },
    ],
    caughtBy: 'overview',
  },
  {
    name: 'a failed refund of a transfer that was taken back brings no money back',
    changes: [
      {
        file: 'server/src/modules/collection/refunding/settle-refund.ts',
        mended: 'if (before.reversedAt !== null) {',
        broken: 'if (before.reversedAt !== null && refund.amountMinor < 0n) {',
      },
    ],
    caughtBy: 'money',
  },
  {
    name: 'a refund is taken first from invoices that owe it',
    changes: [
      {
        file: 'server/src/modules/collection/applying/move-money.ts',
        mended: 'const takenMinor = smallest(smallest(share.amountMinor, owedMinor), left)',
        broken: 'const takenMinor = smallest(owedMinor, 0n)',
      },
    ],
    caughtBy: 'refund',
  },
  {
    name: 'credit that gets another owner is in the ledger',
    changes: [
      {
        file: 'server/src/modules/collection/applying/resolve-exception.ts',
        mended: 'const releasedMinor = buyerId === before.buyerId ? 0n : before.creditedMinor',
        broken: 'const releasedMinor = 0n',
      },
    ],
    caughtBy: 'money',
  },
  {
    name: 'a rejected credit note counts no more',
    changes: [
      {
        file: 'server/src/modules/invoices/life/moves.store.ts',
        mended: 'credited_minor = i.credited_minor - coalesce(m.uncredited_minor, 0)',
        broken: 'credited_minor = i.credited_minor',
      },
    ],
    caughtBy: 'identity',
  },
  {
    name: 'the payment status that the authority knows is the one in the document',
    changes: [
      {
        file: `${submissions}/submitting/submit-invoice.ts`,
        mended: 'paymentInDocument: paymentStatus,',
        broken: "paymentInDocument: invoice.declaredPaymentStatus === 'paid' ? 'paid' : 'pending',",
      },
    ],
    caughtBy: 'payment status',
  },
  {
    name: 'an invoice that a credit settles is reported as paid',
    changes: [
      {
        file: `${submissions}/asking/report-payment.ts`,
        mended: "'invoice.payment_reversed', 'invoice.paid', 'invoice.updated', 'invoice.accepted'],",
        broken: "'invoice.payment_reversed', 'invoice.accepted'],",
      },
    ],
    caughtBy: 'payment status',
  },
]
