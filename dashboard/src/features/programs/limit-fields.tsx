import type { SpendingLimits } from '@risiti/sdk'
import { type fieldsOf, TextField } from '../../ui/index.ts'
import { decimalOf, minorOf } from '../../ui/money.ts'

export const noLimits: SpendingLimits = {
  amountMinorPerChange: null,
  amountMinorPerDay: null,
  currency: null,
  changesPerDay: null,
}

const amountText = (minor: number | null, currency: string) => (minor === null ? '' : decimalOf(minor, currency))

/** For programs of the tools alone: there, each change is confirmed and counted. */
export function LimitFields({
  limits,
  currency,
  faults,
}: {
  readonly limits: SpendingLimits
  readonly currency: string
  readonly faults: Readonly<Record<string, string>>
}) {
  return (
    <fieldset className="program-choice">
      <legend>How much it may do by itself</legend>
      <p>
        An invoice, a credit note or a payment counts with its amount. Leave a field empty for no limit. Beyond a limit,
        the program can do nothing, and you make the change yourself.
      </p>
      <TextField
        label={`Most in one change, in ${currency}`}
        name="perChange"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={amountText(limits.amountMinorPerChange, currency)}
        fault={faults['limits.amountMinorPerChange']}
      />
      <TextField
        label={`Most in a day, in ${currency}`}
        name="perDay"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={amountText(limits.amountMinorPerDay, currency)}
        fault={faults['limits.amountMinorPerDay']}
      />
      <TextField
        label="Most changes in a day"
        name="changes"
        inputMode="numeric"
        autoComplete="off"
        pattern="[0-9]{0,7}"
        defaultValue={limits.changesPerDay ?? ''}
        fault={faults['limits.changesPerDay']}
      />
    </fieldset>
  )
}

/** The typed limits, or the fields whose text is no amount. */
export function limitsIn(
  { maybe }: ReturnType<typeof fieldsOf>,
  currency: string,
): SpendingLimits | { readonly faults: Readonly<Record<string, string>> } {
  const faults: Record<string, string> = {}
  const amount = (field: string, path: string): number | null => {
    const typed = maybe(field)
    if (typed === undefined) return null
    const minor = minorOf(typed, currency)
    if (minor === undefined || minor === 0) faults[`limits.${path}`] = 'Enter an amount, such as 50,000, or nothing.'
    return minor ?? null
  }
  const amountMinorPerChange = amount('perChange', 'amountMinorPerChange')
  const amountMinorPerDay = amount('perDay', 'amountMinorPerDay')
  const changes = maybe('changes')
  const changesPerDay = changes === undefined ? null : Number(changes)
  if (changesPerDay !== null && !(changesPerDay >= 1 && changesPerDay <= 1_000_000))
    faults['limits.changesPerDay'] = 'Enter a number from 1 to 1,000,000, or nothing.'
  if (Object.keys(faults).length > 0) return { faults }
  const hasAmount = amountMinorPerChange !== null || amountMinorPerDay !== null
  return { amountMinorPerChange, amountMinorPerDay, currency: hasAmount ? currency : null, changesPerDay }
}
