import { areRedirectUris, isClientId, isProgramName, type ProgramClient } from './client.ts'

/** Reads the document in which a program describes itself, at an address that a stranger gives. */
export interface ProgramDocuments {
  /** `undefined` if the address is not allowed, or does not answer with a short document */
  read(url: string): Promise<string | undefined>
}

declare module '../../platform/operations/ports.ts' {
  interface Ports {
    readonly programDocuments: ProgramDocuments
  }
}

/** Whether a client id is the address of a document. Plain HTTP is only for this machine, which a playground allows. */
export function isDocumentAddress(clientId: string): boolean {
  if (!isClientId(clientId) || !/^https?:\/\//.test(clientId)) return false
  const url = URL.parse(clientId)
  return (
    url !== null &&
    // One spelling only: the same document at two addresses would be two programs.
    url.href === clientId &&
    url.pathname !== '/' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname))
  )
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The program that a document describes; `undefined` if the document does not fit its address or our rules. */
export function clientIn(text: string, clientId: string): ProgramClient | undefined {
  const document = objectIn(text)
  if (document?.client_id !== clientId || !areRedirectUris(document.redirect_uris)) return undefined
  // A program with a secret of its own would have to prove it, which we do not ask for.
  if (![undefined, 'none'].includes(document.token_endpoint_auth_method as string | undefined)) return undefined
  const { host } = new URL(clientId)
  const given = document.client_name
  const name = typeof given === 'string' && isProgramName(given) ? given : host
  return { clientId, name, host, redirectUris: document.redirect_uris }
}
