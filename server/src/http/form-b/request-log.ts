import { elsewhere } from '../describe-route.ts'

export const requestLog = { list: elsewhere, get: elsewhere }
