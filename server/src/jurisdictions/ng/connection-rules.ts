import type { ConnectionRules } from '../connection-rules.ts'
import { serviceIdOfIrn } from './irn.ts'

export const connectionRules: ConnectionRules = {
  consent: {
    textVersion: '2026-11',
    text:
      'I may act for this business. Until this is revoked, its invoices, notes and payments may be reported to the Nigeria Revenue ' +
      'Service in its name, and what other businesses send to it over the Service’s network may be received in its name.',
  },
  serviceIdForm: 'eight capitals or digits, such as 94ND90NR',
  keyFileForm: 'a public RSA key of 2048 bits or more in PEM, and a certificate',
  numberTemplateOf: (serviceId) => `{{invoice_id}}-${serviceId}-{{YYYYMMDD}}`,
  serviceIdOf: serviceIdOfIrn,
  needsKeyFile: true,
}
