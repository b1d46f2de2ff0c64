import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isKept } from '../../../scripts/embedding/sources.ts'
import { BuiltinEmbedder } from '../../../services/code-index/embedding/builtin.ts'
import { root } from '../../support/root.ts'

const folder = join(root, 'services/code-index/embedding/weights')
const file = join(folder, 'builtin-embedding.bin')

test('ships weights of at most 3 MB', () => {
  expect(statSync(file).size).toBeLessThanOrEqual(3_000_000)
})

test('ships weights trained on permissively licensed packages outside the search benchmark', () => {
  const sources = JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8')) as { name: string; license: string }[]
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter(({ name }) => isKept(name))).toEqual([])
  expect(sources.filter(({ license }) => license === '' || /GPL|SSPL|BUSL|CC-BY|UNLICENSED/.test(license))).toEqual([])
})

test('ranks matching code above other code without shared words', async () => {
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
  // No word of the queries occurs in the code.
  expect(await near('delete all files of a directory', remove)).toBeGreaterThan(
    await near('delete all files of a directory', add),
  )
  expect(await near('compute the average of values', add)).toBeGreaterThan(
    await near('compute the average of values', remove),
  )
  expect(await near('zzqx vvkw', add)).toBe(0)
})

test.each([
  ['missing', null, 'ENOENT'],
  ['of another format', Buffer.from('PK\u0003\u0004 and so on'), 'not a weights file'],
  ['truncated', readFileSync(file).subarray(0, 500_000), 'truncated'],
])('rejects a file that is %s', (_what, bytes, said) => {
  const own = mkdtempSync(join(tmpdir(), 'svc-weights-'))
  const path = join(own, 'weights.bin')
  if (bytes) writeFileSync(path, bytes)
  expect(() => BuiltinEmbedder.load(path)).toThrow(said)
  rmSync(own, { recursive: true })
})
