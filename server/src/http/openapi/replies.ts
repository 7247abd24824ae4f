import type { Form, FormRoute } from '../definitions/form.ts'
import type { Content } from './document.ts'
import { replyExample, replyKey } from './reply-examples.ts'

/** The reply examples of a form: shared ones are written once. */
export class Replies {
  readonly #form: Form
  readonly #uses = new Map<string, number>()
  readonly #shared = new Map<string, { value: unknown }>()

  constructor(form: Form) {
    this.#form = form
    for (const one of form.routes) this.#uses.set(nameOf(one), (this.#uses.get(nameOf(one)) ?? 0) + 1)
  }

  exampleFor(route: FormRoute): Pick<Content['application/json'], 'example' | 'examples'> {
    const name = nameOf(route)
    const value = replyExample(this.#form, route)
    // In an operation, linters would read a value with this field as a schema.
    if (this.#uses.get(name) === 1 && !JSON.stringify(value).includes('"example":')) return { example: value }
    this.#shared.set(name, { value })
    return { examples: { shared: { $ref: `#/components/examples/${name}` } } }
  }

  shared(): Record<string, { value: unknown }> {
    return Object.fromEntries([...this.#shared].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** Replies without a token have no mode, and page replies contain the page: these have examples of their own. */
const nameOf = (one: FormRoute): string =>
  [replyKey(one), one.route.pagination ? 'Page' : '', one.route.definition.who === 'public' ? 'Public' : ''].join('')
