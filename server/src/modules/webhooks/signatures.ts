import { hash, randomBytes } from 'node:crypto'

/** 32 random bytes. The prefix says what it is to whoever finds it, and to scanners that look for lost secrets. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** A key as HMAC mixes it into a block, before the text and before the digest of that; room for the digest follows. */
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

/** Where texts are put behind their keys: each is done with before the next comes. A longer text has one of its own. */
const sheet = Buffer.alloc(32 * 1024)

const mostPrepared = 1_000

/** Keys that were used lately, by the secret they are made of. */
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
 * HMAC with SHA-256. Node sets one up anew for every text, which costs several times the two digests that it consists of; with a key that is
 * prepared they are all there is to do. The inner digest comes as text of one byte each: bytes of its own cost more than the digest.
 */
function hmac({ inner, outer }: PreparedKey, text: string, encoding: 'hex' | 'base64'): string {
  // A character is three bytes at the most.
  const most = blockBytes + 3 * text.length
  const message = most <= sheet.length ? sheet : Buffer.allocUnsafe(most)
  message.set(inner)
  const written = message.write(text, blockBytes)
  outer.write(hash('sha256', message.subarray(0, blockBytes + written), 'binary'), blockBytes, 'latin1')
  return hash('sha256', outer, encoding)
}

/**
 * `t=<unix>,v1=<hex>`, one `v1` for each secret, the current one first. Its key is the whole secret as it was shown, prefix
 * included: so the verifiers of Stripe want it.
 */
export const timestampedSignature = (secrets: readonly string[], unixSeconds: number, body: string): string =>
  [
    `t=${unixSeconds}`,
    ...secrets.map((secret) => `v1=${hmac(asShown.of(secret), `${unixSeconds}.${body}`, 'hex')}`),
  ].join(',')

/**
 * `v1,<base64>`, several apart by a space, as Standard Webhooks has it. Its key is the bytes that the secret stands for: the
 * same secret gives another key here than above.
 */
export function standardSignature(secrets: readonly string[], id: string, unixSeconds: number, body: string): string {
  const text = `${id}.${unixSeconds}.${body}`
  return secrets.map((secret) => `v1,${hmac(asBytes.of(secret), text, 'base64')}`).join(' ')
}

/** `sha256=<hex>` over the time and a part of the body, under the whole secret. */
export const plainSignature = (secret: string, unixSeconds: number, text: string): string =>
  `sha256=${hmac(asShown.of(secret), `${unixSeconds}.${text}`, 'hex')}`
