// Claims rows until none is free, and prints their ids: `node claimer.mjs URL OWNER`.
import { openDatabase } from '../../../platform/database/database.ts'
import { claim } from '../../../platform/store/claim.ts'

const [url = '', owner = ''] = process.argv.slice(2)
const db = openDatabase(url)
const ids: string[] = []
for (;;) {
  const wanted = { table: 'claims_jobs', where: { owner: null }, order: ['priority'], set: { owner } }
  const [row] = await claim(db, { ...wanted, most: 1 })
  if (!row) break
  ids.push(row.id)
}
await db.destroy()
process.stdout.write(JSON.stringify(ids))
