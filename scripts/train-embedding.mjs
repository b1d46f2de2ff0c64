// Trains the builtin embedding on an npm installation or unpacked Debian packages.
import { mkdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { SHARED } from './build.mjs'
import { root } from './ready.mjs'

const folders = process.argv.slice(2).map((folder) => resolve(folder))
if (folders.length === 0) {
  console.error('error: expected at least one folder of packages\nhint: node scripts/train-embedding.mjs FOLDER…')
  process.exit(1)
}
// Below node_modules, to resolve external packages.
const outdir = join(root, 'node_modules', '.cache', 'svc', 'train')
mkdirSync(outdir, { recursive: true })
await build({ ...SHARED, entryPoints: [join(root, 'scripts/embedding/train.ts')], outdir, logLevel: 'warning' })
const out = join(root, 'services/code-index/embedding/weights')
const { status } = spawnSync(
  process.execPath,
  ['--max-old-space-size=6000', join(outdir, 'train.js'), out, ...folders],
  {
    stdio: 'inherit',
  },
)
process.exit(status ?? 1)
