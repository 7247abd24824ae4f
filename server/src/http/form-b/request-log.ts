import { elsewhere } from '../definitions/describe-route.ts'

export const requestLog = { list: elsewhere, get: elsewhere }
