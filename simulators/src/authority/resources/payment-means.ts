import { rows } from './rows.ts'

export const paymentMeans = rows(
  ['code', 'value'],
  [
    ['10', 'Cash'],
    ['20', 'Cheque'],
    ['30', 'Credit Transfer'],
    ['31', 'Debit Transfer'],
    ['42', 'ACH Credit'],
    ['43', 'ACH Debit'],
    ['48', 'Bank Card'],
    ['49', 'Direct Debit'],
    ['50', 'Credit Card'],
    ['58', "Banker's Draft"],
    ['97', 'Other'],
    ['ZZZ', 'Mutually Defined'],
  ],
)
