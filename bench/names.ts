/** A random number generator that returns the same numbers for the same seed. */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const pick = <T>(from: readonly T[], next: () => number): T => from[Math.floor(next() * from.length)] as T
const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const composed = (beginnings: string, ends: string): string[] =>
  words(beginnings).flatMap((beginning) => words(ends).map((end) => `${beginning}${end}`))
const surnames = [
  ...composed(
    'Adé Olú Ògún Akin Oyè Ọlá Ayọ̀ Fá Ifá Ọmọ́ Ṣó Olúwa Bámi Ọba Òjó Adé',
    'bayo yemi leye wande laran niyan dele kunle tunji sola femi gbenga seun wale bola dapo',
  ),
  ...composed(
    'Chukwu Nwa Oko Eze Onye Obi Uzo Nna Ike Ugo Oke Amaechi',
    'emeka nkwo chukwu igbo kachi nna chi di nwa ma eke orie afor dike',
  ),
  ...words(`
    Bello Abubakar Danjuma Yakubu Garba Sani Dantata Shehu Ƙasim Tanko Waziri Lawal Gambo Maikano Dikko Ribadu Etim Effiong
    Bassey Ekanem Udoh Essien Akpan Igho Omoruyi Osagie Aigbe Ehigie Tamuno Briggs Jumbo Amachree Dokubo Iyalla Agbaje`),
]
const firstNames = words(`
  Ngozi Chinedu Emeka Ifeoma Obinna Amaka Tunde Yetunde Bọ́lá Ṣadé Femi Kunle Abiodun Titilayo Aisha Fatima Musa Ibrahim
  Zainab Halima Usman Hadiza Ekaete Inemesit Ini Osaze Efosa Ebiere Tari Blessing Patience Sunday Godwin Mercy Samuel Ruth`)
const trades = words(`
  Agro Foods Textiles Pharmacy Motors Electronics Logistics Cement Plastics Bakery Farms Oil Marine Steel Paints Furniture
  Printing Hotels Schools Clinics Water Poultry Rice Cocoa Timber Fabrics Cosmetics Batteries Solar Tyres Haulage Salons`)
const endings = ['Limited', 'Nigeria Limited', 'Enterprises', 'Ventures', 'Stores', '& Sons', 'Global Resources', 'Plc']
const towns = words(`
  Lagos Ikeja Kano Ibadan Enugu Aba Onitsha Owerri Calabar Uyo Benin Warri Jos Kaduna Abuja Ilorin Akure Abeokuta Sokoto
  Maiduguri Yola Makurdi Lokoja Minna Nsukka Asaba Yenagoa Osogbo Zaria Gombe`)
const brands = words(`
  Dangote Honeywell Peak Milo Indomie Gino Mamador Kings Titus Ariel Omo Dettol Vono Binatone Thermocool Scanfrost Exide
  Lafarge Berger Dulux Zaron Nasco Beloxxi Chivita Hollandia Ribena Lucozade Bournvita Cabin Gala Lontor Qasa Tecno Itel`)
const goods = words(`
  Semovita Noodles Milk Rice Beans Garri Tomato Sardine Detergent Soap Mattress Blender Freezer Battery Cement Emulsion
  Biscuit Juice Yoghurt Cocoa Groundnut Palm Sugar Salt Flour Torch Charger Kettle Iron Fan Generator Inverter Cable Socket
  Pipe Nails Roofing Tiles Ankara Lace Adire Sandals Notebook Biro Stapler Toner Tarpaulin Cooler Bucket Basin`)
const packs = words(
  'carton sachet bag crate roll bundle piece dozen 10kg 25kg 50kg 500ml 75cl 5litre pack pair set drum tin',
)

export function buyerName(next: () => number): string {
  if (next() < 0.35) return `${pick(firstNames, next)} ${pick(surnames, next)}`
  const town = next() < 0.4 ? ` ${pick(towns, next)}` : ''
  return `${pick(surnames, next)}${town} ${pick(trades, next)} ${pick(endings, next)}`
}

export const itemName = (next: () => number): string =>
  `${pick(brands, next)} ${pick(goods, next)} ${pick(packs, next)} ${100 + Math.floor(next() * 900)}`
