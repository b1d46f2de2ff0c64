// The builtin embedding that is shipped: small, learnt from what may be learnt from, and refused when it is damaged.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isKept } from '../../../scripts/embedding/sources.ts'
import { BuiltinEmbedder } from '../../../services/code-index/embedding/builtin.ts'
import { root } from '../../support/root.ts'

const folder = join(root, 'services/code-index/embedding/weights')
const file = join(folder, 'builtin-embedding.bin')

test('it takes 3 MB at most', () => {
  expect(statSync(file).size).toBeLessThanOrEqual(3_000_000)
})

test('it was learnt from packages under permissive licences, none of which search is judged by', () => {
  const sources = JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8')) as { name: string; license: string }[]
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter(({ name }) => isKept(name))).toEqual([])
  expect(sources.filter(({ license }) => license === '' || /GPL|SSPL|BUSL|CC-BY|UNLICENSED/.test(license))).toEqual([])
})

test('what does the thing that is asked for is nearer than what does not', async () => {
  const embedder = BuiltinEmbedder.load(file)
  const near = async (question: string, content: string) => {
    const [asked, [code]] = await Promise.all([
      embedder.query(question),
      embedder.passages([{ path: 'src/a.ts', symbol: null, content }]),
    ])
    return asked.reduce((sum, each, at) => sum + each * code![at]!, 0)
  }
  const remove = 'for (const name of readdirSync(folder)) unlinkSync(join(folder, name))'
  const add = 'let total = 0\nfor (const n of numbers) total += n\nreturn total / numbers.length'
  // Not one word of the questions stands in the code.
  expect(await near('delete all files of a directory', remove)).toBeGreaterThan(
    await near('delete all files of a directory', add),
  )
  expect(await near('compute the average of values', add)).toBeGreaterThan(
    await near('compute the average of values', remove),
  )
  expect(await near('zzqx vvkw', add)).toBe(0)
})

test.each([
  ['gone', null, 'ENOENT'],
  ['of something else', Buffer.from('PK\u0003\u0004 and so on'), 'does not begin as weights do'],
  ['cut off', readFileSync(file).subarray(0, 500_000), 'cut off'],
])('a file that is %s is refused by what is wrong with it', (_what, bytes, said) => {
  const own = mkdtempSync(join(tmpdir(), 'svc-weights-'))
  const path = join(own, 'weights.bin')
  if (bytes) writeFileSync(path, bytes)
  expect(() => BuiltinEmbedder.load(path)).toThrow(said)
  rmSync(own, { recursive: true })
})
