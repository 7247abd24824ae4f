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
  /** called for every new connection */
  onConnected(): void
}

/**
 * Connects only to allowed addresses. A name is resolved once, every resulting address is checked, and the socket gets those addresses: a
 * later DNS change has no effect. One forbidden address forbids the name, because the choice among its addresses is random.
 */
export function connectorOf(options: ConnectOptions): buildConnector.connector {
  const { resolve, allowsAddress, connectMs, secureContext, onConnected } = options

  async function checkAddresses(name: string): Promise<{ address: string; family: number }[]> {
    const addresses = await resolve(name)
    if (addresses.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' })
    if (!addresses.every(allowsAddress)) throw new RefusedAddress()
    return addresses.map((address) => ({ address, family: isIP(address) }))
  }

  const lookup: LookupFunction = (name, { all }, callback) => {
    checkAddresses(name).then(
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
    // HTTP/1.1 only: one protocol is enough to check.
    allowH2: false,
    autoSelectFamily: true,
    // Node gives each of several addresses 250 ms, which may be too short between continents.
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(connectMs / 3)),
  })

  return (to, callback) => {
    // An IP address instead of a name needs no lookup.
    if (isIP(to.hostname) !== 0 && !allowsAddress(to.hostname)) {
      queueMicrotask(() => callback(new RefusedAddress(), null))
      return
    }
    connect(to, (error, socket) => {
      if (error) return callback(error, null)
      // Checks the address of the actual connection as well.
      if (socket.remoteAddress !== undefined && !allowsAddress(socket.remoteAddress)) {
        socket.destroy()
        return callback(new RefusedAddress(), null)
      }
      onConnected()
      callback(null, socket)
    })
  }
}
