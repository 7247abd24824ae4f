import { elsewhere } from '../speak.ts'

export const requestLog = { list: elsewhere, get: elsewhere }
