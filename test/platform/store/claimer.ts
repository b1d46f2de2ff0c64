// A process that claims rows until none is free, and prints their ids: `node claimer.mjs URL OWNER`.
import { openDatabase } from '../../../platform/database.ts'
import { claim } from '../../../platform/store/claim.ts'

const [url = '', owner = ''] = process.argv.slice(2)
const db = openDatabase(url)
const ids: string[] = []
for (;;) {
  const row = await claim(db, { table: 'claims_jobs', where: { owner: null }, order: ['priority'], set: { owner } })
  if (!row) break
  ids.push(row.id)
}
await db.destroy()
process.stdout.write(JSON.stringify(ids))
