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
