import { createHash } from 'node:crypto'
import { styles } from './styles.ts'

/** The address contains a hash of the content, so browsers may cache it forever. */
export const stylesheetPath = `/s/page.css?v=${createHash('sha256').update(styles).digest('hex').slice(0, 12)}`
