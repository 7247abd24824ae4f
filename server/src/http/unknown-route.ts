import { type Refusal, refuse } from '../kernel/refusals.ts'
import type { Form } from './form.ts'

const shapes = new Map<string, RegExp>()

function matches(template: string, path: string): boolean {
  let shape = shapes.get(template)
  if (!shape) {
    shape = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`)
    shapes.set(template, shape)
  }
  return shape.test(path)
}

/** Why nothing was served: the method is wrong, the other form has it, or it exists nowhere. */
export function whereItLives(
  forms: readonly Form[],
  form: Form,
  method: string,
  url: string,
): { refusal: Refusal; allow?: string[] } {
  const path = url.slice(form.prefix.length) || '/'
  const allow = form.routes.filter(({ route }) => matches(route.path, path)).map(({ route }) => route.method)
  if (allow.length > 0) return { refusal: refuse('route.method_not_allowed'), allow: [...new Set(allow)].sort() }
  for (const other of forms) {
    if (other === form) continue
    const found = other.routes.some(({ route }) => route.method === method && matches(route.path, path))
    if (found)
      return {
        refusal: refuse('route.elsewhere', {
          message: `This lives in Form ${other.name} only: call ${method} ${other.prefix}${path} instead.`,
        }),
      }
  }
  return {
    refusal: refuse('route.not_found', {
      message: `Nothing is served at this address; see the reference at ${form.prefix}/docs.`,
    }),
  }
}
