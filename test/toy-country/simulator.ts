import { StubServer } from '../harness/stub-server.ts'
import type { ToyDocument } from './rules.ts'

interface Held {
  readonly bytes: string
  readonly document: ToyDocument
  questions: number
  number: string | undefined
}

export interface ToySimulator {
  readonly url: string
  readonly held: ReadonlyMap<string, Held>
  close(): Promise<void>
}

/** How often the authority answers "processing" before it decides. */
const questionsUntilDecided = 2

/**
 * The toy authority: it takes a document, decides after a few questions, and gives the number. It refuses documents
 * above a million.
 */
export async function startToyAuthority(): Promise<ToySimulator> {
  const server = await new StubServer().start()
  const held = new Map<string, Held>()
  const refusalOf = ({ total }: ToyDocument) => (total > 1_000_000 ? 'The total is above one million.' : undefined)
  server.answer = ({ method, path, body }) => {
    if (path === '/health') return { body: {} }
    const [, id] = /^\/businesses\/([^/]+)$/.exec(path) ?? []
    if (id) return { body: { id, name: 'Penguin Stores', taxCard: 'T-4711' } }
    if (method === 'POST' && path === '/documents') {
      const document = JSON.parse(body) as ToyDocument
      if (!held.has(document.key)) held.set(document.key, { bytes: body, document, questions: 0, number: undefined })
      return { status: 202, body: { state: 'processing' } }
    }
    const [, key = '', copy] = /^\/documents\/([^/]+)(\/copy)?$/.exec(path) ?? []
    const found = held.get(key)
    if (!found) return { status: 404, body: {} }
    if (copy) return { body: found.bytes }
    found.questions++
    if (found.questions <= questionsUntilDecided) return { body: { state: 'processing' } }
    const reason = refusalOf(found.document)
    if (reason) return { body: { state: 'refused', reason } }
    found.number ??= `TOY-${String([...held.values()].filter(({ number }) => number).length + 1).padStart(6, '0')}`
    return { body: { state: 'registered', number: found.number } }
  }
  return { url: server.url, held, close: () => server[Symbol.asyncDispose]() }
}
