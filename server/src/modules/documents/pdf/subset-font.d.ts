/** The part of the library that we use. Its types on the registry are older than these options. */
declare module 'subset-font' {
  function subsetFont(
    font: Buffer,
    text: undefined,
    options: {
      readonly keepAllGlyphs: true
      readonly targetFormat: 'truetype'
      readonly noHinting: true
      readonly dropTables?: readonly string[]
      readonly variationAxes?: { readonly wght: number }
    },
  ): Promise<Buffer>
  export = subsetFont
}
