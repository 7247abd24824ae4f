const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day of an instant in a time zone, as `2026-01-31`. */
export function businessDay(instant: Date, zone: string): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(zone, format)
  }
  return format.format(instant)
}
