// `npm run campaign -- reports [FOLDER]`: prints one line per report.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from '../support/root.ts'
import { REPORTS } from './all-reports.ts'
import { runReport } from './report.ts'

const folder = resolve(process.argv[2] ?? join(root, 'test', 'reports', 'fixtures'))
if (!existsSync(folder)) {
  console.error(`error: the folder of reports ${folder} does not exist\nhint: omit it to run those of this repository`)
  process.exit(64)
}
let failed = 0
for (const report of REPORTS) {
  const { ok, text } = await runReport(report, folder)
  if (!ok) failed++
  console.log(text)
}
process.exit(failed === 0 ? 0 : 1)
