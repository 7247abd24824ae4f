import type { RecurringPeriod, RecurringSchedule } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'
import { dateLocale } from '../../ui/locale.ts'

export const statusWords: Readonly<Record<RecurringSchedule['status'], readonly [Tone, string]>> = {
  active: ['good', 'Active'],
  paused: ['warn', 'Paused'],
  ended: ['neutral', 'Ended'],
}

export const policyWords: Readonly<Record<RecurringSchedule['policy'], string>> = {
  draft: 'Stays a draft',
  finalise: 'Is finalised',
  submit: 'Is finalised and submitted',
  send: 'Is finalised and sent, not submitted',
  submit_and_send: 'Is submitted, and sent when accepted',
}

/** The permissions that a person needs for a schedule with this policy. */
export const policyNeeds: Readonly<Record<RecurringSchedule['policy'], readonly string[]>> = {
  draft: ['invoice.create'],
  finalise: ['invoice.create', 'invoice.finalise'],
  submit: ['invoice.create', 'invoice.finalise', 'invoice.submit'],
  send: ['invoice.create', 'invoice.finalise', 'invoice.send_to_buyer'],
  submit_and_send: ['invoice.create', 'invoice.finalise', 'invoice.submit', 'invoice.send_to_buyer'],
}

export const catchUpWords: Readonly<Record<RecurringSchedule['catchUp'], string>> = {
  all: 'Make all of them later',
  latest: 'Make only the latest one',
  none: 'Leave them out',
}

export const billingWords: Readonly<Record<RecurringSchedule['billing'], string>> = {
  in_advance: 'The time after it',
  in_arrears: 'The time before it',
}

export const outcomeWords: Readonly<Record<RecurringPeriod['outcome'], readonly [Tone, string]>> = {
  made: ['good', 'Made'],
  waiting: ['warn', 'Waiting'],
  failed: ['bad', 'Failed'],
  skipped: ['neutral', 'Skipped'],
  missed: ['warn', 'Missed'],
}

const weekday = new Intl.DateTimeFormat(dateLocale, { weekday: 'long', timeZone: 'UTC' })
const dayAndMonth = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'long', timeZone: 'UTC' })
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinal = (number: number): string => `${number}${endings[ordinals.select(number)] ?? 'th'}`

/** The day of the month in words. Shorter months take their last day for the 29th, 30th and 31st. */
export const monthDayText = (day: number): string =>
  day === 31 ? 'the last day' : day > 28 ? `the ${ordinal(day)}, or the last day` : `the ${ordinal(day)}`

/** The rule of a schedule, such as "Every 2 months on the last day". */
export function ruleText({ unit, every, startsOn, dayOfMonth }: RecurringSchedule): string {
  const start = new Date(`${startsOn}T00:00:00Z`)
  if (unit === 'quarter_end') return 'On the last day of each quarter'
  const often = every === 1 ? `Every ${unit}` : `Every ${every} ${unit}s`
  if (unit === 'week') return `${often} on ${weekday.format(start)}`
  if (unit === 'year') return `${often} on ${dayAndMonth.format(start)}`
  return `${often} on ${monthDayText(dayOfMonth ?? start.getUTCDate())}`
}
