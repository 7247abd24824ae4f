import type { Answers } from './answers.ts'
import type { Endpoints } from './endpoint.ts'
import type { Route, SpeaksAll } from './speak.ts'
import type { ToldWebhook } from './told-webhook.ts'

/** One dialect of the API: where it lives, what it serves and how it says no. */
export interface Form {
  readonly name: 'A' | 'B'
  readonly title: string
  readonly description: string
  /** before every path: empty, or `/form-b` */
  readonly prefix: string
  readonly routes: readonly FormRoute[]
  /** what exists only in the other form */
  readonly elsewhere: readonly { readonly method: string; readonly path: string }[]
  readonly answers: Answers
  /** what it sends to receivers, and under which headers */
  readonly webhooks?: { readonly headers: Readonly<Record<string, string>>; readonly requests: readonly ToldWebhook[] }
}

export interface FormRoute {
  readonly module: string
  readonly name: string
  readonly route: Route
}

type About = Pick<Form, 'name' | 'title' | 'description' | 'prefix' | 'answers' | 'webhooks'>

export function form<E extends Endpoints>(endpoints: E, about: About, spoken: SpeaksAll<E>): Form {
  const routes: FormRoute[] = []
  const elsewhere: { method: string; path: string }[] = []
  for (const [module, group] of Object.entries(endpoints)) {
    for (const [name, endpoint] of Object.entries(group)) {
      const speech = (spoken[module as keyof E] as SpeaksAll<Endpoints>[string])[name]
      if (speech === undefined) throw new Error(`form ${about.name} says nothing about ${module}.${name}`)
      if ('elsewhere' in speech) elsewhere.push({ method: endpoint.method, path: endpoint.path })
      else routes.push({ module, name, route: speech.route })
    }
  }
  return { ...about, routes, elsewhere }
}
