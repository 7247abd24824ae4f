import type { Form, FormRoute } from '../kernel/form.ts'
import type { Content } from './document.ts'
import { replyExample, replyKey } from './reply-examples.ts'

/** The examples of what a form answers: those that several operations share are written once. */
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
    // A value with a field of that name would be taken for a schema by linters, where it stands in an operation.
    if (this.#uses.get(name) === 1 && !JSON.stringify(value).includes('"example":')) return { example: value }
    this.#shared.set(name, { value })
    return { examples: { shared: { $ref: `#/components/examples/${name}` } } }
  }

  shared(): Record<string, { value: unknown }> {
    return Object.fromEntries([...this.#shared].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** Whoever calls without a token has no mode, and a page says which it is: these are examples of their own. */
const nameOf = (one: FormRoute): string =>
  [replyKey(one), one.route.pagination ? 'Page' : '', one.route.definition.who === 'public' ? 'Public' : ''].join('')
