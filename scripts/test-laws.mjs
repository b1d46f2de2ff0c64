// `npm run test:laws`: random histories of manifests, hands and kills on a real daemon, and the laws held against each.
// `--seeds N` plays the seeds 1 to N (from `--first S` on), `--seed S` one or several again, `--batches N` makes each
// longer, `--without move,kill` leaves steps out, `--minimise SECONDS` looks that long for fewer steps (0: not at all), `--log`
// prints what the daemon said, `--bail` ends at the first broken law.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { SHARED } from './build.mjs'
import { makeReady, root } from './ready.mjs'

await makeReady()
// Below node_modules, so that the packages left out of the bundle are found from there.
const outfile = join(root, 'node_modules', '.cache', 'svc', 'laws', 'main.js')
const { build } = await import('esbuild')
await build({
  ...SHARED,
  entryPoints: [join(root, 'test', 'laws', 'main.ts')],
  outfile,
  logLevel: 'warning',
  sourcemap: 'inline',
})
const { status } = spawnSync(process.execPath, ['--enable-source-maps', outfile, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
