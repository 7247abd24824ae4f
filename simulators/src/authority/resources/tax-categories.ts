import { rows } from './rows.ts'

/** `percent` is text, and not always a number. */
export const taxCategories = rows(
  ['code', 'value', 'percent'],
  [
    ['STANDARD_GST', 'Standard Goods and Services Tax', 'Not Available'],
    ['REDUCED_GST', 'Reduced Goods and Services Tax', 'Not Available'],
    ['ZERO_GST', 'Zero Goods and Services Tax', '0'],
    ['STANDARD_VAT', 'Standard Value-Added Tax', '7.5'],
    ['REDUCED_VAT', 'Reduced Value-Added Tax', 'Not Available'],
    ['ZERO_VAT', 'Zero Value-Added Tax', '0.0'],
    ['STATE_SALES_TAX', 'State Sales Tax', 'Differs by state'],
    ['LOCAL_SALES_TAX', 'Local Sales Tax', 'Differs by council'],
    ['ALCOHOL_EXCISE_TAX', 'Excise on Alcohol', 'Differs by kind'],
    ['TOBACCO_EXCISE_TAX', 'Excise on Tobacco', '30'],
    ['FUEL_EXCISE_TAX', 'Excise on Fuel', 'Not Available'],
    ['SOCIAL_SECURITY_TAX', 'Social Security Tax', 'Not Available'],
    ['MEDICARE_TAX', 'Medicare Tax', 'Not Available'],
    ['REAL_ESTATE_TAX', 'Real Estate Tax', 'Differs by state'],
    ['PERSONAL_PROPERTY_TAX', 'Personal Property Tax', 'Not Available'],
    ['CARBON_TAX', 'Carbon Tax', 'Not Available'],
    ['PLASTIC_TAX', 'Plastic Tax', 'Not Available'],
    ['IMPORT_DUTY', 'Import Duty', 'Differs by tariff'],
    ['EXPORT_DUTY', 'Export Duty', 'Differs by tariff'],
    ['LUXURY_TAX', 'Luxury Tax', 'Not Available'],
    ['SERVICE_TAX', 'Service Tax', 'Not Available'],
    ['TOURISM_TAX', 'Tourism Tax', '5%'],
    ['WITHHOLDING_TAX', 'Withholding Tax', 'Not Fixed'],
    ['STAMP_DUTY', 'Stamp Duty', 'Not Fixed'],
    ['EXEMPTED', 'Exempted ', ''],
  ],
)
