/** A closed month. Amounts are whole minor units. */
export interface TaxReturnPayload {
  readonly taxReturnId: string
  /** as `2026-01` */
  readonly period: string
  readonly currency: string
  readonly outputTaxMinor: number
  readonly inputTaxMinor: number
  /** output tax less input tax; negative if the business gets money back */
  readonly payableMinor: number
  readonly closedAt: string
}

export interface ExchangeRatesPayload {
  readonly currencies: readonly string[]
  /** how many rates were saved */
  readonly rates: number
  /** the first and the last day that got a rate */
  readonly from: string
  readonly to: string
}
