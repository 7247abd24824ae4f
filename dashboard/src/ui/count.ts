export const count = new Intl.NumberFormat('en-NG')
