// `npm run bench [-- NAME…]`: runs every *.bench.ts below test/bench in a process of its own, one after the other. Ends
// with 1 where one failed, with 2 where one could not measure.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SHARED } from './build.mjs'
import { makeReady, root } from './ready.mjs'

makeReady()
const folder = join(root, 'test', 'bench')
const wanted = process.argv.slice(2)
const files = (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
  .filter((file) => file.endsWith('.bench.ts'))
  .sort()
/** They take many minutes each, or a program that few machines have. */
const BY_NAME_ALONE = ['soak', 'plan-50000', 'puppet', 'flags'].map((name) => `fleet/${name}.bench.ts`)
const chosen = files.filter((file) =>
  wanted.length === 0 ? !BY_NAME_ALONE.includes(file) : wanted.some((name) => basename(file).includes(name)),
)
if (chosen.length === 0) {
  console.error(
    files.length === 0
      ? 'error: there is no *.bench.ts below test/bench'
      : `error: no bench is named ${wanted.join(' or ')}\nhint: there are ${files.join(', ')}`,
  )
  process.exit(1)
}

// Below node_modules, so that the packages left out of the bundle are found from there.
const outdir = join(root, 'node_modules', '.cache', 'svc', 'bench')
rmSync(outdir, { recursive: true, force: true })
mkdirSync(outdir, { recursive: true })
const { build } = await import('esbuild')
await build({
  ...SHARED,
  entryPoints: chosen.map((file) => join(folder, file)),
  outbase: folder,
  outdir,
  logLevel: 'warning',
  sourcemap: 'inline',
})

const NOT_MEASURED = 2
const failed = []
const unmeasured = []
for (const file of chosen) {
  console.log(`\n${file}`)
  const result = spawnSync(
    process.execPath,
    ['--enable-source-maps', '--expose-gc', join(outdir, file.replace(/\.ts$/, '.js'))],
    {
      cwd: root,
      stdio: 'inherit',
    },
  )
  if (result.status === NOT_MEASURED) unmeasured.push(file)
  else if (result.status !== 0) failed.push(file)
}
const measured = chosen.length - unmeasured.length
if (unmeasured.length > 0) console.log(`\nbench: not measured: ${unmeasured.join(', ')}`)
if (measured > 0)
  console.log(
    failed.length === 0
      ? `\nbench: all ${measured} within their bounds`
      : `\nbench: ${failed.length} of ${measured} failed: ${failed.join(', ')}`,
  )
process.exit(failed.length > 0 ? 1 : unmeasured.length > 0 ? NOT_MEASURED : 0)
