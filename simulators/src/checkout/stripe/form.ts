import type { Metadata } from '../payment.ts'

/** A body in Stripe's bracket notation, kept flat: `a[b][0]` is just a name. */
export class Form {
  readonly #fields: URLSearchParams

  constructor(encoded: string | URLSearchParams) {
    this.#fields = new URLSearchParams(encoded)
  }

  text(name: string): string | undefined {
    return this.#fields.get(name) || undefined
  }

  metadata(name: string): Metadata {
    const inside = [...this.#fields].flatMap(([field, value]) => {
      const key = field.startsWith(`${name}[`) ? field.slice(name.length + 1, -1) : undefined
      return key === undefined ? [] : [[key, value] as const]
    })
    return Object.fromEntries(inside)
  }

  /** `expand[]=a&expand[]=b`, or numbered, as the library writes it. */
  list(name: string): string[] {
    return [...this.#fields]
      .filter(([field]) => field.startsWith(`${name}[`) && /^\[\d*\]$/.test(field.slice(name.length)))
      .map(([, value]) => value)
  }

  /** How many of `name[0]…`, `name[1]…` there are. */
  count(name: string): number {
    const fields = [...this.#fields.keys()]
    let count = 0
    while (count < fields.length && fields.some((field) => field.startsWith(`${name}[${count}]`))) count += 1
    return count
  }
}
