/**
 * What most answers of hot statements say, in the order in which they say it. Kept answers refer to it by place (`short-json.ts`): it may never be
 * changed, only followed by other words under a number of their own. Answers with other fields are kept as well, only in more bytes.
 */
export const firstWords = [
  // an invoice in Form B, where it differs
  '","status":"finalised","paymentStatus":"unpaid","lineItems":[{"description":"","hsnCode":"","isicCode":null,"productCategory":"',
  '","unitCode":"","taxCategory":"STANDARD_VAT","netMinor":0,"serviceCategory":null,"quantity":1,"unitPrice":0,"discountAmount":0,"taxPercent":7.5},{"description":"',
  // a payment
  '"data":{"payment":{"id":"","invoiceId":"","amountMinor":0,"paidOn":"","method":"bank_transfer","reference":null,"recordedBy":{"id":"","type":"api_key"},"recordedAt":"2026-',
  '","reversedAt":null},"paidMinor":0,"dueMinor":0,"invoice":{"id":"","invoiceNumber":"INV","invoiceType":"standard","sellerId":"","buyerId":"","buyer":{"name":"","taxId":"',
  // an invoice that is final
  '"},"invoiceDate":"2026-","dueDate":null,"supplyDate":null,"currency":"NGN","simpleStatus":"issued","netMinor":0,"notes":null,"originalInvoiceId":null,',
  '"reporting":{"status":"not_reported","delivery":"none","irn":null,"dueAt":null,"reportedAt":null,"late":false},"finalisedAt":"2026-","submittedAt":null,"sentAt":null,',
  '"createdBy":{"id":"","type":"user"},"createdAt":"2026-","status":"finalised","invoiceKind":"B2B","paymentStatus":"unpaid","warnings":[]}}',
  // a new invoice, from its headers on
  '{"content-type":"application/json; charset=utf-8","location":"","etag":"\\"1\\""}\n',
  '{"meta":{"requestId":"","timestamp":"2026-","mode":"live"},"mode":"sandbox"},"data":{"id":"","invoiceNumber":\x1enumber\x1e,"invoiceType":"standard",',
  '"sellerId":\x1esellerId\x1e,"buyerId":"","buyer":{"name":\x1ebuyerName\x1e,"taxId":\x1ebuyerTaxId\x1e},"invoiceDate":"2026-","dueDate":"2026-","supplyDate":null,',
  '"currency":"NGN","simpleStatus":"draft","netMinor":0,"allowanceMinor":0,"chargeMinor":0,"taxMinor":0,"roundingMinor":0,"payableMinor":0,"paidMinor":0,',
  '"creditedMinor":0,"dueMinor":0,"refundOwedMinor":0,"overdue":false,"taxes":[{"taxCategory":"STANDARD_VAT","taxPercent":"7.5","taxableMinor":0,"taxMinor":0}],',
  '"paymentTerms":null,"paymentTerms":"","notes":"","originalInvoiceId":null,"originalInvoiceNumber":null,"reason":null,"reporting":{"status":"draft",',
  '"delivery":"none","irn":null,"dueAt":null,"reportedAt":null,"late":false},"finalisedAt":null,"submittedAt":null,"sentAt":null,"sharedAt":null,',
  '"createdBy":{"id":"","type":"api_key"},"createdAt":"2026-","updatedAt":"2026-","status":"draft","invoiceKind":\x1ekind\x1e,"paymentStatus":"unpaid",',
  '"issueTime":null,"allowanceAmount":"0.00","chargeAmount":"0.00","purchaseOrderReference":null,"buyerReference":null,"accountingCost":null,',
  '"lineItems":[{"description":"","hsnCode":"","isicCode":null,"productCategory":"","unitCode":"XBG","taxCategory":"STANDARD_VAT","netMinor":0,"itemId":null,',
  '"itemName":null,"quantity":"1","unitPrice":"","discountAmount":"0.00","feeAmount":"0.00","taxPercent":"7.5"},{"description":"',
].join('')
