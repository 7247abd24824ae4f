import { writeFileSync } from 'node:fs'
import { formA } from '../server/src/http/form-a/index.ts'
import { formB } from '../server/src/http/form-b/index.ts'
import { accessFile, accessTable } from '../test/structure/access.ts'

writeFileSync(new URL(`../${accessFile}`, import.meta.url), accessTable([formA, formB]))
