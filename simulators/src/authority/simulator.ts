import type { RequestRecord } from '../shared/http.ts'
import { openStore } from '../shared/json-store.ts'
import { authorityApi } from './api.ts'
import type { Fault } from './faults.ts'
import { type Entry, isListName } from './resources/lists.ts'
import { serve } from './server.ts'
import { emptyState } from './state.ts'

export interface AuthoritySimulatorOptions {
  /** a free one when absent; the host is always 127.0.0.1 */
  readonly port?: number
  /** keeps everything over a restart; without it, memory only */
  readonly storeFile?: string
  /** what `x-api-key` and `x-api-secret` must be */
  readonly apiKey: string
  readonly apiSecret: string
  readonly now?: () => Date
}

export interface AuthorityControl {
  /** until it is told another, or none */
  misbehave(fault: Fault | undefined): void
  /** what a resource route answers from now on */
  replaceList(name: string, entries: readonly Entry[]): void
  /** what clients asked for, oldest first */
  readonly requests: readonly RequestRecord[]
}

export interface AuthoritySimulator {
  /** the routes are below `/api` */
  readonly url: string
  readonly control: AuthorityControl
  close(): Promise<void>
}

export async function startAuthoritySimulator(options: AuthoritySimulatorOptions): Promise<AuthoritySimulator> {
  const { port = 0, storeFile, apiKey, apiSecret, now = () => new Date() } = options
  const store = openStore(storeFile, emptyState())
  const requests: RequestRecord[] = []
  let fault: Fault | undefined

  const { url, close } = await serve(port, {
    api: authorityApi({ store, now }, { apiKey, apiSecret }),
    fault: () => fault,
    record: (request) => requests.push(request),
    now,
  })

  return {
    url,
    control: {
      misbehave(next) {
        fault = next
      },
      replaceList(name, entries) {
        if (!isListName(name)) throw new Error(`the authority has no list ${name}`)
        store.state.lists[name] = structuredClone(entries)
        store.save()
      },
      requests,
    },
    close,
  }
}
