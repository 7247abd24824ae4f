import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { exactMinor } from '../../kernel/exact-json.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, operation } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { nextToClose, readingNeeds, readReturn, rulesOf, type TaxReturn } from './read-return.ts'
import { daysOf, type TaxPeriod } from './tax-periods.ts'
import { findWithoutRate, insertReturn, lockReturns, readState } from './tax-returns.store.ts'

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
    ],
  },
  async (context: Inside<TokenCaller>, { period }: { readonly period: TaxPeriod }): Promise<TaxReturn> => {
    const { tx, caller, ports, now, emit } = context
    const { tenant } = caller
    const jurisdiction = jurisdictionOf(ports, caller)
    const rules = rulesOf(jurisdiction)
    await lockReturns(tx, tenant)
    const state = await readState(tx, tenant)
    const last = state.closed[0]?.period
    if (last !== undefined && period <= last) throw refuse('tax_return.closed')
    if (daysOf(period).to >= businessDay(now, jurisdiction.zone)) throw refuse('tax_return.not_ended')
    const next = nextToClose(state) ?? period
    if (period !== next)
      throw refuse('tax_return.not_next', { message: `Close the earlier months first, from ${next} on.` })
    const missing = await findWithoutRate(tx, tenant, rules, period)
    if (missing)
      throw refuse('tax_return.rate_missing', {
        message: `A document of ${missing.documentDate} is in ${missing.currency}, and there is no exchange rate for that day. Enter one first.`,
      })
    const closed = await insertReturn(tx, tenant, rules, { id: newId(), period, now })
    emit(
      'tax_return.closed',
      { ...tenant, objectId: closed.id },
      {
        taxReturnId: closed.id,
        period,
        currency: closed.currency,
        outputTaxMinor: exactMinor(closed.outputTaxMinor),
        inputTaxMinor: exactMinor(closed.inputTaxMinor),
        payableMinor: exactMinor(closed.outputTaxMinor - closed.inputTaxMinor),
        closedAt: closed.closedAt.toISOString(),
      },
    )
    return await readReturn({ db: tx, ports, now }, tenant, jurisdiction, period)
  },
)
