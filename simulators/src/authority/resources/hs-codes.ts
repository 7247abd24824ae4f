import { rows } from './rows.ts'

/** Six digits and a dot, where nobody slipped. */
export const hsCodes = rows(
  ['hscode', 'description'],
  [
    ['0101.21', 'Horses kept for breeding, alive'],
    ['0105.11', 'Chickens under 185 g, alive'],
    ['0204.30', 'Lamb, whole or halved, frozen'],
    // a zero got lost
    ['303.89', 'Other fish, frozen'],
    ['0402.10', 'Milk powder with little fat'],
    ['0701.90', 'Potatoes, fresh'],
    ['0713.33', 'Kidney beans, dried'],
    ['0803.90', 'Bananas'],
    ['0901.21', 'Coffee, roasted'],
    ['1001.99', 'Wheat, not for sowing'],
    ['1005.90', 'Maize, not for sowing'],
    ['1006.30', 'Rice, milled'],
    ['1101.00', 'Wheat flour'],
    ['1507.90', 'Soya oil, refined'],
    ['1701.99', 'Cane or beet sugar, refined'],
    ['1801.00', 'Cocoa beans'],
    ['1905.90', 'Bread, cakes and biscuits, other'],
    ['2201.10', 'Mineral water'],
    ['2203.00', 'Beer'],
    ['2523.29', 'Portland cement, not white'],
    ['2710.12', 'Petrol and other light oils'],
    ['3004.90', 'Medicines in doses, other'],
    // a range
    ['3104.20-30', 'Fertilisers with potash'],
    ['3301.90', 'Extracted oleoresins and scented waters'],
    ['3401.11', 'Soap for washing oneself'],
    ['3923.30', 'Bottles of plastic'],
    ['4011.10', 'Tyres for cars, new'],
    ['4802.56', 'Paper for writing, in sheets'],
    ['4901.99', 'Books, other'],
    ['6109.10', 'T-shirts of cotton'],
    ['7210.41', 'Roofing sheets, corrugated'],
    ['8471.30', 'Portable computers'],
    ['8517.13', 'Smartphones'],
    ['8703.23', 'Cars with petrol engines of 1500 to 3000 cc'],
    // a space
    ['8708.30 ', 'Brakes and their parts'],
    ['9403.60', 'Furniture of wood, other'],
    // twice
    ['0204.30', 'Lamb, frozen'],
  ],
)
