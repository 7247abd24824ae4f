import { rows } from './rows.ts'

/** Eight digits and a dot, where nobody slipped. */
export const vatExemptions = rows(
  ['heading_no', 'harmonized_system_code', 'tariff_category', 'tariff', 'description'],
  [
    ['02.04', '0204.3000', 'BASIC FOOD ITEMS', 'Lamb, frozen', 'Meat of sheep or goats'],
    // twice
    ['02.04', '0204.3000', 'BASIC FOOD ITEMS', 'Lamb, frozen', 'Meat of sheep or goats'],
    // a zero got lost
    ['03.03', '303.8000', 'BASIC FOOD ITEMS', 'The same', 'Fish, frozen, in one piece'],
    ['04.01', '0401.1000', 'BASIC FOOD ITEMS', 'Little fat', 'Milk, not sweetened'],
    ['07.01', '0701.9000', 'BASIC FOOD ITEMS', 'Others', 'Potatoes'],
    ['07.13', '0713.3300', 'BASIC FOOD ITEMS', 'Kidney beans', 'Dried pulses'],
    ['10.05', '1005.9000', 'BASIC FOOD ITEMS', 'Others', 'Maize'],
    ['10.06', '1006.3000', 'BASIC FOOD ITEMS', 'Milled', 'Rice'],
    ['15.11', '1511.1000', 'BASIC FOOD ITEMS', 'Crude', 'Palm oil'],
    ['19.01', '1901.1000', 'INFANT FOOD', 'For sale in shops', 'Food for small children'],
    ['29.15', '2915.3100', 'MEDICAL, VETERINARY AND PHARMACEUTICAL', 'Ethyl acetate', 'Acids of one kind'],
    ['30.02', '3002.2000', 'MEDICAL, VETERINARY AND PHARMACEUTICAL', 'For people', 'Vaccines'],
    ['30.04', '3004.1000', 'MEDICAL, VETERINARY AND PHARMACEUTICAL', 'With penicillin', 'Medicines in doses'],
    ['30.05', '3005.9000', 'MEDICAL, VETERINARY AND PHARMACEUTICAL', 'Others', 'Wadding and bandages'],
    ['31.02', '3102.1000', 'FERTILIZER', 'Urea', 'Fertilizers with nitrogen'],
    // a range, and nothing to say
    ['31.04', '3104.1000-3000', 'FERTILIZER', 'With potash', ''],
    ['38.02', '3802.1000', 'WATER TREATMENT CHEMICALS', 'Activated carbon', 'Carbon for cleaning water'],
    ['48.18', '4818.4000', 'BABY PRODUCTS', 'Napkins', 'Things of paper for babies'],
    ['49.01', '4901.1000', 'BOOKS AND NEWSPAPERS', 'In single sheets', 'Printed books'],
    ['49.02', '4902.1000', 'BOOKS AND NEWSPAPERS', 'Four times a week or more', 'Newspapers'],
    ['70.17', '7017.1000', 'EDUCATIONAL LABORATORY EQUIPMENT', 'Of quartz', 'Glass for laboratories'],
    ['84.32', '8432.1000', 'AGRICULTURAL EQUIPMENT', 'Ploughs', 'Machines for the soil'],
    ['84.33', '8433.5100', 'AGRICULTURAL EQUIPMENT', 'Combine harvesters', 'Machines for the harvest'],
    ['87.01', '8701.9000', 'AGRICULTURAL EQUIPMENT', 'Others', 'Tractors'],
    ['87.04', '8704.2200', 'COMMERCIAL VEHICLES AND SPARE PARTS', 'Between 5 and 20 tonnes', 'Lorries'],
    // spaces
    ['87.08', '8708.3900 ', 'COMMERCIAL VEHICLES AND SPARE PARTS', 'Others ', 'Brakes'],
    ['90.18', '9018.3100', 'MEDICAL, VETERINARY AND PHARMACEUTICAL', 'Syringes', 'Instruments for doctors'],
  ],
)
