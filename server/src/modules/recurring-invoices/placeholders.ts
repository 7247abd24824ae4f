import type { Wording } from '../../kernel/languages/wording.ts'
import type { Fault } from '../../kernel/refusals.ts'
import { everyField, noDays, textLengths, type WrittenFields } from '../../kernel/written-fields.ts'
import type { InvoicePeriod } from './calendar.ts'
import type { InvoiceTemplate } from './recurring-schedule.ts'

/** Words in braces that are replaced in descriptions and texts, in the language of the buyer. Other braces stay as they are. */
export function filledIn(text: string, { from, to }: InvoicePeriod, wording: Wording): string {
  const [year = '', month = '', day = ''] = from.split('-')
  const words: Readonly<Record<string, string | undefined>> = {
    period: from === to ? wording.day(from) : `${wording.day(from)} – ${wording.day(to)}`,
    from: wording.day(from),
    to: wording.day(to),
    day: String(Number(day)),
    month: wording.month(from),
    year,
    quarter: wording.say('period.quarter', { number: String(Math.ceil(Number(month) / 3)) }),
  }
  return text.replace(/\{([a-z]+)\}/g, (whole, name: string) => (Object.hasOwn(words, name) && words[name]) || whole)
}

/** The template with all placeholders replaced. Its days are null: only people know which period they bill for. */
export function templateFor(
  template: InvoiceTemplate,
  period: InvoicePeriod,
  wording: Wording,
): InvoiceTemplate & WrittenFields {
  const fill = <T extends string | null | undefined>(text: T): T =>
    (typeof text === 'string' ? filledIn(text, period, wording) : text) as T
  const written: Partial<WrittenFields> = template
  return {
    ...template,
    ...everyField((name) => fill(written[name] ?? null)),
    ...noDays,
    lines: template.lines.map((line) => ({
      ...line,
      ...(line.description === undefined ? {} : { description: fill(line.description) }),
      ...(line.itemName === undefined ? {} : { itemName: fill(line.itemName) }),
    })),
  }
}

/** As on every invoice that a person writes. */
export const longestDescription = 500

/** The texts that are longer than an invoice can have, now that their placeholders are replaced. */
export function faultsOfFilled({
  lines,
  ...written
}: Pick<InvoiceTemplate, 'lines'> & Partial<WrittenFields>): Fault[] {
  const faultOf = (path: string, text: string | null | undefined, longest: number): Fault[] =>
    (text ?? '').length <= longest
      ? []
      : [{ path, rule: 'maxLength', message: `is longer than ${longest} characters with its placeholders replaced` }]
  return [
    ...lines.flatMap(({ description }, at) =>
      faultOf(`invoice.lineItems[${at}].description`, description, longestDescription),
    ),
    ...textLengths.flatMap(([name, maxLength]) => faultOf(`invoice.${name}`, written[name], maxLength)),
  ]
}
