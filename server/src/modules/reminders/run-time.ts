import { businessDay, dayAfter, instantAt, startOfDay } from '../../kernel/days.ts'

/** When reminders go out on a day. Where clocks skip midnight, the first hour begins later, and never on the day before. */
export const runOn = (day: string, hour: number, zone: string): Date =>
  hour === 0 ? startOfDay(day, zone) : instantAt(day, `${String(hour).padStart(2, '0')}:00:00`, zone)

/** The first moment after now at which clocks of the time zone show the hour. */
export function nextRunAfter(now: Date, hour: number, zone: string): Date {
  const today = businessDay(now, zone)
  const run = runOn(today, hour, zone)
  return run > now ? run : runOn(dayAfter(today), hour, zone)
}

/** The day of the next run. */
export const nextRunDay = (now: Date, nextAt: Date, zone: string): string =>
  businessDay(nextAt > now ? nextAt : now, zone)
