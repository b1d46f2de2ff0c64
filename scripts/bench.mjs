// `npm run bench [-- NAME…]`: runs test/bench/**/NAME.bench.ts (also NAME-*), each in its own process. Files with a
// line that begins with "// By name only" run only when named. Exits with 1 if a bound is broken or a benchmark fails,
// with 2 if one could not measure.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeReady, root } from './ready.mjs'

const NOT_MEASURED = 2
const folder = join(root, 'test', 'bench')
const benches = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => ({ file, name: basename(file, '.bench.ts') }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

const wanted = process.argv.slice(2)
const matches = (name, word) => name === word || name.startsWith(`${word}-`)
const unknown = wanted.filter((word) => !benches.some(({ name }) => matches(name, word)))
if (unknown.length > 0) {
  const names = benches.map(({ name }) => name).join(', ')
  console.error(`error: unknown benchmark ${unknown.join(', ')}\nhint: the benchmarks are ${names}`)
  process.exit(64)
}
const isByNameOnly = ({ file }) => /^\/\/ By name only/m.test(readFileSync(join(folder, file), 'utf8'))
const chosen = benches.filter((bench) =>
  wanted.length === 0 ? !isByNameOnly(bench) : wanted.some((word) => matches(bench.name, word)),
)

makeReady()
const [{ build }, { SHARED }, { default: Table }] = await Promise.all([
  import('esbuild'),
  import('./build.mjs'),
  import('cli-table3'),
])
// Below node_modules, to resolve external packages.
const outdir = join(root, 'node_modules', '.cache', 'svc', 'bench')
rmSync(outdir, { recursive: true, force: true })
const entryPoints = chosen.map(({ file, name }) => ({ in: join(folder, file), out: name }))
await build({ ...SHARED, entryPoints, outdir, logLevel: 'warning', sourcemap: 'inline' })

const figures = []
const failed = []
const unmeasured = []
const begin = performance.now()
for (const { name } of chosen) {
  console.log(`\n${name}`)
  const started = performance.now()
  const child = fork(join(outdir, `${name}.js`), [], { cwd: root, execArgv: ['--enable-source-maps'] })
  child.on('message', (figure) => figures.push({ bench: name, ...figure }))
  const [code] = await once(child, 'close')
  console.log(`${name} took ${((performance.now() - started) / 1000).toFixed(0)} s`)
  if (code === NOT_MEASURED) unmeasured.push(name)
  else if (code !== 0) failed.push(name)
}

const COLUMNS = ['bench', 'what', 'ours', 'floor', 'ratio', 'bound', 'result']
const table = new Table({ head: COLUMNS, style: { head: [], border: [], compact: true } })
table.push(...figures.map((figure) => COLUMNS.map((column) => figure[column])))
console.log(`\n${table.toString()}`)
const bounded = figures.filter(({ bound }) => bound !== '-')
const broken = bounded.filter(({ result }) => result !== 'ok')
const minutes = ((performance.now() - begin) / 60_000).toFixed(1)
console.log(
  `bench: ${figures.length} results of ${chosen.length} benchmarks in ${minutes} minutes: ${bounded.length} bounds, ${broken.length} broken`,
)
if (failed.length > 0) console.log(`bench: failed: ${failed.join(', ')}`)
if (unmeasured.length > 0) console.log(`bench: not measured: ${unmeasured.join(', ')}`)
process.exit(failed.length > 0 ? 1 : unmeasured.length > 0 ? NOT_MEASURED : 0)
