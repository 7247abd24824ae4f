import type { ModuleBackground } from '../../platform/background/module-background.ts'
import { refreshCodeLists } from './refresh-code-lists.ts'

export const background: ModuleBackground = {
  jobs: (runtime, runner) => [refreshCodeLists(runtime, runner)],
}
