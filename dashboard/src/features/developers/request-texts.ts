import type { LoggedRequest } from '@risiti/sdk'
import type { Tone } from '../../ui/index.ts'

export const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')

export const callerText = ({ actor: { name, hint } }: LoggedRequest): string =>
  hint === null ? name : `${name} ${hint}`
