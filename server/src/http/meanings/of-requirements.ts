/** What is needed, or unwanted, depending on what else is sent: it stands in what the field means, for the object that it is sent in. */
const withoutItem = 'needed on a line without `itemId`, which it is otherwise taken from'
const oneCategory = 'the kind of service, in words; left out where `productCategory` is sent'
const goods =
  'the customs code of goods (HS), of the code list `product-codes`; needed for goods, left out for services'
const services =
  'the code of a service (ISIC), of the code list `service-codes`; needed for services, left out for goods'
const note = 'the invoice that a note corrects, by its number; needed on a credit or debit note, left out otherwise'

export const ofRequirements: Readonly<Record<string, string>> = {
  'NewInvoiceLine.serviceCategory': oneCategory,
  'NewInvoiceLine.isicCode':
    'the code of a service (ISIC), of the code list `service-codes`; left out where `hsnCode` is given',
  'NewInvoice.originalInvoiceNumber': note,
  'NewCreditNote.amount':
    'how much is credited, in major units; left out where `lineItems` are sent. Without both, all that is left is credited',
  'NewCreditNote.lineItems': 'what is credited, line by line; left out where `amount` is sent',
  'NewItem.hsnCode': goods,
  'NewItem.serviceCode': services,
  'ItemChange.hsnCode': goods,
  'ItemChange.serviceCode': services,
  'NewBuyer.taxId': 'the tax number; needed with every `taxIdType` but `none`, and left out with that',
}

/** Only Form A fills lines from items. */
export const ofLinesFromItems = {
  description: `what is sold; ${withoutItem}`,
  unitCode: `the unit, by its code of the code list \`units\` (UN/ECE Recommendation 20); ${withoutItem}`,
  unitPrice: `the price of one unit, in major units; ${withoutItem}`,
  taxCategory: `how it is taxed: a code of the code list \`tax-categories\`, or \`standard\`, \`zero\`, \`exempt\`; ${withoutItem}`,
} as const
