import { hash, randomBytes } from 'node:crypto'

/** 32 random bytes. The prefix lets people and secret scanners recognise it. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** An HMAC key mixed into its blocks: before the text, and before the inner digest, with room for it. */
interface PreparedKey {
  readonly inner: Buffer
  readonly outer: Buffer
}

const blockBytes = 64
const digestBytes = 32

function prepare(bytes: Buffer): PreparedKey {
  const key = bytes.length > blockBytes ? hash('sha256', bytes, 'buffer') : bytes
  const inner = Buffer.alloc(blockBytes, 0x36)
  const outer = Buffer.alloc(blockBytes + digestBytes, 0x5c)
  key.forEach((byte, at) => {
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  })
  return { inner, outer }
}

/** Reused buffer for key and text, one at a time. A longer text gets its own. */
const sheet = Buffer.alloc(32 * 1024)

const mostPrepared = 1_000

/** Recently used keys by secret. */
class PreparedKeys {
  readonly #encoding: 'utf8' | 'base64'
  readonly #prepared = new Map<string, PreparedKey>()

  constructor(encoding: 'utf8' | 'base64') {
    this.#encoding = encoding
  }

  of(secret: string): PreparedKey {
    let key = this.#prepared.get(secret)
    if (!key) {
      if (this.#prepared.size >= mostPrepared) this.#prepared.clear()
      key = prepare(Buffer.from(this.#encoding === 'base64' ? secret.replace(/^whsec_/, '') : secret, this.#encoding))
      this.#prepared.set(secret, key)
    }
    return key
  }
}

const asShown = new PreparedKeys('utf8')
const asBytes = new PreparedKeys('base64')

/**
 * HMAC with SHA-256. Node sets up each HMAC afresh, which costs several times the two digests; a prepared key leaves
 * only those. The inner digest is read as binary text, because a buffer costs more than the digest.
 */
function hmac({ inner, outer }: PreparedKey, text: string, encoding: 'hex' | 'base64'): string {
  // A character has at most three bytes.
  const most = blockBytes + 3 * text.length
  const message = most <= sheet.length ? sheet : Buffer.allocUnsafe(most)
  message.set(inner)
  const written = message.write(text, blockBytes)
  outer.write(hash('sha256', message.subarray(0, blockBytes + written), 'binary'), blockBytes, 'latin1')
  return hash('sha256', outer, encoding)
}

/**
 * `t=<unix>,v1=<hex>`, one `v1` per secret, the current one first. The key is the whole secret as shown, prefix
 * included, as Stripe's verifiers expect.
 */
export const timestampedSignature = (secrets: readonly string[], unixSeconds: number, body: string): string =>
  [
    `t=${unixSeconds}`,
    ...secrets.map((secret) => `v1=${hmac(asShown.of(secret), `${unixSeconds}.${body}`, 'hex')}`),
  ].join(',')

/**
 * `v1,<base64>`, separated by spaces, as Standard Webhooks defines. The key is the decoded bytes of the secret, and so
 * differs from the key above.
 */
export function standardSignature(secrets: readonly string[], id: string, unixSeconds: number, body: string): string {
  const text = `${id}.${unixSeconds}.${body}`
  return secrets.map((secret) => `v1,${hmac(asBytes.of(secret), text, 'base64')}`).join(' ')
}

/** `sha256=<hex>` over the time and a part of the body, with the whole secret as key. */
export const plainSignature = (secret: string, unixSeconds: number, text: string): string =>
  `sha256=${hmac(asShown.of(secret), `${unixSeconds}.${text}`, 'hex')}`
