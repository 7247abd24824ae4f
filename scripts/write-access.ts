import { writeFileSync } from 'node:fs'
import * as forms from '../server/src/http/forms.ts'
import { accessFile, accessTable } from '../test/structure/access.ts'

writeFileSync(new URL(`../${accessFile}`, import.meta.url), accessTable(Object.values(forms)))
