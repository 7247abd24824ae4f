import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * A receiver in its own process. It reports how many requests arrived and, after `watch`, when each event first
 * arrived.
 */
let count = 0
let isWatching = false
/** the pending wait for a number of requests */
let awaited: { readonly count: number; tell(): void } | undefined
const resolveAwaited = (): void => {
  if (!awaited || count < awaited.count) return
  awaited.tell()
  awaited = undefined
}
const cameAt = new Map<string, number>()

const server = createServer((request, response) => {
  request.resume().on('end', async () => {
    count++
    if (isWatching) {
      const id = `${request.url} ${request.headers['webhook-id']}`
      if (!cameAt.has(id)) cameAt.set(id, performance.timeOrigin + performance.now())
    }
    if (request.url === '/slow') await wait(10_000, undefined, { ref: false })
    response.writeHead(200).end('ok')
    resolveAwaited()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
)
const answers: Record<string, () => object> = {
  watch() {
    isWatching = true
    return {}
  },
  times: () => ({ times: [...cameAt] }),
  cpu: () => process.cpuUsage(),
  count: () => ({ count }),
}
process.on('message', (asked: string) => {
  const waitsFor = /^until (\d+)$/.exec(asked)?.[1]
  if (waitsFor === undefined) return process.send?.(answers[asked]?.() ?? {})
  awaited = { count: Number(waitsFor), tell: () => process.send?.({}) }
  resolveAwaited()
})
