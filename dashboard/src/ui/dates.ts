import { dateLocale } from './locale.ts'

const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** A business day such as 2026-11-15, independent of the reader's time zone. */
export const dayText = (isoDay: string): string => day.format(new Date(`${isoDay}T00:00:00Z`))

const month = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A month such as 2026-11. */
export const monthText = (isoMonth: string): string => month.format(new Date(`${isoMonth}-01T00:00:00Z`))

/** Writes each day inside a sentence of the service, such as 2026-11-15, in the reader's way. */
export const withDays = (sentence: string): string => sentence.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, dayText)

/** In the reader's time zone. */
export const momentText = (iso: string): string => moment.format(new Date(iso))

const second = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** With seconds, so that the order of close moments is visible. */
export const secondText = (iso: string): string => second.format(new Date(iso))

/** The start of a day in the reader's time zone, as a moment for the API. `daysLater`: of a day after it. */
export function startOfDay(isoDay: string, daysLater = 0): string {
  const [year = 0, month = 1, date = 1] = isoDay.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

interface BusinessTime {
  readonly timeZone: string
  /** how far the sandbox is ahead of the real time; 0 in live mode */
  readonly aheadSeconds: number
}

let business: BusinessTime | undefined

/** The time of the organisation, known after the sign-in. */
export function learnBusinessTime(time: BusinessTime): void {
  business = time
}

/** The current day of the organisation, in its time zone. It may differ from the day where the reader is. */
export function today(now = Date.now()): string {
  const { timeZone, aheadSeconds = 0 } = business ?? {}
  // Sweden writes days as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now + aheadSeconds * 1_000)
}
