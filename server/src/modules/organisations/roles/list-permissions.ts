import type { UserCaller } from '../../../kernel/callers.ts'
import { capabilities } from '../../../kernel/capabilities.ts'
import { type Outside, reading } from '../../../platform/operations/operation.ts'

export const listPermissions = reading(
  { time: 'real', needs: ['role.read'], refuses: [] },
  async (_: Outside<UserCaller>) => capabilities,
)
