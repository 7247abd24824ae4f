import { createHash } from 'node:crypto'
import { styles } from './styles.ts'

/** The address changes with what is behind it, so that it can be kept for as long as anybody likes. */
export const stylesheetPath = `/s/page.css?v=${createHash('sha256').update(styles).digest('hex').slice(0, 12)}`
