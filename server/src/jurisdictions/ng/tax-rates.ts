interface DatedRate {
  readonly category: string
  readonly percent: string
  /** the first day of the rate */
  readonly from: string
}

/**
 * VAT Act 1993, s. 4 (5 %); Finance Act 2019, s. 38, in force on 1 February 2020 (7.5 %), kept by the Nigeria Tax Act
 * 2025.
 */
const rates: readonly DatedRate[] = [
  { category: 'STANDARD_VAT', percent: '5', from: '1994-01-01' },
  { category: 'STANDARD_VAT', percent: '7.5', from: '2020-02-01' },
  { category: 'ZERO_VAT', percent: '0', from: '1994-01-01' },
  { category: 'EXEMPTED', percent: '0', from: '1994-01-01' },
]

export const taxRateOn = (category: string, day: string): string | undefined =>
  rates.findLast((rate) => rate.category === category && rate.from <= day)?.percent
