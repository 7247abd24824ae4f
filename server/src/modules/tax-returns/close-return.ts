import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { exactMinor } from '../../kernel/exact-json.ts'
import { newId } from '../../kernel/ids.ts'
import { moneyInWords } from '../../kernel/money-words.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { readingNeeds, readReturn, rulesOf, stateOf, type TaxReturn } from './read-return.ts'
import { daysOf, type TaxPeriod } from './tax-periods.ts'
import { findWithoutRate, insertReturn, largestConvertedMinor, lockReturns } from './tax-returns.store.ts'

interface MonthToClose {
  readonly period: TaxPeriod
  /** what the caller saw; a month with other figures stays open */
  readonly expectedPayableMinor: bigint | undefined
}

/** Closes a month. Its figures never change again; later changes of its documents are exceptions of the next month. */
export const closeTaxReturn = operation(
  {
    needs: [...readingNeeds, 'invoice.submit'],
    refuses: [
      'jurisdiction.unsupported',
      'tax_return.closed',
      'tax_return.not_ended',
      'tax_return.not_next',
      'tax_return.rate_missing',
      'tax_return.figures_changed',
    ],
  },
  async (context: Inside<TokenCaller>, { period, expectedPayableMinor }: MonthToClose): Promise<TaxReturn> => {
    const { tx, caller, ports, now, emit } = context
    const { tenant } = caller
    const jurisdiction = jurisdictionOf(ports, caller)
    const rules = rulesOf(jurisdiction)
    await lockReturns(tx, tenant)
    const { before, next = period } = await stateOf(tx, tenant, jurisdiction)
    if (period <= before) throw refuse('tax_return.closed')
    if (daysOf(period).to >= businessDay(now, jurisdiction.zone)) throw refuse('tax_return.not_ended')
    if (period !== next)
      throw refuse('tax_return.not_next', { message: `Close the earlier months first, from ${next} on.` })
    const missing = await findWithoutRate(tx, tenant, rules, period)
    if (missing)
      throw refuse('tax_return.rate_missing', {
        message: `A document of ${missing.documentDate} is in ${missing.currency}, and that day has no exchange rate, or one that makes the document larger than ${moneyInWords(largestConvertedMinor, rules.currency)}. Enter the right rate first.`,
      })
    const closed = await insertReturn(tx, tenant, rules, { id: newId(), period, now })
    const payableMinor = closed.outputTaxMinor - closed.inputTaxMinor
    if (expectedPayableMinor !== undefined && expectedPayableMinor !== payableMinor)
      throw refuse('tax_return.figures_changed', {
        message: `The payable amount is now ${moneyInWords(payableMinor, closed.currency)}, not ${moneyInWords(expectedPayableMinor, closed.currency)}. Read the return again before you close the month.`,
      })
    emit(
      'tax_return.closed',
      { ...tenant, objectId: closed.id },
      {
        taxReturnId: closed.id,
        period,
        currency: closed.currency,
        outputTaxMinor: exactMinor(closed.outputTaxMinor),
        inputTaxMinor: exactMinor(closed.inputTaxMinor),
        payableMinor: exactMinor(payableMinor),
        closedAt: closed.closedAt.toISOString(),
      },
    )
    return await readReturn({ db: tx, ports, now }, tenant, jurisdiction, period)
  },
)
