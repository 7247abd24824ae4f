import { type Refusal, refuse } from '../../kernel/refusals.ts'
import type { Form } from '../definitions/form.ts'

export interface ServedRoute {
  readonly method: string
  readonly url: string
}

const shapes = new Map<string, RegExp>()

function matches(template: string, path: string): boolean {
  let shape = shapes.get(template)
  if (!shape) {
    const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    shape = new RegExp(`^${literal.replace(/\{\w+\}|:\w+/g, '[^/]+')}/?$`)
    shapes.set(template, shape)
  }
  return shape.test(path)
}

const livesIn = (form: Form, method: string, path: string): Refusal =>
  refuse('route.elsewhere', {
    message: `Only Form ${form.name} has this route. Call ${method} ${form.prefix}${path} instead.`,
  })

/** An id here may be a word that only the other form has: `buyers/setup` beside `buyers/{id}`. */
export function wordElsewhere(forms: readonly Form[], form: Form, method: string, url: string): Refusal | undefined {
  const path = url.slice(form.prefix.length)
  if (form.routes.some(({ route }) => route.path === path)) return undefined
  const other = forms.find(
    (one) => one !== form && one.routes.some(({ route }) => route.method === method && route.path === path),
  )
  return other && livesIn(other, method, path)
}

/** Why no route matched: the method is wrong, only the other form has the route, or neither has. */
export function whereItLives(
  served: readonly ServedRoute[],
  forms: readonly Form[],
  form: Form,
  method: string,
  url: string,
): { refusal: Refusal; allow?: string[] } {
  // A word of the other form looks like an id here, so the methods for ids would mislead.
  const word = wordElsewhere(forms, form, method, url)
  if (word) return { refusal: word }
  const allow = served.filter((route) => matches(route.url, url)).map((route) => route.method)
  if (allow.length > 0) return { refusal: refuse('route.method_not_allowed'), allow: [...new Set(allow)].sort() }
  const path = url.slice(form.prefix.length) || '/'
  for (const other of forms.filter((one) => one !== form))
    if (other.routes.some(({ route }) => route.method === method && matches(route.path, path)))
      return { refusal: livesIn(other, method, path) }
  return {
    refusal: refuse('route.not_found', {
      message: `There is no route at this address. See the reference at ${form.prefix}/docs.`,
    }),
  }
}
