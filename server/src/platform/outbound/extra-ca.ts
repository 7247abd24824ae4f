import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** A reason not to start, worded for the person who starts the service. */
export class ExtraCaProblem extends Error {
  override readonly name = 'ExtraCaProblem'
}

const certificates = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** The certificates of a PEM file, each of which was parsed. */
export async function loadExtraCa(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new ExtraCaProblem(`EXTRA_CA_FILE names ${path}, which cannot be read`)
  })
  const found = text.match(certificates) ?? []
  if (found.length === 0) throw new ExtraCaProblem(`EXTRA_CA_FILE names ${path}, which holds no certificate in PEM`)
  for (const [at, certificate] of found.entries()) {
    try {
      new X509Certificate(certificate)
    } catch {
      throw new ExtraCaProblem(`EXTRA_CA_FILE names ${path}, whose certificate ${at + 1} cannot be read`)
    }
  }
  return found
}
