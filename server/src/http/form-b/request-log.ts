import { elsewhere } from '../kernel/describe-route.ts'

export const requestLog = { list: elsewhere, get: elsewhere }
