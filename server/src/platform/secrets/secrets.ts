import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto'

/** The keys of this installation. `active` seals and signs; the others still open and verify older values. */
export interface KeyRing {
  readonly active: string
  readonly keys: ReadonlyMap<string, Buffer>
}

/** The place of a sealed value. The seal includes it, so a value copied to another row or column does not open. */
export interface SealedPlace {
  readonly table: string
  readonly column: string
  readonly id: string
}

export interface Vault {
  seal(plain: string, place: SealedPlace): string
  open(sealed: string, place: SealedPlace): string
  /** whether the active key sealed it */
  isCurrent(sealed: string): boolean
  /** A keyed fingerprint of a short secret: useless with the database but without the key file. */
  mac(purpose: string, secret: string): string
  macMatches(mac: string, purpose: string, secret: string): boolean
  /** The same under every key, to find values from before a rotation. */
  macsOf(purpose: string, secret: string): readonly string[]
  /** A cheaper fingerprint for long texts that come with every request. */
  fingerprint(purpose: string, text: string): string
  fingerprintMatches(fingerprint: string, purpose: string, text: string): boolean
  readonly signingKeyId: string
  signingKey(keyId: string): Uint8Array | undefined
  /** stored beside the data to detect a wrong key file */
  fingerprints(): ReadonlyMap<string, string>
}

const derive = (key: Buffer, use: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `risiti ${use}`, 32))

const nonceBytes = 12
const tagBytes = 16

/** Random bytes are drawn in bulk: twelve bytes cost as much as thousands. Each byte is used once. */
const nonces = Buffer.alloc(nonceBytes * 256)
let noncesTaken = nonces.length

function newNonce(): Buffer {
  if (noncesTaken === nonces.length) {
    randomFillSync(nonces)
    noncesTaken = 0
  }
  noncesTaken += nonceBytes
  return Buffer.from(nonces.subarray(noncesTaken - nonceBytes, noncesTaken))
}

/** The suffix of a fingerprint, which the HMAC of a code lacks. */
const fingerprintMark = 'F'

export function createVault(ring: KeyRing): Vault {
  const derived = (use: string) => new Map([...ring.keys].map(([id, key]) => [id, derive(key, use)]))
  // Key objects are created once: with raw bytes, each seal and each fingerprint would cost twice as much.
  const prepared = (use: string) => new Map([...derived(use)].map(([id, key]) => [id, createSecretKey(key)]))
  const sealing = prepared('sealing')
  const macs = prepared('mac')
  const signing = derived('token signing')
  const fingerprinting = new Map([...derived('request fingerprints')].map(([id, key]) => [id, key.toString('hex')]))

  const need = <Key>(keys: Map<string, Key>, keyId: string): Key => {
    const key = keys.get(keyId)
    if (!key) throw new Error(`the key file has no key ${keyId}, which this data needs`)
    return key
  }
  const bound = (place: SealedPlace) => Buffer.from(`${place.table}|${place.column}|${place.id}`)
  const macWith = (keyId: string, purpose: string, secret: string) =>
    createHmac('sha256', need(macs, keyId)).update(`${purpose}\0${secret}`).digest('base64url')
  /**
   * A hash of the key and the text. The hash function outputs only half of its state, so it cannot be extended without the key. An HMAC
   * needs an object for each text, which costs several times as much.
   */
  const fingerprintWith = (keyId: string, purpose: string, text: string) =>
    hash('sha512-256', `${need(fingerprinting, keyId)}${purpose}\0${text}`, 'base64url')

  return {
    seal(plain, place) {
      const nonce = newNonce()
      const cipher = createCipheriv('aes-256-gcm', need(sealing, ring.active), nonce).setAAD(bound(place))
      // This cipher outputs as many bytes as it gets, and at the end only the tag.
      const text = cipher.update(plain, 'utf8')
      cipher.final()
      const body = Buffer.concat([text, cipher.getAuthTag()])
      return `v1.${ring.active}.${nonce.toString('base64url')}.${body.toString('base64url')}`
    },
    open(sealed, place) {
      const [version, keyId, nonce, body] = sealed.split('.')
      if (version !== 'v1' || !keyId || !nonce || !body) throw new Error('not a sealed value')
      const bytes = Buffer.from(body, 'base64url')
      const key = need(sealing, keyId)
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(bound(place)).setAuthTag(bytes.subarray(-tagBytes))
      return decipher.update(bytes.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    isCurrent: (sealed) => sealed.startsWith(`v1.${ring.active}.`),
    mac: (purpose, secret) => `${ring.active}.${macWith(ring.active, purpose, secret)}`,
    macsOf: (purpose, secret) => [...ring.keys.keys()].map((keyId) => `${keyId}.${macWith(keyId, purpose, secret)}`),
    macMatches(mac, purpose, secret) {
      const [keyId = '', stored = ''] = mac.split('.')
      return sameSecret(stored, macWith(keyId, purpose, secret))
    },
    fingerprint: (purpose, text) => `${ring.active}.${fingerprintWith(ring.active, purpose, text)}.${fingerprintMark}`,
    fingerprintMatches(fingerprint, purpose, text) {
      const [keyId = '', stored = '', mark] = fingerprint.split('.')
      return mark === fingerprintMark && sameSecret(stored, fingerprintWith(keyId, purpose, text))
    },
    signingKeyId: ring.active,
    signingKey: (keyId) => signing.get(keyId),
    fingerprints: () =>
      new Map([...ring.keys].map(([id, key]) => [id, derive(key, 'fingerprint').toString('hex').slice(0, 32)])),
  }
}

/** Compares in constant time. */
export function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
