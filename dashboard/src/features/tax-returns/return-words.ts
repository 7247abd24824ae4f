import type { TaxReturnFigure, TaxReturnSummary } from '@risiti/sdk'
import { monthText } from '../../ui/dates.ts'
import { money, type Tone } from '../../ui/index.ts'

type Section = TaxReturnFigure['section']

export const sectionWords: Readonly<Record<Section, string>> = {
  output: 'Output tax: your invoices',
  output_notes: 'Your credit and debit notes',
  input: 'Input tax: received invoices',
  input_notes: 'Received credit and debit notes',
  not_claimable: 'Received, but not deductible',
}

export const sections = Object.keys(sectionWords) as readonly Section[]

export const isSection = (text: string | undefined): text is Section => sections.some((section) => section === text)

/** The state of a month in words. */
export function statusOf({ status, canClose }: Pick<TaxReturnSummary, 'status' | 'canClose'>): readonly [Tone, string] {
  if (status === 'closed') return ['good', 'Closed']
  return canClose ? ['warn', 'Ready to close'] : ['info', 'Open']
}

/** The difference of output and input tax, with its name. */
export const payable = ({
  payableMinor,
  currency,
}: Pick<TaxReturnSummary, 'payableMinor' | 'currency'>): readonly [name: string, amount: string] => [
  payableMinor < 0 ? 'In your favour' : 'To pay',
  money(Math.abs(payableMinor), currency),
]

/** The name of a figure. That of an exception begins with its closed month. */
export function figureText({ label, rate }: Pick<TaxReturnFigure, 'label' | 'rate'>): string {
  return rate === null ? label : `${label}, ${rate} %`
}

export const exceptionText = (period: string, section: Section): string =>
  `${monthText(period)} · ${sectionWords[section]}`
