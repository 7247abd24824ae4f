import type { Command } from 'commander'
import { usage } from '../failures.ts'
import type { Io } from '../io.ts'
import { printData } from '../output.ts'
import { more } from '../resources.ts'
import type { RouteTable } from '../route-table.ts'
import { routes } from '../routes.gen.ts'
import { announce, openSession } from '../session.ts'
import { type BodyFlags, bodyFrom } from '../values.ts'
import { type GlobalFlags, leaf } from './leaf.ts'

interface ApiFlags extends GlobalFlags, BodyFlags {
  readonly idempotencyKey?: string
  readonly ifMatch?: string
  readonly accept?: string
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const shapes = Object.values(routes as RouteTable).flatMap((named) =>
  Object.values(named).map(([method, path, traits]) => ({
    method,
    shape: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    isKeyed: traits.includes('k'),
  })),
)
/** Form B knows the same routes under other paths; a key is harmless where the service ignores it, so retries need a known route. */
const honoursKey = (method: string, path: string): boolean =>
  shapes.some((one) => one.isKeyed && one.method === method && one.shape.test(path.split('?')[0] as string))

export function addApi(program: Command, io: Io): void {
  const command = leaf(program, 'api')
    .description('Send any request of the API, in either form: risiti api GET /form-b/a/v1/auth/me')
    .argument('<method>', methods.join(', '))
    .argument('<path>', 'path with its query, such as /i/v1/buyers?limit=5')
    .option('--data <json>', 'the body: JSON, @file, or - for stdin')
    .option('--set <name=text>', 'set a field of the body: name=text, or name:=json', more)
    .option('--idempotency-key <key>', 'repeat the command with this key: it takes effect once')
    .option('--if-match <etag>', 'change the object only if it is still in this version')
    .option('--accept <type>', 'media type of the reply, such as text/csv')
  command.action(async (given: string, path: string) => {
    const flags = command.opts() as ApiFlags
    const method = given.toUpperCase()
    if (!methods.includes(method)) throw usage(`The method must be one of ${methods.join(', ')}.`)
    if (!/^\/(?!\/)/.test(path)) throw usage('The path must begin with one slash, such as /i/v1/invoices.')
    const session = await openSession(io, flags)
    const body = await bodyFrom(io, flags)
    if (body !== undefined && method === 'GET') throw usage('A GET request has no body.')
    if (method !== 'GET') await announce(io, session)
    const idempotencyKey = flags.idempotencyKey ?? (honoursKey(method, path) ? crypto.randomUUID() : undefined)
    const reply = await session.client.request(method, path, body, {
      idempotencyKey,
      ifMatch: flags.ifMatch,
      as: flags.accept,
    })
    printData(io, reply, flags.json === true)
  })
}
