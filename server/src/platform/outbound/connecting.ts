import { isIP, type LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { RefusedAddress } from './failures.ts'
import type { Resolve } from './resolving.ts'

export interface ConnectOptions {
  readonly resolve: Resolve
  allowsAddress(address: string): boolean
  readonly connectMs: number
  readonly secureContext: SecureContext
  /** told of every connection that is made */
  onConnected(): void
}

/**
 * Makes connections, and only to addresses that are allowed. A name is looked up once, every address it stands for is judged,
 * and the socket is given those very addresses: whatever the name stands for a moment later, nobody asks again. One
 * address that is not allowed spoils the name, for which of them is taken would be a matter of chance.
 */
export function connectorOf(options: ConnectOptions): buildConnector.connector {
  const { resolve, allowsAddress, connectMs, secureContext, onConnected } = options

  async function judged(name: string): Promise<{ address: string; family: number }[]> {
    const addresses = await resolve(name)
    if (addresses.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' })
    if (!addresses.every(allowsAddress)) throw new RefusedAddress()
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }

  const lookup: LookupFunction = (name, { all }, callback) => {
    judged(name).then(
      (addresses) => {
        const [{ address, family }] = addresses as [{ address: string; family: number }]
        if (all) callback(null, addresses)
        else callback(null, address, family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }

  const connect = buildConnector({
    lookup,
    timeout: connectMs,
    secureContext,
    // One protocol is enough to watch over.
    allowH2: false,
    autoSelectFamily: true,
    // Node gives each of several addresses a quarter of a second, which from one continent to another may be too short.
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(connectMs / 3)),
  })

  return (to, callback) => {
    // For an address in place of a name there is no look-up.
    if (isIP(to.hostname) !== 0 && !allowsAddress(to.hostname)) {
      queueMicrotask(() => callback(new RefusedAddress(), null))
      return
    }
    connect(to, (error, socket) => {
      if (error) return callback(error, null)
      // Where it did arrive, whatever was said before.
      if (socket.remoteAddress !== undefined && !allowsAddress(socket.remoteAddress)) {
        socket.destroy()
        return callback(new RefusedAddress(), null)
      }
      onConnected()
      callback(null, socket)
    })
  }
}
