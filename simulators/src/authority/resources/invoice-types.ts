import { rows } from './rows.ts'

/** 380 and 381 are the other way round than elsewhere in the world. */
export const invoiceTypes = rows(
  ['code', 'value'],
  [
    ['380', 'Credit Note'],
    ['381', 'Commercial Invoice'],
    ['384', 'Debit Note'],
    ['385', 'Self Billed Invoice'],
    ['386', 'Factored Invoice'],
    ['388', 'Statement of Account'],
    ['389', 'Purchase Order'],
    ['390', 'Proforma Invoice'],
    ['392', 'Consignment Invoice'],
    ['393', 'Self-billed Credit Note'],
    ['394', 'Self-billed Invoice'],
    ['395', 'Credit Note Request'],
    ['396', 'Invoice Request'],
    ['397', 'Final Settlement'],
    ['399', 'Bill of Lading'],
    ['400', 'Waybill'],
    ['402', 'Shipping Instructions'],
    ['404', 'Certificate of Origin'],
    ['406', 'Customs Declaration'],
    ['408', 'Packing List'],
  ],
)
