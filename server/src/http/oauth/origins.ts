import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../platform/config.ts'
import { isCalledByLoopbackName } from '../plain/loopback-names.ts'

/** Finds the origin under which a program reached us, which is also the name of the issuer. */
export type IssuerOf = (request: FastifyRequest) => string

/** Without a public origin, only a name of this machine in the Host header counts: others could be invented. */
export const issuersFrom =
  (publicOrigin: string | undefined, { dashboardUrl }: Pick<Settings, 'dashboardUrl'>): IssuerOf =>
  (request) =>
    publicOrigin ?? (isCalledByLoopbackName(request) ? `http://${request.headers.host}` : new URL(dashboardUrl).origin)
