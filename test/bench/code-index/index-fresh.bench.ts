// Time until a search finds an edit; CPU time of watching.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { print, timed, within } from '../report.ts'
import { indexed, startIndex } from './indexed.ts'

const ROUNDS = 5
const MANY_FILES = 20_000
/** Default seconds between checks of a tree. */
const INTERVAL = 30

async function fresh(into: string): Promise<void> {
  const tree = join(into, 'fresh')
  mkdirSync(tree, { recursive: true })
  for (let at = 0; at < 200; at++)
    writeFileSync(join(tree, `${at}.ts`), `export function step${at}() {\n  return ${at}\n}\n`)
  const index = await startIndex(into, { SVC_INDEX_WATCH_INTERVAL: '1' })
  await indexed(index, tree)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const query = `freshlyMade${round}`
    appendFileSync(join(tree, '7.ts'), `export function ${query}() {\n  return 1\n}\n`)
    const isFound = async () => {
      const { results } = await index.ask('POST', '/search', { query, search_mode: 'keyword', limit: 1 })
      return results[0]?.symbol_name === query
    }
    times.push(
      await timed(async () => {
        while (!(await isFound())) await sleep(20)
      }),
    )
  }
  await index.close()
  within('time beyond the interval until an edit is found', Math.max(...times) / 1000 - 1, 2, 's')
}

async function idle(into: string): Promise<void> {
  const tree = join(into, 'many')
  for (let at = 0; at < MANY_FILES; at++) {
    if (at % 200 === 0) mkdirSync(join(tree, `part${at / 200}`), { recursive: true })
    writeFileSync(join(tree, `part${Math.floor(at / 200)}`, `${at}.ts`), '')
  }
  const index = await startIndex(into, { SVC_INDEX_WATCH_INTERVAL: '1' })
  await indexed(index, tree)
  const checks = async () =>
    Number(/outcome="unchanged"\} (\d+)/.exec(await (await fetch(`${index.url}/metrics`)).text())![1])
  const [first, before] = [await checks(), process.cpuUsage()]
  while ((await checks()) < first + 3) await sleep(100)
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1e6 / ((await checks()) - first) / INTERVAL
  await index.close()
  print(`checking ${MANY_FILES} files every ${INTERVAL} s, share of one core`, share * 100, '%')
}

for (const measure of [fresh, idle]) {
  const into = mkdtempSync(join(tmpdir(), 'svc-bench-fresh-'))
  await measure(into)
  rmSync(into, { recursive: true, force: true })
}
