import { type AuthoritySimulator, type AuthoritySimulatorOptions, startAuthoritySimulator } from './index.ts'

export const keys = { apiKey: '3f0c7a52-5d0e-4b7e-9d55-0f3f5a1f2b10', apiSecret: 'simulated-secret' }
export const keyHeaders = { 'x-api-key': keys.apiKey, 'x-api-secret': keys.apiSecret }

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** the answer as JSON; fails when it is none */
  json(): { readonly data: Readonly<Record<string, unknown>>; readonly [field: string]: unknown }
}

/** Somebody with keys, and an authority to use them at; for tests. */
export interface TestClient extends AsyncDisposable {
  readonly simulator: AuthoritySimulator
  ask(method: string, path: string, more?: RequestInit): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
}

export async function startClient(own: Partial<AuthoritySimulatorOptions> = {}): Promise<TestClient> {
  const simulator = await startAuthoritySimulator({ ...keys, ...own })
  const ask: TestClient['ask'] = async (method, path, more = {}) => {
    const response = await fetch(`${simulator.url}${path}`, { method, headers: keyHeaders, ...more })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
  }
  return {
    simulator,
    ask,
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, { body: JSON.stringify(body) }),
    [Symbol.asyncDispose]: () => simulator.close(),
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The error envelope, without the id, which must be there. */
export function failureIn(answer: Answer): Record<string, unknown> {
  const { error, ...envelope } = answer.json()
  const { id, ...rest } = error as { id: string }
  if (!uuid.test(id)) throw new Error(`${id} is no error id`)
  return { status: answer.status, ...envelope, error: rest }
}

export const failed = (status: number, error: object): object => ({
  status,
  code: status,
  data: null,
  message: 'error has occurred',
  error,
})
