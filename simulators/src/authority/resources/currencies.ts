import { rows } from './rows.ts'

const named = rows(
  ['code', 'name', 'name_plural', 'symbol', 'symbol_native', 'decimal_digits'],
  [
    ['USD', 'US Dollar', 'US dollars', '$', '$', '2'],
    ['CAD', 'Canadian Dollar', 'Canadian dollars', 'CA$', '$', '2'],
    ['EUR', 'Euro', 'euros', '€', '€', '2'],
    ['AED', 'United Arab Emirates Dirham', 'UAE dirhams', 'AED', 'د.إ.', '2'],
    ['BRL', 'Brazilian Real', 'Brazilian reals', 'R$', 'R$', '2'],
    ['CHF', 'Swiss Franc', 'Swiss francs', 'CHF', 'CHF', '2'],
    ['CNY', 'Chinese Yuan', 'Chinese yuan', 'CN¥', 'CN¥', '2'],
    ['EGP', 'Egyptian Pound', 'Egyptian pounds', 'EGP', 'ج.م.', '2'],
    ['GBP', 'British Pound Sterling', 'British pounds sterling', '£', '£', '2'],
    ['GHS', 'Ghanaian Cedi', 'Ghanaian cedis', 'GH₵', 'GH₵', '2'],
    ['INR', 'Indian Rupee', 'Indian rupees', 'Rs', '₹', '2'],
    ['JPY', 'Japanese Yen', 'Japanese yen', '¥', '¥', '0'],
    ['KES', 'Kenyan Shilling', 'Kenyan shillings', 'Ksh', 'Ksh', '2'],
    ['KWD', 'Kuwaiti Dinar', 'Kuwaiti dinars', 'KD', 'د.ك.', '3'],
    ['MAD', 'Moroccan Dirham', 'Moroccan dirhams', 'MAD', 'د.م.', '2'],
    ['NGN', 'Nigerian Naira', 'Nigerian nairas', '₦', '₦', '2'],
    ['RWF', 'Rwandan Franc', 'Rwandan francs', 'RWF', 'FR', '0'],
    ['SAR', 'Saudi Riyal', 'Saudi riyals', 'SR', 'ر.س.', '2'],
    ['XAF', 'CFA Franc BEAC', 'CFA francs BEAC', 'FCFA', 'FCFA', '0'],
    ['XOF', 'CFA Franc BCEAO', 'CFA francs BCEAO', 'CFA', 'CFA', '0'],
    ['ZAR', 'South African Rand', 'South African rand', 'R', 'R', '2'],
  ],
)

/** Unlike the other lists, this one has numbers in it. */
export const currencies = named.map(({ decimal_digits, ...currency }) => ({
  ...currency,
  decimal_digits: Number(decimal_digits),
  rounding: currency.code === 'CHF' ? 0.05 : 0,
}))
