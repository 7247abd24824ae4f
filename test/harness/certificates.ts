import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The few DER structures that a certificate needs. */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const text = (tag: number, value: string) => der(tag, Buffer.from(value))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content)
const yes = der(0x01, Buffer.from([0xff]))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const named = (name: string) => sequence(der(0x31, sequence(oid('550403'), text(0x0c, name))))
const validity = sequence(text(0x17, '200101000000Z'), text(0x18, '20991231235959Z'))

interface Holder {
  readonly name: string
  readonly key: KeyObject
}
const newHolder = (name: string): Holder => ({
  name,
  key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
})

function certificate(subject: Holder, issuer: Holder, extension: Buffer): string {
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(15)),
    ecdsaWithSha256,
    named(issuer.name),
    validity,
    named(subject.name),
    createPublicKey(subject.key).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuer.key)))
  const lines = whole.toString('base64').match(/.{1,64}/g) as string[]
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

const isAuthority = sequence(oid('551d13'), yes, der(0x04, sequence(yes)))
const forHost = (host: string) => sequence(oid('551d11'), der(0x04, sequence(text(0x82, host))))

/** A certificate authority for tests. Its keys are new in each run, so no private key is stored. */
export function makeAuthority(name: string): { ca: string; issue(host: string): { key: string; cert: string } } {
  const authority = newHolder(name)
  return {
    ca: certificate(authority, authority, isAuthority),
    issue(host) {
      const holder = newHolder(host)
      return {
        key: holder.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
        cert: certificate(holder, authority, forHost(host)),
      }
    },
  }
}
