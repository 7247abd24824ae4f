/** Why a connected program ended. */
export type EndOfProgram = 'revoked' | 'signed_out' | 'token_misused' | 'account_secured'

/** Payloads of events about programs that people connected. */
export interface ProgramEventPayloads {
  'connected_program.created': {
    readonly name: string
    readonly clientId: string
    readonly email: string
    readonly capabilities: readonly string[]
  }
  'connected_program.updated': { readonly name: string; readonly capabilities: readonly string[] }
  'connected_program.ended': { readonly name: string; readonly why: EndOfProgram }
}
