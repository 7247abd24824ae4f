interface Known {
  readonly format: Intl.DateTimeFormat
  minute: number
  day: string
}

const zones = new Map<string, Known>()

/** The calendar day of an instant in a time zone, as `2026-01-31`. Days begin on the minute, so it is asked for once in each. */
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
    known.day = known.format.format(instant)
  }
  return known.day
}

/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
function aheadMs(instant: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    ...({
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    } as const),
  }).formatToParts(instant)
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? ''
  const shown = `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}Z`
  return Date.parse(shown) - Math.floor(instant.getTime() / 1000) * 1000
}

/** The instant at which a zone's clocks show this day and time. Of a time that they show twice or never, one that is an hour off at most. */
export function instantAt(day: string, time: string, zone: string): Date {
  const shown = new Date(`${day}T${time}Z`)
  const first = new Date(shown.getTime() - aheadMs(shown, zone))
  return new Date(shown.getTime() - aheadMs(first, zone))
}
