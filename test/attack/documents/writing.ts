// `node writing.mjs FOLDER FIRST STEP` writes documents until it is killed at the n-th step. It prints each write
// before and after; write numbers start at FIRST.
import { writeSync } from 'node:fs'
import { DocumentFolder } from '../../../services/docstore/documents/folder.ts'
import { digestOf, readSidecar, type Revision } from '../../../services/docstore/documents/sidecar.ts'
import { DocumentWriter } from '../../../services/docstore/documents/writer.ts'
import { IDS, textOf } from './texts.ts'

const [path = '', first = '0', step = '0'] = process.argv.slice(2)
let left = Number(step)
const folder = await DocumentFolder.open(path)
const writer = new DocumentWriter(folder, {
  reached: () => {
    if (--left === 0) process.kill(process.pid, 'SIGKILL')
  },
})
const report = (event: object) => writeSync(1, `${JSON.stringify(event)}\n`)

for (let number = Number(first); ; number++) {
  const id = IDS[number % IDS.length]!
  const content = await folder.readContent(id)
  const known = readSidecar(await folder.read(folder.sidecar(id)))
  const isDeletion = content !== null && number % 5 === 0
  const about = { number, id, deletes: isDeletion }
  report({ ...about, state: 'begun' })
  const text = textOf(number)
  const at = new Date(number).toISOString()
  const revision = ((await folder.revisions(id)).at(-1) ?? 0) + 1
  const after: Revision = {
    title: `t${number}`,
    tags: [],
    created_by: 'crash',
    created_at: known?.created_at ?? at,
    updated_at: at,
    revision,
    digest: digestOf(text),
    by: 'crash',
    content: text,
  }
  if (isDeletion) await writer.remove(id, digestOf(content))
  else await writer.write(id, content === null ? null : digestOf(content), after)
  report({ ...about, state: 'done' })
}
