import { rows } from './rows.ts'

/** Name and code of a region, of its part, and of the part of that, if there is one. */
const parts = {
  north: ['Africa', '002', 'Northern Africa', '015', '', ''],
  west: ['Africa', '002', 'Sub-Saharan Africa', '202', 'Western Africa', '011'],
  middle: ['Africa', '002', 'Sub-Saharan Africa', '202', 'Middle Africa', '017'],
  east: ['Africa', '002', 'Sub-Saharan Africa', '202', 'Eastern Africa', '014'],
  south: ['Africa', '002', 'Sub-Saharan Africa', '202', 'Southern Africa', '018'],
  northAmerica: ['Americas', '019', 'Northern America', '021', '', ''],
  southAmerica: ['Americas', '019', 'Latin America and the Caribbean', '419', 'South America', '005'],
  eastAsia: ['Asia', '142', 'Eastern Asia', '030', '', ''],
  southAsia: ['Asia', '142', 'Southern Asia', '034', '', ''],
  westAsia: ['Asia', '142', 'Western Asia', '145', '', ''],
  northEurope: ['Europe', '150', 'Northern Europe', '154', '', ''],
  southEurope: ['Europe', '150', 'Southern Europe', '039', '', ''],
  westEurope: ['Europe', '150', 'Western Europe', '155', '', ''],
} as const

const named = rows(
  ['name', 'alpha_2', 'alpha_3', 'country_code', 'part'],
  [
    ['Afghanistan', 'AF', 'AFG', '004', 'southAsia'],
    ['Åland Islands', 'AX', 'ALA', '248', 'northEurope'],
    ['Benin', 'BJ', 'BEN', '204', 'west'],
    ['Brazil', 'BR', 'BRA', '076', 'southAmerica'],
    ['Cameroon', 'CM', 'CMR', '120', 'middle'],
    ['Canada', 'CA', 'CAN', '124', 'northAmerica'],
    ['Chad', 'TD', 'TCD', '148', 'middle'],
    ['China', 'CN', 'CHN', '156', 'eastAsia'],
    ["Côte d'Ivoire", 'CI', 'CIV', '384', 'west'],
    ['Egypt', 'EG', 'EGY', '818', 'north'],
    ['France', 'FR', 'FRA', '250', 'westEurope'],
    ['Germany', 'DE', 'DEU', '276', 'westEurope'],
    ['Ghana', 'GH', 'GHA', '288', 'west'],
    ['India', 'IN', 'IND', '356', 'southAsia'],
    ['Italy', 'IT', 'ITA', '380', 'southEurope'],
    ['Japan', 'JP', 'JPN', '392', 'eastAsia'],
    ['Kenya', 'KE', 'KEN', '404', 'east'],
    ['Netherlands', 'NL', 'NLD', '528', 'westEurope'],
    ['Niger', 'NE', 'NER', '562', 'west'],
    ['Nigeria', 'NG', 'NGA', '566', 'west'],
    ['Rwanda', 'RW', 'RWA', '646', 'east'],
    ['Senegal', 'SN', 'SEN', '686', 'west'],
    ['South Africa', 'ZA', 'ZAF', '710', 'south'],
    ['Togo', 'TG', 'TGO', '768', 'west'],
    ['United Arab Emirates', 'AE', 'ARE', '784', 'westAsia'],
    ['United Kingdom', 'GB', 'GBR', '826', 'northEurope'],
    ['United States of America', 'US', 'USA', '840', 'northAmerica'],
  ],
)

export const countries = named.map(({ name, alpha_2, alpha_3, country_code, part }) => {
  const [region, regionCode, subRegion, subRegionCode, intermediate, intermediateCode] =
    parts[part as keyof typeof parts]
  return {
    name,
    alpha_2,
    alpha_3,
    country_code,
    iso_3166_2: `ISO 3166-2:${alpha_2}`,
    region,
    sub_region: subRegion,
    intermediate_region: intermediate,
    region_code: regionCode,
    sub_region_code: subRegionCode,
    intermediate_region_code: intermediateCode,
  }
})
