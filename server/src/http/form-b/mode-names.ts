import type { Mode } from '../../kernel/tenant.ts'
import { OneOf } from '../definitions/fields.ts'

/** This form calls the live mode production. */
export const modeNames = { sandbox: 'sandbox', live: 'production' } as const satisfies Record<Mode, string>
export const ModeName = OneOf(modeNames.sandbox, modeNames.live)
export const fromModeName = (name: 'sandbox' | 'production'): Mode => (name === 'production' ? 'live' : 'sandbox')
