import { elsewhere } from '../kernel/describe-route.ts'

export const imports = {
  list: elsewhere,
  start: elsewhere,
  getSetup: elsewhere,
  get: elsewhere,
  run: elsewhere,
  undo: elsewhere,
}
