import type { ConnectionRules } from '../connection-rules.ts'
import { serviceIdOfIrn } from './irn.ts'
import { keyFileRules } from './key-file.ts'

export const connectionRules: ConnectionRules = {
  consent: {
    textVersion: '2026-11',
    text:
      'I may act for this business. Until this is revoked, its invoices, notes and payments may be reported to the Nigeria Revenue ' +
      'Service in its name, and what other businesses send to it over the Service’s network may be received in its name.',
  },
  identifiers: [
    { name: 'businessId', label: 'Business id', example: '6cd4ee57-5985-4e0f-8f3c-5b8c1f4c7d11', hint: null },
    {
      name: 'serviceId',
      label: 'Service id',
      example: '94ND90NR',
      hint: 'Eight letters and digits, which are part of each IRN.',
    },
  ],
  serviceIdForm: 'eight capitals or digits, such as 94ND90NR',
  numberTemplateOf: (serviceId) => `{{invoice_id}}-${serviceId}-{{YYYYMMDD}}`,
  serviceIdOf: serviceIdOfIrn,
  keyFile: keyFileRules,
}
