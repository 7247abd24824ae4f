import { elsewhere } from '../definitions/describe-route.ts'

export const imports = {
  list: elsewhere,
  start: elsewhere,
  getSetup: elsewhere,
  get: elsewhere,
  run: elsewhere,
  undo: elsewhere,
}
