import { dayInWords } from '../../kernel/document-words.ts'
import { everyText } from '../../kernel/invoice-texts.ts'
import type { InvoicePeriod } from './calendar.ts'
import type { InvoiceTemplate } from './recurring-schedule.ts'

/** Words in braces that are replaced in descriptions and texts. Other braces stay as they are. */
export function filledIn(text: string, { from, to }: InvoicePeriod): string {
  const [day, month, year] = dayInWords(from).split(' ')
  const words: Readonly<Record<string, string | undefined>> = {
    period: from === to ? dayInWords(from) : `${dayInWords(from)} – ${dayInWords(to)}`,
    from: dayInWords(from),
    to: dayInWords(to),
    day,
    month,
    year,
    quarter: `Q${Math.ceil(Number(from.slice(5, 7)) / 3)}`,
  }
  return text.replace(/\{([a-z]+)\}/g, (whole, name: string) => words[name] ?? whole)
}

/** The template with all placeholders replaced. */
export function templateFor(template: InvoiceTemplate, period: InvoicePeriod): InvoiceTemplate {
  const fill = <T extends string | null | undefined>(text: T): T =>
    (typeof text === 'string' ? filledIn(text, period) : text) as T
  return {
    ...template,
    ...everyText((name) => fill(template[name] ?? null)),
    lines: template.lines.map((line) => ({
      ...line,
      ...(line.description === undefined ? {} : { description: fill(line.description) }),
      ...(line.itemName === undefined ? {} : { itemName: fill(line.itemName) }),
    })),
  }
}
