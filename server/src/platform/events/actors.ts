import type { Caller } from '../../kernel/callers.ts'

/** The actor of an event, with the name at that time: people leave, and keys are renamed. A program acts for its person. */
export interface Actor {
  readonly kind: 'user' | 'api_key' | 'service' | 'system'
  readonly id: string | null
  readonly name: string
}

export function actorOf(caller: Caller): Actor {
  if (caller.kind === 'user') return { kind: 'user', id: caller.userId, name: caller.email }
  if (caller.kind === 'program') return { kind: 'user', id: caller.userId, name: `${caller.email} with ${caller.name}` }
  if (caller.kind === 'api_key') return { kind: 'api_key', id: caller.keyId, name: caller.name }
  return { kind: 'system', id: null, name: 'Risiti' }
}
