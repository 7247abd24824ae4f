const programs: readonly (readonly [string, RegExp])[] = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /Safari\//],
  ['curl', /^curl\//],
  ['Postman', /^PostmanRuntime\//],
  ['Node.js', /^node\b|^undici\b/],
  ['Python', /^python-/i],
]
const systems: readonly (readonly [string, RegExp])[] = [
  ['Android', /Android/],
  ['iPhone or iPad', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh/],
  ['Linux', /Linux/],
]

const nameIn = (list: typeof programs, userAgent: string): string | undefined =>
  list.find(([, shape]) => shape.test(userAgent))?.[0]

/**
 * A fixed name of a program, such as `Firefox on Windows`. An attacker chooses the header, and its text must not reach
 * a mail.
 */
export function programName(userAgent: string): string {
  const program = nameIn(programs, userAgent)
  const system = nameIn(systems, userAgent)
  if (program === undefined) return system === undefined ? 'unknown' : `unknown, on ${system}`
  return system === undefined ? program : `${program} on ${system}`
}
