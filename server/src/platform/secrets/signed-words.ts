import type { Vault } from './secrets.ts'

/** Signed words as one text for a link: no character can be changed. Words contain no spaces. */
export function signedText(vault: Vault, purpose: string, words: readonly (string | number)[]): string {
  const encoded = Buffer.from(words.join(' ')).toString('base64url')
  return `${encoded}~${vault.mac(purpose, encoded)}`
}

/** `undefined` if the signature is not ours, for example by an unknown or deleted key. */
export function signedWords(vault: Vault, purpose: string, text: string): readonly string[] | undefined {
  const [, encoded = '', mac = '', keyId = ''] = /^([\w-]+)~(([^~.]+)\.[\w-]+)$/.exec(text) ?? []
  const isSigned = vault.signingKey(keyId) !== undefined && vault.macMatches(mac, purpose, encoded)
  return isSigned ? Buffer.from(encoded, 'base64url').toString().split(' ') : undefined
}
