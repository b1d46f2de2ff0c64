// Every attack of the corpus works: it is run in a real shell and its effect is found.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { counted } from '../../support/counts.ts'
import { chosen, ofPoints } from '../campaign.ts'
import { families } from './corpora/attacks.ts'
import { runSealed } from './corpora/sealed-shell.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-prove-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const BATCH = 50
const MINUTES = 5
const all = families.flatMap((family) => family.spellings)
const indices = chosen([...all.keys()])
const batches = Array.from({ length: Math.ceil(indices.length / BATCH) }, (_, at) =>
  indices.slice(at * BATCH, (at + 1) * BATCH),
)

describe.concurrent(`attacks of the corpus${ofPoints}`, () => {
  test.each(batches.map((batch, at) => [at + 1, batch] as const))(
    'each of batch %i has its effect in a shell',
    async (at, batch) => {
      const folder = join(root, `batch-${at}`)
      const runs = await runSealed(folder, batch)
      // The worlds of all batches have more files than one hook can remove in its time.
      rmSync(folder, { recursive: true, force: true })
      const idle = runs.filter((run) => !run.hasEffect)
      expect(idle.map(({ attack, output }) => ({ id: attack.id, input: attack.input, output }))).toEqual([])
    },
    MINUTES * 60_000,
  )
})

afterAll(() => counted(`attacks of the corpus proved${ofPoints}`, indices.length))
