interface KnownDay {
  readonly format: Intl.DateTimeFormat
  minute: number
  day: string
}

const zones = new Map<string, KnownDay>()

/**
 * Calendar day of an instant in a time zone, as `2026-01-31`. Cached per minute, because a day always begins at a full
 * minute.
 */
export function businessDay(instant: Date, zone: string): string {
  let known = zones.get(zone)
  if (!known) {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    known = { format, minute: Number.NaN, day: '' }
    zones.set(zone, known)
  }
  const minute = Math.floor(instant.getTime() / 60_000)
  if (minute !== known.minute) {
    known.minute = minute
    // Years before 1000 have fewer digits in this format.
    known.day = known.format.format(instant).padStart('2026-01-31'.length, '0')
  }
  return known.day
}

/** Clock of each time zone, and its known offsets from UTC by minute. */
interface Clocks {
  readonly format: Intl.DateTimeFormat
  readonly aheadMs: Map<number, number>
}
const clocks = new Map<string, Clocks>()

/** Bounds the cache. An entry that was dropped is computed again. */
const mostMinutes = 10_000

function clocksOf(zone: string): Clocks {
  let known = clocks.get(zone)
  if (!known) {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    known = { format, aheadMs: new Map() }
    clocks.set(zone, known)
  }
  return known
}

/**
 * Offset of a time zone from UTC at an instant, in milliseconds. Cached per minute, because offsets change at full
 * minutes.
 */
export function aheadMs(instant: Date, zone: string): number {
  const { format, aheadMs: found } = clocksOf(zone)
  const minute = Math.floor(instant.getTime() / 60_000)
  let ahead = found.get(minute)
  if (ahead === undefined) {
    const parts = format.formatToParts(instant)
    const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value)
    // The last hours of the year 9999 are in the year 10000 of zones ahead, which text cannot express.
    const shown = new Date(Date.UTC(2000, 0, 1, part('hour'), part('minute'), part('second')))
    shown.setUTCFullYear(part('year'), part('month') - 1, part('day'))
    ahead = shown.getTime() - Math.floor(instant.getTime() / 1000) * 1000
    if (found.size >= mostMinutes) found.clear()
    found.set(minute, ahead)
  }
  return ahead
}

/**
 * The instant at which clocks of a time zone show this day and time. For a time that clocks show twice or never, the
 * result is at most one hour off.
 */
export function instantAt(day: string, time: string, zone: string): Date {
  const shown = new Date(`${day}T${time}Z`)
  const first = new Date(shown.getTime() - aheadMs(shown, zone))
  return new Date(shown.getTime() - aheadMs(first, zone))
}

const hourMs = 3_600_000

/**
 * The first moment of a day. Clocks that skip midnight show the day for the first time at 01:00, and clocks that show
 * midnight twice begin the day at the first one.
 */
export function startOfDay(day: string, zone: string): Date {
  const shown = instantAt(day, '00:00:00', zone)
  const before = new Date(shown.getTime() - hourMs)
  if (businessDay(before, zone) === day) return before
  return businessDay(shown, zone) < day ? new Date(shown.getTime() + hourMs) : shown
}

const dayMs = 24 * hourMs

/** The day so many days later, or earlier for a negative number. Days are counted in the calendar, where each has 24 hours. */
export const dayAfter = (day: string, days = 1): string =>
  businessDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs), 'UTC')

/** From one day to another; negative if the other one is earlier. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** A day that exists in the calendar: `2026-02-30` does not pass. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (!year || !month || !day || month > 12) return false
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}
