import type { CountryWords, TranslatedNames } from '../country-words.ts'

/** Taxes that invoices show most; all others keep their English name. `TIN` is the same in every language. */
const fr: TranslatedNames = {
  taxLabels: {
    ALCOHOL_EXCISE_TAX: 'Accise sur l’alcool',
    EXEMPTED: 'Exonéré',
    EXPORT_DUTY: 'Droit d’exportation',
    FUEL_EXCISE_TAX: 'Accise sur le carburant',
    IMPORT_DUTY: 'Droit de douane',
    REDUCED_GST: 'TPS',
    REDUCED_VAT: 'TVA',
    SERVICE_TAX: 'Taxe sur les services',
    STAMP_DUTY: 'Droit de timbre',
    STANDARD_GST: 'TPS',
    STANDARD_VAT: 'TVA',
    TOBACCO_EXCISE_TAX: 'Accise sur le tabac',
    WITHHOLDING_TAX: 'Retenue à la source',
    ZERO_GST: 'TPS',
    ZERO_VAT: 'TVA',
  },
  taxIdNames: { registration: 'N° d’entreprise' },
}

const pt: TranslatedNames = {
  taxLabels: {
    ALCOHOL_EXCISE_TAX: 'Imposto sobre o álcool',
    EXEMPTED: 'Isento',
    EXPORT_DUTY: 'Direitos de exportação',
    FUEL_EXCISE_TAX: 'Imposto sobre combustíveis',
    IMPORT_DUTY: 'Direitos de importação',
    REDUCED_GST: 'IBS',
    REDUCED_VAT: 'IVA',
    SERVICE_TAX: 'Imposto sobre serviços',
    STAMP_DUTY: 'Imposto de selo',
    STANDARD_GST: 'IBS',
    STANDARD_VAT: 'IVA',
    TOBACCO_EXCISE_TAX: 'Imposto sobre o tabaco',
    WITHHOLDING_TAX: 'Retenção na fonte',
    ZERO_GST: 'IBS',
    ZERO_VAT: 'IVA',
  },
  taxIdNames: { registration: 'N.º da empresa' },
}

const ha: TranslatedNames = {
  taxLabels: {
    ALCOHOL_EXCISE_TAX: 'Harajin barasa',
    EXEMPTED: 'Ba haraji',
    EXPORT_DUTY: 'Harajin fitar da kaya',
    FUEL_EXCISE_TAX: 'Harajin mai',
    IMPORT_DUTY: 'Harajin shigo da kaya',
    REDUCED_GST: 'Harajin GST',
    REDUCED_VAT: 'Harajin VAT',
    SERVICE_TAX: 'Harajin aiki',
    STAMP_DUTY: 'Harajin hatimi',
    STANDARD_GST: 'Harajin GST',
    STANDARD_VAT: 'Harajin VAT',
    TOBACCO_EXCISE_TAX: 'Harajin taba',
    WITHHOLDING_TAX: 'Harajin riƙewa',
    ZERO_GST: 'Harajin GST',
    ZERO_VAT: 'Harajin VAT',
  },
  taxIdNames: { registration: 'Lambar kamfani' },
}

const yo: TranslatedNames = {
  taxLabels: {
    ALCOHOL_EXCISE_TAX: 'Owó orí ọtí',
    EXEMPTED: 'Kò sí owó orí',
    EXPORT_DUTY: 'Owó ibodè ìjáde',
    FUEL_EXCISE_TAX: 'Owó orí epo',
    IMPORT_DUTY: 'Owó ibodè ìwọlé',
    REDUCED_GST: 'Owó orí GST',
    REDUCED_VAT: 'Owó orí VAT',
    SERVICE_TAX: 'Owó orí iṣẹ́',
    STAMP_DUTY: 'Owó òǹtẹ̀',
    STANDARD_GST: 'Owó orí GST',
    STANDARD_VAT: 'Owó orí VAT',
    TOBACCO_EXCISE_TAX: 'Owó orí tábà',
    WITHHOLDING_TAX: 'Owó orí àyọkúrò',
    ZERO_GST: 'Owó orí GST',
    ZERO_VAT: 'Owó orí VAT',
  },
  taxIdNames: { registration: 'Nọ́ńbà ilé-iṣẹ́' },
}

const ig: TranslatedNames = {
  taxLabels: {
    ALCOHOL_EXCISE_TAX: 'Ụtụ mmanya',
    EXEMPTED: 'Enweghị ụtụ',
    EXPORT_DUTY: 'Ụtụ mbupụ',
    FUEL_EXCISE_TAX: 'Ụtụ mmanụ ụgbọala',
    IMPORT_DUTY: 'Ụtụ mbubata',
    REDUCED_GST: 'Ụtụ GST',
    REDUCED_VAT: 'Ụtụ VAT',
    SERVICE_TAX: 'Ụtụ ọrụ',
    STAMP_DUTY: 'Ụtụ stampụ',
    STANDARD_GST: 'Ụtụ GST',
    STANDARD_VAT: 'Ụtụ VAT',
    TOBACCO_EXCISE_TAX: 'Ụtụ anwụrụ',
    WITHHOLDING_TAX: 'Ụtụ mwepụ',
    ZERO_GST: 'Ụtụ GST',
    ZERO_VAT: 'Ụtụ VAT',
  },
  taxIdNames: { registration: 'Nọmba ụlọ ọrụ' },
}

const ar: TranslatedNames = {
  taxLabels: {
    ALCOHOL_EXCISE_TAX: 'ضريبة الكحول',
    EXEMPTED: 'معفى',
    EXPORT_DUTY: 'رسوم التصدير',
    FUEL_EXCISE_TAX: 'ضريبة الوقود',
    IMPORT_DUTY: 'رسوم الاستيراد',
    REDUCED_GST: 'ضريبة السلع والخدمات',
    REDUCED_VAT: 'ضريبة القيمة المضافة',
    SERVICE_TAX: 'ضريبة الخدمات',
    STAMP_DUTY: 'رسم الدمغة',
    STANDARD_GST: 'ضريبة السلع والخدمات',
    STANDARD_VAT: 'ضريبة القيمة المضافة',
    TOBACCO_EXCISE_TAX: 'ضريبة التبغ',
    WITHHOLDING_TAX: 'ضريبة الخصم من المنبع',
    ZERO_GST: 'ضريبة السلع والخدمات',
    ZERO_VAT: 'ضريبة القيمة المضافة',
  },
  taxIdNames: { registration: 'رقم الشركة' },
}

export const translations: CountryWords['translations'] = { fr, pt, ha, yo, ig, ar }
