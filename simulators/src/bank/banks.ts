export interface Bank {
  readonly name: string
  /** of the central bank */
  readonly code: string
  /** in the instant payment network */
  readonly nipCode: string
}

/** Where virtual accounts are kept. No real bank has this code. */
export const ownBank: Bank = { name: 'Risiti Test Bank', code: '999', nipCode: '999999' }

const bank = (code: string, nipCode: string, name: string): Bank => ({ name, code, nipCode })

/** Those that people know, by the codes that they have in the two systems. */
export const banks: readonly Bank[] = [
  bank('044', '000014', 'Access Bank'),
  bank('050', '000010', 'Ecobank Nigeria'),
  bank('070', '000007', 'Fidelity Bank'),
  bank('011', '000016', 'First Bank of Nigeria'),
  bank('214', '000003', 'First City Monument Bank'),
  bank('058', '000013', 'Guaranty Trust Bank'),
  bank('301', '000006', 'Jaiz Bank'),
  bank('082', '000002', 'Keystone Bank'),
  bank('50211', '090267', 'Kuda Bank'),
  bank('50515', '090405', 'Moniepoint MFB'),
  bank('076', '000008', 'Polaris Bank'),
  bank('101', '000023', 'Providus Bank'),
  bank('221', '000012', 'Stanbic IBTC Bank'),
  bank('068', '000021', 'Standard Chartered Bank'),
  bank('232', '000001', 'Sterling Bank'),
  bank('032', '000018', 'Union Bank of Nigeria'),
  bank('033', '000004', 'United Bank for Africa'),
  bank('215', '000011', 'Unity Bank'),
  bank('035', '000017', 'Wema Bank'),
  bank('057', '000015', 'Zenith Bank'),
  ownBank,
]

/** By either of its codes. */
export const bankOf = (code: string): Bank | undefined => banks.find((one) => one.code === code || one.nipCode === code)
