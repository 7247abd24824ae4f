import type { TokenCaller } from '../../kernel/callers.ts'
import { type Decimal, parseDecimal } from '../../kernel/decimal.ts'
import { type ExchangeRate, minorRateOf } from '../../kernel/exchange-rate.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { type Fault, invalid } from '../../kernel/refusals.ts'
import { readCsv } from '../../kernel/tables/csv.ts'
import { type Inside, type Outside, operation, reading } from '../../platform/operations/operation.ts'
import { jurisdictionOf } from '../reference/index.ts'
import { listRates, saveRates } from './exchange-rates.store.ts'
import { ratesInFile } from './rates-in-file.ts'

/** The entered or imported rates, newest day first. */
export const listExchangeRates = reading(
  { needs: ['invoice.stats.read'], refuses: ['request.invalid'] },
  (
    { db, caller }: Outside<TokenCaller>,
    { currency, page }: { readonly currency?: string | undefined; readonly page: PageRequest },
  ): Promise<Page<ExchangeRate>> => listRates(db, caller.tenant, currency, page),
)

/**
 * Saves rates of the day, one or a whole table. A rate of the same currency and day is replaced. Closed periods keep the
 * rates that they used.
 */
export const saveExchangeRates = operation(
  { needs: ['invoice.submit'], refuses: ['jurisdiction.unsupported', 'request.invalid'] },
  async (
    { tx, caller, ports, now, emit }: Inside<TokenCaller>,
    { rates }: { readonly rates: readonly ExchangeRate[] },
  ): Promise<{ readonly saved: number }> => {
    const faults = faultsOf(rates, jurisdictionOf(ports, caller).currency)
    if (faults.length > 0) throw invalid(faults)
    return await saveChecked({ tx, caller, ports, now, emit }, rates)
  },
)

type SaveContext = Pick<Inside<TokenCaller>, 'tx' | 'caller' | 'ports' | 'now' | 'emit'>

/** Saves rates without faults, and emits the event. */
async function saveChecked(
  { tx, caller, ports, now, emit }: SaveContext,
  rates: readonly ExchangeRate[],
): Promise<{ readonly saved: number }> {
  const { tenant } = caller
  const { currency: home } = jurisdictionOf(ports, caller)
  await saveRates(
    tx,
    tenant,
    rates.map((rate) => ({ ...rate, minorRate: minorRateOf(rate, home) })),
    now,
  )
  const days = rates.map(({ day }) => day).toSorted()
  emit(
    'organization.exchange_rates_saved',
    { ...tenant, objectId: tenant.organisationId },
    {
      currencies: [...new Set(rates.map(({ currency }) => currency))].toSorted(),
      rates: rates.length,
      from: days[0] as string,
      to: days.at(-1) as string,
    },
  )
  return { saved: rates.length }
}

/**
 * Imports the rates of a CSV file with the columns currency, day and rate. Nothing is saved if a row has a fault; every
 * fault is reported, with the number of its row.
 */
export const importExchangeRates = operation(
  { needs: ['invoice.submit'], refuses: ['jurisdiction.unsupported', 'request.invalid'] },
  async (context: Inside<TokenCaller>, { content }: { readonly content: string }) => {
    const { rates, faults } = ratesInFile(readCsv(content), jurisdictionOf(context.ports, context.caller).currency)
    if (faults.length > 0) throw invalid(faults)
    return await saveChecked(context, rates)
  },
)

/** Every fault, with the place of the rate in the list. */
export function faultsOf(rates: readonly ExchangeRate[], home: string): Fault[] {
  const seen = new Set<string>()
  return rates.flatMap(({ currency, day, rate }, at): Fault[] => {
    const key = `${currency} ${day}`
    const isRepeated = seen.has(key)
    seen.add(key)
    const { units } = parseDecimal(rate) as Decimal
    const fault = (field: string, rule: string, message: string): Fault => ({
      path: `rates[${at}].${field}`,
      rule,
      message,
    })
    return [
      ...(currency === home ? [fault('currency', 'foreign', `must not be ${home}, the currency of your country`)] : []),
      ...(isRepeated ? [fault('day', 'unique', `has a second rate for ${key}`)] : []),
      ...(units <= 0n ? [fault('rate', 'positive', 'must be more than zero')] : []),
    ]
  })
}
