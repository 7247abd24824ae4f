import type { WebhookFormat } from '../../modules/webhooks/index.ts'
import type { Answers } from '../reply/answers.ts'
import type { FormRoutes, Route } from './describe-route.ts'
import type { PublishedWebhook } from './published-webhook.ts'
import type { RouteDefinitions } from './route-definition.ts'

/** One format of the API: where it lives, what it serves and how it says no. */
export interface Form {
  readonly name: 'A' | 'B'
  readonly title: string
  readonly description: string
  /** before every path; empty for the form at `/` */
  readonly prefix: string
  readonly routes: readonly FormRoute[]
  /** routes that exist only in another form */
  readonly elsewhere: readonly { readonly method: string; readonly path: string }[]
  readonly answers: Answers
  /** what the form sends to receivers, in which format and with which headers */
  readonly webhooks?: {
    readonly format: WebhookFormat
    readonly headers: Readonly<Record<string, string>>
    readonly requests: readonly PublishedWebhook[]
  }
}

export interface FormRoute {
  readonly module: string
  readonly name: string
  readonly route: Route
}

type About = Pick<Form, 'name' | 'title' | 'description' | 'prefix' | 'answers' | 'webhooks'>

export function form<E extends RouteDefinitions>(definitions: E, about: About, described: FormRoutes<E>): Form {
  const routes: FormRoute[] = []
  const elsewhere: { method: string; path: string }[] = []
  for (const [module, group] of Object.entries(definitions)) {
    for (const [name, definition] of Object.entries(group)) {
      const description = (described[module as keyof E] as FormRoutes<RouteDefinitions>[string])[name]
      if (description === undefined) throw new Error(`form ${about.name} says nothing about ${module}.${name}`)
      if ('elsewhere' in description) elsewhere.push({ method: definition.method, path: definition.path })
      else routes.push({ module, name, route: description.route })
    }
  }
  return { ...about, routes, elsewhere }
}
